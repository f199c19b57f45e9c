//! A whole line: which of its simple commands get their rtk form.
//!
//! Only a command whose standard output goes to the reader and whose input is its own is rewritten, and only
//! where rtk's own reading of the line reaches it: rtk leaves a line alone that redirects to or from a file or substitutes a
//! command anywhere, and a command that stands first in brackets or after a keyword.

use std::path::{Component, Path, PathBuf};

use guard_shell::{
    AndOr, Assignment, Command, CommandKind, Construct, Dialect, Input, Joint, List, Output,
    Pipeline, Script, SimpleCommand, Span,
};

use super::convert::{self, word};
use super::gate::gives_up;
use super::reason::Reason;
use super::word::{Certainty, Word};
use super::{Context, Edit, Machine, Next, Verdict, is_variable, judge_simple};

/// Where a line would run.
pub struct Surroundings<'a> {
    /// The machine; its relative paths belong to the folder in which the line starts.
    pub machine: &'a dyn Machine,
    /// The word for rtk as the agent's shell reads it: `rtk`, or an absolute path quoted for the shell.
    pub rtk: &'a str,
    /// Whether the shell that reads the line is PowerShell or `cmd`.
    pub windows: bool,
}

/// What becomes of a line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LineVerdict {
    /// The edits in ascending order; none overlap. Empty if the line stays as it is.
    pub edits: Vec<Edit>,
    /// Why commands for which rtk has a form stay, each reason once, in the order of the line.
    pub reasons: Vec<Reason>,
}

impl LineVerdict {
    fn stay(&mut self, reason: Reason) {
        if !self.reasons.contains(&reason) {
            self.reasons.push(reason);
        }
    }

    /// The line with its edits; `None` if there are none.
    #[must_use]
    pub fn apply(&self, line: &str) -> Option<String> {
        if self.edits.is_empty() {
            return None;
        }
        let added: usize = self.edits.iter().map(|edit| edit.text.len()).sum();
        let mut out = String::with_capacity(line.len() + added);
        let mut at = 0;
        for edit in &self.edits {
            out.push_str(line.get(at..edit.start)?);
            out.push_str(&edit.text);
            at = edit.end;
        }
        out.push_str(line.get(at..)?);
        Some(out)
    }
}

/// The line in its rtk form; `None` where it stays as it is.
#[must_use]
pub fn rewrite_line(script: &Script, surroundings: &Surroundings) -> Option<String> {
    judge_line(script, surroundings).apply(script.text())
}

/// The edits of a line, and the reasons for what stays.
#[must_use]
pub fn judge_line(script: &Script, surroundings: &Surroundings) -> LineVerdict {
    let mut verdict = LineVerdict::default();
    if !script.is_understood() {
        let is_posix = script.dialect() == Dialect::Posix;
        verdict.stay(if is_posix {
            Reason::NotUnderstood
        } else {
            Reason::NotPosix
        });
        return verdict;
    }
    let mut walk = Walk {
        text: script.text(),
        offset: 0,
        inner: false,
        surroundings,
        folder: Some(PathBuf::new()),
        first: true,
        functions: Vec::new(),
        path_replaced: false,
        followed: false,
        verdict: LineVerdict::default(),
    };
    if !gives_up(script) {
        walk.list(script.body(), true);
    }
    walk.verdict
}

struct Walk<'a> {
    text: &'a str,
    /// Where `text` begins in the whole line.
    offset: usize,
    /// Whether `text` is the inner line of a wrapper.
    inner: bool,
    surroundings: &'a Surroundings<'a>,
    /// The folder of the next command, relative to the start; `None` if unknown.
    folder: Option<PathBuf>,
    /// Whether nothing has run yet that could have made a file.
    first: bool,
    /// Names that the line has given to functions.
    functions: Vec<&'a str>,
    /// Whether `PATH` no longer holds what it held before.
    path_replaced: bool,
    /// Whether more of the line runs behind the command, and may print.
    followed: bool,
    verdict: LineVerdict,
}

/// Commands that make no file.
const MAKES_NOTHING: &[&str] = &[
    "[", "cat", "cd", "diff", "echo", "exit", "export", "false", "find", "grep", "head", "ls",
    "printf", "pwd", "rg", "set", "sleep", "stat", "tail", "test", "true", "wc", "which",
];

impl<'a> Walk<'a> {
    /// `open` says whether rtk sees the first command of the list: at the start of the line, but not after
    /// a bracket or a keyword.
    fn list(&mut self, list: &'a List, open: bool) {
        for (index, item) in list.items.iter().enumerate() {
            let is_last = index + 1 == list.items.len();
            self.before_more(!is_last, |walk| walk.and_or(item, open || index > 0));
        }
    }

    /// A part of the line, behind which more runs if `followed`.
    fn before_more(&mut self, followed: bool, part: impl FnOnce(&mut Self)) {
        let outer = self.followed;
        self.followed |= followed;
        part(self);
        self.followed = outer;
    }

    fn and_or(&mut self, item: &'a AndOr, open: bool) {
        let before = self.folder.clone();
        let mut moved_later = false;
        for (index, (joint, pipeline)) in item.pipelines.iter().enumerate() {
            let at = self.folder.clone();
            let is_last = index + 1 == item.pipelines.len();
            self.before_more(!is_last, |walk| walk.pipeline(pipeline, open || index > 0));
            let moved = self.folder != at;
            moved_later |= moved && index > 0;
            if *joint == Joint::Or && moved {
                self.folder = None;
            }
        }
        if item.background {
            self.folder = before;
        } else if moved_later {
            // The chain may have ended before it came to the `cd`.
            self.folder = None;
        }
    }

    fn pipeline(&mut self, pipeline: &'a Pipeline, open: bool) {
        let before = self.folder.clone();
        for (index, stage) in pipeline.stages.iter().enumerate() {
            self.command(
                stage,
                (open || index > 0) && !(pipeline.negated && index == 0),
            );
        }
        if pipeline.stages.len() > 1 {
            self.folder = before;
        }
    }

    fn command(&mut self, command: &'a Command, open: bool) {
        let before = self.folder.clone();
        match &command.kind {
            CommandKind::Simple(simple) => return self.simple(simple, open),
            CommandKind::Subshell(body) => {
                self.list(body, false);
                self.folder = before;
                return;
            }
            CommandKind::Group(body) => return self.list(body, false),
            CommandKind::If {
                branches,
                otherwise,
            } => {
                for (condition, body) in branches {
                    self.before_more(true, |walk| walk.list(condition, false));
                    self.list(body, false);
                }
                if let Some(body) = otherwise {
                    self.list(body, false);
                }
            }
            CommandKind::While {
                condition, body, ..
            } => self.before_more(true, |walk| {
                walk.list(condition, false);
                walk.list(body, false);
            }),
            CommandKind::For { body, .. } | CommandKind::ForArithmetic { body, .. } => {
                self.before_more(true, |walk| walk.list(body, false));
            }
            CommandKind::Case { arms, .. } => {
                for (_, body) in arms {
                    self.list(body, false);
                }
            }
            CommandKind::Function { name, body } => {
                self.functions.push(name.span.of(self.text));
                self.command(body, false);
            }
            CommandKind::Coproc(body) => self.command(body, false),
            CommandKind::Conditional(_) | CommandKind::Arithmetic(_) | CommandKind::Unknown => {
                return;
            }
        }
        // A branch or a round that may not run: where it went is not known.
        if self.folder != before {
            self.folder = None;
        }
    }

    fn simple(&mut self, simple: &'a SimpleCommand, open: bool) {
        self.path_replaced |= self.replaces_path(simple);
        let words: Vec<Word> = simple
            .words
            .iter()
            .map(|each| word(each, self.text))
            .collect();
        if open {
            self.judge(simple, &words);
        }
        self.step(&words);
    }

    fn judge(&mut self, simple: &'a SimpleCommand, words: &[Word]) {
        if simple
            .assignments
            .iter()
            .any(|each| !self.is_known_assignment(each))
        {
            return;
        }
        if let Some((span, inner)) = self.wrapped_line(simple, words) {
            return self.inner_line(simple, span, inner);
        }
        let context = Context {
            machine: self.surroundings.machine,
            rtk: self.surroundings.rtk,
            windows: self.surroundings.windows,
            folder: self.folder.as_deref(),
            first: self.first,
            followed: self.followed,
            next: self.next(simple.span.end),
        };
        match judge_simple(words, &context) {
            Verdict::NoForm => {}
            Verdict::Stay(reason) => self.verdict.stay(reason),
            // A redirection among the words would be lost, or stands where rtk does not look.
            Verdict::Rewrite(edits) if has_redirection_among(simple, &edits) => {
                self.verdict.stay(Reason::Unsupported);
            }
            Verdict::Rewrite(edits) => match self.reason_of_place(simple, words) {
                Some(reason) => self.verdict.stay(reason),
                None => self
                    .verdict
                    .edits
                    .extend(edits.into_iter().map(|edit| Edit {
                        start: edit.start + self.offset,
                        end: edit.end + self.offset,
                        text: edit.text,
                    })),
            },
        }
    }

    fn next(&self, end: usize) -> Next {
        let rest = self.text.get(end..).unwrap_or("");
        if rest.starts_with(')') {
            Next::Bracket
        } else if rest.trim_start_matches([' ', '\t']).starts_with('#') {
            Next::Comment
        } else {
            Next::Other
        }
    }

    /// `NAME=value` as rtk reads it before a command. `RTK_DISABLED` is the user's way to keep a command as it is.
    fn is_known_assignment(&self, assignment: &Assignment) -> bool {
        let name = assignment.name.of(self.text);
        is_variable(name)
            && name != "RTK_DISABLED"
            && !assignment.append
            && assignment.index.is_none()
            && !assignment.value.span.of(self.text).contains('\\')
    }

    /// What its place in the line has against a rewrite.
    fn reason_of_place(&self, simple: &SimpleCommand, words: &[Word]) -> Option<Reason> {
        let place = &simple.place;
        let name = words
            .iter()
            .find(|each| !matches!(each.text.as_ref(), "env" | "nice" | "time" | "noglob"));
        if place.constructs.contains(&Construct::Function)
            || place.constructs.contains(&Construct::Coproc)
        {
            return Some(Reason::OutputNotShown);
        }
        match (place.output, place.input) {
            (Output::Reader, Input::Inherited) => {}
            (Output::Reader, _) => return Some(Reason::InputGiven),
            _ => return Some(Reason::OutputNotShown),
        }
        if name.is_some_and(|name| self.functions.contains(&name.text.as_ref())) {
            return Some(Reason::WrongTool);
        }
        self.path_replaced.then_some(Reason::PathReplaced)
    }

    /// The inner line of `bash -c '…'`, `sh -c "…"` and `zsh -c '…'`: its span, and its text.
    fn wrapped_line(&self, simple: &'a SimpleCommand, words: &[Word]) -> Option<(Span, &'a str)> {
        let at = words
            .iter()
            .position(|each| each.certainty == Certainty::Plain && is_shell(&each.text))?;
        if self.next(simple.span.end) == Next::Bracket {
            return None;
        }
        let only_environment = |each: &Word| each.text == "env" || each.text.contains('=');
        if self.inner
            || !words[..at].iter().all(only_environment)
            || !words.get(at + 1)?.is_plain("-c")
        {
            return None;
        }
        let span = convert::quoted_verbatim(simple.words.get(at + 2)?, self.text)?;
        Some((span, span.of(self.text)))
    }

    fn inner_line(&mut self, simple: &SimpleCommand, span: Span, inner: &'a str) {
        let is_bare = |byte: u8| byte.is_ascii_alphanumeric() || b"/._-+".contains(&byte);
        if !self.surroundings.rtk.bytes().all(is_bare) {
            return;
        }
        let script = guard_shell::parse(inner);
        if !script.is_understood() || gives_up(&script) {
            return;
        }
        let mut walk = Walk {
            text: inner,
            offset: self.offset + span.start,
            inner: true,
            surroundings: self.surroundings,
            folder: self.folder.clone(),
            first: self.first,
            functions: Vec::new(),
            path_replaced: self.path_replaced,
            followed: self.followed,
            verdict: LineVerdict::default(),
        };
        walk.list(script.body(), true);
        let LineVerdict { edits, reasons } = walk.verdict;
        for reason in reasons {
            self.verdict.stay(reason);
        }
        if edits.is_empty() {
            return;
        }
        match self.reason_of_place(simple, &[]) {
            Some(reason) => self.verdict.stay(reason),
            None => self.verdict.edits.extend(edits),
        }
    }

    /// What the command does to what comes after it: its folder, and files that were not there.
    fn step(&mut self, words: &[Word]) {
        let Some(name) = words.first() else { return };
        match name.text.as_ref() {
            "cd" => {
                self.folder = self
                    .folder
                    .take()
                    .and_then(|folder| self.after_cd(&folder, &words[1..]))
            }
            "pushd" | "popd" | "eval" | "source" | "." => self.folder = None,
            _ => {}
        }
        self.first &= name.is_literal() && MAKES_NOTHING.contains(&name.text.as_ref());
    }

    /// The folder after `cd`, or nothing if that is not plain to see.
    fn after_cd(&self, folder: &Path, operands: &[Word]) -> Option<PathBuf> {
        let [target] = operands else { return None };
        let target = match target.certainty {
            Certainty::Plain | Certainty::Quoted if !target.text.starts_with('-') => {
                PathBuf::from(target.text.as_ref())
            }
            Certainty::Tilde => {
                let below = target.text.trim_start_matches('~').trim_start_matches('/');
                self.surroundings.machine.home()?.join(below)
            }
            _ => return None,
        };
        // The shell takes `..` off the name of the folder, whatever links lead there.
        let mut folder = folder.to_owned();
        for part in target.components() {
            let is_up = part == Component::ParentDir;
            if !is_up || !matches!(folder.components().next_back(), Some(Component::Normal(_))) {
                folder.push(part);
            } else {
                folder.pop();
            }
        }
        Some(folder)
    }

    /// Whether it sets `PATH` to a value that leaves out the old one: rtk may no longer be found.
    fn replaces_path(&self, simple: &SimpleCommand) -> bool {
        let assigned = simple.assignments.iter().any(|each| {
            each.name.of(self.text) == "PATH"
                && !each.append
                && !mentions_path(each.value.span.of(self.text))
        });
        let exported = simple.words.iter().any(|each| {
            let text = each.span.of(self.text);
            text.strip_prefix("PATH=")
                .is_some_and(|value| !mentions_path(value))
        });
        assigned || exported
    }
}

/// Whether a redirection stands before the second word, or inside what an edit takes away.
fn has_redirection_among(simple: &SimpleCommand, edits: &[Edit]) -> bool {
    let second = simple
        .words
        .get(1)
        .or(simple.words.first())
        .map_or(0, |word| word.span.start);
    simple.redirections.iter().any(|redirection| {
        let start = redirection.span.start;
        start < second
            || edits
                .iter()
                .any(|edit| edit.start <= start && start < edit.end)
    })
}

fn mentions_path(value: &str) -> bool {
    value.contains("$PATH") || value.contains("${PATH")
}

fn is_shell(name: &str) -> bool {
    matches!(name.rsplit('/').next(), Some("bash" | "sh" | "zsh"))
}
