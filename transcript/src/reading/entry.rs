//! One record as it is shown: its short fields, and where the long ones stand.

use super::spans::{Field, Kind, Spans};
use crate::lines::{LINE_BUFFER, Lines};
use crate::source::Source;
use crate::syntax::{Events, Kind as SyntaxKind, Syntax};
use crate::text::decode;
use std::io::{self, Read, Seek};

/// Who speaks in a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Role {
    /// The user's own words.
    User,
    /// The model: what it says, thinks and calls.
    Assistant,
    /// What a tool call gave.
    Tool,
    /// The host: messages of background tasks, timers and rules.
    System,
}

impl Role {
    /// Its name, as it is shown and asked for.
    pub fn name(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Assistant => "assistant",
            Self::Tool => "tool",
            Self::System => "system",
        }
    }

    /// The role with this name; `model` is the assistant too.
    pub fn from_name(name: &str) -> Option<Self> {
        match name.to_ascii_lowercase().as_str() {
            "user" => Some(Self::User),
            "assistant" | "model" => Some(Self::Assistant),
            "tool" => Some(Self::Tool),
            "system" => Some(Self::System),
            _ => None,
        }
    }

    pub(crate) fn of(source: &[u8], kind: &[u8]) -> Self {
        match kind {
            b"USER_INPUT" if !matches!(source, b"MODEL" | b"SYSTEM") => Self::User,
            b"PLANNER_RESPONSE" => Self::Assistant,
            b"ERROR_MESSAGE" => Self::Tool,
            _ if source == b"MODEL" => Self::Tool,
            _ => Self::System,
        }
    }
}

/// A record. Offsets are those of the source it was read from.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    pub(crate) step: u64,
    pub(crate) role: Role,
    pub(crate) kind: String,
    pub(crate) status: String,
    pub(crate) created_at: String,
    pub(crate) exit_code: Option<i64>,
    /// Names of fields that the host cut in this file.
    pub(crate) truncated: Vec<String>,
    pub(crate) fields: Vec<Field>,
}

impl Entry {
    /// The record in the line `[start, end)`, if it is a whole one.
    pub(crate) fn read<R: Read + Seek>(
        source: &mut Source<R>,
        start: u64,
        end: u64,
    ) -> io::Result<Option<Self>> {
        let size = usize::try_from(end - start).unwrap_or(LINE_BUFFER);
        let mut buffer = vec![0; (size + 1).clamp(64, LINE_BUFFER)];
        let mut parser = Parser::new(start);
        let mut lines = Lines::new(source, &mut buffer, start, end);
        while let Some(piece) = lines.next()? {
            if piece.offset == start {
                parser.push(piece.bytes);
            }
        }
        Ok(parser.entry())
    }

    /// The record in a line that is in memory and begins at `offset`.
    pub(crate) fn parse(line: &[u8], offset: u64) -> Option<Self> {
        let mut parser = Parser::new(offset);
        parser.push(line);
        parser.entry()
    }

    pub(crate) fn field(&self, name: &str) -> Option<&Field> {
        self.fields.iter().find(|field| field.name == name)
    }

    /// Whether the host cut this field here.
    pub(crate) fn is_cut(&self, name: &str) -> bool {
        self.truncated.iter().any(|cut| cut == name)
    }
}

struct Parser {
    syntax: Syntax,
    sane: bool,
    offset: u64,
    /// A file system that lost its last writes leaves NUL bytes in their place, and the host's next record follows.
    leading: bool,
    spans: Spans,
}

impl Parser {
    fn new(offset: u64) -> Self {
        Self {
            syntax: Syntax::new(),
            sane: true,
            offset,
            leading: true,
            spans: Spans::new(offset),
        }
    }

    fn push(&mut self, mut bytes: &[u8]) {
        if self.leading {
            let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
            self.offset += zeros as u64;
            bytes = &bytes[zeros..];
            if bytes.is_empty() {
                return;
            }
            self.leading = false;
            self.spans = Spans::new(self.offset);
        }
        self.sane = self.sane && self.syntax.push(bytes, &mut Unheard);
        if self.sane {
            self.spans.push(bytes);
        }
    }

    fn entry(self) -> Option<Entry> {
        if !self.sane || !self.syntax.is_complete() {
            return None;
        }
        let spans = &self.spans;
        let is_plain = |name: &str| {
            let field = spans.fields.iter().find(|field| field.name == name);
            field.is_some_and(|field| field.kind != Kind::Nested)
        };
        let plain = |name: &str| spans.short(name).filter(|_| is_plain(name));
        let word = |name: &str| plain(name).map(|raw| decode(raw).into_owned());
        let number = |name: &str| std::str::from_utf8(plain(name)?).ok()?.parse::<u64>().ok();
        let kind = plain("type").unwrap_or_default();
        let source = plain("source").unwrap_or_default();
        let truncated = spans
            .short("truncated_fields")
            .map_or_else(Vec::new, |list| {
                serde_json::from_slice(list).unwrap_or_default()
            });
        Some(Entry {
            step: number("step_index")?,
            role: Role::of(source, kind),
            kind: decode(kind).into_owned(),
            status: word("status").unwrap_or_default(),
            created_at: word("created_at").unwrap_or_default(),
            exit_code: plain("exit_code")
                .and_then(|raw| std::str::from_utf8(raw).ok()?.parse().ok()),
            truncated,
            fields: self.spans.fields,
        })
    }
}

/// Takes nothing from the syntax but whether it is right.
struct Unheard;

impl Events for Unheard {
    fn key(&mut self) {}
    fn value(&mut self, _: SyntaxKind) {}
    fn bytes(&mut self, _: &[u8]) -> bool {
        false
    }
    fn key_end(&mut self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    const LINE: &str = r#"{"step_index":22,"source":"MODEL","type":"RUN_COMMAND","status":"DONE","exit_code":-1,"created_at":"2026-11-30T15:41:26Z","content":"a \"b\"","truncated_fields":["content"]}"#;

    #[test]
    fn a_record_is_read_from_a_file_as_from_memory() {
        let text = format!("{{}}\n{LINE}\n{{}}");
        let mut source = Source::new(Cursor::new(text.as_bytes()), text.len() as u64);
        let end = 3 + LINE.len() as u64;
        let read = Entry::read(&mut source, 3, end).unwrap().unwrap();
        let parsed = Entry::parse(LINE.as_bytes(), 3).unwrap();
        for entry in [read, parsed] {
            assert_eq!(
                (entry.step, entry.role, entry.exit_code),
                (22, Role::Tool, Some(-1))
            );
            assert_eq!(entry.kind, "RUN_COMMAND");
            assert!(entry.is_cut("content") && !entry.is_cut("error"));
            let content = entry.field("content").unwrap();
            assert_eq!(
                &text[content.from as usize..content.to as usize],
                r#"a \"b\""#
            );
        }
    }

    #[test]
    fn a_line_that_is_cut_is_no_record_and_nuls_before_one_are_passed_over() {
        for cut in 0..LINE.len() {
            assert!(Entry::parse(&LINE.as_bytes()[..cut], 0).is_none());
        }
        let holed = ["\0".repeat(9000), LINE.to_owned()].concat();
        assert_eq!(Entry::parse(holed.as_bytes(), 0).unwrap().step, 22);
        assert!(Entry::parse(&[0; 40], 0).is_none());
    }
}
