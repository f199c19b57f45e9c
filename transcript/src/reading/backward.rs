//! Lines from the end of a transcript to its start.

use crate::source::Source;
use std::io::{self, Read, Seek};

/// Bytes of one read: large enough to outweigh the system call, small enough for the second-level cache.
const BLOCK: usize = 256 * 1024;
/// Bytes of a line's start that are given with it: a head with its four fields fits several times.
const HEAD: usize = 512;

/// A line's place, without its newline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Line {
    pub(crate) start: u64,
    pub(crate) end: u64,
}

/// Walks over lines backwards with one buffer, whatever the length of a line.
#[derive(Debug)]
pub(crate) struct Backward {
    buffer: Vec<u8>,
    /// Where in the file the buffer begins, and how much of it is filled.
    base: u64,
    filled: usize,
    /// The end of the next line to give; `None` when the first line was given.
    end: Option<u64>,
    /// Lines that begin before this are not looked for.
    floor: u64,
    head: Vec<u8>,
}

/// What lies before the last line given.
#[derive(Debug)]
pub(crate) enum Before<'b> {
    /// A line, with the first bytes of it.
    Line(Line, &'b [u8]),
    /// Nothing: the file begins here.
    Start,
    /// More, but beyond the floor.
    Floor,
}

impl Backward {
    /// From the lines that end at `end` (the file's size, or where a line begins) back to `floor`.
    pub(crate) fn new<R: Read + Seek>(
        source: &mut Source<R>,
        end: u64,
        floor: u64,
    ) -> io::Result<Self> {
        let mut this = Self {
            buffer: vec![0; BLOCK],
            base: end,
            filled: 0,
            end: Some(end),
            floor,
            head: Vec::with_capacity(HEAD),
        };
        // A newline at the very end ends the last line and begins none.
        if end == 0 {
            this.end = None;
        } else {
            this.load(source)?;
            if this.filled > 0 && this.buffer[this.filled - 1] == b'\n' {
                this.end = Some(end - 1);
            }
        }
        Ok(this)
    }

    /// The line before the last one given.
    pub(crate) fn previous<R: Read + Seek>(
        &mut self,
        source: &mut Source<R>,
    ) -> io::Result<Before<'_>> {
        let Some(end) = self.end else {
            return Ok(Before::Start);
        };
        let mut searched = end;
        let start = loop {
            let from = (searched - self.base) as usize;
            if let Some(at) = memchr::memrchr(b'\n', &self.buffer[..from]) {
                self.end = Some(self.base + at as u64);
                break self.base + at as u64 + 1;
            }
            if self.base == 0 {
                self.end = None;
                break 0;
            }
            if self.base <= self.floor {
                return Ok(Before::Floor);
            }
            searched = self.base;
            self.load(source)?;
        };
        let line = Line { start, end };
        self.take_head(source, line)?;
        Ok(Before::Line(line, &self.head))
    }

    /// Fills the buffer with what lies before it.
    fn load<R: Read + Seek>(&mut self, source: &mut Source<R>) -> io::Result<()> {
        let from = self.base.saturating_sub(BLOCK as u64);
        let wanted = (self.base - from) as usize;
        let mut filled = 0;
        while filled < wanted {
            let count = source.read_at(from + filled as u64, &mut self.buffer[filled..wanted])?;
            if count == 0 {
                // The file became shorter: what was there is nothing now.
                self.buffer[filled..wanted].fill(b'\n');
                break;
            }
            filled += count;
        }
        (self.base, self.filled) = (from, wanted);
        Ok(())
    }

    fn take_head<R: Read + Seek>(&mut self, source: &mut Source<R>, line: Line) -> io::Result<()> {
        let wanted = (line.end - line.start).min(HEAD as u64) as usize;
        let from = (line.start - self.base) as usize;
        let here = wanted.min(self.filled.saturating_sub(from));
        self.head.clear();
        self.head.extend_from_slice(&self.buffer[from..from + here]);
        while self.head.len() < wanted {
            let mut rest = [0; HEAD];
            let missing = wanted - self.head.len();
            let at = line.start + self.head.len() as u64;
            let count = source.read_at(at, &mut rest[..missing])?;
            if count == 0 {
                break;
            }
            self.head.extend_from_slice(&rest[..count]);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::io::Cursor;

    fn backwards(text: &[u8]) -> Vec<Vec<u8>> {
        let mut source = Source::new(Cursor::new(text), text.len() as u64);
        let mut lines = Backward::new(&mut source, text.len() as u64, 0).unwrap();
        let mut out = Vec::new();
        while let Before::Line(line, head) = lines.previous(&mut source).unwrap() {
            let whole = &text[line.start as usize..line.end as usize];
            assert!(whole.starts_with(head) && head.len() == whole.len().min(HEAD));
            out.push(whole.to_vec());
        }
        out
    }

    fn forwards(text: &[u8]) -> Vec<Vec<u8>> {
        let text = text.strip_suffix(b"\n").unwrap_or(text);
        let mut lines: Vec<Vec<u8>> = text
            .split(|byte| *byte == b'\n')
            .map(<[u8]>::to_vec)
            .collect();
        lines.reverse();
        lines
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]
        #[test]
        fn gives_the_same_lines_as_reading_forwards(
            parts in prop::collection::vec(("[a-z\n]{0,40}", 1_usize..3000), 1..40),
        ) {
            let text: Vec<u8> = parts.iter().flat_map(|(part, times)| part.repeat(*times).into_bytes()).collect();
            prop_assume!(!text.is_empty());
            prop_assert_eq!(backwards(&text), forwards(&text));
        }
    }

    #[test]
    fn a_line_longer_than_the_buffer_is_one_line() {
        let long = "x".repeat(3 * BLOCK + 7);
        let text = format!("a\n{long}\nb");
        assert_eq!(
            backwards(text.as_bytes()),
            [b"b".to_vec(), long.into_bytes(), b"a".to_vec()]
        );
        assert_eq!(backwards(b""), Vec::<Vec<u8>>::new());
        assert_eq!(backwards(b"\n"), [b"".to_vec()]);
    }

    #[test]
    fn stops_at_the_floor_and_says_so() {
        let text = format!("{}\nlast\n", "x".repeat(4 * BLOCK));
        let mut source = Source::new(Cursor::new(text.as_bytes()), text.len() as u64);
        let end = text.len() as u64;
        let mut lines = Backward::new(&mut source, end, end - BLOCK as u64).unwrap();
        assert!(matches!(lines.previous(&mut source), Ok(Before::Line(..))));
        assert!(matches!(lines.previous(&mut source), Ok(Before::Floor)));
        assert!(source.bytes_read() <= 2 * BLOCK as u64);
    }
}
