//! One line of the log.

use serde::Serialize;

use crate::kind::Kind;

/// The most of a conversation's id that is logged, in bytes. Hosts send 32 to 36.
pub const MAX_CONVERSATION: usize = 128;

/// No line is longer, in bytes: each byte of the conversation's id may become six (`\u0000`), and the rest is some 300.
pub(crate) const LONGEST_LINE: u64 = 1280;

/// A decision as the hook logs it.
#[derive(Debug, Clone, Copy)]
pub struct Entry<'a> {
    /// The conversation's id, or the sandbox's environment; no more than [`MAX_CONVERSATION`] bytes of it.
    pub conversation: &'a str,
    /// The step in which the outcome of the call is recorded.
    pub step: Option<u64>,
    /// The tool, in the guard's own spelling.
    pub tool: &'static str,
    /// The layer that decided.
    pub layer: &'static str,
    /// The answer's word.
    pub decision: &'static str,
    /// What the decision is.
    pub kind: Kind,
    /// Whether the wait was raised besides.
    pub wait_raised: bool,
}

/// The line, with its end. `at` is in milliseconds since 1970, UTC; `us` the processor time of the call, in microseconds.
///
/// By hand, because the words need no escapes, and what a derived writer would touch is a page of memory more.
pub(crate) fn line(entry: &Entry, at: u64, us: Option<u64>) -> Vec<u8> {
    let mut line = Line(Vec::with_capacity(512));
    // First, so that a reader finds the beginning of a line behind one that was cut.
    line.0.extend_from_slice(b"{\"at\":");
    line.json(&at);
    if let Some(us) = us {
        line.key("us");
        line.json(&us);
    }
    if !entry.conversation.is_empty() {
        line.key("conversation");
        line.json(cut(entry.conversation));
    }
    if let Some(step) = entry.step {
        line.key("step");
        line.json(&step);
    }
    line.word("tool", entry.tool);
    line.word("layer", entry.layer);
    line.word("decision", entry.decision);
    line.word("kind", entry.kind.word());
    if entry.wait_raised {
        line.key("wait_raised");
        line.0.extend_from_slice(b"true");
    }
    line.word("reason", entry.kind.reason());
    line.0.extend_from_slice(b"}\n");
    line.0
}

struct Line(Vec<u8>);

impl Line {
    fn key(&mut self, key: &'static str) {
        self.0.extend_from_slice(b",\"");
        self.0.extend_from_slice(key.as_bytes());
        self.0.extend_from_slice(b"\":");
    }

    fn word(&mut self, key: &'static str, word: &'static str) {
        self.key(key);
        self.0.push(b'"');
        self.0.extend_from_slice(word.as_bytes());
        self.0.push(b'"');
    }

    fn json(&mut self, value: &(impl Serialize + ?Sized)) {
        // Texts and numbers can't fail to become JSON.
        let _ = serde_json::to_writer(&mut self.0, value);
    }
}

fn cut(text: &str) -> &str {
    let mut end = text.len().min(MAX_CONVERSATION);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_line_is_longer_than_is_reckoned_with() {
        for kind in Kind::ALL {
            let entry = Entry {
                conversation: &"\0".repeat(2 * MAX_CONVERSATION),
                step: Some(u64::MAX),
                tool: "multi_replace_file_content",
                layer: "synchronous execution",
                decision: "force_ask",
                kind: *kind,
                wait_raised: true,
            };
            let length = line(&entry, u64::MAX, Some(u64::MAX)).len() as u64;
            assert!((768..=LONGEST_LINE).contains(&length), "{length}");
        }
    }
}
