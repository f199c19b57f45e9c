//! `xargs` and `parallel`: programs that get their arguments from standard input.

use super::args::Args;
use super::builtins::lines;
use super::machine::Machine;
use super::value::{Text, Values};

impl Machine<'_> {
    /// `xargs`: the program gets what standard input has as its last arguments, or where the marker stands.
    pub(super) fn xargs(&mut self, name: &str, words: &[Text]) -> Values {
        let (short, long) = if name == "xargs" {
            (
                "InPLdEaslJR",
                "replace max-args max-procs max-lines delimiter arg arg-file eof max-chars",
            )
        } else {
            ("jNnLdaIS", "jobs max-args arg arg-file delimiter joblog")
        };
        let mut at = 1;
        let mut whole = false;
        let mut marker = (name == "parallel").then(|| "{}".to_owned());
        while let Some(word) = words
            .get(at)
            .map(Text::prefix)
            .filter(|word| word.starts_with('-'))
        {
            let options = Args::parse(&words[at..(at + 2).min(words.len())], short, long);
            if let Some(file) = options.values("a arg arg-file").next() {
                self.read(file);
                let listed = self.lines_in(file);
                self.stdin = (!listed.is_empty()).then_some(listed);
            }
            whole |= options.has("0 null");
            let replaces = options.has("I i replace");
            if replaces {
                let value = options
                    .values("I i replace")
                    .next()
                    .map_or("{}", Text::prefix);
                marker = Some(if value.is_empty() { "{}" } else { value }.to_owned());
            }
            let separate = options.operands.is_empty()
                && word != "--"
                && options.options.len() == 1
                && options.options[0].1.is_some()
                && !word.contains('=')
                && (word.len() == 2 || word.starts_with("--"));
            at += if separate { 2 } else { 1 };
            if word == "--" {
                break;
            }
        }
        let given = match self.stdin.take() {
            Some(values) if whole => [texts_of(&values), words_of(&values)].concat(),
            Some(values) => words_of(&values),
            None => vec![Text::unknown()],
        };
        let program = words.get(at..).unwrap_or(&[]);
        // What follows `:::` are arguments of `parallel` itself.
        let end = program
            .iter()
            .position(|word| word.as_literal() == Some(":::"))
            .unwrap_or(program.len());
        let given = if end < program.len() {
            program[end + 1..].to_vec()
        } else {
            given
        };
        let program = &program[..end];
        if program.is_empty() {
            return given;
        }
        let marker = marker.filter(|marker| program.iter().any(|word| holds(word, marker)));
        let Some(marker) = marker else {
            let words: Vec<Text> = program.iter().chain(&given).cloned().collect();
            return self.inside(name, &words);
        };
        let mut output = Values::new();
        for value in &given {
            let words: Vec<Text> = program
                .iter()
                .map(|word| put_in(word, &marker, value))
                .collect();
            output.extend(self.inside(name, &words));
        }
        output
    }
}

/// What `xargs` makes of its input: words between blanks and line ends.
fn words_of(values: &[Text]) -> Values {
    lines(values)
        .iter()
        .flat_map(|line| line.split(|c| matches!(c, ' ' | '\t')))
        .filter(|word| !word.is_empty())
        .collect()
}

/// What `xargs -0` makes of its input where that has blanks: texts as they are.
fn texts_of(values: &[Text]) -> Values {
    let texts = values.iter().flat_map(|value| value.split(|c| c == '\0'));
    texts
        .filter(|text| text.contains(|c| matches!(c, ' ' | '\t')))
        .collect()
}

fn holds(word: &Text, marker: &str) -> bool {
    word.as_literal().is_some_and(|text| text.contains(marker))
}

/// `word` with `value` in the place of `marker`.
pub(super) fn put_in(word: &Text, marker: &str, value: &Text) -> Text {
    let Some(text) = word.as_literal() else {
        return word.clone();
    };
    let mut made = Text::default();
    for (index, part) in text.split(marker).enumerate() {
        if index > 0 {
            made.append(value);
        }
        made.push_str(part);
    }
    made
}
