//! One line to one record, or to none.

use crate::record::{Record, Text};
use crate::syntax::{Events, Kind, Syntax};
use crate::text::append;

/// Bytes of `content` that are kept, in its JSON form. The lines that facts are made of stand at its start; a
/// launch with its description and two long paths has about 1 KB.
pub const CONTENT_KEPT: usize = 2048;

/// Bytes kept of a key and of a short field: longer than any known one even with every character escaped.
const SHORT_KEPT: usize = 192;

const FIELDS: [&str; 6] = [
    "step_index",
    "source",
    "type",
    "status",
    "created_at",
    "content",
];
const STEP: usize = 0;
const CONTENT: usize = 5;

/// Reads a line in pieces of any size and gives its record if the line is one well-formed JSON object.
///
/// Memory is fixed (a few kilobytes), whatever the line's length. Only keys of the outermost object count. A record in which
/// one of the known keys stands twice is void: which of the two the host meant can't be known.
#[derive(Debug)]
pub struct RecordScanner {
    syntax: Syntax,
    sane: bool,
    fields: Fields,
}

impl Default for RecordScanner {
    fn default() -> Self {
        Self::new()
    }
}

impl RecordScanner {
    /// A scanner at the start of a line.
    pub fn new() -> Self {
        Self {
            syntax: Syntax::new(),
            sane: true,
            fields: Fields::default(),
        }
    }

    /// Goes back to the start of a line, keeping the memory.
    pub fn reset(&mut self) {
        self.syntax = Syntax::new();
        self.sane = true;
        self.fields.reset();
    }

    /// Goes on with the line.
    pub fn push(&mut self, bytes: &[u8]) {
        self.sane = self.sane && self.syntax.push(bytes, &mut self.fields);
    }

    /// The record, if what was pushed is a whole one.
    pub fn record(&self) -> Option<Record<'_>> {
        if !self.sane || !self.syntax.is_complete() {
            return None;
        }
        let fields = &self.fields;
        Some(Record {
            step: fields.step()?,
            source: fields.text(1),
            kind: fields.text(2),
            status: fields.text(3),
            created_at: fields.text(4),
            content: fields.text(CONTENT),
        })
    }

    /// The `step_index` if it was pushed already, of a line that may turn out to be malformed: good for finding a
    /// place in the file, not for a fact.
    pub(crate) fn step_so_far(&self) -> Option<u64> {
        self.fields.step()
    }
}

/// A value as it was written.
#[derive(Debug, Default)]
struct Field {
    kind: Option<Kind>,
    raw: Vec<u8>,
    cut: bool,
}

#[derive(Debug, Default)]
struct Fields {
    key: Vec<u8>,
    key_cut: bool,
    /// What the bytes to come belong to.
    into: Target,
    known: [Field; FIELDS.len()],
}

#[derive(Debug, Default, Clone, Copy)]
enum Target {
    #[default]
    Nothing,
    Key,
    Field(usize),
}

impl Fields {
    fn reset(&mut self) {
        self.into = Target::Nothing;
        for field in &mut self.known {
            field.kind = None;
            field.raw.clear();
            field.cut = false;
        }
    }

    /// A text; a short field that was cut is none of the known words, so it counts as absent.
    fn text(&self, index: usize) -> Option<Text<'_>> {
        let field = &self.known[index];
        let usable = field.kind == Some(Kind::String) && (index == CONTENT || !field.cut);
        usable.then(|| Text(&field.raw))
    }

    fn step(&self) -> Option<u64> {
        let field = &self.known[STEP];
        let usable = matches!(field.kind, Some(Kind::String | Kind::Number))
            && !field.cut
            && !field.raw.is_empty()
            && field.raw.iter().all(u8::is_ascii_digit);
        if !usable {
            return None;
        }
        std::str::from_utf8(&field.raw).ok()?.parse().ok()
    }
}

/// Adds as much of `more` as fits; returns whether something did not.
fn keep(kept: &mut Vec<u8>, more: &[u8], limit: usize) -> bool {
    let room = limit - kept.len().min(limit);
    append(kept, &more[..more.len().min(room)]);
    more.len() > room
}

impl Events for Fields {
    fn key(&mut self) {
        self.key.clear();
        self.key_cut = false;
        self.into = Target::Key;
    }

    fn bytes(&mut self, raw: &[u8]) -> bool {
        match self.into {
            Target::Nothing => false,
            Target::Key => {
                self.key_cut = keep(&mut self.key, raw, SHORT_KEPT);
                !self.key_cut
            }
            Target::Field(index) => {
                let limit = if index == CONTENT {
                    CONTENT_KEPT
                } else {
                    SHORT_KEPT
                };
                let field = &mut self.known[index];
                field.cut = keep(&mut field.raw, raw, limit);
                !field.cut
            }
        }
    }

    fn key_end(&mut self) -> bool {
        let name = Text(&self.key);
        let known = FIELDS.iter().position(|known| name.is(known));
        self.into = match known {
            Some(index) if !self.key_cut => Target::Field(index),
            _ => Target::Nothing,
        };
        !matches!(self.into, Target::Field(index) if self.known[index].kind.is_some())
    }

    fn value(&mut self, kind: Kind) {
        if let Target::Field(index) = self.into {
            self.known[index].kind = Some(kind);
        }
    }
}
