//! Where the shell splits values into words, and `read` its line into fields: at the characters of `IFS`.

use std::borrow::Cow;

use super::args::Args;
use super::builtins::lines;
use super::machine::Machine;
use super::value::{Text, Values};

/// What `IFS` is at first.
const BLANKS: &str = " \t\n";

impl Machine<'_> {
    /// The characters that separate words: those of each value that the line may have given to `IFS`.
    pub(super) fn separators(&self) -> Cow<'static, str> {
        let Some(values) = self.state.variable("IFS") else {
            return Cow::Borrowed(BLANKS);
        };
        let all = values
            .iter()
            .map(|value| value.as_literal().unwrap_or(BLANKS));
        Cow::Owned(all.collect())
    }

    /// `read name …`: the names get what standard input has.
    pub(super) fn take_input(&mut self, builtin: &str, arguments: &[Text]) {
        let short = if builtin == "read" {
            "adinNptu"
        } else {
            "dnOsuCc"
        };
        let args = Args::parse(arguments, short, "");
        if self.stdin.is_none()
            && let Some(limit) = args.values("t").next()
        {
            self.waiting
                .sleep(limit.as_literal().and_then(super::waits::seconds));
        }
        self.subscripts(&args.operands);
        let lines = match &self.stdin {
            Some(values) => lines(values),
            None => vec![Text::unknown()],
        };
        let literal = |names: &mut dyn Iterator<Item = &Text>| -> Vec<String> {
            names
                .filter_map(Text::as_literal)
                .map(str::to_owned)
                .collect()
        };
        self.call_back(&args, &lines);
        let mut names = literal(&mut args.operands.iter());
        let arrays = literal(&mut args.values("a"));
        let separators = self.separators();
        let size: usize = lines.iter().map(Text::size).sum();
        if !self.work(size / 64 * names.len()) {
            return;
        }
        for name in &arrays {
            let all = lines
                .iter()
                .flat_map(|line| fields(line, &separators))
                .collect();
            self.set_variable(name, all, self.certain);
        }
        if names.is_empty() && arrays.is_empty() {
            let name = if builtin == "read" {
                "REPLY"
            } else {
                "MAPFILE"
            };
            names.push(name.to_owned());
        }
        if let [only] = &names[..] {
            return self.set_variable(only, lines, self.certain);
        }
        for (index, name) in names.iter().enumerate() {
            let is_last = index + 1 == names.len();
            let values = lines
                .iter()
                .flat_map(|line| field(line, index, is_last, &separators))
                .collect();
            self.set_variable(name, values, self.certain);
        }
    }

    /// `mapfile -C line`: the line runs with the index and each element that is read.
    fn call_back(&mut self, args: &Args, elements: &[Text]) {
        for line in args.values("C") {
            for element in elements {
                let line = format!("{} 0 {}", line.render(), element.render());
                self.perhaps(|machine| machine.run_text(&line));
            }
        }
    }
}

/// The words of a line.
fn fields(line: &Text, separators: &str) -> Values {
    let pieces = line.split(|c| separators.contains(c)).into_iter();
    pieces.filter(|piece| !piece.is_empty()).collect()
}

/// What the name at `index` may get of a line: its word, and as the last of the names those that follow. Where a part
/// of the line is not known, neither is how many words it has.
fn field(line: &Text, index: usize, is_last: bool, separators: &str) -> Values {
    let words = fields(line, separators);
    let mut values: Values = words.iter().skip(index).take(1).cloned().collect();
    if line.as_literal().is_none() {
        values.push(line.clone());
    } else if is_last && words.len() > index + 1 {
        let separator = Text::literal(separators.get(..1).unwrap_or(" "));
        let rest = words[index..].iter().cloned();
        values.extend(rest.reduce(|rest, word| rest.joined(&separator).joined(&word)));
        values.extend_from_slice(&words[index + 1..]);
    }
    if values.is_empty() {
        values.push(Text::default());
    }
    values
}
