//! A folder that is missing is made; one that can't be used is an error, and so is a ledger that can't be kept.

mod support;

use guard_state::{FolderProblem, StateError};
use std::fs;
use support::{CONVERSATION, after_damage, count, names, patient, store};

#[test]
fn a_file_in_the_place_of_the_folder() {
    let (home, store) = store();
    fs::write(store.dir(), "mine").unwrap();
    for dir in [store.dir().to_owned(), store.dir().join("below")] {
        let error = count(&patient(&dir), CONVERSATION).unwrap_err();
        assert!(
            matches!(
                &error,
                StateError::Folder {
                    problem: FolderProblem::NotAFolder,
                    ..
                }
            ),
            "{error:?}"
        );
        assert!(
            error.to_string().contains(&dir.display().to_string()),
            "{error}"
        );
    }
    assert_eq!(fs::read_to_string(store.dir()).unwrap(), "mine");
    assert_eq!(names(home.path()), ["state"]);
}

#[test]
fn a_missing_folder_is_made_by_the_first_update_only() {
    let (home, store) = store();
    assert_eq!(store.peek(CONVERSATION).unwrap(), None);
    assert!(store.list().unwrap().is_empty());
    assert!(!store.reset(CONVERSATION).unwrap());
    assert_eq!(store.reset_all().unwrap(), 0);
    assert_eq!(names(home.path()), [""; 0]);
    assert_eq!(count(&store, CONVERSATION).unwrap(), 1);
}

#[test]
fn a_folder_that_vanishes_is_made_again() {
    let (_home, store) = store();
    count(&store, CONVERSATION).unwrap();
    fs::remove_dir_all(store.dir()).unwrap();
    assert_eq!(count(&store, CONVERSATION).unwrap(), 1);
}

#[test]
fn a_ledger_that_nobody_would_read_back_is_not_written() {
    let (_home, store) = store();
    count(&store, CONVERSATION).unwrap();
    let grow = |ledger: &mut guard_state::Ledger| {
        ledger.last_call = Some(guard_state::LastCall {
            step: None,
            tool: "x".repeat(guard_state::MAX_STATE_BYTES),
            arguments: guard_state::Digest::of(b""),
            answer: guard_state::Answer {
                decision: "allow".to_owned(),
                reason: None,
            },
        });
    };
    let error = store.update(CONVERSATION, after_damage, grow).unwrap_err();
    assert!(matches!(error, StateError::TooLarge { .. }), "{error}");
    assert_eq!(count(&store, CONVERSATION).unwrap(), 2);
}

#[test]
fn a_change_that_panics_changes_nothing_and_frees_the_lock() {
    let (_home, store) = store();
    count(&store, CONVERSATION).unwrap();
    let panicking = || {
        store.update(CONVERSATION, after_damage, |ledger| {
            ledger.level = 77;
            panic!("on purpose");
        })
    };
    assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(panicking)).is_err());
    assert_eq!(count(&store, CONVERSATION).unwrap(), 2);
}
