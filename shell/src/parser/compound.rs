//! Compound commands and the definitions of functions.

use super::Parser;
use super::expansions::Parentheses;
use super::list::unknown;
use super::words::Mode;
use crate::script::Problem;
use crate::span::Span;
use crate::syntax::{Command, CommandKind, List, Part, Word};

impl Parser<'_> {
    /// Reads a compound command and the redirections after it.
    pub(super) fn compound(&mut self) -> Command {
        let start = self.cursor.pos;
        if !self.cursor.enter() {
            return unknown(start);
        }
        let is_function = self.at_reserved("function");
        let kind = self.compound_kind();
        self.cursor.leave();
        if is_function {
            // The redirections belong to the body.
            return self.command_from(start, kind, Vec::new());
        }
        let mut redirections = Vec::new();
        self.after_closer = true;
        let mut end = self.cursor.pos;
        loop {
            self.blanks();
            let Some(redirection) = self.redirection() else {
                break;
            };
            self.after_closer = false;
            end = redirection.span.end;
            redirections.push(redirection);
        }
        let mut command = self.command_from(start, kind, redirections);
        command.span.end = end;
        command
    }

    pub(super) fn command_from(
        &self,
        start: usize,
        kind: CommandKind,
        redirections: Vec<crate::syntax::Redirection>,
    ) -> Command {
        Command {
            span: Span::new(start, self.cursor.pos),
            kind,
            redirections,
            pipes_errors: false,
        }
    }

    fn compound_kind(&mut self) -> CommandKind {
        if self.cursor.peek() == Some(b'(') {
            return self.parenthesis();
        }
        if self.eat_reserved("{") {
            let list = self.full_list();
            self.expect_reserved("}");
            return CommandKind::Group(list);
        }
        if self.eat_reserved("[[") {
            return self.conditional();
        }
        if self.eat_reserved("if") {
            return self.if_clause();
        }
        if self.eat_reserved("while") {
            return self.while_clause(false);
        }
        if self.eat_reserved("until") {
            return self.while_clause(true);
        }
        if self.eat_reserved("for") {
            return self.for_clause(false);
        }
        if self.eat_reserved("select") {
            return self.for_clause(true);
        }
        if self.eat_reserved("case") {
            return self.case_clause();
        }
        if self.eat_reserved("function") {
            return self.function_clause();
        }
        self.unexpected();
        CommandKind::Unknown
    }

    fn parenthesis(&mut self) -> CommandKind {
        if self.cursor.peek_at(1) == Some(b'(') {
            match self.double_parenthesis_end(self.cursor.pos) {
                Parentheses::Arithmetic => {
                    return CommandKind::Arithmetic(self.double_parenthesis());
                }
                Parentheses::Unclosed => self.cursor.fail(Problem::Unclosed),
                Parentheses::Commands => return self.doubtful_subshell(),
            }
        }
        self.subshell()
    }

    /// `((…) …)`: bash reads it twice and loses the bodies of here-documents between its first and last byte.
    fn doubtful_subshell(&mut self) -> CommandKind {
        let documents = self.here_documents.len();
        let kind = self.subshell();
        if self.here_documents.len() > documents {
            self.cursor.fail(Problem::Unexpected);
        }
        kind
    }

    fn subshell(&mut self) -> CommandKind {
        self.cursor.bump(1);
        let list = self.full_list();
        if !self.cursor.eat(b')') {
            self.unexpected();
        }
        CommandKind::Subshell(list)
    }

    /// `(( … ))`; the position is at its first byte.
    fn double_parenthesis(&mut self) -> Vec<Part> {
        self.cursor.bump(2);
        let parts = self.group(b'(', b')', super::braces::Group::Arithmetic);
        if !self.cursor.eat(b')') {
            self.unexpected();
        }
        parts
    }

    fn if_clause(&mut self) -> CommandKind {
        let mut branches = Vec::new();
        loop {
            let condition = self.full_list();
            self.expect_reserved("then");
            let body = self.full_list();
            branches.push((condition, body));
            if !self.eat_reserved("elif") {
                break;
            }
        }
        let otherwise = self.eat_reserved("else").then(|| self.full_list());
        self.expect_reserved("fi");
        CommandKind::If {
            branches,
            otherwise,
        }
    }

    fn while_clause(&mut self, until: bool) -> CommandKind {
        let condition = self.full_list();
        let body = self.do_group();
        CommandKind::While {
            until,
            condition,
            body,
        }
    }

    fn do_group(&mut self) -> List {
        self.expect_reserved("do");
        let body = self.full_list();
        self.expect_reserved("done");
        body
    }

    /// The body of a `for`, which may stand in braces.
    fn for_body(&mut self) -> List {
        if self.eat_reserved("{") {
            let body = self.full_list();
            self.expect_reserved("}");
            return body;
        }
        self.do_group()
    }

    fn for_clause(&mut self, select: bool) -> CommandKind {
        self.blanks();
        if !select && self.cursor.looking_at(b"((") {
            return self.for_arithmetic();
        }
        let name = self.word(Mode::Plain);
        if name.span.is_empty() {
            self.unexpected();
        }
        self.blanks();
        let mut words = None;
        let ended = self.cursor.peek() == Some(b';') && self.cursor.peek_at(1) != Some(b';');
        if ended {
            self.operator(1);
            self.newlines();
        } else {
            self.newlines();
            if self.eat_reserved("in") {
                words = Some(self.for_words());
            }
        }
        CommandKind::For {
            select,
            name: name.span,
            words,
            body: self.for_body(),
        }
    }

    /// The words after `in` and the `;` or line end that must follow them.
    fn for_words(&mut self) -> Vec<Word> {
        let mut words = Vec::new();
        loop {
            self.blanks();
            match self.cursor.peek() {
                Some(b';') if self.cursor.peek_at(1) != Some(b';') => {
                    self.operator(1);
                    break;
                }
                Some(b'\n') => break,
                _ => {}
            }
            let word = self.word(Mode::Plain);
            if word.span.is_empty() {
                self.unexpected();
                break;
            }
            words.push(word);
        }
        self.newlines();
        words
    }

    fn for_arithmetic(&mut self) -> CommandKind {
        let header = match self.double_parenthesis_end(self.cursor.pos) {
            Parentheses::Arithmetic => self.double_parenthesis(),
            _ => {
                self.cursor.fail(Problem::Unexpected);
                Vec::new()
            }
        };
        self.blanks();
        if self.cursor.peek() == Some(b';') && self.cursor.peek_at(1) != Some(b';') {
            self.operator(1);
        }
        self.newlines();
        CommandKind::ForArithmetic {
            header,
            body: self.for_body(),
        }
    }

    fn case_clause(&mut self) -> CommandKind {
        self.blanks();
        let subject = self.word(Mode::Plain);
        if subject.span.is_empty() {
            self.unexpected();
        }
        self.newlines();
        self.expect_reserved("in");
        let mut arms = Vec::new();
        loop {
            self.newlines();
            if self.eat_reserved("esac") || self.cursor.peek().is_none() {
                break;
            }
            let patterns = self.case_patterns();
            let body = self.list();
            arms.push((patterns, body));
            if self.cursor.looking_at(b";;&") {
                self.operator(3);
            } else if self.cursor.looking_at(b";;") || self.cursor.looking_at(b";&") {
                self.operator(2);
            } else {
                self.expect_reserved("esac");
                break;
            }
        }
        if self.cursor.peek().is_none() && !self.cursor.text[..self.cursor.pos].ends_with("esac") {
            self.unexpected();
        }
        CommandKind::Case { subject, arms }
    }

    fn case_patterns(&mut self) -> Vec<Word> {
        let mut patterns = Vec::new();
        self.cursor.eat(b'(');
        loop {
            self.blanks();
            let pattern = self.word(Mode::Plain);
            if pattern.span.is_empty() {
                self.unexpected();
            }
            patterns.push(pattern);
            self.blanks();
            if self.cursor.eat(b')') {
                return patterns;
            }
            if self.cursor.peek() != Some(b'|') || self.pipes_twice() {
                self.unexpected();
                return patterns;
            }
            self.operator(1);
        }
    }

    fn pipes_twice(&self) -> bool {
        matches!(self.cursor.peek_at(1), Some(b'|' | b'&'))
    }
}
