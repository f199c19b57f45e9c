//! Which lines read the internal state of a conversation, judged the way a guard would.

mod common;

use common::{effects_of, fixtures};
use guard_shell::{Access, AccessKind, Component, Reach};

/// A file that exists in the folder that the fixtures speak of.
const FILES: [&str; 2] = [
    "/home/dev/.gemini/antigravity/brain/ec33/.system_generated/logs/transcript.jsonl",
    "/home/dev/.gemini/antigravity/brain/ec33/.system_generated/tasks/task-18.log",
];

fn reads_internal(access: &Access) -> bool {
    let reads = matches!(access.kind, AccessKind::Read | AccessKind::Named);
    let named = access
        .path
        .reaches_component(".system_generated", Component::Any, false)
        == Reach::Spelled;
    let below = FILES
        .iter()
        .any(|file| access.path.reaches_path(file, false) >= Reach::ByRecursion);
    reads && (named || below)
}

#[test]
fn reads_of_internal_state_are_seen() {
    let missed: Vec<_> = fixtures(include_str!("data/reads_internal.txt"))
        .into_iter()
        .filter(|(folder, line)| !effects_of(folder, line).accesses.iter().any(reads_internal))
        .map(|(folder, line)| format!("{folder}$ {line}\n{}", show(&folder, &line)))
        .collect();
    assert!(
        missed.is_empty(),
        "{} lines:\n{}",
        missed.len(),
        missed.join("\n")
    );
}

#[test]
fn other_lines_raise_no_alarm() {
    let wrong: Vec<_> = fixtures(include_str!("data/reads_no_internal.txt"))
        .into_iter()
        .filter(|(folder, line)| effects_of(folder, line).accesses.iter().any(reads_internal))
        .map(|(folder, line)| format!("{folder}$ {line}\n{}", show(&folder, &line)))
        .collect();
    assert!(
        wrong.is_empty(),
        "{} lines:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

fn show(folder: &str, line: &str) -> String {
    let effects = effects_of(folder, line);
    effects
        .accesses
        .iter()
        .map(|access| {
            format!(
                "    {:?} {} by {}\n",
                access.kind,
                access.path.display(),
                access.by
            )
        })
        .collect()
}
