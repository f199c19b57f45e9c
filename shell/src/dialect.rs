//! Which shell a line is written for, from strong signs.
//!
//! A line for PowerShell or `cmd` is never taken for bash, even where bash would read it without complaint:
//! a backslash is a path separator there and an escape here.

use crate::literal::single_quoted;
use crate::script::Script;
use crate::syntax::{PartKind, SimpleCommand, Word};
use crate::words::lists;

/// The language of a command line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dialect {
    /// No sign of another one: taken for bash.
    #[default]
    Posix,
    /// PowerShell.
    PowerShell,
    /// The command prompt of Windows.
    Cmd,
}

/// The verbs that PowerShell's own commands begin with (`Get-Verb`), the common ones.
const VERBS: &str = "\
    add clear compare complete convert convertfrom convertto copy disable enable enter \
    exit expand export find foreach format get group import invoke join measure move new \
    out pop push read remove rename resolve select set show sort split start stop test \
    wait where write tee";

/// Parameters of PowerShell that no common program of another shell has, in their usual spelling.
const PARAMETERS: &str = "\
    -ErrorAction -Recurse -LiteralPath -TotalCount -Filter -Path -Force -ItemType \
    -Encoding -Pattern -ExpandProperty -Property -NoNewline -Directory -UseBasicParsing \
    -ArgumentList";

/// Aliases of PowerShell that are no program of another shell.
const ALIASES: &str = "iex iwr irm gci sls gcm";

/// Commands of `cmd` that take switches such as `/s`.
const CMD_COMMANDS: &str = "\
    dir del erase copy xcopy robocopy move ren rename rd rmdir md mkdir type findstr \
    where tree taskkill tasklist timeout attrib more sort fc icacls";

/// The language of `line`, as far as strong signs tell.
#[must_use]
pub fn dialect(line: &str) -> Dialect {
    crate::parse(line).dialect()
}

/// The language of a parsed line: from its words where it was read to the end, else from its raw text.
pub(crate) fn of_script(script: &Script<'_>) -> Dialect {
    let from_words = script
        .simple_commands()
        .into_iter()
        .map(|simple| of_command(simple, script.text()))
        .find(|dialect| *dialect != Dialect::Posix);
    match from_words {
        Some(dialect) => dialect,
        None if script.problem().is_some() => of_text(script.text()),
        None => Dialect::Posix,
    }
}

fn of_command(simple: &SimpleCommand, text: &str) -> Dialect {
    let name = simple.words.first().map_or("", |word| word.span.of(text));
    let assigns = simple
        .words
        .get(1)
        .is_some_and(|word| matches!(word.span.of(text), "=" | "+="));
    if name.starts_with('$') && assigns {
        return Dialect::PowerShell;
    }
    let values = simple
        .assignments
        .iter()
        .map(|assignment| &assignment.value);
    let targets = simple
        .redirections
        .iter()
        .map(|redirection| &redirection.target);
    let words = simple.words.iter().enumerate();
    let from_words = words.map(|(index, word)| of_word(word, text, name, index == 0));
    from_words
        .chain(
            values
                .chain(targets)
                .map(|word| of_word(word, text, name, false)),
        )
        .find(|dialect| *dialect != Dialect::Posix)
        .unwrap_or_default()
}

fn of_word(word: &Word, text: &str, name: &str, is_name: bool) -> Dialect {
    if has_windows_path(word, text) {
        return Dialect::PowerShell;
    }
    of_token(word.span.of(text), name, is_name)
}

/// The signs that show in the raw text of one word.
fn of_token(token: &str, name: &str, is_name: bool) -> Dialect {
    let powershell = (is_name && (is_cmdlet(token) || holds(ALIASES, token)))
        || (is_parameter(token) && lists(PARAMETERS, token))
        || token.contains("]::")
        || starts_with_ignoring_case(token, "$env:")
        || starts_with_ignoring_case(token, "\"$env:")
        || starts_with_ignoring_case(token, "env:");
    if powershell {
        return Dialect::PowerShell;
    }
    let switched = !is_name && is_switch(token) && holds(CMD_COMMANDS, name);
    let nul = token.eq_ignore_ascii_case("nul");
    if switched || is_percent_variable(token) || (nul && !is_name) {
        return Dialect::Cmd;
    }
    Dialect::Posix
}

/// `-Parameter`
fn is_parameter(token: &str) -> bool {
    matches!(token.as_bytes(), [b'-', first, ..] if first.is_ascii_uppercase())
}

/// `Verb-Noun` with a verb of PowerShell.
pub(crate) fn is_cmdlet(token: &str) -> bool {
    let Some((verb, noun)) = token.split_once('-') else {
        return false;
    };
    let is_noun = noun.starts_with(|first: char| first.is_ascii_uppercase())
        && noun.len() >= 3
        && noun.bytes().all(|byte| byte.is_ascii_alphanumeric());
    is_noun && holds(VERBS, verb)
}

/// Whether a list of words, which stand between blanks, holds `word` in any letter case.
fn holds(list: &str, word: &str) -> bool {
    list.split(' ')
        .any(|known| known.eq_ignore_ascii_case(word))
}

/// `/s`, `/Q`, `/r`, `/a:d`
fn is_switch(token: &str) -> bool {
    match token.as_bytes() {
        [b'/', letter] => letter.is_ascii_alphabetic() || *letter == b'?',
        [b'/', letter, b':', ..] => letter.is_ascii_alphabetic(),
        _ => false,
    }
}

/// `%NAME%`
fn is_percent_variable(token: &str) -> bool {
    if token.contains(['"', '\'']) {
        return false;
    }
    let Some((_, rest)) = token.split_once('%') else {
        return false;
    };
    let Some((name, _)) = rest.split_once('%') else {
        return false;
    };
    name.len() > 1
        && name.starts_with(|first: char| first.is_ascii_alphabetic())
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// An unquoted backslash where a Windows path has one: `.\x`, `C:\x`, `a\b\c`.
fn has_windows_path(word: &Word, text: &str) -> bool {
    word.parts.windows(2).any(|pair| {
        let (before, escape) = (pair[0].span.of(text), pair[1].span.of(text));
        matches!(pair[0].kind, PartKind::Literal | PartKind::Variable(_))
            && matches!(pair[1].kind, PartKind::Escape)
            && ends_like_path(before)
            && escape[1..].starts_with(char::is_alphanumeric)
    })
}

fn ends_like_path(before: &str) -> bool {
    let is_drive =
        before.len() == 2 && before.ends_with(':') && before.as_bytes()[0].is_ascii_alphabetic();
    is_drive
        || before == "."
        || before == ".."
        || before.ends_with(|last: char| last.is_alphanumeric())
}

fn starts_with_ignoring_case(token: &str, prefix: &str) -> bool {
    token
        .get(..prefix.len())
        .is_some_and(|start| start.eq_ignore_ascii_case(prefix))
}

/// The signs in a text that does not parse: its pieces between blanks and operators, quoted text left out.
fn of_text(text: &str) -> Dialect {
    let mut name = "";
    let mut at_start = true;
    for token in pieces(text) {
        if token.len() == 1 && is_separator(token.as_bytes()[0]) {
            at_start = true;
            continue;
        }
        if at_start {
            name = token;
        }
        let dialect = of_token(token, name, at_start);
        if dialect != Dialect::Posix {
            return dialect;
        }
        let bytes = token.as_bytes();
        let is_path =
            bytes.len() > 3 && bytes[1..].starts_with(b":\\") && bytes[0].is_ascii_alphabetic();
        if is_path || token.starts_with(".\\") || token.starts_with("@{") || token.starts_with("@(")
        {
            return Dialect::PowerShell;
        }
        at_start = false;
    }
    Dialect::Posix
}

const fn is_separator(byte: u8) -> bool {
    matches!(byte, b';' | b'|' | b'&' | b'(' | b')' | b'{' | b'}' | b'\n')
}

/// Splits a text at blanks and operators; a quoted stretch without its partner goes to the end.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let bytes = text.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        while bytes
            .get(at)
            .is_some_and(|byte| matches!(byte, b' ' | b'\t' | b'\r'))
        {
            at += 1;
        }
        let start = at;
        let first = *bytes.get(at)?;
        if is_separator(first) {
            at += 1;
        } else if first == b'\'' || first == b'"' {
            let length = guard_scan::memchr(first, &bytes[at + 1..])
                .map_or(bytes.len() - at, |length| length + 2);
            at += length;
            return Some(single_quoted(&text[start..at]).get(..0).unwrap_or(""));
        } else {
            while bytes
                .get(at)
                .is_some_and(|byte| !is_separator(*byte) && !matches!(byte, b' ' | b'\t' | b'\r'))
            {
                at += 1;
            }
        }
        Some(&text[start..at])
    })
}
