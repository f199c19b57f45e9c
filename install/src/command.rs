//! The command to register: one that works however a host runs it.
//!
//! Hosts run it by `sh -c` or `cmd /c` (blanks split it, quotes are needed) or directly (quotes are
//! part of the path); on Windows backslashes get lost. So it is an absolute path without anything that
//! one of them reads, by a link where the hook's own path has such characters.

use std::fs;
use std::path::{Path, PathBuf};

use crate::entry::{COMMANDS, NAME};
use crate::error::InstallError;
use crate::rtk::is_program;
use crate::setup::Setup;

/// A registered command and what it stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Registered {
    /// What goes into `hooks.json`.
    pub command: String,
    /// The links to make, if the command is one: it and its commands beside it. Not every system tells a
    /// program where a link to it leads, so each folder with a hook has the commands too.
    pub links: Vec<Link>,
}

/// A link to one of our programs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// The link.
    pub path: PathBuf,
    /// Where it leads.
    pub program: PathBuf,
}

/// The command for the hook of `setup`.
pub fn registered(setup: &Setup) -> Result<Registered, InstallError> {
    if let Some(command) = plain(&setup.binary) {
        return Ok(Registered {
            command,
            links: Vec::new(),
        });
    }
    let mut taken = None;
    for folder in &setup.link_folders {
        // The hook last: it is never there without its commands.
        let links = [&setup.commands, &setup.binary].map(|program| Link {
            path: folder.join(program.file_name().unwrap_or(NAME.as_ref())),
            program: program.clone(),
        });
        let Some(command) = plain(&links[1].path) else {
            continue;
        };
        match links.iter().map(may_link).collect::<Result<Vec<_>, _>>() {
            Ok(possible) if possible.iter().all(|possible| *possible) => {
                return Ok(Registered {
                    command,
                    links: links.to_vec(),
                });
            }
            Ok(_) => {}
            Err(error) => taken = taken.or(Some(error)),
        }
    }
    Err(taken.unwrap_or_else(|| InstallError::NoPlainPath(setup.binary.clone())))
}

/// The folder of `command` has the commands too, by its own name or behind a link.
pub fn has_commands(command: &Path) -> bool {
    let beside = |hook: &Path| is_program(&hook.with_file_name(file_name(COMMANDS)));
    beside(command) || fs::canonicalize(command).is_ok_and(|hook| beside(&hook))
}

fn file_name(program: &str) -> String {
    format!("{program}{}", std::env::consts::EXE_SUFFIX)
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

/// Can the link be made? False: its folder can't be written. An error: something else stands there.
fn may_link(link: &Link) -> Result<bool, InstallError> {
    if link.is_there() {
        return Ok(true);
    }
    let link = &link.path;
    match fs::symlink_metadata(link) {
        // A link of ours to a place that is gone can be renewed; to another program it can't.
        Ok(metadata) if metadata.is_symlink() && !link.exists() => {}
        Ok(_) => return Err(InstallError::LinkTaken(link.clone())),
        Err(_) => {}
    }
    let folder = link.ancestors().skip(1).find(|folder| folder.is_dir());
    Ok(folder.is_some_and(|folder| tempfile::tempfile_in(folder).is_ok()))
}

impl Link {
    fn is_there(&self) -> bool {
        let (Ok(link), Ok(program)) = (
            fs::canonicalize(&self.path),
            fs::canonicalize(&self.program),
        ) else {
            return false;
        };
        link == program
    }

    /// Makes the link, or renews it. It is replaced at once: a hook may be starting through it.
    pub fn make(&self) -> Result<(), InstallError> {
        if self.is_there() {
            return Ok(());
        }
        let folder = self.path.parent().unwrap_or(Path::new("/"));
        fs::create_dir_all(folder).map_err(InstallError::io("make", folder))?;
        let staging =
            tempfile::tempdir_in(folder).map_err(InstallError::io("write into", folder))?;
        let staged = staging.path().join(NAME);
        link_file(&self.program, &staged).map_err(InstallError::io("make a link in", folder))?;
        fs::rename(&staged, &self.path).map_err(InstallError::io("make the link", &self.path))
    }
}

/// Removes `command`, which a registration of ours named, and the link to the commands beside it, if
/// they are links that [`Link::make`] made.
pub fn remove_links(command: &str) -> Vec<PathBuf> {
    let hook = Path::new(command);
    if !hook.is_absolute() || !is_ours(hook) {
        return Vec::new();
    }
    let links = [hook.to_owned(), hook.with_file_name(file_name(COMMANDS))];
    links
        .into_iter()
        .filter(|link| is_ours(link) && fs::remove_file(link).is_ok())
        .collect()
}

/// Ours lead to a path that can't be registered itself.
fn is_ours(link: &Path) -> bool {
    fs::read_link(link).is_ok_and(|target| target.is_absolute() && plain(&target).is_none())
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
