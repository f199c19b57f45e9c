//! The answer to the managed sandbox's `pre_tool_execution`.
//!
//! Whatever is not exactly `deny` is read as allow there, so a question to the user becomes a
//! denial that says what to ask, and there are no changed arguments.

use serde::Serialize;

use crate::verdict::{Decision, Verdict};

#[derive(Serialize)]
struct Answer<'a> {
    decision: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
}

const ASK: &str = "\nNobody can be asked from here: end your turn, tell the user what you wanted to do \
                   and why, and let them do it themselves.";

/// The text of the answer.
pub fn write(verdict: &Verdict) -> String {
    let reason = verdict.reason.as_deref().unwrap_or_default();
    let asking;
    let answer = match verdict.decision {
        Decision::Allow => return r#"{"decision":"allow"}"#.to_owned(),
        Decision::Deny => Answer {
            decision: "deny",
            reason: Some(reason),
        },
        Decision::ForceAsk => {
            asking = [reason, ASK].concat();
            Answer {
                decision: "deny",
                reason: Some(&asking),
            }
        }
    };
    serde_json::to_string(&answer).unwrap_or_else(|_| r#"{"decision":"deny"}"#.to_owned())
}
