//! The first look at a line: is it worth parsing?

/// The start of a line in the order and spacing that the host writes. Proof of nothing but that the line *claims* to
/// be such a record: enough to leave it alone, never enough for a fact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Head<'a> {
    pub(crate) step: u64,
    pub(crate) source: &'a [u8],
    pub(crate) kind: &'a [u8],
    pub(crate) status: &'a [u8],
    /// What follows the status.
    rest: &'a [u8],
}

impl<'a> Head<'a> {
    /// `None` for any other order, spacing or escape: such a line is parsed whole.
    pub(crate) fn of(line: &'a [u8]) -> Option<Self> {
        let rest = line.strip_prefix(br#"{"step_index":"#)?;
        let (step, rest) = number(rest)?;
        let (source, rest) = word(rest.strip_prefix(br#","source":""#)?)?;
        let (kind, rest) = word(rest.strip_prefix(br#","type":""#)?)?;
        let (status, rest) = word(rest.strip_prefix(br#","status":""#)?)?;
        matches!(rest.first(), Some(b',' | b'}')).then_some(Self {
            step,
            source,
            kind,
            status,
            rest,
        })
    }

    /// Whether the content may start with `start` behind its `… At:` lines: `false` only if it surely does not. An escape in
    /// that place, or any key in between, may hide it.
    pub(crate) fn content_may_start(&self, start: &[u8]) -> bool {
        plain_content(self.rest).is_none_or(|content| {
            let place = &content[..start.len().min(content.len())];
            start.starts_with(place) || place.contains(&b'\\')
        })
    }
}

/// The raw content behind its `… At:` lines, in the spelling that the host uses for answers of its own tools.
fn plain_content(rest: &[u8]) -> Option<&[u8]> {
    let time = rest.strip_prefix(br#","created_at":""#)?;
    let quote = guard_scan::memchr(b'"', &time[..time.len().min(64)])?;
    let mut content = time[quote..].strip_prefix(br#"","content":""#)?;
    for label in [&b"Created At: "[..], b"Completed At: "] {
        let line = content.strip_prefix(label)?;
        let end = guard_scan::memchr(b'\\', &line[..line.len().min(64)])?;
        content = line[end..].strip_prefix(br"\n")?;
    }
    Some(content)
}

fn number(text: &[u8]) -> Option<(u64, &[u8])> {
    let digits = text.iter().take_while(|b| b.is_ascii_digit()).count();
    let leading_zero = digits > 1 && text[0] == b'0';
    if digits == 0 || digits > 19 || leading_zero {
        return None;
    }
    let value = text[..digits]
        .iter()
        .fold(0, |value, digit| value * 10 + u64::from(digit - b'0'));
    Some((value, &text[digits..]))
}

/// What stands before the next quote, without escapes, and what follows the quote.
fn word(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let length = text.iter().position(|b| matches!(b, b'"' | b'\\'))?;
    (text[length] == b'"').then(|| (&text[..length], &text[length + 1..]))
}

/// Whether two words are equal. The length is known when this is compiled, so that no call to a C library's
/// `memcmp` is made, which in musl goes byte by byte.
pub(crate) fn is<const N: usize>(word: &[u8], known: &[u8; N]) -> bool {
    <&[u8; N]>::try_from(word).is_ok_and(|word| word == known)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_content_is_ruled_out_only_if_it_surely_starts_otherwise() {
        let head = |rest: &str| {
            let line = format!(
                r#"{{"step_index":1,"source":"MODEL","type":"GENERIC","status":"DONE"{rest}"#
            );
            Head::of(line.as_bytes()).map(|head| head.content_may_start(b"Task: "))
        };
        let times = r#","created_at":"2026","content":"Created At: 1\nCompleted At: 2\n"#;
        assert_eq!(head(&format!("{times}Found 2 results")), Some(false));
        assert_eq!(head(&format!("{times}Tas\"}}")), Some(false));
        for possible in [
            format!("{times}Task: x"),
            format!("{times}Tas\\u006b: x"),
            format!("{times}Tas"),
            r#","content":"Found""#.to_owned(),
            r#","created_at":"2026","content":"Found""#.to_owned(),
            ",".to_owned(),
        ] {
            assert_eq!(head(&possible), Some(true), "{possible}");
        }
    }

    #[test]
    fn only_the_hosts_own_spelling_is_known_at_a_glance() {
        let line =
            br#"{"step_index":18,"source":"MODEL","type":"RUN_COMMAND","status":"RUNNING","x":1}"#;
        let head = Head::of(line).unwrap();
        assert_eq!((head.step, head.kind), (18, &b"RUN_COMMAND"[..]));
        for other in [
            &br#"{"step_index": 18,"source":"MODEL","type":"A","status":"B"}"#[..],
            br#"{"step_index":018,"source":"MODEL","type":"A","status":"B"}"#,
            br#"{"step_index":-1,"source":"MODEL","type":"A","status":"B"}"#,
            br#"{"step_index":1.5,"source":"MODEL","type":"A","status":"B"}"#,
            br#"{"step_index":99999999999999999999,"source":"M","type":"A","status":"B"}"#,
            br#"{"source":"MODEL","step_index":1,"type":"A","status":"B"}"#,
            br#"{"step_index":1,"source":"MODEL","type":"A\u0042","status":"B"}"#,
            br#"{"step_index":1,"source":"MODEL","type":"A","status":"B""#,
            br#"{"step_index":1,"source":"MODEL","ty"#,
            b"",
        ] {
            assert_eq!(Head::of(other), None);
        }
    }
}
