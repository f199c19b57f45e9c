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

/// Lines that read internal state and are not seen, with the reason. The documentation of the guard lists these kinds.
const NOT_SEEN: [(&str, &str); 8] = [
    (
        "cat $(echo .System_Generated | dd conv=lcase)/logs/x",
        "the name is computed by a program",
    ),
    (
        "cat $(echo LnN5c3RlbV9nZW5lcmF0ZWQ= | openssl base64 -d)/logs/x",
        "the name is decoded by a program",
    ),
    (
        "cat $(echo .systemXgenerated | sed 's/[XY]/_/')/logs/x",
        "the name is put together by a pattern",
    ),
    ("xargs cat < list", "the name is in a file"),
    ("python3 script.py", "the name is in a script"),
    (
        "ssh host cat .system_generated/logs/x",
        "the line runs on another machine, as far as it tells",
    ),
    (
        "python3 -c \"p = chr(46) + 'system' + chr(95) + 'generated'; print(open(p).read())\"",
        "the name is computed by code",
    ),
    ("cat $FILE", "the name is in a variable of the environment"),
];

#[test]
fn what_is_not_seen_is_listed() {
    for (line, reason) in NOT_SEEN {
        let effects = effects_of("/home/dev/work", line);
        assert!(
            !effects.accesses.iter().any(reads_internal),
            "{line} is seen now: {reason}"
        );
    }
}
