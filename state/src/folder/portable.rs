//! The folder by its path, with what the standard library has.

use super::{Entry, seconds};
use crate::error::{Damage, FolderProblem};
use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

pub(crate) struct Folder {
    path: PathBuf,
}

impl Folder {
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        if !fs::metadata(path)?.is_dir() {
            return Err(io::ErrorKind::NotADirectory.into());
        }
        Ok(Self {
            path: path.to_owned(),
        })
    }

    pub(super) fn create(path: &Path) -> io::Result<()> {
        fs::create_dir_all(path)
    }

    pub(super) fn problem(&mut self) -> io::Result<Option<FolderProblem>> {
        Ok(None)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// `LockFileEx` on a network share is the server's, and the wait for it is bounded like any other.
    pub(crate) fn is_remote(&self) -> bool {
        false
    }

    pub(crate) fn open_lock(&self, name: &str) -> io::Result<File> {
        self.refuse_links(name)?;
        OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(self.path.join(name))
    }

    pub(crate) fn open_state(&self, name: &str) -> io::Result<Entry> {
        let path = self.path.join(name);
        let about = match fs::symlink_metadata(&path) {
            Ok(about) => about,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Entry::Missing),
            Err(error) => return Err(error),
        };
        if about.is_symlink() {
            return Ok(Entry::Odd(Damage::NotAFile("a link")));
        }
        if about.is_dir() {
            return Ok(Entry::Odd(Damage::NotAFile("a folder")));
        }
        match File::open(&path) {
            Ok(file) => Ok(Entry::File {
                size: about.len(),
                modified: about.modified().map_or(0, seconds),
                file,
            }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Entry::Missing),
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
                Ok(Entry::Odd(Damage::Unreadable))
            }
            Err(error) => Err(error),
        }
    }

    pub(crate) fn create_new(&self, name: &str) -> io::Result<File> {
        OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(self.path.join(name))
    }

    pub(crate) fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        fs::rename(self.path.join(from), self.path.join(to))
    }

    /// Puts the new file `from` in the place of `to`, in one step.
    pub(crate) fn replace(&self, from: &str, to: &str) -> io::Result<()> {
        self.rename(from, to)
    }

    pub(crate) fn exchange(&self, _one: &str, _other: &str) -> bool {
        false
    }

    pub(crate) fn remove(&self, name: &str) -> io::Result<()> {
        fs::remove_file(self.path.join(name))
    }

    pub(crate) fn exists(&self, name: &str) -> bool {
        fs::symlink_metadata(self.path.join(name)).is_ok()
    }

    pub(crate) fn modified(&self, name: &str) -> io::Result<i64> {
        fs::symlink_metadata(self.path.join(name))?
            .modified()
            .map(seconds)
    }

    pub(crate) fn touch(&self, name: &str) -> io::Result<()> {
        self.refuse_links(name)?;
        let file = OpenOptions::new().write(true).open(self.path.join(name))?;
        file.set_modified(SystemTime::now())
    }

    pub(crate) fn names(&self) -> io::Result<impl Iterator<Item = String>> {
        Ok(fs::read_dir(&self.path)?
            .map_while(Result::ok)
            .filter_map(|entry| entry.file_name().into_string().ok()))
    }

    fn refuse_links(&self, name: &str) -> io::Result<()> {
        match fs::symlink_metadata(self.path.join(name)) {
            Ok(about) if about.is_symlink() => Err(io::Error::other("it is a link")),
            _ => Ok(()),
        }
    }
}
