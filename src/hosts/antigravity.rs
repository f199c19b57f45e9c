//! The answer to Antigravity's `PreToolUse`.

use serde::Serialize;
use serde_json::{Map, Value};

use crate::args::Args;
use crate::verdict::{Decision, PassThrough, Verdict};

#[derive(Serialize)]
struct Answer<'a> {
    decision: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
    #[serde(skip_serializing_if = "Map::is_empty")]
    overwrite: Map<String, Value>,
}

/// The text of the answer. Changed arguments go back under the keys that the host used.
pub fn write(verdict: &Verdict, args: &Args, pass_through: PassThrough) -> String {
    let (decision, is_allowed) = match verdict.decision {
        Decision::Allow => (pass_through.word(), true),
        Decision::Deny => ("deny", false),
        Decision::ForceAsk => ("force_ask", false),
    };
    let mut overwrite = Map::new();
    if is_allowed {
        if let Some(line) = &verdict.changes.command_line {
            let key = args.spelling("CommandLine").to_owned();
            overwrite.insert(key, Value::from(line.as_str()));
        }
        if let Some(wait_ms) = verdict.changes.wait_ms {
            let key = args.spelling("WaitMsBeforeAsync").to_owned();
            overwrite.insert(key, Value::from(wait_ms));
        }
    }
    let answer = Answer {
        decision,
        reason: verdict.reason.as_deref(),
        overwrite,
    };
    serde_json::to_string(&answer).unwrap_or_else(|_| format!(r#"{{"decision":"{decision}"}}"#))
}
