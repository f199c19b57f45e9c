//! Where in a line each field of its record stands. Values stay in the file: a field of 50 MB costs no memory until
//! a part of it is asked for.

use crate::text::decode;
use std::borrow::Cow;

/// Bytes kept of a key, and of a value that is short.
const KEPT: usize = 192;
/// Fields of one record that are noted. Seen: 10.
const MAX_FIELDS: usize = 48;

/// The type of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Text,
    /// A number, `true`, `false` or `null`.
    Plain,
    /// An array or an object.
    Nested,
}

/// A field of a record's outermost object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Field {
    pub(crate) name: Cow<'static, str>,
    pub(crate) kind: Kind,
    /// Place of the value in its JSON form, of a text without the quotes.
    pub(crate) from: u64,
    pub(crate) to: u64,
    /// Whether the place is one in `transcript_full.jsonl`.
    pub(crate) in_full: bool,
}

impl Field {
    /// The size of the value in bytes of its JSON form.
    pub(crate) fn len(&self) -> u64 {
        self.to - self.from
    }
}

/// Names that the host uses: they cost no memory of their own.
const NAMES: [&str; 11] = [
    "step_index",
    "source",
    "type",
    "status",
    "created_at",
    "content",
    "tool_calls",
    "exit_code",
    "error",
    "thinking",
    "truncated_fields",
];

fn name_of(key: &[u8]) -> Cow<'static, str> {
    match NAMES.iter().find(|name| name.as_bytes() == key) {
        Some(name) => Cow::Borrowed(*name),
        None => Cow::Owned(decode(key).into_owned()),
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// In the outermost object, where a key may begin.
    Key,
    InKey,
    /// Between a key and its value.
    Colon,
    InText,
    InPlain,
    /// In an array or object, this deep.
    Nested(u32),
    NestedText(u32),
}

/// Finds the fields of a line that is pushed in pieces. Does not judge the syntax: of a text that is no JSON object what it
/// gives means nothing.
#[derive(Debug)]
pub(crate) struct Spans {
    state: State,
    escaped: bool,
    at: u64,
    key: Vec<u8>,
    pub(crate) fields: Vec<Field>,
    /// The starts of the values one after the other, and where in it that of each field is.
    kept: Vec<u8>,
    kept_at: Vec<(usize, usize)>,
}

impl Spans {
    /// For a line that begins at `offset`.
    pub(crate) fn new(offset: u64) -> Self {
        Self {
            state: State::Key,
            escaped: false,
            at: offset,
            key: Vec::new(),
            fields: Vec::with_capacity(NAMES.len()),
            kept: Vec::with_capacity(4 * KEPT),
            kept_at: Vec::with_capacity(NAMES.len()),
        }
    }

    /// The value of a field in its JSON form, if it is a short one.
    pub(crate) fn short(&self, name: &str) -> Option<&[u8]> {
        let index = self.fields.iter().position(|field| field.name == name)?;
        self.short_at(index)
    }

    fn short_at(&self, index: usize) -> Option<&[u8]> {
        let (from, to) = *self.kept_at.get(index)?;
        let whole = (to - from) as u64 == self.fields[index].len();
        whole.then(|| &self.kept[from..to])
    }

    pub(crate) fn push(&mut self, bytes: &[u8]) {
        let mut at = 0;
        while at < bytes.len() {
            let used = match self.state {
                State::InKey | State::InText | State::NestedText(_) => self.text(&bytes[at..]),
                _ => {
                    self.byte(bytes[at]);
                    1
                }
            };
            at += used;
            self.at += used as u64;
        }
    }

    /// The inside of a string up to its end or the piece's; returns the bytes used.
    fn text(&mut self, bytes: &[u8]) -> usize {
        if self.escaped {
            self.escaped = false;
            self.keep(&bytes[..1]);
            return 1;
        }
        let Some(at) = memchr::memchr2(b'"', b'\\', bytes) else {
            self.keep(bytes);
            return bytes.len();
        };
        if bytes[at] == b'\\' {
            self.escaped = true;
            self.keep(&bytes[..=at]);
            return at + 1;
        }
        let nested = matches!(self.state, State::NestedText(_));
        self.keep(&bytes[..at + usize::from(nested)]);
        self.state = match self.state {
            State::InKey => State::Colon,
            State::NestedText(depth) => State::Nested(depth),
            _ => {
                self.close(self.at + at as u64);
                State::Key
            }
        };
        at + 1
    }

    fn byte(&mut self, byte: u8) {
        match (self.state, byte) {
            (State::Key, b'"') => {
                self.key.clear();
                self.state = State::InKey;
            }
            (State::Colon, b' ' | b'\t' | b'\r' | b':') => {}
            (State::Colon, b'"') => self.open(Kind::Text, self.at + 1, State::InText),
            (State::Colon, b'{' | b'[') => {
                self.open(Kind::Nested, self.at, State::Nested(1));
                self.keep(&[byte]);
            }
            (State::Colon, _) => {
                self.open(Kind::Plain, self.at, State::InPlain);
                self.keep(&[byte]);
            }
            (State::InPlain, b',' | b'}' | b' ' | b'\t' | b'\r') => {
                self.close(self.at);
                self.state = State::Key;
            }
            (State::InPlain, _) => self.keep(&[byte]),
            (State::Nested(depth), _) => {
                self.keep(&[byte]);
                self.nested(depth, byte);
            }
            _ => {}
        }
    }

    fn nested(&mut self, depth: u32, byte: u8) {
        self.state = match byte {
            b'"' => State::NestedText(depth),
            b'{' | b'[' => State::Nested(depth + 1),
            b'}' | b']' if depth == 1 => {
                self.close(self.at + 1);
                State::Key
            }
            b'}' | b']' => State::Nested(depth - 1),
            _ => return,
        };
    }

    fn open(&mut self, kind: Kind, from: u64, state: State) {
        self.state = state;
        if self.fields.len() == MAX_FIELDS {
            // One too many takes the last one's place, so that the first ones stay right.
            self.fields.pop();
            self.kept_at.pop();
        }
        self.fields.push(Field {
            name: name_of(&self.key),
            kind,
            from,
            to: from,
            in_full: false,
        });
        self.kept_at.push((self.kept.len(), self.kept.len()));
    }

    fn close(&mut self, to: u64) {
        if let Some(field) = self.fields.last_mut() {
            field.to = to;
        }
    }

    fn keep(&mut self, bytes: &[u8]) {
        if self.state == State::InKey {
            let room = KEPT - self.key.len().min(KEPT);
            self.key.extend_from_slice(&bytes[..bytes.len().min(room)]);
        } else if let Some((from, to)) = self.kept_at.last_mut() {
            let room = KEPT - (*to - *from).min(KEPT);
            self.kept.extend_from_slice(&bytes[..bytes.len().min(room)]);
            *to = self.kept.len();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::Value;

    fn spans(line: &[u8], piece: usize) -> Spans {
        let mut spans = Spans::new(0);
        line.chunks(piece).for_each(|part| spans.push(part));
        spans
    }

    fn value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<String>().prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 24, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::btree_map(any::<String>(), inner, 0..4)
                    .prop_map(|map| Value::Object(map.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn finds_each_field_where_a_json_library_wrote_it(
            object in prop::collection::btree_map("[a-z_\"\\\\{]{1,12}", value(), 0..8),
            piece in 1_usize..40,
        ) {
            let line = serde_json::to_string(&object).unwrap();
            let spans = spans(line.as_bytes(), piece);
            let found = &spans.fields;
            prop_assert_eq!(found.len(), object.len());
            for (index, (field, (name, value))) in found.iter().zip(&object).enumerate() {
                prop_assert_eq!(&field.name, name);
                let raw = &line[field.from as usize..field.to as usize];
                let raw = if field.kind == Kind::Text { format!("\"{raw}\"") } else { raw.to_owned() };
                prop_assert_eq!(&serde_json::from_str::<Value>(&raw).unwrap(), value);
                if let Some(short) = spans.short_at(index) {
                    prop_assert_eq!(short, &line.as_bytes()[field.from as usize..field.to as usize]);
                }
            }
        }

        #[test]
        fn never_panics(line in any::<Vec<u8>>(), piece in 1_usize..9) {
            spans(&line, piece);
        }
    }
}
