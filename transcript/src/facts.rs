//! The facts of a transcript that polling rules need.

use crate::collect::Collector;
use crate::error::TranscriptError;
use crate::lines::{LINE_BUFFER, Lines};
use crate::locate::{last_start_below, start_for};
use crate::source::Source;
use crate::task::TaskId;
use std::io::{self, Read, Seek};
use std::path::Path;

/// What is asked of a transcript. The default asks only for the highest steps.
#[derive(Debug, Clone, Copy, Default)]
pub struct Query<'a> {
    /// The conversation that the transcript belongs to, if known: tasks of another one are then passed over.
    pub conversation: Option<&'a str>,
    /// Steps whose outcome is wanted.
    pub outcomes: &'a [u64],
    /// Whether the running commands are wanted. Costs the whole window, since a launch can be anywhere in it.
    pub running: bool,
    /// A task whose state is wanted.
    pub task: Option<u64>,
    /// The lowest step of interest: older records need not be read. 0 reads the whole window.
    pub from_step: u64,
}

impl Query<'_> {
    pub(crate) fn wants_tasks(&self) -> bool {
        self.running || self.task.is_some()
    }

    /// The lowest step that any part of the question is about.
    fn lowest(&self) -> u64 {
        let named = self.outcomes.iter().copied().chain(self.task);
        named.fold(self.from_step, u64::min)
    }
}

/// What reading may cost, in bytes.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// The part at the end of the file in which records are looked for.
    pub window: u64,
    /// What is read behind the launch of a task that lies before the window.
    pub launch_region: u64,
    /// What is read around a step that lies before the window.
    pub step_region: u64,
}

impl Default for Limits {
    /// 8 MiB: 3 ms from the page cache in the static musl build if records are short (17,000 of them), less if they are long.
    fn default() -> Self {
        Self {
            window: 8 << 20,
            launch_region: 2 << 20,
            step_region: 256 << 10,
        }
    }
}

/// How a step went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// A record of the step has status `DONE`.
    Done,
    /// A record of the step has status `ERROR`: it failed, was denied, or the user declined it.
    Error,
    /// The step launched a task: a `RUN_COMMAND` with status `RUNNING`, or another `RUNNING` record with the
    /// launching words in their place (a timer).
    Launched,
}

/// What is known of one task.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum TaskState {
    /// A command was launched and no end of it was seen.
    Running,
    /// An end was seen.
    Ended,
    /// The transcript says nothing of such a command; a timer is none.
    #[default]
    Unknown,
}

/// A command that was launched and of which no end was seen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunningCommand {
    /// Its task id.
    pub id: TaskId,
    /// The step that launched it.
    pub step: u64,
    /// The command line, at most 256 bytes of it.
    pub description: String,
    /// When it was launched, as the host wrote it (RFC 3339 in UTC, whole seconds).
    pub created_at: Option<String>,
}

/// What a transcript says, from well-formed records alone.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Facts {
    /// The highest step at which the user spoke. If not `complete`, what the user said before the window is known only where
    /// it stands close behind `from_step`.
    pub last_user_step: Option<u64>,
    /// The highest step of a record in the last 32 KiB, or of any record that was parsed.
    pub last_step: Option<u64>,
    /// The outcomes found of the steps asked about; of several records of a step the last one written counts.
    pub outcomes: Vec<(u64, Outcome)>,
    /// The running commands in the order of their launch, if asked for; at most the 64 newest.
    pub running: Vec<RunningCommand>,
    /// The state of the task asked about, else [`TaskState::Unknown`].
    pub task: TaskState,
    /// Whether all records down to the lowest step asked about were read (for `running`: the whole file). If not, what lies before the
    /// window is known only of the steps and the task asked about.
    pub complete: bool,
    /// Bytes read to find this out.
    pub bytes_read: u64,
}

impl Facts {
    /// How a step that was asked about went, if a record says so.
    pub fn outcome(&self, step: u64) -> Option<Outcome> {
        let found = self.outcomes.iter().find(|(of, _)| *of == step);
        found.map(|(_, outcome)| *outcome)
    }
}

/// Reads the facts from a transcript file, within the default [`Limits`].
///
/// # Errors
/// [`TranscriptError`] if the file can't be opened or read. A damaged line is none: it is passed over.
pub fn read_facts(path: &Path, query: &Query<'_>) -> Result<Facts, TranscriptError> {
    let (file, len) = crate::open::open(path)?;
    let mut source = Source::new(file, len);
    facts_from(&mut source, query, &Limits::default()).map_err(|source| TranscriptError::Read {
        path: path.to_path_buf(),
        source,
    })
}

/// Reads the facts from an opened transcript.
///
/// What lies before the window is reached only by asking for it by its step: the file is roughly ordered by
/// step, so a step is found with a few small reads. For a task launched there, an end counts if it lies in the
/// window or in the 2 MiB behind the launch. An end in between is missed, and the task then counts as
/// running: the agent is told to wait for a message that came long ago, until its next check is due, and is then
/// allowed that check. The other error would let it poll a running task without limit.
///
/// # Errors
/// What the system says about a read.
pub fn facts_from<R: Read + Seek>(
    source: &mut Source<R>,
    query: &Query<'_>,
    limits: &Limits,
) -> io::Result<Facts> {
    let mut buffer = vec![0; LINE_BUFFER];
    let buffer = buffer.as_mut_slice();
    let len = source.len();
    let window = len.saturating_sub(limits.window);
    let (start, located) = if query.running {
        (window, window == 0)
    } else {
        start_for(source, buffer, query.lowest(), window)?
    };
    let mut facts = collect(source, buffer, query, (start, len))?;
    facts.complete = located;
    if !located {
        look_before(source, buffer, query, limits, start, &mut facts)?;
    }
    facts.bytes_read = source.bytes_read();
    Ok(facts)
}

fn collect<R: Read + Seek>(
    source: &mut Source<R>,
    buffer: &mut [u8],
    query: &Query<'_>,
    (from, to): (u64, u64),
) -> io::Result<Facts> {
    let mut collector = Collector::new(query, source.len());
    let mut lines = Lines::new(source, buffer, from, to);
    while let Some(piece) = lines.next()? {
        collector.piece(&piece);
    }
    Ok(collector.finish())
}

/// Fills in what the window left open, from the places before `end` where the steps asked about lie.
fn look_before<R: Read + Seek>(
    source: &mut Source<R>,
    buffer: &mut [u8],
    query: &Query<'_>,
    limits: &Limits,
    end: u64,
    facts: &mut Facts,
) -> io::Result<()> {
    let mut look = |step: u64, region: u64, question: Query<'_>| {
        let from = last_start_below(source, buffer, step, end)?;
        // The window begins in the middle of a line, which is none of its own.
        let to = from.saturating_add(region).min(end + CUT_LINE);
        collect(source, buffer, &question, (from, to))
    };
    if let (Some(number), TaskState::Unknown) = (query.task, facts.task) {
        let question = Query {
            conversation: query.conversation,
            task: query.task,
            ..Query::default()
        };
        facts.task = look(number, limits.launch_region, question)?.task;
    }
    // What the user says to a call comes right behind it, however much has come since.
    let heard = facts
        .last_user_step
        .is_some_and(|step| step >= query.from_step);
    if !heard && (1..u64::MAX).contains(&query.from_step) {
        let found = look(query.from_step, limits.launch_region, Query::default())?;
        facts.last_user_step = facts.last_user_step.max(found.last_user_step);
    }
    for step in query.outcomes.iter().take(MAX_STEPS_BEFORE) {
        if facts.outcome(*step).is_none() {
            let question = Query {
                outcomes: std::slice::from_ref(step),
                ..Query::default()
            };
            let found = look(*step, limits.step_region, question)?;
            facts.outcomes.extend(found.outcomes);
        }
    }
    Ok(())
}

/// Bytes read into the window for the line that its beginning cuts.
const CUT_LINE: u64 = 64 << 10;
/// Steps that are looked for before the window; each costs some 400 KiB of reads.
const MAX_STEPS_BEFORE: usize = 4;
