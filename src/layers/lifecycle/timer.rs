//! Timers: a timer that watches a wait is a status check to come, and is spaced like one.

use guard_decisions::Kind as Decided;
use guard_transcript::{Query, RunningCommand, read_facts};

use super::breaker::Kind;
use super::{attempt, card};
use crate::call::Schedule;
use crate::cron;
use crate::scene::Scene;
use crate::verdict::Ruling;

/// Spaces timers that watch a task; reminders for the user are free.
pub fn rule(scene: &Scene, schedule: &Schedule) -> Ruling {
    let period = match period(schedule) {
        Ok(period) => period,
        Err(reason) => return Ruling::Deny(Decided::TimerDenied, reason),
    };
    let running = if is_reminder(&schedule.prompt) && !names_wait(schedule) {
        return Ruling::Pass("a reminder for the user");
    } else {
        running_commands(scene)
    };
    let is_watchdog = names_wait(schedule)
        || speaks_of_waiting(&schedule.prompt)
        || (!running.is_empty() && !schedule.is_daemon);
    if !is_watchdog {
        return Ruling::Pass("watches no task");
    }
    let Some(seconds) = period else {
        return Ruling::Deny(
            Decided::TimerDenied,
            "Timer refused: neither DurationSeconds nor CronExpression says when it fires. \
             End your turn; the host wakes you when the task ends."
                .to_owned(),
        );
    };
    let task = schedule.condition.as_deref().unwrap_or("a timer");
    match attempt::judge(scene, Kind::Watchdog(seconds), task) {
        Ruling::Pass(_) => Ruling::Note(
            Decided::TimerCarded,
            match &schedule.cron {
                Some(cron) => card::status_card(scene, &running, &format!("cron `{cron}`"), None),
                None => {
                    let firing = format!("once, in {seconds} s at most");
                    card::status_card(scene, &running, &firing, Some(seconds))
                }
            },
        ),
        refused => refused,
    }
}

/// The shortest time between now and a firing, or between two, in seconds.
fn period(schedule: &Schedule) -> Result<Option<u64>, String> {
    let gap = match &schedule.cron {
        Some(expression) => Some(cron::shortest_gap(expression).map_err(|error| {
            format!(
                "Timer refused: CronExpression `{expression}` can't be read: {error}. Use five \
                 fields, as in `*/15 * * * *`, or DurationSeconds for a timer that fires once."
            )
        })?),
        None => None,
    };
    Ok(match (schedule.seconds, gap) {
        (Some(seconds), Some(gap)) => Some(seconds.min(gap)),
        (seconds, gap) => seconds.or(gap),
    })
}

/// Whether the timer's condition is the end of a task.
fn names_wait(schedule: &Schedule) -> bool {
    let condition = schedule.condition.as_deref().unwrap_or_default();
    condition == "any" || condition.contains("task-")
}

fn is_reminder(prompt: &str) -> bool {
    let words = words(prompt);
    has(&words, &["remind", "reminder"]) && has(&words, &["user"])
}

/// Whether the prompt is about checking on something that runs.
fn speaks_of_waiting(prompt: &str) -> bool {
    const ACTS: &[&str] = &["check", "poll", "monitor", "wait", "watch"];
    const THINGS: &[&str] = &["task", "command", "build", "test", "process"];
    let words = words(prompt);
    has_form(&words, ACTS) && has_form(&words, THINGS)
}

fn words(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !c.is_alphanumeric());
    words
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect()
}

fn has(words: &[String], wanted: &[&str]) -> bool {
    words.iter().any(|word| wanted.contains(&word.as_str()))
}

/// Whether a word is one of `stems` in one of its English forms.
fn has_form(words: &[String], stems: &[&str]) -> bool {
    const ENDINGS: &[&str] = &["", "s", "es", "ed", "ing", "er"];
    words.iter().any(|word| {
        stems.iter().any(|stem| {
            let ending = word.strip_prefix(stem);
            ending.is_some_and(|ending| ENDINGS.contains(&ending))
        })
    })
}

/// The commands of this conversation that run in the background.
pub fn running_commands(scene: &Scene) -> Vec<RunningCommand> {
    let query = Query {
        conversation: scene.call.conversation.as_deref(),
        running: true,
        ..Query::default()
    };
    attempt::transcript(scene)
        .and_then(|transcript| read_facts(&transcript, &query).ok())
        .map_or_else(Vec::new, |facts| facts.running)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prompt_about_something_that_runs_is_a_watchdogs() {
        for prompt in [
            "Check on the build",
            "checking whether tests passed",
            "Poll the task again.",
            "monitor the process",
            "waits for the command",
            "Still waiting: is the testing done?",
        ] {
            assert!(speaks_of_waiting(prompt), "{prompt}");
        }
        for prompt in [
            "Stand up and stretch",
            "Check the weather",
            "Latest news about builders of castles",
            "Write the protest letter",
            "Deploy the build",
        ] {
            assert!(!speaks_of_waiting(prompt), "{prompt}");
        }
    }

    #[test]
    fn a_reminder_is_for_the_user() {
        assert!(is_reminder("Remind the user to check the build"));
        assert!(!is_reminder("Remind me to check the build"));
    }
}
