//! The machine as the rule sees it, on a scratch folder of this disk.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use guard_rtk::rewrite::{FileKind, Machine, is_on_path, kind_seen_from};

pub struct Disk {
    pub folder: PathBuf,
    pub path: OsString,
    pub home: PathBuf,
}

impl Machine for Disk {
    fn kind(&self, path: &Path) -> FileKind {
        kind_seen_from(&self.folder, path)
    }

    fn has_program(&self, name: &str) -> bool {
        is_on_path(name, &self.path)
    }

    fn home(&self) -> Option<&Path> {
        Some(&self.home)
    }
}
