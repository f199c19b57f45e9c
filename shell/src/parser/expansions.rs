//! What begins with `$` or a backtick, and `<(…)`.

use super::Parser;
use super::braces::Group;
use super::simple::name_length;
use crate::script::Problem;
use crate::span::Span;
use crate::syntax::{List, Part, PartKind};

impl Parser<'_> {
    /// Reads what the `$` at the position begins. `quoted`: in double quotes, where `$'` is plain.
    pub(super) fn dollar(&mut self, quoted: bool) -> Part {
        let start = self.cursor.pos;
        match self.cursor.peek_at(1) {
            Some(b'(') => self.dollar_parenthesis(),
            Some(b'{') => self.parameter(quoted),
            Some(b'[') => {
                self.cursor.bump(2);
                self.arithmetic_group(start, b'[', b']')
            }
            Some(b'\'') if !quoted => self.ansi_c(),
            Some(b'"') if !quoted => {
                self.cursor.bump(1);
                let mut part = self.double_quoted();
                part.span.start = start;
                part
            }
            // `$\` and a line end: bash joins the lines first.
            Some(b'\\') if self.cursor.peek_at(2) == Some(b'\n') => {
                self.cursor.fail(Problem::Unexpected);
                self.made(start, PartKind::Literal)
            }
            Some(byte) => self.plain_variable(byte),
            None => {
                self.cursor.bump(1);
                self.made(start, PartKind::Literal)
            }
        }
    }

    fn plain_variable(&mut self, byte: u8) -> Part {
        let start = self.cursor.pos;
        let length = match byte {
            b'@' | b'*' | b'#' | b'?' | b'-' | b'$' | b'!' | b'0'..=b'9' => 1,
            _ => name_length(&self.cursor.rest()[1..]),
        };
        self.cursor.bump(1 + length);
        // A name that a continued line cuts in two is one name for bash.
        if length > 0
            && self.cursor.looking_at(b"\\\n")
            && name_length(self.cursor.rest().get(2..).unwrap_or(b"")) > 0
        {
            self.cursor.fail(Problem::Unexpected);
        }
        let name = Span::new(start + 1, start + 1 + length);
        self.made(
            start,
            if length == 0 {
                PartKind::Literal
            } else {
                PartKind::Variable(name)
            },
        )
    }

    /// `$'…'`
    fn ansi_c(&mut self) -> Part {
        let start = self.cursor.pos;
        self.cursor.bump(2);
        loop {
            match guard_scan::memchr2(b'\'', b'\\', self.cursor.rest()) {
                None => {
                    self.cursor.fail(Problem::Unclosed);
                    break;
                }
                Some(length) => {
                    self.cursor.bump(length);
                    if self.cursor.eat(b'\'') {
                        break;
                    }
                    self.cursor.bump(1);
                    self.cursor.bump_char();
                }
            }
            if self.cursor.problem.is_some() {
                break;
            }
        }
        self.made(start, PartKind::AnsiC)
    }

    /// `${…}`
    fn parameter(&mut self, quoted: bool) -> Part {
        let start = self.cursor.pos;
        self.cursor.bump(2);
        // `${ …; }` and `${| …; }` of bash 5.3 run commands; older ones call them a bad substitution.
        if matches!(self.cursor.peek(), Some(b' ' | b'\t' | b'\n' | b'|')) {
            self.cursor.fail(Problem::Unexpected);
        }
        if matches!(self.cursor.peek(), Some(b'!' | b'#')) && self.cursor.peek_at(1) != Some(b'}') {
            self.cursor.bump(1);
        }
        let name = self.parameter_name();
        let group = if quoted {
            Group::QuotedParameter
        } else {
            Group::Parameter
        };
        let mut rest = Vec::new();
        if self.cursor.enter() {
            rest = self.group(0, b'}', group);
            self.cursor.leave();
        }
        self.made(start, PartKind::Parameter { name, rest })
    }

    fn parameter_name(&mut self) -> Span {
        let start = self.cursor.pos;
        let rest = self.cursor.rest();
        let length = match rest.first() {
            Some(b'@' | b'*' | b'#' | b'?' | b'-' | b'$' | b'!') => 1,
            Some(b'0'..=b'9') => rest.iter().take_while(|byte| byte.is_ascii_digit()).count(),
            _ => name_length(rest),
        };
        self.cursor.bump(length);
        Span::new(start, start + length)
    }

    /// `$(…)` or `$((…))`
    fn dollar_parenthesis(&mut self) -> Part {
        let start = self.cursor.pos;
        if self.cursor.peek_at(2) == Some(b'(') {
            match self.double_parenthesis_end(start + 1) {
                Parentheses::Arithmetic => {
                    self.cursor.bump(3);
                    let part = self.arithmetic_group(start, b'(', b')');
                    return self.closed_twice(part);
                }
                Parentheses::Unclosed => self.cursor.fail(Problem::Unclosed),
                Parentheses::Commands => return self.doubtful_substitution(),
            }
        }
        self.cursor.bump(2);
        let list = self.substituted_list();
        self.made(start, PartKind::CommandSubstitution(list))
    }

    /// `$((…) …)`: bash finds its end by counting parentheses and not by the grammar; both must agree.
    fn doubtful_substitution(&mut self) -> Part {
        let start = self.cursor.pos;
        let end = self.matching(start + 1, b'(', b')');
        self.cursor.bump(2);
        let list = self.substituted_list();
        if end.is_none_or(|end| end + 1 != self.cursor.pos) {
            self.cursor.fail(Problem::Unexpected);
        }
        self.made(start, PartKind::CommandSubstitution(list))
    }

    /// Goes past the second `)` of `))`.
    fn closed_twice(&mut self, mut part: Part) -> Part {
        if !self.cursor.eat(b')') {
            self.unexpected();
        }
        part.span.end = self.cursor.pos;
        part
    }

    fn arithmetic_group(&mut self, start: usize, open: u8, close: u8) -> Part {
        let mut parts = Vec::new();
        if self.cursor.enter() {
            parts = self.group(open, close, Group::Arithmetic);
            self.cursor.leave();
        }
        self.made(start, PartKind::Arithmetic(parts))
    }

    /// `<(…)` or `>(…)`
    pub(super) fn process_substitution(&mut self) -> Part {
        let start = self.cursor.pos;
        let input = self.cursor.peek() == Some(b'<');
        self.cursor.bump(2);
        let body = self.substituted_list();
        self.made(start, PartKind::ProcessSubstitution { input, body })
    }

    /// The commands up to and past the `)`. The here-documents in them are theirs alone.
    fn substituted_list(&mut self) -> List {
        let outer = std::mem::take(&mut self.pending);
        let extended_globs = std::mem::replace(&mut self.extended_globs, false);
        let mut list = List::default();
        if self.cursor.enter() {
            list = self.list();
            self.cursor.leave();
        }
        if !self.pending.is_empty() {
            self.cursor.fail(Problem::UnclosedHereDocument);
        }
        if !self.cursor.eat(b')') {
            self.unexpected();
        }
        self.pending = outer;
        self.extended_globs = extended_globs;
        list
    }

    /// Backticks: their text ends at the first backtick without a backslash, whatever it holds.
    pub(super) fn backticks(&mut self, quoted: bool) -> Part {
        let start = self.cursor.pos;
        self.cursor.bump(1);
        let mut inner = String::new();
        loop {
            let rest = self.cursor.rest();
            let Some(length) = guard_scan::memchr2(b'`', b'\\', rest) else {
                self.cursor.fail(Problem::Unclosed);
                break;
            };
            inner.push_str(&self.cursor.text[self.cursor.pos..self.cursor.pos + length]);
            self.cursor.bump(length);
            if self.cursor.eat(b'`') || self.cursor.problem.is_some() {
                break;
            }
            self.cursor.bump(1);
            let escaped = self.cursor.peek();
            let taken =
                matches!(escaped, Some(b'`' | b'\\' | b'$')) || (quoted && escaped == Some(b'"'));
            if !taken {
                inner.push('\\');
            } else if let Some(byte) = escaped {
                inner.push(char::from(byte));
                self.cursor.bump(1);
            }
        }
        let script = if self.cursor.problem.is_none() && self.cursor.enter() {
            let script = self.nested(inner);
            self.cursor.leave();
            script
        } else {
            crate::script::Script::empty()
        };
        self.made(start, PartKind::Backticks(Box::new(script)))
    }

    /// What the `((` at `open` begins. bash looks for the partner of the inner parenthesis and calls it
    /// arithmetic if another `)` follows; else it is a subshell in a subshell.
    pub(super) fn double_parenthesis_end(&mut self, open: usize) -> Parentheses {
        match self.matching(open + 1, b'(', b')') {
            None => Parentheses::Unclosed,
            Some(close) if self.cursor.text.as_bytes().get(close + 1) == Some(&b')') => {
                Parentheses::Arithmetic
            }
            Some(_) => Parentheses::Commands,
        }
    }
}

/// What a double parenthesis begins.
pub(super) enum Parentheses {
    Arithmetic,
    Commands,
    Unclosed,
}
