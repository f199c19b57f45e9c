//! The folder by its handle: `openat` and its family.

use super::{Entry, seconds};
use crate::error::{Damage, FolderProblem};
use rustix::fs::{self, AtFlags, CWD, Mode, OFlags, Timespec, Timestamps, UTIME_NOW};
use rustix::io::Errno;
use std::fs::{DirBuilder, File};
use std::io;
use std::os::unix::fs::{DirBuilderExt, FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};

const FOLDER_MODE: u32 = 0o700;
const FILE_MODE: Mode = Mode::RUSR.union(Mode::WUSR);
const OTHERS_WRITE: u32 = 0o022;

/// Nothing below the folder is reached through a link, no open waits for the other end of a FIFO, no child inherits.
const SAFE: OFlags = OFlags::NOFOLLOW
    .union(OFlags::NONBLOCK)
    .union(OFlags::NOCTTY)
    .union(OFlags::CLOEXEC);

pub(crate) struct Folder {
    path: PathBuf,
    handle: File,
    remote: bool,
}

impl Folder {
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        // The folder itself may be reached through a link: a user may keep it on another disk. Its owner is checked.
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let handle = File::from(fs::openat(CWD, path, flags, Mode::empty())?);
        Ok(Self {
            path: path.to_owned(),
            handle,
            remote: false,
        })
    }

    pub(super) fn create(path: &Path) -> io::Result<()> {
        DirBuilder::new()
            .recursive(true)
            .mode(FOLDER_MODE)
            .create(path)
    }

    /// Why the folder can't be trusted, if so; and finds out whether it is remote.
    pub(super) fn problem(&mut self) -> io::Result<Option<FolderProblem>> {
        let about = self.handle.metadata()?;
        let user = rustix::process::geteuid().as_raw();
        if about.uid() != user {
            let owner = about.uid();
            return Ok(Some(FolderProblem::OtherOwner { owner, user }));
        }
        if about.mode() & OTHERS_WRITE != 0 {
            let mode = about.mode() & 0o7777;
            return Ok(Some(FolderProblem::OthersCanWrite { mode }));
        }
        self.remote = remote(&self.handle, about.dev())?;
        Ok(None)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Whether the folder is on another machine, so that a lock in it may wait for ever and can't be given up.
    pub(crate) fn is_remote(&self) -> bool {
        self.remote
    }

    pub(crate) fn open_lock(&self, name: &str) -> io::Result<File> {
        let flags = OFlags::RDWR | OFlags::CREATE | SAFE;
        Ok(File::from(fs::openat(
            &self.handle,
            name,
            flags,
            FILE_MODE,
        )?))
    }

    pub(crate) fn open_state(&self, name: &str) -> io::Result<Entry> {
        let file = match fs::openat(&self.handle, name, OFlags::RDONLY | SAFE, Mode::empty()) {
            Ok(file) => File::from(file),
            Err(Errno::NOENT) => return Ok(Entry::Missing),
            Err(Errno::LOOP | Errno::MLINK) => return Ok(Entry::Odd(Damage::NotAFile("a link"))),
            Err(Errno::NXIO | Errno::OPNOTSUPP) => {
                return Ok(Entry::Odd(Damage::NotAFile("a socket")));
            }
            Err(Errno::ACCESS | Errno::PERM) => return Ok(Entry::Odd(Damage::Unreadable)),
            Err(error) => return Err(error.into()),
        };
        let about = file.metadata()?;
        let kind = about.file_type();
        Ok(match () {
            () if kind.is_file() => Entry::File {
                size: about.len(),
                modified: about.modified().map_or(0, seconds),
                file,
            },
            () if kind.is_dir() => Entry::Odd(Damage::NotAFile("a folder")),
            () if kind.is_fifo() => Entry::Odd(Damage::NotAFile("a FIFO")),
            () => Entry::Odd(Damage::NotAFile("a device")),
        })
    }

    pub(crate) fn create_new(&self, name: &str) -> io::Result<File> {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | SAFE;
        Ok(File::from(fs::openat(
            &self.handle,
            name,
            flags,
            FILE_MODE,
        )?))
    }

    pub(crate) fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        Ok(fs::renameat(&self.handle, from, &self.handle, to)?)
    }

    /// Puts the new file `from` in the place of `to`, in one step.
    ///
    /// ext4 starts writing a file to the disk when it is renamed over another (`auto_da_alloc`, ext4(5)), for the good of
    /// programs that don't sync: 0.13 ms on an idle disk, a millisecond on a busy one, of an update's 0.02. An exchange, which does
    /// not, and the removal of the old file do the same without it.
    pub(crate) fn replace(&self, from: &str, to: &str) -> io::Result<()> {
        if cfg!(any(target_os = "linux", target_os = "android")) && self.exchange(from, to) {
            // The new file is in place. An old one that stays is a left-over like a dead process's.
            let _ = self.remove(from);
            return Ok(());
        }
        self.rename(from, to)
    }

    /// Exchanges two entries in one step; `false` if it was not done, where the file system can't, say.
    pub(crate) fn exchange(&self, one: &str, other: &str) -> bool {
        #[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
        {
            let flags = fs::RenameFlags::EXCHANGE;
            fs::renameat_with(&self.handle, one, &self.handle, other, flags).is_ok()
        }
        #[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
        {
            let _ = (one, other);
            false
        }
    }

    pub(crate) fn remove(&self, name: &str) -> io::Result<()> {
        Ok(fs::unlinkat(&self.handle, name, AtFlags::empty())?)
    }

    pub(crate) fn exists(&self, name: &str) -> bool {
        self.modified(name).is_ok()
    }

    /// When the entry was last modified, in seconds since 1970.
    pub(crate) fn modified(&self, name: &str) -> io::Result<i64> {
        Ok(fs::statat(&self.handle, name, AtFlags::SYMLINK_NOFOLLOW)?.st_mtime)
    }

    /// Makes the entry one that was modified just now.
    pub(crate) fn touch(&self, name: &str) -> io::Result<()> {
        let now = Timespec {
            tv_sec: 0,
            tv_nsec: UTIME_NOW,
        };
        let times = Timestamps {
            last_access: now,
            last_modification: now,
        };
        Ok(fs::utimensat(
            &self.handle,
            name,
            &times,
            AtFlags::SYMLINK_NOFOLLOW,
        )?)
    }

    /// The names in the folder, those that are UTF-8: ours are.
    pub(crate) fn names(&self) -> io::Result<impl Iterator<Item = String>> {
        let entries = fs::Dir::read_from(&self.handle)?;
        Ok(entries
            .map_while(Result::ok)
            .filter_map(|entry| entry.file_name().to_str().ok().map(str::to_owned)))
    }
}

/// Whether the file system of `handle` is on another machine.
#[cfg(any(target_os = "linux", target_os = "android"))]
fn remote(handle: &File, device: u64) -> io::Result<bool> {
    // A device with a major number is a disk of this machine; only the numbers without one, which network, memory
    // and layered file systems have, need the question.
    if rustix::fs::major(device) != 0 {
        return Ok(false);
    }
    Ok(is_network(fs::fstatfs(handle)?.f_type))
}

#[cfg(target_vendor = "apple")]
fn remote(handle: &File, _device: u64) -> io::Result<bool> {
    /// `MNT_LOCAL` of `<sys/mount.h>`: stored on this machine.
    const MNT_LOCAL: u32 = 0x1000;
    Ok(fs::fstatfs(handle)?.f_flags & MNT_LOCAL == 0)
}

#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
fn remote(_handle: &File, _device: u64) -> io::Result<bool> {
    Ok(false)
}

/// Whether `f_type` of statfs(2) is a file system whose locks are kept by another machine. The numbers are from
/// `<linux/magic.h>` and statfs(2), Lustre's and GPFS's from coreutils' list.
///
/// FUSE and 9p are not among them: the kernel keeps their locks itself unless the server asks for them, and sandboxes
/// and virtual machines use them for what are local disks.
#[cfg(any(target_os = "linux", target_os = "android"))]
fn is_network(kind: fs::FsWord) -> bool {
    const NETWORK: &[u32] = &[
        0x6969,      // NFS
        0x517B,      // SMB
        0xFF53_4D42, // CIFS
        0xFE53_4D42, // SMB2
        0x5346_414F, // AFS
        0x6B41_4653, // kAFS
        0x7375_7245, // Coda
        0x564C,      // NCP
        0x00C3_6400, // Ceph
        0x0BD0_0BD0, // Lustre
        0x4750_4653, // GPFS
        0x6163_6673, // ACFS
    ];
    // The word is signed, and on 32-bit systems the high numbers are negative.
    NETWORK
        .iter()
        .any(|known| i128::from(kind) & 0xFFFF_FFFF == i128::from(*known))
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::is_network;

    #[test]
    fn network_file_systems_are_told_from_local_ones() {
        for kind in [0x6969, 0xFF53_4D42, 0xFE53_4D42, 0x00C3_6400] {
            assert!(is_network(kind), "{kind:#x}");
        }
        // ext4, XFS, Btrfs, tmpfs, overlay, ZFS, FUSE, 9p
        for kind in [
            0xEF53,
            0x5846_5342,
            0x9123_683E,
            0x0102_1994,
            0x794C_7630,
            0x2FC1_2FC1,
            0x6573_5546,
            0x0102_1997,
        ] {
            assert!(!is_network(kind), "{kind:#x}");
        }
    }
}
