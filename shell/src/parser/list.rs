//! Lists, chains of `&&` and `||`, and pipelines.

use super::{Parser, push};
use crate::script::Problem;
use crate::span::Span;
use crate::syntax::{AndOr, Command, CommandKind, Joint, List, Pipeline};

/// What a command costs beside its bytes: the memory of its node counts as work too, so that the budget bounds
/// it to some tens of megabytes.
const COMMAND_STEPS: usize = 64;

impl Parser<'_> {
    /// Reads commands up to what closes the list, which stays unread. May be empty.
    pub(super) fn list(&mut self) -> List {
        let mut list = List::default();
        self.newlines();
        while !self.at_list_end() {
            let mut item = self.and_or();
            self.blanks();
            let separated = self.separator(&mut item);
            push(&mut list.items, item);
            if separated {
                self.newlines();
                continue;
            }
            let ends = self.at_list_end_sign() || (self.after_closer && self.at_closer());
            if !ends {
                self.cursor.fail(Problem::Unexpected);
            }
            break;
        }
        list
    }

    /// Reads a list that bash does not take empty.
    pub(super) fn full_list(&mut self) -> List {
        let list = self.list();
        if list.items.is_empty() {
            self.cursor.fail(Problem::EmptyList);
        }
        list
    }

    fn at_list_end(&self) -> bool {
        self.at_list_end_sign() || self.at_closer()
    }

    fn at_list_end_sign(&self) -> bool {
        match self.cursor.peek() {
            None | Some(b')') => true,
            Some(b';') => matches!(self.cursor.peek_at(1), Some(b';' | b'&')),
            _ => false,
        }
    }

    /// Reads `;`, `&` or a line end after a command; false where there is none.
    fn separator(&mut self, item: &mut AndOr) -> bool {
        match (self.cursor.peek(), self.cursor.peek_at(1)) {
            (Some(b';'), Some(b';' | b'&')) => false,
            (Some(b';'), _) => {
                self.operator(1);
                true
            }
            (Some(b'&'), _) => {
                item.background = true;
                self.operator(1);
                true
            }
            (Some(b'\n'), _) => {
                self.newline();
                true
            }
            _ => false,
        }
    }

    /// Goes past an operator. A continued line inside an operator joins its halves in bash
    /// (`&\` and `&` are `&&`); such a line is not understood.
    pub(super) fn operator(&mut self, length: usize) {
        self.cursor.bump(length);
        if self.cursor.looking_at(b"\\\n")
            && self
                .cursor
                .peek_at(2)
                .is_some_and(|b| b"&|;<>()\\".contains(&b))
        {
            self.cursor.fail(Problem::Unexpected);
        }
    }

    fn and_or(&mut self) -> AndOr {
        let start = self.cursor.pos;
        let mut pipelines = vec![(Joint::First, self.pipeline())];
        loop {
            let end = self.cursor.pos;
            self.blanks();
            let joint = if self.cursor.looking_at(b"&&") {
                Joint::And
            } else if self.cursor.looking_at(b"||") {
                Joint::Or
            } else {
                let end = pipelines
                    .last()
                    .map_or(end, |(_, pipeline)| pipeline.span.end);
                return AndOr {
                    span: Span::new(start, end),
                    pipelines,
                    background: false,
                };
            };
            if pipelines
                .last()
                .is_some_and(|(_, pipeline)| pipeline.stages.is_empty())
            {
                self.cursor.fail(Problem::EmptyList);
            }
            self.operator(2);
            self.newlines();
            pipelines.push((joint, self.pipeline()));
        }
    }

    fn pipeline(&mut self) -> Pipeline {
        let start = self.cursor.pos;
        let mut pipeline = Pipeline {
            span: Span::new(start, start),
            negated: false,
            timed: false,
            stages: Vec::new(),
        };
        let prefixed = self.pipeline_prefix(&mut pipeline);
        if prefixed
            && matches!(self.cursor.peek(), None | Some(b'\n' | b';'))
            && !self.cursor.looking_at(b";;")
        {
            pipeline.span.end = self.cursor.pos;
            self.after_closer = false;
            return pipeline;
        }
        loop {
            let mut command = self.command();
            let end = command.span.end;
            self.blanks();
            let piped = self.pipe_sign();
            command.pipes_errors = piped == Some(2);
            push(&mut pipeline.stages, command);
            pipeline.span.end = end;
            let Some(length) = piped.filter(|_| self.cursor.problem.is_none()) else {
                return pipeline;
            };
            self.operator(length);
            self.newlines();
            if self.at_reserved("!") {
                self.cursor.fail(Problem::Unexpected);
            }
        }
    }

    /// The length of `|` or `|&` at the position.
    fn pipe_sign(&self) -> Option<usize> {
        match (self.cursor.peek(), self.cursor.peek_at(1)) {
            (Some(b'|'), Some(b'|')) => None,
            (Some(b'|'), Some(b'&')) => Some(2),
            (Some(b'|'), _) => Some(1),
            _ => None,
        }
    }

    /// Reads `!` and `time [-p] [--]` before a pipeline.
    fn pipeline_prefix(&mut self, pipeline: &mut Pipeline) -> bool {
        let mut prefixed = false;
        loop {
            if self.eat_reserved("!") {
                pipeline.negated = !pipeline.negated;
            } else if self.eat_reserved("time") {
                pipeline.timed = true;
                for option in ["-p", "--"] {
                    self.blanks();
                    self.eat_reserved(option);
                }
            } else {
                return prefixed;
            }
            prefixed = true;
            self.blanks();
        }
    }

    /// Reads one command; it must be there.
    pub(super) fn command(&mut self) -> Command {
        let start = self.cursor.pos;
        self.after_closer = false;
        self.cursor.work(COMMAND_STEPS);
        if self.at_compound() {
            self.compound()
        } else if self.at_reserved("coproc") {
            self.coproc()
        } else if self.at_closer() {
            self.cursor.fail(Problem::Unexpected);
            unknown(start)
        } else {
            self.simple_or_function(None)
        }
    }
}

pub(super) fn unknown(at: usize) -> Command {
    Command {
        span: Span::new(at, at),
        kind: CommandKind::Unknown,
        redirections: Vec::new(),
        pipes_errors: false,
    }
}
