//! A recursive descent over the bytes of a line, after the grammar of bash 5.2.
//!
//! There is no separate stream of tokens: what a byte means in bash depends on the grammar around it.
//! A problem stops the whole parse; each function returns what it had by then.

mod blanks;
mod braces;
mod compound;
mod conditional;
mod cursor;
mod expansions;
mod functions;
mod here_documents;
mod list;
mod reserved;
mod simple;
mod words;

use std::borrow::Cow;

use crate::dialect;
use crate::place;
use crate::script::{Problem, Script};
use crate::syntax::{HereDocument, List};
use cursor::Cursor;

/// A here-document whose operator was read and whose body comes after the line end.
struct Pending {
    index: usize,
    strip_tabs: bool,
}

struct Parser<'a> {
    cursor: Cursor<'a>,
    pending: Vec<Pending>,
    here_documents: Vec<HereDocument>,
    /// Whether the last command ended in `)`, `}`, `fi` or their like, after which bash takes a reserved word.
    after_closer: bool,
    /// Whether `@(…)` is a pattern here: only on the right side of `==` in `[[ ]]`.
    extended_globs: bool,
}

/// What one run of the parser found.
struct Outcome {
    body: List,
    here_documents: Vec<HereDocument>,
    problem: Option<(Problem, usize)>,
    steps: usize,
}

/// Reads `text`. Never fails: see [`Script::is_understood`].
///
/// The work is linear in the length of the text, at most [`crate::MAX_STEPS`] steps, and at most
/// [`crate::MAX_DEPTH`] constructs deep.
#[must_use]
pub fn parse(text: &str) -> Script<'_> {
    let outcome = run(text, 0, 0);
    finish(Cow::Borrowed(text), outcome, false)
}

fn run(text: &str, depth: usize, steps: usize) -> Outcome {
    let mut parser = Parser {
        cursor: Cursor::new(text, depth, steps),
        pending: Vec::new(),
        here_documents: Vec::new(),
        after_closer: false,
        extended_globs: false,
    };
    // bash drops NUL bytes, which would shift what every span means.
    if guard_scan::memchr(0, text.as_bytes()).is_some() {
        parser.cursor.fail(Problem::Unexpected);
    }
    let body = parser.list();
    if parser.cursor.peek().is_some() {
        parser.cursor.fail(Problem::Unexpected);
    }
    if !parser.pending.is_empty() {
        parser.cursor.fail(Problem::UnclosedHereDocument);
    }
    Outcome {
        body,
        here_documents: parser.here_documents,
        problem: parser.cursor.problem,
        steps: parser.cursor.steps,
    }
}

fn finish(text: Cow<'_, str>, outcome: Outcome, captured: bool) -> Script<'_> {
    let mut script = Script {
        text,
        body: outcome.body,
        here_documents: outcome.here_documents,
        problem: outcome.problem,
        dialect: dialect::Dialect::Posix,
        steps: outcome.steps,
    };
    place::assign(&mut script, captured);
    script.dialect = dialect::of_script(&script);
    script
}

impl Parser<'_> {
    /// Reads the text of backticks, which has lost one layer of escapes, as a script of its own.
    fn nested(&mut self, text: String) -> Script<'static> {
        let outcome = run(&text, self.cursor.depth, self.cursor.steps);
        self.cursor.steps = outcome.steps;
        self.cursor.work(0);
        if let Some((problem, _)) = outcome.problem {
            self.cursor.fail(problem);
        }
        finish(Cow::Owned(text), outcome, true)
    }
}

/// Adds to a list that mostly keeps one element: the first takes the room of one, where `Vec` takes that of four.
fn push<T>(list: &mut Vec<T>, item: T) {
    if list.is_empty() {
        list.reserve_exact(1);
    }
    list.push(item);
}
