//! A file name made from a conversation id can't leave the folder, and two ids never share a file.

mod support;

use guard_state::{MAX_CONVERSATION_BYTES, StateError, Store};
use proptest::prelude::*;
use std::collections::BTreeSet;
use support::{count, level, names, store};

/// Ids that a careless name would let meet, leave, or fail.
fn nasty() -> Vec<String> {
    let mut ids: Vec<String> = [
        "",
        ".",
        "..",
        "/",
        "\\",
        "../../etc/passwd",
        "/etc/passwd",
        "C:\\x",
        "a/b",
        "a\\b",
        "a",
        "A",
        "a ",
        "a.",
        " a",
        "a\0",
        "\0",
        "a\nb",
        "-",
        "--",
        "_",
        "__",
        "_61",
        "c-a",
        "h-a",
        "con",
        "NUL",
        "aux.json",
        "lock-00",
        "pruned",
        "a.json",
        "a.tmp0",
        "a.damaged0",
        "é",
        "e\u{301}",
        "É",
        "ß",
        "SS",
        "ﬁ",
        "İ",
        "ı",
        "K",
        "😀",
        "~",
        "$HOME",
        "*",
        "%00",
    ]
    .map(str::to_owned)
    .to_vec();
    for length in [60, 125, 126, 127, 128, 129, 255, 256, 10_000] {
        ids.push("a".repeat(length));
        ids.push(format!("{}b", "a".repeat(length - 1)));
        ids.push(format!("b{}", "a".repeat(length - 1)));
        ids.push("A".repeat(length));
        ids.push("😀".repeat(length));
    }
    ids
}

fn state_files(store: &Store) -> Vec<String> {
    let mut names = names(store.dir());
    names.retain(|name| name.ends_with(".json"));
    names
}

/// Holds what any file system asks of a name, and what makes names that differ only in case or Unicode form impossible.
fn assert_plain(name: &str) {
    let stem = name.strip_suffix(".json").unwrap();
    // eCryptfs has the shortest limit in use.
    assert!(stem.len() + ".damaged0".len() <= 143, "{name}");
    assert!(stem.starts_with("c-") || stem.starts_with("h-"), "{name}");
    assert!(
        stem.bytes()
            .all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_')),
        "{name}"
    );
}

#[test]
fn every_id_has_a_file_of_its_own_in_the_folder() {
    let (home, store) = store();
    let ids = nasty();
    assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len());
    for id in &ids {
        assert_eq!(count(&store, id).unwrap(), 1, "{id:?}");
    }
    for id in &ids {
        assert_eq!(count(&store, id).unwrap(), 2, "{id:?}");
    }
    let files = state_files(&store);
    assert_eq!(files.len(), ids.len());
    files.iter().for_each(|name| assert_plain(name));
    assert_eq!(names(home.path()), ["state"]);
    let listed: BTreeSet<_> = store
        .list()
        .unwrap()
        .into_iter()
        .map(|one| one.conversation.unwrap())
        .collect();
    assert_eq!(listed, ids.iter().cloned().collect());
}

#[test]
fn an_id_longer_than_any_is_refused() {
    let (_home, store) = store();
    let longest = "\u{1}".repeat(MAX_CONVERSATION_BYTES);
    assert_eq!(count(&store, &longest).unwrap(), 1);
    assert_eq!(level(&store, &longest), 1);
    let error = count(&store, &"x".repeat(MAX_CONVERSATION_BYTES + 1)).unwrap_err();
    assert!(
        matches!(error, StateError::ConversationTooLong { .. }),
        "{error}"
    );
}

#[test]
fn the_id_of_a_damaged_file_is_read_from_its_name() {
    let (_home, store) = store();
    count(&store, "Émile/7").unwrap();
    std::fs::write(store.dir().join(&state_files(&store)[0]), "").unwrap();
    let listed = store.list().unwrap();
    assert_eq!(listed[0].conversation.as_deref(), Some("Émile/7"));
    assert!(listed[0].ledger.is_err());
}

fn near(id: &str) -> impl Strategy<Value = String> + use<> {
    let (upper, lower) = (id.to_uppercase(), id.to_lowercase());
    let escaped: String = id.bytes().map(|byte| format!("_{byte:02x}")).collect();
    let mut more = id.to_owned();
    more.push('_');
    prop_oneof![
        Just(upper),
        Just(lower),
        Just(escaped),
        Just(more),
        any::<String>()
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn two_ids_never_share_a_file((one, other) in "\\PC{0,40}|[a-zA-Z_]{0,3}|.{0,300}".prop_flat_map(|id| (Just(id.clone()), near(&id)))) {
        let (_home, store) = store();
        count(&store, &one).unwrap();
        prop_assert_eq!(count(&store, &other).unwrap(), if one == other { 2 } else { 1 });
        let files = state_files(&store);
        prop_assert_eq!(files.len(), if one == other { 1 } else { 2 });
        files.iter().for_each(|name| assert_plain(name));
    }
}
