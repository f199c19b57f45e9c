//! What the tests share: a store in a folder of its own, and the test binary started again as another process.

#![allow(dead_code, reason = "each test file uses a part")]

use guard_state::{Ledger, StateError, Store};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;
use tempfile::TempDir;

/// Long enough that no test depends on the machine's speed.
pub const PATIENT: Duration = Duration::from_secs(120);

pub const CONVERSATION: &str = "ec33c1a0-6b0f-4d2f-9a57-0d9b8e6f1c2d";

pub fn store() -> (TempDir, Store) {
    let home = TempDir::new().unwrap();
    let store = patient(&home.path().join("state"));
    (home, store)
}

pub fn patient(dir: &Path) -> Store {
    Store::new(dir, PATIENT)
}

/// What a caller with a policy would say: as if a check had just been made, strikes and all.
pub fn after_damage() -> Ledger {
    let mut ledger = Ledger::new("whoever");
    ledger.level = 1;
    ledger.strikes = 4;
    ledger
}

/// Counts one check, and gives the count.
pub fn count(store: &Store, conversation: &str) -> Result<u32, StateError> {
    store.update(conversation, after_damage, |ledger| {
        ledger.level += 1;
        ledger.level
    })
}

pub fn level(store: &Store, conversation: &str) -> u32 {
    store
        .peek(conversation)
        .unwrap()
        .map_or(0, |ledger| ledger.level)
}

/// The state file of a conversation, made if there is none yet.
pub fn state_file(store: &Store, conversation: &str) -> PathBuf {
    if store.peek(conversation).unwrap().is_none() {
        count(store, conversation).unwrap();
    }
    let listed = store.list().unwrap();
    let mine = listed
        .into_iter()
        .find(|one| one.conversation.as_deref() == Some(conversation));
    mine.unwrap().path
}

pub fn names(dir: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(dir).unwrap();
    let mut names: Vec<_> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// The names of files that are neither state, nor lock, nor mark.
pub fn left_overs(dir: &Path) -> Vec<String> {
    let mut names = names(dir);
    names.retain(|name| !name.ends_with(".json") && !name.starts_with("lock-") && name != "pruned");
    names
}

const DIR: &str = "GUARD_STATE_TEST_DIR";

/// This test binary again, running its `as_a_child` on the store in `dir`.
pub fn child(dir: &Path) -> Command {
    child_from(&std::env::current_exe().unwrap(), dir)
}

pub fn child_from(binary: &Path, dir: &Path) -> Command {
    let mut command = Command::new(binary);
    command
        .args([
            "--exact",
            "as_a_child",
            "--ignored",
            "--nocapture",
            "--quiet",
        ])
        .env(DIR, dir)
        .stdin(Stdio::null())
        .stdout(Stdio::piped());
    command
}

/// The store a child works on; `None` when the test runner runs the entry point by itself.
pub fn child_store(deadline: Duration) -> Option<Store> {
    std::env::var_os(DIR).map(|dir| Store::new(dir, deadline))
}

/// Prints a line that the parent can tell from the test runner's own.
pub fn tell(what: impl std::fmt::Display) {
    println!("\n{MARK}{what}");
}

const MARK: &str = "child: ";

/// What a line of a child's output tells, if it tells something.
pub fn told(line: &str) -> Option<&str> {
    line.strip_prefix(MARK)
}

/// All that a child told.
pub fn all_told(output: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(output);
    text.lines().filter_map(told).map(str::to_owned).collect()
}
