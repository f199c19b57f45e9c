//! The tools' arguments, with what a model is told of each.

use crate::tolerant;
use guard_transcript::reading::{self, LAST_TURNS, MAX_RESULTS, MOST_RESULTS, PAGE, PAGE_RANGE};
use rmcp::schemars::{self, JsonSchema};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

// Variants have no doc comments, so that the schema is a plain list of words.

/// How much of each record is shown.
#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    #[default]
    Compact,
    Full,
}

impl From<Mode> for reading::Mode {
    fn from(mode: Mode) -> Self {
        match mode {
            Mode::Compact => Self::Compact,
            Mode::Full => Self::Full,
        }
    }
}

/// Who speaks in a record.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    User,
    #[serde(alias = "model")]
    Assistant,
    Tool,
    System,
}

impl From<Role> for reading::Role {
    fn from(role: Role) -> Self {
        match role {
            Role::User => Self::User,
            Role::Assistant => Self::Assistant,
            Role::Tool => Self::Tool,
            Role::System => Self::System,
        }
    }
}

/// Arguments that no tool knows. Those that the host adds to every call are no mistake.
pub type Unknown = BTreeMap<String, Value>;

/// Of `read_transcript`.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Read {
    /// Id of the conversation, as the host names it. Leave it out for the newest conversation.
    #[serde(deserialize_with = "tolerant::text")]
    #[schemars(with = "String")]
    pub conversation_id: Option<String>,
    /// compact (default): what was said and done, one line a tool call. full: results of tool calls too.
    #[serde(deserialize_with = "tolerant::word")]
    #[schemars(with = "Mode")]
    pub mode: Option<Mode>,
    /// How many turns from the end (default 3); 0 is all. A turn begins with the user's words.
    #[serde(deserialize_with = "tolerant::number")]
    #[schemars(with = "u32")]
    pub last_turns: Option<u32>,
    /// Show the model's thinking too (default false).
    #[serde(deserialize_with = "tolerant::truth")]
    #[schemars(with = "bool")]
    pub include_thinking: Option<bool>,
    /// Only what is older than this step. A page names the value for the next one at its end.
    #[serde(deserialize_with = "tolerant::number")]
    #[schemars(with = "u64")]
    pub before_step: Option<u64>,
    /// Bytes of the page, 2048 to 262144 (default 16384).
    #[serde(deserialize_with = "tolerant::number")]
    #[schemars(with = "u32", range(min = 2048, max = 262144))]
    pub max_bytes: Option<u32>,
    #[serde(flatten)]
    #[schemars(skip)]
    pub unknown: Unknown,
}

/// Of `query_transcript`.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Query {
    /// Id of the conversation, as the host names it. Leave it out for the newest conversation.
    #[serde(deserialize_with = "tolerant::text")]
    #[schemars(with = "String")]
    pub conversation_id: Option<String>,
    /// Text to search for, letter by letter; if no record has it and it looks like a regular expression, it is one. Leave it out to
    /// list the records that the other arguments select.
    #[serde(deserialize_with = "tolerant::text")]
    #[schemars(with = "String")]
    pub query: Option<String>,
    /// true: query is a regular expression (linear-time: no look-around, no back-references). false: only ever text.
    #[serde(deserialize_with = "tolerant::truth")]
    #[schemars(with = "bool")]
    pub regex: Option<bool>,
    /// Only records of these roles (default all): user (the user's own words), assistant (what the model says and calls), tool
    /// (results of tool calls), system (the host: tasks that ended, timers).
    #[serde(deserialize_with = "tolerant::words")]
    #[schemars(with = "Vec<Role>")]
    pub roles: Vec<Role>,
    /// compact (default): the text around each match. full: each record with its text.
    #[serde(deserialize_with = "tolerant::word")]
    #[schemars(with = "Mode")]
    pub mode: Option<Mode>,
    /// First step that counts.
    #[serde(deserialize_with = "tolerant::number")]
    #[schemars(with = "u64")]
    pub start_step: Option<u64>,
    /// Last step that counts.
    #[serde(deserialize_with = "tolerant::number")]
    #[schemars(with = "u64")]
    pub end_step: Option<u64>,
    /// Only the last turns; 0 (default) is all.
    #[serde(deserialize_with = "tolerant::number")]
    #[schemars(with = "u32")]
    pub last_turns: Option<u32>,
    /// Search and show the model's thinking too (default false).
    #[serde(deserialize_with = "tolerant::truth")]
    #[schemars(with = "bool")]
    pub include_thinking: Option<bool>,
    /// Search and show the model's tool calls too (default true).
    #[serde(deserialize_with = "tolerant::truth")]
    #[schemars(with = "bool")]
    pub include_tool_calls: Option<bool>,
    /// How many records, the newest ones (default 5, at most 100).
    #[serde(deserialize_with = "tolerant::number")]
    #[schemars(with = "u32", range(min = 1, max = 100))]
    pub max_results: Option<u32>,
    /// One line for each record (default false).
    #[serde(deserialize_with = "tolerant::truth")]
    #[schemars(with = "bool")]
    pub summary_only: Option<bool>,
    /// One step whole instead of a search.
    #[serde(deserialize_with = "tolerant::number")]
    #[schemars(with = "u64")]
    pub step_index: Option<u64>,
    /// With stepIndex: one field of it, page by page: content, thinking, error, tool_calls, or the name of a tool argument.
    #[serde(deserialize_with = "tolerant::text")]
    #[schemars(with = "String")]
    pub field: Option<String>,
    /// With field: where in it to begin. A page names the value for the next one at its end.
    #[serde(deserialize_with = "tolerant::number")]
    #[schemars(with = "u64")]
    pub offset: Option<u64>,
    /// Bytes of the page, 2048 to 262144 (default 16384).
    #[serde(deserialize_with = "tolerant::number")]
    #[schemars(with = "u32", range(min = 2048, max = 262144))]
    pub max_bytes: Option<u32>,
    #[serde(flatten)]
    #[schemars(skip)]
    pub unknown: Unknown,
}

/// Of `check_context_health`.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Health {
    /// Id of the conversation, as the host names it. Leave it out for the newest conversation.
    #[serde(deserialize_with = "tolerant::text")]
    #[schemars(with = "String")]
    pub conversation_id: Option<String>,
    /// Path of a transcript.jsonl, instead of conversationId.
    #[serde(deserialize_with = "tolerant::text")]
    #[schemars(with = "String")]
    pub transcript_path: Option<String>,
    #[serde(flatten)]
    #[schemars(skip)]
    pub unknown: Unknown,
}

/// Of `subagent_brief`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Brief {
    /// What the subagent shall find out or do, in one or two sentences.
    pub objective: String,
    /// Files and folders it may read or change. Nothing else is its business.
    #[serde(deserialize_with = "tolerant::texts", default)]
    #[schemars(with = "Vec<String>")]
    pub scope_files: Vec<String>,
    /// What it shall hand back, and in what form.
    pub expected_deliverable: String,
    #[serde(flatten)]
    #[schemars(skip)]
    pub unknown: Unknown,
}

/// Of `get_installation_status`.
#[derive(Debug, Default, Deserialize, JsonSchema)]
pub struct Nothing {
    #[serde(flatten)]
    #[schemars(skip)]
    pub unknown: Unknown,
}

/// Of `sync_installation`.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Sync {
    /// true: only tell what would change, and change nothing (default false).
    #[serde(deserialize_with = "tolerant::truth")]
    #[schemars(with = "bool")]
    pub check_only: Option<bool>,
    #[serde(flatten)]
    #[schemars(skip)]
    pub unknown: Unknown,
}

/// Refuses arguments that the tool does not know: a misspelled one that is passed over gives an answer to another question.
pub fn refuse(unknown: &Unknown, known: &str) -> Result<(), String> {
    // What the host adds to each call.
    let added = ["toolaction", "toolsummary", "waitforprevioustools"];
    let strange = unknown
        .keys()
        .find(|name| !added.contains(&name.to_ascii_lowercase().as_str()));
    match strange {
        Some(name) => {
            let name: String = name.chars().take(64).collect();
            Err(format!(
                "there is no argument {name:?}; leave it out, or use one of these: {known}"
            ))
        }
        None => Ok(()),
    }
}

/// The size of a page, checked.
pub fn page(asked: Option<u32>) -> Result<usize, String> {
    let size = asked.map_or(PAGE, |size| size as usize);
    if PAGE_RANGE.contains(&size) {
        return Ok(size);
    }
    Err(format!(
        "maxBytes is {size}; give {} to {}",
        PAGE_RANGE.start(),
        PAGE_RANGE.end()
    ))
}

/// The number of results, checked.
pub fn results(asked: Option<u32>) -> Result<u32, String> {
    match asked {
        None => Ok(MAX_RESULTS),
        Some(count) if (1..=MOST_RESULTS).contains(&count) => Ok(count),
        Some(count) => Err(format!("maxResults is {count}; give 1 to {MOST_RESULTS}")),
    }
}

/// The number of turns.
pub fn turns(asked: Option<u32>) -> u32 {
    asked.unwrap_or(LAST_TURNS)
}
