//! A part of a long text, decoded, without ever holding the whole.

use super::spans::{Field, Kind};
use crate::source::Source;
use crate::text::decode;
use std::borrow::Cow;
use std::io::{self, Read, Seek};

/// Bytes before a place that are looked at to find where an escape begins.
const LOOK_BACK: u64 = 4096;
/// The longest unit that must not be cut: a surrogate pair.
const LONGEST: u64 = 12;

/// A decoded part of a field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Window {
    /// The text, ready to be shown.
    pub(crate) text: String,
    /// Its place in the field, in bytes of the field's JSON form.
    pub(crate) from: u64,
    pub(crate) to: u64,
}

/// The part of `field` that begins at `from` (or where the unit around it begins) and has at most `limit` bytes when
/// shown. Always goes on by at least one unit, if there is one.
pub(crate) fn starting_at<R: Read + Seek>(
    source: &mut Source<R>,
    field: &Field,
    from: u64,
    limit: usize,
) -> io::Result<Window> {
    let from = aligned(source, field, from.min(field.len()))?;
    let wanted = (limit as u64 + LONGEST).min(field.len() - from);
    let raw = read(source, field.from + from, wanted)?;
    let at_end = from + raw.len() as u64 == field.len();
    let escaped = field.kind == Kind::Text;
    let mut room = raw.len();
    loop {
        let mut end = safe_end(&raw, room, at_end, escaped);
        if end == 0 {
            end = first_unit(&raw, escaped);
        }
        let text = shown(&raw[..end], escaped).into_owned();
        if text.len() <= limit || end <= first_unit(&raw, escaped) {
            let to = from + end as u64;
            return Ok(Window { text, from, to });
        }
        // What is shown can be up to three times as long as what is stored.
        room = (end * limit / text.len()).min(end - 1);
    }
}

/// The end of `field`, at most `limit` bytes of it when shown.
pub(crate) fn ending<R: Read + Seek>(
    source: &mut Source<R>,
    field: &Field,
    limit: usize,
) -> io::Result<Window> {
    let mut back = limit as u64;
    loop {
        let from = aligned(source, field, field.len().saturating_sub(back))?;
        let raw = read(source, field.from + from, field.len() - from)?;
        let text = shown(&raw, field.kind == Kind::Text).into_owned();
        if text.len() <= limit || raw.is_empty() {
            let to = from + raw.len() as u64;
            return Ok(Window { text, from, to });
        }
        let fitting = back * limit as u64 / text.len() as u64;
        back = fitting.min(field.len() - from - 1).min(back - 1);
    }
}

/// The bytes of a field in its JSON form, at most `limit`.
pub(crate) fn raw<R: Read + Seek>(
    source: &mut Source<R>,
    field: &Field,
    limit: u64,
) -> io::Result<Vec<u8>> {
    read(source, field.from, field.len().min(limit))
}

fn read<R: Read + Seek>(source: &mut Source<R>, from: u64, count: u64) -> io::Result<Vec<u8>> {
    let mut out = vec![0; count as usize];
    let mut filled = 0;
    while filled < out.len() {
        match source.read_at(from + filled as u64, &mut out[filled..])? {
            0 => break,
            count => filled += count,
        }
    }
    out.truncate(filled);
    Ok(out)
}

/// Where the unit around `at` begins. An offset that was given out is one already.
fn aligned<R: Read + Seek>(source: &mut Source<R>, field: &Field, at: u64) -> io::Result<u64> {
    if at == 0 || at == field.len() {
        return Ok(at);
    }
    let from = at.saturating_sub(LOOK_BACK);
    let before = read(
        source,
        field.from + from,
        (at - from + 4).min(field.len() - from),
    )?;
    let place = (at - from) as usize;
    let mut start = if field.kind == Kind::Text && from > 0 {
        // A backslash behind something else begins an escape, always.
        let begins = |i: usize| before[i] == b'\\' && before[i - 1] != b'\\';
        (1..place.min(before.len()))
            .find(|i| begins(*i))
            .unwrap_or(place)
    } else {
        0
    };
    if field.kind != Kind::Text {
        start = place;
    }
    // From a unit's start to the last unit that begins at the place or before it.
    while start < place.min(before.len()) {
        let unit = unit(&before[start..]);
        if start + unit > place {
            break;
        }
        start += unit;
    }
    let character = |i: usize| before.get(i).is_some_and(|byte| byte & 0xC0 == 0x80);
    let mut back = 0;
    while back < 3 && start > back && character(start - back) {
        back += 1;
    }
    let lead = before.get(start - back).copied().unwrap_or(0);
    if lead & 0xC0 == 0xC0 && width(lead) > back {
        start -= back;
    }
    Ok(from + start as u64)
}

/// The bytes at the start of `raw` that must stay together: an escape, a pair of surrogates, a carriage return with its
/// newline; else one byte.
fn unit(raw: &[u8]) -> usize {
    match raw {
        [b'\\', b'u', rest @ ..] => {
            let high = matches!(
                rest,
                [b'd' | b'D', b'8' | b'9' | b'a' | b'b' | b'A' | b'B', ..]
            );
            let low = matches!(rest.get(4..8), Some([b'\\', b'u', b'd' | b'D', _]));
            if high && low { 12 } else { 6 }
        }
        [b'\\', b'r', b'\\', b'n', ..] => 4,
        [b'\\', ..] => 2,
        _ => 1,
    }
}

/// Bytes of the character that begins with `lead`.
fn width(lead: u8) -> usize {
    match lead {
        0xF0.. => 4,
        0xE0.. => 3,
        0xC0.. => 2,
        _ => 1,
    }
}

fn first_unit(raw: &[u8], escaped: bool) -> usize {
    let unit = match raw.first() {
        None => 0,
        Some(b'\\') if escaped => unit(raw),
        Some(lead) => width(*lead),
    };
    unit.min(raw.len())
}

/// The largest end of at most `room` bytes that cuts no unit and no character.
fn safe_end(raw: &[u8], room: usize, at_end: bool, escaped: bool) -> usize {
    if room >= raw.len() && at_end {
        return raw.len();
    }
    let room = room.min(raw.len());
    let mut at = 0;
    let mut units = escaped;
    while units {
        let Some(next) = memchr::memchr(b'\\', &raw[at..]).map(|found| at + found) else {
            break;
        };
        // A whole unit must be seen, to know that nothing belongs to it.
        let end = next + unit(&raw[next..]);
        units = next < room;
        if units && (end > room || (!at_end && next + LONGEST as usize > raw.len())) {
            return next;
        }
        at = end;
    }
    let mut end = room;
    let lead = (0..4).find(|back| *back < end && raw[end - 1 - back] & 0xC0 != 0x80);
    if let Some(back) = lead
        && width(raw[end - 1 - back]) > back + 1
    {
        end -= back + 1;
    }
    end.max(at.min(room))
}

/// The text of a raw part as it is shown.
pub(crate) fn shown(raw: &[u8], escaped: bool) -> Cow<'_, str> {
    let text = if escaped {
        decode(raw)
    } else {
        String::from_utf8_lossy(raw)
    };
    match clean(&text) {
        Cow::Owned(cleaned) => Cow::Owned(cleaned),
        Cow::Borrowed(_) => text,
    }
}

/// Text without what could drive a terminal or hide itself: control characters become their pictures, marks that turn the
/// direction of writing a U+FFFD, the end of a line one newline.
pub(crate) fn clean(text: &str) -> Cow<'_, str> {
    let is_plain = |character: char| picture(character).is_none();
    let certain = plain_start(text.as_bytes());
    if text[certain..].chars().all(is_plain) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    out.push_str(&text[..certain]);
    let mut characters = text[certain..].chars().peekable();
    while let Some(character) = characters.next() {
        if character == '\r' && characters.peek() == Some(&'\n') {
            continue;
        }
        out.push(picture(character).unwrap_or(character));
    }
    Cow::Owned(out)
}

/// Bytes at the start of a text in which no character has a picture, for the many texts that have none at all.
fn plain_start(text: &[u8]) -> usize {
    // The second group are the first bytes of C1 controls and of marks of direction.
    let doubtful = |byte: u8| {
        (byte < 0x20 && byte != b'\n' && byte != b'\t') || matches!(byte, 0x7f | 0xc2 | 0xe2)
    };
    let mut at = 0;
    // Without an early exit in the block, which compiles to vector code.
    while let Some(block) = text[at..].first_chunk::<32>()
        && !block.iter().fold(false, |any, byte| any | doubtful(*byte))
    {
        at += 32;
    }
    let rest = text[at..].iter().position(|byte| doubtful(*byte));
    let mut end = rest.map_or(text.len(), |length| at + length);
    // Not in the middle of a character.
    while end < text.len() && text[end] & 0xC0 == 0x80 {
        end -= 1;
    }
    end
}

fn picture(character: char) -> Option<char> {
    match character {
        '\n' | '\t' => None,
        '\0'..='\x1f' => char::from_u32(0x2400 + u32::from(character)),
        '\x7f' => Some('\u{2421}'),
        '\u{80}'..='\u{9f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => Some('\u{FFFD}'),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::io::Cursor;

    fn field(raw: &str) -> (Source<Cursor<Vec<u8>>>, Field) {
        let bytes = format!("xx{raw}\"").into_bytes();
        let len = bytes.len() as u64;
        let field = Field {
            name: "content".to_owned(),
            kind: Kind::Text,
            from: 2,
            to: 2 + raw.len() as u64,
            start: Vec::new(),
            in_full: false,
        };
        (Source::new(Cursor::new(bytes), len), field)
    }

    fn raw_of(text: &str, ascii: bool) -> String {
        let quoted = serde_json::to_string(text).unwrap();
        let raw = &quoted[1..quoted.len() - 1];
        if !ascii {
            return raw.to_owned();
        }
        let mut out = String::new();
        for character in raw.chars() {
            if character.is_ascii() {
                out.push(character);
            } else {
                let mut units = [0; 2];
                for unit in character.encode_utf16(&mut units) {
                    out += &format!("\\u{unit:04x}");
                }
            }
        }
        out
    }

    fn text() -> impl Strategy<Value = String> {
        let part = prop_oneof![
            Just("\\".to_owned()),
            Just("\r\n".to_owned()),
            Just("\r".to_owned()),
            Just("😀".to_owned()),
            Just("ä\u{1b}[31m".to_owned()),
            Just("\"".to_owned()),
            "[a-z ]{1,9}",
            any::<String>(),
        ];
        prop::collection::vec(part, 0..60).prop_map(|parts| parts.concat())
    }

    proptest! {
        #[test]
        fn pages_of_a_field_join_to_the_whole(text in text(), ascii: bool, limit in 1_usize..50) {
            let (mut source, field) = field(&raw_of(&text, ascii));
            let (mut at, mut joined) = (0, String::new());
            while at < field.len() {
                let window = starting_at(&mut source, &field, at, limit).unwrap();
                prop_assert_eq!(window.from, at);
                prop_assert!(window.to > at);
                prop_assert!(window.text.len() <= limit.max(6));
                joined += &window.text;
                at = window.to;
            }
            prop_assert_eq!(joined, clean(&text).into_owned());
        }

        #[test]
        fn any_offset_gives_an_end_of_the_text(text in text(), ascii: bool, at in any::<prop::sample::Index>()) {
            let (mut source, field) = field(&raw_of(&text, ascii));
            let at = at.index(field.len() as usize + 1) as u64;
            let window = starting_at(&mut source, &field, at, 1 << 20).unwrap();
            let whole = clean(&text).into_owned();
            prop_assert!(whole.ends_with(&window.text), "{at}: {:?} of {:?}", window.text, whole);
            prop_assert!(window.from <= at && at - window.from < 12);
        }

        #[test]
        fn an_end_is_an_end(text in text(), ascii: bool, limit in 0_usize..80) {
            let (mut source, field) = field(&raw_of(&text, ascii));
            let window = ending(&mut source, &field, limit).unwrap();
            prop_assert!(window.text.len() <= limit);
            prop_assert!(clean(&text).ends_with(&window.text));
        }
    }

    #[test]
    fn a_place_deep_in_a_text_is_aligned_too() {
        let text = "\\\"😀\n".repeat(3000);
        let (mut source, field) = field(&raw_of(&text, true));
        for at in (9000..9100).chain([20_000, 30_001]) {
            let window = starting_at(&mut source, &field, at, 1 << 20).unwrap();
            assert!(text.ends_with(&window.text), "{at}");
        }
    }
}
