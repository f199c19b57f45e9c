//! A shell command gets its rtk form in place, and stays where the rewrite would change more than
//! what the model reads. The table itself is held against the real rtk in the crate `rtk`.

mod common;

use common::World;
use serde_json::{Value, json};

fn line(world: &mut World, line: &str) -> Value {
    let cwd = world.workspace();
    let answer = world.call(
        "run_command",
        json!({"CommandLine": line, "Cwd": cwd, "WaitMsBeforeAsync": 10_000}),
    );
    answer.is("allow").overwrite()["CommandLine"].clone()
}

#[test]
fn commands_whose_output_the_model_reads_get_their_rtk_form_and_every_other_byte_stays() {
    let mut world = World::with_tools(&["rtk", "git", "cargo"]);
    for (given, expected) in [
        ("git status", "rtk git status"),
        ("  git   status  # look", "  rtk git   status  # look"),
        (
            "cd 'a b' && git diff HEAD~1",
            "cd 'a b' && rtk git diff HEAD~1",
        ),
        (
            "FOO=1 cargo test --workspace 2>&1",
            "FOO=1 rtk cargo test --workspace 2>&1",
        ),
    ] {
        assert_eq!(line(&mut world, given), expected, "{given}");
    }
}

#[test]
fn what_is_data_dialogue_or_not_the_models_stays() {
    let mut world = World::with_tools(&["rtk", "git", "cargo", "npm"]);
    for given in [
        "git status --porcelain",
        "git diff | cat",
        "git log",
        "x=$(git status)",
        "git diff > out.patch",
        "git push",
        "npm run dev",
        "rtk git status",
        "git status \"",
        "./configure",
    ] {
        assert_eq!(line(&mut world, given), Value::Null, "{given}");
    }
}

#[test]
fn files_are_read_through_rtk_where_they_are_text_of_a_bearable_size() {
    let mut world = World::with_tools(&["rtk"]);
    world.file("a.txt", "text\n");
    world.file("b.bin", [0, 159, 146]);
    world.file("huge.log", vec![b'x'; (8 << 20) + 1]);
    assert_eq!(line(&mut world, "cat a.txt"), "rtk read a.txt");
    assert_eq!(
        line(&mut world, "head -n 5 a.txt"),
        "rtk read a.txt --head-lines 5"
    );
    for given in ["cat b.bin", "cat huge.log", "tail -5 huge.log"] {
        assert_eq!(line(&mut world, given), Value::Null, "{given}");
    }
}

#[test]
fn without_rtk_no_command_is_rewritten() {
    let mut world = World::with_tools(&["git"]);
    assert_eq!(line(&mut world, "git status"), Value::Null);
}

#[test]
fn an_rtk_that_was_too_old_when_it_was_recorded_counts_as_none() {
    let mut world = World::with_tools(&["rtk", "git"]);
    world.config.rtk = Some(world.root().join("bin/rtk"));
    for (version, expected) in [
        ("1.0.9", Value::Null),
        ("0.30.0", Value::Null),
        ("1.1.0", json!("rtk git status")),
        ("1.10.0-rc1", json!("rtk git status")),
    ] {
        world.config.rtk_version = Some(version.to_owned());
        assert_eq!(line(&mut world, "git status"), expected, "{version}");
    }
}

#[test]
fn rtk_outside_the_path_is_called_by_its_place() {
    let mut world = World::with_tools(&["rtk", "git"]);
    let rtk = world.root().join("bin/rtk");
    world.config.rtk = Some(rtk.clone());
    world.path = "/nowhere".into();
    assert_eq!(
        line(&mut world, "git status"),
        format!("{} git status", rtk.display())
    );
}

#[test]
fn the_sandbox_takes_no_changed_arguments() {
    let world = World::with_tools(&["rtk", "git"]);
    let payload = json!({"tool_call": {"name": "code_execution", "args": {"code": "git status", "language": "bash"}}});
    assert_eq!(world.answer(&payload).0, json!({"decision": "allow"}));
}
