//! Task logs: closed while the task runs, read through rtk when it has ended.

use std::fs;
use std::time::SystemTime;

use guard_transcript::{Query, TaskState, read_facts};

use super::attempt;
use super::breaker::Kind;
use crate::layers::routes;
use crate::scene::Scene;
use crate::verdict::Ruling;
use crate::zones::{Internal, TaskLog};

/// A log untouched for so long counts as that of an ended task where no transcript says anything.
const QUIET_SECONDS: u64 = 15;

/// A native tool reads these paths.
pub fn native_read(scene: &Scene, paths: &[String]) -> Ruling {
    for path in paths {
        let place = scene.place(path);
        let Some(Internal::TaskLog(log)) = scene.internal(&place) else {
            continue;
        };
        if is_running(scene, &log) {
            return attempt::judge(scene, Kind::RunningLog, &log.name());
        }
        if log.path().exists() {
            return routes::read_instead(scene, &log.path(), "the log of an ended task");
        }
    }
    Ruling::Pass("no log of a task")
}

/// Whether the task runs, as the transcript of the log's own conversation says. Where that says
/// nothing, a log that is still written is one of a running task.
pub fn is_running(scene: &Scene, log: &TaskLog) -> bool {
    let name = log.conversation.file_name().and_then(|name| name.to_str());
    let query = Query {
        conversation: name,
        task: Some(log.number),
        ..Query::default()
    };
    let facts = read_facts(&log.transcript(), &query);
    match facts.map(|facts| facts.task).unwrap_or_default() {
        TaskState::Running => true,
        TaskState::Ended => false,
        TaskState::Unknown => is_fresh(scene, log),
    }
}

fn is_fresh(scene: &Scene, log: &TaskLog) -> bool {
    let modified = fs::metadata(log.path()).and_then(|meta| meta.modified());
    let now = SystemTime::from(scene.machine.clock.now());
    modified.is_ok_and(|modified| {
        // A time to come counts as now.
        let quiet = now.duration_since(modified).unwrap_or_default();
        quiet.as_secs() < QUIET_SECONDS
    })
}
