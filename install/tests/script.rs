//! `install.sh` from a fresh home and back.
#![cfg(unix)]
#![allow(missing_docs)]

#[path = "common/home.rs"]
mod home;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use home::script;

/// A binary that answers, and writes down what it was told.
const GUARD: &str = r#"#!/bin/sh
case "${1:-}" in
    '') cat >/dev/null; echo '{"decision":"allow"}' ;;
    --help) printf 'usage\n  install    register\n  execution-guard uninstall  take out\n' ;;
    *) echo "$*" >>"$HOME/told"; [ ! -e "$HOME/fail" ] ;;
esac
"#;

struct Fresh {
    folder: tempfile::TempDir,
}

impl Fresh {
    fn new() -> Fresh {
        let fresh = Fresh {
            folder: tempfile::tempdir().expect("a folder"),
        };
        fs::create_dir(fresh.home()).expect("a folder");
        script(&fresh.built(), GUARD);
        fresh
    }

    fn home(&self) -> PathBuf {
        self.folder.path().join("a home")
    }

    fn built(&self) -> PathBuf {
        self.folder.path().join("built/execution-guard")
    }

    fn installed(&self) -> PathBuf {
        self.home().join(".local/bin/execution-guard")
    }

    fn told(&self) -> String {
        fs::read_to_string(self.home().join("told")).unwrap_or_default()
    }

    fn run(&self, arguments: &[&str]) -> Output {
        Command::new("sh")
            .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("install.sh"))
            .args(arguments)
            .env_clear()
            .env("PATH", "/usr/bin:/bin")
            .env("HOME", self.home())
            .current_dir(self.folder.path())
            .stdin(Stdio::null())
            .output()
            .expect("sh runs")
    }

    fn install(&self) -> Output {
        self.run(&["--binary", "built/execution-guard", "--no-rtk"])
    }
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

#[test]
fn it_installs_registers_and_ends_with_a_decision() {
    let fresh = Fresh::new();
    let output = fresh.install();
    assert!(output.status.success(), "{}", text(&output));
    assert_eq!(fs::read_to_string(fresh.installed()).expect("text"), GUARD);
    assert_eq!(fresh.told(), "install\n");
    assert!(
        text(&output).ends_with("The answer:\n  {\"decision\":\"allow\"}\n"),
        "{}",
        text(&output)
    );
    assert_eq!(
        fs::read_dir(fresh.home().join(".local/bin"))
            .expect("a folder")
            .count(),
        1,
        "nothing else is left"
    );
}

#[test]
fn a_second_run_is_the_same() {
    let fresh = Fresh::new();
    fresh.install();
    let before = fs::metadata(fresh.installed())
        .expect("metadata")
        .modified()
        .expect("a time");
    let output = fresh.install();
    assert!(
        output.status.success() && text(&output).contains("up to date"),
        "{}",
        text(&output)
    );
    assert_eq!(
        fs::metadata(fresh.installed())
            .expect("metadata")
            .modified()
            .expect("a time"),
        before
    );
}

#[test]
fn uninstalling_takes_the_entry_out_before_the_binary() {
    let fresh = Fresh::new();
    fresh.install();
    fs::write(fresh.home().join("fail"), "").expect("a file");
    let output = fresh.run(&["--uninstall"]);
    assert!(
        !output.status.success() && fresh.installed().exists(),
        "{}",
        text(&output)
    );
    fs::remove_file(fresh.home().join("fail")).expect("it is there");
    let output = fresh.run(&["--uninstall"]);
    assert!(
        output.status.success() && !fresh.installed().exists(),
        "{}",
        text(&output)
    );
    assert_eq!(fresh.told(), "install\nuninstall\nuninstall\n");
    assert!(
        fresh.run(&["--uninstall"]).status.success(),
        "twice is fine"
    );
}

#[test]
fn a_new_binary_that_does_not_answer_never_replaces_one_that_does() {
    let fresh = Fresh::new();
    fresh.install();
    script(&fresh.built(), "#!/bin/sh\necho '{}'\n");
    let output = fresh.install();
    assert!(
        !output.status.success() && text(&output).contains("without a decision"),
        "{}",
        text(&output)
    );
    assert_eq!(fs::read_to_string(fresh.installed()).expect("text"), GUARD);
    assert_eq!(
        fs::read_dir(fresh.home().join(".local/bin"))
            .expect("a folder")
            .count(),
        1,
        "nothing else is left"
    );
}

#[test]
fn a_version_without_the_commands_is_put_in_place_and_says_so() {
    let fresh = Fresh::new();
    script(&fresh.built(), home::ANSWERS);
    let output = fresh.install();
    assert!(
        output.status.success() && text(&output).contains("Not registered"),
        "{}",
        text(&output)
    );
    let hooks = fresh.home().join(".gemini/config/hooks.json");
    home::write(
        &hooks,
        format!(
            "{{\"x\":[{{\"command\": \"{}\"}}]}}",
            fresh.installed().display()
        ),
    );
    let output = fresh.run(&["--uninstall"]);
    assert!(
        !output.status.success() && fresh.installed().exists(),
        "an entry without its binary blocks every tool: {}",
        text(&output)
    );
    fs::remove_file(hooks).expect("it is there");
    assert!(fresh.run(&["--uninstall"]).status.success() && !fresh.installed().exists());
}

#[test]
fn options_behind_two_dashes_go_to_install() {
    let fresh = Fresh::new();
    let output = fresh.run(&[
        "--no-rtk",
        "--binary",
        "built/execution-guard",
        "--prefix",
        "my prefix",
        "--",
        "--workspace",
        "a b",
    ]);
    assert!(output.status.success(), "{}", text(&output));
    assert_eq!(fresh.told(), "install --workspace a b\n");
    assert!(
        fresh
            .folder
            .path()
            .join("my prefix/bin/execution-guard")
            .is_file()
    );
}

#[test]
fn only_a_state_folder_of_our_name_is_purged() {
    let fresh = Fresh::new();
    fresh.install();
    let state = fresh.home().join(".local/state/execution-guard");
    fs::create_dir_all(&state).expect("a folder");
    assert!(text(&fresh.run(&["--uninstall"])).contains("Left the state folder") && state.exists());
    fresh.install();
    assert!(fresh.run(&["--uninstall", "--purge"]).status.success() && !state.exists());
}

#[test]
fn unknown_options_and_missing_values_are_refused() {
    let fresh = Fresh::new();
    for arguments in [
        &["--frobnicate"][..],
        &["--prefix"],
        &["--binary", "/nowhere"],
    ] {
        assert!(!fresh.run(arguments).status.success(), "{arguments:?}");
    }
    assert!(fresh.run(&["--help"]).status.success());
}
