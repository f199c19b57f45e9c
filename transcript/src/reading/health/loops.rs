//! Polling: checks of a task again and again in one turn, and the same call over and over.

use crate::reading::calls::Call;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

/// Checks in one turn from which on it is polling. One looks whether a launch went well, one whether it ended.
const POLLING: u64 = 3;
/// The same call in a row from which on it is a loop.
const REPEATED: u64 = 3;
/// Findings that are kept, the latest.
const KEPT: usize = 10;

/// A loop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Loop {
    pub(crate) what: String,
    pub(crate) count: u64,
    pub(crate) first: u64,
    pub(crate) last: u64,
}

#[derive(Debug, Default)]
pub(crate) struct Loops {
    pub(crate) found: Vec<Loop>,
    pub(crate) total: u64,
    /// Checks of this turn.
    checks: Option<Loop>,
    same: Option<(u64, Loop)>,
}

impl Loops {
    /// The user spoke: what was looked at before is no loop with what follows.
    pub(crate) fn new_turn(&mut self) {
        let checks = self.checks.take().filter(|one| one.count >= POLLING);
        let same = self.same.take().map(|(_, one)| one);
        let same = same.filter(|one| one.count >= REPEATED);
        for one in checks.into_iter().chain(same) {
            self.total += 1;
            self.found.push(one);
            if self.found.len() > KEPT {
                self.found.remove(0);
            }
        }
    }

    pub(crate) fn finish(&mut self) {
        self.new_turn();
    }

    pub(crate) fn add(&mut self, step: u64, call: &Call) {
        if let Some(task) = checked(call) {
            let one = self.checks.get_or_insert_with(|| Loop {
                what: format!("status checks ({})", task),
                count: 0,
                first: step,
                last: step,
            });
            one.count += 1;
            one.last = one.last.max(step);
            return;
        }
        let id = fingerprint(call);
        match &mut self.same {
            Some((same, one)) if *same == id => {
                one.count += 1;
                one.last = step;
            }
            same => {
                let ended = same.replace((
                    id,
                    Loop {
                        what: format!("the same {} call", call.name),
                        count: 1,
                        first: step,
                        last: step,
                    },
                ));
                if let Some((_, one)) = ended.filter(|(_, one)| one.count >= REPEATED) {
                    self.total += 1;
                    self.found.push(one);
                    if self.found.len() > KEPT {
                        self.found.remove(0);
                    }
                }
            }
        }
    }
}

/// What a call checks on, if it is one that only looks whether a task ended.
fn checked(call: &Call) -> Option<String> {
    let named = |name: &str| call.argument(name).map(|text| text.trim().to_lowercase());
    match call.name.to_ascii_lowercase().as_str() {
        "manage_task" => {
            let action = named("Action")?;
            let looks = matches!(action.as_str(), "status" | "list");
            looks.then(|| named("TaskId").unwrap_or_else(|| "all tasks".to_owned()))
        }
        "command_status" => Some("command_status".to_owned()),
        "run_command" => {
            let line = named("CommandLine")?;
            let seconds = line.strip_prefix("sleep ")?;
            let only_sleeps = seconds
                .trim()
                .bytes()
                .all(|byte| byte.is_ascii_digit() || byte == b'.');
            only_sleeps.then(|| "sleep".to_owned())
        }
        _ => None,
    }
}

fn fingerprint(call: &Call) -> u64 {
    let mut hasher = DefaultHasher::new();
    call.name.hash(&mut hasher);
    for pair in call.telling() {
        pair.hash(&mut hasher);
    }
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(name: &str, arguments: &[(&str, &str)]) -> Call {
        Call {
            name: name.to_owned(),
            arguments: arguments
                .iter()
                .map(|(a, b)| ((*a).to_owned(), (*b).to_owned()))
                .collect(),
        }
    }

    #[test]
    fn checks_add_up_whatever_lies_between_them_until_the_user_speaks() {
        let mut loops = Loops::default();
        let check = call(
            "manage_task",
            &[("Action", " Status"), ("TaskId", "task-6")],
        );
        for step in [1, 3] {
            loops.add(step, &check);
            loops.add(step + 1, &call("view_file", &[("AbsolutePath", "/a")]));
        }
        loops.new_turn();
        assert_eq!(loops.found, []);
        for step in [11, 13, 15] {
            loops.add(step, &check);
        }
        loops.add(
            17,
            &call("manage_task", &[("Action", "kill"), ("TaskId", "task-6")]),
        );
        loops.finish();
        let found = &loops.found[0];
        assert_eq!((found.count, found.first, found.last), (3, 11, 15));
        assert!(found.what.contains("task-6"));
    }

    #[test]
    fn the_same_call_in_a_row_is_a_loop() {
        let mut loops = Loops::default();
        for step in 0..4 {
            loops.add(step, &call("run_command", &[("CommandLine", "cargo test")]));
        }
        loops.add(9, &call("run_command", &[("CommandLine", "git status")]));
        loops.finish();
        assert_eq!(loops.found.len(), 1);
        assert_eq!(loops.found[0].count, 4);
    }
}
