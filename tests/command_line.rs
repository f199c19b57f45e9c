//! The commands for people.

mod common;

use common::{CONVERSATION, World};
use serde_json::json;

#[test]
fn help_and_version_are_printed() {
    let world = World::new();
    for argument in ["--help", "-h", "help"] {
        let (out, err, status) = world.run(&[argument], b"");
        assert_eq!((err.as_str(), status), ("", 0));
        for command in [
            "explain",
            "state show",
            "state reset",
            "install",
            "status",
            "transcript",
            "mcp",
            "report",
            "config show",
        ] {
            assert!(out.contains(command), "{command} in {out}");
        }
    }
    for argument in ["--version", "-V"] {
        let (out, _, status) = world.run(&[argument], b"");
        assert_eq!(status, 0);
        assert_eq!(
            out,
            format!("execution-guard {}\n", env!("CARGO_PKG_VERSION"))
        );
    }
}

#[test]
fn each_command_tells_its_usage() {
    let world = World::new();
    let usage = world.run(&["--help"], b"").0;
    for arguments in [
        &["install", "--help"][..],
        &["install", "--workspace", "nowhere", "-h"],
        &["explain", "--help"],
        &["state", "show", "--help"],
        &["mcp", "--help"],
    ] {
        let ran = world.run(arguments, b"");
        assert_eq!(ran, (usage.clone(), String::new(), 0), "{arguments:?}");
    }
}

#[test]
fn wrong_usage_exits_2_and_names_the_help() {
    let world = World::new();
    for arguments in [
        &["frobnicate"][..],
        &["--frobnicate"],
        &["state"],
        &["state", "drop"],
        &["state", "show", "--all"],
        &["state", "reset", "--conversation"],
        &["explain", "more"],
    ] {
        let (out, err, status) = world.run(arguments, b"");
        assert_eq!((out.as_str(), status), ("", 2), "{arguments:?}");
        assert!(err.contains("\"execution-guard --help\""), "{err}");
    }
}

#[test]
fn explain_tells_layer_by_layer_what_is_decided_and_changes_no_state() {
    let mut world = World::new();
    world.poll().is("allow");
    let before = world.run(&["state", "show"], b"").0;
    let payload = world
        .payload("manage_task", json!({"Action": "status"}))
        .to_string();
    let (out, err, status) = world.run(&["explain"], payload.as_bytes());
    assert_eq!((err.as_str(), status), ("", 0));
    for part in [
        "call      manage_task",
        "pass      transcript guard",
        "lifecycle",
        "answer    {",
    ] {
        assert!(out.contains(part), "{part} in {out}");
    }
    assert_eq!(world.run(&["state", "show"], b"").0, before);
}

#[test]
fn explain_shows_changes_and_what_it_cannot_read() {
    let mut world = World::new();
    let payload = world
        .payload("run_command", json!({"CommandLine": "make"}))
        .to_string();
    let (out, _, _) = world.run(&["explain"], payload.as_bytes());
    assert!(out.contains("WaitMsBeforeAsync becomes 10000"), "{out}");
    let (out, _, status) = world.run(&["explain"], b"{\"toolCall\":{\"name\":\"run_command\"");
    assert_eq!(status, 0);
    assert!(
        out.contains("can't be read") && out.contains("\"deny\""),
        "{out}"
    );
    let (out, _, _) = world.run(&["explain"], b"{\"toolCall\":{\"name\":\"other\"}}");
    assert!(out.contains("allowed, always"), "{out}");
}

#[test]
fn state_shows_and_resets_ledgers() {
    let mut world = World::new();
    assert!(world.run(&["state", "show"], b"").0.contains("no ledger"));
    world.poll().is("allow");
    world.poll().is("deny");
    let (out, _, _) = world.run(&["state", "show"], b"");
    for part in [
        CONVERSATION,
        "checks allowed  1",
        "strikes         1",
        "breaker         closed",
        "task-18",
    ] {
        assert!(out.contains(part), "{part} in {out}");
    }
    let (out, _, _) = world.run(&["state", "show", "--conversation", "other"], b"");
    assert!(out.contains("no ledger"), "{out}");
    let (out, _, status) = world.run(&["state", "reset", "--conversation", CONVERSATION], b"");
    assert_eq!((out, status), (format!("{CONVERSATION} starts anew\n"), 0));
    world.poll().is("allow");
}

#[test]
fn a_folder_that_cannot_be_used_is_named_with_status_1() {
    let world = World::new();
    std::fs::write(world.state_dir(), "a file").unwrap();
    let (_, err, status) = world.run(&["state", "show"], b"");
    assert_eq!(status, 1);
    assert!(err.contains(world.state_dir().to_str().unwrap()), "{err}");
}
