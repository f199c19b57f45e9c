//! A parsed line and what is known about it as a whole.

use std::borrow::Cow;

use crate::dialect::Dialect;
use crate::syntax::{HereDocument, List};

/// Why a line is not wholly understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// A quote, bracket or substitution that no byte closes.
    #[error("a quote, bracket or substitution is not closed")]
    Unclosed,
    /// A here-document without its delimiter line.
    #[error("a here-document has no delimiter line")]
    UnclosedHereDocument,
    /// A byte that bash would not take at this place, or a form that this parser does not know.
    #[error("unexpected text")]
    Unexpected,
    /// A list that must hold a command holds none.
    #[error("a command is missing")]
    EmptyList,
    /// Constructs nested deeper than [`crate::MAX_DEPTH`].
    #[error("nested too deeply")]
    TooDeep,
    /// More work than [`crate::MAX_STEPS`].
    #[error("too long to read")]
    OverBudget,
}

/// A parsed line. Always there; [`Script::is_understood`] says whether it may be relied on.
#[derive(Clone, Debug)]
pub struct Script<'a> {
    pub(crate) text: Cow<'a, str>,
    pub(crate) body: List,
    pub(crate) here_documents: Vec<HereDocument>,
    pub(crate) problem: Option<(Problem, usize)>,
    pub(crate) dialect: Dialect,
    pub(crate) steps: usize,
}

impl Script<'_> {
    /// The text that was parsed, to which all spans belong.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The commands.
    #[must_use]
    pub fn body(&self) -> &List {
        &self.body
    }

    /// The here-document with this index, as [`crate::Redirection::here_document`] has it.
    #[must_use]
    pub fn here_document(&self, index: usize) -> Option<&HereDocument> {
        self.here_documents.get(index)
    }

    /// Whether the whole line is bash, and nothing of it was left unread. Where this is false the line
    /// must not be rewritten, and the tree holds only what could be read before the problem.
    #[must_use]
    pub fn is_understood(&self) -> bool {
        self.problem.is_none() && self.dialect == Dialect::Posix
    }

    /// What stopped the parser and the byte at which it did.
    #[must_use]
    pub fn problem(&self) -> Option<(Problem, usize)> {
        self.problem
    }

    /// The language of the line, as far as strong signs tell.
    #[must_use]
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// The steps of work that the parse took (about one a byte).
    #[must_use]
    pub fn steps(&self) -> usize {
        self.steps
    }
}

impl Script<'static> {
    /// A script without text, where a problem left nothing to read.
    pub(crate) fn empty() -> Self {
        Self {
            text: Cow::Borrowed(""),
            body: List::default(),
            here_documents: Vec::new(),
            problem: None,
            dialect: Dialect::Posix,
            steps: 0,
        }
    }
}
