//! A server process with a home of its own, spoken to line by line.
#![allow(dead_code)] // Each test file uses its own part of this.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;
use tempfile::TempDir;

/// Longer than any answer takes on a busy machine; only a hang is found by it.
const PATIENCE: Duration = Duration::from_secs(120);

/// The example that serves, which cargo builds beside the tests.
pub fn server() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let folder = test.parent().unwrap().parent().unwrap();
    let server = folder
        .join("examples")
        .join(format!("serve{}", std::env::consts::EXE_SUFFIX));
    assert!(
        server.is_file(),
        "no {}: run the tests of the whole package, which builds it",
        server.display()
    );
    server
}

/// A home with conversations.
pub fn home() -> TempDir {
    tempfile::tempdir().unwrap()
}

pub fn add(home: &Path, id: &str, lines: &[Value]) {
    let logs = home
        .join(".gemini/antigravity/brain")
        .join(id)
        .join(".system_generated/logs");
    std::fs::create_dir_all(&logs).unwrap();
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    std::fs::write(logs.join("transcript.jsonl"), text).unwrap();
}

pub fn record(step: u64, source: &str, kind: &str, content: &str) -> Value {
    json!({"step_index": step, "source": source, "type": kind, "status": "DONE", "created_at": "2026-11-30T15:52:12Z", "content": content})
}

/// Turns of two steps each.
pub fn turns(count: u64) -> Vec<Value> {
    (0..count)
        .flat_map(|turn| {
            let wish = format!("<USER_REQUEST>\nwish {turn}\n</USER_REQUEST>");
            [
                record(turn * 2, "USER_EXPLICIT", "USER_INPUT", &wish),
                record(
                    turn * 2 + 1,
                    "MODEL",
                    "PLANNER_RESPONSE",
                    &format!("answer {turn}"),
                ),
            ]
        })
        .collect()
}

/// A running server.
pub struct Server {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    next: u64,
}

impl Server {
    /// Starts it, without any word said.
    pub fn start(home: &Path) -> Self {
        let mut child = Command::new(server())
            .env("HOME", home)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (input, output) = (child.stdin.take(), child.stdout.take().unwrap());
        Self {
            child,
            input,
            lines: lines_of(output),
            next: 0,
        }
    }

    /// Starts it and shakes hands.
    pub fn ready(home: &Path) -> Self {
        let mut server = Self::start(home);
        let info = server.ask("initialize", json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "0"}}));
        assert_eq!(
            info["result"]["serverInfo"]["name"], "execution-guard",
            "{info}"
        );
        server.say(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        server
    }

    pub fn say(&mut self, message: &Value) {
        writeln!(self.input.as_mut().unwrap(), "{message}").unwrap();
    }

    pub fn hear(&self) -> Value {
        let line = self.lines.recv_timeout(PATIENCE).expect("an answer");
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{line}: {error}"))
    }

    /// Asks, and takes the next line as the answer.
    pub fn ask(&mut self, method: &str, params: Value) -> Value {
        self.next += 1;
        let id = self.next;
        self.say(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        let answer = self.hear();
        assert_eq!(answer["id"], id, "{answer}");
        answer
    }

    /// Calls a tool; its text, or as an error its text.
    pub fn call(&mut self, tool: &str, arguments: Value) -> Result<String, String> {
        let answer = self.ask("tools/call", json!({"name": tool, "arguments": arguments}));
        let result = &answer["result"];
        let text = result["content"][0]["text"]
            .as_str()
            .unwrap_or_else(|| panic!("{answer}"))
            .to_owned();
        if result["isError"] == true {
            Err(text)
        } else {
            Ok(text)
        }
    }

    /// Closes its input, and returns what it still says and whether it ended well.
    pub fn close(mut self) -> (Vec<String>, bool) {
        drop(self.input.take());
        let rest = self.lines.iter().collect();
        (rest, self.child.wait().unwrap().success())
    }
}

fn lines_of(output: ChildStdout) -> Receiver<String> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    receiver
}
