//! `sed`: its script is read, as commands in it read and write files and run lines of the shell.

use super::Call;
use super::files::passed;
use crate::effects::machine::Machine;
use crate::effects::value::{Text, Values};

/// `sed`: a script, then files; `-i` writes them.
pub fn sed(machine: &mut Machine<'_>, call: &Call<'_>) -> Values {
    let has_script = call.args.has("e expression f file");
    let in_place = call.args.has("i in in-place");
    // On a Mac the suffix of `-i` is a word of its own, mostly an empty one.
    let words = call
        .args
        .operands
        .iter()
        .filter(|word| !in_place || !word.is_empty());
    let mut files = words.skip(usize::from(!has_script)).peekable();
    let reads_input = files.peek().is_none();
    for file in files {
        machine.read(file);
        if in_place {
            machine.write(file);
        }
    }
    let script = script(machine, call, has_script);
    let commands = Commands::of(&script);
    for step in &commands.steps {
        follow(machine, step);
    }
    if !reads_input {
        return vec![Text::unknown()];
    }
    if call.args.has("n") {
        return passed(machine, true);
    }
    let input = super::filters::known_input(machine, &[]);
    match &input[..] {
        [_, ..] if commands.only_substitutes => {
            input.iter().map(|text| commands.applied(text)).collect()
        }
        _ => vec![Text::unknown()],
    }
}

/// The script: what its options and its first operand say, and files that the line made.
fn script(machine: &mut Machine<'_>, call: &Call<'_>, has_script: bool) -> String {
    let mut script: Vec<String> = call
        .args
        .values("e expression")
        .chain(call.args.operands.first().filter(|_| !has_script))
        .map(Text::render)
        .collect();
    for file in call.args.values("f file") {
        machine.read(file);
        script.extend(machine.lines_in(file).iter().map(Text::render));
    }
    script.join("\n")
}

fn follow(machine: &mut Machine<'_>, step: &Step) {
    match step {
        Step::Reads(file) => machine.read(&Text::literal(file)),
        Step::Writes(file) => machine.write(&Text::literal(file)),
        Step::Runs(line) => {
            machine.may_run(line);
        }
        Step::RunsInput => {
            for line in machine.stdin.clone().unwrap_or_default() {
                let line = line.render();
                machine.may_run(&line);
            }
        }
    }
}

/// The most substitutions that are made in a text.
const MAX_SUBSTITUTIONS: usize = 16;

/// What a command does beside editing.
#[derive(Debug, PartialEq)]
enum Step {
    Reads(String),
    Writes(String),
    /// It runs a line.
    Runs(String),
    /// It runs each line that it reads.
    RunsInput,
}

/// A substitution of plain text.
struct Substitution {
    pattern: String,
    replacement: String,
    global: bool,
}

/// The commands of a script, as far as they matter here.
#[derive(Default)]
struct Commands {
    steps: Vec<Step>,
    substitutions: Vec<Substitution>,
    /// Whether the script consists of substitutions of plain text in each line.
    only_substitutes: bool,
}

impl Commands {
    fn of(script: &str) -> Self {
        let mut commands = Self {
            only_substitutes: true,
            ..Self::default()
        };
        let mut rest = Cursor(script);
        loop {
            rest.skip(|c| c.is_whitespace() || matches!(c, ';' | '{' | '}'));
            let has_address = rest.address();
            let Some(letter) = rest.next() else {
                return commands;
            };
            commands.only_substitutes &= letter == 's' && !has_address;
            commands.command(letter, &mut rest);
        }
    }

    fn command(&mut self, letter: char, rest: &mut Cursor<'_>) {
        match letter {
            's' => self.substitution(rest),
            'y' => {
                let delimiter = rest.next().unwrap_or('/');
                rest.section(delimiter);
                rest.section(delimiter);
            }
            'r' | 'R' => self.steps.push(Step::Reads(rest.line().trim().to_owned())),
            'w' | 'W' => self.steps.push(Step::Writes(rest.line().trim().to_owned())),
            'e' => {
                let line = rest.line().trim();
                self.steps.push(if line.is_empty() {
                    Step::RunsInput
                } else {
                    Step::Runs(line.to_owned())
                });
            }
            'a' | 'i' | 'c' => {
                // A line end after a backslash belongs to the text.
                while rest.line().ends_with('\\') && !rest.0.is_empty() {}
            }
            '#' => {
                rest.line();
            }
            'b' | 't' | 'T' | ':' => rest.skip(|c| !matches!(c, ';' | '\n' | '}')),
            _ => {}
        }
    }

    fn substitution(&mut self, rest: &mut Cursor<'_>) {
        let delimiter = rest.next().unwrap_or('/');
        let pattern = rest.section(delimiter);
        let replacement = rest.section(delimiter);
        let flags = rest.0;
        rest.skip(|c| c.is_ascii_digit() || matches!(c, 'g' | 'p' | 'i' | 'I' | 'm' | 'M' | 'e'));
        let flags = &flags[..flags.len() - rest.0.len()];
        if flags.contains('e') {
            self.steps.push(Step::Runs(unescaped(replacement)));
            self.steps.push(Step::RunsInput);
        }
        if let Some(file) = rest.0.strip_prefix('w') {
            rest.0 = file;
            self.steps.push(Step::Writes(rest.line().trim().to_owned()));
        }
        let plain = plain_pattern(pattern).filter(|_| flags.trim_matches('g').is_empty());
        match plain.filter(|_| !replacement.contains('&') && !replacement.contains("\\1")) {
            Some(pattern) if self.substitutions.len() < MAX_SUBSTITUTIONS => {
                self.substitutions.push(Substitution {
                    pattern,
                    replacement: unescaped(replacement),
                    global: flags.contains('g'),
                })
            }
            _ => self.only_substitutes = false,
        }
    }

    /// The text after all substitutions.
    fn applied(&self, text: &Text) -> Text {
        let substitute = |line: String, with: &Substitution| {
            if let Some(start) = with.pattern.strip_prefix('^') {
                match line.strip_prefix(start) {
                    Some(rest) => format!("{}{rest}", with.replacement),
                    None => line,
                }
            } else if with.global {
                line.replace(&with.pattern, &with.replacement)
            } else {
                line.replacen(&with.pattern, &with.replacement, 1)
            }
        };
        let change = |text: &str| {
            let lines = text.split('\n').map(str::to_owned);
            let changed = lines.map(|line| self.substitutions.iter().fold(line, substitute));
            changed.collect::<Vec<_>>().join("\n")
        };
        text.map(change)
    }
}

/// The text of a pattern without special characters; a `^` at its start stays.
fn plain_pattern(pattern: &str) -> Option<String> {
    let (start, inner) = match pattern.strip_prefix('^') {
        Some(inner) => ("^", inner),
        None => ("", pattern),
    };
    let plain = unescaped(inner);
    let escaped_only = inner
        .replace("\\.", "")
        .replace("\\/", "")
        .contains(['\\', '.', '*', '[', ']', '$', '^']);
    (!escaped_only && (!plain.is_empty() || start == "^")).then(|| format!("{start}{plain}"))
}

/// Without the backslashes.
fn unescaped(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => plain.push(match characters.next() {
                Some('n') => '\n',
                Some(other) => other,
                None => '\\',
            }),
            other => plain.push(other),
        }
    }
    plain
}

/// What is left of a script.
struct Cursor<'s>(&'s str);

impl<'s> Cursor<'s> {
    fn next(&mut self) -> Option<char> {
        let first = self.0.chars().next()?;
        self.0 = &self.0[first.len_utf8()..];
        Some(first)
    }

    fn skip(&mut self, skips: impl Fn(char) -> bool) {
        self.0 = self.0.trim_start_matches(skips);
    }

    /// Goes past the addresses of a command; whether there were any.
    fn address(&mut self) -> bool {
        let before = self.0.len();
        loop {
            match self.0.chars().next() {
                Some('/') => {
                    self.next();
                    self.section('/');
                    self.skip(|c| matches!(c, 'I' | 'M'));
                }
                Some('\\') => {
                    self.next();
                    let delimiter = self.next().unwrap_or('/');
                    self.section(delimiter);
                }
                Some(c) if c.is_ascii_digit() || matches!(c, '$' | ',' | '~' | '+' | '!' | ' ') => {
                    self.next();
                }
                _ => return self.0.len() < before,
            }
        }
    }

    /// What stands before the next `delimiter` that has no backslash before it.
    fn section(&mut self, delimiter: char) -> &'s str {
        let mut escaped = false;
        for (at, character) in self.0.char_indices() {
            if escaped {
                escaped = false;
            } else if character == '\\' {
                escaped = true;
            } else if character == delimiter {
                let section = &self.0[..at];
                self.0 = &self.0[at + delimiter.len_utf8()..];
                return section;
            }
        }
        std::mem::take(&mut self.0)
    }

    /// The rest of the line.
    fn line(&mut self) -> &'s str {
        let (line, rest) = self.0.split_once('\n').unwrap_or((self.0, ""));
        self.0 = rest;
        line
    }
}
