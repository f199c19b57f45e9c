//! Whether a record is one that is asked for, and where in it.

use super::calls::calls;
use super::clean::clean;
use super::entry::{Entry, Role};
use super::needle::Needle;
use super::show::MAX_CALLS;
use super::spans::{Field, Kind};
use super::window;
use crate::source::Source;
use std::io::{self, Read, Seek};

/// Bytes of a text that are decoded at a time.
const WINDOW: usize = 1 << 20;
/// Bytes of one window that the next one begins with, so that a match across the edge is seen. A match of a pattern that is longer
/// can be missed.
const OVERLAP: usize = 16 * 1024;
/// Bytes shown before and behind a match.
const AROUND: usize = 160;

/// Which records, and which of their fields.
#[derive(Debug, Clone)]
pub(crate) struct Filter {
    pub(crate) needle: Needle,
    /// Roles that count; empty is all.
    pub(crate) roles: Vec<Role>,
    pub(crate) start_step: u64,
    pub(crate) end_step: u64,
    pub(crate) thinking: bool,
    pub(crate) tool_calls: bool,
    /// Whether arguments of tool calls may be encoded a second time in the file that is searched.
    pub(crate) encoded: bool,
}

/// Where a match is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Hit {
    pub(crate) field: String,
    /// The text around it.
    pub(crate) around: String,
}

impl Filter {
    /// Whether a record can count, by what its head says.
    pub(crate) fn admits(&self, step: u64, role: Role) -> bool {
        (self.start_step..=self.end_step).contains(&step)
            && (self.roles.is_empty() || self.roles.contains(&role))
    }

    /// The first match in a record's fields.
    pub(crate) fn hit<R: Read + Seek>(
        &self,
        entry: &Entry,
        source: &mut Source<R>,
    ) -> io::Result<Option<Hit>> {
        if !self.admits(entry.step, entry.role) {
            return Ok(None);
        }
        if matches!(self.needle, Needle::All) {
            return Ok(Some(Hit {
                field: String::new(),
                around: String::new(),
            }));
        }
        for name in ["content", "error", "thinking", "tool_calls"] {
            let wanted = match name {
                "thinking" => self.thinking,
                "tool_calls" => self.tool_calls,
                _ => true,
            };
            let Some(field) = entry.field(name).filter(|_| wanted) else {
                continue;
            };
            let around = if field.kind == Kind::Nested && field.len() <= MAX_CALLS {
                self.in_calls(source, field)?
            } else {
                self.in_text(source, field)?
            };
            if let Some(around) = around {
                let field = name.to_owned();
                return Ok(Some(Hit { field, around }));
            }
        }
        Ok(None)
    }

    fn in_calls<R: Read + Seek>(
        &self,
        source: &mut Source<R>,
        field: &Field,
    ) -> io::Result<Option<String>> {
        let raw = window::raw(source, field, MAX_CALLS)?;
        for call in calls(&raw, self.encoded) {
            let texts = call.telling().map(|(_, value)| value.as_str());
            for text in texts.chain([call.name.as_str()]) {
                let text = clean(text);
                if let Some(found) = self.needle.find(&text) {
                    return Ok(Some(format!("{}: {}", call.name, around(&text, found))));
                }
            }
        }
        Ok(None)
    }

    fn in_text<R: Read + Seek>(
        &self,
        source: &mut Source<R>,
        field: &Field,
    ) -> io::Result<Option<String>> {
        let mut at = 0;
        loop {
            let window = window::starting_at(source, field, at, WINDOW)?;
            let last = window.to >= field.len();
            let found = self.needle.find(&window.text);
            // A match that touches the edge may be none, or go on: the next window tells.
            if let Some(found) = found.filter(|(_, end)| last || *end < window.text.len()) {
                return Ok(Some(around(&window.text, found)));
            }
            if last {
                return Ok(None);
            }
            let step = (window.to - window.from).saturating_sub(OVERLAP as u64);
            at = window.from + step.max(1);
        }
    }
}

/// A match with what stands around it.
fn around(text: &str, (start, end): (usize, usize)) -> String {
    let before = super::markdown::end(&text[..start], AROUND);
    let shown = super::markdown::start(&text[start..end], AROUND);
    let after = if shown.len() < end - start {
        ""
    } else {
        super::markdown::start(&text[end..], AROUND)
    };
    let left = if before.len() < start { "…" } else { "" };
    let right = if start + shown.len() + after.len() < text.len() {
        "…"
    } else {
        ""
    };
    format!("{left}{before}{shown}{after}{right}")
}
