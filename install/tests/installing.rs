//! Installing can't hurt a user's configuration, and can be undone.
#![cfg(unix)]
#![allow(missing_docs)]

#[path = "common/home.rs"]
mod home;

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::PathBuf;

use guard_install::jsonc::ParseErrorKind;
use guard_install::{
    InstallError, InstallOptions, Place, Rtk, UninstallOptions, What, install, rollback,
    rtk_records, uninstall,
};
use home::{Home, at, commands, everywhere, hooks_only, mode, programs, script, write};

const THEIRS: &str = "{\n    \"lint\": {\n        \"PreToolUse\": [{\"matcher\": \"*\", \"hooks\": [{\"type\": \"command\", \"command\": \"/usr/bin/lint\"}]}]\n    }\n}\n";

/// A text, the line and column of what is wrong with it, and what that is.
type Refused = (&'static [u8], usize, usize, fn(&ParseErrorKind) -> bool);

fn value(path: &std::path::Path) -> serde_json::Value {
    serde_json::from_slice(&fs::read(path).expect("the file is there")).expect("it is JSON")
}

#[test]
fn the_entry_is_what_hosts_read() {
    let home = Home::new();
    let report = install(&home.setup(), &InstallOptions::default()).expect("it installs");
    assert_eq!(
        report
            .changes
            .iter()
            .map(|change| change.what)
            .collect::<Vec<_>>(),
        [What::Created, What::Created]
    );
    let command = home.binary().to_string_lossy().into_owned();
    assert_eq!(
        value(&home.hooks()),
        serde_json::json!({"execution-guard": {"PreToolUse": [{
            "matcher": "run_command|view_file|manage_task",
            "hooks": [{"type": "command", "command": command, "timeout": 5}],
        }]}})
    );
    let server = serde_json::json!({"command": command, "args": ["mcp"]});
    assert_eq!(
        value(&home.mcp()),
        serde_json::json!({"mcpServers": {"execution-guard": server}})
    );
    assert!(
        report.notes.iter().any(|note| note.contains("Restart")),
        "a change is seen after a restart"
    );
}

#[test]
fn other_hooks_stay_and_the_original_comes_back() {
    let home = Home::new();
    write(&home.hooks(), THEIRS);
    install(&home.setup(), &InstallOptions::default()).expect("it installs");
    let text = fs::read_to_string(home.hooks()).expect("text");
    assert!(
        text.starts_with(THEIRS.trim_end().trim_end_matches("\n}")),
        "{text}"
    );
    let report = uninstall(&home.setup(), &everywhere()).expect("it uninstalls");
    assert_eq!(fs::read_to_string(home.hooks()).expect("text"), THEIRS);
    assert!(
        !home.mcp().exists(),
        "a file that was made for the entry goes with it"
    );
    assert_eq!(report.exit_code(), 0);
}

#[test]
fn what_can_not_be_edited_is_refused_with_its_place_before_anything_is_written() {
    let cases: [Refused; 9] = [
        (b"[1]", 1, 1, |kind| *kind == ParseErrorKind::NotAnObject),
        (b"\n \"x\"", 2, 2, |kind| {
            *kind == ParseErrorKind::NotAnObject
        }),
        (b"{\"a\": \xff}", 1, 7, |kind| {
            *kind == ParseErrorKind::NotUtf8
        }),
        (b"\xff\xfe{\0}\0", 1, 1, |kind| {
            *kind == ParseErrorKind::NotUtf8
        }),
        (b"{\"a\": {\"b\": 1", 1, 7, |kind| {
            *kind == ParseErrorKind::CutOff
        }),
        (b"{\n  \"a\": \"x", 2, 8, |kind| {
            *kind == ParseErrorKind::CutOff
        }),
        (
            b"{\n  \"a\": 1,\n  \"a\": 2}",
            3,
            3,
            |kind| matches!(kind, ParseErrorKind::DuplicateKey(key) if key == "a"),
        ),
        (b"{\"a\": 1, \"\\u0061\": 2}", 1, 10, |kind| {
            matches!(kind, ParseErrorKind::DuplicateKey(_))
        }),
        (b"{\n\t'a': 1}", 2, 2, |kind| {
            matches!(kind, ParseErrorKind::Syntax(_))
        }),
    ];
    for (bytes, at_line, at_column, is_kind) in cases {
        for broken_is_mcp in [true, false] {
            let home = Home::new();
            let (broken, sound) = if broken_is_mcp {
                (home.mcp(), home.hooks())
            } else {
                (home.hooks(), home.mcp())
            };
            write(&broken, bytes);
            write(&sound, "{}");
            let error =
                install(&home.setup(), &InstallOptions::default()).expect_err("it is refused");
            match &error {
                InstallError::Unreadable {
                    file,
                    line,
                    column,
                    kind,
                } => {
                    assert_eq!(
                        (file, *line, *column),
                        (&broken, at_line, at_column),
                        "{error}"
                    );
                    assert!(is_kind(kind), "{error}");
                }
                other => panic!("{other}"),
            }
            assert_eq!(fs::read(&broken).expect("bytes"), bytes);
            assert_eq!(fs::read(&sound).expect("bytes"), b"{}");
            assert_eq!(
                fs::read_dir(home.path().join(".gemini/config"))
                    .expect("a folder")
                    .count(),
                2
            );
            assert!(uninstall(&home.setup(), &everywhere()).is_err());
        }
    }
}

#[test]
fn a_list_of_servers_that_is_no_object_is_refused_with_its_place() {
    let home = Home::new();
    write(&home.mcp(), "{\n  \"mcpServers\": []\n}");
    let error = install(&home.setup(), &InstallOptions::default()).expect_err("it is refused");
    assert!(
        matches!(
            &error,
            InstallError::NotAnObject {
                line: 2,
                column: 17,
                ..
            }
        ),
        "{error}"
    );
    assert!(!home.hooks().exists());
}

#[test]
fn a_folder_or_a_pipe_in_place_of_the_file_is_refused() {
    let home = Home::new();
    fs::create_dir(home.hooks()).expect("a folder");
    assert!(matches!(
        install(&home.setup(), &hooks_only()),
        Err(InstallError::NotAFile(_))
    ));
}

#[test]
fn servers_of_others_keep_their_own_keys() {
    let home = Home::new();
    let theirs = "{\"mcpServers\": {\"remote\": {\"serverUrl\": \"https://x.example/mcp\"}}, /* mine */}\r\n";
    write(&home.mcp(), theirs);
    install(&home.setup(), &InstallOptions::default()).expect("it installs");
    assert!(
        fs::read_to_string(home.mcp())
            .expect("text")
            .contains("{\"serverUrl\": \"https://x.example/mcp\"}")
    );
    uninstall(&home.setup(), &everywhere()).expect("it uninstalls");
    assert_eq!(fs::read_to_string(home.mcp()).expect("text"), theirs);
}

#[test]
fn mode_and_links_stay() {
    for bits in [0o600, 0o640, 0o644, 0o400] {
        let home = Home::new();
        let real = home.path().join("dotfiles/hooks.json");
        write(&real, THEIRS);
        fs::set_permissions(&real, fs::Permissions::from_mode(bits)).expect("a mode");
        symlink("../../dotfiles/hooks.json", home.hooks()).expect("a link");
        install(&home.setup(), &hooks_only()).expect("it installs");
        assert!(home.hooks().is_symlink(), "the link stays");
        assert!(
            fs::read_to_string(&real)
                .expect("text")
                .contains("execution-guard"),
            "its target is written"
        );
        assert_eq!(mode(&real), bits);
        let backups = home.backups();
        assert_eq!(backups.len(), 1);
        assert_eq!(
            (
                mode(&backups[0]),
                fs::read_to_string(&backups[0]).expect("text").as_str()
            ),
            (bits, THEIRS)
        );
        uninstall(&home.setup(), &everywhere()).expect("it uninstalls");
        assert_eq!(
            (
                mode(&real),
                fs::read_to_string(&real).expect("text").as_str()
            ),
            (bits, THEIRS)
        );
    }
}

#[test]
fn a_folder_that_is_a_link_and_a_link_to_nothing_yet_work() {
    let home = Home::new();
    fs::remove_dir(home.path().join(".gemini/config")).expect("it is empty");
    fs::create_dir_all(home.path().join("real")).expect("a folder");
    symlink(home.path().join("real"), home.path().join(".gemini/config")).expect("a link");
    symlink("later.json", home.path().join("real/hooks.json")).expect("a link");
    install(&home.setup(), &hooks_only()).expect("it installs");
    assert!(home.path().join(".gemini/config").is_symlink());
    assert!(home.path().join("real/hooks.json").is_symlink());
    assert!(home.path().join("real/later.json").is_file());
}

#[test]
fn links_in_a_circle_are_refused() {
    let home = Home::new();
    symlink("hooks.json", home.hooks()).expect("a link");
    assert!(matches!(
        install(&home.setup(), &hooks_only()),
        Err(InstallError::Io { .. })
    ));
}

#[test]
fn one_file_under_two_names_is_edited_once() {
    let home = Home::new();
    write(&home.hooks(), THEIRS);
    let ide = home.path().join(".gemini/antigravity-ide/hooks.json");
    fs::create_dir_all(ide.parent().expect("a folder")).expect("a folder");
    symlink("../config/hooks.json", &ide).expect("a link");
    let options = InstallOptions {
        places: vec![Place::Global, Place::Ide],
        ..hooks_only()
    };
    let report = install(&home.setup(), &options).expect("it installs");
    assert_eq!(report.changes.len(), 1);
    uninstall(&home.setup(), &everywhere()).expect("it uninstalls");
    assert_eq!(fs::read_to_string(home.hooks()).expect("text"), THEIRS);
}

#[test]
fn a_second_run_changes_nothing_and_makes_no_backup() {
    let home = Home::new();
    write(&home.hooks(), THEIRS);
    install(&home.setup(), &InstallOptions::default()).expect("it installs");
    let first = fs::read(home.hooks()).expect("bytes");
    let inode =
        |path: PathBuf| std::os::unix::fs::MetadataExt::ino(&fs::metadata(path).expect("metadata"));
    let written = inode(home.hooks());
    let report = install(&home.setup(), &InstallOptions::default()).expect("it installs");
    assert!(!report.is_change());
    assert_eq!(
        (fs::read(home.hooks()).expect("bytes"), inode(home.hooks())),
        (first, written)
    );
    assert_eq!(home.backups().len(), 1);
    assert_eq!(
        fs::read_to_string(&home.backups()[0]).expect("text"),
        THEIRS,
        "the backup is of the original"
    );
}

#[test]
fn an_entry_written_with_escapes_is_recognised_and_not_written_again() {
    let home = Home::new();
    install(&home.setup(), &hooks_only()).expect("it installs");
    let spelled = fs::read_to_string(home.hooks())
        .expect("text")
        .replace("execution-guard\":", "\\u0065xecution-guard\":");
    write(&home.hooks(), &spelled);
    assert!(
        !install(&home.setup(), &hooks_only())
            .expect("it installs")
            .is_change()
    );
}

#[test]
fn a_moved_binary_replaces_its_stale_entry_in_place() {
    let home = Home::new();
    for stale in [
        "/old/bin/execution-guard",
        "\\\"/old place/execution-guard\\\"",
        "/old/execution-guard hook",
        "C:\\\\old\\\\execution-guard.exe",
    ] {
        let text = format!(
            "{{\n  // first\n  \"execution-guard\": {{\"PreToolUse\": [{{\"matcher\": \"run_command\", \"hooks\": [{{\"command\": \"{stale}\"}}]}}]}}, // ours\n  \"z\": {{}}\n}}"
        );
        write(&home.hooks(), &text);
        let report = install(&home.setup(), &hooks_only()).expect("it installs");
        assert_eq!(report.changes[0].what, What::Replaced);
        let new = fs::read_to_string(home.hooks()).expect("text");
        assert!(
            new.starts_with("{\n  // first\n  \"execution-guard\": {")
                && new.ends_with("}, // ours\n  \"z\": {}\n}"),
            "{new}"
        );
        assert!(!new.contains("old"), "{new}");
    }
}

#[test]
fn a_server_stored_as_one_command_is_recognised() {
    let home = Home::new();
    write(
        &home.mcp(),
        "{\"mcpServers\":{\"execution-guard\":{\"command\":\"/old/execution-guard mcp\"}}}",
    );
    let report = install(&home.setup(), &InstallOptions::default()).expect("it installs");
    assert_eq!(report.changes[0].what, What::Replaced);
    assert_eq!(
        value(&home.mcp())["mcpServers"]["execution-guard"]["args"][0],
        "mcp"
    );
}

#[test]
fn look_alikes_stay() {
    let home = Home::new();
    let theirs = "{\n  \"execution-guard-extra\": {\"PreToolUse\": [{\"hooks\": [{\"command\": \"/opt/execution-guard-extra\"}]}]},\n  \"Execution-Guard\": {},\n  \"my execution-guard\": {\"PreToolUse\": [{\"hooks\": [{\"command\": \"/opt/my-execution-guard\"}]}]}\n}";
    write(&home.hooks(), theirs);
    install(&home.setup(), &hooks_only()).expect("it installs");
    let report = uninstall(&home.setup(), &everywhere()).expect("it uninstalls");
    assert_eq!(fs::read_to_string(home.hooks()).expect("text"), theirs);
    assert!(report.still_registered.is_empty());
}

#[test]
fn our_name_on_another_program_is_never_overwritten() {
    let home = Home::new();
    let theirs = "{\n  \"execution-guard\": {\"PreToolUse\": [{\"hooks\": [{\"command\": \"/opt/other\"}]}]}\n}";
    write(&home.hooks(), theirs);
    let error = install(&home.setup(), &hooks_only()).expect_err("it is refused");
    assert!(
        matches!(&error, InstallError::NameTaken { line: 2, command, .. } if command == "/opt/other"),
        "{error}"
    );
    let report = uninstall(&home.setup(), &everywhere()).expect("it uninstalls");
    assert_eq!(report.changes[0].what, What::Foreign);
    assert_eq!(fs::read_to_string(home.hooks()).expect("text"), theirs);
}

#[test]
fn a_copy_under_another_name_keeps_the_binary() {
    let home = Home::new();
    let copy = format!(
        "{{\"mine\": {{\"PreToolUse\": [{{\"hooks\": [{{\"command\": \"{}\"}}]}}]}}}}",
        home.binary().display()
    );
    write(&home.hooks(), copy);
    install(&home.setup(), &hooks_only()).expect("it installs");
    let report = uninstall(&home.setup(), &everywhere()).expect("it uninstalls");
    assert_eq!(report.still_registered, [(home.hooks(), "mine".to_owned())]);
    assert_eq!(report.exit_code(), 1);
}

#[test]
fn a_binary_that_does_not_answer_is_not_registered() {
    for (text, said) in [
        ("#!/bin/sh\necho '{}'\n", "without a decision"),
        ("#!/bin/sh\n", "without a decision"),
        (
            "#!/bin/sh\necho Welcome; echo '{\"decision\":\"allow\"}'\n",
            "without a decision",
        ),
        (
            "#!/bin/sh\necho '{\"decision\":\"approve\"}'\n",
            "without a decision",
        ),
        ("#!/bin/sh\necho boom >&2; exit 2\n", "boom"),
        ("#!/nowhere/sh\n", "can't be started"),
    ] {
        let home = Home::new();
        script(&home.binary(), text);
        write(&home.hooks(), THEIRS);
        let error = install(&home.setup(), &InstallOptions::default()).expect_err("it is refused");
        assert!(
            matches!(error, InstallError::Hook(_)) && error.to_string().contains(said),
            "{error}"
        );
        assert_eq!(fs::read_to_string(home.hooks()).expect("text"), THEIRS);
        assert!(!home.mcp().exists() && home.backups().is_empty());
    }
}

#[test]
fn a_path_with_blanks_is_registered_by_a_link_and_the_link_goes_again() {
    let home = Home::new();
    let mut setup = home.setup();
    setup.binary = home.path().join("my \"bin\" $(x)/execution-guard");
    setup.commands = commands(&setup.binary);
    programs(&setup.binary);
    let planned = install(
        &setup,
        &InstallOptions {
            dry_run: true,
            ..hooks_only()
        },
    )
    .expect("it can be installed");
    assert!(planned.is_change() && !home.hooks().exists() && !home.path().join("links").exists());
    install(&setup, &hooks_only()).expect("it installs");
    let link = home.path().join("links/execution-guard");
    let command =
        value(&home.hooks())["execution-guard"]["PreToolUse"][0]["hooks"][0]["command"].clone();
    assert_eq!(command, link.to_string_lossy().into_owned());
    let beside = home.path().join("links/execution-guard-cli");
    for (link, program) in [(&link, &setup.binary), (&beside, &setup.commands)] {
        assert_eq!(
            fs::canonicalize(link).expect("it leads there"),
            fs::canonicalize(program).expect("it is there")
        );
    }
    assert!(
        !install(&setup, &hooks_only())
            .expect("it installs")
            .is_change()
    );
    uninstall(&setup, &everywhere()).expect("it uninstalls");
    assert!(!link.is_symlink() && !beside.is_symlink());
}

#[test]
fn a_hook_without_its_commands_is_not_registered() {
    let home = Home::new();
    fs::remove_file(home.commands()).expect("it is there");
    assert!(matches!(
        install(&home.setup(), &hooks_only()),
        Err(InstallError::NoCommands(file)) if file == home.commands()
    ));
    assert!(!home.hooks().exists());
}

#[test]
fn an_entry_that_runs_the_commands_by_hand_is_ours() {
    let home = Home::new();
    let text = format!(
        "{{\"mcpServers\": {{\"execution-guard\": {{\"command\": {:?}, \"args\": [\"mcp\"]}}}}}}",
        home.commands()
    );
    write(&home.mcp(), text);
    install(&home.setup(), &InstallOptions::default()).expect("it installs");
    assert_eq!(
        value(&home.mcp())["mcpServers"]["execution-guard"]["command"],
        home.binary().to_string_lossy().into_owned()
    );
}

#[test]
fn without_a_place_for_a_link_nothing_is_written() {
    let home = Home::new();
    let mut setup = home.setup();
    setup.binary = home.path().join("a b/execution-guard");
    setup.commands = commands(&setup.binary);
    programs(&setup.binary);
    setup.link_folders = vec![home.path().join("c d")];
    assert!(matches!(
        install(&setup, &hooks_only()),
        Err(InstallError::NoPlainPath(_))
    ));
    setup.link_folders = vec![home.path().join("links")];
    for taken in ["links/execution-guard", "links/execution-guard-cli"] {
        script(&home.path().join(taken), "#!/bin/sh\n");
        assert!(matches!(
            install(&setup, &hooks_only()),
            Err(InstallError::LinkTaken(file)) if file == home.path().join(taken)
        ));
        fs::remove_file(home.path().join(taken)).expect("it is there");
    }
    assert!(!home.hooks().exists());
}

#[test]
fn a_link_of_the_users_own_is_registered_and_stays() {
    let home = Home::new();
    let mut setup = home.setup();
    setup.binary = home.path().join("bin/execution-guard");
    fs::create_dir(home.path().join("bin")).expect("a folder");
    symlink(home.binary(), &setup.binary).expect("a link");
    install(&setup, &hooks_only()).expect("it installs");
    uninstall(&setup, &everywhere()).expect("it uninstalls");
    assert!(setup.binary.is_symlink());
}

#[test]
fn a_workspace_and_a_sandbox_get_their_own_forms_and_are_found_again() {
    let home = Home::new();
    let (work, sandbox) = (home.path().join("my work"), home.path().join("box"));
    let options = InstallOptions {
        places: vec![
            Place::Workspace(work.clone()),
            Place::Sandbox(sandbox.clone()),
        ],
        ..InstallOptions::default()
    };
    // The sandbox wants "allow" or "deny", and this binary says so.
    install(&home.setup(), &options).expect("it installs");
    assert!(
        !home.hooks().exists() && !home.mcp().exists(),
        "only where it was asked for"
    );
    assert!(value(&work.join(".agents/hooks.json"))["execution-guard"]["PreToolUse"].is_array());
    let entry = &value(&sandbox.join(".agents/hooks.json"))["execution-guard"];
    assert_eq!(
        (
            &entry["enabled"],
            &entry["pre_tool_execution"][0]["matcher"]
        ),
        (&true.into(), &"code_execution|read_file".into())
    );
    uninstall(&home.setup(), &everywhere()).expect("it uninstalls");
    assert!(
        !work.join(".agents/hooks.json").exists() && !sandbox.join(".agents/hooks.json").exists()
    );
    assert!(
        !home
            .path()
            .join(".config/execution-guard/places.json")
            .exists()
    );
}

#[test]
fn the_ide_has_a_file_of_its_own() {
    let home = Home::new();
    install(&home.setup(), &at(Place::Ide)).expect("it installs");
    assert!(
        home.path()
            .join(".gemini/antigravity-ide/hooks.json")
            .is_file()
            && !home.hooks().exists()
    );
}

#[test]
fn a_dry_run_shows_a_diff_and_writes_nothing() {
    let home = Home::new();
    write(&home.hooks(), THEIRS);
    let report = install(
        &home.setup(),
        &InstallOptions {
            dry_run: true,
            ..InstallOptions::default()
        },
    )
    .expect("it can be installed");
    let shown = report.to_string();
    assert!(
        shown.contains("+    \"execution-guard\": {\n") && shown.contains("--- /dev/null"),
        "{shown}"
    );
    assert!(!shown.contains("\n-    \"lint\""), "{shown}");
    assert_eq!(fs::read_to_string(home.hooks()).expect("text"), THEIRS);
    assert!(home.backups().is_empty() && !home.mcp().exists());
    assert_eq!(
        fs::read_dir(home.path().join(".gemini/config"))
            .expect("a folder")
            .count(),
        1
    );
}

#[test]
fn an_empty_file_counts_as_an_object_and_comes_back_empty() {
    for original in ["", "\n", "\u{feff}", "// nothing yet\n"] {
        let home = Home::new();
        write(&home.hooks(), original);
        write(&home.mcp(), original);
        install(&home.setup(), &InstallOptions::default()).expect("it installs");
        assert!(
            fs::read_to_string(home.hooks())
                .expect("text")
                .contains("execution-guard")
        );
        uninstall(&home.setup(), &everywhere()).expect("it uninstalls");
        assert_eq!(fs::read_to_string(home.hooks()).expect("text"), original);
        assert_eq!(fs::read_to_string(home.mcp()).expect("text"), original);
    }
}

#[test]
fn rollback_restores_the_last_backup_and_a_second_one_undoes_it() {
    let home = Home::new();
    write(&home.hooks(), THEIRS);
    assert!(matches!(
        rollback(&home.setup(), &everywhere()),
        Err(InstallError::NoBackup(_))
    ));
    install(&home.setup(), &hooks_only()).expect("it installs");
    let installed = fs::read_to_string(home.hooks()).expect("text");
    let report = rollback(&home.setup(), &everywhere()).expect("it rolls back");
    assert_eq!(
        report.changes[0].what,
        What::Restored {
            changed_since: false
        }
    );
    assert_eq!(fs::read_to_string(home.hooks()).expect("text"), THEIRS);
    rollback(&home.setup(), &everywhere()).expect("it rolls back");
    assert_eq!(fs::read_to_string(home.hooks()).expect("text"), installed);
}

#[test]
fn rollback_says_so_if_the_file_has_changed_since() {
    let home = Home::new();
    write(&home.hooks(), THEIRS);
    install(&home.setup(), &hooks_only()).expect("it installs");
    let edited = fs::read_to_string(home.hooks())
        .expect("text")
        .replace("lint\":", "lint2\":");
    write(&home.hooks(), &edited);
    let report = rollback(&home.setup(), &everywhere()).expect("it rolls back");
    assert_eq!(
        report.changes[0].what,
        What::Restored {
            changed_since: true
        }
    );
    assert!(report.to_string().contains("changed since"));
    let backup = report.changes[0]
        .backup
        .as_ref()
        .expect("the changes are kept");
    assert_eq!(fs::read_to_string(backup).expect("text"), edited);
}

#[test]
fn rollback_of_an_uninstallation_brings_the_files_back() {
    let home = Home::new();
    install(&home.setup(), &InstallOptions::default()).expect("it installs");
    let (hooks, mcp) = (
        fs::read(home.hooks()).expect("bytes"),
        fs::read(home.mcp()).expect("bytes"),
    );
    uninstall(&home.setup(), &everywhere()).expect("it uninstalls");
    fs::remove_file(home.binary()).expect("it is there");
    let report = rollback(&home.setup(), &everywhere()).expect("it rolls back");
    assert_eq!(
        (
            fs::read(home.hooks()).expect("bytes"),
            fs::read(home.mcp()).expect("bytes")
        ),
        (hooks, mcp)
    );
    assert!(
        report
            .notes
            .iter()
            .any(|note| note.contains("does not exist")),
        "{report}"
    );
}

#[test]
fn a_workspace_that_is_rolled_back_into_being_registered_is_found_again() {
    let home = Home::new();
    let work = Place::Workspace(home.path().join("work"));
    let file = work.hooks_file(home.path());
    write(&file, THEIRS);
    install(&home.setup(), &at(work.clone())).expect("it installs");
    let only = UninstallOptions {
        places: vec![work],
        ..everywhere()
    };
    uninstall(&home.setup(), &only).expect("it uninstalls");
    rollback(&home.setup(), &only).expect("it rolls back");
    assert!(
        fs::read_to_string(&file)
            .expect("text")
            .contains("execution-guard")
    );
    uninstall(&home.setup(), &everywhere()).expect("it uninstalls");
    assert_eq!(fs::read_to_string(&file).expect("text"), THEIRS);
}

#[test]
fn a_bounded_number_of_our_own_backups_is_kept_and_other_files_stay() {
    let home = Home::new();
    write(&home.hooks(), THEIRS);
    let others = [
        "hooks.json.bak",
        "hooks.json.2020.bak",
        "hooks.json.20200101T000000Z.bak",
        "x.hooks.json.20200101T000000.000000Z.bak",
    ];
    for other in others {
        write(&home.hooks().with_file_name(other), "theirs");
    }
    for _ in 0..12 {
        install(&home.setup(), &hooks_only()).expect("it installs");
        uninstall(&home.setup(), &everywhere()).expect("it uninstalls");
    }
    let ours: Vec<PathBuf> = home
        .backups()
        .into_iter()
        .filter(|path| fs::read_to_string(path).expect("text") != "theirs")
        .collect();
    assert_eq!(ours.len(), guard_install::files::KEPT_BACKUPS);
    assert_eq!(
        fs::read_to_string(&ours[0]).expect("text"),
        THEIRS,
        "the oldest is what the user had before"
    );
    for other in others {
        assert_eq!(
            fs::read_to_string(home.hooks().with_file_name(other)).expect("text"),
            "theirs"
        );
    }
}

#[test]
fn where_rtk_is_goes_into_the_users_configuration_and_out_again() {
    for theirs in [
        None,
        Some("{\n  // mine\n  \"wait_ms\": 10000\n}\n"),
        Some("{}"),
        Some(""),
    ] {
        let home = Home::new();
        let file = home.path().join(".config/execution-guard/config.json");
        if let Some(text) = theirs {
            write(&file, text);
        }
        let rtk = Rtk {
            path: "/opt/rtk".into(),
            version: Some("1.1.0".into()),
        };
        let records = rtk_records(&file, Some(&rtk));
        let options = InstallOptions {
            records: records.clone(),
            ..hooks_only()
        };
        let report = install(&home.setup(), &options).expect("it installs");
        assert_eq!(
            report
                .changes
                .iter()
                .filter(|change| change.file == file)
                .count(),
            1,
            "one change a file"
        );
        let text = fs::read_to_string(&file).expect("text");
        assert!(
            text.contains("\"rtk\": \"/opt/rtk\"") && text.contains("\"rtk_version\": \"1.1.0\""),
            "{text}"
        );
        assert!(
            !install(&home.setup(), &options)
                .expect("it installs")
                .is_change()
        );
        uninstall(
            &home.setup(),
            &UninstallOptions {
                records,
                ..everywhere()
            },
        )
        .expect("it uninstalls");
        assert_eq!(fs::read_to_string(&file).ok().as_deref(), theirs);
    }
}

#[test]
fn an_rtk_that_is_gone_is_struck_from_the_configuration() {
    let home = Home::new();
    let file = home.path().join("config.json");
    write(
        &file,
        "{\"a\": 1, \"rtk\": \"/old/rtk\", \"rtk_version\": \"1.0.0\"}",
    );
    let options = InstallOptions {
        records: rtk_records(&file, None),
        ..hooks_only()
    };
    install(&home.setup(), &options).expect("it installs");
    assert_eq!(fs::read_to_string(&file).expect("text"), "{\"a\": 1}");
}

/// A folder in which nothing can be made, for anyone: the file system of processes.
#[cfg(target_os = "linux")]
#[test]
fn if_one_file_can_not_be_written_the_others_get_their_old_bytes_back() {
    let home = Home::new();
    write(&home.mcp(), "{\"mcpServers\": {}}");
    symlink("/proc/no-such-hooks.json", home.hooks()).expect("a link");
    let error =
        install(&home.setup(), &InstallOptions::default()).expect_err("it can't be written");
    assert!(matches!(error, InstallError::Io { .. }), "{error}");
    assert_eq!(
        fs::read_to_string(home.mcp()).expect("text"),
        "{\"mcpServers\": {}}"
    );
    let names: Vec<_> = fs::read_dir(home.path().join(".gemini/config"))
        .expect("a folder")
        .collect();
    assert_eq!(
        names.len(),
        2,
        "no backup of a change that did not happen: {names:?}"
    );
}

/// As root, which the owner of a file means nothing to, an edit must still keep it.
#[test]
fn the_owner_stays() {
    use std::os::unix::fs::{MetadataExt, chown};
    let home = Home::new();
    write(&home.hooks(), THEIRS);
    let me = fs::metadata(home.hooks()).expect("metadata").uid();
    let other = if me == 0 && chown(home.hooks(), Some(1234), Some(1234)).is_ok() {
        1234
    } else {
        me
    };
    install(&home.setup(), &hooks_only()).expect("it installs");
    assert_eq!(fs::metadata(home.hooks()).expect("metadata").uid(), other);
    assert_eq!(
        fs::metadata(&home.backups()[0]).expect("metadata").uid(),
        other
    );
}

#[test]
fn files_that_are_not_there_and_need_not_be_are_not_spoken_of() {
    let home = Home::new();
    let config = home.path().join("config.json");
    let options = InstallOptions {
        records: rtk_records(&config, None),
        ..InstallOptions::default()
    };
    let said = install(&home.setup(), &options).expect("it installs");
    assert!(!said.to_string().contains("config.json: nothing"), "{said}");
    uninstall(&home.setup(), &everywhere()).expect("it uninstalls");
    let said = uninstall(&home.setup(), &everywhere()).expect("it uninstalls");
    assert_eq!(
        said.to_string(),
        "nothing to do: none of our entries is there\n"
    );
}

#[test]
fn a_restart_is_asked_for_only_where_a_host_reads_what_changed() {
    let home = Home::new();
    let rtk = Rtk {
        path: "/opt/rtk".into(),
        version: Some("1.1.0".into()),
    };
    let options = |rtk| InstallOptions {
        records: rtk_records(&home.path().join("config.json"), rtk),
        ..InstallOptions::default()
    };
    let said = |options| {
        install(&home.setup(), &options)
            .expect("it installs")
            .to_string()
    };
    assert!(said(options(None)).contains("Restart"));
    let second = said(options(Some(&rtk)));
    assert!(
        second.contains("config.json: made") && !second.contains("Restart"),
        "{second}"
    );
}
