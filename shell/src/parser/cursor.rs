//! A position in the text, with the limits on work and depth.

use crate::script::Problem;
use crate::{MAX_DEPTH, MAX_STEPS};

/// Where the parser stands. After a problem there is nothing more to see, so that every loop ends.
pub(crate) struct Cursor<'a> {
    pub text: &'a str,
    pub pos: usize,
    pub steps: usize,
    pub depth: usize,
    pub problem: Option<(Problem, usize)>,
}

impl<'a> Cursor<'a> {
    pub fn new(text: &'a str, depth: usize, steps: usize) -> Self {
        Self {
            text,
            pos: 0,
            steps,
            depth,
            problem: None,
        }
    }

    /// The byte at the position.
    pub fn peek(&self) -> Option<u8> {
        self.peek_at(0)
    }

    /// The byte `ahead` of the position.
    pub fn peek_at(&self, ahead: usize) -> Option<u8> {
        if self.problem.is_some() {
            return None;
        }
        self.text.as_bytes().get(self.pos + ahead).copied()
    }

    /// Whether the text goes on with `what`.
    pub fn looking_at(&self, what: &[u8]) -> bool {
        self.problem.is_none() && self.rest().starts_with(what)
    }

    /// The bytes from the position on.
    pub fn rest(&self) -> &'a [u8] {
        &self.text.as_bytes()[self.pos.min(self.text.len())..]
    }

    /// Goes on by `count` bytes.
    pub fn bump(&mut self, count: usize) {
        if self.problem.is_some() {
            return;
        }
        self.pos = (self.pos + count).min(self.text.len());
        self.work(count);
    }

    /// Goes past the byte `what` if it is next.
    pub fn eat(&mut self, what: u8) -> bool {
        let found = self.peek() == Some(what);
        if found {
            self.bump(1);
        }
        found
    }

    /// Goes past a whole character.
    pub fn bump_char(&mut self) {
        let rest = self.text.get(self.pos..).unwrap_or("");
        self.bump(rest.chars().next().map_or(1, char::len_utf8));
    }

    /// Counts work that does not move the position.
    pub fn work(&mut self, steps: usize) {
        self.steps += steps;
        if self.steps > MAX_STEPS {
            self.fail(Problem::OverBudget);
        }
    }

    /// Notes the first problem.
    pub fn fail(&mut self, problem: Problem) {
        if self.problem.is_none() {
            self.problem = Some((problem, self.pos));
        }
    }

    /// Enters a construct; false where the depth is used up, and then a problem is noted.
    pub fn enter(&mut self) -> bool {
        if self.depth >= MAX_DEPTH {
            self.fail(Problem::TooDeep);
            return false;
        }
        self.depth += 1;
        true
    }

    /// Leaves the construct that [`Cursor::enter`] entered.
    pub fn leave(&mut self) {
        self.depth -= 1;
    }
}
