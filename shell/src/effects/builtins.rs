//! The builtins that change what the shell remembers, or that run text.

use super::machine::Machine;
use super::value::{Text, Values};
use super::waits::Activity;

impl Machine<'_> {
    /// Runs the builtin `name`; `None` if it is none of these.
    pub(super) fn builtin(&mut self, name: &str, words: &[Text]) -> Option<Values> {
        let arguments = &words[1..];
        let mut activity = Activity::Nothing;
        let mut output = Values::new();
        match name {
            "cd" | "chdir" => self.change_folder(arguments),
            "pushd" => {
                self.state.stack.push(self.state.folders.clone());
                self.change_folder(arguments);
            }
            "popd" => {
                let folders = self
                    .state
                    .stack
                    .pop()
                    .unwrap_or_else(|| vec![Text::unknown()]);
                self.state.enter(folders, self.certain);
            }
            "pwd" => output = self.state.folders.clone(),
            "export" | "declare" | "typeset" | "local" | "readonly" => self.declare(arguments),
            "unset" => {
                for name in arguments
                    .iter()
                    .filter_map(Text::as_literal)
                    .filter(|_| self.certain)
                {
                    self.state.unset(name);
                }
            }
            "set" => self.set_positional(arguments),
            "shift" => {
                if let Some(values) = &mut self.state.positional {
                    values.drain(..values.len().min(1));
                }
            }
            "shopt" => {
                let sets = arguments.first().and_then(Text::as_literal) == Some("-s");
                self.state.dotglob |= sets
                    && arguments
                        .iter()
                        .any(|word| word.as_literal() == Some("dotglob"));
            }
            "setopt" => {
                let globs = |word: &Text| {
                    word.as_literal()
                        .is_some_and(|word| word.to_lowercase().replace('_', "") == "globdots")
                };
                self.state.dotglob |= arguments.iter().any(globs);
            }
            "read" | "mapfile" | "readarray" => self.take_input(name, arguments),
            "eval" => {
                let text = joined(arguments);
                return Some(self.run_text(&text));
            }
            "trap" => {
                if let Some(text) = arguments
                    .iter()
                    .find(|word| !word.prefix().starts_with('-'))
                {
                    let text = text.render();
                    return Some(self.perhaps(|machine| machine.run_text(&text)));
                }
            }
            "." | "source" => {
                if let Some(file) = arguments.first() {
                    self.read(file);
                    if let Some(text) = self.remembered_script(file) {
                        return Some(self.run_text(&text));
                    }
                }
                activity = Activity::Work;
            }
            "wait" => self.waiting.wait(),
            "alias" | "exit" | "return" | "break" | "continue" | ":" | "true" | "false" | "let"
            | "umask" | "ulimit" | "bg" | "fg" | "disown" | "hash" | "type" | "whence"
            | "getopts" | "history" | "unalias" | "dirs" | "enable" | "complete" | "compgen"
            | "clear" => {}
            "which" => output = arguments.to_vec(),
            "jobs" | "[" | "test" => activity = Activity::Probe,
            _ => return None,
        }
        self.waiting.note(activity);
        Some(output)
    }

    fn change_folder(&mut self, arguments: &[Text]) {
        let target = arguments.iter().find(|word| {
            let is_option = matches!(
                word.as_literal(),
                Some("-L" | "-P" | "-e" | "-@" | "--" | "-n" | "/d" | "/D")
            );
            !is_option && !word.is_empty()
        });
        let folders = match target {
            None if arguments.iter().any(Text::is_empty) => self.state.folders.clone(),
            None => self.home(),
            Some(target) if target.as_literal() == Some("-") => match &self.state.previous[..] {
                [] => vec![Text::unknown()],
                previous => previous.to_vec(),
            },
            Some(target) => self
                .paths(target)
                .iter()
                .map(super::PathPattern::to_text)
                .collect(),
        };
        self.state.enter(folders, self.certain);
    }

    fn declare(&mut self, arguments: &[Text]) {
        let mut names: Vec<String> = Vec::new();
        for word in arguments
            .iter()
            .filter(|word| !word.prefix().starts_with('-'))
        {
            let prefix = word.prefix();
            let Some(equals) = prefix.find('=') else {
                continue;
            };
            let name = prefix[..equals].trim_end_matches('+').to_owned();
            let value = word.without_prefix(equals + 1);
            // An array is one word here for each of its elements.
            let again = names.contains(&name);
            self.state
                .assign(&name, vec![value], self.certain && !again);
            names.push(name);
        }
    }

    fn set_positional(&mut self, arguments: &[Text]) {
        let is_option = |word: &&Text| word.prefix().starts_with(['-', '+']);
        let first = arguments.first();
        if first.and_then(Text::as_literal) == Some("--") {
            self.state.positional = Some(arguments[1..].to_vec());
        } else if first.is_some_and(|word| !is_option(&word)) {
            self.state.positional = Some(arguments.to_vec());
        }
    }

    /// `read name …`: the names get what standard input has.
    fn take_input(&mut self, builtin: &str, arguments: &[Text]) {
        let args = super::args::Args::parse(
            arguments,
            if builtin == "read" {
                "adinNptu"
            } else {
                "dnOsuCc"
            },
            "",
        );
        let values = match &self.stdin {
            Some(values) => lines(values),
            None => vec![Text::unknown()],
        };
        if self.stdin.is_none()
            && let Some(limit) = args.values("t").next()
        {
            self.waiting
                .sleep(limit.as_literal().and_then(super::waits::seconds));
        }
        let names = args.operands.iter().chain(args.values("a"));
        let names: Vec<String> = names
            .filter_map(Text::as_literal)
            .map(str::to_owned)
            .collect();
        for name in &names {
            // With more than one name each gets a part of the line.
            let values = if names.len() == 1 {
                values.clone()
            } else {
                vec![Text::unknown()]
            };
            self.state.assign(name, values, self.certain);
        }
        if names.is_empty() {
            let name = if builtin == "read" {
                "REPLY"
            } else {
                "MAPFILE"
            };
            self.state.assign(name, values, self.certain);
        }
    }
}

/// The words as one text, as `eval` sees it.
pub(super) fn joined(words: &[Text]) -> String {
    words.iter().map(Text::render).collect::<Vec<_>>().join(" ")
}

/// The lines of an output; parts that are not known stay in their line.
pub(super) fn lines(values: &[Text]) -> Values {
    values
        .iter()
        .flat_map(|value| value.split(|c| c == '\n'))
        .filter(|line| !line.is_empty())
        .collect()
}
