//! Programs that run a line of text: shells, `watch`, terminals, and the shells of Windows.

use super::args::Args;
use super::builtins::joined;
use super::machine::Machine;
use super::value::{Text, Values};
use super::waits::{Activity, seconds};

/// Programs that run a line which is one of their words.
pub(super) const LINE_RUNNERS: &str =
    "su tmux screen expect hyperfine concurrently nodemon dtach zellij foreman";

/// Shells that take a line after `-c`.
pub(super) const SHELLS: &str = "bash sh zsh dash ksh ash mksh fish rbash nu xonsh elvish";

impl Machine<'_> {
    /// `bash -c line`, `bash script`, `bash <<E`; `None` is never returned for a shell.
    pub(super) fn shell(&mut self, words: &[Text]) -> Option<Values> {
        let mut at = 1;
        let mut takes_line = false;
        let mut takes_input = false;
        let mut extended = false;
        let mut dotglob = self.state.dotglob;
        while let Some(word) = words
            .get(at)
            .map(Text::prefix)
            .filter(|word| word.starts_with(['-', '+']))
        {
            at += 1;
            if word == "--" {
                break;
            }
            let is_short = !word.starts_with("--");
            takes_line |= is_short && word.contains('c');
            takes_input |= word == "-s";
            extended |= word == "-O" && words.get(at).map(Text::prefix) == Some("extglob");
            dotglob |= word == "-O" && words.get(at).map(Text::prefix) == Some("dotglob");
            if matches!(word, "--rcfile" | "--init-file")
                && let Some(file) = words.get(at)
            {
                self.started_script(file);
            }
            if matches!(word, "-o" | "+o" | "-O" | "+O" | "--rcfile" | "--init-file") {
                at += 1;
            }
        }
        let outer_dotglob = std::mem::replace(&mut self.state.dotglob, dotglob);
        self.wrappers.push(
            words[0]
                .as_literal()
                .map_or("", super::programs::base_name)
                .to_owned(),
        );
        let output = match words.get(at) {
            Some(_) if takes_input => {
                let arguments = words[at..].to_vec();
                self.apart(|machine| {
                    machine.state.set_positional(arguments);
                    machine.shell_of_input()
                })
            }
            Some(line) if takes_line => {
                let mut line = line.render_line();
                if extended {
                    line.insert_str(0, "shopt -s extglob\n");
                }
                let zeroth = words
                    .get(at + 1)
                    .map_or_else(|| vec![Text::unknown()], |word| vec![word.clone()]);
                let arguments = words.get(at + 2..).unwrap_or(&[]).to_vec();
                self.apart(|machine| {
                    machine.state.set_positional(arguments);
                    machine.state.assign("0", zeroth, true);
                    machine.run_text(&line)
                })
            }
            Some(file) => {
                self.note_run(words);
                if let Some(text) = self.remembered_script(file) {
                    let output = self.script_text(&text, &words[at + 1..]);
                    self.wrappers.pop();
                    self.state.dotglob = outer_dotglob;
                    return Some(output);
                }
                self.waiting.note(Activity::Work);
                self.named(file);
                words[at + 1..].iter().for_each(|word| self.named(word));
                vec![Text::unknown()]
            }
            None => self.shell_of_input(),
        };
        self.wrappers.pop();
        self.state.dotglob = outer_dotglob;
        Some(output)
    }

    /// A shell that reads its lines from standard input.
    pub(super) fn shell_of_input(&mut self) -> Values {
        let Some(lines) = self.stdin.take() else {
            self.waiting.note(Activity::Work);
            return vec![Text::unknown()];
        };
        // One after the other, or only one of them: which, the values don't tell.
        let several = lines.len() > 1;
        self.apart(|machine| {
            let certain = machine.certain;
            machine.certain &= !several;
            let run = |line: &Text| machine.run_text(&line.render_quotable());
            let output = lines.iter().flat_map(run).collect();
            machine.certain = certain;
            output
        })
    }

    /// Runs each word that holds a blank as a line; hands the others on.
    pub(super) fn lines_of(&mut self, name: &str, words: &[Text]) -> Values {
        self.note_run(words);
        self.waiting.note(Activity::Work);
        super::programs::handed(self, name, &words[1..]);
        self.wrappers.push(name.to_owned());
        for word in &words[1..] {
            if word.contains(|c| c == ' ') {
                let line = word.render();
                self.apart(|machine| machine.run_text(line.trim_start_matches("spawn ")));
            } else {
                self.named(word);
            }
        }
        self.perhaps_runs(&words[1..]);
        self.wrappers.pop();
        vec![Text::unknown()]
    }

    /// `script file -c line`: what a terminal shows goes into files.
    pub(super) fn recorded(&mut self, words: &[Text]) -> Values {
        self.note_run(words);
        super::programs::handed(self, "script", &words[1..]);
        let long = "command echo log-in log-out log-io log-timing logging-format output-limit";
        let args = Args::parse(&words[1..], "cBIOTEmo/t", long);
        args.operands.iter().for_each(|file| self.write(file));
        self.wrappers.push("script".to_owned());
        for line in args.values("c command") {
            let line = line.render();
            self.apart(|machine| machine.run_text(&line));
        }
        // On a Mac and BSD the program follows the file.
        if let Some(program) = args.operands.get(1..).filter(|words| !words.is_empty()) {
            self.apart(|machine| machine.words(program));
        }
        self.wrappers.pop();
        vec![Text::unknown()]
    }

    /// `watch -n 5 command`: runs its words as a line, again and again.
    pub(super) fn watch(&mut self, words: &[Text]) -> Values {
        let mut rest = &words[1..];
        let mut interval = Some(2.0);
        while let Some(word) = rest
            .first()
            .map(Text::prefix)
            .filter(|word| word.starts_with('-'))
        {
            let takes = matches!(word, "-n" | "--interval" | "-q" | "--equexit");
            if matches!(word, "-n" | "--interval") {
                interval = rest.get(1).and_then(Text::as_literal).and_then(seconds);
            }
            rest = &rest[(1 + usize::from(takes)).min(rest.len())..];
        }
        let before = self.waiting.enter_loop(None);
        self.waiting.sleep(interval);
        self.wrappers.push("watch".to_owned());
        let output = self.apart(|machine| machine.run_text(&joined(rest)));
        self.wrappers.pop();
        self.waiting.leave_loop(before);
        output
    }

    /// `cmd /c line`, `powershell -Command line`
    pub(super) fn windows_shell(&mut self, name: &str, words: &[Text]) -> Values {
        self.wrappers.push(name.to_owned());
        let starts = |word: &Text| {
            let text = word.prefix().to_lowercase();
            if name == "cmd" {
                matches!(text.as_str(), "/c" | "/k" | "//c")
            } else {
                text.len() > 1 && "-command".starts_with(&text)
            }
        };
        let is_option = |word: &Text| word.prefix().starts_with(['-', '/']);
        let at = words.iter().position(starts).map(|at| at + 1);
        let at = at.or_else(|| {
            (name != "cmd")
                .then(|| words[1..].iter().position(|word| !is_option(word)))
                .flatten()
                .map(|at| at + 1)
        });
        let line = joined(words.get(at.unwrap_or(words.len())..).unwrap_or(&[]));
        self.apart(|machine| machine.run_windows(&line));
        self.wrappers.pop();
        vec![Text::unknown()]
    }
}
