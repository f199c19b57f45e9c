//! Where a JSON text can be cut: not within an escape, not within a character.

/// The longest unit that must not be cut: a surrogate pair.
pub(crate) const LONGEST: u64 = 12;

/// The bytes at the start of `raw` that must stay together: an escape, a pair of surrogates, a carriage return with its
/// newline; else one byte.
pub(crate) fn unit(raw: &[u8]) -> usize {
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
pub(crate) fn width(lead: u8) -> usize {
    match lead {
        0xF0.. => 4,
        0xE0.. => 3,
        0xC0.. => 2,
        _ => 1,
    }
}

pub(crate) fn first_unit(raw: &[u8], escaped: bool) -> usize {
    let unit = match raw.first() {
        None => 0,
        Some(b'\\') if escaped => unit(raw),
        Some(lead) => width(*lead),
    };
    unit.min(raw.len())
}

/// The largest end of at most `room` bytes that cuts no unit and no character.
pub(crate) fn safe_end(raw: &[u8], room: usize, at_end: bool, escaped: bool) -> usize {
    if room >= raw.len() && at_end {
        return raw.len();
    }
    let room = room.min(raw.len());
    let mut at = 0;
    let escape = |from: usize| {
        let found = if escaped {
            memchr::memchr(b'\\', &raw[from..])
        } else {
            None
        };
        found.map(|found| from + found)
    };
    while let Some(next) = escape(at) {
        // A whole unit must be seen, to know that nothing belongs to it.
        let end = next + unit(&raw[next..]);
        if next >= room {
            break;
        }
        if end > room || (!at_end && next + LONGEST as usize > raw.len()) {
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
