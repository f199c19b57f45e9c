//! The real host (PyPI `google-antigravity`) and the real rtk, with the programs installed as a user does and a model
//! that says what a story says. The stories are in `tests/host/stories`.

#![cfg(target_os = "linux")]

#[path = "../rtk/tests/common/rtk.rs"]
mod rtk;

use std::path::PathBuf;
use std::process::Command;

/// A Python that has the package `google-antigravity`.
fn python() -> String {
    let named = std::env::var("EXECUTION_GUARD_TEST_PYTHON");
    let python = named.unwrap_or_else(|_| "python3".to_owned());
    let probe = Command::new(&python)
        .args(["-c", "import google.antigravity"])
        .output();
    assert!(
        probe.is_ok_and(|probe| probe.status.success()),
        "{python} has no package google-antigravity: set EXECUTION_GUARD_TEST_PYTHON to a Python where \"pip install google-antigravity==0.1.22\" was run"
    );
    python
}

#[track_caller]
fn story(name: &str) {
    let guard = PathBuf::from(env!("CARGO_BIN_EXE_execution-guard"));
    let played = Command::new(python())
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/host/run.py"))
        .arg(name)
        .arg(guard.parent().unwrap())
        .arg(rtk::path())
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&played.stderr);
    assert!(played.status.success(), "{name}:\n{said}");
}

#[test]
fn an_ordinary_session_sees_less_and_does_the_same() {
    story("ordinary");
}

#[test]
fn a_long_build_is_not_polled_and_its_log_is_read_when_it_ends() {
    story("long_build");
}

#[test]
fn no_way_into_the_transcript_shows_any_of_it() {
    story("transcript");
}

#[test]
fn a_benchmark_changes_only_when_the_user_says_so() {
    story("benchmark");
}

#[test]
fn without_rtk_the_protection_stays() {
    story("without_rtk");
}

#[test]
fn other_hooks_run_beside_ours() {
    story("second_hook");
}

#[test]
fn the_host_gets_the_tool_server_that_was_installed() {
    story("tool_server");
}
