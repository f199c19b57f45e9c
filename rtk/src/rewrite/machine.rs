//! What the rule asks of the machine: files and programs, looked at only where a row of the table needs it.

use std::path::Path;

/// What stands at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// Nothing, or nothing that can be looked at.
    Missing,
    /// A regular file of at most [`READ_LIMIT`] bytes, valid UTF-8 without a NUL byte.
    Text,
    /// A folder.
    Folder,
    /// Anything else: binary, not UTF-8, too large, a device, a pipe.
    Other,
    /// The machine can't say, such as where the folder of the call is not there: the command can't run there, or
    /// runs on another machine, and is taken to name what it needs.
    Unknown,
}

/// The largest file that `rtk read` may be given, in bytes: 8 MiB. rtk holds the whole file in memory, several
/// times over (measured: 197 MB for the last lines of a 200 MB file, 770 MB for all of it).
pub const READ_LIMIT: u64 = 8 << 20;

/// The machine on which the command would run. Paths are relative to the folder in which the line starts,
/// unless they are absolute.
pub trait Machine {
    /// What stands at `path`.
    fn kind(&self, path: &Path) -> FileKind;
    /// Whether a program of this name is on the agent's `PATH`.
    fn has_program(&self, name: &str) -> bool;
    /// The user's home folder, for a path that begins with `~/`.
    fn home(&self) -> Option<&Path>;
}

/// What is at `path` on this disk, read in full only where it is a regular file within [`READ_LIMIT`].
///
/// An answer for [`Machine::kind`]; `path` must already be joined to the folder of the call.
#[must_use]
pub fn kind_on_disk(path: &Path) -> FileKind {
    let Ok(metadata) = std::fs::metadata(path) else {
        return FileKind::Missing;
    };
    if metadata.is_dir() {
        return FileKind::Folder;
    }
    if !metadata.is_file() || metadata.len() > READ_LIMIT {
        return FileKind::Other;
    }
    match std::fs::read(path) {
        Ok(bytes) if !bytes.contains(&0) && std::str::from_utf8(&bytes).is_ok() => FileKind::Text,
        Ok(_) => FileKind::Other,
        Err(_) => FileKind::Missing,
    }
}

/// What is at `path`, seen from `folder`; [`FileKind::Unknown`] where the folder itself is not there.
#[must_use]
pub fn kind_seen_from(folder: &Path, path: &Path) -> FileKind {
    match kind_on_disk(&folder.join(path)) {
        FileKind::Missing if !folder.is_dir() => FileKind::Unknown,
        kind => kind,
    }
}

/// Whether a file that may be run and is called `name` stands in one of the folders of `path`, a `PATH` value.
#[must_use]
pub fn is_on_path(name: &str, path: &std::ffi::OsStr) -> bool {
    std::env::split_paths(path).any(|folder| folder.join(name).is_file())
}
