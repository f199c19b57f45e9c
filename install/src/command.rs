//! The command to register: one that works however a host runs it.
//!
//! Hosts run it by `sh -c` or `cmd /c` (blanks split it, quotes are needed) or directly (quotes are
//! part of the path); on Windows backslashes get lost. So it is an absolute path without anything that
//! one of them reads, by a link where the binary's own path has such characters.

use std::fs;
use std::path::{Path, PathBuf};

use crate::entry::NAME;
use crate::error::InstallError;

/// A registered command and what it stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Registered {
    /// What goes into `hooks.json`.
    pub command: String,
    /// The link to make, if the command is one.
    pub link: Option<PathBuf>,
}

/// The command for `binary`. Links are looked for, or can be made, in `link_folders`, in this order.
pub fn registered(binary: &Path, link_folders: &[PathBuf]) -> Result<Registered, InstallError> {
    if let Some(command) = plain(binary) {
        return Ok(Registered {
            command,
            link: None,
        });
    }
    let mut taken = None;
    for folder in link_folders {
        let link = folder.join(binary.file_name().unwrap_or(NAME.as_ref()));
        let Some(command) = plain(&link) else {
            continue;
        };
        match may_link(&link, binary) {
            Ok(true) => {
                return Ok(Registered {
                    command,
                    link: Some(link),
                });
            }
            Ok(false) => {}
            Err(error) => taken = taken.or(Some(error)),
        }
    }
    Err(taken.unwrap_or_else(|| InstallError::NoPlainPath(binary.to_owned())))
}

/// The path with forward slashes, if no shell and no host reads anything into it.
pub fn plain(path: &Path) -> Option<String> {
    let text = path.to_str()?;
    let text = if cfg!(windows) {
        text.trim_start_matches(r"\\?\").replace('\\', "/")
    } else {
        text.to_owned()
    };
    let ordinary = |char: char| {
        char.is_alphanumeric() || "/._-+@".contains(char) || (cfg!(windows) && char == ':')
    };
    (path.is_absolute() && text.chars().all(ordinary)).then_some(text)
}

/// Can `link` become a link to `binary`? False: its folder can't be written. An error: something
/// else stands there.
fn may_link(link: &Path, binary: &Path) -> Result<bool, InstallError> {
    if points_to(link, binary) {
        return Ok(true);
    }
    match fs::symlink_metadata(link) {
        // A link of ours to a place that is gone can be renewed; to another program it can't.
        Ok(metadata) if metadata.is_symlink() && !link.exists() => {}
        Ok(_) => return Err(InstallError::LinkTaken(link.to_owned())),
        Err(_) => {}
    }
    let folder = link.ancestors().skip(1).find(|folder| folder.is_dir());
    Ok(folder.is_some_and(|folder| tempfile::tempfile_in(folder).is_ok()))
}

fn points_to(link: &Path, binary: &Path) -> bool {
    let (Ok(link), Ok(binary)) = (fs::canonicalize(link), fs::canonicalize(binary)) else {
        return false;
    };
    link == binary
}

/// Makes the link, or renews it. It is replaced at once: a hook may be starting through it.
pub fn make_link(link: &Path, binary: &Path) -> Result<(), InstallError> {
    if points_to(link, binary) {
        return Ok(());
    }
    let folder = link.parent().unwrap_or(Path::new("/"));
    fs::create_dir_all(folder).map_err(InstallError::io("make", folder))?;
    let staging = tempfile::tempdir_in(folder).map_err(InstallError::io("write into", folder))?;
    let staged = staging.path().join(NAME);
    link_file(binary, &staged).map_err(InstallError::io("make a link in", folder))?;
    fs::rename(&staged, link).map_err(InstallError::io("make the link", link))
}

/// Removes `command`, which a registration of ours named, if it is a link that [`make_link`] made: one
/// to a path that can't be registered itself.
pub fn remove_link(command: &str) -> Option<PathBuf> {
    let link = Path::new(command);
    let target = fs::read_link(link).ok()?;
    let ours = link.is_absolute() && target.is_absolute() && plain(&target).is_none();
    (ours && fs::remove_file(link).is_ok()).then(|| link.to_owned())
}

#[cfg(unix)]
fn link_file(binary: &Path, link: &Path) -> std::io::Result<()> {
    std::os::unix::fs::symlink(binary, link)
}

/// Symbolic links need a privilege on Windows, hard links the same volume.
#[cfg(not(unix))]
fn link_file(binary: &Path, link: &Path) -> std::io::Result<()> {
    fs::hard_link(binary, link).or_else(|_| fs::copy(binary, link).map(|_| ()))
}
