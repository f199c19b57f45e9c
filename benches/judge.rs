//! One call in process, each kind of tool: what the judgement itself costs.
//!
//! The whole process, which is what a user waits for, is measured by `process.rs`.

use std::collections::BTreeMap;
use std::fs;
use std::hint::black_box;
use std::path::Path;

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use execution_guard::config::Config;
use execution_guard::environment::Environment;
use execution_guard::hosts::{self, Incoming};
use execution_guard::layers::judge;
use execution_guard::machine::{Clock, LedgerMode, Machine};
use execution_guard::zones::Names;
use serde_json::{Value, json};

/// Judges the bytes of one call as the hook does, without the process around it.
fn answer(bytes: &[u8], machine: &Machine) -> String {
    let incoming = hosts::read(bytes);
    let Incoming::Governed(call) = &incoming else {
        panic!("a governed call");
    };
    let verdict = judge(call, machine).verdict;
    hosts::write(&incoming, &verdict, machine.config.pass_through)
}

fn payload(root: &Path, tool: &str, args: Value) -> Vec<u8> {
    let brain = root.join(".gemini/antigravity/brain/c1");
    let payload = json!({
        "toolCall": {"name": tool, "args": args},
        "stepIdx": 19,
        "conversationId": "c1",
        "workspacePaths": [root.join("workspace")],
        "transcriptPath": brain.join(".system_generated/logs/transcript.jsonl"),
        "artifactDirectoryPath": brain,
        "modelName": "auto",
    });
    payload.to_string().into_bytes()
}

fn machine(root: &Path) -> Machine {
    let variables = BTreeMap::from([
        ("HOME".to_owned(), root.into()),
        (
            "EXECUTION_GUARD_STATE_DIR".to_owned(),
            root.join("state").into(),
        ),
        ("PATH".to_owned(), root.join("bin").into()),
    ]);
    Machine {
        clock: Clock::Given("2026-11-30T16:00:00Z".parse().unwrap()),
        environment: Environment::Given(variables),
        config: Config::default(),
        names: Names::native(),
        ledger: LedgerMode::Write,
    }
}

fn one_call(criterion: &mut Criterion) {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let workspace = root.join("workspace");
    fs::create_dir_all(&workspace).unwrap();
    let long = workspace.join("long.rs");
    fs::write(&long, "fn line() {}\n".repeat(2000)).unwrap();
    let bulk = "x".repeat(1500);
    let calls = [
        (
            "run_command",
            json!({"CommandLine": "cargo test --workspace", "Cwd": workspace}),
        ),
        (
            "run_command 2 KB",
            json!({"CommandLine": format!("echo {bulk}"), "Cwd": workspace}),
        ),
        (
            "view_file bounded",
            json!({"AbsolutePath": long, "StartLine": 1, "EndLine": 99}),
        ),
        ("view_file whole", json!({"AbsolutePath": long})),
        (
            "grep_search",
            json!({"SearchPath": workspace, "Query": "fn main", "Includes": ["*.rs"]}),
        ),
        (
            "write_to_file 2 KB",
            json!({"TargetFile": long, "CodeContent": bulk}),
        ),
        (
            "manage_task status",
            json!({"Action": "status", "TaskId": "task-18"}),
        ),
        (
            "schedule",
            json!({"Prompt": "Check the build", "DurationSeconds": 600}),
        ),
    ];
    let machine = machine(root);
    let mut step = 0;
    let mut group = criterion.benchmark_group("judge");
    for (name, args) in calls {
        let tool = name.split(' ').next().unwrap_or(name);
        let bytes = payload(root, tool, args);
        group.bench_function(name, |bencher| {
            // Each is a call of its own: the same one again would be answered from the ledger.
            bencher.iter_batched(
                || {
                    step += 1;
                    let text = String::from_utf8(bytes.clone()).unwrap();
                    text.replace("\"stepIdx\":19", &format!("\"stepIdx\":{step}"))
                        .into_bytes()
                },
                |bytes| answer(black_box(&bytes), &machine),
                BatchSize::SmallInput,
            );
        });
    }
    group.finish();
}

criterion_group!(benches, one_call);
criterion_main!(benches);
