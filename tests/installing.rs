//! Installing the real programs into a home, and out of it again.
#![cfg(unix)]

#[path = "common/installation.rs"]
mod installation;

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use installation::{Installation, Ran, TOOLS, value, write};
use serde_json::{Value, json};

/// A call that is changed, so that its answer can't come from anything but the hook.
fn command_call() -> Value {
    json!({"toolCall": {"name": "run_command", "args": {"CommandLine": "./build", "WaitMsBeforeAsync": 500}}})
}

fn detaches_late() -> Value {
    json!({"decision": "allow", "overwrite": {"WaitMsBeforeAsync": 10000}})
}

#[test]
fn the_hook_is_registered_for_exactly_the_governed_tools() {
    let installation = Installation::new();
    let out = installation.done(&["install"]);
    assert!(out.contains("Restart Antigravity"), "{out}");
    let hook = installation.hook();
    let hooks = value(&installation.hooks());
    let group = &hooks["execution-guard"]["PreToolUse"][0];
    assert_eq!(
        hooks,
        json!({"execution-guard": {"PreToolUse": [{
            "matcher": group["matcher"],
            "hooks": [{"type": "command", "command": hook, "timeout": group["hooks"][0]["timeout"]}],
        }]}})
    );
    let mut matched: Vec<&str> = group["matcher"].as_str().unwrap().split('|').collect();
    let mut tools = TOOLS;
    matched.sort_unstable();
    tools.sort_unstable();
    assert_eq!(matched, tools);
    let seconds = group["hooks"][0]["timeout"].as_u64().unwrap();
    assert!((1..=10).contains(&seconds), "{seconds} s");
    assert_eq!(
        value(&installation.servers()),
        json!({"mcpServers": {"execution-guard": {"command": hook, "args": ["mcp"]}}})
    );
}

#[test]
fn the_registered_command_answers_as_every_host_runs_it() {
    let installation = Installation::new();
    installation.done(&["install"]);
    let answers = installation.answers(&installation.hooks(), "PreToolUse", &command_call());
    assert_eq!(answers, [detaches_late(), detaches_late()]);
}

#[test]
fn rtk_is_used_by_a_host_that_would_not_find_it() {
    let installation = Installation::new();
    installation.done(&["install"]);
    let call = json!({"toolCall": {"name": "run_command", "args": {"CommandLine": "git status"}}});
    let rtk = installation.tools().join("rtk");
    for answer in installation.answers(&installation.hooks(), "PreToolUse", &call) {
        assert_eq!(
            answer["overwrite"]["CommandLine"],
            format!("{} git status", rtk.display())
        );
    }
}

#[test]
fn rtk_is_not_forgotten_by_an_installation_that_has_another_path() {
    let installation = Installation::new();
    installation.done(&["install"]);
    // All that hosts need, and nothing else.
    let bare = installation.home().join("bare");
    fs::create_dir(&bare).unwrap();
    symlink("/bin/sh", bare.join("sh")).unwrap();
    let before = installation.files();
    for command in ["install", "status"] {
        let mut elsewhere = installation.command(installation.hook());
        let ran = Ran::of(elsewhere.env("PATH", &bare).arg(command));
        assert_eq!((ran.err.as_str(), ran.status), ("", 0), "{}", ran.out);
    }
    assert_eq!(installation.files(), before);
}

#[test]
fn a_path_with_blanks_is_registered_by_a_link_that_finds_its_commands() {
    let installation = Installation::below_home("my programs/bin");
    let before = installation.files();
    installation.done(&["install"]);
    let link = installation.home().join(".local/bin/execution-guard");
    assert_eq!(
        Path::new(&installation.registered(&installation.hooks(), "PreToolUse")),
        link
    );
    let answers = installation.answers(&installation.hooks(), "PreToolUse", &command_call());
    assert_eq!(answers, [detaches_late(), detaches_late()]);
    // Through the links, the same programs are meant: nothing changes, and all is well.
    for program in [link.clone(), link.with_file_name("execution-guard-cli")] {
        let again = Ran::of(installation.command(&program).arg("status"));
        assert_eq!((again.err.as_str(), again.status), ("", 0), "{}", again.out);
    }
    let installed = installation.files();
    assert_eq!(
        Ran::of(installation.command(&link).arg("install")).status,
        0
    );
    assert_eq!(installation.files(), installed);
    installation.done(&["uninstall"]);
    assert_eq!(installation.files_but_backups(), before);
}

#[test]
fn a_link_of_the_users_finds_the_commands_of_the_hook_behind_it() {
    let installation = Installation::new();
    let link = installation.home().join("guard");
    symlink(installation.hook(), &link).unwrap();
    let ran = Ran::of(installation.command(link).arg("--version"));
    assert_eq!((ran.err.as_str(), ran.status), ("", 0));
    assert!(ran.out.starts_with("execution-guard "), "{}", ran.out);
}

#[test]
fn a_hook_without_its_commands_still_decides_and_says_what_is_missing() {
    let installation = Installation::new();
    installation.done(&["install"]);
    fs::remove_file(installation.commands()).unwrap();
    let answers = installation.answers(&installation.hooks(), "PreToolUse", &command_call());
    assert_eq!(answers, [detaches_late(), detaches_late()]);
    let ran = installation.run(&["status"]);
    assert_eq!((ran.out.as_str(), ran.status), ("", 1));
    assert!(
        ran.err.contains("execution-guard-cli") && ran.err.contains("install/install.sh"),
        "{}",
        ran.err
    );
}

#[test]
fn a_second_installation_changes_nothing() {
    let installation = Installation::new();
    installation.done(&["install"]);
    let before = installation.files();
    let times = |file: &Path| fs::metadata(file).unwrap().modified().unwrap();
    let written = times(&installation.hooks());
    let out = installation.done(&["install"]);
    assert_eq!(installation.files(), before);
    assert_eq!(times(&installation.hooks()), written);
    assert!(!out.contains("Restart"), "{out}");
}

#[test]
fn status_is_0_only_if_all_is_well_and_each_fault_has_a_remedy() {
    let installation = Installation::new();
    assert_eq!(installation.run(&["status"]).status, 1);
    let checks = |status: i32| {
        let before = installation.files();
        let ran = installation.run(&["status", "--json"]);
        assert_eq!((ran.err.as_str(), ran.status), ("", status), "{}", ran.out);
        let told: Value = serde_json::from_str(&ran.out).unwrap();
        assert_eq!(told["well"], status == 0);
        for check in told["checks"].as_array().unwrap() {
            let is_fault = ["warning", "failed"].contains(&check["outcome"].as_str().unwrap());
            assert!(!is_fault || check["remedy"].is_string(), "{check}");
        }
        assert_eq!(installation.files(), before, "looking changes nothing");
        ran.out
    };
    assert!(checks(1).contains("not registered"));
    installation.done(&["install"]);
    let well = checks(0);
    for part in [
        installation.hook(),
        installation.commands(),
        installation.hooks(),
        installation.servers(),
    ] {
        assert!(well.contains(part.to_str().unwrap()), "{part:?} in {well}");
    }
    let text = installation.done(&["status"]);
    assert!(
        text.contains("{\"decision\":\"allow\"") && text.ends_with("All is well.\n"),
        "{text}"
    );
    let work = installation.home().join("work");
    let asked = installation.run(&["status", "--workspace", work.to_str().unwrap()]);
    assert_eq!(asked.status, 1, "{}", asked.out);
    let hooks = fs::read_to_string(installation.hooks()).unwrap();
    write(
        &installation.hooks(),
        hooks.replace("edit_file", "edit_fil"),
    );
    assert!(checks(1).contains("another version"));
}

#[test]
fn a_workspace_and_the_ide_are_registered_where_they_look() {
    let installation = Installation::new();
    let work = installation.home().join("my work");
    fs::create_dir(&work).unwrap();
    installation.done(&["install", "--workspace", "my work", "--ide"]);
    for file in [
        work.join(".agents/hooks.json"),
        installation
            .home()
            .join(".gemini/antigravity-ide/hooks.json"),
    ] {
        let answers = installation.answers(&file, "PreToolUse", &command_call());
        assert_eq!(answers, [detaches_late(), detaches_late()]);
    }
    assert!(
        !installation.hooks().exists(),
        "only where it was asked for"
    );
}

#[test]
fn the_sandbox_has_its_own_form_and_its_own_answers() {
    let installation = Installation::new();
    let sandbox = installation.home().join("box");
    let file = sandbox.join(".agents/hooks.json");
    fs::create_dir(&sandbox).unwrap();
    installation.done(&["install", "--sandbox", sandbox.to_str().unwrap()]);
    let entry = &value(&file)["execution-guard"];
    assert_eq!(entry["enabled"], true);
    let matcher = entry["pre_tool_execution"][0]["matcher"].as_str().unwrap();
    let mut matched: Vec<&str> = matcher.split('|').collect();
    matched.sort_unstable();
    assert_eq!(
        matched,
        [
            "code_execution",
            "delete_file",
            "list_files",
            "read_file",
            "write_file"
        ]
    );
    let call = |name: &str, args: Value| {
        let payload = json!({"tool_call": {"name": name, "args": args}, "environment_id": "env_1"});
        installation.answers(&file, "pre_tool_execution", &payload)
    };
    let harmless = call("code_execution", json!({"code": "ls", "language": "bash"}));
    assert_eq!(
        harmless,
        [json!({"decision": "allow"}), json!({"decision": "allow"})]
    );
    for answer in call(
        "write_file",
        json!({"path": "/w/.agents/hooks.json", "content": ""}),
    ) {
        assert_eq!(answer["decision"], "deny");
    }
    let inside = "/opt/guard/execution-guard";
    let sandbox = sandbox.to_str().unwrap();
    installation.done(&["install", "--sandbox", sandbox, "--sandbox-command", inside]);
    assert_eq!(installation.registered(&file, "pre_tool_execution"), inside);
}

#[test]
fn a_folder_that_is_not_there_is_not_made() {
    let installation = Installation::new();
    let before = installation.files();
    let mistyped = installation.home().join("wrok");
    for flag in ["--workspace", "--sandbox"] {
        let ran = installation.run(&["install", flag, mistyped.to_str().unwrap()]);
        assert_eq!((ran.out.as_str(), ran.status), ("", 1), "{flag}");
        assert!(ran.err.contains("there is no folder"), "{}", ran.err);
    }
    assert_eq!(installation.files(), before);
}

#[test]
fn wrong_usage_exits_2_and_names_the_help() {
    let installation = Installation::new();
    let before = installation.files();
    for arguments in [
        &["install", "--workspace"][..],
        &["install", "--frobnicate"],
        &["install", "more"],
        &["install", "-n"],
        &["install", "--dry-run=yes"],
        &["install", "--json"],
        &["uninstall", "--sandbox-command", "/x"],
        &["uninstall", "more"],
        &["rollback", "--ide", "more"],
        &["status", "--dry-run"],
        &["status", "more"],
        &["--frobnicate"],
    ] {
        let ran = installation.run(arguments);
        assert_eq!((ran.out.as_str(), ran.status), ("", 2), "{arguments:?}");
        let named = ran.err.contains("\"execution-guard --help\"");
        assert!(named, "{}", ran.err);
    }
    assert_eq!(installation.files(), before);
    let ran = Ran::of(&mut installation.command(installation.commands()));
    assert_eq!(ran.status, 2, "{}", ran.err);
}

#[test]
fn without_a_home_nothing_is_done_and_the_remedy_is_named() {
    let installation = Installation::new();
    for command in ["install", "uninstall", "rollback", "status"] {
        let mut unset = installation.command(installation.hook());
        unset.env_remove("HOME").arg(command);
        let mut relative = installation.command(installation.hook());
        relative.env("HOME", "home").arg(command);
        for ran in [Ran::of(&mut unset), Ran::of(&mut relative)] {
            assert_eq!((ran.out.as_str(), ran.status), ("", 1), "{command}");
            assert!(
                ran.err.contains("HOME is not set") && ran.err.contains("set it to the home"),
                "{}",
                ran.err
            );
        }
    }
}
