//! One argument as one word of a command line.
//!
//! `shell-words` quotes the POSIX half. Two kinds of words are not left to it: what it knows as harmless and bash expands
//! all the same (`{a,b}`, `!`), so only the words listed here stay bare; and control characters, which would break
//! the line that is printed.

use std::borrow::Cow;

use super::Unroutable;

/// The shell that will run a printed command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shell {
    /// bash, and what reads the same words: zsh, ksh.
    Posix,
    /// Windows PowerShell 5.1 and PowerShell 7.
    PowerShell,
}

/// `text` as one word that `shell` reads back as exactly `text`.
///
/// # Errors
/// [`Unroutable::Nul`] for a NUL, which no argument can hold. For PowerShell also [`Unroutable::NotForPowerShell`]: a
/// double quote, an empty word and a trailing backslash after a blank reach a program differently in 5.1 and 7.3, and
/// a control character would break the printed line.
pub fn word(shell: Shell, text: &str) -> Result<String, Unroutable> {
    if text.contains('\0') {
        return Err(Unroutable::Nul);
    }
    match shell {
        Shell::Posix => Ok(posix(text)),
        Shell::PowerShell => powershell(text),
    }
}

fn posix(text: &str) -> String {
    let bare = |c: char| c.is_ascii_alphanumeric() || "_-./:,+@%".contains(c);
    if !text.is_empty() && text.chars().all(bare) {
        text.to_owned()
    } else if text.chars().any(char::is_control) {
        ansi_c(text)
    } else {
        // The library leaves some words bare that bash expands: `{a,b}`, `!`.
        match shell_words::quote(text) {
            Cow::Borrowed(bare) => format!("'{bare}'"),
            Cow::Owned(quoted) => quoted,
        }
    }
}

/// `$'…'`: keeps a newline or an escape sequence on one printable line. Octal, because bash reads no more than three
/// digits of it, whatever follows.
fn ansi_c(text: &str) -> String {
    let mut out = String::from("$'");
    for c in text.chars() {
        match c {
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\\' | '\'' => out.extend(['\\', c]),
            c if c.is_control() => {
                let mut bytes = [0; 4];
                for byte in c.encode_utf8(&mut bytes).bytes() {
                    out.push_str(&format!("\\{byte:03o}"));
                }
            }
            c => out.push(c),
        }
    }
    out.push('\'');
    out
}

fn powershell(text: &str) -> Result<String, Unroutable> {
    let lost = text.is_empty()
        || text.chars().any(|c| c == '"' || c.is_control())
        || (text.ends_with('\\') && text.contains(char::is_whitespace));
    if lost {
        return Err(Unroutable::NotForPowerShell);
    }
    if powershell_bare(text) {
        return Ok(text.to_owned());
    }
    let mut out = String::from("'");
    for c in text.chars() {
        out.push(c);
        // PowerShell ends a quoted string at any of these, and reads two of them as one.
        if matches!(c, '\'' | '\u{2018}'..='\u{201b}') {
            out.push(c);
        }
    }
    out.push('\'');
    Ok(out)
}

/// An option is bare only if made of letters: PowerShell cuts `-a.b` and `-a:b` in two.
fn powershell_bare(text: &str) -> bool {
    match text.trim_start_matches('-') {
        option if option.len() < text.len() => {
            option.chars().all(|c| c.is_ascii_alphabetic() || c == '-')
        }
        plain => plain
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "_-./:\\".contains(c)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ps(text: &str) -> String {
        word(Shell::PowerShell, text).expect("has a PowerShell form")
    }

    #[test]
    fn plain_words_stay_bare() {
        for plain in ["-n", "--files", "/w/src/a.rs", "a-b_c", "1"] {
            assert_eq!(word(Shell::Posix, plain).unwrap(), plain);
            assert_eq!(ps(plain), plain);
        }
        assert_eq!(ps(r"C:\w\a.rs"), r"C:\w\a.rs");
    }

    #[test]
    fn what_bash_would_expand_is_quoted() {
        for special in [
            "{a,b}", "!x", "~", "=ls", "a b", "$x", "`x`", "*", "[a]", "#", "", "ü",
        ] {
            let quoted = word(Shell::Posix, special).unwrap();
            assert_eq!(quoted, format!("'{special}'"));
        }
        assert_eq!(word(Shell::Posix, "it's").unwrap(), r"'it'\''s'");
        assert_eq!(
            word(Shell::Posix, "a\nb\\c'\r1").unwrap(),
            r"$'a\nb\\c\'\0151'"
        );
    }

    #[test]
    fn powershell_doubles_every_kind_of_single_quote() {
        assert_eq!(ps("it's"), "'it''s'");
        assert_eq!(
            ps("\u{2019}x\u{201b}"),
            "'\u{2019}\u{2019}x\u{201b}\u{201b}'"
        );
        for quote in ['\'', '\u{2018}', '\u{2019}', '\u{201a}', '\u{201b}'] {
            assert_eq!(ps(&format!("a {quote}")), format!("'a {quote}{quote}'"));
        }
        assert_eq!(ps("$env:X `n @(1)"), "'$env:X `n @(1)'");
        assert_eq!(ps("-a.b"), "'-a.b'");
        assert_eq!(ps("{a,b}"), "'{a,b}'");
    }

    #[test]
    fn what_powershell_loses_on_the_way_is_refused() {
        for lost in ["", "a\"b", "a\nb", "a b\\", "\u{1b}"] {
            assert_eq!(
                word(Shell::PowerShell, lost),
                Err(Unroutable::NotForPowerShell)
            );
        }
        assert_eq!(word(Shell::Posix, "a\0b"), Err(Unroutable::Nul));
    }
}
