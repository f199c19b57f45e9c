//! `[[ … ]]`

use super::Parser;
use super::braces::Group;
use super::reserved::ends_word;
use super::words::Mode;
use crate::script::Problem;
use crate::span::Span;
use crate::syntax::{CommandKind, Part, PartKind, Word};

/// The operators that take a word on either side.
const BINARY: [&str; 15] = [
    "=", "==", "!=", "=~", "<", ">", "-eq", "-ne", "-lt", "-le", "-gt", "-ge", "-nt", "-ot", "-ef",
];

/// The letters of the operators that take one word.
const UNARY: &[u8] = b"abcdefghknoprstuvwxzGLNORS";

impl Parser<'_> {
    /// Reads up to and past `]]`.
    pub(super) fn conditional(&mut self) -> CommandKind {
        let mut words = Vec::new();
        self.newlines();
        if !self.at_reserved("]]") {
            self.disjunction(&mut words);
        }
        self.blanks();
        self.expect_reserved("]]");
        CommandKind::Conditional(words)
    }

    fn disjunction(&mut self, words: &mut Vec<Word>) {
        loop {
            self.test(words);
            self.newlines();
            if !self.cursor.looking_at(b"&&") && !self.cursor.looking_at(b"||") {
                return;
            }
            self.operator(2);
            self.newlines();
        }
    }

    fn test(&mut self, words: &mut Vec<Word>) {
        self.blanks();
        while self.eat_reserved("!") {
            self.blanks();
        }
        if self.cursor.peek() == Some(b'(') {
            self.cursor.bump(1);
            if !self.cursor.enter() {
                return;
            }
            self.newlines();
            self.disjunction(words);
            self.newlines();
            self.cursor.leave();
            if !self.cursor.eat(b')') {
                self.unexpected();
            }
            return;
        }
        self.comparison(words);
    }

    fn comparison(&mut self, words: &mut Vec<Word>) {
        let first = self.operand(words);
        let unary = is_unary(first.of(self.cursor.text));
        self.blanks();
        if unary {
            self.operand(words);
        } else if let Some(operator) = self.binary_operator() {
            self.blanks();
            self.right_side(operator, words);
        } else if self.cursor.peek() == Some(b'\n') {
            // bash looks for the operator on the same line.
            self.cursor.fail(Problem::Unexpected);
        }
    }

    fn right_side(&mut self, operator: &str, words: &mut Vec<Word>) {
        match operator {
            "=~" => self.regular_expression(words),
            "=" | "==" | "!=" => {
                self.extended_globs = true;
                self.operand(words);
                self.extended_globs = false;
            }
            _ => {
                self.operand(words);
            }
        }
    }

    /// Goes past a binary operator if one is next.
    fn binary_operator(&mut self) -> Option<&'static str> {
        for sign in ["<", ">"] {
            if self.cursor.looking_at(sign.as_bytes()) && self.cursor.peek_at(1) != Some(b'(') {
                self.cursor.bump(1);
                return Some(sign);
            }
        }
        BINARY
            .into_iter()
            .find(|operator| self.eat_reserved(operator))
    }

    fn operand(&mut self, words: &mut Vec<Word>) -> Span {
        let word = if self.at_reserved("]]") {
            Word::default()
        } else {
            self.word(Mode::Plain)
        };
        if word.span.is_empty() {
            self.unexpected();
        }
        let span = word.span;
        words.push(word);
        span
    }

    /// The word after `=~`, in which parentheses and `|` are part of the expression.
    fn regular_expression(&mut self, words: &mut Vec<Word>) {
        let start = self.cursor.pos;
        let mut parts: Vec<Part> = Vec::new();
        while let Some(byte) = self.cursor.peek() {
            if byte == b'(' {
                let open = self.cursor.pos;
                self.cursor.bump(1);
                if !self.cursor.enter() {
                    return;
                }
                let inner = self.group(b'(', b')', Group::Pattern);
                self.cursor.leave();
                parts.push(self.made(open, PartKind::ExtendedGlob(inner)));
            } else if byte == b'|' {
                let at = self.cursor.pos;
                self.cursor.bump(1);
                parts.push(self.made(at, PartKind::Literal));
            } else if ends_word(byte) {
                break;
            } else {
                let before = self.cursor.pos;
                parts.extend(self.word(Mode::Plain).parts);
                if self.cursor.pos == before {
                    self.cursor.fail(Problem::Unexpected);
                }
            }
        }
        let span = Span::new(start, self.cursor.pos);
        if span.is_empty() {
            self.unexpected();
        }
        words.push(Word { span, parts });
    }
}

fn is_unary(word: &str) -> bool {
    matches!(word.as_bytes(), [b'-', letter] if UNARY.contains(letter))
}
