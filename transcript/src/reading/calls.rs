//! The tool calls of a record, with arguments as the model gave them.

use serde_json::Value;

/// A tool call.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Call {
    pub(crate) name: String,
    /// Arguments by name, as text that is ready to be shown.
    pub(crate) arguments: Vec<(String, String)>,
}

/// Arguments that are prose for the user, in every call.
const PROSE: [&str; 2] = ["toolAction", "toolSummary"];

impl Call {
    /// The argument with this name, whatever the case of its letters.
    pub(crate) fn argument(&self, name: &str) -> Option<&str> {
        let found = self
            .arguments
            .iter()
            .find(|(key, _)| key.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }

    /// The arguments that say what was done.
    pub(crate) fn telling(&self) -> impl Iterator<Item = &(String, String)> {
        self.arguments
            .iter()
            .filter(|(name, _)| !PROSE.contains(&name.as_str()))
    }
}

/// The calls in a `tool_calls` array. `encoded` says whether the file is one in which the host may encode arguments
/// a second time: `transcript.jsonl`, not `transcript_full.jsonl`.
pub(crate) fn calls(raw: &[u8], encoded: bool) -> Vec<Call> {
    let Ok(Value::Array(list)) = serde_json::from_slice(raw) else {
        return Vec::new();
    };
    list.into_iter()
        .map(|call| {
            let name = call
                .get("name")
                .and_then(Value::as_str)
                .unwrap_or("unknown tool");
            let arguments = call.get("args").or_else(|| call.get("arguments"));
            Call {
                name: name.to_owned(),
                arguments: arguments.map_or_else(Vec::new, |value| texts(value, encoded)),
            }
        })
        .collect()
}

fn texts(arguments: &Value, encoded: bool) -> Vec<(String, String)> {
    let parsed;
    // The whole object can be a text too.
    let arguments = match arguments {
        Value::String(text) => {
            parsed = serde_json::from_str(text).unwrap_or_else(|_| arguments.clone());
            &parsed
        }
        other => other,
    };
    let Value::Object(map) = arguments else {
        return vec![("arguments".to_owned(), text_of(arguments))];
    };
    let encoded = encoded && map.values().all(is_encoded);
    let one = |value: &Value| match value {
        Value::String(text) if encoded => decoded(text),
        other => text_of(other),
    };
    map.iter()
        .map(|(name, value)| (name.clone(), one(value)))
        .collect()
}

/// Whether a value can be one that was encoded a second time: a text that is JSON, or was before the host cut it.
fn is_encoded(value: &Value) -> bool {
    let Value::String(text) = value else {
        return false;
    };
    text.starts_with('"') || serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok()
}

/// A text that holds JSON, without this layer. Of one that the host cut, what is there, with the host's note.
fn decoded(text: &str) -> String {
    if let Ok(value) = serde_json::from_str::<Value>(text) {
        return text_of(&value);
    }
    let inner = text.strip_prefix('"').unwrap_or(text);
    let (inner, note) = match inner.rfind("\n<truncated ") {
        Some(at) => inner.split_at(at),
        None => (inner, ""),
    };
    crate::text::decode(inner.as_bytes()).into_owned() + note
}

/// A value as a person writes it: no quotes, no braces.
pub(crate) fn text_of(value: &Value) -> String {
    match value {
        Value::Null => "none".to_owned(),
        Value::String(text) => text.clone(),
        Value::Array(items)
            if items
                .iter()
                .all(|item| !item.is_object() && !item.is_array()) =>
        {
            items.iter().map(text_of).collect::<Vec<_>>().join(", ")
        }
        Value::Array(items) => items
            .iter()
            .enumerate()
            .map(|(index, item)| format!("{}) {}", index + 1, text_of(item)))
            .collect::<Vec<_>>()
            .join("\n"),
        Value::Object(map) => map
            .iter()
            .map(|(name, value)| format!("{name}: {}", text_of(value)))
            .collect::<Vec<_>>()
            .join(", "),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn only(raw: &str, encoded: bool) -> Vec<(String, String)> {
        calls(raw.as_bytes(), encoded).remove(0).arguments
    }

    fn pair(name: &str, value: &str) -> (String, String) {
        (name.to_owned(), value.to_owned())
    }

    #[test]
    fn arguments_lose_their_second_encoding() {
        let raw = r#"[{"name":"grep_search","args":{"Includes":"[\"*.rs\",\"*.md\"]","MatchPerLine":"true","Query":"\"say \\\"hi\\\"\\n\""}}]"#;
        let expected = [
            pair("Includes", "*.rs, *.md"),
            pair("MatchPerLine", "true"),
            pair("Query", "say \"hi\"\n"),
        ];
        assert_eq!(only(raw, true), expected);
    }

    #[test]
    fn arguments_that_were_encoded_once_stay() {
        let raw =
            r#"[{"name":"write_to_file","args":{"CodeContent":"\"quoted\"","Overwrite":true}}]"#;
        let expected = [pair("CodeContent", "\"quoted\""), pair("Overwrite", "true")];
        assert_eq!(only(raw, false), expected);
        assert_eq!(only(raw, true), expected);
        let raw = r#"[{"name":"run_command","args":{"CommandLine":"echo \"a\"","Cwd":"\"/w\""}}]"#;
        assert_eq!(
            only(raw, true),
            [pair("CommandLine", "echo \"a\""), pair("Cwd", "\"/w\"")]
        );
    }

    #[test]
    fn an_argument_that_the_host_cut_is_decoded_as_far_as_it_goes() {
        let raw = r#"[{"name":"create_file","args":{"CodeContent":"\"line\\nof \\\"te\n<truncated 53954 bytes>","path":"\"/w\""}}]"#;
        let expected = [
            pair("CodeContent", "line\nof \"te\n<truncated 53954 bytes>"),
            pair("path", "/w"),
        ];
        assert_eq!(only(raw, true), expected);
    }

    #[test]
    fn what_is_no_list_of_calls_gives_none() {
        for raw in ["", "{}", "[", "null", "3"] {
            assert_eq!(calls(raw.as_bytes(), true), []);
        }
        assert_eq!(calls(b"[3]", true)[0].name, "unknown tool");
    }
}
