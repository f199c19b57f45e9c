//! Text between a sign and its partner, in which some expansions happen: `"…"`, `${…}`, `$((…))`, `a[…]=`,
//! the body of a here-document.

use super::{Parser, push};
use crate::script::Problem;
use crate::syntax::{Part, PartKind};

/// What the text is in; it decides what is special there.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Group {
    /// `"…"`
    DoubleQuotes,
    /// A here-document whose delimiter is not quoted: as in double quotes, but `"` stands for itself.
    HereDocument,
    /// `${…}` outside double quotes
    Parameter,
    /// `${…}` inside double quotes or a here-document
    QuotedParameter,
    /// `$((…))`, `((…))` and `$[…]`
    Arithmetic,
    /// `a[…]=`
    Index,
    /// `@(…)` and the parentheses of a regular expression
    Pattern,
}

impl Group {
    const fn like_double_quotes(self) -> bool {
        matches!(self, Self::DoubleQuotes | Self::HereDocument)
    }

    const fn special(self, byte: u8, open: u8, close: u8) -> bool {
        match byte {
            _ if byte == open || byte == close => true,
            b'\\' | b'`' | b'$' => true,
            b'\'' | b'"' => !self.like_double_quotes(),
            b'<' | b'>' => matches!(self, Self::Parameter | Self::Pattern),
            _ => false,
        }
    }
}

impl Parser<'_> {
    /// Reads up to and past `close`, over nested pairs of `open` and `close` (`open` is 0 where there are none).
    pub(super) fn group(&mut self, open: u8, close: u8, group: Group) -> Vec<Part> {
        let mut parts = Vec::new();
        let mut nested = 0_usize;
        let mut literal = self.cursor.pos;
        loop {
            let rest = self.cursor.rest();
            let plain = rest
                .iter()
                .position(|&byte| group.special(byte, open, close))
                .unwrap_or(rest.len());
            self.cursor.bump(plain);
            let Some(byte) = self.cursor.peek() else {
                self.flush(&mut parts, literal);
                if group != Group::HereDocument {
                    self.cursor.fail(Problem::Unclosed);
                }
                return parts;
            };
            if byte == close && group != Group::HereDocument {
                if nested == 0 {
                    self.flush(&mut parts, literal);
                    self.cursor.bump(1);
                    return parts;
                }
                nested -= 1;
                self.cursor.bump(1);
            } else if byte == open && open != 0 {
                nested += 1;
                self.cursor.bump(1);
            } else if self.is_plain_here(byte, group) {
                self.cursor.bump(1);
            } else {
                self.flush(&mut parts, literal);
                let part = self.group_part(byte, group);
                push(&mut parts, part);
                literal = self.cursor.pos;
            }
        }
    }

    fn flush(&self, parts: &mut Vec<Part>, from: usize) {
        if self.cursor.pos > from {
            push(parts, self.made(from, PartKind::Literal));
        }
    }

    /// Whether a special byte stands for itself because of what follows it.
    fn is_plain_here(&self, byte: u8, group: Group) -> bool {
        let next = self.cursor.peek_at(1);
        match byte {
            b'<' | b'>' => next != Some(b'('),
            b'\\' if group.like_double_quotes() => {
                let protects = matches!(next, Some(b'$' | b'`' | b'\\' | b'\n'));
                !protects && (next != Some(b'"') || group != Group::DoubleQuotes)
            }
            _ => false,
        }
    }

    fn group_part(&mut self, byte: u8, group: Group) -> Part {
        let quoted = group.like_double_quotes() || group == Group::QuotedParameter;
        match byte {
            b'\\' => self.backslash(),
            b'\'' => self.single_quoted(),
            b'"' => self.double_quoted(),
            b'`' => self.backticks(quoted),
            b'<' | b'>' => self.process_substitution(),
            _ => self.dollar(quoted),
        }
    }

    /// The position of the partner of the `open` at `start`, with quotes and escapes skipped over but nothing
    /// in between understood. `None` where it has none.
    pub(super) fn matching(&mut self, start: usize, open: u8, close: u8) -> Option<usize> {
        let bytes = self.cursor.text.as_bytes();
        let mut depth = 0_usize;
        let mut at = start;
        while let Some(&byte) = bytes.get(at) {
            match byte {
                b'\\' => at += 1,
                b'\'' | b'"' | b'`' => at = closing_quote(bytes, at, byte)?,
                _ if byte == open => depth += 1,
                _ if byte == close => {
                    depth -= 1;
                    if depth == 0 {
                        self.cursor.work(at - start);
                        return Some(at);
                    }
                }
                _ => {}
            }
            at += 1;
        }
        self.cursor.work(bytes.len().saturating_sub(start));
        None
    }
}

/// The position of the quote that closes the one at `at`.
fn closing_quote(bytes: &[u8], at: usize, quote: u8) -> Option<usize> {
    let mut at = at + 1;
    while let Some(&byte) = bytes.get(at) {
        if byte == quote {
            return Some(at);
        }
        at += if byte == b'\\' && quote != b'\'' {
            2
        } else {
            1
        };
    }
    None
}
