//! Files idle for a day are removed, at most once an hour, and never one that is in use.

mod support;

use std::fs::{self, File};
use std::path::Path;
use std::time::{Duration, SystemTime};
use support::{CONVERSATION, count, left_overs, names, state_file, store};

const HOUR: Duration = Duration::from_secs(60 * 60);
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

fn aged(path: &Path, age: Duration) {
    set(path, SystemTime::now() - age);
}

fn set(path: &Path, time: SystemTime) {
    File::options()
        .write(true)
        .open(path)
        .unwrap()
        .set_modified(time)
        .unwrap();
}

/// A store that has not looked for old files for two hours.
fn due() -> (tempfile::TempDir, guard_state::Store) {
    let (home, store) = store();
    count(&store, "first").unwrap();
    aged(&store.dir().join("pruned"), 2 * HOUR);
    (home, store)
}

#[test]
fn idle_files_of_every_kind_go_and_others_stay() {
    let (_home, store) = due();
    let old = state_file(&store, "old");
    let recent = state_file(&store, "recent");
    aged(&store.dir().join("pruned"), 2 * HOUR);
    aged(&recent, DAY - HOUR);
    let left = [
        old.clone(),
        old.with_extension("tmp3"),
        old.with_extension("damaged1"),
    ];
    let foreign = [
        store.dir().join("notes.txt"),
        store.dir().join("c-x.json.bak"),
        store.dir().join("C-X.json"),
        store.dir().join("c-x.tmp8"),
        store.dir().join("x.json"),
    ];
    for path in left.iter().chain(&foreign) {
        fs::write(path, "").unwrap();
        aged(path, 2 * DAY);
    }
    let locks = names(store.dir())
        .into_iter()
        .filter(|name| name.starts_with("lock-"))
        .count();
    for lock in names(store.dir())
        .iter()
        .filter(|name| name.starts_with("lock-"))
    {
        aged(&store.dir().join(lock), 2 * DAY);
    }
    count(&store, CONVERSATION).unwrap();
    assert!(
        left.iter().all(|path| !path.exists()),
        "{:?}",
        names(store.dir())
    );
    assert!(recent.exists());
    assert!(foreign.iter().all(|path| path.exists()));
    let after = names(store.dir())
        .into_iter()
        .filter(|name| name.starts_with("lock-"))
        .count();
    assert!(after >= locks, "lock files are permanent");
}

#[test]
fn at_most_once_an_hour() {
    let (_home, store) = due();
    let old = state_file(&store, "old");
    aged(&old, 2 * DAY);
    aged(&store.dir().join("pruned"), HOUR / 2);
    count(&store, CONVERSATION).unwrap();
    assert!(old.exists(), "not due yet");
    aged(&store.dir().join("pruned"), 2 * HOUR);
    count(&store, "another").unwrap();
    assert!(!old.exists());
    let old = state_file(&store, "old");
    aged(&old, 2 * DAY);
    count(&store, "a third").unwrap();
    assert!(old.exists(), "just done");
}

#[test]
fn a_conversation_that_goes_on_for_long_looks_too() {
    let (_home, store) = due();
    let old = state_file(&store, "old");
    let mine = state_file(&store, CONVERSATION);
    aged(&old, 2 * DAY);
    aged(&store.dir().join("pruned"), 2 * HOUR);
    aged(&mine, HOUR);
    count(&store, CONVERSATION).unwrap();
    assert!(!old.exists());
}

#[test]
fn a_file_whose_lock_is_held_stays() {
    let (_home, store) = due();
    let old = state_file(&store, "old");
    let other = state_file(&store, "other");
    aged(&old, 2 * DAY);
    let update = |ledger: &mut guard_state::Ledger| {
        // While this conversation is taken, another one comes along and prunes.
        aged(&other, 2 * DAY);
        aged(&store.dir().join("pruned"), 2 * HOUR);
        count(&store, CONVERSATION).unwrap();
        assert!(old.exists());
        assert!(!other.exists(), "so it did prune");
        ledger.level += 1;
    };
    store.update("old", support::after_damage, update).unwrap();
    assert_eq!(support::level(&store, "old"), 2);
}

#[test]
fn a_clock_that_went_back_breaks_nothing() {
    let (_home, store) = due();
    let old = state_file(&store, "old");
    let future = state_file(&store, "future");
    aged(&old, 2 * DAY);
    set(&future, SystemTime::now() + 300 * DAY);
    set(&store.dir().join("pruned"), SystemTime::now() + 300 * DAY);
    count(&store, CONVERSATION).unwrap();
    assert!(!old.exists(), "a mark from the future does not stop it");
    assert_eq!(
        support::level(&store, "future"),
        1,
        "a file from the future is not idle"
    );
    let modified = future.metadata().unwrap().modified().unwrap();
    assert!(modified <= SystemTime::now(), "but is idle from now on");
    let mark = store
        .dir()
        .join("pruned")
        .metadata()
        .unwrap()
        .modified()
        .unwrap();
    assert!(mark <= SystemTime::now());
}

#[test]
fn what_was_set_aside_is_kept_for_a_day_from_then() {
    let (_home, store) = due();
    let old = state_file(&store, "old");
    fs::write(&old, "").unwrap();
    aged(&old, 2 * DAY);
    assert!(count(&store, "old").is_err());
    aged(&store.dir().join("pruned"), 2 * HOUR);
    count(&store, CONVERSATION).unwrap();
    assert_eq!(left_overs(store.dir()).len(), 1);
}

#[test]
fn one_call_removes_a_bounded_number() {
    let (_home, store) = due();
    for number in 0..1_500 {
        let path = store.dir().join(format!("c-{number}.json"));
        fs::write(&path, "").unwrap();
        aged(&path, 2 * DAY);
    }
    let left = || {
        names(store.dir())
            .iter()
            .filter(|name| name.ends_with(".json"))
            .count()
            - 2
    };
    count(&store, CONVERSATION).unwrap();
    assert_eq!(left(), 500);
    aged(&store.dir().join("pruned"), 2 * HOUR);
    aged(&state_file(&store, CONVERSATION), HOUR);
    count(&store, CONVERSATION).unwrap();
    assert_eq!(left(), 0);
}
