//! Waiting and log reading by shell lines.

use guard_shell::Effects;

use super::breaker::Kind;
use super::{attempt, task_log, timer};
use crate::effects::Touched;
use crate::layers::routes;
use crate::scene::Scene;
use crate::verdict::Ruling;
use crate::zones::Internal;

const PASS: Ruling = Ruling::Pass("neither waits nor reads the log of a task");

/// A line that reads the log of a task, or that only waits while a task runs.
pub fn rule(scene: &Scene) -> Ruling {
    let Some(effects) = scene.effects() else {
        return PASS;
    };
    let reads = effects
        .accesses
        .iter()
        .map(|access| log_read(scene, &Touched::new(access)));
    let read = reads.into_iter().find(|ruling| *ruling != PASS);
    read.unwrap_or_else(|| wait(scene, effects))
}

fn log_read(scene: &Scene, touched: &Touched) -> Ruling {
    if !touched.is_read() {
        return PASS;
    }
    if touched.may_be_task_log(scene) {
        return some_logs(scene, touched);
    }
    let Some(Internal::TaskLog(log)) = touched.internal(scene) else {
        return PASS;
    };
    if task_log::is_running(scene, &log) {
        return attempt::judge(scene, Kind::RunningLog, &log.name());
    }
    if !log.path().exists() || touched.is_through_rtk(scene) {
        return PASS;
    }
    routes::read_instead(scene, &log.path(), "the log of an ended task")
}

/// Logs that the line names by a pattern: which of them run can't be told one by one.
fn some_logs(scene: &Scene, touched: &Touched) -> Ruling {
    match timer::running_commands(scene).last() {
        Some(task) => attempt::judge(scene, Kind::RunningLog, &format!("task-{}", task.id.number)),
        None => routes::transcript_instead(scene, &touched.named_prefix()),
    }
}

fn wait(scene: &Scene, effects: &Effects) -> Ruling {
    match effects.wait {
        Some(wait) if !wait.reads && !timer::running_commands(scene).is_empty() => {
            attempt::judge(scene, Kind::Wait, "a wait in the shell")
        }
        _ => PASS,
    }
}
