//! What can stop an installation. Each message names the file and what to do next.

use std::io;
use std::path::{Path, PathBuf};

use crate::files::LOCK_WAIT;
use crate::jsonc::{ParseError, ParseErrorKind};
use crate::probe::ProbeError;

/// Why nothing was installed, removed or restored.
#[derive(Debug, thiserror::Error)]
pub enum InstallError {
    /// A file can't be edited as it is.
    #[error("{}:{line}:{column}: {kind}. Nothing was written: mend the file, or move it away, and run this again", file.display())]
    Unreadable {
        /// The file.
        file: PathBuf,
        /// From 1.
        line: usize,
        /// From 1, in characters.
        column: usize,
        /// What is wrong with it.
        kind: ParseErrorKind,
    },
    /// A key that must hold an object holds something else.
    #[error("{}:{line}:{column}: the value of {key:?} is not an object. Nothing was written: make it an object, or remove it, and run this again", file.display())]
    NotAnObject {
        /// The file.
        file: PathBuf,
        /// From 1.
        line: usize,
        /// From 1, in characters.
        column: usize,
        /// The key.
        key: String,
    },
    /// The entry of our name runs something else.
    #[error("{}:{line}:{column}: the entry {name:?} runs {command:?}, which is not ours. Nothing was written: give that hook another name and run this again", file.display())]
    NameTaken {
        /// The file.
        file: PathBuf,
        /// From 1.
        line: usize,
        /// From 1, in characters.
        column: usize,
        /// The name of the entry.
        name: String,
        /// What it runs.
        command: String,
    },
    /// A folder or a device stands where the file should be.
    #[error("{} is not a regular file. Nothing was written: move it away and run this again", .0.display())]
    NotAFile(PathBuf),
    /// The file is larger than any configuration.
    #[error("{} has more than {limit} bytes, which is no configuration. Nothing was written: move it away and run this again", file.display())]
    TooLarge {
        /// The file.
        file: PathBuf,
        /// In bytes.
        limit: u64,
    },
    /// The checked edit would have changed more than our entry.
    #[error("{}: the edit would change more than our own entry, so nothing was written. Please report this with the file, and add the entry by hand", .0.display())]
    WouldHarm(PathBuf),
    /// The file kept changing while it was edited.
    #[error("{} is being changed by another program: close it (an editor, or Antigravity) and run this again", .0.display())]
    Busy(PathBuf),
    /// Another installation holds the folder.
    #[error("{} is locked by another installation for more than {} s: wait for it to end, or end it, and run this again", .0.display(), LOCK_WAIT.as_secs())]
    Locked(PathBuf),
    /// The owner of the file can't be kept.
    #[error("{} belongs to another user, and replacing it would change its owner: run this as that user", .0.display())]
    Owner(PathBuf),
    /// The operating system said no.
    #[error("can't {action} {}: {source}. Check the permissions and the free space there, and run this again", file.display())]
    Io {
        /// What was tried.
        action: &'static str,
        /// On which file or folder.
        file: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The binary doesn't answer, so registering it would block every tool.
    #[error("the hook does not work, so it was not registered: {0}")]
    Hook(#[from] ProbeError),
    /// The hook stands alone.
    #[error("{} is missing, which belongs beside the hook: run install/install.sh, which puts both there", .0.display())]
    NoCommands(PathBuf),
    /// There is no way to name the binary that every host version runs.
    #[error("{} has blanks or special characters in its path, which some hosts can't run, and no folder for a link to it was found: install it with --prefix into a folder without them", .0.display())]
    NoPlainPath(PathBuf),
    /// A file that is not our link stands where the link should be.
    #[error("{} is in the way of a link to the binary: move it away and run this again", .0.display())]
    LinkTaken(PathBuf),
    /// There is no backup to go back to.
    #[error("there is no backup of ours beside {}: to take the hook out, run \"execution-guard uninstall\"", .0.display())]
    NoBackup(PathBuf),
}

impl InstallError {
    pub(crate) fn io<'a>(
        action: &'static str,
        file: &'a Path,
    ) -> impl FnOnce(io::Error) -> InstallError + 'a {
        move |source| InstallError::Io {
            action,
            file: file.to_owned(),
            source,
        }
    }

    pub(crate) fn unreadable(file: &Path, error: ParseError) -> InstallError {
        InstallError::Unreadable {
            file: file.to_owned(),
            line: error.line,
            column: error.column,
            kind: error.kind,
        }
    }
}
