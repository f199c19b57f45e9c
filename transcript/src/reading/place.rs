//! Where in the file a step is. Records are ordered by step, but for a few.
//!
//! Unlike the search for facts this one never gives up in a long line: whoever asks for a step must get it.

use super::entry::Entry;
use crate::head::Head;
use crate::lines::{LINE_BUFFER, Lines};
use crate::source::Source;
use std::io::{self, Read, Seek};

/// How far records may be out of order, in steps. Seen: 1.
pub(crate) const DISORDER: u64 = 64;
/// The search stops when the place is known to this many bytes.
const NEAR: u64 = 64 * 1024;
/// Lines read behind a record that was found, for a later one of the same step.
const LINES_BEHIND: usize = 8;
/// Bytes at the start of a line in which its step is looked for without reading the line whole.
const LOOK: usize = 512;

/// An offset before which all records are older than `step`, by more than the disorder.
pub(crate) fn before<R: Read + Seek>(source: &mut Source<R>, step: u64) -> io::Result<u64> {
    let (mut low, mut high) = (0, source.len());
    while high - low > NEAR {
        let middle = low + (high - low) / 2;
        match first_step_in(source, middle, high)? {
            Some((start, here)) if here.saturating_add(DISORDER) < step => low = start,
            _ => high = middle,
        }
    }
    Ok(low)
}

/// The end of the last line that holds a record older than `step`; what follows is newer, by more than the disorder.
pub(crate) fn end_before<R: Read + Seek>(source: &mut Source<R>, step: u64) -> io::Result<u64> {
    let from = before(source, step)?;
    let mut end = from;
    let len = source.len();
    let mut buffer = vec![0; LINE_BUFFER];
    let mut lines = Lines::new(source, &mut buffer, from, len);
    let mut older = false;
    while let Some(piece) = lines.next()? {
        if piece.first {
            let here = claimed_step(piece.bytes);
            if here.is_some_and(|here| here > step.saturating_add(DISORDER)) {
                break;
            }
            older = here.is_some_and(|here| here < step);
        }
        if piece.last && older {
            end = piece.offset.max(end);
        }
    }
    // The line that begins at `end` is older too.
    line_end(source, end)
}

/// The last record of `step`, or none.
pub(crate) fn find<R: Read + Seek>(source: &mut Source<R>, step: u64) -> io::Result<Option<Entry>> {
    let from = before(source, step)?;
    let len = source.len();
    let mut buffer = vec![0; LINE_BUFFER];
    let mut lines = Lines::new(source, &mut buffer, from, len);
    let mut candidates = Vec::new();
    let (mut open, mut behind) = (None, 0);
    while let Some(piece) = lines.next()? {
        if piece.first {
            let here = claimed_step(piece.bytes);
            let past = here.is_some_and(|here| here > step.saturating_add(DISORDER));
            behind += usize::from(!candidates.is_empty());
            if past || behind > LINES_BEHIND {
                break;
            }
            open = (here == Some(step) || here.is_none()).then_some(piece.offset);
        }
        if piece.last
            && let Some(start) = open.take()
        {
            candidates.push(start);
        }
    }
    for start in candidates.into_iter().rev() {
        let end = line_end(source, start)?;
        if let Some(entry) = Entry::read(source, start, end)?
            && entry.step == step
        {
            return Ok(Some(entry));
        }
    }
    Ok(None)
}

/// The step that a line claims at its start, in the host's order of keys.
pub(crate) fn claimed_step(line: &[u8]) -> Option<u64> {
    let zeros = line.iter().take_while(|byte| **byte == 0).count();
    let line = &line[zeros..];
    if let Some(head) = Head::of(line) {
        return Some(head.step);
    }
    let start = &line[..line.len().min(LOOK)];
    let mut scanner = crate::scanner::RecordScanner::new();
    scanner.push(start);
    scanner.step_so_far()
}

/// Where the line that begins at `start` ends: at its newline, or at the file's end.
pub(crate) fn line_end<R: Read + Seek>(source: &mut Source<R>, start: u64) -> io::Result<u64> {
    let mut buffer = vec![0; 64 * 1024];
    let mut at = start;
    loop {
        let room = (source.len() - at).min(buffer.len() as u64) as usize;
        let count = if room == 0 {
            0
        } else {
            source.read_at(at, &mut buffer[..room])?
        };
        if count == 0 {
            return Ok(at);
        }
        if let Some(found) = memchr::memchr(b'\n', &buffer[..count]) {
            return Ok(at + found as u64);
        }
        at += count as u64;
    }
}

/// The first line that begins in `[from, to)` and claims a step, and that step.
fn first_step_in<R: Read + Seek>(
    source: &mut Source<R>,
    from: u64,
    to: u64,
) -> io::Result<Option<(u64, u64)>> {
    let mut buffer = vec![0; 16 * 1024];
    let mut lines = Lines::new(source, &mut buffer, from, to);
    while let Some(piece) = lines.next()? {
        if piece.first
            && let Some(step) = claimed_step(piece.bytes)
        {
            return Ok(Some((piece.offset, step)));
        }
    }
    Ok(None)
}
