//! Whatever arrives: one JSON object with a decision on standard output, status 0.

mod common;

use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use common::{World, binary};
use serde_json::{Value, json};

fn decide(world: &World, input: &[u8]) -> Value {
    let (out, err, status) = world.run(&[], input);
    assert_eq!(status, 0, "{err}");
    assert_eq!(err, "");
    assert_eq!(out.lines().count(), 1, "{out}");
    let answer: Value = serde_json::from_str(&out).unwrap();
    if answer["decision"] != "allow" {
        assert!(!answer["reason"].as_str().unwrap().is_empty(), "{out}");
    }
    answer
}

#[track_caller]
fn assert_decides(input: &[u8], decision: &str) {
    let answer = decide(&World::new(), input);
    assert_eq!(answer["decision"], decision, "{answer}");
}

#[test]
fn every_recorded_payload_gets_its_answer() {
    let recorded = include_str!("data/pre_tool_use.jsonl");
    let world = World::new();
    let mut decided = Vec::new();
    for line in recorded.lines() {
        let payload: Value = serde_json::from_str(line).unwrap();
        let answer = decide(&world, line.as_bytes());
        let tool = payload["toolCall"]["name"].as_str().unwrap().to_owned();
        let wait_ms = answer["overwrite"]["WaitMsBeforeAsync"].as_u64();
        decided.push((
            tool,
            answer["decision"].as_str().unwrap().to_owned(),
            wait_ms,
        ));
    }
    let expected = [
        ("run_command", "allow", Some(10_000)),
        ("view_file", "allow", None),
        ("view_file", "allow", None),
        ("grep_search", "allow", None),
        ("find_by_name", "allow", None),
        ("list_dir", "allow", None),
        ("write_to_file", "allow", None),
        ("replace_file_content", "allow", None),
        ("run_command", "allow", Some(10_000)),
        ("run_command", "allow", Some(10_000)),
        ("run_command", "allow", Some(10_000)),
        ("manage_task", "allow", None),
        ("manage_task", "deny", None),
        ("schedule", "allow", None),
        ("manage_task", "allow", None),
    ];
    let decided: Vec<_> = decided
        .iter()
        .map(|(t, d, w)| (t.as_str(), d.as_str(), *w))
        .collect();
    assert_eq!(decided, expected);
}

#[test]
fn what_is_no_call_is_allowed() {
    for input in [
        "",
        " \n",
        "{}",
        "[]",
        "null",
        "42",
        "\"text\"",
        "not json",
        "{\"toolCall\":{\"name\":\"browser_click\",\"args\":{}}}",
        "{\"toolCall\":{\"name\":\"browser_click\",\"args\":",
        "{\"toolCall\":{\"args\":{}}}",
        "{\"toolCall\":null}",
        "{\"toolCall\":{\"name\":\"my_run_command\",\"args\":[[[",
    ] {
        assert_decides(input.as_bytes(), "allow");
    }
}

#[test]
fn a_governed_call_that_cannot_be_read_is_refused() {
    for input in [
        r#"{"toolCall":{"name":"run_command","args":{"CommandLine":"ls""#,
        r#"{"toolCall":{"name":"run_command","args":{}}}"#,
        r#"{"toolCall":{"name":"run_command"}}"#,
        r#"{"toolCall":{"name":"run_command","args":[]}}"#,
        r#"{"toolCall":{"name":"run_command","args":{"CommandLine":["ls"]}}}"#,
        r#"{"toolCall":{"name":"run_command","args":{"CommandLine":"ls","CommandLine":"rm"}}}"#,
        r#"{"toolCall":{"name":"view_file","name":"x","args":{}}}"#,
        r#"{"toolCall":{"name":"run_command","args":{"CommandLine":"ls"}}} trailing"#,
        r#"{"toolCall":{"name":"run_command","args":{"CommandLine":"ls"}},}"#,
        r#"{"toolCall":{"name":"x","args":{}},"tool_call":{"name":"run_command","args":{}}}"#,
        r#"{"toolCall":{"name":"RUN\u005fCOMMAND","args":{}}}"#,
        r#"{"toolCall":{"name":"manage_task","args":{"TaskId":"x"}}}"#,
        r#"{"toolCall":{"name":"view_file","args":{"StartLine":1}}}"#,
    ] {
        assert_decides(input.as_bytes(), "deny");
    }
}

#[test]
fn bytes_that_are_not_utf8_are_judged_by_the_tool_they_name() {
    assert_decides(b"\xff\xfe\x00", "allow");
    assert_decides(
        b"{\"toolCall\":{\"name\":\"run_command\",\"args\":{\"CommandLine\":\"\xff\"}}}",
        "deny",
    );
    assert_decides(
        b"{\"toolCall\":{\"name\":\"other\",\"args\":{\"CommandLine\":\"\xff\"}}}",
        "allow",
    );
}

#[test]
fn a_byte_order_mark_is_no_content() {
    let input =
        b"\xEF\xBB\xBF{\"toolCall\":{\"name\":\"run_command\",\"args\":{\"CommandLine\":\"ls\"}}}";
    assert_decides(input, "allow");
}

#[test]
fn deep_nesting_is_answered() {
    let brackets = "[".repeat(200_000);
    assert_decides(brackets.as_bytes(), "allow");
    let call = format!(r#"{{"toolCall":{{"name":"run_command","args":{{"CommandLine":{brackets}"#);
    assert_decides(call.as_bytes(), "deny");
    let closed = "]".repeat(200_000);
    let ignored = format!(
        r#"{{"x":{brackets}{closed},"toolCall":{{"name":"run_command","args":{{"CommandLine":"ls","y":{brackets}{closed}}}}}}}"#
    );
    assert_decides(ignored.as_bytes(), "allow");
}

#[test]
fn eight_megabytes_of_content_are_answered() {
    let content = "line of text with \"quotes\"\n".repeat(8 << 20 >> 5);
    let payload = json!({"toolCall": {"name": "write_to_file", "args": {"TargetFile": "/w/a.txt", "CodeContent": content}}});
    assert_decides(payload.to_string().as_bytes(), "allow");
    let payload = json!({"toolCall": {"name": "write_to_file", "args": {"CodeContent": content, "TargetFile": "/w/benchmarks/a"}}});
    assert_decides(payload.to_string().as_bytes(), "force_ask");
}

#[test]
fn changed_arguments_go_back_under_the_hosts_keys_with_the_hosts_types() {
    let world = World::new();
    let input = r#"{"toolCall":{"name":"run_command","args":{"commandLine":"\"ls -la\"","waitMsBeforeAsync":"500","IsDaemon":"false"}}}"#;
    let answer = decide(&world, input.as_bytes());
    assert_eq!(answer["overwrite"], json!({"waitMsBeforeAsync": 10_000}));
}

#[test]
fn the_wait_is_raised_where_it_is_missing_unreadable_or_smaller() {
    let mut world = World::new();
    for wait in [
        json!(null),
        json!(500),
        json!("9999"),
        json!("soon"),
        json!([1]),
        json!(-1),
    ] {
        let answer = world.call(
            "run_command",
            json!({"CommandLine": "make", "WaitMsBeforeAsync": wait}),
        );
        assert_eq!(
            *answer.is("allow").overwrite(),
            json!({"WaitMsBeforeAsync": 10_000}),
            "{wait}"
        );
    }
    for args in [
        json!({"CommandLine": "make", "WaitMsBeforeAsync": 10_000}),
        json!({"CommandLine": "make", "WaitMsBeforeAsync": 20_000}),
        json!({"CommandLine": "make", "IsDaemon": true}),
        json!({"CommandLine": "make", "IsDaemon": "true", "WaitMsBeforeAsync": 1}),
    ] {
        let answer = world.call("run_command", args);
        assert_eq!(*answer.is("allow").overwrite(), Value::Null);
    }
}

/// Spawns the hook with a pipe that stays open, and gives its answer and how long it took.
fn with_open_stdin(input: &[u8]) -> (Value, Duration) {
    let world = World::new();
    let start = Instant::now();
    let mut child = world.spawn(&[]);
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(input).unwrap();
    let mut out = String::new();
    child
        .stdout
        .take()
        .unwrap()
        .read_to_string(&mut out)
        .unwrap();
    assert!(child.wait().unwrap().success());
    drop(stdin);
    (serde_json::from_str(&out).unwrap(), start.elapsed())
}

#[test]
fn a_pipe_that_stays_open_is_answered_when_the_value_is_complete() {
    let call = br#"{"toolCall":{"name":"run_command","args":{"CommandLine":"echo }"}}}"#;
    let (answer, took) = with_open_stdin(call);
    assert_eq!(answer["decision"], "allow");
    assert!(took < Duration::from_secs(2), "not after the deadline");
}

#[test]
fn a_pipe_that_stays_open_in_the_middle_is_answered_at_the_deadline() {
    let (answer, _) = with_open_stdin(br#"{"toolCall":{"name":"run_command","args":{"#);
    assert_eq!(answer["decision"], "deny");
    let (answer, _) = with_open_stdin(b"");
    assert_eq!(answer["decision"], "allow");
}

#[cfg(unix)]
#[test]
fn closed_ends_and_an_empty_environment_are_survived() {
    let run = |redirections: &str| {
        let script = format!("exec \"$0\" {redirections}");
        let payload = json!({"toolCall": {"name": "manage_task", "args": {"Action": "status"}}});
        let mut child = Command::new("/bin/sh")
            .args(["-c", &script, binary()])
            .env_clear()
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let _ = child
            .stdin
            .take()
            .unwrap()
            .write_all(payload.to_string().as_bytes());
        child.wait_with_output().unwrap()
    };
    let closed_out = run(">&-");
    assert!(closed_out.status.success());
    let full = run(">/dev/full");
    assert!(full.status.success());
    let closed_in = run("<&-");
    assert!(closed_in.status.success());
    assert_eq!(closed_in.stdout, b"{\"decision\":\"allow\"}\n");
    let bare = run("");
    assert!(bare.status.success());
    let answer: Value = serde_json::from_slice(&bare.stdout).unwrap();
    assert_eq!(answer["decision"], "deny");
    let reason = answer["reason"].as_str().unwrap();
    assert!(reason.contains("EXECUTION_GUARD_STATE_DIR"), "{reason}");
}

#[test]
fn an_ordinary_command_needs_no_home_and_leaves_no_ledger() {
    let world = World::new();
    let (out, _, _) = world.run(
        &[],
        br#"{"toolCall":{"name":"run_command","args":{"CommandLine":"make"}}}"#,
    );
    assert!(out.contains("\"allow\""), "{out}");
    let left = std::fs::read_dir(world.state_dir()).unwrap();
    let left: Vec<_> = left.map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["decisions.jsonl"]);
}

#[test]
fn a_call_in_another_encoding_is_refused_where_it_names_a_governed_tool() {
    let utf16 = |text: &str| -> Vec<u8> {
        let units = std::iter::once(0xfeff).chain(text.encode_utf16());
        units.flat_map(u16::to_le_bytes).collect()
    };
    let call = r#"{"toolCall":{"name":"run_command","args":{"CommandLine":"ls"}}}"#;
    assert_decides(&utf16(call), "deny");
    assert_decides(&utf16(&call.replace("run_command", "browser")), "allow");
}
