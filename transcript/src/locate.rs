//! Where in the file a step is, by a few small reads: records are roughly ordered by step.
//!
//! Lines are not validated here. A malformed one can make the search begin too early or, if several lie in one
//! place, too late; it can't make a fact.

use crate::head::Head;
use crate::lines::{Lines, Piece};
use crate::scanner::RecordScanner;
use crate::source::Source;
use std::io::{self, Read, Seek};

/// How far records may be out of order, in steps. Seen: 1.
const DISORDER: u64 = 64;
/// Bytes read for one look, and lines whose step is taken from them.
const LOOK: u64 = 16 * 1024;
const LOOK_LINES: usize = 4;
/// The first part of the file's end that is tried; each next one is four times as long.
const FIRST_PART: u64 = 64 * 1024;
/// A search stops when the place is known to this many bytes.
const NEAR: u64 = 32 * 1024;

/// The offset, not before `window`, from which all records with a step of at least `lowest` follow; and whether that is
/// so, which it is not if `window` came first.
pub(crate) fn start_for<R: Read + Seek>(
    source: &mut Source<R>,
    buffer: &mut [u8],
    lowest: u64,
    window: u64,
) -> io::Result<(u64, bool)> {
    if lowest <= DISORDER {
        return Ok((window, window == 0));
    }
    let len = source.len();
    let mut part = FIRST_PART;
    loop {
        let start = len.saturating_sub(part).max(window);
        if start == 0 || lies_below(source, buffer, start, lowest)? {
            return Ok((start, true));
        }
        if start == window {
            return Ok((window, false));
        }
        part = part.saturating_mul(4);
    }
}

/// The last offset found before `end` at which all records are older than `step`: 0 if there is none.
pub(crate) fn last_start_below<R: Read + Seek>(
    source: &mut Source<R>,
    buffer: &mut [u8],
    step: u64,
    end: u64,
) -> io::Result<u64> {
    let (mut below, mut above) = (0, end);
    while above - below > NEAR {
        let middle = below + (above - below) / 2;
        if lies_below(source, buffer, middle, step)? {
            below = middle;
        } else {
            above = middle;
        }
    }
    Ok(below)
}

/// Whether the lines at `offset` are all older than `step`, by more than the disorder. A place without a line's
/// start (in the middle of a long line) says nothing, and counts as no.
fn lies_below<R: Read + Seek>(
    source: &mut Source<R>,
    buffer: &mut [u8],
    offset: u64,
    step: u64,
) -> io::Result<bool> {
    let part = buffer.len().min(LOOK as usize);
    let mut lines = Lines::new(source, &mut buffer[..part], offset, offset + LOOK);
    let mut seen = 0;
    while seen < LOOK_LINES
        && let Some(piece) = lines.next()?
    {
        let Some(here) = claimed_step(&piece) else {
            continue;
        };
        if here.saturating_add(DISORDER) >= step {
            return Ok(false);
        }
        seen += 1;
    }
    Ok(seen > 0)
}

fn claimed_step(piece: &Piece<'_>) -> Option<u64> {
    if !piece.first {
        return None;
    }
    if let Some(head) = Head::of(piece.bytes) {
        return Some(head.step);
    }
    let mut scanner = RecordScanner::new();
    scanner.push(piece.bytes);
    scanner.step_so_far()
}
