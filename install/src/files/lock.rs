//! One installation at a time in a folder.

use std::fs::{File, TryLockError};
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::error::InstallError;

/// How long an installation waits for another one: each takes some milliseconds.
pub const LOCK_WAIT: Duration = Duration::from_secs(20);
const RETRY: Duration = Duration::from_millis(5);

/// An exclusive advisory lock, released when it is dropped or the process dies.
#[derive(Debug)]
pub struct FolderLock {
    _file: File,
}

impl FolderLock {
    /// Locks `folder`, waiting at most [`LOCK_WAIT`].
    pub fn acquire(folder: &Path) -> Result<FolderLock, InstallError> {
        let deadline = Instant::now() + LOCK_WAIT;
        let mut file = open(folder)?;
        let mut own_file = false;
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(FolderLock { _file: file }),
                Err(TryLockError::WouldBlock) if Instant::now() < deadline => sleep(RETRY),
                Err(TryLockError::WouldBlock) => {
                    return Err(InstallError::Locked(folder.to_owned()));
                }
                // Some network file systems only lock files that are open for writing.
                Err(TryLockError::Error(_)) if !own_file => {
                    file = open_lock_file(folder)?;
                    own_file = true;
                }
                Err(TryLockError::Error(error)) => {
                    return Err(InstallError::io("lock", folder)(error));
                }
            }
        }
    }
}

/// The folder itself: no lock file is left in the user's configuration.
#[cfg(unix)]
fn open(folder: &Path) -> Result<File, InstallError> {
    File::open(folder).map_err(InstallError::io("open", folder))
}

#[cfg(not(unix))]
fn open(folder: &Path) -> Result<File, InstallError> {
    open_lock_file(folder)
}

fn open_lock_file(folder: &Path) -> Result<File, InstallError> {
    let path = folder.join(".execution-guard.lock");
    File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .open(&path)
        .map_err(InstallError::io("open", &path))
}
