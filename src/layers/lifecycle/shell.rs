//! Waiting and log reading by shell lines.

use guard_decisions::Kind as Decided;

use super::breaker::Kind;
use super::{attempt, task_log, timer};
use crate::effects::{Seen, Touched};
use crate::layers::routes;
use crate::scene::Scene;
use crate::verdict::Ruling;
use crate::zones::Internal;

const PASS: Ruling = Ruling::Pass("neither waits nor reads the log of a task");

/// A line that reads the log of a task, or that only waits while a task runs.
pub fn rule(scene: &Scene) -> Ruling {
    let Some(seen) = scene.seen() else {
        return PASS;
    };
    let mut logs = 0;
    for touched in seen.touched().filter(Touched::is_read) {
        logs += usize::from(touched.internal(scene).is_some());
        let ruling = if logs > MOST_LOGS {
            too_many(scene)
        } else {
            log_read(scene, &touched)
        };
        if !matches!(ruling, Ruling::Pass(_)) {
            return ruling;
        }
    }
    wait(scene, seen)
}

/// How many logs one line may read: each costs a look at a transcript.
const MOST_LOGS: usize = 8;

fn too_many(scene: &Scene) -> Ruling {
    let reason = format!(
        "`{}` refused: it reads more than {MOST_LOGS} files of the host's internal state at once, which would fill your \
         context. Read the one that you need.",
        scene.call.name
    );
    Ruling::Deny(Decided::TranscriptGuarded, reason)
}

fn log_read(scene: &Scene, touched: &Touched) -> Ruling {
    if touched.may_be_task_log(scene) {
        return some_logs(scene, touched);
    }
    let Some(Internal::TaskLog(log)) = touched.internal(scene) else {
        return PASS;
    };
    task_log::read(scene, &log, || touched.is_through_rtk(scene))
}

/// Logs that the line names by a pattern: which of them run can't be told one by one.
fn some_logs(scene: &Scene, touched: &Touched) -> Ruling {
    match timer::running_commands(scene).last() {
        Some(task) => attempt::judge(scene, Kind::RunningLog, &format!("task-{}", task.id.number)),
        None => routes::transcript_instead(scene, &touched.named_prefix()),
    }
}

/// A wait, with nothing beside it but no-ops and looks at internal state.
fn wait(scene: &Scene, seen: &Seen) -> Ruling {
    let Some(wait) = seen.effects().wait else {
        return PASS;
    };
    // What is read once beside a pause may be the work itself; what is read between pauses is a progress that is polled.
    let reads_elsewhere = || {
        let mut reads = seen.touched().filter(Touched::is_read);
        wait.reads && !wait.repeats && !reads.any(|touched| touched.internal(scene).is_some())
    };
    if reads_elsewhere() || timer::running_commands(scene).is_empty() {
        return PASS;
    }
    attempt::judge(scene, Kind::Wait, "a wait in the shell")
}
