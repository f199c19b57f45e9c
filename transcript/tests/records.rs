//! Lines and records, against a JSON library and whatever the pieces are.

mod common;

use guard_transcript::{CONTENT_KEPT, Lines, RecordScanner, Source, Text};
use proptest::prelude::*;
use serde_json::Value;
use std::io::Cursor;

/// What a record says, as plain data.
#[derive(Debug, PartialEq)]
struct Said {
    step: u64,
    fields: [Option<String>; 5],
}

fn scan(line: &[u8], pieces: &[usize]) -> Option<Said> {
    let mut scanner = RecordScanner::new();
    scanner.push(b"left over from another line");
    scanner.reset();
    let mut rest = line;
    for piece in pieces {
        let (now, later) = rest.split_at((*piece).min(rest.len()));
        scanner.push(now);
        rest = later;
    }
    scanner.push(rest);
    let record = scanner.record()?;
    let text = |field: Option<Text<'_>>| field.map(|text| text.decoded().into_owned());
    Some(Said {
        step: record.step,
        fields: [
            text(record.source),
            text(record.kind),
            text(record.status),
            text(record.created_at),
            text(record.content),
        ],
    })
}

/// The same by a JSON library, for texts without a key twice.
fn expected(line: &[u8]) -> Option<Said> {
    let value: Value = serde_json::from_slice(line).ok()?;
    let object = value.as_object()?;
    let text = |key: &str| object.get(key)?.as_str().map(str::to_owned);
    let step = match object.get("step_index")? {
        Value::String(digits) if digits.bytes().all(|b| b.is_ascii_digit()) => {
            digits.parse().ok()?
        }
        number => number.as_u64()?,
    };
    Some(Said {
        step,
        fields: ["source", "type", "status", "created_at", "content"].map(text),
    })
}

fn json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
        "[0-9]{1,4}".prop_map(Value::from),
        "(USER_EXPLICIT|USER_INPUT|RUN_COMMAND|DONE)".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::btree_map(key(), inner, 0..5)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

fn key() -> impl Strategy<Value = String> {
    prop_oneof![
        "(step_index|source|type|status|created_at|content)",
        any::<String>(),
    ]
}

fn object() -> impl Strategy<Value = Value> {
    let step = prop_oneof![any::<u64>().prop_map(Value::from), json()];
    (prop::collection::btree_map(key(), json(), 0..8), step).prop_map(|(map, step)| {
        let mut map: serde_json::Map<_, _> = map.into_iter().collect();
        map.insert("step_index".into(), step);
        Value::Object(map)
    })
}

proptest! {
    #[test]
    fn a_record_is_what_a_json_library_reads(value in object(), pretty: bool, pieces in prop::collection::vec(0usize..20, 0..20)) {
        let line = if pretty { serde_json::to_string_pretty(&value) } else { serde_json::to_string(&value) }.unwrap();
        prop_assert_eq!(scan(line.as_bytes(), &pieces), expected(line.as_bytes()));
    }

    #[test]
    fn a_damaged_line_is_a_record_only_if_a_json_library_says_so(
        value in object(),
        at in any::<prop::sample::Index>(),
        byte in prop_oneof![any::<u8>(), prop::sample::select(br#"{}[],:"\0-+.eE ux"#.to_vec())],
        how in 0..3,
        pieces in prop::collection::vec(0usize..20, 0..20),
    ) {
        let mut line = serde_json::to_vec(&value).unwrap();
        let at = at.index(line.len());
        match how {
            0 => line[at] = byte,
            1 => { line.remove(at); }
            _ => line.insert(at, byte),
        }
        // A JSON library takes the last of two equal keys and refuses bytes that are no UTF-8. The scanner
        // takes neither of the keys, and replaces the bytes.
        let said = scan(&line, &pieces);
        if std::str::from_utf8(&line).is_ok() {
            match (said, expected(&line)) {
                (None, Some(_)) => prop_assert!(has_a_key_twice(&line)),
                // The library has limits of its own: numbers out of range, half of a surrogate pair.
                (Some(_), None) => prop_assert!(is_json(&line)),
                (said, expected) => prop_assert_eq!(said, expected),
            }
        }
    }

    #[test]
    fn any_bytes_in_any_pieces_are_read_the_same(line in prop::collection::vec(any::<u8>(), 0..200), pieces in prop::collection::vec(0usize..20, 0..20)) {
        prop_assert_eq!(scan(&line, &pieces), scan(&line, &[]));
    }

    #[test]
    fn lines_are_the_text_split_at_newlines(
        text in prop::collection::vec(prop_oneof![3 => Just(b'\n'), 9 => any::<u8>()], 0..300),
        buffer in 1usize..40,
        from in 0u64..300,
        to in 0u64..320,
    ) {
        let mut source = Source::new(Cursor::new(&text), text.len() as u64);
        let mut buffer = vec![0; buffer];
        let mut lines = Lines::new(&mut source, &mut buffer, from, to);
        let mut found: Vec<(u64, Vec<u8>)> = Vec::new();
        let mut open = false;
        while let Some(piece) = lines.next().unwrap() {
            prop_assert_eq!(piece.first, !open);
            if piece.first {
                found.push((piece.offset, Vec::new()));
            }
            let (offset, line) = found.last_mut().unwrap();
            prop_assert_eq!(piece.offset, *offset);
            line.extend_from_slice(piece.bytes);
            open = !piece.last;
        }
        prop_assert!(!open);
        prop_assert_eq!(found, split(&text, from, to));
    }
}

fn is_json(line: &[u8]) -> bool {
    serde_json::from_slice::<serde::de::IgnoredAny>(line).is_ok()
}

/// Whether one of the known keys stands twice in the outermost object.
fn has_a_key_twice(line: &[u8]) -> bool {
    struct Keys(Vec<String>);
    impl<'de> serde::de::Visitor<'de> for Keys {
        type Value = Vec<String>;
        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("an object")
        }
        fn visit_map<A: serde::de::MapAccess<'de>>(
            mut self,
            mut map: A,
        ) -> Result<Self::Value, A::Error> {
            while let Some((key, serde::de::IgnoredAny)) = map.next_entry()? {
                self.0.push(key);
            }
            Ok(self.0)
        }
    }
    use serde::Deserializer;
    let keys = serde_json::Deserializer::from_slice(line).deserialize_map(Keys(Vec::new()));
    let mut known: Vec<String> = keys.unwrap();
    known.retain(|key| {
        [
            "step_index",
            "source",
            "type",
            "status",
            "created_at",
            "content",
        ]
        .contains(&key.as_str())
    });
    let all = known.len();
    known.sort();
    known.dedup();
    known.len() < all
}

/// The lines that begin in `[from, to)`, cut at `to`, with their offsets.
fn split(text: &[u8], from: u64, to: u64) -> Vec<(u64, Vec<u8>)> {
    let to = to.min(text.len() as u64);
    let mut offset = 0;
    let mut lines = Vec::new();
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        let end = offset + line.len() as u64;
        if offset >= from && offset < to {
            let cut = &text[offset as usize..end.min(to) as usize];
            lines.push((offset, cut.strip_suffix(b"\n").unwrap_or(cut).to_vec()));
        }
        offset = end;
    }
    lines
}

#[test]
fn the_start_of_a_long_content_is_kept() {
    let content = "\u{e9}\n".repeat(CONTENT_KEPT);
    let line = common::record(1, "MODEL", "GENERIC", "DONE", &content);
    let said = scan(line.as_bytes(), &[]).unwrap();
    let kept = said.fields[4].as_deref().unwrap();
    assert_eq!(
        kept.len(),
        CONTENT_KEPT / 4 * 3,
        "two bytes and an escape of two for three"
    );
    assert!(content.starts_with(kept));
}

#[test]
fn nesting_is_followed_as_far_as_a_json_library_does() {
    for (depth, whole) in [(100, true), (126, true), (127, false), (100_000, false)] {
        let line = format!(
            "{{\"step_index\":1,\"x\":{}{}}}",
            "[".repeat(depth),
            "]".repeat(depth)
        );
        assert_eq!(scan(line.as_bytes(), &[]).is_some(), whole, "{depth}");
        assert_eq!(expected(line.as_bytes()).is_some(), whole, "{depth}");
    }
}
