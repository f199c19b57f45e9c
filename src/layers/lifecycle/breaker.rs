//! The ledger's policy: what a polling call does to it, and what closes an open breaker.
//!
//! Pure: the ledger, the evidence of the transcript, the time and the call go in, an outcome comes
//! out, and the ledger is changed.

use std::time::Duration;

use guard_state::{Asked, Breaker, Ledger, Recent, TaskName};

use super::backoff::{SHORTEST_WATCHDOG, STRICT_LEVEL, STRIKES, required_seconds};
use crate::machine::Time;

/// What the transcript says that bears on the ledger.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Evidence {
    /// The step of the user's last prompt.
    pub last_user_step: Option<u64>,
    /// The last step of all: that of a polling call follows it where the host sends none.
    pub last_step: Option<u64>,
    /// The newest asked call that has an outcome, and what the user said to it.
    pub answer: Option<Answer>,
}

/// What the user said to the dialog of an open breaker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// The call ran.
    Approved,
    /// The call did not run.
    Declined,
}

/// A call that the ledger counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt {
    /// What it is.
    pub kind: Kind,
    /// The step in which its outcome will be recorded.
    pub step: Option<u64>,
    /// The task it asks about, for the reason.
    pub task: String,
}

/// The kinds of calls that the ledger counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A status check.
    Check,
    /// A shell command that only waits, which is one in another dress.
    Wait,
    /// A read of the log of a running task, which is always premature.
    RunningLog,
    /// A timer that fires after so many seconds, or as often.
    Watchdog(u64),
}

impl Kind {
    /// Whether it is allowed once the cool-down has passed.
    fn is_check(self) -> bool {
        matches!(self, Self::Check | Self::Wait)
    }
}

/// What becomes of an attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// It runs.
    Allowed,
    /// It comes too early.
    Premature {
        /// How many strikes there are now.
        strikes: u32,
        /// Seconds until a check is allowed; for a watchdog, the least it must run.
        seconds: u64,
    },
    /// The breaker is open: the user is asked.
    Ask {
        /// Whether this attempt opened it.
        opened: bool,
        /// How many strikes there are now.
        strikes: u32,
        /// The tasks that were polled.
        tasks: Vec<String>,
    },
    /// The breaker is open and the user has said no.
    Declined,
}

/// Judges `attempt` and records it.
pub fn judge(
    ledger: &mut Ledger,
    evidence: &Evidence,
    attempt: &Attempt,
    now: Time,
    ttl: Duration,
) -> Outcome {
    settle(ledger, evidence, now, ttl);
    let needed = required_seconds(ledger.level);
    if let Kind::Watchdog(seconds) = attempt.kind
        && seconds >= needed.max(SHORTEST_WATCHDOG)
    {
        return Outcome::Allowed;
    }
    // Where the host sends no step it is the one behind the last record.
    let following = || Some(evidence.last_step?.saturating_add(1));
    let position = attempt.step.or_else(following);
    ledger.last_poll = Some(now);
    ledger.last_poll_step = ledger.last_poll_step.max(position);
    ledger
        .tasks_polled
        .push(TaskName::from(attempt.task.as_str()));

    let left = seconds_left(ledger, needed, now);
    match &ledger.breaker {
        Breaker::Declined(_) => Outcome::Declined,
        Breaker::Open(_) => ask(ledger, attempt, now),
        Breaker::Closed if attempt.kind.is_check() && left == 0 => {
            ledger.level = ledger.level.saturating_add(1);
            ledger.last_allowed = Some(now);
            Outcome::Allowed
        }
        Breaker::Closed => {
            let strict = attempt.kind.is_check() && ledger.level >= STRICT_LEVEL;
            if strict || ledger.strikes + 1 >= STRIKES {
                return ask(ledger, attempt, now);
            }
            ledger.strikes += 1;
            Outcome::Premature {
                strikes: ledger.strikes,
                seconds: match attempt.kind {
                    Kind::Watchdog(_) => needed.max(SHORTEST_WATCHDOG),
                    Kind::Check | Kind::Wait | Kind::RunningLog => left,
                },
            }
        }
    }
}

/// Opens the breaker, or leaves it open, and has the user asked about this call.
fn ask(ledger: &mut Ledger, attempt: &Attempt, now: Time) -> Outcome {
    ledger.strikes = ledger.strikes.saturating_add(1);
    let opened = ledger.breaker == Breaker::Closed;
    let mut asked = match &ledger.breaker {
        Breaker::Open(asked) | Breaker::Declined(asked) => asked.clone(),
        Breaker::Closed => Asked {
            since: now,
            asked_steps: Recent::new(),
            tasks: Recent::new(),
        },
    };
    if let Some(step) = attempt.step {
        asked.asked_steps.push(step);
    }
    asked.tasks = ledger.tasks_polled.clone();
    ledger.breaker = Breaker::Open(asked);
    Outcome::Ask {
        opened,
        strikes: ledger.strikes,
        tasks: polled(ledger),
    }
}

fn polled(ledger: &Ledger) -> Vec<String> {
    let tasks = ledger.tasks_polled.as_slice().iter();
    tasks.map(|task| task.as_str().to_owned()).collect()
}

/// Brings the ledger up to what has happened since the last attempt.
pub fn settle(ledger: &mut Ledger, evidence: &Evidence, now: Time, ttl: Duration) {
    let user_spoke = match (evidence.last_user_step, ledger.last_poll_step) {
        // A call that was given up with Esc leaves its step to the prompt that follows.
        (Some(user), Some(poll)) => user >= poll,
        _ => false,
    };
    if user_spoke {
        *ledger = Ledger::new(ledger.conversation());
        return;
    }
    // A clock that went backwards: the cool-down begins now, and lasts no longer than it would.
    for time in [&mut ledger.last_allowed, &mut ledger.last_poll] {
        *time = time.map(|time| time.min(now));
    }
    let is_idle = ledger.last_poll.is_some_and(|last| {
        let idle = (now - last).to_std().unwrap_or_default();
        idle >= ttl
    });
    if is_idle {
        ledger.level = 0;
        ledger.strikes = 0;
        ledger.last_allowed = None;
    }
    let Breaker::Open(asked) = &ledger.breaker else {
        return;
    };
    match evidence.answer {
        Some(Answer::Approved) => {
            ledger.strikes = 0;
            ledger.tasks_polled = Recent::new();
            ledger.breaker = Breaker::Closed;
        }
        Some(Answer::Declined) => ledger.breaker = Breaker::Declined(asked.clone()),
        None => {}
    }
}

/// Whole seconds until the cool-down has passed, rounded up.
fn seconds_left(ledger: &Ledger, needed: u64, now: Time) -> u64 {
    let Some(last) = ledger.last_allowed else {
        return 0;
    };
    let passed = (now - last).to_std().unwrap_or_default();
    let left = Duration::from_secs(needed).saturating_sub(passed);
    left.as_secs() + u64::from(left.subsec_nanos() > 0)
}
