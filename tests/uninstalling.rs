//! What the real programs change in the user's files, and how it is undone.
#![cfg(unix)]

#[path = "common/installation.rs"]
mod installation;

use std::fs;

use installation::{Installation, value, write};

#[test]
fn a_dry_run_prints_a_diff_and_writes_nothing() {
    let installation = Installation::new();
    let line = format!("\"command\": {:?}", installation.hook());
    let dry = |command: &str, sign: &str| {
        let before = installation.files();
        let out = installation.done(&[command, "--dry-run"]);
        assert_eq!(installation.files(), before);
        let shown = |diff: &str| diff.starts_with(sign) && diff.contains(&line);
        assert!(out.lines().any(shown), "{out}");
    };
    dry("install", "+");
    assert!(!installation.home().join(".gemini").exists());
    installation.done(&["install"]);
    dry("uninstall", "-");
}

#[test]
fn what_is_not_ours_stays_to_the_byte_and_the_original_comes_back() {
    let hooks = "\u{feff}{\r\n\t// mine\r\n\t\"lint\" : {\"Stop\":[ {\"type\":\"command\",\"command\":\"true\"} ]} ,\r\n}\r\n";
    let servers = "{ \"theme\":1e0,\"mcpServers\":{\"a\\u0062\":{ \"serverUrl\":\"https://x\" }}}";
    let installation = Installation::new();
    let files = [
        (installation.hooks(), hooks),
        (installation.servers(), servers),
    ];
    for (file, text) in &files {
        write(file, text);
    }
    installation.done(&["install"]);
    for (file, text) in &files {
        let now = fs::read_to_string(file).unwrap();
        assert!(
            now.len() > text.len() && is_one_insertion(text.as_bytes(), now.as_bytes()),
            "{now}"
        );
    }
    installation.done(&["uninstall"]);
    for (file, text) in &files {
        assert_eq!(fs::read_to_string(file).unwrap(), *text);
    }
}

/// Is `old` what is left of `new` without one piece?
fn is_one_insertion(old: &[u8], new: &[u8]) -> bool {
    let same =
        |pairs: &mut dyn Iterator<Item = (&u8, &u8)>| pairs.take_while(|(a, b)| a == b).count();
    let before = same(&mut old.iter().zip(new));
    let after = same(&mut old.iter().rev().zip(new.iter().rev()));
    before + after >= old.len()
}

#[test]
fn an_uninstallation_leaves_nothing_but_backups() {
    let installation = Installation::new();
    let before = installation.files();
    installation.done(&["install"]);
    let folder = installation.home().join("work");
    fs::create_dir(&folder).unwrap();
    installation.done(&["install", "--ide", "--workspace", folder.to_str().unwrap()]);
    installation.done(&["uninstall"]);
    assert_eq!(installation.files_but_backups(), before);
    let again = installation.files();
    installation.done(&["uninstall"]);
    assert_eq!(installation.files(), again);
}

#[test]
fn the_users_settings_stay_and_where_rtk_is_goes_with_the_last_registration() {
    let installation = Installation::new();
    let settings = installation
        .home()
        .join(".config/execution-guard/config.json");
    let text = "{\n  \"pass_through\": \"ask\"\n}\n";
    write(&settings, text);
    installation.done(&["install"]);
    let work = installation.home().join("work");
    fs::create_dir(&work).unwrap();
    let work = work.to_str().unwrap();
    installation.done(&["install", "--workspace", work]);
    assert_eq!(value(&settings)["rtk_version"], "1.1.0");
    assert!(value(&settings)["rtk"].as_str().unwrap().ends_with("/rtk"));
    installation.done(&["uninstall", "--workspace", work]);
    assert_eq!(value(&settings)["rtk_version"], "1.1.0");
    installation.done(&["uninstall"]);
    assert_eq!(fs::read_to_string(&settings).unwrap(), text);
}

#[test]
fn a_rollback_brings_back_what_was_there_and_a_second_one_undoes_it() {
    let installation = Installation::new();
    write(&installation.hooks(), "{\"mine\": {}}");
    let before = installation.files_but_backups();
    installation.done(&["install"]);
    let installed = installation.files_but_backups();
    installation.done(&["uninstall"]);
    assert_eq!(installation.files_but_backups(), before);
    installation.done(&["rollback"]);
    assert_eq!(installation.files_but_backups(), installed);
    installation.done(&["rollback"]);
    assert_eq!(
        fs::read_to_string(installation.hooks()).unwrap(),
        "{\"mine\": {}}"
    );
}

#[test]
fn a_rollback_with_nothing_to_go_back_to_says_what_else_there_is() {
    let installation = Installation::new();
    let ran = installation.run(&["rollback"]);
    assert_eq!(ran.status, 1);
    assert!(
        ran.err.contains("hooks.json") && ran.err.contains("execution-guard uninstall"),
        "{}",
        ran.err
    );
}

#[test]
fn what_can_not_be_edited_is_named_with_its_place_and_nothing_is_written() {
    let installation = Installation::new();
    write(&installation.servers(), "{\n  \"mcpServers\": {,}\n}");
    let before = installation.files();
    for command in ["install", "uninstall"] {
        let ran = installation.run(&[command]);
        assert_eq!(ran.status, 1, "{}", ran.out);
        let place = format!("{}:2:", installation.servers().display());
        assert!(ran.err.contains(&place), "{}", ran.err);
        assert_eq!(installation.files(), before);
    }
}
