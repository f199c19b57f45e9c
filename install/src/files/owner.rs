//! The owner of a replaced file.

use std::fs::{File, Metadata};
use std::io;
use std::path::Path;

/// Gives `file` the owner and group of the file that it will replace.
#[cfg(unix)]
pub fn keep(file: &File, old: &Metadata) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, fchown};
    let new = file.metadata()?;
    if (new.uid(), new.gid()) == (old.uid(), old.gid()) {
        return Ok(());
    }
    fchown(file, Some(old.uid()), Some(old.gid()))
}

/// Gives a new file the owner of its folder where that is allowed: under `sudo`, a file in a user's
/// home should be that user's.
#[cfg(unix)]
pub fn like_folder(file: &File, folder: &Path) {
    use std::os::unix::fs::{MetadataExt, fchown};
    let (Ok(new), Ok(folder)) = (file.metadata(), folder.metadata()) else {
        return;
    };
    if new.uid() != folder.uid() {
        let _ = fchown(file, Some(folder.uid()), Some(folder.gid()));
    }
}

/// Windows: a new file inherits from its folder.
#[cfg(not(unix))]
pub fn keep(_: &File, _: &Metadata) -> io::Result<()> {
    Ok(())
}

/// Windows: a new file inherits from its folder.
#[cfg(not(unix))]
pub fn like_folder(_: &File, _: &Path) {}
