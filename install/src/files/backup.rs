//! Backups beside the file: `hooks.json.20260102T030405.678901Z.bak`.

use std::fs;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use chrono::{DateTime, NaiveDateTime, TimeDelta, Utc};

use super::{STAGED_INFIX, STAGED_SUFFIX, Target, set_mode, sync_folder};
use crate::error::InstallError;

/// How many backups of ours stay beside a file: the oldest, and the newest others.
pub const KEPT_BACKUPS: usize = 10;

/// The time of an operation. All its backups carry it. Sortable, and without a colon, which Windows
/// does not have in file names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Stamp(NaiveDateTime);

const FORMAT: &str = "%Y%m%dT%H%M%S%.6fZ";

impl Stamp {
    /// `now`, to the microsecond.
    pub fn new(now: DateTime<Utc>) -> Stamp {
        // Through the text, so that a stamp and its file name say the same.
        Stamp::parse(&now.format(FORMAT).to_string()).unwrap_or(Stamp(now.naive_utc()))
    }

    fn next(self) -> Stamp {
        Stamp(self.0 + TimeDelta::microseconds(1))
    }

    fn parse(text: &str) -> Option<Stamp> {
        let stamp = Stamp(NaiveDateTime::parse_from_str(text, FORMAT).ok()?);
        (stamp.to_string() == text).then_some(stamp)
    }
}

impl std::fmt::Display for Stamp {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}", self.0.format(FORMAT))
    }
}

/// A backup of ours.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Backup {
    /// Where it is.
    pub path: PathBuf,
    /// When it was made.
    pub stamp: Stamp,
}

/// The backups of ours beside `named`, oldest first. Other `.bak` files are not ours.
pub fn backups(named: &Path) -> Vec<Backup> {
    let (Some(folder), Some(name)) = (named.parent(), named.file_name()) else {
        return Vec::new();
    };
    let prefix = format!("{}.", name.to_string_lossy());
    let mut found: Vec<Backup> = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            let stamp = Stamp::parse(name.strip_prefix(&prefix)?.strip_suffix(".bak")?)?;
            entry.file_type().ok()?.is_file().then(|| Backup {
                path: entry.path(),
                stamp,
            })
        })
        .collect();
    found.sort_by_key(|backup| backup.stamp);
    found
}

/// A stamp, not before `from`, under which none of `targets` has a backup.
pub fn free_stamp<'a>(from: Stamp, targets: impl Iterator<Item = &'a Target> + Clone) -> Stamp {
    let mut stamp = from;
    while targets
        .clone()
        .any(|target| fs::symlink_metadata(path(&target.named, stamp)).is_ok())
    {
        stamp = stamp.next();
    }
    stamp
}

fn path(named: &Path, stamp: Stamp) -> PathBuf {
    let mut name = named.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{stamp}.bak"));
    named.with_file_name(name)
}

/// Writes `bytes` as a backup of `target` with its mode. It appears whole or not at all, and never
/// over another file: none if there is one of that name.
pub fn save_backup(
    target: &Target,
    bytes: &[u8],
    stamp: Stamp,
) -> Result<Option<PathBuf>, InstallError> {
    let path = path(&target.named, stamp);
    let folder = path.parent().unwrap_or(Path::new("/"));
    let name = target
        .named
        .file_name()
        .unwrap_or_default()
        .to_string_lossy();
    let mut staged = tempfile::Builder::new()
        .prefix(&format!(".{name}{STAGED_INFIX}"))
        .suffix(STAGED_SUFFIX)
        .tempfile_in(folder)
        .map_err(InstallError::io("write a backup into", folder))?;
    let write = |staged: &mut tempfile::NamedTempFile| {
        staged.write_all(bytes)?;
        match fs::metadata(&target.real) {
            Ok(old) => {
                // A backup of another user's file is still a backup.
                let _ = super::owner::keep(staged.as_file(), &old);
                staged.as_file().set_permissions(old.permissions())?;
            }
            Err(_) => set_mode(staged.as_file(), target.new_mode)?,
        }
        staged.as_file().sync_all()
    };
    write(&mut staged).map_err(InstallError::io("write the backup", &path))?;
    match staged.persist_noclobber(&path) {
        Ok(_) => {
            sync_folder(folder);
            Ok(Some(path))
        }
        Err(error) if error.error.kind() == ErrorKind::AlreadyExists => Ok(None),
        Err(error) => Err(InstallError::io("write the backup", &path)(error.error)),
    }
}

/// Removes backups of ours beside `named` until [`KEPT_BACKUPS`] are left. The oldest stays: it is
/// what the user had before us.
pub fn prune(named: &Path) {
    let found = backups(named);
    let surplus = found.len().saturating_sub(KEPT_BACKUPS);
    for backup in found.iter().skip(1).take(surplus) {
        // One too many harms nobody.
        let _ = fs::remove_file(&backup.path);
    }
}
