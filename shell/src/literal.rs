//! What a word stands for when nothing in it is expanded.

use std::borrow::Cow;

use crate::syntax::{Part, PartKind, Word};

impl Word {
    /// The text of the word as a command gets it, quotes and escapes taken off; `None` where an expansion,
    /// a glob, a brace expansion or a tilde can change it.
    #[must_use]
    pub fn static_text<'t>(&self, text: &'t str) -> Option<Cow<'t, str>> {
        if self.may_expand(text) {
            return None;
        }
        if let [
            Part {
                kind: PartKind::Literal,
                span,
            },
        ] = self.parts[..]
        {
            return Some(Cow::Borrowed(span.of(text)));
        }
        let mut value = String::with_capacity(self.span.len());
        for part in &self.parts {
            append(part, text, &mut value)?;
        }
        Some(Cow::Owned(value))
    }

    /// Whether the whole word is written without quotes, escapes and expansions.
    #[must_use]
    pub fn is_bare(&self) -> bool {
        self.parts
            .iter()
            .all(|part| matches!(part.kind, PartKind::Literal))
    }

    /// Whether bash may make of an unquoted tilde or brace something else than it is.
    fn may_expand(&self, text: &str) -> bool {
        let Some(first) = self.parts.first() else {
            return false;
        };
        if matches!(first.kind, PartKind::Literal) && first.span.of(text).starts_with('~') {
            return true;
        }
        let unquoted = || {
            self.parts
                .iter()
                .filter(|part| matches!(part.kind, PartKind::Literal))
                .map(|part| part.span.of(text))
        };
        unquoted().any(|run| run.contains('{'))
            && unquoted().any(|run| run.contains('}'))
            && unquoted().any(|run| run.contains(',') || run.contains(".."))
            || self.has_glob(text)
    }

    /// Whether an unquoted `*`, `?`, a complete `[…]` or an extended pattern is in the word.
    #[must_use]
    pub fn has_glob(&self, text: &str) -> bool {
        self.parts
            .iter()
            .enumerate()
            .any(|(index, part)| match part.kind {
                PartKind::Glob(b'[') => self.parts[index + 1..].iter().any(|later| {
                    matches!(later.kind, PartKind::Literal) && later.span.of(text).contains(']')
                }),
                PartKind::Glob(_) | PartKind::ExtendedGlob(_) => true,
                _ => false,
            })
    }
}

/// Adds what `part` stands for; `None` where it is an expansion.
fn append(part: &Part, text: &str, out: &mut String) -> Option<()> {
    let raw = part.span.of(text);
    match &part.kind {
        PartKind::Literal | PartKind::Glob(_) => out.push_str(raw),
        PartKind::Escape => out.push_str(&raw[1..]),
        PartKind::Continuation => {}
        PartKind::SingleQuoted => out.push_str(single_quoted(raw)),
        PartKind::AnsiC => out.push_str(&ansi_c(raw)),
        PartKind::DoubleQuoted(parts) => {
            for part in parts {
                append(part, text, out)?;
            }
        }
        _ => return None,
    }
    Some(())
}

/// The text in `'…'`.
pub(crate) fn single_quoted(raw: &str) -> &str {
    let inner = raw.strip_prefix('\'').unwrap_or(raw);
    inner.strip_suffix('\'').unwrap_or(inner)
}

/// The text of `$'…'` with its escapes resolved. What is no character becomes U+FFFD.
pub(crate) fn ansi_c(raw: &str) -> String {
    let inner = raw.strip_prefix("$'").unwrap_or(raw);
    let inner = inner.strip_suffix('\'').unwrap_or(inner);
    let bytes = escapes_resolved(inner, Octal::Plain);
    // bash ends the string at a NUL.
    let end = guard_scan::memchr(0, &bytes).unwrap_or(bytes.len());
    String::from_utf8_lossy(&bytes[..end]).into_owned()
}

/// How many digits an octal escape may have.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Octal {
    /// `\NNN`, as in `$'…'` and the format of `printf`.
    Plain,
    /// `\0NNN`, as in `echo -e` and `%b`.
    AfterZero,
}

/// What `echo -e` and `printf` print for `text`. A NUL, which ends a name in a list, becomes a line end.
pub(crate) fn printed(text: &str, octal: Octal) -> String {
    if !text.contains('\\') {
        return text.to_owned();
    }
    let mut bytes = escapes_resolved(text, octal);
    for byte in &mut bytes {
        if *byte == 0 {
            *byte = b'\n';
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn escapes_resolved(text: &str, octal: Octal) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        bytes.extend_from_slice(&rest.as_bytes()[..at]);
        rest = &rest[at + 1..];
        if octal == Octal::AfterZero
            && let Some(digits) = rest.strip_prefix('0')
            && digits.starts_with(|digit: char| digit.is_digit(8))
        {
            rest = digits;
        }
        rest = escape(rest, &mut bytes);
    }
    bytes.extend_from_slice(rest.as_bytes());
    bytes
}

/// Resolves the escape whose backslash stands before `rest`; returns what follows it.
fn escape<'t>(rest: &'t str, out: &mut Vec<u8>) -> &'t str {
    let Some(letter) = rest.chars().next() else {
        out.push(b'\\');
        return rest;
    };
    let after = &rest[letter.len_utf8()..];
    let simple = match letter {
        'a' => 7,
        'b' => 8,
        'e' | 'E' => 27,
        'f' => 12,
        'n' => b'\n',
        'r' => b'\r',
        't' => b'\t',
        'v' => 11,
        '\\' | '\'' | '"' | '?' => letter as u8,
        'x' => return number(after, 16, 2, "\\x", out),
        'u' => return number(after, 16, 4, "\\u", out),
        'U' => return number(after, 16, 8, "\\U", out),
        '0'..='7' => return number(rest, 8, 3, "", out),
        'c' => return control(after, out),
        _ => {
            out.push(b'\\');
            let mut buffer = [0; 4];
            out.extend_from_slice(letter.encode_utf8(&mut buffer).as_bytes());
            return after;
        }
    };
    out.push(simple);
    after
}

fn control<'t>(rest: &'t str, out: &mut Vec<u8>) -> &'t str {
    match rest.as_bytes().first() {
        Some(byte) if byte.is_ascii() => {
            out.push(byte & 0x1f);
            &rest[1..]
        }
        _ => {
            out.extend_from_slice(b"\\c");
            rest
        }
    }
}

fn number<'t>(rest: &'t str, radix: u32, most: usize, sign: &str, out: &mut Vec<u8>) -> &'t str {
    let length = rest
        .bytes()
        .take(most)
        .take_while(|byte| char::from(*byte).is_digit(radix))
        .count();
    let Ok(value) = u32::from_str_radix(&rest[..length], radix) else {
        out.extend_from_slice(sign.as_bytes());
        return rest;
    };
    if most <= 3 {
        out.push((value & 0xff) as u8);
    } else {
        let mut buffer = [0; 4];
        let character = char::from_u32(value).unwrap_or(char::REPLACEMENT_CHARACTER);
        out.extend_from_slice(character.encode_utf8(&mut buffer).as_bytes());
    }
    &rest[length..]
}

/// The delimiter of a here-document without its quotes, and whether it had any.
pub(crate) fn delimiter(word: &Word, text: &str) -> (String, bool) {
    let mut value = String::new();
    let mut quoted = false;
    for part in &word.parts {
        quoted |= !matches!(
            part.kind,
            PartKind::Literal | PartKind::Glob(_) | PartKind::Continuation
        );
        if append(part, text, &mut value).is_none() {
            value.push_str(part.span.of(text));
        }
    }
    (value, quoted)
}
