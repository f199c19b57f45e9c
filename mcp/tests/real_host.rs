//! The real host (PyPI `google-antigravity`) is given the server, tells its model of every tool and calls one.

#![cfg(target_os = "linux")]

mod common;

use common::{home, server};
use serde_json::Value;
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
        "{python} has no package google-antigravity: set EXECUTION_GUARD_TEST_PYTHON to a Python where \"pip install google-antigravity\" was run"
    );
    python
}

#[test]
fn the_host_lists_the_tools_and_calls_one() {
    let work = home();
    let script = format!("{}/tests/host.py", env!("CARGO_MANIFEST_DIR"));
    let done = Command::new(python())
        .arg(script)
        .arg(server())
        .arg(work.path())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{said}");
    let line = done
        .stdout
        .split(|byte| *byte == b'\n')
        .rfind(|line| !line.is_empty())
        .unwrap();
    let told: Value =
        serde_json::from_slice(line).unwrap_or_else(|error| panic!("{error}: {said}"));
    let system = told["system"].as_str().unwrap();
    for tool in [
        "check_context_health",
        "get_installation_status",
        "query_transcript",
        "read_transcript",
        "subagent_brief",
        "sync_installation",
    ] {
        assert!(system.contains(tool), "{tool} in {system}");
        assert!(
            told["schemas"][tool].is_object(),
            "{tool} in {}",
            told["schemas"]
        );
    }
    let result = told["result"].as_str().unwrap();
    assert!(
        result.contains("## Step 0, user") && result.contains("> the user's wish"),
        "{result}"
    );
}
