//! The managed sandbox: only `deny` stops a call, there is no dialogue and no changed argument.

mod common;

use common::World;
use serde_json::{Value, json};

fn answer(world: &World, tool: &str, args: &Value) -> Value {
    let payload = json!({"tool_call": {"name": tool, "args": args}, "environment_id": "env_1"});
    let (out, _, status) = world.run(&[], payload.to_string().as_bytes());
    assert_eq!(status, 0);
    serde_json::from_str(&out).unwrap()
}

#[test]
fn an_allowed_call_gets_the_word_and_nothing_else() {
    let world = World::with_tools(&["rtk"]);
    for (tool, args) in [
        (
            "code_execution",
            json!({"code": "git status", "language": "bash"}),
        ),
        (
            "code_execution",
            json!({"code": "print(1)", "language": "python"}),
        ),
        ("list_files", json!({})),
        ("write_file", json!({"path": "src/main.rs", "content": "x"})),
        ("some_other_tool", json!({})),
    ] {
        assert_eq!(
            answer(&world, tool, &args),
            json!({"decision": "allow"}),
            "{tool}"
        );
    }
}

#[test]
fn what_would_be_asked_elsewhere_is_denied_with_what_to_tell_the_user() {
    let world = World::new();
    for tool in ["write_file", "delete_file"] {
        let answer = answer(&world, tool, &json!({"path": "/w/benchmarks/run.py"}));
        assert_eq!(answer["decision"], "deny");
        let reason = answer["reason"].as_str().unwrap();
        assert!(reason.contains("tell the user"), "{reason}");
    }
}

#[test]
fn transcripts_are_guarded() {
    let world = World::new();
    let path = world.transcript();
    assert_eq!(
        answer(&world, "read_file", &json!({"path": path}))["decision"],
        "deny"
    );
}

#[test]
fn files_are_read_as_they_are() {
    let world = World::with_tools(&["rtk"]);
    let path = world.file("long.rs", "// line\n".repeat(1000));
    assert_eq!(
        answer(&world, "read_file", &json!({"path": path})),
        json!({"decision": "allow"})
    );
}

#[test]
fn a_report_of_a_call_that_ran_is_answered_with_an_empty_object() {
    let world = World::new();
    let failed = json!({"tool_call": {"name": "delete_file", "args": {"path": "/w/benchmarks/x"}},
        "environment_id": "env_1", "error": "no such file"});
    let (out, _, _) = world.run(&[], failed.to_string().as_bytes());
    assert_eq!(out, "{}\n");
}

#[test]
fn a_call_with_an_empty_error_is_still_judged() {
    let world = World::new();
    for error in [json!(null), json!(""), json!(false), json!({})] {
        let call = json!({"tool_call": {"name": "delete_file", "args": {"path": "/w/benchmarks/x"}},
            "environment_id": "env_1", "error": error});
        let (out, _, _) = world.run(&[], call.to_string().as_bytes());
        assert!(out.contains(r#""decision":"deny""#), "{error}: {out}");
    }
}

#[test]
fn the_registration_is_not_the_agents_to_take_out() {
    let world = World::new();
    for code in [
        "rm -rf /project/.agents",
        "mv /project/.agents /tmp/zz",
        "rm /project/.agents/*",
        "find /project/.agents -delete",
        "echo '{}' > /project/.agents/hooks.json",
        "rm -rf /.agents",
    ] {
        let answer = answer(
            &world,
            "code_execution",
            &json!({"code": code, "language": "bash"}),
        );
        assert_eq!(answer["decision"], "deny", "{code}");
    }
    for code in [
        "ls /project/.agents",
        "cat /project/.agents/hooks.json",
        "mkdir -p /project/.agents/rules",
        "rm -rf /project/.agents/rules",
    ] {
        let answer = answer(
            &world,
            "code_execution",
            &json!({"code": code, "language": "bash"}),
        );
        assert_eq!(answer["decision"], "allow", "{code}");
    }
}
