//! An edit changes its own entry and no other byte, and taking the entry out gives back the original.
#![allow(missing_docs)]

mod common;

use guard_install::jsonc::edit::{Removal, create, remove, upsert};
use guard_install::jsonc::{Json, parse};
use proptest::prelude::*;

const NAME: &str = "execution-guard";

fn entry(command: &str) -> Json {
    let handler = Json::object([
        ("type", Json::string("command")),
        ("command", Json::string(command)),
        ("timeout", Json::number(5)),
    ]);
    let group = Json::object([
        ("matcher", Json::string("a|b")),
        ("hooks", Json::Array(vec![handler])),
    ]);
    Json::object([("PreToolUse", Json::Array(vec![group]))])
}

fn server() -> Json {
    Json::object([
        ("command", Json::string("/bin/x")),
        ("args", Json::Array(vec![Json::string("mcp")])),
    ])
}

/// Is `edited` the text `original` with one insertion, or with one and a comma before it?
fn only_inserted(original: &str, edited: &str) -> bool {
    let (original, edited) = (original.as_bytes(), edited.as_bytes());
    let common = original
        .iter()
        .zip(edited)
        .take_while(|(a, b)| a == b)
        .count();
    (0..=common).any(|first| {
        edited[first..].ends_with(&original[first..])
            || edited.get(first) == Some(&b',') && {
                let (rest, edited) = (&original[first..], &edited[first + 1..]);
                let again = rest.iter().zip(edited).take_while(|(a, b)| a == b).count();
                (0..=again).any(|second| edited[second..].ends_with(&rest[second..]))
            }
    })
}

fn check(text: &str, path: &[&str], value: &Json) -> Result<(), TestCaseError> {
    let original = parse(text.as_bytes())
        .map_err(|error| TestCaseError::fail(format!("{error} in {text:?}")))?;
    prop_assert_eq!(original.to_bytes(), text.as_bytes());
    let edited = upsert(&original, path, value)
        .map_err(|error| TestCaseError::fail(format!("{error} in {text:?}")))?;
    prop_assert!(
        only_inserted(&original.text, &edited),
        "{:?}\nbecame\n{:?}",
        original.text,
        edited
    );

    let edited = parse(edited.as_bytes())
        .map_err(|error| TestCaseError::fail(format!("{error} in {edited:?}")))?;
    prop_assert_eq!(
        edited.at(path).map(|node| edited.json(node)),
        Some(value.clone())
    );
    let again = upsert(&edited, path, value);
    prop_assert_eq!(
        again.as_ref(),
        Ok(&edited.text),
        "a second run changes nothing"
    );
    prop_assert_eq!(
        remove(&edited, path),
        Ok(Removal::Text(original.text.clone())),
        "edited: {:?}",
        edited.text
    );

    // A stale entry is replaced in place, and the original still comes back.
    let stale = upsert(&original, path, &entry("/old/place")).and_then(|text| {
        let stale = parse(text.as_bytes()).expect("what was edited can be read");
        upsert(&stale, path, value)
    });
    prop_assert_eq!(stale.as_ref(), Ok(&edited.text));
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn json_keeps_every_foreign_byte(text in common::json()) {
        check(&text, &[NAME], &entry("/bin/execution-guard"))?;
        check(&text, &["mcpServers", NAME], &server())?;
    }

    #[test]
    fn jsonc_keeps_every_foreign_byte(text in common::jsonc()) {
        check(&text, &[NAME], &entry("/bin/execution-guard"))?;
        check(&text, &["mcpServers", NAME], &server())?;
    }

    #[test]
    fn laid_out_json_keeps_every_foreign_byte(text in common::pretty()) {
        check(&text, &[NAME], &entry("/bin/execution-guard"))?;
        check(&text, &["mcpServers", NAME], &server())?;
    }

    /// Whatever is cut out of a valid text, an edit or a removal either refuses or harms nothing.
    #[test]
    fn damaged_text_is_refused_or_kept(text in common::jsonc(), from in any::<prop::sample::Index>(), length in 0usize..4) {
        let mut bytes = text.into_bytes();
        if !bytes.is_empty() {
            let from = from.index(bytes.len());
            bytes.drain(from..(from + length).min(bytes.len()));
        }
        if let Ok(document) = parse(&bytes) {
            if let Ok(edited) = upsert(&document, &[NAME], &server()) {
                prop_assert!(document.at(&[NAME]).is_some() || only_inserted(&document.text, &edited));
            }
            prop_assert!(remove(&document, &[NAME]).is_ok());
        }
    }
}

#[test]
fn a_created_file_goes_again() {
    for (path, value) in [
        (&[NAME][..], entry("/b")),
        (&["mcpServers", NAME][..], server()),
    ] {
        let created = parse(create(path, &value).as_bytes()).expect("created files can be read");
        assert_eq!(remove(&created, path), Ok(Removal::NoFile));
    }
}

/// The hostile list: layouts that editors without spans get wrong.
#[test]
fn the_hostile_list() {
    for text in [
        "",
        "\n",
        "{}",
        "{}\n",
        "{ }",
        "{\n}\n",
        "{\n\n}",
        "{\t}",
        "\u{feff}",
        "\u{feff}{}",
        "{\r\n}\r\n",
        "// only",
        "// only\n",
        "/* c */ {} // d",
        "{/*c*/}",
        "{ // c\n}",
        "{\n  // c\n}",
        "{\n  // c\n  /* d */}",
        "{/*c*/ }",
        "{\"a\":1}",
        "{\"a\": 1}",
        "{\"a\":1,}",
        "{\"a\":1 , }",
        "{\n\"a\": 1 }",
        "{\"a\":1\n}",
        "{\"a\":1,\n}",
        "{\n  \"a\": 1 // t\n}",
        "{\n  \"a\": 1, // t\n}",
        "{\n  \"a\": 1 /* x */ , // t\n  // e\n}",
        "{\n  \"a\": 1\n  , \"b\": 2\n}",
        "{\n\t\"a\": 1,\r\n\t\"b\": 2\n}",
        "{\"a\":1 // t\n}",
        "{\"a\":{\n\"b\":1}}",
        "{\"a\": 1}\n\n\n",
        "{\"mcpServers\":{}}",
        "{\n  \"mcpServers\": {}\n}\n",
        "{\n  \"mcpServers\": {\n  }\n}\n",
        "{\n    \"mcpServers\": {\n        \"a\": {}\n    }\n}\n",
        "{\"mcpServers\": { /* none */ }, \"b\": 1,}",
        "{\n  \"mcpServers\": {\n    // none\n  },\n  \"b\": 1\n}",
        "{\"a\":1\r\n}",
        "{\"a\":1}\r",
    ] {
        check(text, &[NAME], &entry("/bin/execution-guard")).unwrap();
        check(text, &["mcpServers", NAME], &server()).unwrap();
    }
}

#[test]
fn an_entry_that_is_not_last_is_taken_out_alone() {
    for (text, left) in [
        (
            "{\"a\":1, \"execution-guard\":{}, \"b\":2}",
            "{\"a\":1, \"b\":2}",
        ),
        (
            "{\n  \"execution-guard\": {}, // ours?\n  \"b\": 2\n}",
            "{ // ours?\n  \"b\": 2\n}",
        ),
        (
            "{\"execution-guard\":{} /* c */ , \"b\":2}",
            "{ /* c */  \"b\":2}",
        ),
        (
            "{\"a\":1, // c\n\"execution-guard\":{}}",
            "{\"a\":1 // c\n}",
        ),
        ("{\"a\":1, \"execution-guard\":{},}", "{\"a\":1,}"),
    ] {
        let document = parse(text.as_bytes()).expect("the text is valid");
        assert_eq!(
            remove(&document, &[NAME]),
            Ok(Removal::Text(left.to_owned())),
            "{text}"
        );
    }
}
