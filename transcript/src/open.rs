//! Opening a transcript without ever waiting for another process.

use crate::error::TranscriptError;
use std::fs::{File, FileType, Metadata};
use std::io;
use std::path::Path;

/// Opens a transcript for reading and returns it with its size in bytes.
///
/// A folder, a pipe, a socket, a device or a link as the last part of the path is an error, and none
/// of them can block: they are told from a file before the opening, and, since the name can change in between,
/// the opening itself neither waits for a pipe's writer nor follows a link, and the opened thing is looked at again.
///
/// # Errors
/// [`TranscriptError`], with the file and the remedy.
pub fn open(path: &Path) -> Result<(File, u64), TranscriptError> {
    let at = || path.to_path_buf();
    let failed = |source: io::Error| match source.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => {
            TranscriptError::Missing { path: at() }
        }
        _ => TranscriptError::Open { path: at(), source },
    };
    let named = std::fs::symlink_metadata(path).map_err(failed)?;
    regular(path, &named)?;
    let file = open_now(path).map_err(failed)?;
    let opened = file.metadata().map_err(failed)?;
    regular(path, &opened)?;
    Ok((file, opened.len()))
}

fn regular(path: &Path, found: &Metadata) -> Result<(), TranscriptError> {
    let kind = found.file_type();
    if kind.is_file() {
        return Ok(());
    }
    let path = path.to_path_buf();
    if kind.is_symlink() {
        return Err(TranscriptError::Link { path });
    }
    let found = name_of(kind);
    Err(TranscriptError::NotAFile { path, found })
}

#[cfg(unix)]
fn name_of(kind: FileType) -> &'static str {
    use std::os::unix::fs::FileTypeExt;
    if kind.is_dir() {
        "a folder"
    } else if kind.is_fifo() {
        "a pipe"
    } else if kind.is_socket() {
        "a socket"
    } else {
        "a device"
    }
}

#[cfg(not(unix))]
fn name_of(kind: FileType) -> &'static str {
    if kind.is_dir() {
        "a folder"
    } else {
        "a device"
    }
}

#[cfg(unix)]
fn open_now(path: &Path) -> io::Result<File> {
    use rustix::fs::{Mode, OFlags};
    let flags =
        OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::NOCTTY;
    Ok(File::from(rustix::fs::open(path, flags, Mode::empty())?))
}

#[cfg(not(unix))]
fn open_now(path: &Path) -> io::Result<File> {
    File::open(path)
}
