//! What is searched for.

use super::error::ReadingError;
use regex::{Regex, RegexBuilder};

/// Bytes of a compiled pattern, and of the cache of its automaton. The engine is linear in the text whatever the
/// pattern; these bound its memory.
const PATTERN_SIZE: usize = 2 << 20;
/// Nesting of a pattern.
const PATTERN_DEPTH: u32 = 64;
/// Bytes of a text or pattern that is searched for.
const LONGEST: usize = 4096;

/// Compares a text.
#[derive(Debug, Clone)]
pub(crate) enum Needle {
    /// Everything matches.
    All,
    /// These very bytes.
    Text(String),
    /// A regular expression.
    Pattern(Regex),
}

impl Needle {
    /// A plain text.
    pub(crate) fn text(text: &str) -> Result<Self, ReadingError> {
        bounded(text)?;
        Ok(Self::Text(text.to_owned()))
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
        built.map(Self::Pattern).map_err(|error| {
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
            Self::Pattern(pattern) => pattern.find(text).map(|found| (found.start(), found.end())),
        }
    }

    /// Bytes that every line with a match holds, if there are any: letters, digits and blanks look in a JSON text as
    /// they do outside of it, however often it was encoded.
    pub(crate) fn fragment(&self) -> Option<&str> {
        let Self::Text(wanted) = self else {
            return None;
        };
        let plain = |character: char| {
            character.is_ascii_alphanumeric() || " .,:;-_=()[]*#!?%@+$^~|".contains(character)
        };
        let longest = wanted
            .split(|character| !plain(character))
            .max_by_key(|part| part.len());
        longest.filter(|part| !part.is_empty())
    }
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
    fn a_fragment_needs_no_escape_in_json() {
        let fragment = |text: &str| Needle::text(text).unwrap().fragment().map(str::to_owned);
        assert_eq!(fragment("say \"hello\" you").as_deref(), Some("hello"));
        assert_eq!(fragment("C:\\x"), Some("C:".to_owned()));
        assert_eq!(fragment("\"\\\n"), None);
        assert_eq!(fragment("ä"), None);
    }
}
