//! JSON string text to Rust text.

use std::borrow::Cow;

/// Decodes the inside of a JSON string, which may be cut at any byte.
///
/// What can't be decoded (bytes that are no UTF-8, half a surrogate pair) becomes U+FFFD; an escape that the cut went
/// through is left off. Never fails: a text with a bad byte must not make the record it is in unreadable.
pub(crate) fn decode(raw: &[u8]) -> Cow<'_, str> {
    let Some(first) = guard_scan::memchr(b'\\', raw) else {
        return String::from_utf8_lossy(raw);
    };
    let mut out = Vec::with_capacity(raw.len());
    out.extend_from_slice(&raw[..first]);
    let mut rest = &raw[first..];
    while let Some((&byte, after)) = rest.split_first() {
        if byte != b'\\' {
            let plain = guard_scan::memchr(b'\\', rest).unwrap_or(rest.len());
            append(&mut out, &rest[..plain]);
            rest = &rest[plain..];
            continue;
        }
        match escape(after) {
            Some((character, used)) => {
                append(&mut out, character.encode_utf8(&mut [0; 4]).as_bytes());
                rest = &after[used..];
            }
            None => break,
        }
    }
    Cow::Owned(match String::from_utf8(out) {
        Ok(text) => text,
        Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
    })
}

/// The character an escape stands for and the bytes it takes after the backslash; `None` if it is cut or unknown.
fn escape(after: &[u8]) -> Option<(char, usize)> {
    let simple = match after.first()? {
        b'n' => '\n',
        b't' => '\t',
        b'r' => '\r',
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'u' => return unicode(after),
        other @ (b'"' | b'\\' | b'/') => char::from(*other),
        _ => return None,
    };
    Some((simple, 1))
}

fn unicode(after: &[u8]) -> Option<(char, usize)> {
    let unit = hex(after.get(1..5)?)?;
    if let Some(character) = char::from_u32(unit) {
        return Some((character, 5));
    }
    let low = after
        .get(5..11)
        .filter(|pair| pair.starts_with(b"\\u"))
        .and_then(|pair| hex(&pair[2..]))
        .filter(|low| (0xDC00..0xE000).contains(low));
    match low {
        Some(low) if unit < 0xDC00 => {
            let code = 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
            Some((
                char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER),
                11,
            ))
        }
        _ => Some((char::REPLACEMENT_CHARACTER, 5)),
    }
}

fn hex(digits: &[u8]) -> Option<u32> {
    digits.iter().try_fold(0, |value, digit| {
        Some(value * 16 + char::from(*digit).to_digit(16)?)
    })
}

/// Appends bytes, which are few in most calls: then a call of `memcpy` costs more than the bytes.
pub(crate) fn append(to: &mut Vec<u8>, bytes: &[u8]) {
    if bytes.len() < 16 {
        to.reserve(bytes.len());
        bytes.iter().for_each(|byte| to.push(*byte));
    } else {
        to.extend_from_slice(bytes);
    }
}

/// The longest start of `text` that has at most `limit` bytes and does not cut a character.
pub(crate) fn bounded(text: &str, limit: usize) -> &str {
    let mut end = limit.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn decodes_what_a_json_library_encoded(text in any::<String>()) {
            let quoted = serde_json::to_string(&text).unwrap();
            prop_assert_eq!(decode(&quoted.as_bytes()[1..quoted.len() - 1]), text);
        }

        #[test]
        fn decodes_a_cut_text_to_a_start_of_the_whole(text in any::<String>(), cut in any::<prop::sample::Index>()) {
            let quoted = serde_json::to_string(&text).unwrap();
            let raw = &quoted.as_bytes()[1..quoted.len() - 1];
            let cut = decode(&raw[..cut.index(raw.len() + 1)]).into_owned();
            let is_start = text.starts_with(cut.trim_end_matches('\u{FFFD}'));
            prop_assert!(is_start, "{:?}", cut);
        }

        #[test]
        fn never_panics(raw in any::<Vec<u8>>()) {
            decode(&raw);
        }
    }

    #[test]
    fn surrogates_pair_and_lone_ones_are_replaced() {
        assert_eq!(decode(br"\ud83d\ude00!"), "\u{1F600}!");
        assert_eq!(decode(br"\ud83d!\ude00"), "\u{FFFD}!\u{FFFD}");
        assert_eq!(decode(br"\ud83dA"), "\u{FFFD}A");
    }
}
