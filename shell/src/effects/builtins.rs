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
                self.push_folder(arguments);
            }
            "popd" => self.pop_folder(arguments),
            "dirs" => output = self.stacked_folders(),
            "pwd" => output = self.state.folders.clone(),
            "export" | "declare" | "typeset" | "local" | "readonly" | "nameref" => {
                self.declare(name, arguments);
            }
            "unset" => {
                self.subscripts(arguments);
                for name in arguments
                    .iter()
                    .filter_map(Text::as_literal)
                    .filter(|_| self.certain)
                {
                    self.state.unset(name);
                }
            }
            "set" if arguments.is_empty() => output = self.printed_variables(),
            "set" => self.set_positional(arguments),
            "getopts" => {
                let given = arguments.get(2..).filter(|given| !given.is_empty());
                let given = given.map_or_else(|| self.value_of("@"), <[Text]>::to_vec);
                self.state.assign("OPTARG", given, self.certain);
            }
            "history" | "enable" => {
                for file in ["-r", "-n", "-f"] {
                    super::programs::values(arguments, file).for_each(|file| self.read(&file));
                }
                for file in ["-w", "-a"] {
                    super::programs::values(arguments, file).for_each(|file| self.write(&file));
                }
            }
            "complete" => {
                super::programs::values(arguments, "-C")
                    .for_each(|line| self.line_of_option(&line));
            }
            "shift" => {
                let count = arguments.first().and_then(Text::as_literal);
                let count = count.map_or(Some(1), |count| count.parse().ok());
                self.state.shift(count);
            }
            "shopt" => {
                let sets = arguments.first().and_then(Text::as_literal) == Some("-s");
                let has = |option| {
                    arguments
                        .iter()
                        .any(|word| word.as_literal() == Some(option))
                };
                self.state.dotglob |= sets && has("dotglob");
                self.state.lastpipe |= sets && has("lastpipe");
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
                    self.keep_trap(&text);
                    // Other signals than the end may come at once.
                    let last = arguments.last().and_then(Text::as_literal);
                    if matches!(last, Some("EXIT" | "0")) {
                        return Some(output);
                    }
                    return Some(self.perhaps(|machine| machine.run_text(&text)));
                }
            }
            "." | "source" => {
                if let Some(file) = arguments.first() {
                    self.read(file);
                    if let Some(text) = self.remembered_script(file) {
                        return Some(self.sourced(&text, &arguments[1..]));
                    }
                }
                activity = Activity::Work;
            }
            "wait" => self.waiting.wait(),
            "compgen" => {
                let word = arguments.last().cloned().unwrap_or_default();
                super::programs::values(arguments, "-W").for_each(|words| {
                    self.perhaps(|machine| machine.expanded_text(&words.render()));
                });
                super::programs::values(arguments, "-C")
                    .for_each(|line| self.line_of_option(&line));
                output = vec![word.globbed().joined(&Text::run())];
            }
            "let" => self.subscripts(arguments),
            // `hash -p /bin/rm ls`
            "hash" => {
                for program in super::programs::values(arguments, "-p") {
                    if let Some(name) = arguments.last().and_then(Text::as_literal) {
                        self.state.define_alias(name, program);
                    }
                }
            }
            "alias" => {
                for word in arguments {
                    if let Some((name, _)) = word.prefix().split_once('=') {
                        let line = word.without_prefix(name.len() + 1);
                        self.state.define_alias(name, line);
                    }
                }
            }
            "exit" | "return" | "break" | "continue" | ":" | "true" | "false" | "umask"
            | "ulimit" | "bg" | "fg" | "disown" | "unalias" | "clear" => {}
            "which" | "type" | "whence" => output = self.programs(arguments),
            "jobs" | "[" | "test" => {
                self.subscripts(arguments);
                activity = Activity::Probe;
            }
            _ => return None,
        }
        self.waiting.note(activity);
        Some(output)
    }

    /// Where the programs of these names are, as `which` tells.
    pub(super) fn programs(&self, words: &[Text]) -> Values {
        let names = words.iter().filter(|word| !word.prefix().starts_with('-'));
        let found = |word: &Text| {
            let name = word.as_literal()?;
            (self.context.program)(name).map(Text::literal)
        };
        names
            .map(|word| found(word).unwrap_or_else(|| word.clone()))
            .collect()
    }

    fn change_folder(&mut self, arguments: &[Text]) {
        let mut targets = arguments.iter().filter(|word| {
            let is_option = matches!(
                word.as_literal(),
                Some("-L" | "-P" | "-e" | "-@" | "--" | "-n" | "/d" | "/D")
            );
            !is_option && !word.is_empty()
        });
        let folders = match targets.next() {
            None if arguments.iter().any(Text::is_empty) => self.state.folders.clone(),
            None => self.home(),
            Some(target) if target.as_literal() == Some("-") => match &self.state.previous[..] {
                [] => vec![Text::unknown()],
                previous => previous.to_vec(),
            },
            // More than one are what a variable can be.
            Some(target) => std::iter::once(target)
                .chain(targets)
                .flat_map(|target| {
                    [self.searched_folders(target), self.folders_of(target)].concat()
                })
                .collect(),
        };
        self.state.enter(folders, self.certain);
    }

    /// `pushd`: with `-n` only the stack changes; with `+1` or nothing any folder of the stack comes up.
    fn push_folder(&mut self, arguments: &[Text]) {
        let only_stack = arguments.iter().any(|word| word.as_literal() == Some("-n"));
        let target = arguments.iter().find(|word| !is_rotation(word));
        match target {
            Some(target) if only_stack => {
                let folders = self.folders_of(target);
                self.state.stack.push(folders);
            }
            Some(_) => {
                self.state.stack.push(self.state.folders.clone());
                self.change_folder(arguments);
            }
            None => {
                let all = self.stacked_folders();
                self.state.stack.push(self.state.folders.clone());
                self.state.enter(all, self.certain);
            }
        }
    }

    /// `popd`: with a number it may take any folder off the stack.
    fn pop_folder(&mut self, arguments: &[Text]) {
        let folders = if arguments.is_empty() {
            self.state.stack.pop()
        } else {
            Some(self.stacked_folders())
        };
        let folders = folders.unwrap_or_else(|| vec![Text::unknown()]);
        self.state.enter(folders, self.certain);
    }

    /// The folder of `~1`, `~+1` and `~-1`: its place in what `dirs` prints, from the left or from the right.
    pub(super) fn folder_at(&self, place: &str) -> Option<Values> {
        let count = self.state.stack.len();
        let number: usize = place.trim_start_matches(['+', '-']).parse().ok()?;
        let from_left = if place.starts_with('-') {
            count.checked_sub(number)?
        } else {
            number
        };
        match from_left {
            0 => Some(self.state.folders.clone()),
            index => self.state.stack.get(count.checked_sub(index)?).cloned(),
        }
    }

    /// The folders of `dirs` and `DIRSTACK`: the current one, and those that `pushd` put away.
    pub(super) fn stacked_folders(&self) -> Values {
        let stacked = self.state.stack.iter().rev().flatten();
        self.state.folders.iter().chain(stacked).cloned().collect()
    }

    /// Runs a script in this shell; arguments are its own positional parameters.
    fn sourced(&mut self, text: &str, arguments: &[Text]) -> Values {
        if arguments.is_empty() {
            return self.run_text(text);
        }
        let outer = self.state.positional.replace(arguments.to_vec());
        let output = self.run_text(text);
        self.state.positional = outer;
        output
    }

    /// The folders that `target` is in those of `CDPATH`.
    fn searched_folders(&self, target: &Text) -> Values {
        let first = target.prefix().split('/').next();
        let is_searched = !matches!(first, Some("." | "..")) && !target.prefix().starts_with('/');
        let Some(search) = self.state.variable("CDPATH").filter(|_| is_searched) else {
            return Values::new();
        };
        let below = |folder: Text| folder.joined(&Text::literal("/")).joined(target);
        search
            .iter()
            .flat_map(|list| list.split(|c| c == ':'))
            .filter(|folder| !folder.is_empty())
            .flat_map(|folder| self.folders_of(&below(folder)))
            .collect()
    }

    fn declare(&mut self, builtin: &str, arguments: &[Text]) {
        let refers = |word: &Text| {
            let prefix = word.prefix();
            prefix.starts_with('-') && !prefix.starts_with("--") && prefix.contains('n')
        };
        // `export -n` takes a name back.
        let refers = builtin == "nameref" || builtin != "export" && arguments.iter().any(refers);
        let cased = arguments.iter().find_map(|word| {
            let options = word.prefix().strip_prefix('-')?;
            options.bytes().find(|option| matches!(option, b'l' | b'u'))
        });
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
            let value = match cased {
                Some(b'l') => value.map(str::to_lowercase),
                Some(b'u') => value.map(str::to_uppercase),
                _ => value,
            };
            if refers {
                self.state.refer(&name, &value.render());
                continue;
            }
            // An array is one word here for each of its elements.
            let again = names.contains(&name);
            self.set_variable(&name, vec![value], self.certain && !again);
            names.push(name);
        }
    }

    fn set_positional(&mut self, arguments: &[Text]) {
        let is_option = |word: &&Text| word.prefix().starts_with(['-', '+']);
        let first = arguments.first();
        if first.and_then(Text::as_literal) == Some("--") {
            self.state.set_positional(arguments[1..].to_vec());
        } else if first.is_some_and(|word| !is_option(&word)) {
            self.state.set_positional(arguments.to_vec());
        }
    }
}

/// Whether a word for `pushd` is an option or a place in the stack, such as `+1`.
fn is_rotation(word: &Text) -> bool {
    let number = word.prefix().strip_prefix(['+', '-']);
    number.is_some_and(|number| number == "n" || number.bytes().all(|byte| byte.is_ascii_digit()))
        && word.prefix() != "-"
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
