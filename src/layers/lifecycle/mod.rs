//! Layer 1: background tasks wake the agent, so asking after them is rare, and gets rarer.

mod attempt;
mod backoff;
pub mod breaker;
mod card;
mod reasons;
mod shell;
mod task_log;
mod timer;

pub use attempt::store;
use breaker::Kind;

use crate::call::Tool;
use crate::scene::Scene;
use crate::verdict::Ruling;

/// Spaces status checks, timers and reads of task logs.
pub fn rule(scene: &Scene) -> Ruling {
    match scene.tool {
        Tool::ManageTask { action, task } if matches!(action.as_str(), "status" | "list") => {
            let asked = match action.as_str() {
                "list" => "the list of tasks",
                _ => "a task",
            };
            attempt::judge(scene, Kind::Check, task.as_deref().unwrap_or(asked))
        }
        Tool::ManageTask { .. } => Ruling::Pass("only `status` and `list` are status checks"),
        Tool::CommandStatus { task } => {
            attempt::judge(scene, Kind::Check, task.as_deref().unwrap_or("a command"))
        }
        Tool::Schedule(schedule) => timer::rule(scene, schedule),
        Tool::Read(read) => task_log::native_read(scene, &read.paths),
        Tool::Grep(grep) => task_log::native_read(scene, grep.path.as_slice()),
        Tool::RunCommand(_) | Tool::Script(_) => shell::rule(scene),
        _ => Ruling::Pass("no status check"),
    }
}
