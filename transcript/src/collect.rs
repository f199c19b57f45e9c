//! From lines to facts: which lines are parsed, and what a record adds.

use crate::facts::{Facts, Outcome, Query};
use crate::head::{Head, is};
use crate::lines::Piece;
use crate::record::Record;
use crate::scanner::RecordScanner;
use crate::task::{STATUS_ANSWER, launched_task};
use crate::tasks::Tasks;

/// Every line that ends in this many last bytes of the file is parsed: they hold the highest step (records
/// are out of order by a few at most) and the half-written line, if there is one.
const TAIL: u64 = 32 * 1024;

/// Takes pieces of lines and gathers facts.
#[derive(Debug)]
pub(crate) struct Collector<'q> {
    scanner: RecordScanner,
    scanning: bool,
    tail: u64,
    tally: Tally<'q>,
}

impl<'q> Collector<'q> {
    /// For the lines of a file of `len` bytes.
    pub(crate) fn new(query: &'q Query<'q>, len: u64) -> Self {
        Self {
            scanner: RecordScanner::new(),
            scanning: false,
            tail: len.saturating_sub(TAIL),
            tally: Tally {
                query,
                tasks: Tasks::new(query.conversation, query.task),
                facts: Facts::default(),
            },
        }
    }

    pub(crate) fn piece(&mut self, piece: &Piece<'_>) {
        if piece.first {
            self.scanning = self.is_worth_parsing(piece);
            if self.scanning {
                self.scanner.reset();
            }
        }
        if !self.scanning {
            return;
        }
        self.scanner.push(piece.bytes);
        if piece.last
            && let Some(record) = self.scanner.record()
        {
            self.tally.record(&record);
        }
    }

    pub(crate) fn finish(self) -> Facts {
        let Tally {
            query,
            tasks,
            mut facts,
        } = self.tally;
        facts.task = tasks.asked_state();
        if query.running {
            facts.running = tasks.running();
        }
        facts
    }

    fn is_worth_parsing(&self, piece: &Piece<'_>) -> bool {
        let in_tail = piece.offset + piece.bytes.len() as u64 >= self.tail;
        in_tail || !piece.last || Head::of(piece.bytes).is_none_or(|head| self.tally.wants(&head))
    }
}

#[derive(Debug)]
struct Tally<'q> {
    query: &'q Query<'q>,
    tasks: Tasks,
    facts: Facts,
}

impl Tally<'_> {
    /// Whether a record that begins like this could add a fact.
    fn wants(&self, head: &Head<'_>) -> bool {
        if is(head.kind, b"USER_INPUT") {
            return true;
        }
        let of_tasks = self.query.wants_tasks() && self.tells_of_a_task(head);
        of_tasks || self.query.outcomes.contains(&head.step)
    }

    fn tells_of_a_task(&self, head: &Head<'_>) -> bool {
        if is(head.kind, b"RUN_COMMAND") {
            is(head.status, b"RUNNING") || self.tasks.is_open_step(head.step)
        } else if is(head.kind, b"GENERIC") {
            is(head.status, b"DONE") && head.content_may_start(STATUS_ANSWER.as_bytes())
        } else {
            is(head.kind, b"SYSTEM_MESSAGE") && is(head.source, b"SYSTEM")
        }
    }

    fn record(&mut self, record: &Record<'_>) {
        self.facts.last_step = self.facts.last_step.max(Some(record.step));
        if record.is_user_input() {
            self.facts.last_user_step = self.facts.last_user_step.max(Some(record.step));
        }
        if self.query.outcomes.contains(&record.step)
            && let Some(outcome) = outcome(record)
        {
            self.facts.outcomes.retain(|(step, _)| *step != record.step);
            self.facts.outcomes.push((record.step, outcome));
        }
        if self.query.wants_tasks() {
            self.tasks.record(record);
        }
    }
}

/// What a record says of the call whose step it is. A call that was given up leaves its step to what comes next, which
/// says nothing of it.
fn outcome(record: &Record<'_>) -> Option<Outcome> {
    const NO_CALLS: [&str; 3] = ["USER_INPUT", "PLANNER_RESPONSE", "SYSTEM_MESSAGE"];
    if NO_CALLS.iter().any(|kind| record.is_kind(kind)) {
        return None;
    }
    let launched = || record.is_kind("RUN_COMMAND") || launched_task(record).is_some();
    if record.is_status("DONE") {
        Some(Outcome::Done)
    } else if record.is_status("ERROR") {
        Some(Outcome::Error)
    } else {
        (record.is_status("RUNNING") && launched()).then_some(Outcome::Launched)
    }
}
