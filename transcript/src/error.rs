//! What can be wrong with a transcript file.

use std::io;
use std::path::PathBuf;

/// Why a transcript's facts can't be had. Each names the file and what to do.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TranscriptError {
    /// Nothing has this name.
    #[error(
        "there is no transcript {path}; check the conversation id, or wait for the conversation's first step"
    )]
    Missing {
        /// The file.
        path: PathBuf,
    },
    /// The name is a folder, a pipe, a socket or a device.
    #[error(
        "the transcript {path} is {found}, not a regular file; move it away so that the host can write its own"
    )]
    NotAFile {
        /// The file.
        path: PathBuf,
        /// What it is instead.
        found: &'static str,
    },
    /// The name is a symbolic link; the host writes none, so someone else put it there.
    #[error(
        "the transcript {path} is a symbolic link, which the host never writes; remove it, or name the file it points to"
    )]
    Link {
        /// The file.
        path: PathBuf,
    },
    /// It exists and can't be opened.
    #[error(
        "the transcript {path} can't be opened ({source}); make it readable for this user (chmod u+r)"
    )]
    Open {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// It was opened and a read failed.
    #[error("the transcript {path} can't be read ({source}); check the disk or mount it lies on")]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}
