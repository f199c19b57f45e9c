//! The server, spoken to with the official client (PyPI `mcp`), which checks every message against the protocol's schemas.

mod common;

use common::{add, home, server, turns};
use serde_json::Value;
use std::process::Command;

/// A Python that has the package `mcp`.
fn python() -> String {
    let named = std::env::var("EXECUTION_GUARD_TEST_PYTHON");
    let python = named.unwrap_or_else(|_| "python3".to_owned());
    let probe = Command::new(&python)
        .args(["-c", "import mcp; mcp.Client"])
        .output();
    assert!(
        probe.is_ok_and(|probe| probe.status.success()),
        "{python} has no package mcp: set EXECUTION_GUARD_TEST_PYTHON to a Python where \"pip install mcp\" was run"
    );
    python
}

#[test]
fn the_official_client_gets_tools_prompt_and_resource() {
    let home = home();
    add(home.path(), "c1", &turns(5));
    let script = format!("{}/tests/client.py", env!("CARGO_MANIFEST_DIR"));
    let done = Command::new(python())
        .arg(script)
        .arg(server())
        .arg(home.path())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{said}");
    let told: Value = serde_json::from_slice(&done.stdout).unwrap();
    assert!(
        told["protocol"].as_str().unwrap() >= "2025-06-18",
        "{}",
        told["protocol"]
    );
    assert_eq!(told["tools"].as_array().unwrap().len(), 6);
    assert_eq!(told["read"][0], false);
    assert!(told["read"][1].as_str().unwrap().contains("> wish 3"));
    assert!(told["query"][1].as_str().unwrap().contains("- 9 assistant"));
    assert_eq!(told["wrong"][0], true);
    assert!(
        told["wrong"][1]
            .as_str()
            .unwrap()
            .contains("no conversation id")
    );
    assert!(told["health"][1].as_str().unwrap().contains("- Turns: 5"));
    assert_eq!(told["prompts"][0], "context_shield");
    assert_eq!(told["resources"][0], "execution-guard://rules/governance");
    assert_eq!(told["rules"], told["shield"]);
    assert_eq!(told["rules"], guard_mcp::GOVERNANCE);
}
