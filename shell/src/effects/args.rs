//! The arguments of a program: options with their values, and operands.

use super::value::Text;
use crate::words::lists;

/// The arguments of one call, sorted.
#[derive(Default)]
pub(super) struct Args {
    /// Options without their dashes, with their value.
    pub options: Vec<(String, Option<Text>)>,
    /// What is no option and no option's value.
    pub operands: Vec<Text>,
    /// The index in `operands` of the first one after `--`, if there is such a word.
    pub after_dashes: Option<usize>,
}

impl Args {
    /// Sorts the words after the name of a program. `short` holds the letters, `long` the words (between blanks)
    /// of the options that take a value. Letters after a `/` in `short` take one only in the same word (`sed -i.bak`).
    pub fn parse(words: &[Text], short: &str, long: &str) -> Self {
        let mut args = Self::default();
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let text = word.prefix();
            if args.after_dashes.is_some()
                || !text.starts_with('-')
                || word.as_literal() == Some("-")
            {
                args.operands.push(word.clone());
            } else if word.as_literal() == Some("--") {
                args.after_dashes = Some(args.operands.len());
            } else if text.starts_with("--") {
                args.long(word, long, &mut words);
            } else {
                args.short(word, short, long, &mut words);
            }
        }
        args
    }

    fn long<'w>(
        &mut self,
        word: &Text,
        long: &str,
        rest: &mut (impl Iterator<Item = &'w Text> + Clone),
    ) {
        let text = &word.prefix()[2..];
        if let Some(equals) = text.find('=') {
            let value = word.without_prefix(2 + equals + 1);
            let name = in_full(&text[..equals], long).to_owned();
            self.options.push((name, Some(value)));
            return;
        }
        let full = in_full(text, long);
        let value = if full == text {
            lists(long, text).then(|| rest.next().cloned()).flatten()
        } else {
            // It may be another option, which takes none.
            rest.clone().next().cloned()
        };
        self.options.push((full.to_owned(), value));
    }

    fn short<'w>(
        &mut self,
        word: &Text,
        short: &str,
        long: &str,
        rest: &mut impl Iterator<Item = &'w Text>,
    ) {
        let text = &word.prefix()[1..];
        // Some programs write long options with one dash (`find -name`, `java -jar`).
        if text.len() > 1 && lists(long, text) && word.as_literal().is_some() {
            self.options.push((text.to_owned(), rest.next().cloned()));
            return;
        }
        for (at, letter) in text.char_indices() {
            let name = letter.to_string();
            let (taking, attaching) = short.split_once('/').unwrap_or((short, ""));
            let attached = word.without_prefix(1 + at + letter.len_utf8());
            if attaching.contains(letter) {
                self.options.push((name, Some(attached)));
                return;
            }
            if !taking.contains(letter) {
                self.options.push((name, None));
                continue;
            }
            let value = if attached.is_empty() {
                rest.next().cloned()
            } else {
                Some(attached)
            };
            self.options.push((name, value));
            return;
        }
    }

    /// Whether one of the options `names` (between blanks) is there, in full or in part.
    pub fn has(&self, names: &str) -> bool {
        let known = |name: &str| lists(names, in_full(name, names));
        self.options.iter().any(|(name, _)| known(name))
    }

    /// The values of the options `names` (between blanks).
    pub fn values<'a>(&'a self, names: &'a str) -> impl Iterator<Item = &'a Text> {
        self.options
            .iter()
            .filter(move |(name, _)| lists(names, name))
            .filter_map(|(_, value)| value.as_ref())
    }
}

/// The least of a long option's name that stands for it.
const MIN_PART: usize = 2;

/// The long option (of those between blanks) of which `part` is the beginning: programs take that for the whole. One
/// that ends before a dash is another option more often: `--body` beside `--body-file`.
fn in_full<'n>(part: &'n str, long: &'n str) -> &'n str {
    if part.len() < MIN_PART || lists(long, part) {
        return part;
    }
    let is_cut = |name: &&str| {
        let rest = name.strip_prefix(part);
        rest.is_some_and(|rest| !rest.starts_with('-'))
    };
    long.split(' ').find(is_cut).unwrap_or(part)
}
