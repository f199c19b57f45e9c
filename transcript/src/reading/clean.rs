//! Text that is safe to show.

use std::borrow::Cow;

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
