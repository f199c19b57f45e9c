//! One call of a program as the table's rows see it: its options and operands.

use super::Context;
use super::word::{Certainty, Word};

/// The words of a simple command from the program on, and which of them a row matched.
pub(crate) struct Call<'c, 'w> {
    /// The program's name first.
    pub words: &'w [Word<'w>],
    /// How many words the row matched: program, options before the sub-command, sub-command.
    pub matched: usize,
    /// Options whose value is the next word.
    pub takes: &'static [&'static str],
    /// Where the command would run.
    pub context: &'c Context<'c>,
}

/// An argument as the row reads it.
#[derive(Clone, Copy)]
pub(crate) enum Argument<'w> {
    /// `-x`, `-xyz`, `--long`, `--long=value`.
    Option(&'w Word<'w>),
    /// Anything else.
    Operand(&'w Word<'w>),
}

impl<'w> Call<'_, 'w> {
    /// The words after those that the row matched.
    pub(crate) fn rest(&self) -> &'w [Word<'w>] {
        &self.words[self.matched..]
    }

    /// The words after the program up to the end of the sub-command: global options and their values.
    pub(crate) fn before(&self) -> &'w [Word<'w>] {
        &self.words[1..self.matched]
    }

    /// The arguments one by one. After `--` everything is an operand.
    pub(crate) fn arguments(&self) -> impl Iterator<Item = Argument<'w>> {
        let takes = self.takes;
        let words = self.rest();
        let mut index = 0;
        let mut only_operands = false;
        std::iter::from_fn(move || {
            loop {
                let word = words.get(index)?;
                index += 1;
                if only_operands || !word.text.starts_with('-') || word.text == "-" {
                    return Some(Argument::Operand(word));
                }
                if word.text == "--" && word.is_literal() {
                    only_operands = true;
                    continue;
                }
                index += usize::from(takes_next(takes, &word.text));
                return Some(Argument::Option(word));
            }
        })
    }

    /// The text of each operand, as far as it is known.
    pub(crate) fn operands(&self) -> impl Iterator<Item = &'w str> {
        self.operand_words().map(|word| word.text.as_ref())
    }

    /// The operands.
    pub(crate) fn operand_words(&self) -> impl Iterator<Item = &'w Word<'w>> {
        self.arguments().filter_map(|argument| match argument {
            Argument::Operand(word) => Some(word),
            Argument::Option(_) => None,
        })
    }

    /// Whether one of the options is given. An option whose text ends in an expansion counts by what is
    /// known of it.
    pub(crate) fn has_option(&self, names: &[&str]) -> bool {
        self.arguments().any(|argument| match argument {
            Argument::Option(word) => names
                .iter()
                .any(|name| is_option(&word.text, name, self.takes)),
            Argument::Operand(_) => false,
        })
    }

    /// The value of an option, in the same word or the next; `Some(None)` if it has none that is known.
    pub(crate) fn value_of(&self, name: &str) -> Option<Option<&'w str>> {
        let words = self.rest();
        let end = words
            .iter()
            .position(|word| word.text == "--")
            .unwrap_or(words.len());
        words[..end].iter().enumerate().find_map(|(index, word)| {
            let text: &'w str = word.text.as_ref();
            if text == name {
                let value = words.get(index + 1).filter(|value| value.is_literal());
                return Some(value.map(|value| value.text.as_ref()));
            }
            let rest = text.strip_prefix(name)?;
            let value = if name.starts_with("--") {
                rest.strip_prefix('=')?
            } else {
                rest
            };
            Some(word.is_literal().then_some(value))
        })
    }

    /// Whether some word may turn into options or into several words that nobody has seen.
    pub(crate) fn has_open_word(&self) -> bool {
        self.rest()
            .iter()
            .any(|word| word.certainty == Certainty::Open && word.text.is_empty())
    }
}

/// Whether the option written as `text` takes the next word as its value.
fn takes_next(takes: &[&str], text: &str) -> bool {
    if text.starts_with("--") || takes.contains(&text) {
        return takes.contains(&text);
    }
    // A cluster such as `-am`: its last letter may take a value, unless an earlier one took the rest.
    let mut letters = text[1..].char_indices();
    letters
        .find(|(_, letter)| takes_letter(takes, *letter))
        .is_some_and(|(at, letter)| at + 1 + letter.len_utf8() == text.len())
}

fn takes_letter(takes: &[&str], letter: char) -> bool {
    takes.iter().any(|name| {
        let mut characters = name.chars();
        characters.next() == Some('-')
            && characters.next() == Some(letter)
            && characters.next().is_none()
    })
}

/// Whether `text`, an option as it is written, is `name`: itself, with `=value`, or a letter in a cluster.
pub(crate) fn is_option(text: &str, name: &str, takes: &[&str]) -> bool {
    if name.len() > 2 {
        return text
            .strip_prefix(name)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('='));
    }
    if text.starts_with("--") || writes_one_dash(takes) {
        return text == name;
    }
    let Some(letter) = name.chars().nth(1) else {
        return false;
    };
    for found in text.chars().skip(1) {
        if found == letter {
            return true;
        }
        if takes_letter(takes, found) {
            return false;
        }
    }
    false
}

/// Whether the row's program writes words after one dash, as `go`, `find` and `terraform` do: it knows no
/// clusters of letters.
fn writes_one_dash(takes: &[&str]) -> bool {
    takes
        .iter()
        .any(|name| name.len() > 2 && !name.starts_with("--"))
}
