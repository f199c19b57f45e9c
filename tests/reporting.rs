//! `execution-guard report`: from what the hook logged to what the user sees.

mod common;
#[path = "../rtk/tests/common/rtk.rs"]
mod rtk;

use std::fs;
use std::process::{Command, Stdio};

use common::{CONVERSATION, World, binary};
use serde_json::{Value, json};

/// A world in which something was decided.
fn busy() -> World {
    let mut world = World::with_tools(&["rtk", "rg"]);
    let long = world.file("long.rs", "fn line() {}\n".repeat(400));
    for _ in 0..3 {
        world.hook("run_command", json!({"CommandLine": "git status"}));
    }
    world.hook("view_file", json!({"AbsolutePath": long}));
    for _ in 0..6 {
        world.hook("manage_task", json!({"Action": "status"}));
    }
    world
}

fn as_json(world: &World, arguments: &[&str]) -> Value {
    let (out, err, status) = world.run(&[&["report", "--json"], arguments].concat(), b"");
    assert_eq!((err.as_str(), status), ("", 0));
    serde_json::from_str(&out).unwrap()
}

#[test]
fn what_the_hook_decided_is_reported() {
    let report = as_json(&busy(), &[]);
    assert_eq!(
        report["totals"],
        json!({"rewritten": 3, "waits_raised": 3, "routed": 1, "polls_denied": 4, "breakers_tripped": 1,
               "transcripts_guarded": 0, "asked": 1})
    );
    assert_eq!(
        (&report["decisions"], &report["conversations"]),
        (&json!(9), &json!(1))
    );
    assert_eq!(report["log"]["damaged"], 0);
    assert_eq!(report["days"].as_array().unwrap().len(), 7);
}

#[test]
fn planned_calls_are_counted_in_the_transcripts() {
    let world = busy();
    let calls = json!([{"name": "run_command", "args": {}}, {"name": "browser_click", "args": {}}]);
    world.record(
        &json!({"step_index": 1, "source": "MODEL", "type": "PLANNER_RESPONSE", "status": "DONE",
        "created_at": chrono::Utc::now().to_rfc3339(), "tool_calls": calls}),
    );
    let planned = &as_json(&world, &["--since", "24h"])["planned"];
    assert_eq!(
        (&planned["calls"], &planned["conversations"]),
        (&json!(1), &json!(1)),
        "{CONVERSATION}"
    );
}

#[test]
fn a_pipe_gets_plain_ascii_of_eighty_columns_at_most() {
    let (out, err, status) = busy().run(&["report"], b"");
    assert_eq!((err.as_str(), status), ("", 0));
    assert!(out.is_ascii(), "{out}");
    assert!(
        out.contains("commands rewritten") && out.contains("###"),
        "{out}"
    );
    let figures = out.lines().filter(|line| !line.contains("note:"));
    assert!(figures.clone().all(|line| line.len() <= 80), "{out}");
}

#[test]
fn a_locale_with_utf_8_gets_finer_bars() {
    let world = busy();
    let mut command = Command::new(binary());
    let output = command
        .arg("report")
        .env_clear()
        .env("HOME", world.home())
        .env("EXECUTION_GUARD_STATE_DIR", world.state_dir())
        .env("LANG", "C.UTF-8")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert!(String::from_utf8(output.stdout).unwrap().contains('█'));
}

#[test]
fn the_page_is_written_where_the_user_says() {
    let world = busy();
    let file = world.root().join("report.html");
    let (out, err, status) = world.run(&["report", "--html", file.to_str().unwrap()], b"");
    assert_eq!((out.as_str(), err.as_str(), status), ("", "", 0));
    let page = fs::read_to_string(&file).unwrap();
    assert!(page.starts_with("<!DOCTYPE html>") && page.contains("commands rewritten"));
    let nowhere = world.root().join("none/report.html");
    let (_, err, status) = world.run(&["report", "--html", nowhere.to_str().unwrap()], b"");
    assert_eq!(status, 1);
    assert!(
        err.contains("none/report.html") && err.contains("name a file"),
        "{err}"
    );
}

#[test]
fn nothing_logged_is_a_report_too() {
    let world = World::new();
    let report = as_json(&world, &[]);
    assert_eq!(
        (&report["decisions"], &report["latency"]),
        (&json!(0), &json!(null))
    );
    let (out, _, status) = world.run(&["report"], b"");
    assert!(
        out.contains("no decision was logged") && status == 0,
        "{out}"
    );
    assert!(!world.state_dir().exists());
}

#[test]
fn wrong_usage_exits_2() {
    let world = World::new();
    for arguments in [
        &["report", "--since"][..],
        &["report", "--since", "soon"],
        &["report", "--since", "9999d"],
        &["report", "more"],
        &["config"],
        &["config", "drop"],
        &["config", "show", "more"],
    ] {
        let (out, err, status) = world.run(arguments, b"");
        assert_eq!((out.as_str(), status), ("", 2), "{arguments:?}");
        assert!(err.contains("\"execution-guard --help\""), "{err}");
    }
}

#[test]
fn a_failing_rtk_costs_only_its_own_figure() {
    // The rtk of this world exits with 1, whatever it is asked.
    let report = as_json(&busy(), &[]);
    assert_eq!(report["tokens"], json!(null));
    assert!(
        report["tokens_missing"]
            .as_str()
            .unwrap()
            .contains("failed"),
        "{report}"
    );
}

#[test]
fn tokens_are_what_the_real_rtk_says() {
    let mut world = World::new();
    let rtk = rtk::path();
    let path = [
        rtk.parent().unwrap().to_owned(),
        "/usr/bin".into(),
        "/bin".into(),
    ];
    world.path = std::env::join_paths(path).unwrap();
    let run = |arguments: &[&str]| {
        let mut command = Command::new(&rtk);
        command
            .args(arguments)
            .env_clear()
            .env("HOME", world.home())
            .env("PATH", &world.path);
        let output = command
            .current_dir(world.workspace())
            .stdin(Stdio::null())
            .output()
            .unwrap();
        assert!(output.status.success(), "{output:?}");
    };
    fs::create_dir_all(world.home()).unwrap();
    let before = as_json(&world, &[]);
    assert_eq!(before["tokens"]["commands"], 0, "{before}");
    let file = world.file("long.txt", "one line of many\n".repeat(400));
    run(&["read", &file]);
    let after = as_json(&world, &[]);
    assert_eq!(after["tokens"]["commands"], 1, "{after}");
    assert!(after["tokens"]["input"].as_u64().unwrap() > 0, "{after}");
}
