//! The programs, placed as the installer places them.

use std::fs;
use std::path::{Path, PathBuf};

/// Copies of what was built, each written in one piece. How the page cache holds a program, in small pages or in large
/// ones, shifts the time of a call by a tenth to a fifth: after a linker or `cp` that is luck, and a ratio of two programs
/// that were placed by luck is no measure of either.
pub struct Programs {
    /// The guard as it was built.
    pub built: PathBuf,
    pub guard: PathBuf,
    /// Does nothing.
    pub empty: PathBuf,
    /// Replaces a small file under a lock, as a call that is counted must.
    pub replace_file: PathBuf,
    _folder: tempfile::TempDir,
}

impl Programs {
    /// Copies that go when this is dropped, on the disk that has the originals.
    pub fn place(guard: PathBuf, empty: PathBuf, replace_file: PathBuf) -> Self {
        let folder = tempfile::tempdir_in(guard.parent().unwrap()).unwrap();
        let copy = |program: &Path| {
            let copy = folder.path().join(program.file_name().unwrap());
            write(program, &copy);
            copy
        };
        Self {
            guard: copy(&guard),
            empty: copy(&empty),
            replace_file: copy(&replace_file),
            built: guard,
            _folder: folder,
        }
    }

    /// The guard and `floor` written again: the kernel splits large pages when it is short of memory.
    pub fn place_again(&self, floor: &Path) {
        for copy in [&*self.guard, floor] {
            let fresh = copy.with_extension("fresh");
            write(copy, &fresh);
            fs::rename(fresh, copy).unwrap();
        }
    }
}

fn write(program: &Path, copy: &Path) {
    fs::write(copy, fs::read(program).unwrap()).unwrap();
    fs::set_permissions(copy, fs::metadata(program).unwrap().permissions()).unwrap();
}
