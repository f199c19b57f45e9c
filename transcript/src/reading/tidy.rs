//! What a record says, without what the host puts around it.

use super::calls::text_of;
use super::clean::clean;
use serde_json::Value;

/// A text without what the host wraps around it: times that the record has already, tags around the user's words, JSON lines.
pub(crate) fn tidy(text: &str, kind: &str, is_start: bool, is_end: bool) -> String {
    let mut text = text;
    match kind {
        "USER_INPUT" => {
            if is_start {
                text = text.strip_prefix("<USER_REQUEST>\n").unwrap_or(text);
            }
            if is_end && let Some(end) = text.rfind("\n</USER_REQUEST>") {
                text = &text[..end];
            }
        }
        "SYSTEM_MESSAGE" => {
            const OPEN: &str = "\n<SYSTEM_MESSAGE>\n";
            if is_start && let Some(at) = text.find(OPEN) {
                text = &text[at + OPEN.len()..];
            }
            if is_end {
                text = text
                    .trim_end()
                    .strip_suffix("</SYSTEM_MESSAGE>")
                    .unwrap_or(text);
            }
        }
        _ if is_start => {
            while let Some((line, rest)) = text.split_once('\n')
                && (line.starts_with("Created At: ") || line.starts_with("Completed At: "))
            {
                text = rest;
            }
        }
        _ => {}
    }
    without_braces(text.trim())
}

/// A text whose JSON objects, which some tools print on lines of their own, are said in words.
fn without_braces(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while !rest.is_empty() {
        if rest.starts_with('{')
            && let Some((said, used)) = object_in_words(rest)
        {
            out += &said;
            rest = &rest[used..];
        }
        let end = rest.find('\n').map_or(rest.len(), |at| at + 1);
        out += &rest[..end];
        rest = &rest[end..];
    }
    out
}

/// The JSON object that a text begins with, if it is one up to the end of a line, and the bytes it takes.
fn object_in_words(text: &str) -> Option<(String, usize)> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<Value>();
    let Some(Ok(Value::Object(map))) = values.next() else {
        return None;
    };
    let used = values.byte_offset();
    let ends_line = matches!(text.as_bytes().get(used), None | Some(b'\n'));
    // Written over several lines it stays that way.
    let between = if text[..used].contains('\n') {
        "\n"
    } else {
        ", "
    };
    let pairs: Vec<String> = map
        .iter()
        .map(|(name, value)| format!("{name}: {}", text_of(value)))
        .collect();
    ends_line.then(|| (clean(&pairs.join(between)).into_owned(), used))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hosts_wrapping_is_left_off() {
        let user = "<USER_REQUEST>\ngo on\n</USER_REQUEST>\n<ADDITIONAL_METADATA>\nx\n</ADDITIONAL_METADATA>";
        assert_eq!(tidy(user, "USER_INPUT", true, true), "go on");
        let tool =
            "Created At: 1\nCompleted At: 2\n{\"File\":\"/w/a.rs\",\"LineNumber\":2}\nplain {x}";
        let expected = "File: /w/a.rs, LineNumber: 2\nplain {x}";
        assert_eq!(tidy(tool, "GREP_SEARCH", true, true), expected);
        let tasks = "Running:\n{\n  \"taskId\":  \"task-18\",\n  \"stepIndex\":  18\n}\n{not json}";
        let expected = "Running:\nstepIndex: 18\ntaskId: task-18\n{not json}";
        assert_eq!(tidy(tasks, "GENERIC", true, true), expected);
        let system = "The following is …\n\n<SYSTEM_MESSAGE>\nTask ended\n</SYSTEM_MESSAGE>";
        assert_eq!(tidy(system, "SYSTEM_MESSAGE", true, true), "Task ended");
    }
}
