//! The log of a running task is closed to every native tool; that of an ended one is read by rtk.

mod common;

use std::fs::{self, File};
use std::time::{Duration, SystemTime};

use common::World;
use serde_json::json;

fn age(path: &str, seconds: u64) {
    let file = File::options().write(true).open(path).unwrap();
    file.set_modified(SystemTime::now() - Duration::from_secs(seconds))
        .unwrap();
}

#[test]
fn a_running_log_is_refused_by_every_tool_with_a_countdown_and_a_strike() {
    let mut world = World::with_tools(&["rtk"]);
    let task = world.launch("make");
    let log = world.log(task);
    world.poll().is("allow");
    let refused = world.call(
        "view_file",
        json!({"AbsolutePath": log, "StartLine": 1, "EndLine": 5}),
    );
    assert!(
        refused
            .is("deny")
            .reason()
            .contains("in 30 s (strike 1 of 5)"),
        "{}",
        refused.reason()
    );
    world.call("read_file", json!({"path": log})).is("deny");
    world
        .call("read_many_files", json!({"paths": ["/etc/hosts", log]}))
        .is("deny");
    world
        .call("grep_search", json!({"SearchPath": log, "Query": "error"}))
        .is("deny");
    world
        .call(
            "view_file",
            json!({"AbsolutePath": format!("file://{log}")}),
        )
        .is("force_ask");
}

#[test]
fn a_silent_running_task_is_running_however_old_its_log() {
    let mut world = World::with_tools(&["rtk"]);
    let task = world.launch("make");
    let log = world.log(task);
    age(&log, 100_000);
    let refused = world.call("view_file", json!({"AbsolutePath": log}));
    assert!(
        refused.is("deny").reason().contains("running task"),
        "{}",
        refused.reason()
    );
}

#[test]
fn the_log_of_an_ended_task_is_read_through_rtk() {
    let mut world = World::with_tools(&["rtk"]);
    let task = world.launch("make");
    world.end(task);
    let log = world.log(task);
    let refused = world.call("view_file", json!({"AbsolutePath": log}));
    assert_eq!(refused.is("deny").commands(), [format!("rtk read {log}")]);
    world.poll().is("allow");
}

#[test]
fn without_rtk_the_log_of_an_ended_task_is_read_natively() {
    let mut world = World::new();
    let task = world.launch("make");
    world.end(task);
    let log = world.log(task);
    world
        .call("view_file", json!({"AbsolutePath": log}))
        .is("allow");
}

#[test]
fn where_the_transcript_says_nothing_a_quiet_log_is_an_ended_one() {
    let mut world = World::with_tools(&["rtk"]);
    let log = world.log(7);
    fs::write(&log, "x").unwrap();
    let since_then = SystemTime::now().duration_since(SystemTime::from(world.now()));
    world.wait(since_then.map_or(0, |time| time.as_secs() as i64));
    age(&log, 10);
    let refused = world.call("view_file", json!({"AbsolutePath": log}));
    assert!(
        refused.is("deny").reason().contains("running task"),
        "{}",
        refused.reason()
    );
    age(&log, 20);
    let refused = world.call("view_file", json!({"AbsolutePath": log}));
    assert_eq!(
        refused.is("deny").commands().len(),
        1,
        "{}",
        refused.reason()
    );
}

#[test]
fn the_transcript_that_counts_is_that_of_the_logs_own_conversation() {
    let mut world = World::with_tools(&["rtk"]);
    let task = world.launch("make");
    let other = world.artifacts().with_file_name("other");
    fs::create_dir_all(other.join(".system_generated/tasks")).unwrap();
    let log = other.join(format!(".system_generated/tasks/task-{task}.log"));
    fs::write(&log, "x").unwrap();
    age(log.to_str().unwrap(), 100);
    world.wait(1_000_000);
    let refused = world.call("view_file", json!({"AbsolutePath": log}));
    assert_eq!(
        refused.is("deny").commands().len(),
        1,
        "{}",
        refused.reason()
    );
}

#[test]
fn a_repositorys_own_logs_are_its_own() {
    let mut world = World::with_tools(&["rtk"]);
    world.launch("make");
    let worker = world.file("tasks/worker.log", "x\n");
    world
        .call("view_file", json!({"AbsolutePath": worker}))
        .is("allow");
    let task = world.file("tasks/task-100.log", "x\n");
    world
        .call("view_file", json!({"AbsolutePath": task}))
        .is("allow");
}

#[test]
fn the_short_name_of_a_log_is_the_conversations() {
    let mut world = World::with_tools(&["rtk"]);
    let task = world.launch("make");
    let refused = world.call(
        "view_file",
        json!({"AbsolutePath": format!("tasks/task-{task}.log")}),
    );
    assert!(
        refused.is("deny").reason().contains("running task"),
        "{}",
        refused.reason()
    );
}

#[test]
fn a_log_that_does_not_exist_is_the_tools_to_report() {
    let mut world = World::with_tools(&["rtk"]);
    let log = world.log(77);
    world
        .call("view_file", json!({"AbsolutePath": log}))
        .is("allow");
}

#[test]
fn an_ended_log_that_passes_hides_no_running_one_behind_it() {
    let mut world = World::new();
    let ended = world.launch("make");
    world.end(ended);
    let running = world.launch("make test");
    let (ended, running) = (world.log(ended), world.log(running));
    world
        .call("read_many_files", json!({"paths": [ended, running]}))
        .is("deny");
    let line = format!("cat {ended} {running}");
    world
        .call("run_command", json!({"CommandLine": line}))
        .is("deny");
}
