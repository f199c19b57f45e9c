//! Programs that run another program: what stands before its name, and where it comes from.

use super::args::Args;
use super::machine::Machine;
use super::shells::{LINE_RUNNERS, SHELLS};
use super::value::{Text, Values};
use super::waits::Activity;
use crate::words::lists;

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

const WRAPPERS: [Wrapper; 29] = [
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
    wrapper(
        "unshare",
        "",
        "RwSGl",
        "root wd setuid setgid map-user map-group map-users map-groups propagation setgroups",
        0,
    ),
    wrapper("nsenter", "", "tSG", "target setuid setgid", 0),
    wrapper(
        "setpriv",
        "",
        "",
        "reuid regid groups inh-caps ambient-caps bounding-set securebits pdeathsig",
        0,
    ),
    wrapper(
        "systemd-run",
        "",
        "pEuHM",
        "property setenv unit host machine slice description uid gid",
        0,
    ),
    wrapper("chroot", "", "", "userspec groups", 1),
    wrapper(
        "ld.so",
        "",
        "",
        "library-path inhibit-rpath audit preload argv0",
        0,
    ),
];

impl Machine<'_> {
    /// Runs what a wrapper wraps; `None` if `name` is no wrapper here.
    pub(super) fn wrapped(&mut self, name: &str, words: &[Text]) -> Option<Values> {
        let name = if is_loader(name) { "ld.so" } else { name };
        if lists(SHELLS, name) {
            return self.shell(words);
        }
        match name {
            "command" | "exec" if asks_only(words) => return Some(self.programs(&words[1..])),
            "xargs" | "parallel" => return Some(self.xargs(name, words)),
            "watch" => return Some(self.watch(words)),
            "script" => return Some(self.recorded(words)),
            "at" | "batch" => return Some(self.shell_of_input()),
            _ if lists(LINE_RUNNERS, name) => {
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
        let wrapper = WRAPPERS.iter().find(|wrapper| lists(wrapper.names, name))?;
        if matches!(wrapper.names, "env" | "sudo doas") {
            // Their folder and their variables are for the program alone.
            let inner = |machine: &mut Self| {
                Some(
                    machine
                        .unwrap(wrapper, words)
                        .map(|inner| machine.inside(name, &inner)),
                )
            };
            return self.apart(inner).flatten();
        }
        if name == "flock"
            && let Some(file) = words
                .iter()
                .skip(1)
                .find(|word| !word.prefix().starts_with('-'))
        {
            self.write(file);
        }
        if name == "flock"
            && let Some(at) = words
                .iter()
                .position(|word| matches!(word.prefix(), "-c" | "--command"))
            && let Some(line) = words.get(at + 1)
        {
            let line = line.render();
            return Some(self.apart(|machine| machine.run_text(&line)));
        }
        super::programs::handed(self, name, &words[1..]);
        let inner = self.unwrap(wrapper, words)?;
        Some(self.inside(name, &inner))
    }

    /// Runs `words` with `wrapper` noted around them.
    pub(super) fn inside(&mut self, wrapper: &str, words: &[Text]) -> Values {
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
            lists(wrapper.subcommands, subcommand).then_some(())?;
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
                let name = text.split('=').next().unwrap_or("").to_owned();
                let value = word.without_prefix(name.len() + 1);
                self.set_variable(&name, vec![value], true);
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
                None if lists(wrapper.long, long) => (rest.get(1), 2),
                None => (None, 1),
            },
            None => {
                let at = text[1..]
                    .find(|letter| wrapper.short.contains(letter))
                    .map(|at| at + 1);
                match at {
                    Some(at) if at + 1 == text.len() => (rest.get(1), 2),
                    Some(at) => {
                        attached = rest[0].without_prefix(at + 1);
                        (Some(&attached), 1)
                    }
                    None => (None, 1),
                }
            }
        };
        // `env -C dir` and `sudo -D dir` change the folder, `env -S 'a b'` splits its value.
        if wrapper.names == "env"
            && let Some(at) = split_string(text)
        {
            let attached = rest.first()?.without_prefix(at);
            let given = if attached.is_empty() { 2 } else { 1 };
            let line = if attached.is_empty() {
                rest.get(1)?.render()
            } else {
                attached.render()
            };
            let more = super::builtins::joined(rest.get(given..).unwrap_or_default());
            self.run_text(&format!("env {line} {more}"));
            return Some(&[]);
        }
        let option = text.split('=').next().unwrap_or(text);
        let changes = match wrapper.names {
            "env" => option == "-C" || is_chdir(option),
            "sudo doas" => option == "-D" || is_chdir(option),
            _ => false,
        };
        if let (true, Some(folder)) = (changes, value) {
            let folders = self.folders_of(folder);
            self.state.enter(folders, self.certain);
        }
        if wrapper.names == "dotenv"
            && let Some(file) = value
        {
            self.read(file);
        }
        if matches!(wrapper.names, "time" | "strace ltrace")
            && is_output(text)
            && let Some(file) = value
        {
            self.write(file);
        }
        rest.get(taken.min(rest.len())..)
    }

    /// `rtk` runs what it wraps, but for the subcommands that are its own.
    fn rtk(&mut self, words: &[Text]) -> Option<Values> {
        let at = words
            .iter()
            .skip(1)
            .position(|word| !word.prefix().starts_with('-'))?
            + 1;
        let subcommand = words[at].as_literal()?;
        let holds = |list: &str| lists(list, subcommand);
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
}

/// The dynamic loader, which runs the program that it is given.
fn is_loader(name: &str) -> bool {
    ["ld-linux", "ld-musl", "ld64.so"]
        .iter()
        .any(|start| name.starts_with(start))
}

/// Where the value of `-S`, `-vS` or `--split-string=` begins in the word, or would begin.
fn split_string(option: &str) -> Option<usize> {
    if let Some(long) = option.strip_prefix("--") {
        let name = long.split('=').next()?;
        let is_it = name.starts_with("sp") && "split-string".starts_with(name);
        return is_it.then(|| (name.len() + 3).min(option.len()));
    }
    // The letters before it take no value.
    let at = option.find('S')?;
    option[1..at]
        .bytes()
        .all(|letter| b"iv0".contains(&letter))
        .then_some(at + 1)
}

/// `--chdir`, in full or in part.
fn is_chdir(option: &str) -> bool {
    option.starts_with("--ch") && "--chdir".starts_with(option)
}

/// `-o`, `-ao`, `-ofile`, `--output=file`
fn is_output(option: &str) -> bool {
    match option.strip_prefix("--") {
        Some(long) => long.split('=').next() == Some("output"),
        None => option[1..]
            .trim_start_matches(['a', 'f', 'v', 'q', 't', 'r', 'y'])
            .starts_with('o'),
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
