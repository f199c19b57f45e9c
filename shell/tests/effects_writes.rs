//! Which lines change a protected path, judged the way a safeguard would.

mod common;

use common::{effects_of, fixtures};
use guard_shell::{Access, AccessKind, Component, Reach};

const FOLDERS: [&str; 9] = [
    "benchmark",
    "benchmarks",
    "evaluator",
    "evaluators",
    "evaluation",
    "scoring",
    "ground_truth",
    "prompt_templates",
    ".system_generated",
];

const FILES: [&str; 6] = [
    "eval_*.py",
    "eval_*.json",
    "eval_*.toml",
    "bench_*.py",
    "bench_*.json",
    "bench_*.toml",
];

const OWN: [&str; 2] = [
    "/home/dev/.gemini/config/hooks.json",
    "/home/dev/.local/state/execution-guard",
];

fn changes_protected(access: &Access) -> bool {
    let path = &access.path;
    let folder = FOLDERS
        .iter()
        .any(|name| path.reaches_component(name, Component::Any, false) == Reach::Spelled);
    let file = FILES
        .iter()
        .any(|glob| path.reaches_component(glob, Component::Last, false) == Reach::Spelled);
    let own = OWN
        .iter()
        .any(|own| path.reaches_path(own, false) >= Reach::ByRecursion);
    access.kind == AccessKind::Write && (folder || file || own)
}

#[test]
fn changes_of_protected_paths_are_seen() {
    let missed: Vec<_> = fixtures(include_str!("data/mutates.txt"))
        .into_iter()
        .filter(|(folder, line)| {
            !effects_of(folder, line)
                .accesses
                .iter()
                .any(changes_protected)
        })
        .map(|(folder, line)| show(&folder, &line))
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
    let wrong: Vec<_> = fixtures(include_str!("data/mutates_nothing.txt"))
        .into_iter()
        .filter(|(folder, line)| {
            effects_of(folder, line)
                .accesses
                .iter()
                .any(changes_protected)
        })
        .map(|(folder, line)| show(&folder, &line))
        .collect();
    assert!(
        wrong.is_empty(),
        "{} lines:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

fn show(folder: &str, line: &str) -> String {
    let accesses = effects_of(folder, line).accesses;
    let shown = accesses.iter().map(|access| {
        format!(
            "\n    {:?} {} by {}",
            access.kind,
            access.path.display(),
            access.by
        )
    });
    format!("{folder}$ {line}{}", shown.collect::<String>())
}
