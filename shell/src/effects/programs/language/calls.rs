//! The calls in a piece of code that change files, walk through folders or enter them, with the paths that they are
//! given.

use super::brackets::{chain_start, closing, ends_statement};
use super::expressions::Code;
use super::tokens::Kind;
use super::value::Value;
use crate::effects::value::{Atom, Text};
use crate::words::lists;

/// The most calls that are looked at in one piece of code.
pub const MAX_CALLS: usize = 256;

/// The longest arguments of a call without brackets, in tokens.
const MAX_ARGUMENTS: usize = 64;

/// What the calls in a piece of code do.
#[derive(Default)]
pub struct Calls {
    /// What is changed, and whether with all below it.
    pub changed: Vec<(Text, bool)>,
    /// Folders that are walked through, or only listed.
    pub walked: Vec<(Text, bool)>,
    /// Files that are found in folders and their folders by a pattern.
    pub found: Vec<Text>,
    /// Folders that the code enters.
    pub entered: Vec<Text>,
    /// Code and lines that the code runs, and whether they are code.
    pub run: Vec<(String, bool)>,
    /// Where the calls stand of which all is known, in the code.
    pub spans: Vec<(usize, usize)>,
    /// Whether a call changes what is not known.
    pub open: bool,
    /// Whether it reads a file whose name it gets from elsewhere.
    pub reads_found: bool,
}

impl Calls {
    /// Whether it is known of each of `signs` in `code` what it changes.
    pub fn explain(&self, code: &str, signs: &[&str]) -> bool {
        let explained = |at: usize| {
            self.spans
                .iter()
                .any(|(from, to)| (*from..*to).contains(&at))
        };
        // A mode stands behind a comma or a name, `'w'` elsewhere is a text.
        let is_text = |sign: &str, at: usize| {
            let before = code[..at].trim_end();
            let is_mode = before.ends_with([',', '=', ':']) || before.ends_with("open(");
            sign.starts_with(['\'', '"']) && sign.len() > 2 && !is_mode
        };
        let mut found = signs.iter().flat_map(|sign| code.match_indices(sign));
        !self.open
            && !self.spans.is_empty()
            && found.all(|(at, sign)| explained(at) || is_text(sign, at))
    }
}

/// Modules whose functions work on files.
pub const MODULES: &str = "os shutil fs fsp fse promises path File FileUtils Deno Bun IO Dir FileTest posix distutils file_util";

/// The calls in `code`.
pub fn calls(code: &Code<'_>) -> Calls {
    let mut calls = Calls::default();
    let mut looked = 0;
    for at in 0..code.tokens.len() {
        let Some(call) = call_at(code, at) else {
            continue;
        };
        looked += 1;
        if looked > MAX_CALLS {
            calls.open = true;
            break;
        }
        call.note(&mut calls);
    }
    calls
}

/// One call.
pub struct Call<'a, 'c> {
    pub code: &'a Code<'c>,
    pub name: &'a str,
    /// Where its name stands.
    pub at: usize,
    /// Where what it belongs to begins.
    pub start: usize,
    /// The name of what it belongs to.
    pub owner: Option<&'a str>,
    pub arguments: Vec<(usize, usize)>,
    pub end: usize,
}

/// The call whose name is the token `at`, if there is one.
fn call_at<'a, 'c>(code: &'a Code<'c>, at: usize) -> Option<Call<'a, 'c>> {
    let Some(Kind::Name(name)) = code.kind(at) else {
        return None;
    };
    let name = code.real(name);
    let name = name.strip_suffix("Sync").unwrap_or(name);
    let is_member = at > 0 && code.is(at - 1, '.');
    let (from, to) = if code.is(at + 1, '(') {
        (at + 2, closing(&code.tokens, at + 1))
    } else if is_command(name) && starts_argument(code, at + 1) {
        let mut end = at + 1;
        let limit = code.tokens.len().min(at + MAX_ARGUMENTS);
        while end < limit && !ends_statement(code.tokens[end].kind) {
            end = match code.tokens[end].kind {
                Kind::Sign('(' | '[' | '{') => closing(&code.tokens, end) + 1,
                _ => end + 1,
            };
        }
        (at + 1, end.min(limit))
    } else if is_member && is_bare_method(code, name, at) {
        (at + 1, at + 1)
    } else {
        return None;
    };
    let start = if is_member {
        chain_start(&code.tokens, at - 1)
    } else {
        at
    };
    let owner = match code.kind(at.wrapping_sub(2)).filter(|_| is_member) {
        Some(Kind::Name(owner)) => Some(code.real(owner)),
        // `require('fs').rm(…)`, `__import__('os').remove(…)`
        Some(Kind::Sign(')')) => match (code.kind(start), code.kind(start + 2)) {
            (
                Some(Kind::Name("require" | "__import__" | "import_module")),
                Some(Kind::Text(module)),
            ) => Some(if lists("os shutil", module) {
                module
            } else {
                "fs"
            }),
            _ => None,
        },
        _ => None,
    };
    Some(Call {
        code,
        name,
        at,
        start,
        owner,
        arguments: code.arguments(from, to),
        end: to,
    })
}

/// Functions that Perl, Ruby and PHP call without brackets.
fn is_command(name: &str) -> bool {
    lists(
        "open unlink rename mkdir rmdir truncate chmod link symlink sysopen delete write rm_rf rm_r rm mv cp cp_r touch chdir",
        name,
    )
}

/// Methods of Ruby's paths that need no brackets: `Pathname.new("x").delete`, `Pathname("x").find { … }`
fn is_bare_method(code: &Code<'_>, name: &str, at: usize) -> bool {
    lists("delete unlink rmtree rmdir find each_child children", name)
        && code.kind(chain_start(&code.tokens, at - 1)) == Some(Kind::Name("Pathname"))
}

fn starts_argument(code: &Code<'_>, at: usize) -> bool {
    match code.kind(at) {
        Some(Kind::Text(_)) => true,
        Some(Kind::Name(name)) => !lists("in is if unless as for and or from", name),
        _ => false,
    }
}

impl Call<'_, '_> {
    /// What an argument stands for.
    pub fn value(&self, index: usize) -> Value {
        let span = self.positional(index);
        span.map_or_else(Value::default, |(from, to)| self.code.value(from, to))
    }

    /// An argument that is not given by its name.
    pub fn positional(&self, index: usize) -> Option<(usize, usize)> {
        let given = self
            .arguments
            .iter()
            .filter(|(from, to)| from + 1 >= *to || !self.code.is(from + 1, '='));
        given.copied().nth(index)
    }

    /// The argument of one of these names: `dir='x'`.
    pub fn keyword(&self, names: &str) -> Option<Value> {
        let named = |(from, _): &&(usize, usize)| {
            matches!(self.code.kind(*from), Some(Kind::Name(name)) if lists(names, name))
                && self.code.is(from + 1, '=')
        };
        self.arguments
            .iter()
            .find(named)
            .map(|(from, to)| self.code.value(from + 2, *to))
    }

    /// What it belongs to.
    pub fn own(&self) -> Value {
        if self.start >= self.at {
            Value::default()
        } else {
            self.code.value(self.start, self.at - 1)
        }
    }

    /// An argument that is a text in quotes.
    pub fn text(&self, index: usize) -> Option<&str> {
        let (from, to) = self.positional(index)?;
        match self.code.kind(from) {
            Some(Kind::Text(text)) if from + 1 == to => Some(text),
            _ => None,
        }
    }

    /// Notes that all is known of what it changes.
    pub fn explained(&self, calls: &mut Calls) {
        let tokens = &self.code.tokens;
        let end = tokens
            .get(self.end)
            .or(tokens.last())
            .map_or(0, |token| token.end);
        calls.spans.push((tokens[self.start].start, end));
    }

    /// Notes that `target` is changed, with all below it if it is removed or `moved`.
    pub fn changes(&self, calls: &mut Calls, target: Value, moved: bool) {
        let below = moved || lists("rmtree rm rm_rf rm_r copytree cp_r", self.name);
        let begins = |path: &Text| path.atoms().first() != Some(&Atom::Unknown);
        if target.closed && !target.paths.is_empty() && target.paths.iter().all(begins) {
            self.explained(calls);
        } else {
            calls.open = true;
        }
        calls
            .changed
            .extend(target.paths.into_iter().map(|path| (path, below)));
    }
}

/// Whether a file that is read is one that the code spells.
pub fn is_known(value: &Value) -> bool {
    value.closed && value.paths.iter().all(|path| path.as_literal().is_some())
}
