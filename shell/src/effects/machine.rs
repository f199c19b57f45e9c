//! The interpreter's memory: where it is, what it found, how much it may still do.

use std::path::PathBuf;
use std::rc::Rc;

use super::builtins::lines;
use super::context::Context;
use super::path::PathPattern;
use super::state::State;
use super::value::{Text, Values};
use super::waits::Waiting;
use super::{Access, AccessKind, Effects, Run};

/// The most work for the effects of one line, in steps of about a word.
const MAX_WORK: usize = 50_000;

/// The most accesses that are kept for one line. Past it the line counts as not followed to its end.
const MAX_ACCESSES: usize = 2_000;

/// The most functions, substitutions and inner lines (`bash -c`, `eval`) that may stand in one another.
const MAX_NESTING: usize = 24;

/// The most written files that are remembered.
const MAX_FILES: usize = 16;

/// The number of the first process substitution's file.
const FIRST_SUBSTITUTED: usize = 63;

/// Paths that are no files of anyone.
const DEVICES: [&str; 6] = [
    "/dev/null",
    "/dev/zero",
    "/dev/tty",
    "/dev/stdin",
    "/dev/stdout",
    "/dev/stderr",
];

/// A file that standard output goes to.
pub(super) struct OutputFile {
    pub path: Text,
    /// Whether it keeps what it has: `>>`.
    pub appends: bool,
}

/// Runs a line without touching anything.
pub(super) struct Machine<'c> {
    pub context: &'c Context<'c>,
    pub state: State,
    /// What the command reads from its standard input, where the line tells.
    pub stdin: Option<Values>,
    /// Whether the command that is looked at runs for sure.
    pub certain: bool,
    /// Wrappers around the command that is looked at.
    pub wrappers: Vec<String>,
    /// The program that is looked at.
    pub program: String,
    pub waiting: Waiting,
    pub windows: bool,
    /// What the line wrote into files. A subshell leaves these behind, as it does links.
    files: Vec<(PathBuf, Rc<str>)>,
    /// The same where not all of the text is known.
    lists: Vec<(PathBuf, Values)>,
    /// The outputs of process substitutions, in the order of their names.
    substituted: Vec<Values>,
    /// Links that the line made: the new path and what it leads to.
    pub links: Vec<(String, Text)>,
    /// Whether the next program is no function, whatever its name is.
    pub bypass_functions: bool,
    /// The last word of the command before, `$_`.
    pub last_word: Option<Text>,
    /// The file that standard output goes to.
    pub output_file: Option<OutputFile>,
    /// The file that standard input comes from.
    pub input_file: Option<Text>,
    nesting: usize,
    work: usize,
    out: Effects,
}

impl<'c> Machine<'c> {
    pub fn new(context: &'c Context<'c>) -> Self {
        let folder = Text::literal(context.folder.replace('\\', "/"));
        Self {
            context,
            state: State::new(folder),
            stdin: None,
            certain: true,
            wrappers: Vec::new(),
            program: String::new(),
            waiting: Waiting::default(),
            windows: false,
            input_file: None,
            output_file: None,
            last_word: None,
            files: Vec::new(),
            lists: Vec::new(),
            substituted: Vec::new(),
            links: Vec::new(),
            bypass_functions: false,
            nesting: 0,
            work: 0,
            out: Effects {
                complete: true,
                ..Effects::default()
            },
        }
    }

    /// Whether the line was followed to its end so far.
    pub fn is_complete(&self) -> bool {
        self.out.complete
    }

    pub fn finish(self) -> Effects {
        let mut out = self.out;
        out.wait = self.waiting.result().filter(|_| out.complete);
        out
    }

    /// Gives a new budget for one more look at the line.
    pub fn begin_again(&mut self) {
        self.work = 0;
        self.state.folders.truncate(1);
    }

    /// Takes over what another run of the line found.
    pub fn add_accesses(&mut self, other: Self) {
        for access in other.out.accesses {
            // The programs of Windows are unknown to the rules for bash.
            if access.kind != AccessKind::Named && !self.out.accesses.contains(&access) {
                self.out.accesses.push(access);
            }
        }
    }

    /// Counts work; false where there was too much.
    pub fn work(&mut self, steps: usize) -> bool {
        self.work += steps + 1;
        if self.work > MAX_WORK {
            self.out.complete = false;
        }
        self.work <= MAX_WORK
    }

    /// The line was not followed to its end.
    pub fn incomplete(&mut self) {
        self.out.complete = false;
    }

    /// Does `inner` one level deeper, unless that is too deep.
    pub fn nested<T: Default>(&mut self, inner: impl FnOnce(&mut Self) -> T) -> T {
        if self.nesting >= MAX_NESTING || !self.work(1) {
            self.incomplete();
            return T::default();
        }
        self.nesting += 1;
        let value = inner(self);
        self.nesting -= 1;
        value
    }

    /// Does `inner` in a subshell: what it changes is forgotten.
    pub fn apart<T: Default>(&mut self, inner: impl FnOnce(&mut Self) -> T) -> T {
        let state = self.state.clone();
        self.work(state.size());
        let value = self.nested(inner);
        self.run_traps(state.traps.len());
        self.state = state;
        value
    }

    /// Does `inner` as something that may not happen.
    pub fn perhaps<T>(&mut self, inner: impl FnOnce(&mut Self) -> T) -> T {
        let certain = std::mem::replace(&mut self.certain, false);
        let value = inner(self);
        self.certain = certain;
        value
    }

    /// Notes a program with its arguments.
    pub fn note_run(&mut self, words: &[Text]) {
        let words = words
            .iter()
            .map(|word| word.as_literal().map(str::to_owned))
            .collect();
        let run = Run {
            words,
            wrappers: self.wrappers.clone(),
        };
        if self.out.runs.len() < MAX_ACCESSES {
            self.out.runs.push(run);
        } else {
            self.incomplete();
        }
    }

    /// The number of programs so far, for [`Machine::forget_runs`].
    pub fn runs(&self) -> usize {
        self.out.runs.len()
    }

    /// Forgets the programs noted since there were so many.
    pub fn forget_runs(&mut self, runs: usize) {
        self.out.runs.truncate(runs);
    }

    /// The number of accesses so far, for [`Machine::only_reads_since`].
    pub fn mark(&self) -> usize {
        self.out.accesses.len()
    }

    /// Whether nothing was changed since `mark`.
    pub fn only_reads_since(&self, mark: usize) -> bool {
        self.out.accesses[mark..]
            .iter()
            .all(|access| matches!(access.kind, AccessKind::Read | AccessKind::List))
    }

    /// Whether something was changed since `mark`.
    pub fn changes_since(&self, mark: usize) -> bool {
        self.out.accesses[mark..]
            .iter()
            .any(|access| matches!(access.kind, AccessKind::Write | AccessKind::Patch))
    }

    /// The paths that `text` can name.
    pub fn paths(&self, text: &Text) -> Vec<PathPattern> {
        let text = if self.windows {
            forward_slashes(text)
        } else {
            text.clone()
        };
        let folders = self.state.folders.iter();
        let mut paths: Vec<PathPattern> = Vec::new();
        for folder in folders {
            let path = PathPattern::new(&text, folder, self.state.dotglob);
            if paths.contains(&path) {
                continue;
            }
            paths.extend(self.through_links(&path));
            paths.push(path);
        }
        paths
    }

    /// The folders that `text` can name, as text.
    pub fn folders_of(&self, text: &Text) -> Values {
        let paths = self.paths(text);
        paths.iter().map(PathPattern::to_text).collect()
    }

    /// The same path by way of a link that the line made.
    fn through_links(&self, path: &PathPattern) -> Vec<PathPattern> {
        let text = path.to_text();
        let prefix = text.prefix();
        let leads = |link: &str| {
            prefix == link
                || prefix
                    .strip_prefix(link)
                    .is_some_and(|rest| rest.starts_with('/'))
        };
        let links = self.links.iter().filter(|(link, _)| leads(link));
        links
            .map(|(link, target)| {
                let whole = target.joined(&text.without_prefix(link.len()));
                PathPattern::new(&whole, &Text::default(), self.state.dotglob)
            })
            .collect()
    }

    /// Remembers what a command printed into its output file, behind what the line wrote there before.
    pub fn remember_output(&mut self, file: &OutputFile, output: &[Text]) {
        let mut whole = if file.appends {
            let kept = self.remembered_file(&file.path);
            kept.map_or_else(
                || self.lines_in(&file.path),
                |kept| vec![Text::literal(&*kept)],
            )
        } else {
            Values::new()
        };
        whole.extend_from_slice(output);
        self.remember_file(&file.path, &whole);
    }

    /// Remembers what the line writes into a file: a script that it runs later can be followed.
    pub fn remember_file(&mut self, path: &Text, output: &[Text]) {
        let known: Option<Vec<&str>> = output.iter().map(Text::as_literal).collect();
        let Some(text) = known
            .map(|lines| lines.join("\n"))
            .filter(|text| !text.is_empty())
        else {
            // Names that are known in part: `find x > list`.
            for path in self.paths(path) {
                if let Some(path) = path.literal().filter(|_| self.lists.len() < MAX_FILES) {
                    self.lists.push((path, output.to_vec()));
                }
            }
            return;
        };
        self.work(text.len() / 256);
        for path in self.paths(path) {
            if let Some(path) = path.literal().filter(|_| self.files.len() < MAX_FILES) {
                self.files.push((path, Rc::from(text.as_str())));
            }
        }
    }

    /// The name under which a program gets the output of a process substitution.
    pub fn substituted_file(&mut self, output: Values) -> Text {
        let name = format!("/dev/fd/{}", FIRST_SUBSTITUTED + self.substituted.len());
        if self.substituted.len() < MAX_FILES {
            self.substituted.push(output);
        }
        Text::literal(name)
    }

    /// The lines of a file that the line itself made: standard input, a process substitution, or one written before.
    pub fn lines_in(&self, path: &Text) -> Values {
        let name = path.as_literal().unwrap_or("");
        if matches!(name, "-" | "/dev/stdin") {
            return lines(self.stdin.as_deref().unwrap_or_default());
        }
        let number = ["/dev/fd/", "/proc/self/fd/"]
            .iter()
            .find_map(|folder| name.strip_prefix(folder)?.parse().ok());
        // `bash 3<<<line /dev/fd/3`
        if number.is_some_and(|number: usize| number < FIRST_SUBSTITUTED) {
            return lines(self.stdin.as_deref().unwrap_or_default());
        }
        let index = number.and_then(|number| number.checked_sub(FIRST_SUBSTITUTED));
        if let Some(output) = index.and_then(|index| self.substituted.get(index)) {
            return lines(output);
        }
        if let Some(text) = self.remembered_file(path) {
            return lines(&[Text::literal(&*text)]);
        }
        let paths = self.paths(path);
        let known = |(path, _): &&(PathBuf, Values)| {
            paths.iter().any(|one| one.literal().as_ref() == Some(path))
        };
        let list = self.lists.iter().rev().find(known);
        list.map_or_else(Values::new, |(_, output)| lines(output))
    }

    /// The text of a script that the line itself made.
    pub fn remembered_script(&self, path: &Text) -> Option<Rc<str>> {
        self.remembered_file(path).or_else(|| {
            let lines: Vec<String> = self.lines_in(path).iter().map(Text::render).collect();
            (!lines.is_empty()).then(|| Rc::from(lines.join("\n")))
        })
    }

    /// What the line wrote into a file before.
    pub fn remembered_file(&self, path: &Text) -> Option<Rc<str>> {
        let paths = self.paths(path);
        let known = |(path, _): &&(PathBuf, Rc<str>)| {
            paths.iter().any(|one| one.literal().as_ref() == Some(path))
        };
        self.files
            .iter()
            .rev()
            .find(known)
            .map(|(_, text)| Rc::clone(text))
    }

    fn access(&mut self, kind: AccessKind, text: &Text, below: Option<bool>) {
        if !self.work((1 + text.size() / 16) * self.state.folders.len()) {
            return;
        }
        let literal = text.as_literal();
        let is_device = literal.is_some_and(|text| DEVICES.contains(&text) || is_descriptor(text));
        let is_nul = self.windows && literal.is_some_and(|text| text.eq_ignore_ascii_case("nul"));
        if text.is_empty() || is_device || is_nul {
            return;
        }
        for path in self.paths(text) {
            let mut path = match below {
                Some(hidden) => path.below(hidden),
                None => path,
            };
            path.files = kind == AccessKind::Read && below.is_none();
            let access = Access {
                kind,
                path,
                by: self.by(),
            };
            if self.out.accesses.len() >= MAX_ACCESSES {
                self.incomplete();
            } else if self.out.accesses.last() != Some(&access) {
                self.out.accesses.push(access);
            }
        }
    }

    fn by(&self) -> String {
        let through_rtk = self.wrappers.last().is_some_and(|last| last == "rtk");
        if through_rtk {
            format!("rtk {}", self.program)
        } else {
            self.program.clone()
        }
    }

    pub fn read(&mut self, text: &Text) {
        self.access(AccessKind::Read, text, None);
    }

    pub fn read_below(&mut self, text: &Text, hidden: bool) {
        self.access(AccessKind::Read, text, Some(hidden));
    }

    pub fn list(&mut self, text: &Text) {
        self.access(AccessKind::List, text, None);
    }

    pub fn list_below(&mut self, text: &Text) {
        self.access(AccessKind::List, text, Some(true));
    }

    pub fn write(&mut self, text: &Text) {
        self.access(AccessKind::Write, text, None);
    }

    pub fn write_below(&mut self, text: &Text) {
        self.access(AccessKind::Write, text, Some(true));
    }

    pub fn patch(&mut self, text: &Text) {
        self.access(AccessKind::Patch, text, None);
    }

    /// Notes a word for a program that is not known, if it can be a path: its parts between `=`, `:` and `,` too.
    pub fn named(&mut self, text: &Text) {
        if !could_be_path(text) {
            return;
        }
        self.access(AccessKind::Named, text, None);
        let separator = |c: char| matches!(c, '=' | ':' | ',');
        if text.contains(separator) && !text.contains(|c| c == '\\') {
            for piece in text
                .split(separator)
                .iter()
                .filter(|piece| could_be_path(piece))
            {
                self.access(AccessKind::Named, piece, None);
            }
        }
    }
}

fn is_descriptor(path: &str) -> bool {
    let number = path.strip_prefix("/dev/fd/");
    number.is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Prose has blanks and paths mostly have none.
fn could_be_path(text: &Text) -> bool {
    if text.is_empty() || text.contains(|c| c == '\n') {
        return false;
    }
    let prefix = text.prefix();
    let is_option = prefix.starts_with('-') && !text.contains(|c| matches!(c, '/' | '.' | '='));
    if is_option {
        return false;
    }
    !text.contains(|c| c == ' ')
        || ["/", "~/", "./", "../"]
            .iter()
            .any(|start| prefix.starts_with(start))
        || super::path::is_absolute(text)
}

pub(super) fn forward_slashes(text: &Text) -> Text {
    text.map(|text| text.replace('\\', "/"))
}
