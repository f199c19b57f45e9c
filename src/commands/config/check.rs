//! What is wrong with a configuration file, with its lines.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::Value;

use crate::config::{Config, KEYS, Key, without_mark};

/// Something in the file that does not hold as it stands there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The line, from 1.
    pub line: usize,
    /// The key as it is written.
    pub key: String,
    /// What is wrong with it.
    pub problem: Problem,
}

/// What is wrong with a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Problem {
    /// There is no such key; the one that it may mean.
    Unknown(Option<&'static str>),
    /// The value is none that the key takes.
    Unfit,
    /// It is given again further down, and that counts.
    GivenAgain,
}

/// A configuration file that has been looked at.
#[derive(Debug, Clone, Default)]
pub struct Checked {
    /// What holds.
    pub config: Config,
    /// The keys that are given, with their lines, in the order of the file.
    pub given: Vec<(String, usize)>,
    /// What is wrong, in the order of the file.
    pub findings: Vec<Finding>,
}

/// Looks at the text of a configuration file.
///
/// # Errors
/// It is not one JSON object: the hook goes by the defaults then. The error names line and column.
pub fn check(text: &[u8]) -> Result<Checked, serde_json::Error> {
    let text = without_mark(text);
    let Members(members) = serde_json::from_slice(text)?;
    let lines = key_lines(text);
    let mut findings = Vec::new();
    for (index, ((name, value), line)) in members.iter().zip(&lines).enumerate() {
        let is_given_again = || members[index + 1..].iter().any(|(later, _)| later == name);
        let problem = match Key::named(name) {
            None => Some(Problem::Unknown(nearest(name))),
            Some(_) if is_given_again() => Some(Problem::GivenAgain),
            Some(key) => key
                .set(&mut Config::default(), value)
                .err()
                .map(|_| Problem::Unfit),
        };
        findings.extend(problem.map(|problem| Finding {
            line: *line,
            key: name.clone(),
            problem,
        }));
    }
    Ok(Checked {
        config: Config::parse(text),
        given: members.into_iter().map(|(key, _)| key).zip(lines).collect(),
        findings,
    })
}

/// The members of an object in the order of the text, those that are given twice twice.
struct Members(Vec<(String, Value)>);

impl<'de> Deserialize<'de> for Members {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Each;
        impl<'de> Visitor<'de> for Each {
            type Value = Members;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("one JSON object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }
        from.deserialize_map(Each)
    }
}

/// The lines of an object's own keys, from 1. The text is known to be JSON.
fn key_lines(text: &[u8]) -> Vec<usize> {
    let (mut lines, mut line, mut depth) = (Vec::new(), 1, 0);
    let (mut in_string, mut escaped, mut before_key) = (false, false, false);
    for byte in text {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => {
                if before_key && depth == 1 {
                    lines.push(line);
                }
                before_key = false;
                in_string = !in_string;
            }
            _ if in_string => {}
            b'\n' => line += 1,
            b'{' | b'[' => {
                depth += 1;
                before_key = depth == 1;
            }
            b'}' | b']' => depth -= 1,
            b',' => before_key = depth == 1,
            _ => {}
        }
    }
    lines
}

/// The key that a misspelled one may mean. Jaro-Winkler, since most slips are near the end of the word.
fn nearest(name: &str) -> Option<&'static str> {
    const ALIKE: f64 = 0.85;
    let name = name.to_ascii_lowercase().replace(['-', ' ', '.'], "_");
    let likeness = |key: &Key| strsim::jaro_winkler(&name, key.name);
    let nearest = KEYS
        .iter()
        .map(|key| (likeness(key), key.name))
        .max_by(|(one, _), (other, _)| one.total_cmp(other))?;
    (nearest.0 >= ALIKE).then_some(nearest.1)
}

impl Finding {
    /// What is wrong, in words that follow the line.
    pub fn detail(&self) -> String {
        let key = self.key.escape_debug();
        match self.problem {
            Problem::Unknown(Some(nearest)) => {
                format!("there is no key `{key}`; `{nearest}` may be meant")
            }
            Problem::Unknown(None) => format!("there is no key `{key}`"),
            Problem::GivenAgain => {
                format!("`{key}` is given again further down, and that counts")
            }
            Problem::Unfit => {
                let takes = Key::named(&self.key).map(Key::takes).unwrap_or_default();
                format!("`{key}` takes {takes}")
            }
        }
    }

    /// What to do.
    pub fn remedy(&self, config: &Config) -> String {
        match &self.problem {
            Problem::Unknown(Some(nearest)) => format!("write `{nearest}`, or take it out"),
            Problem::Unknown(None) => {
                "take it out; `execution-guard config show` lists all keys".to_owned()
            }
            Problem::GivenAgain => "take one of them out".to_owned(),
            Problem::Unfit => {
                let holds = Key::named(&self.key).map_or(Value::Null, |key| key.get(config));
                format!("mend the value; until then {holds} holds")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn findings(text: &str) -> Vec<(usize, String, Problem)> {
        let checked = check(text.as_bytes()).unwrap();
        let found = checked.findings.into_iter();
        found
            .map(|finding| (finding.line, finding.key, finding.problem))
            .collect()
    }

    #[test]
    fn each_fault_is_found_in_its_line() {
        let text = "\u{feff}{\r\n  \"bounded_view_line\": 9,\r\n  \"pass_through\": \"Ask\",\r\n\r\n  \"zzz\": {\"rtk\":\n1},\
                    \n  \"rtk\": \"/x\", \"rtk\": \"y\",\n\"rtk_version\": \"1\"}";
        assert_eq!(
            findings(text),
            [
                (
                    2,
                    "bounded_view_line".to_owned(),
                    Problem::Unknown(Some("bounded_view_lines"))
                ),
                (3, "pass_through".to_owned(), Problem::Unfit),
                (5, "zzz".to_owned(), Problem::Unknown(None)),
                (7, "rtk".to_owned(), Problem::GivenAgain),
                (7, "rtk".to_owned(), Problem::Unfit),
            ]
        );
    }

    #[test]
    fn a_slip_of_the_pen_finds_its_key() {
        for (written, meant) in [
            ("bounded_view_line", "bounded_view_lines"),
            ("Pass-Through", "pass_through"),
            ("protected_folder", "protected_folders"),
            ("decisions_log", "decision_log"),
            ("ledger_ttl", "ledger_ttl_seconds"),
            ("wait_ms", "wait_ms_before_async"),
            ("rtk_versoin", "rtk_version"),
        ] {
            assert_eq!(nearest(written), Some(meant), "{written}");
        }
        for written in ["", "colour", "x", "hooks", "ü"] {
            assert_eq!(nearest(written), None, "{written}");
        }
    }

    #[test]
    fn a_text_that_is_no_json_object_is_told_with_its_place() {
        for (text, line) in [
            ("", 1),
            ("[]", 1),
            ("{\n\"a\":1,}", 2),
            ("// comment\n{}", 1),
        ] {
            let error = check(text.as_bytes()).unwrap_err();
            assert!(error.line() <= line, "{text}: {error}");
        }
        assert!(check(b"{}").is_ok());
    }
}
