//! Words: literal runs, quotes, glob characters.

use super::reserved::ends_word;
use super::{Parser, push};
use crate::script::Problem;
use crate::span::Span;
use crate::syntax::{Part, PartKind, Word};

/// Where a word stands, as far as that changes how it is read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    /// An ordinary word.
    Plain,
    /// The value after `NAME=`: it may be an array.
    Assigned,
    /// An argument of `declare` and its like: `NAME=(…)` is one word.
    Declaring,
    /// The delimiter of a here-document: nothing in it is expanded.
    Delimiter,
}

/// What a word costs beside its bytes, for the memory of its node.
const WORD_STEPS: usize = 8;

impl Parser<'_> {
    /// Reads one word; empty where none is here.
    pub(super) fn word(&mut self, mode: Mode) -> Word {
        let start = self.cursor.pos;
        self.cursor.work(WORD_STEPS);
        let mut parts: Vec<Part> = Vec::new();
        while let Some(byte) = self.cursor.peek() {
            if byte == b'(' && self.opens_array(mode, start, &parts) {
                push(&mut parts, self.array());
            } else if byte == b'(' && self.opens_extended_glob(start) {
                self.extended_glob(&mut parts);
            } else if matches!(byte, b'<' | b'>') && self.cursor.peek_at(1) == Some(b'(') {
                push(&mut parts, self.process_substitution());
            } else if ends_word(byte) {
                break;
            } else {
                push(&mut parts, self.part(byte, mode));
            }
        }
        Word {
            span: Span::new(start, self.cursor.pos),
            parts,
        }
    }

    fn part(&mut self, byte: u8, mode: Mode) -> Part {
        match byte {
            b'\\' => self.backslash(),
            b'\'' => self.single_quoted(),
            b'"' => self.double_quoted(),
            b'`' if mode != Mode::Delimiter => self.backticks(false),
            b'$' if mode != Mode::Delimiter
                || matches!(self.cursor.peek_at(1), Some(b'\'' | b'"')) =>
            {
                self.dollar(false)
            }
            b'`' | b'$' => self.verbatim_sign(),
            b'*' | b'?' | b'[' => {
                let start = self.cursor.pos;
                self.cursor.bump(1);
                self.made(start, PartKind::Glob(byte))
            }
            _ => self.literal_run(),
        }
    }

    /// A `$` or backtick in a here-document's delimiter, where it stands for itself. What bash does with a
    /// substitution there is of no use to anyone; such a line is not understood.
    fn verbatim_sign(&mut self) -> Part {
        let start = self.cursor.pos;
        if self.cursor.peek() == Some(b'`')
            || matches!(self.cursor.peek_at(1), Some(b'(' | b'{' | b'['))
        {
            self.cursor.fail(Problem::Unexpected);
        }
        self.cursor.bump(1);
        self.made(start, PartKind::Literal)
    }

    /// A part from `start` to the position.
    pub(super) fn made(&self, start: usize, kind: PartKind) -> Part {
        Part {
            span: Span::new(start, self.cursor.pos),
            kind,
        }
    }

    fn literal_run(&mut self) -> Part {
        let start = self.cursor.pos;
        let rest = self.cursor.rest();
        let length = rest
            .iter()
            .position(|&byte| !PLAIN[byte as usize])
            .unwrap_or(rest.len())
            .max(1);
        self.cursor.bump(length);
        self.made(start, PartKind::Literal)
    }

    /// A backslash outside quotes.
    pub(super) fn backslash(&mut self) -> Part {
        let start = self.cursor.pos;
        self.cursor.bump(1);
        match self.cursor.peek() {
            None => self.made(start, PartKind::Literal),
            Some(b'\n') => {
                self.cursor.bump(1);
                self.made(start, PartKind::Continuation)
            }
            Some(_) => {
                self.cursor.bump_char();
                self.made(start, PartKind::Escape)
            }
        }
    }

    /// `'…'`
    pub(super) fn single_quoted(&mut self) -> Part {
        let start = self.cursor.pos;
        self.cursor.bump(1);
        match guard_scan::memchr(b'\'', self.cursor.rest()) {
            Some(length) => self.cursor.bump(length + 1),
            None => self.cursor.fail(Problem::Unclosed),
        }
        self.made(start, PartKind::SingleQuoted)
    }

    /// `"…"`; the position is at the quote.
    pub(super) fn double_quoted(&mut self) -> Part {
        let start = self.cursor.pos;
        self.cursor.bump(1);
        if !self.cursor.enter() {
            return self.made(start, PartKind::DoubleQuoted(Vec::new()));
        }
        let parts = self.group(0, b'"', super::braces::Group::DoubleQuotes);
        self.cursor.leave();
        self.made(start, PartKind::DoubleQuoted(parts))
    }

    fn opens_array(&self, mode: Mode, start: usize, parts: &[Part]) -> bool {
        match mode {
            Mode::Assigned => self.cursor.pos == start,
            Mode::Declaring => {
                let text = &self.cursor.text[start..self.cursor.pos];
                let name = super::simple::name_length(text.as_bytes());
                let sign = &text[name..];
                parts.len() == 1 && name > 0 && (sign == "=" || sign == "+=")
            }
            Mode::Plain | Mode::Delimiter => false,
        }
    }

    /// `(…)` after `NAME=`: words, with line ends and comments between them, and no operators.
    fn array(&mut self) -> Part {
        let start = self.cursor.pos;
        let mut words = Vec::new();
        self.cursor.bump(1);
        if self.cursor.enter() {
            loop {
                self.newlines();
                if self.cursor.eat(b')') {
                    break;
                }
                let word = self.word(Mode::Plain);
                if word.span.is_empty() {
                    self.unexpected();
                    break;
                }
                words.push(word);
            }
            self.cursor.leave();
        }
        self.made(start, PartKind::Array(words))
    }

    fn opens_extended_glob(&self, start: usize) -> bool {
        // The text may switch them on itself: `shopt -s extglob`.
        self.cursor.pos > start
            && matches!(
                self.cursor.text.as_bytes()[self.cursor.pos - 1],
                b'?' | b'*' | b'+' | b'@' | b'!'
            )
            && (self.extended_globs || self.cursor.text.contains("extglob"))
    }

    /// `(…)` after one of `?*+@!`, which is part of the pattern.
    fn extended_glob(&mut self, parts: &mut Vec<Part>) {
        let start = self.cursor.pos;
        self.cursor.bump(1);
        if !self.cursor.enter() {
            return;
        }
        let inner = self.group(b'(', b')', super::braces::Group::Pattern);
        self.cursor.leave();
        parts.push(self.made(start, PartKind::ExtendedGlob(inner)));
    }
}

/// Bytes that stand for themselves outside quotes.
const PLAIN: [bool; 256] = {
    let mut table = [true; 256];
    let special = b" \t\n;&|()<>\\'\"`$*?[";
    let mut index = 0;
    while index < special.len() {
        table[special[index] as usize] = false;
        index += 1;
    }
    table
};
