//! Reserved words, seen only where bash takes a command to begin.

use super::Parser;
use crate::script::Problem;

/// Bytes that end an unquoted word.
pub(super) const fn ends_word(byte: u8) -> bool {
    matches!(
        byte,
        b' ' | b'\t' | b'\n' | b';' | b'&' | b'|' | b'(' | b')' | b'<' | b'>'
    )
}

/// The words that open, divide or close a construct.
pub(super) const RESERVED: [&str; 22] = [
    "if", "then", "elif", "else", "fi", "case", "esac", "for", "select", "while", "until", "do",
    "done", "in", "function", "time", "{", "}", "!", "[[", "]]", "coproc",
];

/// The reserved words that can't begin a command: they end a list.
const CLOSERS: [&str; 10] = [
    "then", "elif", "else", "fi", "esac", "do", "done", "}", "in", "]]",
];

/// The reserved words that begin a compound command.
const OPENERS: [&str; 9] = [
    "if", "case", "for", "select", "while", "until", "{", "[[", "function",
];

/// The longest reserved word, `function`, in bytes.
const LONGEST: usize = 8;

impl Parser<'_> {
    /// The unquoted word at the position if it is short enough to be a reserved one.
    fn short_word(&self) -> Option<&str> {
        if self.cursor.problem.is_some() {
            return None;
        }
        let rest = self.cursor.rest();
        let window = &rest[..rest.len().min(LONGEST + 1)];
        let length = window
            .iter()
            .position(|&byte| ends_word(byte))
            .unwrap_or(window.len());
        if length == 0 || length > LONGEST {
            return None;
        }
        std::str::from_utf8(&window[..length]).ok()
    }

    /// Whether the reserved word `word` is at the position.
    pub(super) fn at_reserved(&self, word: &str) -> bool {
        self.short_word() == Some(word)
    }

    /// Whether a reserved word that ends a list is at the position.
    pub(super) fn at_closer(&self) -> bool {
        self.short_word()
            .is_some_and(|word| CLOSERS.contains(&word))
    }

    /// Whether a compound command begins at the position.
    pub(super) fn at_compound(&self) -> bool {
        self.cursor.peek() == Some(b'(')
            || self
                .short_word()
                .is_some_and(|word| OPENERS.contains(&word))
    }

    /// Goes past the reserved word `word` if it is next.
    pub(super) fn eat_reserved(&mut self, word: &str) -> bool {
        let found = self.at_reserved(word);
        if found {
            self.cursor.bump(word.len());
        }
        found
    }

    /// Goes past the reserved word `word`, which must be next.
    pub(super) fn expect_reserved(&mut self, word: &str) {
        if !self.eat_reserved(word) {
            self.unexpected();
        }
    }

    /// Notes that the text can't go on as it does here: unclosed at the end, else unexpected.
    pub(super) fn unexpected(&mut self) {
        let problem = if self.cursor.peek().is_none() {
            Problem::Unclosed
        } else {
            Problem::Unexpected
        };
        self.cursor.fail(problem);
    }
}
