//! Reading and replacing a configuration file: whole or not at all, with its mode, owner and links.

mod backup;
mod lock;
mod owner;

use std::fs::{self, Permissions};
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use crate::error::InstallError;

pub use backup::{Backup, KEPT_BACKUPS, Stamp, backups, free_stamp, prune, save_backup};
pub use lock::{FolderLock, LOCK_WAIT};

/// More than any configuration has, in bytes.
pub const SIZE_LIMIT: u64 = 16 << 20;

/// A file as it is named, and where its bytes are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// As asked for; backups stand beside it.
    pub named: PathBuf,
    /// Behind all links: this is replaced, so that links stay.
    pub real: PathBuf,
    /// The mode of the file if it has to be made.
    pub new_mode: u32,
}

impl Target {
    /// Follows the links of `named`, also a last one that leads to nothing yet.
    pub fn new(named: &Path, new_mode: u32) -> Result<Target, InstallError> {
        let mut real = named.to_owned();
        for _ in 0..MAX_LINKS {
            match fs::read_link(&real) {
                Ok(link) => real = real.parent().unwrap_or(Path::new("")).join(link),
                Err(_) => {
                    let real = real_parent(&real);
                    return Ok(Target {
                        named: named.to_owned(),
                        real,
                        new_mode,
                    });
                }
            }
        }
        Err(InstallError::Io {
            action: "follow the links of",
            file: named.to_owned(),
            source: ErrorKind::TooManyLinks.into(),
        })
    }

    /// The folder that holds the bytes.
    pub fn folder(&self) -> &Path {
        self.real.parent().unwrap_or(Path::new("/"))
    }

    /// The bytes; none if there is no such file.
    pub fn read(&self) -> Result<Option<Vec<u8>>, InstallError> {
        // A pipe would block the open, and a device has no end.
        match fs::metadata(&self.real) {
            Ok(metadata) if !metadata.is_file() => {
                return Err(InstallError::NotAFile(self.named.clone()));
            }
            Ok(metadata) if metadata.len() > SIZE_LIMIT => {
                return Err(InstallError::TooLarge {
                    file: self.named.clone(),
                    limit: SIZE_LIMIT,
                });
            }
            Ok(_) => {}
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(InstallError::io("read", &self.named)(error)),
        }
        let mut bytes = Vec::new();
        let file = fs::File::open(&self.real).map_err(InstallError::io("open", &self.named))?;
        file.take(SIZE_LIMIT + 1)
            .read_to_end(&mut bytes)
            .map_err(InstallError::io("read", &self.named))?;
        Ok(Some(bytes))
    }

    /// Replaces the bytes by renaming a complete new file over the old one, which keeps its mode and
    /// owner. None removes the file.
    pub fn write(&self, bytes: Option<&[u8]>) -> Result<(), InstallError> {
        let Some(bytes) = bytes else {
            return match fs::remove_file(&self.real) {
                Err(error) if error.kind() != ErrorKind::NotFound => {
                    Err(InstallError::io("remove", &self.named)(error))
                }
                _ => Ok(()),
            };
        };
        let staged = self.stage(bytes)?;
        staged
            .persist(&self.real)
            .map_err(|error| InstallError::io("replace", &self.named)(error.error))?;
        sync_folder(self.folder());
        Ok(())
    }

    /// A complete file beside the real one, not yet under its name.
    fn stage(&self, bytes: &[u8]) -> Result<tempfile::NamedTempFile, InstallError> {
        let folder = self.folder();
        let mut staged = tempfile::Builder::new()
            .prefix(&format!(".{}{STAGED_INFIX}", self.file_name()))
            .suffix(STAGED_SUFFIX)
            .tempfile_in(folder)
            .map_err(InstallError::io("write into", folder))?;
        staged
            .write_all(bytes)
            .map_err(InstallError::io("write", staged.path()))?;
        match fs::metadata(&self.real) {
            Ok(old) => {
                owner::keep(staged.as_file(), &old)
                    .map_err(|_| InstallError::Owner(self.named.clone()))?;
                set_permissions(staged.as_file(), old.permissions())
            }
            Err(_) => {
                owner::like_folder(staged.as_file(), folder);
                set_mode(staged.as_file(), self.new_mode)
            }
        }
        .map_err(InstallError::io("set the mode of", staged.path()))?;
        staged
            .as_file()
            .sync_all()
            .map_err(InstallError::io("write", staged.path()))?;
        Ok(staged)
    }

    /// Removes what a killed installation left half-written. Call it under the lock of the folder.
    pub fn sweep(&self) {
        let prefix = format!(".{}{STAGED_INFIX}", self.file_name());
        let folders = [self.folder(), self.named.parent().unwrap_or(Path::new("/"))];
        for entry in folders
            .iter()
            .filter_map(|folder| fs::read_dir(folder).ok())
            .flatten()
            .flatten()
        {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            if name.starts_with(&prefix) && name.ends_with(STAGED_SUFFIX) {
                // What stays costs a few bytes and no more.
                let _ = fs::remove_file(entry.path());
            }
        }
    }

    fn file_name(&self) -> String {
        self.real
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned()
    }
}

/// As Linux has it.
const MAX_LINKS: usize = 40;
const STAGED_INFIX: &str = ".execution-guard-";
const STAGED_SUFFIX: &str = ".tmp";

/// `path` with the links of its folder followed, as far as that exists.
fn real_parent(path: &Path) -> PathBuf {
    for folder in path.ancestors().skip(1) {
        if let (Ok(real), Ok(rest)) = (fs::canonicalize(folder), path.strip_prefix(folder)) {
            return real.join(rest);
        }
    }
    path.to_owned()
}

fn set_permissions(file: &fs::File, permissions: Permissions) -> std::io::Result<()> {
    file.set_permissions(permissions)
}

#[cfg(unix)]
pub(crate) fn set_mode(file: &fs::File, mode: u32) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(Permissions::from_mode(mode))
}

#[cfg(not(unix))]
pub(crate) fn set_mode(_: &fs::File, _: u32) -> std::io::Result<()> {
    Ok(())
}

/// Makes a rename durable. Where folders can't be synced, the rename is still whole.
fn sync_folder(folder: &Path) {
    if let Ok(folder) = fs::File::open(folder) {
        let _ = folder.sync_all();
    }
}
