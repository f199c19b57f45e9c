//! What stands between words: blanks, comments, line ends.

use super::Parser;

impl Parser<'_> {
    /// Goes past blanks, continued lines and a comment. Must stand between two words.
    pub(super) fn blanks(&mut self) {
        loop {
            match self.cursor.peek() {
                Some(b' ' | b'\t') => self.cursor.bump(1),
                Some(b'\\') if self.cursor.peek_at(1) == Some(b'\n') => self.cursor.bump(2),
                Some(b'#') => self.comment(),
                _ => return,
            }
        }
    }

    fn comment(&mut self) {
        let rest = self.cursor.rest();
        let length = guard_scan::memchr(b'\n', rest).unwrap_or(rest.len());
        self.cursor.bump(length);
    }

    /// Goes past blanks, comments and line ends.
    pub(super) fn newlines(&mut self) {
        loop {
            self.blanks();
            if self.cursor.peek() != Some(b'\n') {
                return;
            }
            self.newline();
        }
    }

    /// Goes past one line end and the here-documents that begin after it.
    pub(super) fn newline(&mut self) {
        self.cursor.bump(1);
        if !self.pending.is_empty() {
            self.here_document_bodies();
        }
    }
}
