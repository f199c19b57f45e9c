//! What is no ledger is set aside, the call gets an error that says so, and the caller's ledger for that case
//! stands in its place: damage never gives a free check.

mod support;

use guard_state::{Breaker, Damage, Ledger, StateError, Store};
use std::fs;
use std::path::Path;
use support::{CONVERSATION, after_damage, count, left_overs, state_file, store};

/// Plants damage where the state file of a conversation with 9 checks was, and gives what was said of it.
fn damaged(plant: impl FnOnce(&Path)) -> (tempfile::TempDir, Store, Damage) {
    let (home, store) = store();
    let file = state_file(&store, CONVERSATION);
    (0..8).for_each(|_| {
        count(&store, CONVERSATION).unwrap();
    });
    fs::remove_file(&file).unwrap();
    plant(&file);
    match store.peek(CONVERSATION) {
        Err(StateError::Damaged { path, .. }) => assert_eq!(path, file),
        other => panic!("a reader got {other:?}"),
    }
    let error = store
        .update(CONVERSATION, after_damage, |_| {
            panic!("a damaged ledger was judged")
        })
        .unwrap_err();
    assert!(
        error.to_string().contains(&file.display().to_string()),
        "{error}"
    );
    let StateError::SetAside {
        damage,
        set_aside: Some(aside),
        ..
    } = error
    else {
        panic!("{error:?}")
    };
    assert!(aside.symlink_metadata().is_ok());
    let ledger = store.peek(CONVERSATION).unwrap().unwrap();
    assert_eq!(ledger.conversation(), CONVERSATION);
    assert_eq!((ledger.level, ledger.strikes), (1, 4));
    assert_eq!(
        count(&store, CONVERSATION).unwrap(),
        2,
        "and goes on from there"
    );
    (home, store, damage)
}

fn with_text(text: impl AsRef<[u8]>) -> Damage {
    let (_home, store, damage) = damaged(|file| fs::write(file, &text).unwrap());
    let aside = store.dir().join(&left_overs(store.dir())[0]);
    assert_eq!(fs::read(aside).unwrap(), text.as_ref(), "kept as it was");
    damage
}

/// The text of a sound file with one change.
fn changed(change: impl FnOnce(String) -> String) -> String {
    let (_home, store) = store();
    change(fs::read_to_string(state_file(&store, CONVERSATION)).unwrap())
}

#[test]
fn an_empty_file() {
    assert_eq!(with_text(""), Damage::Empty);
}

#[test]
fn zero_bytes_as_after_a_power_loss() {
    assert_eq!(with_text([0; 512]), Damage::ZeroFilled);
}

#[test]
fn text_that_is_no_ledger() {
    let cases = [
        "null",
        "[]",
        "{}",
        "{\"version\":1}",
        "\u{feff}{}",
        "nonsense",
        "\"\"",
        "1e999",
    ];
    for text in cases {
        assert!(matches!(with_text(text), Damage::Unparseable(_)), "{text}");
    }
    assert!(matches!(
        with_text([0xff, 0xfe, 0x00]),
        Damage::Unparseable(_)
    ));
    assert!(matches!(
        with_text("[".repeat(200_000)),
        Damage::Unparseable(_)
    ));
}

#[test]
fn a_file_cut_at_any_point() {
    let text = changed(|text| text);
    let whole = text.trim_end().len();
    for end in 1..whole {
        let (_home, store) = store();
        let file = state_file(&store, CONVERSATION);
        fs::write(&file, &text[..end]).unwrap();
        assert!(store.peek(CONVERSATION).is_err(), "{}", &text[..end]);
    }
}

#[test]
fn a_field_that_is_missing_or_of_another_type() {
    for field in [
        "level",
        "strikes",
        "last_allowed",
        "last_poll",
        "breaker",
        "tasks_polled",
        "conversation",
    ] {
        let missing = changed(|text| text.replace(&format!("\"{field}\""), "\"other\""));
        assert!(
            matches!(with_text(missing), Damage::Unparseable(_)),
            "{field}"
        );
    }
    for (right, wrong) in [
        ("\"level\": 1", "\"level\": -1"),
        ("\"level\": 1", "\"level\": 4294967296"),
        ("\"strikes\": 0", "\"strikes\": \"0\""),
        ("\"last_poll\": null", "\"last_poll\": \"yesterday\""),
        ("\"last_poll\": null", "\"last_poll\": 17"),
        ("\"closed\"", "\"ajar\""),
    ] {
        let text = changed(|text| text.replace(right, wrong));
        assert!(text.contains(wrong));
        assert!(matches!(with_text(text), Damage::Unparseable(_)), "{wrong}");
    }
}

#[test]
fn a_newer_format() {
    let newer = changed(|text| text.replace("\"version\": 1", "\"version\": 2"));
    assert_eq!(with_text(newer), Damage::NewerVersion(2));
    assert_eq!(
        with_text("{\"version\":7,\"ledger\":[]}"),
        Damage::NewerVersion(7)
    );
    let older = changed(|text| text.replace("\"version\": 1", "\"version\": 0"));
    assert!(matches!(with_text(older), Damage::Unparseable(_)));
}

#[test]
fn the_ledger_of_another_conversation() {
    let copied = changed(|text| text.replace(CONVERSATION, "another"));
    assert_eq!(with_text(copied), Damage::OtherConversation);
}

#[test]
fn a_file_too_large_to_be_one() {
    let size = guard_state::MAX_STATE_BYTES as u64 + 1;
    let (.., damage) = damaged(|file| fs::File::create(file).unwrap().set_len(size).unwrap());
    assert_eq!(damage, Damage::TooLarge(size));
}

#[test]
fn a_folder_in_its_place() {
    let plant = |file: &Path| {
        fs::create_dir(file).unwrap();
        fs::write(file.join("something"), "kept").unwrap();
    };
    let (_home, store, damage) = damaged(plant);
    assert_eq!(damage, Damage::NotAFile("a folder"));
    let aside = store.dir().join(&left_overs(store.dir())[0]);
    assert_eq!(fs::read_to_string(aside.join("something")).unwrap(), "kept");
}

#[cfg(unix)]
#[test]
fn a_fifo_in_its_place_does_not_hang() {
    let plant = |file: &Path| {
        let made = std::process::Command::new("mkfifo")
            .arg(file)
            .status()
            .unwrap();
        assert!(made.success());
    };
    let (.., damage) = damaged(plant);
    assert_eq!(damage, Damage::NotAFile("a FIFO"));
}

#[cfg(unix)]
#[test]
fn a_socket_in_its_place() {
    let plant = |file: &Path| drop(std::os::unix::net::UnixListener::bind(file).unwrap());
    let (.., damage) = damaged(plant);
    assert_eq!(damage, Damage::NotAFile("a socket"));
}

#[test]
fn a_bounded_number_is_kept_and_the_first_ones() {
    let (_home, store) = store();
    let file = state_file(&store, CONVERSATION);
    for turn in 0..20 {
        fs::write(&file, format!("damage {turn}")).unwrap();
        let error = store
            .update(CONVERSATION, after_damage, |_| ())
            .unwrap_err();
        let StateError::SetAside { set_aside, .. } = error else {
            panic!("{error}")
        };
        assert_eq!(set_aside.is_some(), turn < 3);
        assert!(store.peek(CONVERSATION).unwrap().is_some());
    }
    let kept = left_overs(store.dir());
    let texts: Vec<_> = kept
        .iter()
        .map(|name| fs::read_to_string(store.dir().join(name)).unwrap())
        .collect();
    assert_eq!(texts, ["damage 0", "damage 1", "damage 2"]);
}

#[test]
fn folders_in_its_place_again_and_again_never_stop_the_ledger() {
    let (_home, store) = store();
    let file = state_file(&store, CONVERSATION);
    for _ in 0..6 {
        fs::remove_file(&file).unwrap();
        fs::create_dir(&file).unwrap();
        fs::write(file.join("x"), "").unwrap();
        assert!(store.update(CONVERSATION, after_damage, |_| ()).is_err());
        assert_eq!(count(&store, CONVERSATION).unwrap(), 2);
    }
}

#[test]
fn an_open_breaker_outlives_damage_if_the_caller_says_so() {
    let (_home, store) = store();
    fs::write(state_file(&store, CONVERSATION), "").unwrap();
    let open = || {
        let mut ledger = Ledger::new("");
        ledger.breaker = Breaker::Open(guard_state::Asked {
            since: chrono::DateTime::UNIX_EPOCH,
            asked_steps: [7].into_iter().collect(),
            tasks: Default::default(),
        });
        ledger
    };
    assert!(store.update(CONVERSATION, open, |_| ()).is_err());
    let ledger = store.peek(CONVERSATION).unwrap().unwrap();
    assert!(matches!(ledger.breaker, Breaker::Open(asked) if asked.asked_steps.as_slice() == [7]));
}
