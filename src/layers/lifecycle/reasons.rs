//! What the model is told about waiting.

use guard_decisions::Kind as Decided;
use guard_state::StateError;

use super::backoff::STRIKES;
use super::breaker::{Kind, Outcome};
use crate::verdict::Ruling;

const END_TURN: &str = "End your turn now: the host wakes you with a <SYSTEM_MESSAGE> when the \
                        task ends. For the next long command, set its \
                        NotificationTimeoutSeconds instead of checking on it.";

/// The ruling that an outcome comes to.
pub fn ruling(outcome: &Outcome, kind: Kind) -> Ruling {
    match outcome {
        Outcome::Allowed => Ruling::Pass("the cool-down has passed"),
        Outcome::Premature { strikes, seconds } => {
            let decided = match kind {
                Kind::Check | Kind::Wait | Kind::RunningLog => Decided::PollDenied,
                Kind::Watchdog(_) => Decided::TimerDenied,
            };
            Ruling::Deny(decided, premature(kind, *strikes, *seconds))
        }
        Outcome::Ask {
            opened,
            strikes,
            tasks,
        } => {
            let decided = if *opened {
                Decided::BreakerTripped
            } else {
                Decided::BreakerAsked
            };
            Ruling::ForceAsk(decided, ask(*strikes, tasks))
        }
        Outcome::Declined => Ruling::Deny(Decided::BreakerDeclined, declined()),
    }
}

fn premature(kind: Kind, strikes: u32, seconds: u64) -> String {
    let what = match kind {
        Kind::Check => {
            format!(
                "Status check refused: it comes too early. The next one is allowed in {seconds} s"
            )
        }
        Kind::Wait => format!(
            "Waiting in the shell refused: while a task runs it counts as a status check, and it comes too early. The \
             next one is allowed in {seconds} s"
        ),
        Kind::RunningLog => format!(
            "Log of a running task refused: reading it is polling. The next status check \
             (`manage_task`, action `status`) is allowed {}",
            if seconds == 0 {
                "now".to_owned()
            } else {
                format!("in {seconds} s")
            }
        ),
        Kind::Watchdog(_) => {
            format!("Timer refused: a timer that watches a task must run for at least {seconds} s")
        }
    };
    format!("{what} (strike {strikes} of {STRIKES}). {END_TURN}")
}

fn ask(strikes: u32, tasks: &[String]) -> String {
    format!(
        "The agent keeps polling: {strikes} premature check{}, of {}. Approve to let this one run \
         and reset the count, or decline to stop it. {END_TURN}",
        if strikes == 1 { "" } else { "s" },
        list(tasks)
    )
}

fn list(tasks: &[String]) -> String {
    if tasks.is_empty() {
        return "its background tasks".to_owned();
    }
    tasks.join(", ")
}

fn declined() -> String {
    format!(
        "Polling refused: the user has declined it, and it stays refused until the user writes \
         again. {END_TURN}"
    )
}

/// The ledger can't be read or written.
pub fn no_ledger(error: &StateError) -> String {
    format!(
        "Refused: the ledger of status checks and timers can't be used. End your turn now: the host \
         wakes you when the task ends. If this comes again, tell the user, who can mend it: {error}."
    )
}
