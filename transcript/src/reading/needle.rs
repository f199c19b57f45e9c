//! What is searched for.

use super::clean::clean;
use super::error::ReadingError;
use regex::{Regex, RegexBuilder};
use regex_syntax::ParserBuilder;
use regex_syntax::hir::literal::Extractor;

/// Bytes of a compiled pattern, and of the cache of its automaton. The engine is linear in the text whatever the
/// pattern; these bound its memory.
const PATTERN_SIZE: usize = 2 << 20;
/// Nesting of a pattern.
const PATTERN_DEPTH: u32 = 64;
/// Bytes of a text or pattern that is searched for.
const LONGEST: usize = 4096;

/// Beginnings of a pattern that are searched for, and the least length of one: more or shorter ones are found in too many lines.
const MOST_BEGINNINGS: usize = 8;
const TELLING: usize = 3;

/// Compares a text.
#[derive(Debug, Clone)]
pub(crate) enum Needle {
    /// Everything matches.
    All,
    /// These very bytes.
    Text(String),
    /// A regular expression, and the texts of which each match begins with one, if there are few.
    Pattern(Regex, Vec<String>),
}

impl Needle {
    /// A plain text.
    pub(crate) fn text(text: &str) -> Result<Self, ReadingError> {
        bounded(text)?;
        // Texts are compared as they are shown.
        Ok(Self::Text(clean(text).into_owned()))
    }

    /// A regular expression, in the syntax of the `regex` crate.
    pub(crate) fn pattern(pattern: &str) -> Result<Self, ReadingError> {
        bounded(pattern)?;
        let built = RegexBuilder::new(pattern)
            .size_limit(PATTERN_SIZE)
            .dfa_size_limit(PATTERN_SIZE)
            .nest_limit(PATTERN_DEPTH)
            .multi_line(true)
            .build();
        let beginnings = beginnings(pattern).unwrap_or_default();
        built
            .map(|built| Self::Pattern(built, beginnings))
            .map_err(|error| {
                let said = error.to_string();
                ReadingError::Pattern {
                    problem: said.lines().last().unwrap_or_default().trim().to_owned(),
                }
            })
    }

    /// Where in `text` the first match is.
    pub(crate) fn find(&self, text: &str) -> Option<(usize, usize)> {
        match self {
            Self::All => Some((0, 0)),
            Self::Text(wanted) => {
                let at = memchr::memmem::find(text.as_bytes(), wanted.as_bytes())?;
                Some((at, at + wanted.len()))
            }
            Self::Pattern(pattern, _) => {
                pattern.find(text).map(|found| (found.start(), found.end()))
            }
        }
    }

    /// Bytes of which every line with a match holds one, however often its text was encoded as JSON; none if there are no such
    /// bytes. Of a text that is searched for that is its longest part without escapes. A writer may escape what is not ASCII, and some
    /// escape `<`, `>`, `&` and `'`: then the line holds a `\\u` instead.
    pub(crate) fn signs(&self) -> Vec<Vec<u8>> {
        match self {
            Self::All => Vec::new(),
            Self::Text(wanted) => signs_of(wanted),
            Self::Pattern(_, beginnings) => {
                let each = beginnings
                    .iter()
                    .map(|text| plain_part(text).as_bytes().to_vec());
                let all: Vec<Vec<u8>> = each.collect();
                let telling = all.iter().all(|sign| sign.len() >= TELLING);
                if telling { all } else { Vec::new() }
            }
        }
    }
}

/// The longest part of a text that looks in JSON as it does outside of it.
fn plain_part(text: &str) -> &str {
    let plain = |character: char| {
        character.is_ascii_graphic() && !"\"\\/<>&'".contains(character) || character == ' '
    };
    let parts = text.split(|character| !plain(character));
    parts.max_by_key(|part| part.len()).unwrap_or_default()
}

fn signs_of(wanted: &str) -> Vec<Vec<u8>> {
    let plain = plain_part(wanted);
    if !plain.is_empty() {
        return vec![plain.as_bytes().to_vec()];
    }
    let sign: &[u8] = match wanted.chars().next() {
        None => return Vec::new(),
        Some('"') => b"\\\"",
        Some('\\') => b"\\\\",
        Some('\n') => b"\\n",
        Some('\t') => b"\\t",
        Some('/') => b"/",
        Some(other) => {
            let run = wanted.split(|character: char| character.is_ascii()).next();
            let run = run
                .filter(|run| !run.is_empty())
                .unwrap_or(&wanted[..other.len_utf8()]);
            return vec![run.as_bytes().to_vec(), b"\\u".to_vec()];
        }
    };
    vec![sign.to_vec()]
}

/// What every match of a pattern begins with, if these are few texts.
fn beginnings(pattern: &str) -> Option<Vec<String>> {
    let parsed = ParserBuilder::new()
        .multi_line(true)
        .nest_limit(PATTERN_DEPTH)
        .build()
        .parse(pattern)
        .ok()?;
    let literals = Extractor::new()
        .limit_total(MOST_BEGINNINGS)
        .extract(&parsed);
    let texts = literals
        .literals()?
        .iter()
        .map(|literal| std::str::from_utf8(literal.as_bytes()).ok());
    texts.map(|text| text.map(str::to_owned)).collect()
}

/// Whether a text means something else as a regular expression.
pub(crate) fn looks_like_a_pattern(text: &str) -> bool {
    text.contains(['\\', '|', '*', '+', '?', '[', '(', '^', '$']) || text.contains(".*")
}

fn bounded(text: &str) -> Result<(), ReadingError> {
    if text.len() <= LONGEST {
        return Ok(());
    }
    Err(ReadingError::Argument {
        name: "query",
        problem: format!("is longer than {LONGEST} bytes; search for a shorter part of it"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_pattern_is_bounded_and_says_what_is_wrong() {
        assert!(Needle::pattern("(a+)+$").is_ok());
        for bad in [
            "(",
            "a{1000}{1000}{1000}",
            &"(".repeat(100),
            &"a".repeat(5000),
        ] {
            let error = Needle::pattern(bad).unwrap_err().to_string();
            assert!(
                error.contains("Mend it") || error.contains("shorter"),
                "{error}"
            );
        }
        assert!(Needle::text(&"a".repeat(5000)).is_err());
    }

    #[test]
    fn signs_stand_in_every_encoding_of_a_text() {
        let signs = |text: &str| Needle::text(text).unwrap().signs();
        assert_eq!(signs("say \"hello\" you"), [b"hello"]);
        assert_eq!(signs("\"\\\n"), [b"\\\""]);
        assert_eq!(signs("ä\""), [&b"\xc3\xa4"[..], b"\\u"]);
        assert_eq!(signs("<"), [&b"<"[..], b"\\u"]);
        assert_eq!(Needle::All.signs(), Vec::<Vec<u8>>::new());
        let signs = |text: &str| Needle::pattern(text).unwrap().signs();
        assert_eq!(signs("^zebra.*crossing"), [b"zebra"]);
        assert_eq!(
            signs("(error|failed): \\d+"),
            [&b"error: "[..], b"failed: "]
        );
        for vague in ["[a-z]+", "(?i)er", "a|error", ".*error", "(a+)+$", "\\w{3}"] {
            assert_eq!(signs(vague), Vec::<Vec<u8>>::new(), "{vague}");
        }
    }

    proptest! {
        #[test]
        fn a_line_with_the_text_has_a_sign(around in "[a-zäß\"\\\\\n\t/<>&' ]{0,20}", text in "[aäß\"\\\\\n\t/<>&']{1,4}", twice: bool) {
            let whole = format!("{around}{text}{around}");
            let mut encoded = serde_json::to_string(&whole).unwrap();
            if twice {
                encoded = serde_json::to_string(&encoded).unwrap();
            }
            // As writers do that escape more than they must, once and twice.
            let mut escaped = String::new();
            for character in encoded.chars() {
                if character.is_ascii() && !"<>&'".contains(character) {
                    escaped.push(character);
                } else {
                    escaped += &format!("\\u{:04x}", u32::from(character));
                }
            }
            let signs = Needle::text(&text).unwrap().signs();
            for line in [encoded, escaped] {
                let has = |sign: &Vec<u8>| memchr::memmem::find(line.as_bytes(), sign).is_some();
                prop_assert!(signs.iter().any(has), "{line}: {signs:?}");
            }
        }
    }
}
