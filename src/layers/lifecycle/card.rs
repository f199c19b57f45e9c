//! The Pre-Yield Status Card: what the user sees while the agent sleeps.

use guard_transcript::RunningCommand;

use crate::scene::Scene;

/// Tells the model to print the card before it ends its turn. What the guard knows is filled in.
pub fn status_card(scene: &Scene, running: &[RunningCommand], seconds: u64) -> String {
    let newest = running.last();
    let command = newest.map_or("<the command>".to_owned(), |task| {
        let line = task.description.lines().next().unwrap_or_default();
        format!("{line} (task-{})", task.id.number)
    });
    let started = newest
        .and_then(|task| task.created_at.clone())
        .unwrap_or_else(|| "<when you launched it>".to_owned());
    let fires =
        scene.machine.clock.now() + chrono::Duration::seconds(i64::try_from(seconds).unwrap_or(0));
    format!(
        "Timer accepted. Print this Pre-Yield Status Card with each <...> filled in, then end \
         your turn; the host wakes you when the task ends or the timer fires.\n\n    \
         Pre-Yield Status Card\n    \
         Command: {command}\n    \
         Scope: <what it builds, tests or changes>\n    \
         Started: {started}\n    \
         Expected duration: <your estimate>\n    \
         Watchdog: every {seconds} s at most\n    \
         Next check: {}",
        fires.format("%Y-%m-%dT%H:%M:%SZ")
    )
}
