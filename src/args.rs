//! The arguments of a tool call, read tolerantly.
//!
//! Hosts have sent the same argument as a number, as a string with a number in it and as a
//! JSON string inside a string, under keys that begin with a capital or not (host contract,
//! "double-encoded"). Whoever asks for an argument here names the type and gets that, or an error.
//! Arguments that no rule asks for (file contents above all) are skipped without being copied.

use std::fmt;

use serde::Deserialize;
use serde::de::{self, DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::Value;

/// The argument names that some rule reads; all others are skipped.
const READ: &[&str] = &[
    "AbsolutePath",
    "Action",
    "CaseInsensitive",
    "CommandId",
    "CommandId",
    "CommandLine",
    "CronExpression",
    "Cwd",
    "DirectoryPath",
    "DurationSeconds",
    "EndLine",
    "Excludes",
    "Extensions",
    "FilePath",
    "FullPath",
    "Includes",
    "IsDaemon",
    "IsRegex",
    "MatchPerLine",
    "MaxDepth",
    "Path",
    "Paths",
    "Pattern",
    "Prompt",
    "Query",
    "SearchDirectory",
    "SearchPath",
    "StartLine",
    "TargetFile",
    "TaskId",
    "TimerCondition",
    "Type",
    "WaitMsBeforeAsync",
    "code",
    "file_path",
    "language",
];

/// Why the arguments of a call can't be judged.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ArgsError {
    /// The arguments are not an object.
    #[error("its arguments are not a JSON object")]
    NotAnObject,
    /// The host could take either of two values.
    #[error("its argument `{0}` is given twice")]
    Duplicate(String),
    /// An argument that the rules need is missing.
    #[error("its argument `{0}` is missing")]
    Missing(&'static str),
    /// An argument has a value of another type.
    #[error("its argument `{name}` is not {expected}")]
    WrongType {
        /// The argument.
        name: &'static str,
        /// The type it should have, with its article.
        expected: &'static str,
    },
}

/// The arguments of one call that some rule reads.
#[derive(Debug, Default, Clone, PartialEq)]
pub struct Args {
    entries: Vec<(String, Value)>,
    error: Option<ArgsError>,
}

impl Args {
    /// Arguments that could not be read.
    pub fn unreadable(error: ArgsError) -> Self {
        Self {
            entries: Vec::new(),
            error: Some(error),
        }
    }

    /// Refuses arguments that no rule could judge: not an object, or given twice.
    pub fn check(&self) -> Result<(), ArgsError> {
        self.error.clone().map_or(Ok(()), Err)
    }

    /// The key under which the host sent `name`, or `name` if it did not.
    pub fn spelling<'a>(&'a self, name: &'a str) -> &'a str {
        self.entry(name).map_or(name, |(key, _)| key)
    }

    /// The arguments in the order they came, for telling one call from another.
    pub fn entries(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.entries
            .iter()
            .map(|(key, value)| (key.as_str(), value))
    }

    /// A text. An empty or `null` argument that is there counts as given.
    pub fn text(&self, name: &'static str) -> Result<Option<String>, ArgsError> {
        match self.value(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(Value::Number(number)) => Ok(Some(number.to_string())),
            Some(_) => Err(wrong(name, "a text")),
        }
    }

    /// A text that has to be there.
    pub fn required_text(&self, name: &'static str) -> Result<String, ArgsError> {
        self.text(name)?.ok_or(ArgsError::Missing(name))
    }

    /// The first of several names for the same text.
    pub fn first_text(&self, names: &[&'static str]) -> Result<Option<String>, ArgsError> {
        for name in names {
            if let Some(text) = self.text(name)? {
                return Ok(Some(text));
            }
        }
        Ok(None)
    }

    /// A whole number of at least zero, as a number or as text; fractions are cut.
    pub fn number(&self, name: &'static str) -> Result<Option<u64>, ArgsError> {
        match self.value(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) if text.trim().is_empty() => Ok(None),
            Some(value) => whole(&value)
                .map(Some)
                .ok_or_else(|| wrong(name, "a whole number")),
        }
    }

    /// Yes or no, as a boolean, as text or as a number; absent is `false`.
    pub fn flag(&self, name: &'static str) -> Result<bool, ArgsError> {
        match self.value(name) {
            None | Some(Value::Null) => Ok(false),
            Some(value) => truth(&value).ok_or_else(|| wrong(name, "true or false")),
        }
    }

    /// A list of texts; a single text is a list of one.
    pub fn texts(&self, name: &'static str) -> Result<Vec<String>, ArgsError> {
        let items = match self.value(name) {
            None | Some(Value::Null) => return Ok(Vec::new()),
            Some(Value::Array(items)) => items,
            Some(Value::String(text)) => match serde_json::from_str(text.trim()) {
                Ok(Value::Array(items)) => items,
                _ => vec![Value::String(text)],
            },
            Some(_) => return Err(wrong(name, "a list of texts")),
        };
        items
            .into_iter()
            .map(|item| match item {
                Value::String(text) => Ok(unwrap_json_string(text)),
                _ => Err(wrong(name, "a list of texts")),
            })
            .collect()
    }

    fn value(&self, name: &str) -> Option<Value> {
        self.entry(name).map(|(_, value)| match value {
            Value::String(text) => Value::String(unwrap_json_string(text.clone())),
            other => other.clone(),
        })
    }

    fn entry(&self, name: &str) -> Option<(&str, &Value)> {
        let found = self.entries.iter().find(|(key, _)| same_key(key, name));
        found.map(|(key, value)| (key.as_str(), value))
    }

    fn insert(&mut self, key: String, value: Value) {
        if self.entry(&key).is_some() {
            self.error = Some(ArgsError::Duplicate(key));
        } else {
            self.entries.push((key, value));
        }
    }
}

fn wrong(name: &'static str, expected: &'static str) -> ArgsError {
    ArgsError::WrongType { name, expected }
}

/// Keys are equal without regard to the case of their first letter.
fn same_key(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    a.len() == b.len()
        && a.first().map(u8::to_ascii_lowercase) == b.first().map(u8::to_ascii_lowercase)
        && a.iter().skip(1).eq(b.iter().skip(1))
}

/// The inner text of a text that is itself a JSON string, as `"git status"` with its quotes.
///
/// A shell line that is one quoted word reads the same way. Unwrapping it is harmless: the words
/// that are judged are the ones between the quotes either way.
fn unwrap_json_string(text: String) -> String {
    let trimmed = text.trim();
    if trimmed.len() < 2 || !trimmed.starts_with('"') || !trimmed.ends_with('"') {
        return text;
    }
    serde_json::from_str(trimmed).unwrap_or(text)
}

/// A whole number of at least zero, as a number or as text; fractions are cut.
pub fn whole(value: &Value) -> Option<u64> {
    match value {
        Value::Number(number) => number.as_u64().or_else(|| cut(number.as_f64()?)),
        Value::String(text) => {
            let text = text.trim();
            text.parse().ok().or_else(|| cut(text.parse().ok()?))
        }
        _ => None,
    }
}

fn cut(number: f64) -> Option<u64> {
    // Below 2^53 the cast is exact; no argument of any tool is larger.
    (0.0..9_007_199_254_740_992.0)
        .contains(&number)
        .then_some(number as u64)
}

fn truth(value: &Value) -> Option<bool> {
    match value {
        Value::Bool(flag) => Some(*flag),
        Value::Number(number) => number.as_f64().map(|n| n != 0.0),
        Value::String(text) => match text.trim().to_ascii_lowercase().as_str() {
            "true" | "1" | "yes" => Some(true),
            "false" | "0" | "no" | "" => Some(false),
            _ => None,
        },
        _ => None,
    }
}

impl<'de> Deserialize<'de> for Args {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ArgsVisitor)
    }
}

struct ArgsVisitor;

impl<'de> Visitor<'de> for ArgsVisitor {
    type Value = Args;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("the arguments of a tool call")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Args, M::Error> {
        let mut args = Args::default();
        while let Some(key) = map.next_key_seed(Key)? {
            match key {
                Some(key) => {
                    let value = map.next_value()?;
                    args.insert(key, value);
                }
                None => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(args)
    }

    fn visit_unit<E: de::Error>(self) -> Result<Args, E> {
        Ok(Args::default())
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Args, E> {
        Ok(serde_json::from_str::<ObjectOnly>(text)
            .map(|object| object.0)
            .unwrap_or_else(|_| Args::unreadable(ArgsError::NotAnObject)))
    }

    fn visit_seq<S: de::SeqAccess<'de>>(self, mut seq: S) -> Result<Args, S::Error> {
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Args::unreadable(ArgsError::NotAnObject))
    }

    fn visit_bool<E: de::Error>(self, _: bool) -> Result<Args, E> {
        Ok(Args::unreadable(ArgsError::NotAnObject))
    }

    fn visit_i64<E: de::Error>(self, _: i64) -> Result<Args, E> {
        Ok(Args::unreadable(ArgsError::NotAnObject))
    }

    fn visit_u64<E: de::Error>(self, _: u64) -> Result<Args, E> {
        Ok(Args::unreadable(ArgsError::NotAnObject))
    }

    fn visit_f64<E: de::Error>(self, _: f64) -> Result<Args, E> {
        Ok(Args::unreadable(ArgsError::NotAnObject))
    }
}

/// Arguments in a string: an object and nothing else, so that strings in strings can't nest.
struct ObjectOnly(Args);

impl<'de> Deserialize<'de> for ObjectOnly {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(ArgsVisitor).map(ObjectOnly)
    }
}

/// Reads a key and keeps it if some rule reads its value.
struct Key;

impl<'de> DeserializeSeed<'de> for Key {
    type Value = Option<String>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for Key {
    type Value = Option<String>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("the name of an argument")
    }

    fn visit_str<E: de::Error>(self, key: &str) -> Result<Self::Value, E> {
        let is_read = READ.iter().any(|name| same_key(name, key));
        Ok(is_read.then(|| key.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args(json: &str) -> Args {
        serde_json::from_str(json).unwrap()
    }

    #[test]
    fn a_text_reads_the_same_plain_and_as_json_in_a_string() {
        for json in [
            r#"{"CommandLine":"git status"}"#,
            r#"{"commandLine":"git status"}"#,
            r#"{"CommandLine":"\"git status\""}"#,
            r#""{\"CommandLine\":\"git status\"}""#,
        ] {
            let text = args(json).text("CommandLine").unwrap();
            assert_eq!(text.as_deref(), Some("git status"), "{json}");
        }
    }

    #[test]
    fn a_line_that_only_begins_and_ends_with_quotes_stays() {
        let text = args(r#"{"CommandLine":"\"a b\" \"c\""}"#);
        assert_eq!(text.text("CommandLine").unwrap().unwrap(), r#""a b" "c""#);
    }

    #[test]
    fn numbers_and_flags_read_the_same_in_every_spelling() {
        for json in ["500", "\"500\"", "500.0", "\"500.7\"", "\"\\\"500\\\"\""] {
            let args = args(&format!("{{\"WaitMsBeforeAsync\":{json}}}"));
            assert_eq!(args.number("WaitMsBeforeAsync"), Ok(Some(500)), "{json}");
        }
        for json in ["true", "\"true\"", "\"True\"", "1", "\"\\\"true\\\"\""] {
            let args = args(&format!("{{\"IsDaemon\":{json}}}"));
            assert_eq!(args.flag("IsDaemon"), Ok(true), "{json}");
        }
        for json in ["-1", "\"soon\"", "[]", "1e300"] {
            let args = args(&format!("{{\"WaitMsBeforeAsync\":{json}}}"));
            assert!(args.number("WaitMsBeforeAsync").is_err(), "{json}");
        }
    }

    #[test]
    fn lists_read_the_same_as_array_as_text_and_alone() {
        for json in [
            r#"["*.rs"]"#,
            r#""[\"*.rs\"]""#,
            r#""*.rs""#,
            r#"["\"*.rs\""]"#,
        ] {
            let args = args(&format!("{{\"Includes\":{json}}}"));
            assert_eq!(args.texts("Includes").unwrap(), ["*.rs"], "{json}");
        }
    }

    #[test]
    fn an_argument_that_the_host_could_read_in_two_ways_is_refused() {
        for json in [
            r#"{"CommandLine":"ls","CommandLine":"rm -rf ~"}"#,
            r#"{"CommandLine":"ls","commandLine":"rm -rf ~"}"#,
        ] {
            assert!(args(json).check().is_err(), "{json}");
        }
    }

    #[test]
    fn what_is_not_an_object_is_refused() {
        for json in [
            "[]",
            "1",
            "-1",
            "1.5",
            "true",
            "\"x\"",
            "\"[]\"",
            "\"\\\"{}\\\"\"",
        ] {
            assert_eq!(args(json).check(), Err(ArgsError::NotAnObject), "{json}");
        }
        assert_eq!(args("null").check(), Ok(()));
    }

    #[test]
    fn contents_that_no_rule_reads_are_not_kept() {
        let args = args(r#"{"TargetFile":"/w/a","CodeContent":"x","Deep":[[[[{}]]]]}"#);
        assert_eq!(args.entries().count(), 1);
    }
}
