//! Markdown around text that nobody vouches for: it can't end its fence, open a heading or hide in a span.

use std::fmt::Write;

/// The longest run of backticks in a text.
fn ticks(text: &str) -> usize {
    let mut longest = 0;
    let mut run = 0;
    for byte in text.bytes() {
        run = if byte == b'`' { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    longest
}

/// A text as a code block, without the newline at its end.
pub(crate) fn fenced(text: &str) -> String {
    fenced_exactly(text.strip_suffix('\n').unwrap_or(text))
}

/// A text as a code block: it is exactly what stands between the first line and the newline before the last one.
pub(crate) fn fenced_exactly(text: &str) -> String {
    let fence = "`".repeat(ticks(text).max(2) + 1);
    format!("{fence}text\n{text}\n{fence}\n")
}

/// Bytes that [`fenced_exactly`] adds to a text.
pub(crate) fn fence_cost(text: &str) -> usize {
    2 * (ticks(text).max(2) + 1) + 7
}

/// A text of one line as code in a line; the ends of lines become `⏎`.
pub(crate) fn code(text: &str) -> String {
    let text = text.replace('\n', "⏎");
    let mark = "`".repeat(ticks(&text) + 1);
    let edge = text.starts_with('`') || text.ends_with('`') || text.trim().is_empty();
    let pad = if edge { " " } else { "" };
    format!("{mark}{pad}{text}{pad}{mark}")
}

/// A text as a quotation.
pub(crate) fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    for line in text.trim_end().split('\n') {
        let _ = writeln!(out, "> {line}");
    }
    out
}

/// A count of bytes with separated thousands: `48,000 bytes`.
pub(crate) fn bytes(count: u64) -> String {
    format!(
        "{} byte{}",
        number(count),
        if count == 1 { "" } else { "s" }
    )
}

/// A number with separated thousands.
pub(crate) fn number(count: u64) -> String {
    let digits = count.to_string();
    let mut out = String::with_capacity(digits.len() * 4 / 3 + 1);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// The longest start of `text` with at most `limit` bytes that cuts no character.
pub(crate) fn start(text: &str, limit: usize) -> &str {
    crate::text::bounded(text, limit)
}

/// The longest end of `text` with at most `limit` bytes that cuts no character.
pub(crate) fn end(text: &str, limit: usize) -> &str {
    let mut from = text.len().saturating_sub(limit);
    while !text.is_char_boundary(from) {
        from += 1;
    }
    &text[from..]
}

/// Markdown with colours for a terminal: headings bold, code and quotations dim. A fenced block is left as it is.
pub fn coloured(markdown: &str) -> String {
    let mut out = String::with_capacity(markdown.len() + 256);
    let mut fence: Option<&str> = None;
    for line in markdown.split_inclusive('\n') {
        let text = line.trim_end_matches('\n');
        let marks = text.len() - text.trim_start_matches('`').len();
        let colour = match fence {
            Some(open) if text == open => {
                fence = None;
                "2"
            }
            Some(_) => "",
            None if marks >= 3 => {
                fence = Some(&text[..marks]);
                "2"
            }
            None if text.starts_with('#') => "1;36",
            None if text.starts_with("> ") => "32",
            None if text.starts_with('[') => "33",
            None => "",
        };
        if colour.is_empty() || text.is_empty() {
            out.push_str(line);
        } else {
            let _ = write!(out, "\x1b[{colour}m{text}\x1b[0m{}", &line[text.len()..]);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn no_text_ends_its_fence(text in "[`a\n ]{0,60}") {
            let block = fenced(&text);
            prop_assert!(block.len() <= text.len() + fence_cost(&text));
            let fence = block.lines().next().unwrap().trim_end_matches("text").to_owned();
            let inner: Vec<&str> = block.lines().skip(1).collect();
            let (last, inner) = inner.split_last().unwrap();
            prop_assert_eq!(*last, fence.as_str());
            prop_assert!(inner.iter().all(|line| !line.contains(&fence)));
        }

        #[test]
        fn colours_change_nothing_else(text in "[`#> a\n\\[]{0,80}") {
            let coloured = coloured(&text);
            let mut plain = coloured;
            for code in ["\x1b[2m", "\x1b[1;36m", "\x1b[32m", "\x1b[33m", "\x1b[0m"] {
                plain = plain.replace(code, "");
            }
            prop_assert_eq!(plain, text);
        }
    }

    #[test]
    fn numbers_are_grouped() {
        assert_eq!(number(0), "0");
        assert_eq!(number(999), "999");
        assert_eq!(bytes(1), "1 byte");
        assert_eq!(bytes(1_234_567), "1,234,567 bytes");
        assert_eq!(code("a`b\nc"), "``a`b⏎c``");
    }
}
