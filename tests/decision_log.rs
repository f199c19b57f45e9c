//! The log of decisions: what is told of a call, and that telling it never changes the answer.

mod common;

use std::fs;
use std::path::PathBuf;

use common::{CONVERSATION, World};
use serde_json::{Value, json};

fn log_file(world: &World) -> PathBuf {
    world.state_dir().join("decisions.jsonl")
}

fn lines(world: &World) -> Vec<Value> {
    let text = fs::read_to_string(log_file(world)).unwrap_or_default();
    let lines = text.lines().map(serde_json::from_str);
    lines.collect::<Result<_, _>>().unwrap()
}

#[track_caller]
fn assert_told(line: &Value, tool: &str, layer: &str, decision: &str, kind: &str) {
    let told = ["tool", "layer", "decision", "kind"].map(|key| line[key].as_str().unwrap());
    assert_eq!(told, [tool, layer, decision, kind]);
    assert_eq!(line["conversation"], CONVERSATION);
    assert!(line["step"].is_u64() && line["at"].is_u64(), "{line}");
    assert!(!line["reason"].as_str().unwrap().is_empty(), "{line}");
}

#[test]
fn each_kind_of_decision_is_one_line() {
    let mut world = World::with_tools(&["rtk", "rg"]);
    let long = world.file("long.rs", "fn line() {}\n".repeat(400));
    let benchmark = world.file("benchmarks/speed.py", "x");
    let transcript = world.transcript();
    fs::write(&transcript, "{}\n").unwrap();
    let state = world.state_dir().join("x.json");
    let calls = [
        (
            "run_command",
            json!({"CommandLine": "git status"}),
            "command rewriting",
            "allow",
            "rewritten",
        ),
        (
            "run_command",
            json!({"CommandLine": "./tool"}),
            "synchronous execution",
            "allow",
            "wait_raised",
        ),
        (
            "view_file",
            json!({"AbsolutePath": long}),
            "codebase inspection",
            "deny",
            "routed",
        ),
        (
            "view_file",
            json!({"AbsolutePath": transcript}),
            "transcript guard",
            "deny",
            "transcript_guarded",
        ),
        (
            "edit_file",
            json!({"TargetFile": benchmark}),
            "safeguards",
            "force_ask",
            "benchmark_asked",
        ),
        (
            "write_to_file",
            json!({"TargetFile": state}),
            "safeguards",
            "force_ask",
            "guard_asked",
        ),
        (
            "schedule",
            json!({"Prompt": "check the build", "DurationSeconds": 5}),
            "lifecycle",
            "deny",
            "timer_denied",
        ),
        (
            "schedule",
            json!({"Prompt": "check the build", "DurationSeconds": 600}),
            "lifecycle",
            "allow",
            "timer_carded",
        ),
        ("run_command", json!({}), "arguments", "deny", "unreadable"),
    ];
    for (number, (tool, args, layer, decision, kind)) in calls.into_iter().enumerate() {
        world.hook(tool, args);
        let lines = lines(&world);
        assert_eq!(lines.len(), number + 1, "{kind}");
        assert_told(&lines[number], tool, layer, decision, kind);
    }
    assert_eq!(lines(&world)[0]["wait_raised"], true);
}

#[test]
fn the_way_to_the_breaker_is_told_step_by_step() {
    let mut world = World::new();
    let poll = || json!({"Action": "status", "TaskId": "task-18"});
    for _ in 0..7 {
        world.hook("manage_task", poll());
    }
    let told = |lines: &[Value]| -> Vec<String> {
        let kinds = lines.iter().map(|line| line["kind"].as_str().unwrap());
        kinds.map(str::to_owned).collect()
    };
    let denied = "poll_denied";
    let expected = [
        denied,
        denied,
        denied,
        denied,
        "breaker_tripped",
        "breaker_asked",
    ];
    assert_eq!(told(&lines(&world)), expected);
    world.outcome("ERROR");
    world.hook("manage_task", poll());
    assert_eq!(told(&lines(&world))[6..], ["breaker_declined"]);
}

#[test]
fn what_is_passed_through_is_not_told() {
    let mut world = World::new();
    let short = world.file("short.rs", "fn line() {}\n");
    world.hook("view_file", json!({"AbsolutePath": short}));
    world.hook(
        "manage_task",
        json!({"Action": "kill", "TaskId": "task-18"}),
    );
    world.hook("manage_task", json!({"Action": "status"}));
    world.hook("browser_click", json!({"x": 1}));
    world.hook(
        "run_command",
        json!({"CommandLine": "make", "WaitMsBeforeAsync": 10_000}),
    );
    world.run(&[], b"not JSON");
    assert_eq!(lines(&world), [] as [Value; 0]);
}

#[test]
fn a_call_that_two_registrations_send_is_told_once() {
    let mut world = World::new();
    world.hook("manage_task", json!({"Action": "status"}));
    let payload = world.payload("manage_task", json!({"Action": "status"}));
    for _ in 0..2 {
        let (out, _, _) = world.run(&[], payload.to_string().as_bytes());
        assert!(out.contains("deny"), "{out}");
    }
    assert_eq!(lines(&world).len(), 1);
}

#[test]
fn nothing_of_a_calls_arguments_is_told() {
    let mut world = World::with_tools(&["rtk", "rg"]);
    let secret = "hunter2-SECRET";
    let file = world.file(&format!("{secret}.rs"), format!("{secret}\n").repeat(400));
    let benchmark = world.file(&format!("benchmarks/{secret}.py"), secret);
    let internal = world.internal(&format!("logs/{secret}.jsonl"));
    for (tool, args) in [
        (
            "run_command",
            json!({"CommandLine": format!("git commit -m {secret}")}),
        ),
        (
            "run_command",
            json!({"CommandLine": format!("TOKEN={secret} {secret} --{secret} > {secret}")}),
        ),
        (
            "run_command",
            json!({"CommandLine": format!("cat {}", internal.display())}),
        ),
        (
            "run_command",
            json!({"CommandLine": secret, secret: secret, "commandLine": secret}),
        ),
        ("view_file", json!({"AbsolutePath": file})),
        (
            "grep_search",
            json!({"SearchPath": world.workspace(), "Query": secret}),
        ),
        (
            "write_to_file",
            json!({"TargetFile": benchmark, "CodeContent": secret}),
        ),
        ("manage_task", json!({"Action": "status", "TaskId": secret})),
        ("manage_task", json!({"Action": "status", "TaskId": secret})),
        (
            "schedule",
            json!({"Prompt": format!("check the build {secret}"), "DurationSeconds": 1}),
        ),
        (
            "schedule",
            json!({"Prompt": secret, "CronExpression": secret}),
        ),
    ] {
        world.hook(tool, args);
    }
    world.run(
        &[],
        format!("{{\"toolCall\":{{\"name\":\"run_command\",\"args\":\"{secret}").as_bytes(),
    );
    let text = fs::read_to_string(log_file(&world)).unwrap();
    assert!(text.lines().count() >= 10, "{text}");
    assert!(!text.contains("hunter2"), "{text}");
    let last = lines(&world).pop().unwrap();
    assert_eq!(
        (&last["tool"], &last["kind"]),
        (&json!("unknown"), &json!("unreadable"))
    );
}

#[test]
fn the_log_can_be_switched_off() {
    let mut world = World::new();
    world.configure(r#"{"decision_log": false}"#);
    world.hook("run_command", json!({"CommandLine": "make"}));
    world.run(&[], br#"{"toolCall":{"name":"run_command""#);
    assert!(!world.state_dir().exists());
}

#[test]
fn explain_tells_nothing() {
    let mut world = World::new();
    let payload = world.payload("run_command", json!({"CommandLine": "make"}));
    world.run(&["explain"], payload.to_string().as_bytes());
    assert!(!log_file(&world).exists());
}

#[test]
fn the_sandbox_is_told_with_the_word_that_it_gets() {
    let world = World::new();
    let payload = json!({
        "tool_call": {"name": "write_file", "args": {"path": "/w/benchmarks/speed.py", "content": "x"}},
        "environment_id": "env_1",
    });
    world.run(&[], payload.to_string().as_bytes());
    let line = &lines(&world)[0];
    assert_eq!(line["conversation"], "env_1");
    assert_eq!(
        (&line["decision"], &line["kind"]),
        (&json!("deny"), &json!("benchmark_asked"))
    );
}

#[test]
fn a_log_that_cannot_be_written_changes_no_answer() {
    let mut world = World::new();
    let expected = world.hook("run_command", json!({"CommandLine": "make"}));
    fs::remove_file(log_file(&world)).unwrap();
    fs::create_dir(log_file(&world)).unwrap();
    assert_eq!(
        world.hook("run_command", json!({"CommandLine": "make"})),
        expected
    );
    fs::remove_dir_all(world.state_dir()).unwrap();
    fs::write(world.state_dir(), "a file in the folder's place").unwrap();
    assert_eq!(
        world.hook("run_command", json!({"CommandLine": "make"})),
        expected
    );
}

#[cfg(unix)]
#[test]
fn only_the_user_can_read_the_log() {
    use std::os::unix::fs::PermissionsExt;
    let mut world = World::new();
    world.hook("run_command", json!({"CommandLine": "make"}));
    let mode = |path: PathBuf| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(
        (mode(log_file(&world)), mode(world.state_dir())),
        (0o600, 0o700)
    );
}

#[test]
fn the_log_is_no_ledger() {
    let mut world = World::new();
    world.hook("manage_task", json!({"Action": "status"}));
    world.hook("manage_task", json!({"Action": "status"}));
    fs::write(world.state_dir().join("decisions.jsonl.1"), "{}\n").unwrap();
    let (out, _, status) = world.run(&["state", "show"], b"");
    assert_eq!(
        (out.matches("checks allowed").count(), status),
        (1, 0),
        "{out}"
    );
    let (out, _, _) = world.run(&["state", "reset"], b"");
    assert_eq!(out, "1 conversation starts anew\n");
    assert_eq!(lines(&world).len(), 1);
}

#[test]
fn an_agent_that_would_change_the_log_meets_the_user() {
    let mut world = World::new();
    world.hook("run_command", json!({"CommandLine": "make"}));
    let log = log_file(&world);
    world
        .call(
            "write_to_file",
            json!({"TargetFile": log, "CodeContent": ""}),
        )
        .is("force_ask");
    for line in [
        format!(": > {}", log.display()),
        format!("rm {}", log.display()),
        format!("sed -i d {}", log.display()),
        format!("execution-guard report --html {}", log.display()),
        format!("execution-guard report --json --html={}", log.display()),
    ] {
        world
            .call("run_command", json!({"CommandLine": line}))
            .is("force_ask");
    }
}

#[test]
fn status_tells_of_a_log_that_cannot_be_written() {
    let world = World::new();
    let check = |world: &World| -> Value {
        let (out, err, _) = world.run(&["status", "--json", "--no-others"], b"");
        let status: Value = serde_json::from_str(&out).unwrap_or_else(|_| panic!("{out}{err}"));
        let mut checks = status["checks"].as_array().unwrap().iter();
        checks
            .find(|check| check["name"] == "decision log")
            .unwrap()
            .clone()
    };
    assert_eq!(check(&world)["outcome"], "ok");
    fs::remove_file(log_file(&world)).unwrap();
    fs::create_dir(log_file(&world)).unwrap();
    let found = check(&world);
    assert_eq!(found["outcome"], "warning");
    assert!(
        found["remedy"]
            .as_str()
            .unwrap()
            .contains("move away what is in its place"),
        "{found}"
    );
    assert!(
        found["detail"]
            .as_str()
            .unwrap()
            .contains("decisions.jsonl")
    );
    fs::remove_dir_all(world.state_dir()).unwrap();
    fs::write(world.state_dir(), "a file in the folder's place").unwrap();
    let found = check(&world);
    assert!(
        found["remedy"]
            .as_str()
            .unwrap()
            .contains("make its folder"),
        "{found}"
    );
    world.configure(r#"{"decision_log": false}"#);
    assert!(
        check(&world)["detail"]
            .as_str()
            .unwrap()
            .contains("switched off")
    );
}
