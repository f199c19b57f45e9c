//! `install.sh` from a fresh home and back.
#![cfg(unix)]
#![allow(missing_docs)]

#[path = "common/home.rs"]
mod home;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use home::script;

/// A hook that answers, and hands commands over.
const HOOK: &str = r#"#!/bin/sh
[ $# -eq 0 ] || exec "$0-cli" "$@"
cat >/dev/null
echo '{"decision":"allow"}'
"#;

/// Commands that write down what they were told, and who stood there.
const COMMANDS: &str = r#"#!/bin/sh
case "${1:-}" in
    --version) echo 1 ;;
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
        script(&fresh.built(), HOOK);
        script(&fresh.built_commands(), COMMANDS);
        fresh
    }

    fn home(&self) -> PathBuf {
        self.folder.path().join("a home")
    }

    fn built(&self) -> PathBuf {
        self.folder.path().join("built/execution-guard")
    }

    fn built_commands(&self) -> PathBuf {
        self.folder.path().join("built/execution-guard-cli")
    }

    fn commands(&self) -> PathBuf {
        self.home().join(".local/bin/execution-guard-cli")
    }

    /// The installed programs, and that nothing else is left.
    fn texts(&self) -> (String, String) {
        let folder = fs::read_dir(self.home().join(".local/bin")).expect("a folder");
        assert_eq!(folder.count(), 2, "nothing else is left");
        let text = |file| fs::read_to_string(file).expect("text");
        (text(self.installed()), text(self.commands()))
    }

    fn installed(&self) -> PathBuf {
        self.home().join(".local/bin/execution-guard")
    }

    /// Before the system's on the `PATH`.
    fn tools(&self) -> PathBuf {
        self.folder.path().join("tools")
    }

    fn told(&self) -> String {
        fs::read_to_string(self.home().join("told")).unwrap_or_default()
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().expect("sh runs")
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new("sh");
        command
            .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("install.sh"))
            .args(arguments)
            .env_clear()
            .env("PATH", format!("{}:/usr/bin:/bin", self.tools().display()))
            .env("HOME", self.home())
            .current_dir(self.folder.path())
            .stdin(Stdio::null());
        command
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
    assert_eq!(fresh.texts(), (HOOK.to_owned(), COMMANDS.to_owned()));
    assert_eq!(fresh.told(), "install\n");
    assert!(
        text(&output).ends_with("The answer:\n  {\"decision\":\"allow\"}\n"),
        "{}",
        text(&output)
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
    assert_eq!(fresh.texts(), (HOOK.to_owned(), COMMANDS.to_owned()));
}

#[test]
fn new_commands_that_do_not_run_replace_nothing() {
    let fresh = Fresh::new();
    fresh.install();
    script(&fresh.built_commands(), "#!/bin/sh\nexit 1\n");
    let output = fresh.install();
    assert!(
        !output.status.success() && text(&output).contains("execution-guard-cli does not work"),
        "{}",
        text(&output)
    );
    assert_eq!(fresh.texts(), (HOOK.to_owned(), COMMANDS.to_owned()));
    fs::remove_file(fresh.built_commands()).expect("it is there");
    let output = fresh.install();
    assert!(
        !output.status.success() && text(&output).contains("belongs beside the hook"),
        "{}",
        text(&output)
    );
}

#[test]
fn one_program_that_is_old_or_gone_is_renewed() {
    let fresh = Fresh::new();
    fresh.install();
    for program in [fresh.installed(), fresh.commands()] {
        script(&program, "#!/bin/sh\n# old\n");
        assert!(fresh.install().status.success());
        assert_eq!(fresh.texts(), (HOOK.to_owned(), COMMANDS.to_owned()));
        fs::remove_file(&program).expect("it is there");
        assert!(fresh.install().status.success());
        assert_eq!(fresh.texts(), (HOOK.to_owned(), COMMANDS.to_owned()));
    }
}

/// Looks, after each step, whether there is a hook without its commands.
const WATCHED: &str = r#"#!/bin/sh
PATH=/usr/bin:/bin
"${0##*/}" "$@" || exit
bin=$HOME/.local/bin
[ ! -e "$bin/execution-guard" ] || [ -e "$bin/execution-guard-cli" ] || echo "${0##*/} $*" >>"$HOME/alone"
echo "${0##*/}" >>"$HOME/steps"
"#;

#[test]
fn a_hook_never_stands_there_without_its_commands() {
    let fresh = Fresh::new();
    for program in ["mv", "rm"] {
        script(&fresh.tools().join(program), WATCHED);
    }
    assert!(fresh.install().status.success());
    assert!(fresh.run(&["--uninstall"]).status.success());
    assert!(!fresh.installed().exists() && !fresh.commands().exists());
    let read = |name| fs::read_to_string(fresh.home().join(name)).unwrap_or_default();
    assert_eq!(read("alone"), "");
    assert_eq!(read("steps"), "mv\nmv\nrm\nrm\n");
}

#[test]
fn an_entry_that_no_program_can_remove_keeps_the_hook() {
    let fresh = Fresh::new();
    fresh.install();
    fs::remove_file(fresh.commands()).expect("it is there");
    let hooks = fresh.home().join(".gemini/config/hooks.json");
    for command in [
        fresh.installed().display().to_string(),
        "/a link/execution-guard".to_owned(),
    ] {
        home::write(&hooks, format!("{{\"x\":[{{\"command\": {command:?}}}]}}"));
        let output = fresh.run(&["--uninstall"]);
        assert!(
            !output.status.success() && fresh.installed().exists(),
            "an entry without its hook blocks every tool: {}",
            text(&output)
        );
    }
    home::write(
        &hooks,
        "{\"execution-guard\":[{\"command\": \"/a/execution-guard2\"}]}",
    );
    assert!(fresh.run(&["--uninstall"]).status.success() && !fresh.installed().exists());
}

#[test]
fn a_removal_of_a_part_is_left_to_the_command() {
    let fresh = Fresh::new();
    fresh.install();
    for part in ["--dry-run", "--no-mcp"] {
        let output = fresh.run(&["--uninstall", "--", part]);
        assert!(
            !output.status.success() && text(&output).contains("uninstall --"),
            "{}",
            text(&output)
        );
    }
    assert_eq!(fresh.told(), "install\n");
    assert!(fresh.installed().exists());
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
fn state_and_settings_go_only_if_asked_for_and_only_under_our_name() {
    let fresh = Fresh::new();
    fresh.install();
    let kept = [".local/state", ".config"].map(|folder| {
        let folder = fresh.home().join(folder).join("execution-guard");
        home::write(&folder.join("a.json"), "{}");
        folder
    });
    let said = text(&fresh.run(&["--uninstall"]));
    for folder in &kept {
        assert!(
            folder.exists()
                && said.contains(&format!(": {} (--uninstall --purge", folder.display())),
            "{said}"
        );
    }
    fresh.install();
    assert!(fresh.run(&["--uninstall", "--purge"]).status.success());
    assert!(kept.iter().all(|folder| !folder.exists()));
}

#[test]
fn a_folder_of_another_name_is_never_removed() {
    let fresh = Fresh::new();
    fresh.install();
    let state = fresh.home().join("my state");
    home::write(&state.join("a.json"), "{}");
    let output = fresh
        .command(&["--uninstall", "--purge"])
        .env("EXECUTION_GUARD_STATE_DIR", &state)
        .output()
        .expect("sh runs");
    assert!(output.status.success() && text(&output).contains("Left the state"));
    assert!(state.join("a.json").exists());
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
