//! The Pre-Yield Status Card: what the user sees while the agent sleeps.

use guard_transcript::RunningCommand;

use crate::scene::Scene;

/// Tells the model to print the card before it ends its turn. What the guard knows is filled in.
///
/// `firing` says when the timer fires, and `seconds` is the time until then where that is known.
pub fn status_card(
    scene: &Scene,
    running: &[RunningCommand],
    firing: &str,
    seconds: Option<u64>,
) -> String {
    let newest = running.last();
    let command = newest.map_or("<the command>".to_owned(), |task| {
        let line = task.description.lines().next().unwrap_or_default();
        format!("{line} (task-{})", task.id.number)
    });
    let started = newest
        .and_then(|task| task.created_at.clone())
        .unwrap_or_else(|| "<when you launched it>".to_owned());
    let next = seconds
        .and_then(|seconds| chrono::TimeDelta::try_seconds(i64::try_from(seconds).ok()?))
        .and_then(|wait| scene.machine.clock.now().checked_add_signed(wait))
        .map_or("when the timer fires".to_owned(), |time| {
            time.format("%Y-%m-%dT%H:%M:%SZ").to_string()
        });
    format!(
        "Timer accepted. Print this Pre-Yield Status Card with each <...> filled in, then end \
         your turn; the host wakes you when the task ends or the timer fires.\n\n    \
         Pre-Yield Status Card\n    \
         Command: {command}\n    \
         Scope: <what it builds, tests or changes>\n    \
         Started: {started}\n    \
         Expected duration: <your estimate>\n    \
         Watchdog: {firing}\n    \
         Next check: {next}"
    )
}
