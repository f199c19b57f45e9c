//! Appending a line, and the change to a new file.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use crate::entry::{Entry, LONGEST_LINE, line};
use crate::file::{self, MAX_BYTES, NAME, OLD_NAME, Opened, processor_micros};

/// How far the file may grow beyond [`MAX_BYTES`] where it can't be renamed, in bytes: those who append while another
/// renames, and no more.
const GRACE: u64 = 64 * 1024;

/// Why a line was not logged. No reason to tell an agent; `execution-guard status` tells the user.
#[derive(Debug, thiserror::Error)]
pub enum AppendError {
    /// The log can't be opened or written.
    #[error("can't be opened or written: {0}")]
    Io(#[from] io::Error),
    /// What stands in its place is no file of this user's own, or has a second name.
    #[error("is no plain file of this user's own")]
    NotOurs,
    /// It is full, and can't be put away.
    #[error("is full and can't be renamed to {OLD_NAME}")]
    Full,
}

impl AppendError {
    /// What the user does about it.
    pub const fn remedy(&self) -> &'static str {
        match self {
            Self::Io(_) => "make its folder one that you can write to, on a disk with room",
            Self::NotOurs => "move away what is in its place",
            Self::Full => "move away what has that name",
        }
    }
}

/// Appends `entry` with the time to the log in `folder`, which is made if it is missing, readable for this user only.
///
/// # Errors
/// [`AppendError`]; the line is lost then.
pub fn append(folder: &Path, entry: &Entry) -> Result<(), AppendError> {
    append_within(folder, MAX_BYTES, |log| {
        line(entry, log.millis, sample(log))
    })
}

/// Whether a line could be appended to the log in `folder`, which is made if it is missing. No line is, but a full file is
/// put away.
///
/// # Errors
/// [`AppendError`], as [`append`].
pub fn probe(folder: &Path) -> Result<(), AppendError> {
    let path = folder.join(NAME);
    let log = open(folder, &path)?;
    with_room(folder, &path, log, LONGEST_LINE, MAX_BYTES).map(drop)
}

/// One call in so many has its processor time logged: 2 to this power.
const SAMPLED: u32 = 3;

/// 2^64 divided by the golden ratio: multiplied with it, numbers that are alike become unlike (D. Knuth, The Art of Computer
/// Programming, 6.4).
const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;

/// The processor time of this call, if it is one of the sample. Percentiles need no more, and a look at that clock
/// costs 10 µs: the pages that it touches. The lot is drawn from where the file ends.
fn sample(log: &Opened) -> Option<u64> {
    let mixed = log.size.wrapping_mul(SPREAD);
    let lot = (mixed ^ (mixed >> 32)).wrapping_mul(SPREAD) >> (u64::BITS - SAMPLED);
    if lot == 0 { processor_micros() } else { None }
}

fn append_within(
    folder: &Path,
    most: u64,
    line: impl FnOnce(&Opened) -> Vec<u8>,
) -> Result<(), AppendError> {
    let path = folder.join(NAME);
    let log = open(folder, &path)?;
    let line = line(&log);
    let mut log = with_room(folder, &path, log, line.len() as u64, most)?;
    // One call: a second one for the rest would stand behind the line of another process.
    let written = log.file.write(&line)?;
    if written < line.len() {
        return Err(AppendError::Io(io::ErrorKind::WriteZero.into()));
    }
    Ok(())
}

/// The file that `length` more bytes belong into: a new one, where they would take this one beyond `most`.
fn with_room(
    folder: &Path,
    path: &Path,
    log: Opened,
    length: u64,
    most: u64,
) -> Result<Opened, AppendError> {
    let size = log.size + length;
    if size <= most {
        return Ok(log);
    }
    if put_away(folder, path, &log) {
        return open(folder, path);
    }
    if size > most + GRACE {
        return Err(AppendError::Full);
    }
    Ok(log)
}

fn open(folder: &Path, path: &Path) -> Result<Opened, AppendError> {
    match file::open_to_append(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            file::create_folder(folder)?;
            file::open_to_append(path)?
        }
        opened => opened?,
    }
    .ok_or(AppendError::NotOurs)
}

/// Renames the full file; whether the next line belongs into a new one.
///
/// Only who holds the lock of the very file that has the name renames it, so a new file is never taken for the full one. The
/// lock goes when the file is closed.
fn put_away(folder: &Path, path: &Path, log: &Opened) -> bool {
    if log.file.try_lock().is_err() {
        return false;
    }
    !log.is_at(path) || fs::rename(path, folder.join(OLD_NAME)).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Barrier;

    const MOST: u64 = 1000;

    fn numbered(number: usize) -> Vec<u8> {
        format!("{{\"at\":{number:05},\"kind\":\"rewritten\"}}\n").into_bytes()
    }

    fn lines(path: &Path) -> Vec<String> {
        let text = fs::read_to_string(path).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    }

    #[test]
    fn the_log_keeps_the_newest_lines_and_never_outgrows_its_bound() {
        let home = tempfile::tempdir().unwrap();
        for number in 0..500 {
            append_within(home.path(), MOST, |_| numbered(number)).unwrap();
            for name in [NAME, OLD_NAME] {
                let size = fs::metadata(home.path().join(name)).map_or(0, |data| data.len());
                assert!(size <= MOST, "{name} has {size} bytes");
            }
        }
        let mut kept = lines(&home.path().join(OLD_NAME));
        kept.extend(lines(&home.path().join(NAME)));
        let newest: Vec<String> = (500 - kept.len()..500)
            .map(|number| {
                String::from_utf8(numbered(number))
                    .unwrap()
                    .trim()
                    .to_owned()
            })
            .collect();
        assert_eq!(kept, newest);
        assert!(
            kept.len() as u64 * numbered(0).len() as u64 > MOST,
            "{kept:?}"
        );
    }

    #[test]
    fn processes_that_meet_at_the_bound_lose_no_more_than_what_is_put_away_twice() {
        // A bound that is met once: what is put away then is kept, so nothing at all may be lost.
        let home = tempfile::tempdir().unwrap();
        let (threads, each) = (8, 30);
        let size = numbered(0).len() as u64;
        let most = size * (threads as u64 * each as u64 - 60);
        let start = Barrier::new(threads);
        std::thread::scope(|scope| {
            for thread in 0..threads {
                let (start, home) = (&start, home.path());
                scope.spawn(move || {
                    start.wait();
                    for number in 0..each {
                        append_within(home, most, |_| numbered(thread * 1000 + number)).unwrap();
                    }
                });
            }
        });
        let mut kept = lines(&home.path().join(OLD_NAME));
        kept.extend(lines(&home.path().join(NAME)));
        kept.sort_unstable();
        let mut all: Vec<String> = (0..threads)
            .flat_map(|thread| (0..each).map(move |number| numbered(thread * 1000 + number)))
            .map(|line| String::from_utf8(line).unwrap().trim().to_owned())
            .collect();
        all.sort_unstable();
        assert_eq!(kept, all);
    }

    #[test]
    fn who_does_not_get_the_lock_goes_on_with_the_file_it_has() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join(NAME);
        while fs::metadata(&path).map_or(0, |data| data.len()) + numbered(0).len() as u64 <= MOST {
            append_within(home.path(), MOST, |_| numbered(0)).unwrap();
        }
        let other = file::open_to_append(&path).unwrap().unwrap();
        other.file.try_lock().unwrap();
        append_within(home.path(), MOST, |_| numbered(1)).unwrap();
        assert!(!home.path().join(OLD_NAME).exists());
        drop(other);
        append_within(home.path(), MOST, |_| numbered(2)).unwrap();
        assert_eq!(lines(&path).len(), 1);
    }

    #[test]
    fn a_process_that_still_holds_the_old_file_does_not_put_the_new_one_away() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join(NAME);
        append_within(home.path(), MOST, |_| numbered(0)).unwrap();
        let old = file::open_to_append(&path).unwrap().unwrap();
        fs::rename(&path, home.path().join(OLD_NAME)).unwrap();
        append_within(home.path(), MOST, |_| numbered(1)).unwrap();
        assert!(put_away(home.path(), &path, &old));
        assert_eq!(lines(&path).len(), 1);
        assert_eq!(lines(&home.path().join(OLD_NAME)).len(), 1);
    }

    #[test]
    fn a_log_that_cannot_be_put_away_stops_growing() {
        let home = tempfile::tempdir().unwrap();
        fs::create_dir(home.path().join(OLD_NAME)).unwrap();
        let long = vec![b'x'; 9000];
        let mut last = Ok(());
        for _ in 0..20 {
            last = append_within(home.path(), MOST, |_| long.clone());
        }
        assert!(matches!(last, Err(AppendError::Full)));
        let size = fs::metadata(home.path().join(NAME)).unwrap().len();
        assert!(size <= MOST + GRACE, "{size}");
    }

    #[test]
    fn a_probe_finds_a_log_that_takes_no_more_lines() {
        let home = tempfile::tempdir().unwrap();
        fs::create_dir(home.path().join(OLD_NAME)).unwrap();
        let mut appended = 0;
        let full = fs::File::create(home.path().join(NAME)).unwrap();
        full.set_len(MAX_BYTES).unwrap();
        assert!(probe(home.path()).is_ok());
        let long = vec![b'x'; 999];
        while append_within(home.path(), MAX_BYTES, |_| long.clone()).is_ok() {
            appended += 1;
        }
        assert!(appended > 0 && matches!(probe(home.path()), Err(AppendError::Full)));
        fs::remove_dir(home.path().join(OLD_NAME)).unwrap();
        assert!(probe(home.path()).is_ok());
    }
}
