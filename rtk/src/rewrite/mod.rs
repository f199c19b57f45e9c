//! The rtk form of one simple command, as text edits on the original line.
//!
//! The rewrite changes what the model reads, never what the command does. The table says for each program
//! what rtk 1.1.0 makes of it and what keeps it as it is; this module applies a row to the words of a call.
//! Nothing is built at start-up: the table is constant and searched by halves.

mod call;
mod convert;
mod gate;
mod line;
mod machine;
mod read;
mod reason;
mod row;
mod table;
mod word;

use std::borrow::Cow;
use std::path::{Path, PathBuf};

pub use line::{LineVerdict, Surroundings, judge_line, rewrite_line};
pub use machine::{FileKind, Machine, READ_LIMIT, is_on_path, kind_on_disk, kind_seen_from};
pub use reason::Reason;
pub use word::{Certainty, Word};

use call::Call;
use row::{Form, Program, Row};

/// A change of the original line: the bytes from `start` to `end` give way to `text`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The first byte that goes.
    pub start: usize,
    /// The byte after the last that goes; equal to `start` for an insertion.
    pub end: usize,
    /// What is written there.
    pub text: Cow<'static, str>,
}

impl Edit {
    pub(crate) fn new(start: usize, end: usize, text: impl Into<Cow<'static, str>>) -> Self {
        Self {
            start,
            end,
            text: text.into(),
        }
    }
}

/// What becomes of one simple command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Its rtk form: edits in ascending order that do not overlap.
    Rewrite(Vec<Edit>),
    /// It stays: rtk has a form, and this speaks against it.
    Stay(Reason),
    /// It stays: rtk has no form for it.
    NoForm,
}

/// What follows a command, where rtk takes it for a part of the command.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Next {
    /// A `)` without a blank before it.
    Bracket,
    /// A comment.
    Comment,
    /// Anything else.
    #[default]
    Other,
}

/// Where a command would run.
pub struct Context<'a> {
    /// The machine.
    pub machine: &'a dyn Machine,
    /// The word for rtk as the agent's shell reads it: `rtk`, or a quoted absolute path.
    pub rtk: &'a str,
    /// Whether the shell that reads the line is PowerShell or `cmd`, where `cat`, `ls`, `find`, `tree` and
    /// `curl` are other programs.
    pub windows: bool,
    /// The folder in which the command runs, relative to that in which the line starts; `None` if a `cd`
    /// went somewhere unknown.
    pub folder: Option<&'a Path>,
    /// Whether nothing ran before it in the line that could have made a file.
    pub first: bool,
    /// Whether more of the line runs behind it, and may print.
    pub followed: bool,
    /// What follows the command.
    pub next: Next,
}

impl<'a> Context<'a> {
    /// A command that starts a line for a POSIX shell.
    #[must_use]
    pub fn new(machine: &'a dyn Machine) -> Self {
        Self {
            machine,
            rtk: "rtk",
            windows: false,
            folder: Some(Path::new("")),
            first: true,
            followed: false,
            next: Next::Other,
        }
    }

    /// What stands at the path that a word names; `None` if only the shell knows.
    pub(crate) fn kind_at(&self, word: &Word) -> Option<FileKind> {
        let path: PathBuf = match word.certainty {
            Certainty::Plain | Certainty::Quoted => PathBuf::from(word.text.as_ref()),
            Certainty::Tilde => self
                .machine
                .home()?
                .join(word.text.trim_start_matches("~").trim_start_matches('/')),
            Certainty::Pattern | Certainty::Expanded | Certainty::Open => return None,
        };
        if path.is_absolute() {
            return Some(self.machine.kind(&path));
        }
        let folder = self.folder?;
        Some(match self.machine.kind(&folder.join(path)) {
            FileKind::Missing if self.is_lost(folder) => FileKind::Unknown,
            kind => kind,
        })
    }

    /// Whether a `cd` of the line led to a folder that is not there.
    fn is_lost(&self, folder: &Path) -> bool {
        !folder.as_os_str().is_empty() && self.machine.kind(folder) == FileKind::Missing
    }

    /// Whether something stands at a path of the command's folder; `false` if the folder is unknown.
    pub(crate) fn exists(&self, path: &str) -> bool {
        self.folder.is_some_and(|folder| {
            !matches!(
                self.machine.kind(&folder.join(path)),
                FileKind::Missing | FileKind::Unknown
            )
        })
    }
}

/// The rtk form of a simple command, or nothing where it stays as it is.
///
/// `words` are the command's words without assignments and redirections. That its output goes to the model and
/// its input is its own is for the caller to know.
#[must_use]
pub fn rewrite_simple(words: &[Word], context: &Context) -> Option<Vec<Edit>> {
    match judge_simple(words, context) {
        Verdict::Rewrite(edits) => Some(edits),
        Verdict::Stay(_) | Verdict::NoForm => None,
    }
}

/// The same with the reason for what stays.
#[must_use]
pub fn judge_simple(words: &[Word], context: &Context) -> Verdict {
    let Some((skipped, wrapper)) = skip_wrappers(words) else {
        return Verdict::NoForm;
    };
    if let Some(reason) = wrapper {
        return Verdict::Stay(reason);
    }
    let words = &words[skipped..];
    if let Some(verdict) = run_by_uv(words, context) {
        return verdict;
    }
    let Some((program, row, matched)) = find_row(words) else {
        return Verdict::NoForm;
    };
    let call = Call {
        words,
        matched,
        takes: row.takes,
        context,
    };
    if is_misread(context.next, &call, row.form) {
        return Verdict::NoForm;
    }
    if let Some(reason) = reason_to_stay(program, row, &call) {
        return if reason == Reason::NoForm {
            Verdict::NoForm
        } else {
            Verdict::Stay(reason)
        };
    }
    apply(row, &call)
}

/// The verdict on what `uv run` runs, where that is named right after it and rtk has a form for it.
fn run_by_uv(words: &[Word], context: &Context) -> Option<Verdict> {
    let [uv, run, tool, ..] = words else {
        return None;
    };
    if !uv.is_plain("uv") || !run.is_plain("run") || tool.text.starts_with('-') {
        return None;
    }
    if matches!(tool.text.as_ref(), "bash" | "sh" | "zsh") {
        return Some(Verdict::Stay(Reason::Wrapped));
    }
    if tool.text.rsplit('/').next() == Some("rtk") {
        return Some(Verdict::NoForm);
    }
    match judge_simple(&words[2..], context) {
        Verdict::NoForm => None,
        verdict => Some(verdict),
    }
}

/// With what follows rtk knows neither a program without arguments nor the forms that take words away.
fn is_misread(next: Next, call: &Call, form: Form) -> bool {
    match (next, form) {
        (Next::Other, _) => false,
        (_, Form::ReadHead | Form::ReadTail) => true,
        (Next::Comment, _) => false,
        (Next::Bracket, Form::Instead(_)) => call.words.len() == call.matched,
        (Next::Bracket, _) => call.words.len() == 1,
    }
}

/// Words that run the rest of the command. Those that change nothing for rtk are skipped; of the others rtk
/// skips some too, where the plain tool was asked for or rtk would be killed with what it holds back.
fn skip_wrappers(words: &[Word]) -> Option<(usize, Option<Reason>)> {
    let mut index = 0;
    let mut reason = None;
    loop {
        let word = words.get(index)?;
        if word.certainty != Certainty::Plain {
            return Some((index, reason));
        }
        match word.text.as_ref() {
            "env" => {
                index += 1;
                while words.get(index).is_some_and(is_assignment) {
                    index += 1;
                }
            }
            "time" => {
                index += 1;
                index += usize::from(words.get(index).is_some_and(|next| next.is_plain("-p")));
            }
            "noglob" => index += 1,
            "nice" => {
                index += 1;
                match words.get(index).map(|next| next.text.as_ref()) {
                    Some("-n") => index += 2,
                    Some(option) if option.starts_with('-') => index += 1,
                    _ => {}
                }
            }
            // `timeout` ends rtk together with the output it has gathered and not yet printed.
            "timeout" => {
                reason = Some(Reason::Wrapped);
                index += 2;
            }
            "command" | "exec" | "nohup" | "builtin" => {
                reason = Some(Reason::Wrapped);
                index += 1;
            }
            _ => return Some((index, reason)),
        }
    }
}

fn is_assignment(word: &Word) -> bool {
    // rtk knows a value in quotes, but no escapes.
    let is_escaped =
        word.certainty == Certainty::Quoted && word.end - word.start != word.text.len() + 2;
    !is_escaped
        && word
            .text
            .split_once('=')
            .is_some_and(|(name, _)| is_variable(name))
}

/// A name in capitals: rtk takes no other for a variable before a command.
pub(crate) fn is_variable(name: &str) -> bool {
    !name.is_empty()
        && !name.starts_with(|first: char| first.is_ascii_digit())
        && name
            .bytes()
            .all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
}

/// The row of the table for these words, and how many of them it covers.
fn find_row<'w>(words: &'w [Word<'w>]) -> Option<(&'static Program, &'static Row, usize)> {
    let name = words
        .first()
        .filter(|word| word.certainty == Certainty::Plain)?;
    let program = table::find(&name.text)?;
    let start = skip_options(program.before, words);
    program.rows.iter().find_map(|row| {
        let length = row
            .sub
            .split('|')
            .find_map(|alternative| matches(alternative, &words[start..]))?;
        let matched = if length == 0 { 1 } else { start + length };
        Some((program, row, matched))
    })
}

/// The index of the first word after the program that is not one of the options before a sub-command.
fn skip_options(before: &[&str], words: &[Word]) -> usize {
    let mut index = 1;
    while let Some(word) = words
        .get(index)
        .filter(|word| !word.text.contains(char::is_whitespace))
    {
        let step = before
            .iter()
            .find_map(|option| match option.strip_suffix('=') {
                Some(name) if word.text == name => has_plain_value(words, index).then_some(2),
                Some(name) => {
                    let rest = word.text.strip_prefix(name)?;
                    rest.starts_with('=').then_some(1)
                }
                None => (word.text == *option).then_some(1),
            });
        match step {
            Some(step) => index += step,
            None => break,
        }
    }
    index.min(words.len())
}

/// rtk knows an option's value by its having no blanks.
fn has_plain_value(words: &[Word], index: usize) -> bool {
    words
        .get(index + 1)
        .is_some_and(|value| !value.text.contains(char::is_whitespace))
}

/// How many words `pattern` covers if they begin with it; its words must be written plainly.
fn matches(pattern: &str, words: &[Word]) -> Option<usize> {
    let mut length = 0;
    for part in pattern.split(' ').filter(|part| !part.is_empty()) {
        if !words.get(length)?.is_plain(part) {
            return None;
        }
        length += 1;
    }
    Some(length)
}

/// Programs whose name means something else in PowerShell and `cmd`.
const OTHER_ON_WINDOWS: &[&str] = &[
    "cat", "curl", "df", "diff", "du", "find", "grep", "head", "ls", "make", "ps", "stat", "tail",
    "tree", "wc", "wget",
];

fn reason_to_stay(program: &Program, row: &Row, call: &Call) -> Option<Reason> {
    if call.context.windows && reads_as_windows(program, call) {
        return Some(Reason::NotPosix);
    }
    if let Some(reason) = row.stay.iter().find_map(|stay| stay.reason(call)) {
        return Some(reason);
    }
    // An unquoted expansion may hold any option that a ground above speaks of.
    if !row.stay.is_empty() && call.has_open_word() {
        return Some(Reason::Unseen);
    }
    None
}

/// A name that is another program there, a comma list, `-Word` or `/X`.
fn reads_as_windows(program: &Program, call: &Call) -> bool {
    OTHER_ON_WINDOWS.contains(&program.name)
        || call.rest().iter().any(|word| {
            let bytes = word.text.as_bytes();
            word.text.contains(',')
                || (bytes.len() > 2 && bytes[0] == b'-' && bytes[1].is_ascii_uppercase())
                || (bytes.len() <= 3 && bytes.first() == Some(&b'/'))
        })
}

fn apply(row: &Row, call: &Call) -> Verdict {
    let first = &call.words[0];
    let rtk = call.context.rtk;
    let edits = match row.form {
        Form::Prefix => vec![Edit::new(first.start, first.start, format!("{rtk} "))],
        Form::Instead(words) => {
            let last = &call.words[call.matched - 1];
            vec![Edit::new(first.start, last.end, format!("{rtk} {words}"))]
        }
        Form::InsteadOfName(name) => {
            vec![Edit::new(first.start, first.end, format!("{rtk} {name}"))]
        }
        Form::Read => return read::cat(call),
        Form::ReadHead => return read::window(call, "head", true),
        Form::ReadTail => return read::window(call, "tail", false),
    };
    Verdict::Rewrite(edits)
}
