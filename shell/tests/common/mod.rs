//! The oracles: what bash itself says of a line.
#![allow(dead_code)]

use std::process::{Command, Stdio};

use proptest::prelude::*;

/// Whether bash takes the line without a word of complaint.
pub fn bash_accepts(line: &str) -> bool {
    let output = Command::new("bash")
        .args(["--norc", "-n", "-c", "--", line])
        .stdin(Stdio::null())
        .output()
        .expect("these tests need bash on PATH");
    output.status.success() && output.stderr.is_empty()
}

/// The lines of the corpus of real commands with the shell each was written for.
pub fn corpus() -> Vec<(String, String)> {
    let text = include_str!("../data/real_commands.jsonl");
    text.lines()
        .map(|line| {
            let record: serde_json::Value =
                serde_json::from_str(line).expect("the corpus is JSON lines");
            let field = |name: &str| record[name].as_str().unwrap_or("").to_owned();
            (field("line"), field("shell"))
        })
        .collect()
}

/// Command lines after the grammar of bash.
pub fn commands() -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec![
        "ls",
        "-la",
        "'a b'",
        "\"x $y\"",
        "$(date)",
        "`date`",
        "${a:-b}",
        "a\\ b",
        "*.rs",
        "$'a\\n'",
        "{a,b}",
        "~/x",
        "$((1+2))",
        "done",
        "<(ls)",
        "a#b",
        "\"$(git log | head -1)\"",
        "--x=y",
    ]);
    let redirection = prop::sample::select(vec![
        "",
        "",
        "",
        " >out",
        " 2>&1",
        " <in",
        " >>log 2>/dev/null",
        " &>x",
    ]);
    let simple = (
        prop::sample::select(vec!["", "", "A=1 ", "A=$(x) B='c' "]),
        word.clone(),
        prop::collection::vec(word, 0..4),
        redirection,
    )
        .prop_map(|(assigned, name, words, redirection)| {
            let name = if name == "done" || name.contains('=') || name.contains('{') {
                "git"
            } else {
                name
            };
            format!("{assigned}{name} {}{redirection}", words.join(" "))
        });
    simple.prop_recursive(5, 40, 3, |inner| {
        let list = prop::collection::vec(inner.clone(), 1..3).prop_map(|items| items.join("; "));
        prop_oneof![
            (
                inner.clone(),
                prop::sample::select(vec![" && ", " || ", " | ", "; ", "\n", " & ", " |& "]),
                inner.clone()
            )
                .prop_map(|(left, joint, right)| format!("{left}{joint}{right}")),
            list.clone().prop_map(|list| format!("( {list})")),
            list.clone().prop_map(|list| format!("{{ {list}; }}")),
            list.clone().prop_map(|list| format!("$( {list})")),
            list.clone()
                .prop_map(|list| format!("echo \"$( {list})\" x")),
            (list.clone(), list.clone()).prop_map(|(a, b)| format!("if {a}; then {b}; fi")),
            (list.clone(), list.clone())
                .prop_map(|(a, b)| format!("if {a}\nthen {b}\nelse {b}\nfi >x")),
            (list.clone(), list.clone()).prop_map(|(a, b)| format!("while {a}; do {b}; done")),
            list.clone()
                .prop_map(|a| format!("for i in 1 2; do {a}; done | cat")),
            list.clone()
                .prop_map(|a| format!("case $x in a|b) {a};; (*) {a}; esac")),
            list.clone().prop_map(|a| format!("f() {{ {a}; }}")),
            inner.prop_map(|a| format!("cat <<X; {a}\n$(date) `ls` ${{x:-$y}}\nX\n")),
            list.prop_map(|a| format!("cat <<'E' | bash\n{a}\nE\n")),
        ]
    })
}

/// `PROPTEST_CASES` for a long run.
pub fn cases() -> u32 {
    std::env::var("PROPTEST_CASES")
        .ok()
        .and_then(|count| count.parse().ok())
        .unwrap_or(1500)
}

/// The effects of a line for a user `dev` in `folder`.
pub fn effects_of(folder: &str, line: &str) -> guard_shell::Effects {
    let context = guard_shell::Context {
        folder,
        home: Some("/home/dev"),
        environment: &|_| None,
        program: &|_| None,
    };
    guard_shell::effects(&guard_shell::parse(line), &context)
}

/// The lines of a fixture file with the folder they run in. `¶` stands for a line end; `# ` begins a comment and
/// `@ ` names the folder for the lines that follow.
pub fn fixtures(text: &str) -> Vec<(String, String)> {
    let mut folder = String::new();
    let mut found = Vec::new();
    for line in text.lines() {
        if let Some(name) = line.strip_prefix("@ ") {
            folder = name.to_owned();
        } else if !line.starts_with("# ") && !line.is_empty() {
            found.push((folder.clone(), line.replace('¶', "\n")));
        }
    }
    found
}
