//! Each host's wire format, in and out, and nothing of policy.

pub mod antigravity;
pub mod sandbox;
mod unreadable;

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::Value;

use crate::args::{Args, whole};
use crate::call::{Call, Host, governed};
use crate::paths::{clean, strip_file_scheme};
use crate::verdict::{PassThrough, Verdict};
pub use unreadable::names_governed_tool;

/// What arrived on standard input.
#[derive(Debug, Clone, PartialEq)]
pub enum Incoming {
    /// A call of a governed tool.
    Governed(Box<Call>),
    /// A call of another tool, or an event that is no call.
    Other(Host),
    /// The report of a call that has run in the sandbox.
    PostSandbox,
    /// No JSON object in the format of any host; whether it names a governed tool, and why it
    /// can't be read.
    Unreadable {
        /// Whether the text names a governed tool.
        governed: bool,
        /// What is wrong with it.
        error: String,
    },
}

/// The fields of every host's format. An object has those of one host. What only describes the
/// call is read as any value, so that a host that sends another type there is still judged.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", expecting = "a JSON object")]
struct Envelope<'a> {
    #[serde(borrow)]
    tool_call: Option<ToolCall<'a>>,
    #[serde(borrow, rename = "tool_call")]
    sandbox_tool_call: Option<ToolCall<'a>>,
    conversation_id: Option<Value>,
    #[serde(rename = "environment_id")]
    environment_id: Option<Value>,
    step_idx: Option<Value>,
    workspace_paths: Option<Value>,
    transcript_path: Option<Value>,
    artifact_directory_path: Option<Value>,
    error: Option<Value>,
    #[serde(rename = "hook_event_name")]
    event: Option<Value>,
}

#[derive(Deserialize)]
#[serde(expecting = "an object with name and args")]
struct ToolCall<'a> {
    #[serde(borrow, default)]
    name: Cow<'a, str>,
    #[serde(default)]
    args: Args,
}

const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// Reads what the host sent.
pub fn read(bytes: &[u8]) -> Incoming {
    let bytes = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
    match serde_json::from_slice::<Envelope>(bytes) {
        Ok(envelope) => envelope.into_incoming(),
        Err(error) => Incoming::Unreadable {
            governed: names_governed_tool(bytes),
            error: error.to_string(),
        },
    }
}

/// The text of the answer, without a newline.
pub fn write(incoming: &Incoming, verdict: &Verdict, pass_through: PassThrough) -> String {
    match incoming {
        Incoming::Governed(call) if call.host == Host::Sandbox => sandbox::write(verdict),
        Incoming::Governed(call) => antigravity::write(verdict, &call.args, pass_through),
        Incoming::Other(Host::Sandbox) => sandbox::write(verdict),
        Incoming::PostSandbox => "{}".to_owned(),
        Incoming::Other(Host::Antigravity) | Incoming::Unreadable { .. } => {
            antigravity::write(verdict, &Args::default(), PassThrough::Allow)
        }
    }
}

impl Envelope<'_> {
    fn into_incoming(self) -> Incoming {
        let is_post = self.is_post();
        let (host, tool_call) = match (self.tool_call, self.sandbox_tool_call) {
            (Some(call), None) => (Host::Antigravity, call),
            (None, Some(call)) => (Host::Sandbox, call),
            (None, None) => return Incoming::Other(Host::Antigravity),
            (Some(one), Some(other)) => return ambiguous(&one.name, &other.name),
        };
        if host == Host::Sandbox && is_post {
            return Incoming::PostSandbox;
        }
        let Some(name) = governed(&tool_call.name) else {
            return Incoming::Other(host);
        };
        Incoming::Governed(Box::new(Call {
            host,
            name,
            args: tool_call.args,
            conversation: text(self.conversation_id).or(text(self.environment_id)),
            step: self.step_idx.as_ref().and_then(whole),
            workspaces: texts(self.workspace_paths)
                .iter()
                .map(|path| local_path(path))
                .collect(),
            transcript: text(self.transcript_path).map(|path| local_path(&path)),
            artifacts: text(self.artifact_directory_path).map(|path| local_path(&path)),
        }))
    }

    /// The sandbox reports a call that ran with the same object, and `error` where it failed.
    fn is_post(&self) -> bool {
        let event = self
            .event
            .as_ref()
            .and_then(Value::as_str)
            .unwrap_or_default();
        self.says_that_it_failed() || event.eq_ignore_ascii_case("post_tool_execution")
    }

    /// Whether there is an error to report. An empty one may stand in a call that is still to be judged.
    fn says_that_it_failed(&self) -> bool {
        match &self.error {
            None | Some(Value::Null | Value::Bool(false)) => false,
            Some(Value::String(text)) => !text.is_empty(),
            Some(Value::Object(fields)) => !fields.is_empty(),
            Some(_) => true,
        }
    }
}

/// Paths have been seen as such and as `file://` addresses. Cleaned, as those that are compared with them are.
fn local_path(text: &str) -> PathBuf {
    clean(Path::new(strip_file_scheme(text).as_ref()))
}

/// A text that is not empty, or a number as text.
fn text(value: Option<Value>) -> Option<String> {
    match value? {
        Value::String(text) => Some(text).filter(|text| !text.is_empty()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

fn texts(value: Option<Value>) -> Vec<String> {
    match value {
        Some(Value::Array(items)) => items
            .into_iter()
            .filter_map(|item| text(Some(item)))
            .collect(),
        other => text(other).into_iter().collect(),
    }
}

fn ambiguous(one: &str, other: &str) -> Incoming {
    Incoming::Unreadable {
        governed: governed(one).is_some() || governed(other).is_some(),
        error: "both `toolCall` and `tool_call` are given".to_owned(),
    }
}
