//! A pass over a transcript for records that match. It streams: one buffer, whatever the size of the file.

use super::entry::Entry;
use super::matcher::{Filter, Hit};
use super::place;
use crate::source::Source;
use memchr::memmem::Finder;
use std::io::{self, Cursor, Read, Seek};

/// Bytes that are searched at a time. Measured on 500 MB in the page cache: from 256 KiB to 1 MiB within the noise.
const BUFFER: usize = 512 * 1024;

/// What a scan tells: each line that may matter.
pub(crate) trait Found {
    /// A record that matches. `line` is where it stands.
    fn hit(&mut self, entry: &Entry, hit: Hit, line: (u64, u64));
    /// A record with fields that the host cut, which has no match in what is left of them.
    fn cut(&mut self, entry: &Entry);
}

const CUT_FIELDS: &[u8] = b"\"truncated_fields\"";

/// Searches the lines that begin in `[from, to)`.
///
/// Where every match holds a sign, only lines with one (or with the mark of cut fields, if `cuts`) are parsed: the rest
/// is passed over at the speed of a search for bytes.
pub(crate) fn scan<R: Read + Seek>(
    source: &mut Source<R>,
    (from, to): (u64, u64),
    filter: &Filter,
    cuts: bool,
    found: &mut impl Found,
) -> io::Result<()> {
    let mut signs = filter.needle.signs();
    if cuts && !signs.is_empty() {
        signs.push(CUT_FIELDS.to_vec());
    }
    let finders: Vec<Finder<'_>> = signs.iter().map(Finder::new).collect();
    let mut chunk = Chunk {
        buffer: vec![0; BUFFER],
        base: from,
        filled: 0,
        to: to.min(source.len()),
    };
    while chunk.load(source)? {
        let whole = chunk.whole_lines();
        if whole == 0 {
            long_line(source, &mut chunk, filter, found)?;
            continue;
        }
        let base = chunk.base;
        let lines = &chunk.buffer[..whole];
        each_candidate(lines, &finders, |start, end| {
            let offset = base + start as u64;
            if let Some(entry) = Entry::parse(&lines[start..end], 0) {
                let line = &lines[start..end];
                let mut memory = Source::new(Cursor::new(line), line.len() as u64);
                let place = (offset, base + end as u64);
                judge(&entry, &mut memory, filter, place, found)?;
            }
            Ok(())
        })?;
        chunk.drop_front(whole);
    }
    Ok(())
}

fn judge<R: Read + Seek>(
    entry: &Entry,
    source: &mut Source<R>,
    filter: &Filter,
    line: (u64, u64),
    found: &mut impl Found,
) -> io::Result<()> {
    match filter.hit(entry, source)? {
        Some(hit) => found.hit(entry, hit, line),
        None if !entry.truncated.is_empty() && filter.admits(entry.step, entry.role) => {
            found.cut(entry);
        }
        None => {}
    }
    Ok(())
}

/// Calls `then` with each line that a finder finds something in; with each line if there is no finder.
fn each_candidate(
    lines: &[u8],
    finders: &[Finder<'_>],
    mut then: impl FnMut(usize, usize) -> io::Result<()>,
) -> io::Result<()> {
    let end_of =
        |from: usize| memchr::memchr(b'\n', &lines[from..]).map_or(lines.len(), |at| from + at);
    if finders.is_empty() {
        let mut start = 0;
        while start < lines.len() {
            let end = end_of(start);
            then(start, end)?;
            start = end + 1;
        }
        return Ok(());
    }
    // The next place of each finder, so that none searches a byte twice.
    let mut next: Vec<Option<usize>> = finders.iter().map(|finder| finder.find(lines)).collect();
    while let Some(at) = next.iter().flatten().min().copied() {
        let start = memchr::memrchr(b'\n', &lines[..at]).map_or(0, |newline| newline + 1);
        let end = end_of(at);
        then(start, end)?;
        for (place, finder) in next.iter_mut().zip(finders) {
            if place.is_some_and(|place| place < end) {
                *place = finder.find(&lines[end..]).map(|found| end + found);
            }
        }
    }
    Ok(())
}

/// A line that is longer than the buffer is read from the file as often as it takes, and never held.
fn long_line<R: Read + Seek>(
    source: &mut Source<R>,
    chunk: &mut Chunk,
    filter: &Filter,
    found: &mut impl Found,
) -> io::Result<()> {
    let start = chunk.base;
    let end = place::line_end(source, start)?;
    if let Some(entry) = Entry::read(source, start, end)? {
        judge(&entry, source, filter, (start, end), found)?;
    }
    chunk.base = (end + 1).max(start + 1);
    chunk.filled = 0;
    Ok(())
}

/// The part of the file that is in memory; it begins where a line begins.
struct Chunk {
    buffer: Vec<u8>,
    base: u64,
    filled: usize,
    to: u64,
}

impl Chunk {
    /// Fills the buffer; whether there is anything in it that begins before the end.
    fn load<R: Read + Seek>(&mut self, source: &mut Source<R>) -> io::Result<bool> {
        if self.base >= self.to {
            return Ok(false);
        }
        while self.filled < self.buffer.len() {
            let at = self.base + self.filled as u64;
            let room = (self.to.saturating_sub(at)).min((self.buffer.len() - self.filled) as u64);
            if room == 0 {
                break;
            }
            let into = &mut self.buffer[self.filled..self.filled + room as usize];
            match source.read_at(at, into)? {
                0 => {
                    self.to = at;
                    break;
                }
                count => self.filled += count,
            }
        }
        Ok(self.filled > 0)
    }

    /// Bytes that are whole lines: at the end of what is searched the rest is one too.
    fn whole_lines(&self) -> usize {
        if self.base + self.filled as u64 >= self.to {
            return self.filled;
        }
        memchr::memrchr(b'\n', &self.buffer[..self.filled]).map_or(0, |newline| newline + 1)
    }

    fn drop_front(&mut self, count: usize) {
        self.buffer.copy_within(count..self.filled, 0);
        self.filled -= count;
        self.base += count as u64;
    }
}
