//! The records of a transcript from the newest to the oldest, by step, as cheaply as their heads allow.

use super::backward::{Backward, Before, Line};
use super::entry::{Entry, Role};
use crate::head::Head;
use crate::source::Source;
use std::io::{self, Read, Seek};

/// Records that are looked at together to put them in order of steps. Seen: out of order by one.
const REORDERED: usize = 8;

/// A record's place and who speaks in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Mark {
    pub(crate) line: Line,
    pub(crate) step: u64,
    pub(crate) role: Role,
}

/// Gives marks in descending order of steps.
#[derive(Debug)]
pub(crate) struct Marks {
    lines: Backward,
    waiting: Vec<Mark>,
    first: bool,
    exhausted: bool,
    /// Only records older than this count.
    below: u64,
    /// Lines that are no record.
    pub(crate) damaged: u64,
    /// Set where the floor came before the file's start.
    pub(crate) floor_reached: bool,
}

impl Marks {
    /// Records older than `below` in the lines that end at `end` or before it, down to the offset `floor`.
    pub(crate) fn new<R: Read + Seek>(
        source: &mut Source<R>,
        (floor, end): (u64, u64),
        below: u64,
    ) -> io::Result<Self> {
        Ok(Self {
            lines: Backward::new(source, end, floor)?,
            waiting: Vec::with_capacity(REORDERED),
            first: true,
            exhausted: false,
            below,
            damaged: 0,
            floor_reached: false,
        })
    }

    /// The next older record.
    pub(crate) fn next<R: Read + Seek>(
        &mut self,
        source: &mut Source<R>,
    ) -> io::Result<Option<Mark>> {
        while !self.exhausted && self.waiting.len() < REORDERED {
            self.fill(source)?;
        }
        let newest = (0..self.waiting.len())
            .max_by_key(|index| (self.waiting[*index].step, self.waiting[*index].line.start));
        Ok(newest.map(|index| self.waiting.swap_remove(index)))
    }

    fn fill<R: Read + Seek>(&mut self, source: &mut Source<R>) -> io::Result<()> {
        let (line, glance) = match self.lines.previous(source)? {
            Before::Line(line, head) => (line, glance(line, head)),
            Before::Start => {
                self.exhausted = true;
                return Ok(());
            }
            Before::Floor => {
                self.exhausted = true;
                self.floor_reached = true;
                return Ok(());
            }
        };
        // The last line can be half-written, and a user's turn must not be a mere claim.
        let mark = match glance {
            Some(mark) if !self.first && mark.role != Role::User => Some(mark),
            _ => Entry::read(source, line.start, line.end)?.map(|entry| Mark {
                line,
                step: entry.step,
                role: entry.role,
            }),
        };
        self.first = false;
        match mark {
            Some(mark) if mark.step < self.below => self.waiting.push(mark),
            Some(_) => {}
            None => self.damaged += u64::from(line.end > line.start),
        }
        Ok(())
    }
}

fn glance(line: Line, head: &[u8]) -> Option<Mark> {
    let head = Head::of(head)?;
    Some(Mark {
        line,
        step: head.step,
        role: Role::of(head.source, head.kind),
    })
}
