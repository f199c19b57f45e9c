//! The words of a line of PowerShell or `cmd`.

/// A piece of a line.
#[derive(Debug, PartialEq, Eq)]
pub enum Item {
    /// A word without its quotes. Variables are still in it.
    Word {
        /// Its text.
        raw: String,
        /// Whether a part of it was quoted.
        quoted: bool,
    },
    /// `>` or `>>`: the next word is a target.
    Redirect,
    /// `&`: the call operator of PowerShell, a separator of `cmd`.
    Call,
    /// `{`
    Open,
    /// `(`, `$(` or `@(`: what is in it becomes words of what is around it.
    Group,
    /// `)`
    Close,
    /// `|`
    Pipe,
    /// `;`, `}`, a line end, `&&` or `||`
    End,
}

/// Splits a line. The work is linear.
pub fn items(line: &str) -> Vec<Item> {
    let mut found = Vec::new();
    let mut rest = line;
    while let Some(character) = rest.chars().next() {
        let (item, length) = match character {
            ' ' | '\t' | '\r' | ',' => (None, 1),
            '\n' | ';' | '}' => (Some(Item::End), 1),
            '{' => (Some(Item::Open), 1),
            '(' => (Some(Item::Group), 1),
            ')' => (Some(Item::Close), 1),
            '#' if rest.starts_with("# ") => (None, rest.find('\n').unwrap_or(rest.len())),
            '|' if rest.starts_with("||") => (Some(Item::End), 2),
            '|' => (Some(Item::Pipe), 1),
            '&' if rest.starts_with("&&") => (Some(Item::End), 2),
            '&' => (Some(Item::Call), 1),
            '>' => redirect(rest),
            '<' => (None, 1),
            '@' if rest.starts_with("@{") => (Some(Item::Open), 2),
            '@' | '$' if rest[1..].starts_with('(') => (Some(Item::Group), 2),
            '1'..='6' | '*' if rest[1..].starts_with('>') => {
                let (item, length) = redirect(&rest[1..]);
                (item, length + 1)
            }
            _ => {
                let (raw, quoted, length) = word(rest);
                (Some(Item::Word { raw, quoted }), length)
            }
        };
        found.extend(item);
        rest = &rest[length.max(1)..];
    }
    found
}

/// `>`, `>>`, or `>&1`, which names no file.
fn redirect(rest: &str) -> (Option<Item>, usize) {
    let length = if rest.starts_with(">>") { 2 } else { 1 };
    match rest[length..].strip_prefix('&') {
        Some(after) if after.starts_with(|c: char| c.is_ascii_digit()) => (None, length + 2),
        _ => (Some(Item::Redirect), length),
    }
}

/// The word at the start of `rest`: its text, whether it was quoted, its length.
fn word(rest: &str) -> (String, bool, usize) {
    let mut raw = String::new();
    let mut quoted = false;
    let mut characters = rest.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        match character {
            ' ' | '\t' | '\r' | '\n' | ';' | '|' | '&' | '(' | ')' | '{' | '}' | '>' | ','
                if !variable_brace(&raw, character) =>
            {
                return (raw, quoted, at);
            }
            '\'' | '"' => {
                quoted = true;
                while let Some((_, inner)) = characters.next() {
                    let doubled = characters
                        .peek()
                        .is_some_and(|(_, next)| *next == character);
                    match inner {
                        _ if inner == character && doubled => {
                            characters.next();
                            raw.push(character);
                        }
                        _ if inner == character => break,
                        '`' if character == '"' => {
                            raw.extend(characters.next().map(|(_, next)| next))
                        }
                        _ => raw.push(inner),
                    }
                }
            }
            // The escapes of PowerShell and of `cmd`.
            '`' | '^' => raw.extend(
                characters
                    .next()
                    .map(|(_, next)| next)
                    .filter(|next| *next != '\n'),
            ),
            _ => raw.push(character),
        }
    }
    (raw, quoted, rest.len())
}

/// Whether a brace belongs to `${name}`.
fn variable_brace(raw: &str, character: char) -> bool {
    match character {
        '{' => raw.ends_with('$'),
        '}' => raw
            .rfind("${")
            .is_some_and(|open| !raw[open..].contains('}')),
        _ => false,
    }
}

/// The variable at the start of `rest`, which begins with `$` or `%`, and how long it is with its signs and a
/// property after it (`$_.FullName`). No name where it is none.
pub fn variable(rest: &str) -> (Option<&str>, usize) {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    if let Some(inner) = rest.strip_prefix('%') {
        let end = inner.find(|c| !is_name(c)).unwrap_or(inner.len());
        return if end > 0 && inner[end..].starts_with('%') {
            (Some(&inner[..end]), end + 2)
        } else {
            (None, 1)
        };
    }
    if let Some(inner) = rest.strip_prefix("${") {
        let Some(end) = inner.find('}') else {
            return (None, 1);
        };
        return (Some(&inner[..end]), end + 3);
    }
    let inner = &rest[1..];
    let scope = inner
        .get(..4)
        .filter(|scope| scope.eq_ignore_ascii_case("env:"))
        .map_or(0, str::len);
    let end = inner[scope..]
        .find(|c| !is_name(c))
        .map_or(inner.len(), |end| end + scope);
    if end == scope {
        return (None, 1);
    }
    let name = &inner[..end];
    let property = ["FullName", "Name", "Path", "DirectoryName", "PSPath"]
        .iter()
        .find(|property| {
            inner[end..]
                .strip_prefix('.')
                .is_some_and(|rest| rest.starts_with(**property))
        });
    (
        Some(name),
        1 + end + property.map_or(0, |property| property.len() + 1),
    )
}
