//! Programs of which nothing is known: what stands among their words may be read, run, or written as their output.

use super::code::{self, Given, Says};
use super::{base_name, knows};
use crate::effects::machine::Machine;
use crate::effects::value::Text;
use crate::words::lists;

/// The programs that an unknown program is taken to run where their names are among its words.
const RUNNABLE: &str = "rm mv cp sed tee dd truncate shred unlink chmod ln touch bash sh python python3 perl cat head tail tac grep egrep fgrep rg strings xxd";

/// The options, without dashes, with which programs name their output.
const OUTPUT: &str = "o out output outfile output-file outdir out-dir outputdir output-dir output-path report-file log-file";

/// The options that make a program change the files which it is given.
const IN_PLACE: &str = "--in-place --inplace --fix --write --overwrite";

/// Parts of the names of options whose value is prose, a pattern, or what is to be left out.
#[rustfmt::skip]
const PROSE: [&str; 17] = [
    "exclude", "ignore", "message", "title", "body", "grep", "pattern", "filter", "description", "prompt", "comment",
    "match", "skip", "deselect", "query", "label", "subject",
];

/// A program that is not in the table.
pub fn unknown(machine: &mut Machine<'_>, name: &str, words: &[Text]) {
    let arguments = &words[1..];
    for word in without_prose(arguments) {
        if is_line(word) && !crate::dialect::is_cmdlet(name) {
            machine.line_of_option(word);
        } else if is_code(word) {
            let text = word.render();
            code::act(machine, &text, &Given::default(), Says::of(&text));
        } else {
            machine.named(word);
        }
    }
    machine.perhaps_runs(arguments);
    // What a script of the project writes is its own affair.
    if !words[0].prefix().contains('/') {
        outputs(machine, arguments);
    }
}

/// Writes what the options call the output.
fn outputs(machine: &mut Machine<'_>, words: &[Text]) {
    let is_one_of = |list: &str, text: &str| lists(list, text);
    let in_place = words.iter().any(|word| is_one_of(IN_PLACE, word.prefix()));
    for (at, word) in words.iter().enumerate() {
        let text = word.prefix();
        let Some(option) = text.strip_prefix('-') else {
            if in_place {
                machine.write(word);
            }
            continue;
        };
        let option = option.trim_start_matches('-');
        let (name, attached) = match option.split_once('=') {
            Some((name, _)) => (name, true),
            None => (option, false),
        };
        if !is_one_of(OUTPUT, &name.to_ascii_lowercase().replace('_', "-")) {
            continue;
        }
        if attached {
            let length = text.find('=').map_or(0, |at| at + 1);
            machine.write(&word.without_prefix(length));
        } else if let Some(file) = words.get(at + 1) {
            machine.write(file);
        }
    }
}

impl Machine<'_> {
    /// Names the words of a program of which nothing is known.
    pub(super) fn unknown_arguments(&mut self, words: &[Text]) {
        without_prose(words).for_each(|word| self.named(word));
    }

    /// Runs the program that is named among the words of another one, with what follows it.
    pub(in crate::effects) fn perhaps_runs(&mut self, words: &[Text]) {
        let wrapped = words.iter().position(|word| {
            let name = word.as_literal().map(base_name);
            name.is_some_and(|name| lists(RUNNABLE, name))
        });
        if let Some(at) = wrapped.filter(|at| at + 1 < words.len()) {
            self.perhaps(|machine| machine.apart(|machine| machine.inside("", &words[at..])));
        }
    }
}

/// The words that may be paths or lines: not the values of options that take prose.
fn without_prose(words: &[Text]) -> impl Iterator<Item = &Text> {
    let mut prose = false;
    words.iter().filter(move |word| {
        if std::mem::take(&mut prose) {
            return false;
        }
        let Some(option) = word.prefix().strip_prefix('-') else {
            return true;
        };
        let option = option.trim_start_matches('-');
        let (name, attached) = option
            .split_once('=')
            .map_or((option, false), |(name, _)| (name, true));
        let takes_prose = PROSE.iter().any(|known| name.contains(known));
        prose = takes_prose && !attached;
        !takes_prose
    })
}

/// Whether a word looks like code: a text in quotes, and a call or a blank.
fn is_code(word: &Text) -> bool {
    word.contains(|c| matches!(c, '"' | '\'')) && word.contains(|c| matches!(c, '(' | ' '))
}

/// Whether a word is a line that begins with the name of a known program.
pub fn is_line(word: &Text) -> bool {
    let first = word.prefix().trim_start().split(' ').next().unwrap_or("");
    word.contains(|c| c == ' ') && !first.is_empty() && knows(base_name(first))
}
