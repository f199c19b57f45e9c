//! Layer 3: short commands finish in one call.

use crate::call::Tool;
use crate::scene::Scene;
use crate::verdict::{Changes, Ruling};

/// Raises `WaitMsBeforeAsync` where it is missing, unreadable or smaller.
pub fn rule(scene: &Scene) -> Ruling {
    let Tool::RunCommand(command) = scene.tool else {
        return Ruling::Pass("not a shell command");
    };
    if command.is_daemon {
        return Ruling::Pass("a standing process is not waited for");
    }
    let least = scene.machine.config.wait_ms;
    if command.wait_ms.is_some_and(|wait_ms| wait_ms >= least) {
        return Ruling::Pass("waits long enough");
    }
    Ruling::Change(Changes {
        wait_ms: Some(least),
        ..Changes::default()
    })
}
