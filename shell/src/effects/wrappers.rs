//! Programs that run another program: what stands before its name, and where it comes from.

use super::args::Args;
use super::builtins::{joined, lines};
use super::machine::Machine;
use super::value::{Text, Values};
use super::waits::{Activity, seconds};

/// A program whose operands are another program with its arguments.
struct Wrapper {
    /// Its names, between blanks.
    names: &'static str,
    /// The subcommands (between blanks) with which it is one; empty where it always is.
    subcommands: &'static str,
    /// The letters of its options that take a value.
    short: &'static str,
    /// The long options that take a value.
    long: &'static str,
    /// Operands of its own before the program.
    operands: usize,
}

const fn wrapper(
    names: &'static str,
    subcommands: &'static str,
    short: &'static str,
    long: &'static str,
    operands: usize,
) -> Wrapper {
    Wrapper {
        names,
        subcommands,
        short,
        long,
        operands,
    }
}

const WRAPPERS: [Wrapper; 23] = [
    wrapper(
        "sudo doas",
        "",
        "ughpCTDRrtU",
        "user group host prompt chdir chroot role type other-user",
        0,
    ),
    wrapper("env", "", "uCP", "unset chdir", 0),
    wrapper(
        "builtin nohup setsid chronic unbuffer winpty cross-env caffeinate catchsegv",
        "",
        "",
        "",
        0,
    ),
    wrapper("exec", "", "a", "", 0),
    wrapper("command", "", "", "", 0),
    wrapper("time", "", "fo", "format output", 0),
    wrapper("nice", "", "n", "adjustment", 0),
    wrapper("ionice", "", "cnpPu", "class classdata pid", 0),
    wrapper("timeout gtimeout", "", "ks", "kill-after signal", 1),
    wrapper("stdbuf", "", "ioe", "input output error", 0),
    wrapper("flock", "", "wE", "timeout conflict-exit-code", 1),
    wrapper("taskset chrt", "", "", "", 1),
    wrapper("strace ltrace", "", "oepsSuEPaI", "output trace", 0),
    wrapper("busybox toybox", "", "", "", 0),
    wrapper("npx bunx pnpx", "", "pc", "package", 0),
    wrapper(
        "npm pnpm yarn bun",
        "exec dlx x",
        "C",
        "prefix dir filter",
        0,
    ),
    wrapper(
        "uv rye hatch pdm poetry pipenv",
        "run",
        "p",
        "python with directory project env-file",
        0,
    ),
    wrapper("uvx pipx", "", "p", "from with python spec", 0),
    wrapper("bundle mise asdf", "exec", "", "", 0),
    wrapper("conda mamba micromamba", "run", "npr", "name prefix", 0),
    wrapper("dotenv", "", "fe", "file", 0),
    wrapper("direnv", "exec", "", "", 1),
    wrapper("entr", "", "", "", 0),
];

/// Programs that run a line which is one of their words.
const LINE_RUNNERS: &str =
    "su script tmux screen expect hyperfine concurrently nodemon dtach zellij foreman";

/// Shells that take a line after `-c`.
const SHELLS: &str = "bash sh zsh dash ksh ash mksh fish rbash";

impl Machine<'_> {
    /// Runs what a wrapper wraps; `None` if `name` is no wrapper here.
    pub(super) fn wrapped(&mut self, name: &str, words: &[Text]) -> Option<Values> {
        if SHELLS.split(' ').any(|shell| shell == name) {
            return self.shell(words);
        }
        match name {
            "command" | "exec" if asks_only(words) => return Some(Values::new()),
            "xargs" | "parallel" => return Some(self.xargs(name, words)),
            "watch" => return Some(self.watch(words)),
            "at" | "batch" => return Some(self.shell_of_input()),
            _ if LINE_RUNNERS.split(' ').any(|known| known == name) => {
                return Some(self.lines_of(name, words));
            }
            "cmd" | "powershell" | "pwsh" => return Some(self.windows_shell(name, words)),
            "rtk" => return self.rtk(words),
            // They run the programs of the project by their name.
            "yarn" | "pnpm" | "bun"
                if words
                    .get(1)
                    .and_then(Text::as_literal)
                    .is_some_and(super::programs::formats) =>
            {
                return Some(self.inside(name, &words[1..]));
            }
            _ => {}
        }
        let wrapper = WRAPPERS
            .iter()
            .find(|wrapper| wrapper.names.split(' ').any(|known| known == name))?;
        let folders = self.state.folders.clone();
        let inner = self.unwrap(wrapper, words)?;
        let output = self.inside(name, &inner);
        if matches!(wrapper.names, "env" | "sudo doas") {
            self.state.folders = folders;
        }
        Some(output)
    }

    /// Runs `words` with `wrapper` noted around them.
    fn inside(&mut self, wrapper: &str, words: &[Text]) -> Values {
        self.wrappers.push(wrapper.to_owned());
        self.bypass_functions = true;
        let output = self.words(words);
        self.bypass_functions = false;
        self.wrappers.pop();
        output
    }

    /// The words of the wrapped program.
    fn unwrap(&mut self, wrapper: &Wrapper, words: &[Text]) -> Option<Vec<Text>> {
        let mut rest = &words[1..];
        if !wrapper.subcommands.is_empty() {
            let at = rest
                .iter()
                .position(|word| !word.prefix().starts_with('-'))?;
            let subcommand = rest[at].as_literal()?;
            wrapper
                .subcommands
                .split(' ')
                .find(|known| *known == subcommand)?;
            rest = &rest[at + 1..];
        }
        let mut operands = wrapper.operands;
        while let Some(word) = rest.first() {
            let text = word.prefix();
            if word.as_literal() == Some("--") {
                rest = &rest[1..];
                break;
            }
            if text.starts_with('-') && text.len() > 1 {
                rest = self.wrapper_option(wrapper, rest)?;
            } else if wrapper.names != "time" && is_assignment(text) {
                rest = &rest[1..];
            } else if operands > 0 {
                operands -= 1;
                rest = &rest[1..];
            } else {
                break;
            }
        }
        let rest = rest.get(operands.min(rest.len())..)?;
        if rest.is_empty() {
            return if wrapper.operands == 0 && wrapper.subcommands.is_empty() {
                Some(Vec::new())
            } else {
                None
            };
        }
        Some(rest.to_vec())
    }

    /// Goes past one option of a wrapper and its value.
    fn wrapper_option<'w>(&mut self, wrapper: &Wrapper, rest: &'w [Text]) -> Option<&'w [Text]> {
        let text = rest[0].prefix();
        let attached;
        let (value, taken) = match text.strip_prefix("--") {
            Some(long) => match long.split_once('=') {
                Some((name, _)) => {
                    attached = rest[0].without_prefix(name.len() + 3);
                    (Some(&attached), 1)
                }
                None if wrapper.long.split(' ').any(|known| known == long) => (rest.get(1), 2),
                None => (None, 1),
            },
            None => {
                let at = text[1..]
                    .find(|letter| wrapper.short.contains(letter))
                    .map(|at| at + 1);
                match at {
                    Some(at) if at + 1 == text.len() => (rest.get(1), 2),
                    _ => (None, 1),
                }
            }
        };
        // `env -C dir` and `sudo -D dir` change the folder, `env -S 'a b'` splits its value.
        if wrapper.names == "env" && text.starts_with("-S") {
            let line = if text == "-S" {
                rest.get(1)?.render()
            } else {
                text[2..].to_owned()
            };
            self.run_text(&line);
            return Some(&[]);
        }
        let changes = matches!(
            (wrapper.names, text.split('=').next().unwrap_or(text)),
            ("env", "-C" | "--chdir") | ("sudo doas", "-D" | "--chdir")
        );
        if let (true, Some(folder)) = (changes, value) {
            let folders = self
                .paths(folder)
                .iter()
                .map(super::PathPattern::to_text)
                .collect();
            self.state.enter(folders, self.certain);
        }
        if wrapper.names == "time"
            && matches!(text, "-o" | "--output")
            && let Some(file) = value
        {
            self.write(file);
        }
        rest.get(taken.min(rest.len())..)
    }

    /// `bash -c line`, `bash script`, `bash <<E`; `None` is never returned for a shell.
    fn shell(&mut self, words: &[Text]) -> Option<Values> {
        let mut at = 1;
        let mut takes_line = false;
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
            if matches!(word, "-o" | "+o" | "-O" | "+O" | "--rcfile" | "--init-file") {
                at += 1;
            }
        }
        self.wrappers.push(
            words[0]
                .as_literal()
                .map_or("", super::programs::base_name)
                .to_owned(),
        );
        let output = match words.get(at) {
            Some(line) if takes_line => {
                let line = line.render();
                let zeroth = words
                    .get(at + 1)
                    .map_or_else(|| vec![Text::unknown()], |word| vec![word.clone()]);
                let arguments = words.get(at + 2..).unwrap_or(&[]).to_vec();
                self.apart(|machine| {
                    machine.state.positional = Some(arguments);
                    machine.state.assign("0", zeroth, true);
                    machine.run_text(&line)
                })
            }
            Some(file) => {
                self.note_run(words);
                if let Some(text) = self.remembered_file(file) {
                    let output = self.script_text(&text, &words[at + 1..]);
                    self.wrappers.pop();
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
        Some(output)
    }

    /// A shell that reads its lines from standard input.
    fn shell_of_input(&mut self) -> Values {
        let Some(lines) = self.stdin.take() else {
            self.waiting.note(Activity::Work);
            return vec![Text::unknown()];
        };
        let mut output = Values::new();
        for line in lines {
            output.extend(self.apart(|machine| machine.run_text(&line.render())));
        }
        output
    }

    /// `xargs`: the program gets what standard input has as its last arguments, or where the marker stands.
    fn xargs(&mut self, name: &str, words: &[Text]) -> Values {
        let (short, long) = if name == "xargs" {
            (
                "InPLdEaslJR",
                "replace max-args max-procs max-lines delimiter arg-file eof max-chars",
            )
        } else {
            ("jNnLdaIS", "jobs max-args arg-file delimiter joblog")
        };
        let mut at = 1;
        let mut marker = (name == "parallel").then(|| "{}".to_owned());
        while let Some(word) = words
            .get(at)
            .map(Text::prefix)
            .filter(|word| word.starts_with('-'))
        {
            let options = Args::parse(&words[at..(at + 2).min(words.len())], short, long);
            if let Some(file) = options.values("a arg-file").next() {
                self.read(file);
                self.stdin = None;
            }
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
        let replaced: Vec<Text> = match &marker {
            Some(marker)
                if program
                    .iter()
                    .any(|word| word.render().contains(marker.as_str())) =>
            {
                program
                    .iter()
                    .flat_map(|word| put_in(word, marker, &given))
                    .collect()
            }
            _ => program.iter().chain(&given).cloned().collect(),
        };
        self.inside(name, &replaced)
    }

    /// Runs each word that holds a blank as a line; hands the others on.
    fn lines_of(&mut self, name: &str, words: &[Text]) -> Values {
        self.note_run(words);
        self.waiting.note(Activity::Work);
        self.wrappers.push(name.to_owned());
        for word in &words[1..] {
            if word.contains(|c| c == ' ') {
                let line = word.render();
                self.apart(|machine| machine.run_text(line.trim_start_matches("spawn ")));
            } else {
                self.named(word);
            }
        }
        self.wrappers.pop();
        vec![Text::unknown()]
    }

    /// `watch -n 5 command`: runs its words as a line, again and again.
    fn watch(&mut self, words: &[Text]) -> Values {
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

    /// `rtk` runs what it wraps, but for the subcommands that are its own.
    fn rtk(&mut self, words: &[Text]) -> Option<Values> {
        let at = words
            .iter()
            .skip(1)
            .position(|word| !word.prefix().starts_with('-'))?
            + 1;
        let subcommand = words[at].as_literal()?;
        let holds = |list: &str| list.split(' ').any(|known| known == subcommand);
        if holds("proxy run err summary test") {
            return Some(self.inside("rtk", &words[at + 1..]));
        }
        if holds("read smart json log") {
            self.note_run(words);
            self.rtk_read(subcommand, &words[at + 1..]);
            return Some(vec![Text::unknown()]);
        }
        let knows = super::programs::knows(subcommand) || holds("npm pnpm npx cargo pytest");
        knows.then(|| self.inside("rtk", &words[at..]))
    }

    /// `rtk read file …` and its like.
    fn rtk_read(&mut self, subcommand: &str, words: &[Text]) {
        let args = Args::parse(words, "lmd", "level max-lines tail-lines depth");
        let outer = std::mem::replace(&mut self.program, subcommand.to_owned());
        self.wrappers.push("rtk".to_owned());
        args.operands
            .iter()
            .filter(|file| file.as_literal() != Some("-"))
            .for_each(|file| self.read(file));
        self.wrappers.pop();
        self.program = outer;
        self.waiting.note(Activity::Read);
    }

    /// `cmd /c line`, `powershell -Command line`
    fn windows_shell(&mut self, name: &str, words: &[Text]) -> Values {
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

/// `command -v x`
fn asks_only(words: &[Text]) -> bool {
    words
        .get(1)
        .is_some_and(|word| matches!(word.prefix(), "-v" | "-V" | "-pv"))
}

fn is_assignment(text: &str) -> bool {
    text.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty()
            && name
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    })
}

/// What `xargs` makes of its input: words between blanks and line ends.
fn words_of(values: &[Text]) -> Values {
    lines(values)
        .iter()
        .flat_map(|line| line.split(|c| matches!(c, ' ' | '\t')))
        .filter(|word| !word.is_empty())
        .collect()
}

/// `word` with each of `given` in the place of `marker`.
fn put_in(word: &Text, marker: &str, given: &[Text]) -> Values {
    let Some(text) = word.as_literal().filter(|text| text.contains(marker)) else {
        return vec![word.clone()];
    };
    let (before, after) = text.split_once(marker).unwrap_or((text, ""));
    let around = |value: &Text| {
        Text::literal(before)
            .joined(value)
            .joined(&Text::literal(after.replace(marker, "")))
    };
    given.iter().map(around).collect()
}
