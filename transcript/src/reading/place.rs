//! Where in the file a step is. Records are ordered by step, but for a few.
//!
//! Unlike the search for facts this one never gives up in a long line: whoever asks for a step must get it.

use super::entry::Entry;
use crate::head::Head;
use crate::lines::{LINE_BUFFER, Lines};
use crate::source::Source;
use std::collections::BTreeMap;
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

/// Where the last records of some steps stand, learnt while others were looked for.
#[derive(Debug, Default)]
pub(crate) struct Known(BTreeMap<u64, u64>);

/// Places that are kept.
const MAX_KNOWN: usize = 4096;

/// The last record of `step`, or none.
pub(crate) fn find<R: Read + Seek>(source: &mut Source<R>, step: u64) -> io::Result<Option<Entry>> {
    find_with(source, step, &mut Known::default())
}

/// The same, for several steps of one part of the file, newest first: what lies before the first is read once.
pub(crate) fn find_with<R: Read + Seek>(
    source: &mut Source<R>,
    step: u64,
    known: &mut Known,
) -> io::Result<Option<Entry>> {
    if let Some(start) = known.0.get(&step).copied()
        && let Some(entry) = record_at(source, start, step)?
    {
        return Ok(Some(entry));
    }
    for start in candidates(source, step, known)?.into_iter().rev() {
        if let Some(entry) = record_at(source, start, step)? {
            return Ok(Some(entry));
        }
    }
    Ok(None)
}

fn record_at<R: Read + Seek>(
    source: &mut Source<R>,
    start: u64,
    step: u64,
) -> io::Result<Option<Entry>> {
    let end = line_end(source, start)?;
    let entry = Entry::read(source, start, end)?;
    Ok(entry.filter(|entry| entry.step == step))
}

/// The lines that can hold a record of `step`.
fn candidates<R: Read + Seek>(
    source: &mut Source<R>,
    step: u64,
    known: &mut Known,
) -> io::Result<Vec<u64>> {
    let from = before(source, step)?;
    let len = source.len();
    let mut buffer = vec![0; 64 * 1024];
    let mut lines = Lines::new(source, &mut buffer, from, len);
    let (mut found, mut behind) = (Vec::new(), 0);
    let mut has_step = false;
    while let Some(piece) = lines.next()? {
        if !piece.first {
            continue;
        }
        let here = claimed_step(piece.bytes);
        let past = here.is_some_and(|here| here > step.saturating_add(DISORDER));
        behind += usize::from(has_step);
        if past || behind > LINES_BEHIND {
            break;
        }
        has_step |= here == Some(step);
        match here {
            Some(here) if here < step => known.learn(here, piece.offset),
            Some(here) if here > step => {}
            _ => found.push(piece.offset),
        }
    }
    Ok(found)
}

impl Known {
    fn learn(&mut self, step: u64, offset: u64) {
        if self.0.len() >= MAX_KNOWN {
            self.0.pop_last();
        }
        self.0.insert(step, offset);
    }
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
