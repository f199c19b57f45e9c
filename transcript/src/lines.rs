//! The lines of a part of a transcript, in pieces that fit one buffer.

use crate::source::Source;
use std::io::{self, Read, Seek};

/// Size in bytes of the buffer that a reader of lines should get. Measured on 16 MB in the page cache: 32 KiB reads them in 1.43 ms,
/// 256 KiB in 1.39 ms; but each 4 KiB of a fresh buffer costs a short-lived process a page fault.
pub const LINE_BUFFER: usize = 64 * 1024;

/// A line, or a part of one that is longer than the buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Piece<'a> {
    /// Byte offset in the file at which the line begins (not the piece).
    pub offset: u64,
    /// The bytes, without the line's newline.
    pub bytes: &'a [u8],
    /// Whether the line begins here.
    pub first: bool,
    /// Whether the line ends here: by a newline, or by the end of what is read.
    pub last: bool,
}

/// Walks over the lines of `[from, to)` with one buffer, whatever the length of a line.
///
/// Splitting at raw newlines is exact, as a JSON text can hold none inside a string.
#[derive(Debug)]
pub struct Lines<'s, R> {
    source: &'s mut Source<R>,
    buffer: &'s mut [u8],
    /// The unread part of the buffer.
    begin: usize,
    end: usize,
    /// Where in the file the buffer's `end` is, and where to stop.
    position: u64,
    stop: u64,
    /// The line that pieces were already given of, if it goes on.
    open: Option<u64>,
    skip_first: bool,
}

impl<'s, R: Read + Seek> Lines<'s, R> {
    /// Lines that begin in `[from, to)`; the last one is cut at `to`. With `from > 0` the first line is the one that
    /// begins at `from` or after it.
    pub fn new(source: &'s mut Source<R>, buffer: &'s mut [u8], from: u64, to: u64) -> Self {
        debug_assert!(!buffer.is_empty());
        let stop = to.min(source.len());
        Self {
            source,
            buffer,
            begin: 0,
            end: 0,
            // The byte before tells whether a line begins at `from` itself.
            position: from.saturating_sub(1),
            stop,
            open: None,
            skip_first: from > 0,
        }
    }

    /// The next piece, or `None` at the end.
    ///
    /// # Errors
    /// What the system says about a read.
    #[allow(clippy::should_implement_trait)]
    pub fn next(&mut self) -> io::Result<Option<Piece<'_>>> {
        while self.skip_first {
            match self.advance()? {
                None => return Ok(None),
                Some(span) => self.skip_first = !span.last,
            }
        }
        Ok(self.advance()?.map(|span| Piece {
            offset: span.offset,
            bytes: &self.buffer[span.from..span.to],
            first: span.first,
            last: span.last,
        }))
    }

    fn advance(&mut self) -> io::Result<Option<Span>> {
        let mut searched = self.begin;
        loop {
            if let Some(at) = guard_scan::memchr(b'\n', &self.buffer[searched..self.end]) {
                return Ok(Some(self.take(searched + at, true)));
            }
            searched = self.end;
            if self.begin > 0 {
                self.buffer.copy_within(self.begin..self.end, 0);
                searched -= self.begin;
                self.end -= self.begin;
                self.begin = 0;
            }
            if self.end == self.buffer.len() {
                return Ok(Some(self.take(self.end, false)));
            }
            if self.fill()? == 0 {
                let rest = self.end > self.begin || self.open.is_some();
                return Ok(rest.then(|| self.take(self.end, true)));
            }
        }
    }

    /// Gives out the buffer up to `to`; `last` if the line ends there.
    fn take(&mut self, to: usize, last: bool) -> Span {
        let here = self.position - (self.end - self.begin) as u64;
        let span = Span {
            offset: self.open.unwrap_or(here),
            from: self.begin,
            to,
            first: self.open.is_none(),
            last,
        };
        self.open = (!last).then_some(span.offset);
        self.begin = if last { (to + 1).min(self.end) } else { to };
        span
    }

    fn fill(&mut self) -> io::Result<usize> {
        let room = (self.buffer.len() - self.end) as u64;
        let wanted = room.min(self.stop.saturating_sub(self.position)) as usize;
        if wanted == 0 {
            return Ok(0);
        }
        let into = &mut self.buffer[self.end..self.end + wanted];
        let count = self.source.read_at(self.position, into)?;
        self.position += count as u64;
        self.end += count;
        if count == 0 {
            self.stop = self.position;
        }
        Ok(count)
    }
}

/// A piece as places in the buffer.
struct Span {
    offset: u64,
    from: usize,
    to: usize,
    first: bool,
    last: bool,
}
