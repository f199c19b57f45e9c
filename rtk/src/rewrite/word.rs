//! The words of one simple command, as the rule needs them.

use std::borrow::Cow;

/// How much of a word is known before the shell has run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Certainty {
    /// Written without quotes or escapes: the text is the word, byte for byte.
    Plain,
    /// Quotes or escapes stood around it; the text is what they leave.
    Quoted,
    /// It begins with an unquoted `~`, which becomes a home folder.
    Tilde,
    /// An unquoted glob or brace expansion: it becomes file names.
    Pattern,
    /// One word with an expansion in it; the text is what stands before the expansion.
    Expanded,
    /// An unquoted expansion: it may become any number of words, options among them; the text is what
    /// stands before the expansion.
    Open,
}

/// One word of a simple command: where it stands in the line and what it says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word<'a> {
    /// Its first byte in the line.
    pub start: usize,
    /// The byte after its last.
    pub end: usize,
    /// Its text, quotes and escapes removed, as far as [`Certainty`] says it is known.
    pub text: Cow<'a, str>,
    /// How much of it is known.
    pub certainty: Certainty,
}

impl Word<'_> {
    /// Whether the text is the whole word.
    #[must_use]
    pub fn is_literal(&self) -> bool {
        matches!(self.certainty, Certainty::Plain | Certainty::Quoted)
    }

    /// Whether the word is `text`, written without quotes: only so does rtk know a command.
    #[must_use]
    pub fn is_plain(&self, text: &str) -> bool {
        self.certainty == Certainty::Plain && self.text == text
    }
}
