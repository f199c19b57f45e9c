//! The doctor finds what is wrong, says what to do, and is content only if all is well.
#![cfg(unix)]
#![allow(missing_docs)]

#[path = "common/home.rs"]
mod home;

use std::fs;
use std::path::{Path, PathBuf};

use guard_install::{
    Check, InstallOptions, Outcome, Place, Status, StatusOptions, install, status,
};
use home::{Home, hooks_only, script, write};

fn sound_state() -> Vec<Check> {
    vec![Check::ok("state folder", "writable, and its lock works")]
}

fn look(home: &Home) -> Status {
    look_with(home, &sound_state, Vec::new())
}

fn look_with(home: &Home, state: &dyn Fn() -> Vec<Check>, places: Vec<Place>) -> Status {
    status(
        &home.setup(),
        &StatusOptions {
            places,
            state,
            oldest_rtk: "1.1.0",
            call_others: true,
        },
    )
}

fn installed() -> Home {
    let home = Home::new();
    script(
        &home.path().join("rtk bin/rtk"),
        "#!/bin/sh\necho rtk 1.1.0\n",
    );
    install(&home.setup(), &InstallOptions::default()).expect("it installs");
    home
}

/// The first check that is not well, which must say what to do.
fn complaint(status: &Status) -> &Check {
    assert_eq!((status.well, status.exit_code()), (false, 1), "{status}");
    let found = status
        .checks
        .iter()
        .find(|check| matches!(check.outcome, Outcome::Warning | Outcome::Failed));
    let check = found.expect("something is not well");
    let fails = status
        .checks
        .iter()
        .any(|check| check.outcome == Outcome::Failed);
    let works = status.to_string().contains("The guard works");
    assert_eq!(works, !fails, "{status}");
    assert!(
        check
            .remedy
            .as_ref()
            .is_some_and(|remedy| !remedy.is_empty()),
        "{status}"
    );
    check
}

fn edit(path: PathBuf, from: &str, to: &str) {
    let text = fs::read_to_string(&path).expect("text");
    assert!(text.contains(from), "{text}");
    write(&path, text.replace(from, to));
}

#[test]
fn all_is_well_after_an_installation_and_the_answer_is_shown() {
    let status = look(&installed());
    assert_eq!((status.well, status.exit_code()), (true, 0), "{status}");
    assert!(
        status.to_string().contains("{\"decision\":\"allow\"}"),
        "{status}"
    );
    let json: serde_json::Value = serde_json::from_str(&status.json()).expect("it is JSON");
    assert_eq!(json["well"], true);
    assert!(
        json["checks"]
            .as_array()
            .expect("a list")
            .iter()
            .any(|check| check["name"] == "rtk" && check["outcome"] == "ok")
    );
}

#[test]
fn nothing_is_changed_by_looking() {
    let home = installed();
    let before = listing(home.path());
    look(&home);
    assert_eq!(listing(home.path()), before);
}

fn listing(folder: &Path) -> Vec<(PathBuf, std::time::SystemTime)> {
    let entries = fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry"));
    let mut found: Vec<_> = entries
        .flat_map(|entry| match entry.file_type().expect("a type").is_dir() {
            true => listing(&entry.path()),
            false => vec![(
                entry.path(),
                entry
                    .metadata()
                    .expect("metadata")
                    .modified()
                    .expect("a time"),
            )],
        })
        .collect();
    found.sort();
    found
}

#[test]
fn a_missing_registration_is_a_failure() {
    let home = Home::new();
    assert_eq!(complaint(&look(&home)).detail, "not registered");
}

#[test]
fn a_binary_that_is_gone_or_silent_is_a_failure() {
    for (broken, said) in [
        (None, "can't be started"),
        (Some("#!/bin/sh\necho '{}'\n"), "without a decision"),
        (Some("#!/bin/sh\nexit 3\n"), "exit status"),
    ] {
        let home = installed();
        fs::remove_file(home.binary()).expect("it is there");
        if let Some(text) = broken {
            script(&home.binary(), text);
        }
        let status = look(&home);
        let found = status.checks.iter().any(|check| {
            check.outcome == Outcome::Failed
                && (check.detail.contains(said) || check.detail.contains("exit status 127"))
                && check.name.contains("registration")
        });
        assert!(found, "{status}");
    }
}

#[test]
fn commands_that_are_gone_are_a_failure_of_what_needs_them() {
    let home = installed();
    fs::remove_file(home.commands()).expect("it is there");
    let status = look(&home);
    assert_eq!(complaint(&status).name, "commands");
    let about = |part: &str| {
        let found = status.checks.iter().find(|check| check.name.contains(part));
        found.expect("it is looked at").outcome
    };
    assert_eq!(about("binary"), Outcome::Ok);
    assert_eq!(about("registration"), Outcome::Warning, "it still decides");
    assert_eq!(about("MCP server"), Outcome::Failed);
}

#[test]
fn a_link_to_the_hook_has_the_commands_behind_it() {
    let home = Home::new();
    let mut setup = home.setup();
    setup.binary = home.path().join("bin/execution-guard");
    fs::create_dir(home.path().join("bin")).expect("a folder");
    std::os::unix::fs::symlink(home.binary(), &setup.binary).expect("a link");
    install(&setup, &InstallOptions::default()).expect("it installs");
    let status = look(&home);
    let about_commands = |check: &Check| check.detail.contains("beside it");
    assert!(!status.checks.iter().any(about_commands), "{status}");
}

#[test]
fn a_hook_that_hangs_is_ended_and_reported() {
    let home = installed();
    script(&home.binary(), "#!/bin/sh\nexec sleep 1000\n");
    assert!(complaint(&look(&home)).detail.contains("no answer"));
}

#[test]
fn an_entry_that_is_off_or_old_or_of_another_binary_is_reported() {
    let home = installed();
    edit(
        home.hooks(),
        "\"PreToolUse\"",
        "\"enabled\": false, \"PreToolUse\"",
    );
    assert!(complaint(&look(&home)).detail.contains("switched off"));

    let home = installed();
    edit(home.hooks(), "|manage_task", "");
    assert!(complaint(&look(&home)).detail.contains("another version"));

    let home = installed();
    let other = home.path().join("other/execution-guard");
    script(&other, home::ANSWERS);
    edit(
        home.hooks(),
        &home.binary().to_string_lossy(),
        &other.to_string_lossy(),
    );
    assert!(complaint(&look(&home)).detail.contains("and this is"));
}

#[test]
fn a_file_that_hosts_would_drop_is_reported_with_its_place() {
    let home = installed();
    write(&home.hooks(), "{\n  \"a\": }\n");
    assert!(complaint(&look(&home)).detail.contains("hooks.json:2:8:"));
}

#[test]
fn a_second_registration_of_the_binary_is_reported() {
    let home = installed();
    let text = fs::read_to_string(home.hooks()).expect("text");
    let entry: serde_json::Value = serde_json::from_str(&text).expect("it is JSON");
    write(&home.hooks(), serde_json::json!({"execution-guard": entry["execution-guard"], "copy": entry["execution-guard"]}).to_string());
    assert!(
        complaint(&look(&home))
            .detail
            .contains("\"copy\" runs execution-guard too")
    );
}

#[test]
fn rtk_is_reported_missing_or_old_or_another_program() {
    for (text, said) in [
        ("", "not found"),
        ("#!/bin/sh\necho rtk 1.0.9\n", "1.1.0 is needed"),
        ("#!/bin/sh\necho Rust Type Kit\n", "another program"),
        ("#!/bin/sh\nexit 1\n", "another program"),
    ] {
        let home = installed();
        let rtk = home.path().join("rtk bin/rtk");
        match text {
            "" => fs::remove_file(&rtk).expect("it is there"),
            text => script(&rtk, text),
        }
        let status = look(&home);
        let check = complaint(&status);
        assert!(
            check.name == "rtk" && check.detail.contains(said),
            "{status}"
        );
    }
}

#[test]
fn an_rtk_that_works_wins_over_another_program_before_it() {
    let home = Home::new();
    let folders = ["a", "b"].map(|name| home.path().join(name));
    script(&folders[0].join("rtk"), "#!/bin/sh\necho Rust Type Kit\n");
    script(&folders[1].join("rtk"), "#!/bin/sh\necho rtk 1.2.3\n");
    let found = guard_install::find_rtk(&folders).expect("there is one");
    assert_eq!(
        (found.path, found.version.as_deref()),
        (folders[1].join("rtk"), Some("1.2.3"))
    );
}

#[test]
fn rtks_own_plugin_is_found_and_explained() {
    let home = installed();
    let rtk = home.path().join(".gemini/config/plugins/rtk/hooks.json");
    let answer = "#!/bin/sh\ncat >/dev/null; echo '{\"decision\":\"allow\"}'\n";
    script(&home.path().join("hook"), answer);
    write(
        &rtk,
        serde_json::json!({"rtk": {"enabled": true, "PreToolUse": [{"matcher": "run_command", "hooks": [{"type": "command", "command": home.path().join("hook"), "timeout": 10}]}]}})
            .to_string(),
    );
    let status = look(&home);
    assert_eq!(complaint(&status).name, "another rewriting hook");
    assert!(
        status
            .checks
            .iter()
            .any(|check| check.name.contains("hook \"rtk\"") && check.outcome == Outcome::Ok),
        "{status}"
    );
}

#[test]
fn another_hook_that_answers_without_a_decision_is_found() {
    for (matcher, command, blocks) in [
        ("*", "echo '{}'", true),
        ("run_command", "true", true),
        ("view_file", "exit 1", true),
        ("some_other_tool", "true", false),
        ("", "echo '{\"decision\": \"ask\"}'", false),
    ] {
        let home = installed();
        let text = fs::read_to_string(home.hooks()).expect("text");
        let mut hooks: serde_json::Value = serde_json::from_str(&text).expect("it is JSON");
        hooks["theirs"] = serde_json::json!({"PreToolUse": [{"matcher": matcher, "hooks": [{"type": "command", "command": command}]}], "Stop": [{"type": "command", "command": "true"}]});
        write(&home.hooks(), hooks.to_string());
        let status = look(&home);
        assert_eq!(status.well, !blocks, "{matcher} {command}\n{status}");
        if blocks {
            assert!(complaint(&status).name.contains("theirs"));
        }
    }
}

#[test]
fn the_state_folder_is_for_another_crate_to_judge() {
    let home = installed();
    let full = || vec![Check::failed("state folder", "full", "free some space")];
    assert_eq!(
        complaint(&look_with(&home, &full, Vec::new())).detail,
        "full"
    );
}

#[test]
fn a_noted_workspace_is_looked_at_and_an_asked_one_must_be_registered() {
    let home = installed();
    let work = home.path().join("work");
    let asked = look_with(&home, &sound_state, vec![Place::Workspace(work.clone())]);
    assert!(complaint(&asked).name.contains("work/.agents"));
    install(
        &home.setup(),
        &InstallOptions {
            places: vec![Place::Workspace(work.clone())],
            ..hooks_only()
        },
    )
    .expect("it installs");
    edit(work.join(".agents/hooks.json"), "PreToolUse", "PostToolUse");
    assert!(
        complaint(&look(&home))
            .detail
            .contains("no command for PreToolUse")
    );
}

#[test]
fn a_missing_server_is_no_fault_and_a_stale_one_is() {
    let home = installed();
    fs::remove_file(home.mcp()).expect("it is there");
    assert!(look(&home).well);
    write(
        &home.mcp(),
        "{\"mcpServers\": {\"execution-guard\": {\"command\": \"/old/execution-guard\", \"args\": [\"mcp\"]}}}",
    );
    assert_eq!(complaint(&look(&home)).name, "MCP server");
}

#[test]
fn a_complaint_in_the_hosts_log_is_passed_on() {
    let home = installed();
    let log = home.path().join(".gemini/antigravity-cli/cli.log");
    write(
        &log,
        "I0101 started\nE0101 hooks.json: schema mismatch, dropped\nI0101 ready\n",
    );
    let later = std::time::SystemTime::now() + std::time::Duration::from_secs(5);
    fs::File::options()
        .write(true)
        .open(&log)
        .expect("a file")
        .set_modified(later)
        .expect("a time");
    assert!(complaint(&look(&home)).detail.contains("schema mismatch"));
}
