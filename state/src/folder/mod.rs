//! The state folder: the few operations on it, and whether it can be trusted.
//!
//! `unix` works relative to one open handle, so that the folder that was checked is the folder that is used.
//! `portable` does the same by path with what the standard library has, for Windows, where a user's own
//! `%LOCALAPPDATA%` is closed to others by its access list.

#[cfg(unix)]
mod unix;
#[cfg(unix)]
pub(crate) use unix::Folder;

#[cfg(not(unix))]
mod portable;
#[cfg(not(unix))]
pub(crate) use portable::Folder;

use crate::error::{Damage, StateError};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

/// What stands under the name of a state file.
pub(crate) enum Entry {
    Missing,
    /// A regular file of `size` bytes, last modified at `modified` (seconds since 1970).
    File {
        file: File,
        size: u64,
        modified: i64,
    },
    /// Something that can't be a state file.
    Odd(Damage),
}

impl Folder {
    /// The folder, made if it is missing, and checked. Looking before making would cost every call a system call.
    pub(crate) fn open_or_create(path: &Path) -> Result<Self, StateError> {
        if let Some(folder) = Self::existing(path)? {
            return Ok(folder);
        }
        Self::create(path).map_err(|error| StateError::folder(path, error))?;
        Self::existing(path)?
            .ok_or_else(|| StateError::folder(path, io::ErrorKind::NotFound.into()))
    }

    /// The folder, checked; `None` if there is none.
    pub(crate) fn existing(path: &Path) -> Result<Option<Self>, StateError> {
        let mut folder = match Self::open(path) {
            Ok(folder) => folder,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(StateError::folder(path, error)),
        };
        match folder.problem() {
            Ok(None) => Ok(Some(folder)),
            Ok(Some(problem)) => Err(StateError::Folder {
                path: path.to_owned(),
                problem,
            }),
            Err(error) => Err(StateError::io("look at", path.to_owned(), error)),
        }
    }

    pub(crate) fn path_of(&self, name: &str) -> PathBuf {
        self.path().join(name)
    }
}

/// Seconds since 1970 of the system's clock, the one that file times come from.
pub(crate) fn now() -> i64 {
    seconds(std::time::SystemTime::now())
}

/// Seconds since 1970; times before it count as 1970.
pub(crate) fn seconds(time: std::time::SystemTime) -> i64 {
    time.duration_since(std::time::UNIX_EPOCH)
        .ok()
        .and_then(|since| i64::try_from(since.as_secs()).ok())
        .unwrap_or(0)
}
