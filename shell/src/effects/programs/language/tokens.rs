//! The words of a piece of code in any of the usual languages: names, texts in quotes, signs.

/// The most tokens that are taken from one piece of code.
const MAX_TOKENS: usize = 20_000;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind<'c> {
    /// A name with its sigil (`$x`), or a number.
    Name(&'c str),
    /// A text in quotes, as it is spelled between them.
    Text(&'c str),
    /// A sign; of several characters `.` stands for `->` and `::`, [`ARROW`] for `=>`, [`COMPARES`] for `==`, `+=`, `=~`
    /// and their like.
    Sign(char),
    /// The end of a line.
    Line,
}

/// `=>`
pub const ARROW: char = '⇒';

/// `==`, `!=`, `<=`, `+=`, `=~`
pub const COMPARES: char = '≡';

/// A token with its place in the code.
#[derive(Clone, Copy, Debug)]
pub struct Token<'c> {
    pub kind: Kind<'c>,
    pub start: usize,
    pub end: usize,
    /// The character that it begins with.
    pub starts: char,
}

/// The tokens of `code`.
pub fn tokens(code: &str) -> Vec<Token<'_>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(character) = code[at..].chars().next() {
        if found.len() >= MAX_TOKENS {
            break;
        }
        let start = at;
        let (kind, end) = match character {
            '\n' => (Some(Kind::Line), at + 1),
            '\'' | '"' | '`' => text(code, at, character),
            _ if is_comment(code, at) => {
                let length = code[at..].find('\n').unwrap_or(code.len() - at);
                (None, at + length)
            }
            c if is_name(c) => {
                let length = code[at + c.len_utf8()..]
                    .find(|c| !is_name(c) || c == '$')
                    .map_or(code.len() - at, |length| length + c.len_utf8());
                let end = at + length;
                let name = &code[at..end];
                // `r'x'`, `f"x"`
                let spells =
                    name.len() <= 2 && name.bytes().all(|byte| b"rfbuRFBU".contains(&byte));
                let is_prefix = spells && code[end..].starts_with(['\'', '"']);
                ((!is_prefix).then_some(Kind::Name(name)), end)
            }
            c if c.is_whitespace() => (None, at + c.len_utf8()),
            c => sign(code, at, c),
        };
        if let Some(kind) = kind {
            found.push(Token {
                kind,
                start,
                end,
                starts: character,
            });
        }
        at = end;
    }
    found
}

fn is_name(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '_' | '$' | '@')
}

/// `# …` and `// …` at the start of a line or behind a blank.
fn is_comment(code: &str, at: usize) -> bool {
    let begins = code[..at]
        .chars()
        .next_back()
        .is_none_or(char::is_whitespace);
    let rest = &code[at..];
    begins
        && ["# ", "// ", "#!"]
            .iter()
            .any(|sign| rest.starts_with(sign))
}

/// A text from its quote on, and where it ends; three quotes make one.
fn text(code: &str, at: usize, quote: char) -> (Option<Kind<'_>>, usize) {
    let tripled = [quote; 3].iter().collect::<String>();
    if code[at..].starts_with(&tripled) {
        let inside = &code[at + 3..];
        let end = inside.find(&tripled).unwrap_or(inside.len());
        let after = (at + 6 + end).min(code.len());
        return (Some(Kind::Text(&inside[..end])), after);
    }
    let inside = &code[at + 1..];
    let end = crate::effects::programs::quoted::closing(inside, quote);
    (
        Some(Kind::Text(&inside[..end])),
        (at + 2 + end).min(code.len()),
    )
}

fn sign(code: &str, at: usize, first: char) -> (Option<Kind<'_>>, usize) {
    let rest = &code[at..];
    for (spelled, sign) in [
        ("->", '.'),
        ("::", '.'),
        ("?.", '.'),
        ("=>", ARROW),
        ("=~", COMPARES),
    ] {
        if rest.starts_with(spelled) {
            return (Some(Kind::Sign(sign)), at + 2);
        }
    }
    let second = rest[first.len_utf8()..].chars().next();
    if second == Some('=') && "=!<>+-*/.|&%".contains(first) {
        let length = rest.find(|c| c != first && c != '=').unwrap_or(rest.len());
        return (Some(Kind::Sign(COMPARES)), at + length);
    }
    (Some(Kind::Sign(first)), at + first.len_utf8())
}
