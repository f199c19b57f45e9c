//! Removal of files that nobody has used for a day.

use crate::folder::{Folder, now, seconds};
use crate::lock;
use crate::name::{PRUNE_MARK, Stem};
use std::time::SystemTime;

/// Files idle for longer are removed, in seconds.
const IDLE: i64 = 24 * 60 * 60;

/// Old files are looked for at most once in this time, in seconds.
const EVERY: i64 = 60 * 60;

/// Most entries looked at in one go, and most removed: one call pays for it, a stat or a few calls each.
const MAX_SEEN: usize = 20_000;
const MAX_REMOVED: usize = 1_000;

/// Whether an update should look at the mark, judged from what it knows anyway, without a system call: once in each
/// hour of the clock for each conversation, and when one begins.
pub(crate) fn worth_a_look(modified: Option<i64>) -> bool {
    modified.is_none_or(|modified| modified.div_euclid(EVERY) != now().div_euclid(EVERY))
}

/// Removes what is idle, if that has not been done within the hour. What can't be removed stays: it is no reason to
/// refuse a call, whose own state has been written.
pub(crate) fn run(folder: &Folder, locks: &Folder) {
    let Ok(mark) = folder.open_lock(PRUNE_MARK) else {
        return;
    };
    if fs2::FileExt::try_lock_exclusive(&mark).is_err() {
        return;
    }
    let Ok(about) = mark.metadata() else { return };
    let age = about.modified().map_or(EVERY, |done| now() - seconds(done));
    // A new mark is of now, and a folder without a mark is new. One from the future is from a clock that went back.
    if (0..EVERY).contains(&age) || mark.set_modified(SystemTime::now()).is_err() {
        return;
    }
    let Ok(names) = folder.names() else { return };
    names
        .take(MAX_SEEN)
        .filter(|name| remove_if_idle(folder, locks, name))
        .take(MAX_REMOVED)
        .for_each(drop);
}

/// Whether the file was removed. It goes only under its conversation's lock, and only if it is still idle then: a
/// process that has just taken it up holds that lock, or has written a new one.
fn remove_if_idle(folder: &Folder, locks: &Folder, name: &str) -> bool {
    let age = || folder.modified(name).map_or(0, |modified| now() - modified);
    let Some((stem, _)) = Stem::parse(name) else {
        return false;
    };
    if (0..=IDLE).contains(&age()) {
        return false;
    }
    let Some(_held) = lock::take_if_free(locks, &stem) else {
        return false;
    };
    match age() {
        // From the future: the clock went back. It is idle from now on, else it would stay until the clock is there again.
        ..0 => {
            let _ = folder.touch(name);
            false
        }
        0..=IDLE => false,
        _ => folder.remove(name).is_ok(),
    }
}
