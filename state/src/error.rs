//! What can go wrong, where, and what to do about it.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;
use thiserror::Error;

/// Why the state could not be read or changed. Each message names the file and what to do next.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum StateError {
    /// No variable of the environment names a place for the state.
    #[error(
        "there is no place for the state: {home} is not set to an absolute path; set EXECUTION_GUARD_STATE_DIR to a folder on a local disk",
        home = if cfg!(windows) { "LOCALAPPDATA" } else { "HOME" }
    )]
    NoHome,
    /// `$EXECUTION_GUARD_STATE_DIR` isn't absolute.
    #[error("EXECUTION_GUARD_STATE_DIR is the relative path {}; set it to an absolute one", .path.display())]
    RelativeFolder {
        /// The value.
        path: PathBuf,
    },
    /// The folder can't be used or trusted.
    #[error("the state folder {} {problem}", .path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// What is wrong with it.
        problem: FolderProblem,
    },
    /// Another process held the lock until the deadline.
    #[error(
        "another process has held the lock {} for {} ms; if this stays, end the process that holds it (`fuser` names it)",
        .path.display(),
        .waited.as_millis()
    )]
    Locked {
        /// The lock file.
        path: PathBuf,
        /// How long it was waited for.
        waited: Duration,
    },
    /// The state file was no ledger. It has been replaced by the ledger that the caller named for this case.
    #[error(
        "the state file {} was damaged ({damage}) and has been replaced{}; nothing else needs to be done",
        .path.display(),
        .set_aside.as_ref().map(|path| format!(" (the old one is {})", path.display())).unwrap_or_default()
    )]
    SetAside {
        /// The state file.
        path: PathBuf,
        /// What was wrong with it.
        damage: Damage,
        /// Where the damaged file is now; `None` if enough of them were kept already.
        set_aside: Option<PathBuf>,
    },
    /// The state file is no ledger, and has been left as it is because this was a reader.
    #[error("the state file {} is damaged ({damage}); `execution-guard state reset` starts anew", .path.display())]
    Damaged {
        /// The state file.
        path: PathBuf,
        /// What is wrong with it.
        damage: Damage,
    },
    /// There is no space left for the new state. The old one stands.
    #[error("no space to write {}: {source}; free some space or raise the quota there", .path.display())]
    DiskFull {
        /// The file that could not be written.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The folder or the file system does not let this user write. The old state stands.
    #[error(
        "{} can't be written: {source}; give this user the right to write there, or set EXECUTION_GUARD_STATE_DIR to another folder",
        .path.display()
    )]
    NotWritable {
        /// The file that could not be written.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Any other failure of the system. The old state stands.
    #[error(
        "can't {action} {}: {source}; remove the cause, or set EXECUTION_GUARD_STATE_DIR to another folder",
        .path.display()
    )]
    Io {
        /// What was tried, as a verb.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The id is longer than any host's, and than what is kept.
    #[error(
        "the conversation id has {bytes} bytes, more than {max}; start a new conversation",
        max = crate::MAX_CONVERSATION_BYTES
    )]
    ConversationTooLong {
        /// Its length in bytes.
        bytes: usize,
    },
    /// The ledger would be larger than what is read back. The old state stands.
    #[error(
        "the new state for {} has {bytes} bytes, more than {max}; `execution-guard state reset` starts anew",
        .path.display(),
        max = crate::MAX_STATE_BYTES
    )]
    TooLarge {
        /// The state file.
        path: PathBuf,
        /// The size it would have, in bytes.
        bytes: usize,
    },
}

/// What is wrong with the state folder.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FolderProblem {
    /// Something else stands in its place.
    #[error("is not a folder; move that away, or set EXECUTION_GUARD_STATE_DIR to another folder")]
    NotAFolder,
    /// It belongs to another user.
    #[error(
        "belongs to user {owner}, not to user {user} who runs this; set EXECUTION_GUARD_STATE_DIR to a folder of your own"
    )]
    OtherOwner {
        /// The numeric id of the owner.
        owner: u32,
        /// The numeric id of this process's user.
        user: u32,
    },
    /// Others may write to it.
    #[error("can be written by other users (mode {mode:03o}); run `chmod 700` on it")]
    OthersCanWrite {
        /// Its permission bits.
        mode: u32,
    },
    /// It is on a network file system, where a lock can hang for ever, and no folder for local locks is known.
    #[error(
        "is on a network file system, where locks can hang; set EXECUTION_GUARD_STATE_DIR to a folder on a local disk, or XDG_RUNTIME_DIR to a folder of your own on this machine"
    )]
    Network,
}

/// Why a file is no ledger.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Damage {
    /// It has no bytes.
    #[error("it is empty")]
    Empty,
    /// It has only zero bytes, as after a power loss.
    #[error("it holds only zero bytes")]
    ZeroFilled,
    /// It is not JSON, or not this JSON.
    #[error("{0}")]
    Unparseable(String),
    /// A newer program wrote it.
    #[error("its format is version {0}, newer than this program")]
    NewerVersion(u32),
    /// It is the ledger of another conversation, copied here.
    #[error("it is the ledger of another conversation")]
    OtherConversation,
    /// It has more bytes than a ledger can have.
    #[error("it has {0} bytes, more than a ledger can have")]
    TooLarge(u64),
    /// It isn't a regular file.
    #[error("it is {0}, not a file")]
    NotAFile(&'static str),
    /// This user may not read it.
    #[error("this user may not read it")]
    Unreadable,
}

impl StateError {
    /// A failure while something was written at `path`.
    pub(crate) fn writing(path: PathBuf, source: io::Error) -> Self {
        use io::ErrorKind as K;
        match source.kind() {
            K::StorageFull | K::QuotaExceeded => Self::DiskFull { path, source },
            K::PermissionDenied | K::ReadOnlyFilesystem => Self::NotWritable { path, source },
            _ => Self::Io {
                action: "write",
                path,
                source,
            },
        }
    }

    pub(crate) fn io(action: &'static str, path: PathBuf, source: io::Error) -> Self {
        Self::Io {
            action,
            path,
            source,
        }
    }

    /// A failure to open or make the folder at `path`.
    pub(crate) fn folder(path: &Path, source: io::Error) -> Self {
        let path = path.to_owned();
        match source.kind() {
            io::ErrorKind::NotADirectory | io::ErrorKind::AlreadyExists => Self::Folder {
                path,
                problem: FolderProblem::NotAFolder,
            },
            _ => Self::writing(path, source),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use io::ErrorKind as K;

    #[test]
    fn each_failure_to_write_names_its_own_remedy() {
        let told = |kind: K| StateError::writing("/s/c-a.json".into(), kind.into()).to_string();
        for kind in [K::StorageFull, K::QuotaExceeded] {
            assert!(told(kind).contains("free some space"), "{}", told(kind));
        }
        for kind in [K::PermissionDenied, K::ReadOnlyFilesystem] {
            assert!(told(kind).contains("the right to write"), "{}", told(kind));
        }
        for kind in [
            K::StorageFull,
            K::PermissionDenied,
            K::FileTooLarge,
            K::Other,
        ] {
            assert!(told(kind).contains("/s/c-a.json"), "{}", told(kind));
        }
    }
}
