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

const PASS: Ruling = Ruling::Pass("no log of a task");

/// A native tool reads these paths.
pub fn native_read(scene: &Scene, paths: &[String]) -> Ruling {
    let rulings = paths
        .iter()
        .map(|path| match scene.internal(&scene.place(path)) {
            Some(Internal::TaskLog(log)) => read(scene, &log, || false),
            _ => PASS,
        });
    let mut refusals = rulings.filter(|ruling| !matches!(ruling, Ruling::Pass(_)));
    refusals.next().unwrap_or(PASS)
}

/// The log of a task is read; `is_through_rtk` says whether by rtk already.
pub fn read(scene: &Scene, log: &TaskLog, is_through_rtk: impl FnOnce() -> bool) -> Ruling {
    if is_running(scene, log) {
        return attempt::judge(scene, Kind::RunningLog, &log.name());
    }
    // A log that is not there is the tool's to report.
    if !log.path().exists() || is_through_rtk() {
        return PASS;
    }
    routes::read_instead(scene, &log.path(), "the log of an ended task")
}

/// Whether the task runs, as the transcript of the log's own conversation says. Where that says
/// nothing, a log that is still written is one of a running task.
fn is_running(scene: &Scene, log: &TaskLog) -> bool {
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
