//! How a conversation is doing: how big it is, where it polls, reads twice or swells, and what to do.

mod loops;
mod report;
mod steps;

use super::calls::{Call, calls};
use super::conversations::Conversation;
use super::entry::{Entry, Role};
use super::error::ReadingError;
use super::hints::Route;
use super::read::PAGE_RANGE;
use super::show::MAX_CALLS;
use super::transcript::Transcript;
use super::window;
use crate::head::Head;
use crate::lines::{LINE_BUFFER, Lines};
use crate::source::Source;
use loops::Loops;
use std::io::{self, Cursor, Read, Seek};
use steps::{Biggest, Reads};

/// What is to be judged.
#[derive(Debug, Clone)]
pub struct HealthRequest {
    /// Bytes of the page, within [`PAGE_RANGE`].
    pub max_bytes: usize,
    /// How the next question will be asked.
    pub route: Route,
}

impl HealthRequest {
    /// In a page of the route's own size.
    pub fn new(route: Route) -> Self {
        Self {
            max_bytes: route.page(),
            route,
        }
    }
}

/// What is counted.
#[derive(Debug, Default)]
pub(crate) struct Counts {
    pub(crate) turns: u64,
    pub(crate) records: u64,
    pub(crate) damaged: u64,
    pub(crate) errors: u64,
    /// Bytes by role, in the order of [`Role`].
    pub(crate) bytes: [u64; 4],
    pub(crate) last_step: u64,
    /// Bytes of the last turn.
    pub(crate) turn_bytes: u64,
    pub(crate) loops: Loops,
    pub(crate) reads: Reads,
    pub(crate) biggest: Biggest,
}

/// The health of a conversation as Markdown of at most `max_bytes`.
///
/// # Errors
/// [`ReadingError`] if the transcript can't be read.
pub fn health(
    conversation: &Conversation,
    request: &HealthRequest,
) -> Result<String, ReadingError> {
    let mut transcript = Transcript::open(conversation)?;
    let mut counts = Counts::default();
    let source = &mut transcript.main.source;
    counts
        .read(source, true)
        .map_err(|error| transcript.failed(error))?;
    let mut full_bytes = None;
    if let Some(full) = transcript.full() {
        let mut whole = Counts::default();
        whole
            .read(&mut full.source, false)
            .map_err(|error| full.failed(error))?;
        full_bytes = Some(full.len());
        // What the model was shown is the whole text, not what the host cut for the other file.
        if whole.total() > counts.total() {
            counts.bytes = whole.bytes;
            counts.turn_bytes = whole.turn_bytes;
            counts.biggest = whole.biggest;
        }
    }
    counts.loops.finish();
    let size = request
        .max_bytes
        .clamp(*PAGE_RANGE.start(), *PAGE_RANGE.end());
    let text = report::report(&transcript, &counts, full_bytes, &request.route, size);
    Ok(super::markdown::start(&text, size).to_owned())
}

impl Counts {
    pub(crate) fn total(&self) -> u64 {
        self.bytes.iter().sum()
    }

    /// One pass. Lines of the model, which hold its calls, are parsed if `calls`; of the others the head is enough.
    fn read<R: Read + Seek>(&mut self, source: &mut Source<R>, with_calls: bool) -> io::Result<()> {
        let mut buffer = vec![0; LINE_BUFFER.max(MAX_CALLS as usize)];
        let mut lines = Lines::new(source, &mut buffer, 0, u64::MAX);
        let mut open: Option<Seen> = None;
        while let Some(piece) = lines.next()? {
            let zeros = piece.bytes.iter().take_while(|byte| **byte == 0).count();
            let text = &piece.bytes[if piece.first { zeros } else { 0 }..];
            if piece.first {
                open = Seen::of(text, piece.last);
                if open.is_none() && !piece.bytes.is_empty() {
                    self.damaged += 1;
                }
            }
            if let Some(seen) = &mut open {
                seen.len += text.len() as u64;
                seen.ends_whole = text.trim_ascii_end().last() == Some(&b'}');
            }
            if piece.last
                && let Some(seen) = open.take()
            {
                let line = (piece.first && with_calls).then_some(text);
                self.add(&seen, line);
            }
        }
        Ok(())
    }

    fn add(&mut self, seen: &Seen, line: Option<&[u8]>) {
        if !seen.ends_whole {
            self.damaged += 1;
            return;
        }
        self.records += 1;
        self.errors += u64::from(seen.is_error);
        self.last_step = self.last_step.max(seen.step);
        self.bytes[seen.role as usize] += seen.len;
        self.turn_bytes += seen.len;
        self.biggest.add(seen.step, seen.role, seen.len);
        if seen.role == Role::User {
            self.turns += 1;
            self.turn_bytes = seen.len;
            self.loops.new_turn();
        }
        if seen.role == Role::Assistant
            && let Some(line) = line
        {
            for call in calls_in(line) {
                self.loops.add(seen.step, &call);
                self.reads.add(seen.step, &call);
            }
        }
    }
}

fn calls_in(line: &[u8]) -> Vec<Call> {
    let Some(entry) = Entry::parse(line, 0) else {
        return Vec::new();
    };
    let Some(field) = entry.field("tool_calls") else {
        return Vec::new();
    };
    let mut memory = Source::new(Cursor::new(line), line.len() as u64);
    window::raw(&mut memory, field, MAX_CALLS).map_or_else(|_| Vec::new(), |raw| calls(&raw, true))
}

/// A record by its head.
struct Seen {
    step: u64,
    role: Role,
    is_error: bool,
    len: u64,
    ends_whole: bool,
}

impl Seen {
    /// Of a line whose start is given; one in another order of keys is parsed, if it is there whole.
    fn of(text: &[u8], whole: bool) -> Option<Self> {
        let (step, role, is_error) = match Head::of(text) {
            Some(head) => {
                let role = Role::of(head.source, head.kind);
                (head.step, role, head.status == b"ERROR")
            }
            None if whole => {
                let entry = Entry::parse(text, 0)?;
                (entry.step, entry.role, entry.status == "ERROR")
            }
            None => {
                let step = super::place::claimed_step(text)?;
                (step, Role::Tool, false)
            }
        };
        Some(Self {
            step,
            role,
            is_error,
            len: 0,
            ends_whole: false,
        })
    }
}
