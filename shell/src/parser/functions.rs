//! The definitions of functions, and `coproc`.

use super::Parser;
use super::list::unknown;
use super::words::Mode;
use crate::script::Problem;
use crate::syntax::{Command, CommandKind, Part, PartKind, Word};

impl Parser<'_> {
    /// `function name [()] body`
    pub(super) fn function_clause(&mut self) -> CommandKind {
        self.blanks();
        let name = self.word(Mode::Plain);
        if name.span.is_empty() {
            self.unexpected();
        }
        self.blanks();
        if self.cursor.peek() == Some(b'(') && self.next_closes() {
            self.empty_parentheses();
        }
        self.function_body(name)
    }

    /// Whether nothing but blanks stands between the `(` here and its `)`.
    fn next_closes(&self) -> bool {
        let rest = self.cursor.rest();
        rest[1..].iter().find(|byte| !matches!(byte, b' ' | b'\t')) == Some(&b')')
    }

    fn empty_parentheses(&mut self) {
        self.cursor.bump(1);
        self.blanks();
        if !self.cursor.eat(b')') {
            self.unexpected();
        }
    }

    /// `name() body`; the position is at the `(`.
    pub(super) fn function_after_name(&mut self, start: usize, name: Word) -> Command {
        self.empty_parentheses();
        let kind = self.function_body(name);
        self.command_from(start, kind, Vec::new())
    }

    fn function_body(&mut self, name: Word) -> CommandKind {
        self.newlines();
        if !self.at_compound() || self.at_reserved("function") {
            self.unexpected();
            return CommandKind::Unknown;
        }
        let body = Box::new(self.compound());
        CommandKind::Function { name, body }
    }

    /// `coproc [NAME] command`
    pub(super) fn coproc(&mut self) -> Command {
        let start = self.cursor.pos;
        self.cursor.bump("coproc".len());
        self.blanks();
        if !self.cursor.enter() {
            return unknown(start);
        }
        let inner = if self.at_compound() {
            self.compound()
        } else if self.ends_coproc() {
            self.cursor.fail(Problem::Unexpected);
            unknown(start)
        } else {
            self.coproc_words()
        };
        self.cursor.leave();
        let mut command = self.command_from(start, CommandKind::Unknown, Vec::new());
        command.span.end = inner.span.end;
        command.kind = CommandKind::Coproc(Box::new(inner));
        command
    }

    /// At a word that bash does not take where it looks for the command of a `coproc`, also behind its first word.
    fn ends_coproc(&self) -> bool {
        let others = ["!", "in", "function", "coproc"];
        self.at_closer() || others.iter().any(|word| self.at_reserved(word))
    }

    fn coproc_words(&mut self) -> Command {
        let first = self.word(Mode::Plain);
        self.blanks();
        let is_name = matches!(
            first.parts[..],
            [Part {
                kind: PartKind::Literal,
                ..
            }]
        );
        if self.at_compound() || self.ends_coproc() {
            if !is_name || self.ends_coproc() {
                self.cursor.fail(Problem::Unexpected);
            }
            return self.compound();
        }
        if first.span.is_empty() {
            return self.simple_or_function(None);
        }
        self.simple_or_function(Some(first))
    }
}
