//! Reading the file, for every call: it must neither wait for another process nor be without end.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::Path;

/// The most that is read, in bytes. All keys with a long list take some KB.
const MOST: u64 = 1 << 20;

/// The bytes of the configuration file at `path`. A link is followed: users keep such files elsewhere.
///
/// # Errors
/// It is missing, can't be read, is no plain file, or has more than 1 MiB.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    let file = open(path)?;
    let about = file.metadata()?;
    if !about.is_file() {
        return Err(io::Error::new(
            ErrorKind::InvalidInput,
            "it is no plain file",
        ));
    }
    if about.len() > MOST {
        return Err(io::Error::new(
            ErrorKind::FileTooLarge,
            "it has more than 1 MiB",
        ));
    }
    let mut bytes = Vec::with_capacity(usize::try_from(about.len()).map_or(0, |length| length + 1));
    file.take(MOST).read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(unix)]
fn open(path: &Path) -> io::Result<File> {
    use rustix::fs::{Mode, OFlags, open};
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    Ok(File::from(open(path, flags, Mode::empty())?))
}

#[cfg(not(unix))]
fn open(path: &Path) -> io::Result<File> {
    File::open(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_whole_and_one_without_reason_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("config.json");
        assert_eq!(read(&path).unwrap_err().kind(), ErrorKind::NotFound);
        std::fs::write(&path, "{}").unwrap();
        assert_eq!(read(&path).unwrap(), b"{}");
        std::fs::write(&path, vec![b' '; (1 << 20) + 1]).unwrap();
        assert_eq!(read(&path).unwrap_err().kind(), ErrorKind::FileTooLarge);
        assert!(read(folder.path()).is_err());
    }
}
