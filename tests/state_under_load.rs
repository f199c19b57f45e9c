//! The ledger under many processes at once, and in every state that a disk can leave it in.

mod common;

use std::fs;
use std::io::{Read, Write};
use std::process::Child;
use std::time::{Duration, Instant};

use common::World;
use serde_json::{Value, json};

/// Starts `count` polling calls and lets them all go at once: each gets the last byte of its call
/// only after all have started.
fn storm(world: &mut World, count: usize) -> Vec<Value> {
    let mut waiting: Vec<(Child, Vec<u8>)> = Vec::new();
    for _ in 0..count {
        let payload = world
            .payload("manage_task", json!({"Action": "status"}))
            .to_string();
        let mut child = world.spawn(&[]);
        let (last, start) = payload.as_bytes().split_last().unwrap();
        child.stdin.as_mut().unwrap().write_all(start).unwrap();
        waiting.push((child, vec![*last]));
    }
    for (child, last) in &mut waiting {
        child.stdin.take().unwrap().write_all(last).unwrap();
    }
    let answers = waiting.into_iter().map(|(child, _)| {
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success());
        serde_json::from_slice(&output.stdout).unwrap()
    });
    answers.collect()
}

fn count(answers: &[Value], decision: &str) -> usize {
    answers
        .iter()
        .filter(|answer| answer["decision"] == decision)
        .count()
}

#[test]
fn two_hundred_at_once_give_one_allow_four_denials_and_the_rest_ask() {
    let mut world = World::new();
    let answers = storm(&mut world, 200);
    let counts = ["allow", "deny", "force_ask"].map(|decision| count(&answers, decision));
    let other: Vec<_> = answers
        .iter()
        .filter(|a| a["reason"].to_string().contains("ledger"))
        .collect();
    assert_eq!(counts, [1, 4, 195], "{other:?}");
}

#[test]
fn processes_killed_at_any_moment_leave_a_readable_ledger_and_little_else() {
    let mut world = World::new();
    for round in 0..60_u64 {
        let payload = world
            .payload("manage_task", json!({"Action": "status"}))
            .to_string();
        let mut child = world.spawn(&[]);
        child
            .stdin
            .take()
            .unwrap()
            .write_all(payload.as_bytes())
            .unwrap();
        std::thread::sleep(Duration::from_micros(round * 37 % 2500));
        let _ = child.kill();
        child.wait().unwrap();
        let (shown, _, status) = world.run(&["state", "show"], b"");
        assert_eq!(status, 0);
        assert!(!shown.contains("damaged"), "{shown}");
    }
    let answers = storm(&mut world, 1);
    assert_eq!(count(&answers, "force_ask"), 1, "{answers:?}");
    let left: Vec<_> = fs::read_dir(world.state_dir()).unwrap().collect();
    assert!(left.len() < 120, "{} files", left.len());
}

/// The state file of the conversation after one allowed check.
fn state_file(world: &World) -> std::path::PathBuf {
    let mut files = fs::read_dir(world.state_dir())
        .unwrap()
        .map(|entry| entry.unwrap().path());
    files
        .find(|path| path.extension().is_some_and(|e| e == "json"))
        .unwrap()
}

#[test]
fn a_damaged_ledger_is_no_way_to_a_free_check() {
    for damage in [
        b"".as_slice(),
        &[0; 300],
        b"{\"version\":1",
        b"[]",
        b"null",
        b"\xff\xfe",
    ] {
        let mut world = World::new();
        world.poll().is("allow");
        fs::write(state_file(&world), damage).unwrap();
        let refused = world.poll();
        assert!(
            refused.is("deny").reason().contains("damaged"),
            "{}",
            refused.reason()
        );
        let refused = world.poll();
        assert!(
            refused.is("deny").reason().contains("in 30 s"),
            "{}",
            refused.reason()
        );
        world.wait(30);
        world.poll().is("allow");
    }
}

#[test]
fn a_place_that_cannot_hold_a_ledger_refuses_polls_and_nothing_else() {
    let mut world = World::new();
    fs::write(world.state_dir(), "a file").unwrap();
    let refused = world.poll();
    let reason = refused.is("deny").reason();
    assert!(
        reason.contains(world.state_dir().to_str().unwrap()),
        "{reason}"
    );
    world
        .call("run_command", json!({"CommandLine": "make"}))
        .is("allow");
    world
        .call("view_file", json!({"AbsolutePath": "/etc/hosts"}))
        .is("allow");
}

#[cfg(unix)]
#[test]
fn a_planted_link_is_not_followed() {
    let mut world = World::new();
    world.poll().is("allow");
    let file = state_file(&world);
    let victim = world.root().join("victim");
    fs::write(&victim, "precious").unwrap();
    fs::remove_file(&file).unwrap();
    std::os::unix::fs::symlink(&victim, &file).unwrap();
    world.poll().is("deny");
    world.poll().is("deny");
    assert_eq!(fs::read(&victim).unwrap(), b"precious");
}

#[cfg(unix)]
#[test]
fn a_lock_held_by_a_hung_process_costs_the_deadline_and_no_more() {
    let mut world = World::new();
    world.poll().is("allow");
    let held: Vec<_> = fs::read_dir(world.state_dir())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_none_or(|e| e != "json"))
        .map(|path| {
            let file = fs::File::options()
                .read(true)
                .write(true)
                .open(path)
                .unwrap();
            file.lock().unwrap();
            file
        })
        .collect();
    assert!(!held.is_empty());
    let payload = world
        .payload("manage_task", json!({"Action": "status"}))
        .to_string();
    let start = Instant::now();
    let mut child = world.spawn(&[]);
    child
        .stdin
        .take()
        .unwrap()
        .write_all(payload.as_bytes())
        .unwrap();
    let mut out = String::new();
    child
        .stdout
        .take()
        .unwrap()
        .read_to_string(&mut out)
        .unwrap();
    child.wait().unwrap();
    assert!(
        start.elapsed() < Duration::from_secs(4),
        "{:?}",
        start.elapsed()
    );
    let answer: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(answer["decision"], "deny");
    assert!(answer["reason"].as_str().unwrap().contains("lock"), "{out}");
}
