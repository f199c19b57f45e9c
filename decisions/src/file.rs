//! The file: where it is, and how it is opened so that nothing else can be meant.

use std::fs::File;
#[cfg(not(unix))]
use std::{io, path::Path};

/// The file in the state folder that lines are appended to.
pub const NAME: &str = "decisions.jsonl";

/// What it becomes when it is full.
pub const OLD_NAME: &str = "decisions.jsonl.1";

/// The size at which the log starts a new file, in bytes: some 20,000 decisions. Two files are kept.
pub const MAX_BYTES: u64 = 4 << 20;

/// The log, opened.
pub(crate) struct Opened {
    pub(crate) file: File,
    pub(crate) size: u64,
    /// When it was opened, in milliseconds since 1970.
    pub(crate) millis: u64,
    #[cfg(unix)]
    identity: (u64, u64),
}

#[cfg(unix)]
pub(crate) use unix::{create_folder, open_to_append, open_to_read, processor_micros};

#[cfg(unix)]
mod unix {
    use std::fs::{DirBuilder, File, Metadata};
    use std::io;
    use std::os::unix::fs::{DirBuilderExt, MetadataExt};
    use std::path::Path;

    use rustix::fs::{Mode, OFlags, Timespec, Timestamps, UTIME_NOW};
    use rustix::io::Errno;
    use rustix::time::{ClockId, clock_gettime};

    use super::Opened;

    /// No link is followed, no open waits for the other end of a FIFO, no terminal becomes this process's.
    const SAFE: OFlags = OFlags::NOFOLLOW
        .union(OFlags::NONBLOCK)
        .union(OFlags::NOCTTY)
        .union(OFlags::CLOEXEC);
    const MODE: Mode = Mode::RUSR.union(Mode::WUSR);

    /// The log to be appended to, made if it is missing; `None` if it is no file of this user's own.
    pub(crate) fn open_to_append(path: &Path) -> io::Result<Option<Opened>> {
        let flags = OFlags::WRONLY | OFlags::APPEND | OFlags::CREATE | SAFE;
        let Some(file) = open(path, flags, MODE)? else {
            return Ok(None);
        };
        // Nothing else is touched.
        if !is_ours(&file.metadata()?) {
            return Ok(None);
        }
        touch(&file);
        opened(file)
    }

    /// `None` for what `flags` refuse: a link, a FIFO that nobody reads, a folder to be written.
    fn open(path: &Path, flags: OFlags, mode: Mode) -> io::Result<Option<File>> {
        match rustix::fs::open(path, flags, mode) {
            Err(Errno::LOOP | Errno::NXIO | Errno::ISDIR) => Ok(None),
            opened => Ok(Some(opened?.into())),
        }
    }

    /// Has the kernel write the time into the file, where the look at its size then finds it. The clock itself would cost
    /// twice: the two pages that the first look at it touches.
    fn touch(file: &File) {
        let now = Timespec {
            tv_sec: 0,
            tv_nsec: UTIME_NOW,
        };
        let times = Timestamps {
            last_access: now,
            last_modification: now,
        };
        // Who may write the file may touch it.
        let _ = rustix::fs::futimens(file, &times);
    }

    /// The processor time of this process since its birth.
    pub(crate) fn processor_micros() -> Option<u64> {
        let spent = clock_gettime(ClockId::ProcessCPUTime);
        let whole = |number| u64::try_from(number).unwrap_or(0);
        Some(whole(spent.tv_sec) * 1_000_000 + whole(spent.tv_nsec) / 1000)
    }

    /// The log to be read.
    pub(crate) fn open_to_read(path: &Path) -> io::Result<Option<Opened>> {
        match open(path, OFlags::RDONLY | SAFE, Mode::empty())? {
            Some(file) => opened(file),
            None => Ok(None),
        }
    }

    /// A name of the file elsewhere would be written too, so there must be only this one.
    fn is_ours(about: &Metadata) -> bool {
        about.is_file() && about.uid() == rustix::process::geteuid().as_raw() && about.nlink() <= 1
    }

    fn opened(file: File) -> io::Result<Option<Opened>> {
        let about = file.metadata()?;
        Ok(is_ours(&about).then(|| Opened {
            size: about.len(),
            millis: millis(&about),
            identity: (about.dev(), about.ino()),
            file,
        }))
    }

    fn millis(about: &Metadata) -> u64 {
        let whole = |number| u64::try_from(number).unwrap_or(0);
        whole(about.mtime()) * 1000 + whole(about.mtime_nsec()) / 1_000_000
    }

    impl Opened {
        /// Whether `path` still names this very file.
        pub(crate) fn is_at(&self, path: &Path) -> bool {
            let about = path.symlink_metadata();
            about.is_ok_and(|about| (about.dev(), about.ino()) == self.identity)
        }

        /// Whether both are the same file.
        pub(crate) fn is(&self, other: &Self) -> bool {
            self.identity == other.identity
        }
    }

    pub(crate) fn create_folder(folder: &Path) -> io::Result<()> {
        DirBuilder::new().recursive(true).mode(0o700).create(folder)
    }
}

#[cfg(not(unix))]
pub(crate) fn open_to_append(path: &Path) -> io::Result<Option<Opened>> {
    // Windows locks no file that is open for appending alone.
    opened(
        path,
        std::fs::OpenOptions::new()
            .read(true)
            .append(true)
            .create(true),
    )
}

#[cfg(not(unix))]
pub(crate) fn open_to_read(path: &Path) -> io::Result<Option<Opened>> {
    opened(path, std::fs::OpenOptions::new().read(true))
}

#[cfg(not(unix))]
fn opened(path: &Path, options: &std::fs::OpenOptions) -> io::Result<Option<Opened>> {
    if path.symlink_metadata().is_ok_and(|about| !about.is_file()) {
        return Ok(None);
    }
    let file = options.open(path)?;
    let size = file.metadata()?.len();
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    let millis = since.map_or(0, |since| u64::try_from(since.as_millis()).unwrap_or(0));
    Ok(Some(Opened { file, size, millis }))
}

#[cfg(not(unix))]
pub(crate) fn processor_micros() -> Option<u64> {
    None
}

#[cfg(not(unix))]
pub(crate) fn create_folder(folder: &Path) -> io::Result<()> {
    std::fs::create_dir_all(folder)
}

#[cfg(not(unix))]
impl Opened {
    /// Whether `path` still names this very file, as far as its size tells: a new one is small.
    pub(crate) fn is_at(&self, path: &Path) -> bool {
        let about = path.symlink_metadata();
        about.is_ok_and(|about| about.len() >= self.size)
    }

    /// Whether both are the same file, which nothing tells here.
    pub(crate) fn is(&self, _other: &Self) -> bool {
        false
    }
}
