//! The bodies of here-documents, which begin after the line end that follows their operators.

use super::braces::Group;
use super::cursor::Cursor;
use super::{Parser, Pending};
use crate::script::Problem;
use crate::span::Span;

impl Parser<'_> {
    /// Reads the bodies of all here-documents that were announced on the line before.
    pub(super) fn here_document_bodies(&mut self) {
        for pending in std::mem::take(&mut self.pending) {
            self.here_document_body(&pending);
        }
    }

    fn here_document_body(&mut self, pending: &Pending) {
        let document = &self.here_documents[pending.index];
        let (delimiter, quoted) = (document.delimiter.clone(), document.quoted);
        let body_start = self.cursor.pos;
        loop {
            if self.cursor.peek().is_none() {
                self.cursor.fail(Problem::UnclosedHereDocument);
                break;
            }
            let line_start = self.cursor.pos;
            let line = self.here_document_line(quoted);
            let text = line.of(self.cursor.text);
            let text = if pending.strip_tabs {
                text.trim_start_matches('\t')
            } else {
                text
            };
            if is_delimiter(text, &delimiter, quoted) {
                let document = &mut self.here_documents[pending.index];
                document.body = Span::new(body_start, line_start);
                document.end = line;
                break;
            }
        }
        if !quoted && self.cursor.problem.is_none() {
            self.here_document_parts(pending.index);
        }
    }

    /// Goes past one line and its line end, continued lines included where the body is expanded.
    fn here_document_line(&mut self, quoted: bool) -> Span {
        let start = self.cursor.pos;
        loop {
            let rest = self.cursor.rest();
            let length = guard_scan::memchr(b'\n', rest).unwrap_or(rest.len());
            let slashes = rest[..length]
                .iter()
                .rev()
                .take_while(|&&byte| byte == b'\\')
                .count();
            let continued = !quoted && slashes % 2 == 1 && length < rest.len();
            self.cursor.bump(length + 1);
            if !continued {
                return Span::new(start, start.max(self.line_end(length < rest.len())));
            }
        }
    }

    fn line_end(&self, ended: bool) -> usize {
        if ended {
            self.cursor.pos - 1
        } else {
            self.cursor.pos
        }
    }

    /// Reads the expansions in a body, with a cursor that ends where the body ends.
    fn here_document_parts(&mut self, index: usize) {
        let body = self.here_documents[index].body;
        if !body
            .of(self.cursor.text)
            .bytes()
            .any(|byte| byte == b'$' || byte == b'`')
        {
            return;
        }
        let text = &self.cursor.text[..body.end];
        let after = self.cursor.pos;
        let mut inner = Cursor::new(text, self.cursor.depth, self.cursor.steps);
        inner.pos = body.start;
        let outer = std::mem::replace(&mut self.cursor, inner);
        let parts = self.group(0, 0, Group::HereDocument);
        let inner = std::mem::replace(&mut self.cursor, outer);
        self.cursor.pos = after;
        self.cursor.steps = inner.steps;
        self.cursor.problem = inner.problem;
        self.cursor.work(0);
        self.here_documents[index].parts = parts;
    }
}

fn is_delimiter(line: &str, delimiter: &str, quoted: bool) -> bool {
    if quoted || !line.contains("\\\n") {
        return line == delimiter;
    }
    line.replace("\\\n", "") == delimiter
}
