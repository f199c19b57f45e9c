//! Whether bytes that are not JSON name a governed tool.

use std::borrow::Cow;

use crate::call::governed_names;

/// Whether the bytes hold the name of a governed tool as a quoted text, in any letter case, with or without `\u` escapes.
/// The closing quote may be cut off.
pub fn names_governed_tool(bytes: &[u8]) -> bool {
    if bytes.trim_ascii().is_empty() {
        return false;
    }
    let mut text = unescape(bytes).into_owned();
    // What UTF-16 puts between the letters.
    text.retain(|byte| *byte != 0);
    text.make_ascii_lowercase();
    governed_names().any(|name| {
        memchr::memmem::find_iter(&text, name).any(|at| {
            let before = text[..at].last();
            let after = text.get(at + name.len());
            before == Some(&b'"') && after.is_none_or(|after| matches!(after, b'"' | b'\\'))
        })
    })
}

/// Decodes `\u00XX` escapes; all else stays.
fn unescape(bytes: &[u8]) -> Cow<'_, [u8]> {
    const ESCAPE: &[u8] = b"\\u00";
    let Some(first) = memchr::memmem::find(bytes, ESCAPE) else {
        return Cow::Borrowed(bytes);
    };
    let mut plain = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    let mut at = Some(first);
    while let Some(start) = at {
        plain.extend_from_slice(&rest[..start]);
        rest = &rest[start + ESCAPE.len()..];
        match rest.get(..2).and_then(hex) {
            Some(byte) => {
                plain.push(byte);
                rest = &rest[2..];
            }
            None => plain.extend_from_slice(ESCAPE),
        }
        at = memchr::memmem::find(rest, ESCAPE);
    }
    plain.extend_from_slice(rest);
    Cow::Owned(plain)
}

fn hex(digits: &[u8]) -> Option<u8> {
    u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::names_governed_tool;

    #[test]
    fn a_governed_tool_is_seen_in_what_is_left_of_a_call() {
        for text in [
            r#"{"toolCall":{"name":"run_command","args":{"Comm"#,
            r#"{"toolCall":{"name":"RUN_command"#,
            r#"{"toolCall":{"name":"run\u005fcommand""#,
            "{\"toolCall\":{\"name\":\"view_file\"},\"x\":\"\u{fffd}\"",
        ] {
            assert!(names_governed_tool(text.as_bytes()), "{text}");
        }
        assert!(names_governed_tool(b"\xff{\"name\":\"list_dir\""));
        let utf16 = r#"{"toolCall":{"name":"run_command"}}"#.encode_utf16();
        let bytes: Vec<u8> = utf16.flat_map(u16::to_le_bytes).collect();
        assert!(names_governed_tool(&bytes));
    }

    #[test]
    fn other_words_are_not_a_governed_tool() {
        for text in [
            "",
            "hello",
            r#"{"name":"my_run_command_2""#,
            r"\u00",
            r"\u00zz \u00e",
        ] {
            assert!(!names_governed_tool(text.as_bytes()), "{text}");
        }
    }
}
