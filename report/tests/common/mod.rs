//! A log with given lines, and the report of it.

use std::fs;
use std::path::Path;

use chrono::{DateTime, Utc};
use guard_report::{Range, Report, Request, Tokens, Zone};
use serde_json::{Value, json};
use tempfile::TempDir;

pub struct Home(TempDir);

#[allow(dead_code, reason = "each test file uses a part")]
impl Home {
    pub fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// Writes the log.
    pub fn log(&self, lines: &[Value]) {
        let lines: Vec<String> = lines.iter().map(Value::to_string).collect();
        self.log_text(&(lines.join("\n") + "\n"));
    }

    pub fn log_text(&self, text: &str) {
        fs::write(self.path().join("decisions.jsonl"), text).unwrap();
    }

    /// Writes the transcript of a conversation.
    pub fn transcript(&self, conversation: &str, records: &[Value]) {
        let logs = self
            .path()
            .join(".gemini/antigravity/brain")
            .join(conversation)
            .join(".system_generated/logs");
        fs::create_dir_all(&logs).unwrap();
        let records: Vec<String> = records.iter().map(|record| format!("{record}\n")).collect();
        fs::write(logs.join("transcript.jsonl"), records.concat()).unwrap();
    }

    /// The report of the time since then.
    pub fn since(&self, since: &str) -> Report {
        self.with_tokens(
            since,
            Ok(Tokens {
                commands: 3,
                input: 1000,
                output: 250,
                saved: 750,
            }),
        )
    }

    pub fn with_tokens(&self, since: &str, tokens: Result<Tokens, String>) -> Report {
        Report::of(Request {
            range: Range::since(since, now(), Zone::Utc).unwrap(),
            state: self.path(),
            is_on: true,
            home: Some(self.path()),
            governs: |name| name == "run_command",
            tokens,
        })
    }
}

pub fn now() -> DateTime<Utc> {
    "2026-11-30T16:00:00Z".parse().unwrap()
}

/// A line of the log, so many hours ago.
pub fn line(hours_ago: i64, step: u64, tool: &str, kind: &str) -> Value {
    let at = now().timestamp_millis() - hours_ago * 3_600_000;
    json!({"at": at, "conversation": "c1", "step": step, "tool": tool, "kind": kind})
}
