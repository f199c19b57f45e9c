//! The oracles: what bash itself says of a line.
#![allow(dead_code)]

use std::process::{Command, Stdio};

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
            let record: serde_json::Value = serde_json::from_str(line).expect("the corpus is JSON lines");
            let field = |name: &str| record[name].as_str().unwrap_or("").to_owned();
            (field("line"), field("shell"))
        })
        .collect()
}
