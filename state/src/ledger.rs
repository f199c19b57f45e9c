//! What a conversation has done so far, as data.

use crate::digest::Digest;
use crate::recent::Recent;
use crate::time::{self, Time};
use serde::{Deserialize, Serialize};

/// The version of the file format that this crate writes. It reads no other.
pub const VERSION: u32 = 1;

/// How many asked steps a breaker remembers.
pub const MAX_STEPS: usize = 8;

/// How many names of polled tasks are kept.
pub const MAX_TASKS: usize = 8;

/// Longest kept name of a task, in bytes. A host's own is under 60 (`<uuid>/task-<n>`).
const MAX_TASK_BYTES: usize = 200;

/// The ledger of one conversation.
///
/// Every field stands in the file and must be there when it is read: one that is missing is damage, not a zero,
/// so that no cut file is a free check. Fields that this version does not know are ignored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ledger {
    version: u32,
    conversation: String,
    /// Status checks allowed so far.
    pub level: u32,
    /// Premature calls so far.
    pub strikes: u32,
    /// When the last check was allowed.
    #[serde(with = "time::optional_millis")]
    pub last_allowed: Option<Time>,
    /// When the last polling call of any outcome came.
    #[serde(with = "time::optional_millis")]
    pub last_poll: Option<Time>,
    /// The step index of the last polling call.
    pub last_poll_step: Option<u64>,
    /// Whether polling goes to the user.
    pub breaker: Breaker,
    /// The tasks polled, the last ones.
    pub tasks_polled: Recent<TaskName, MAX_TASKS>,
    /// The last call judged and its answer, for the host that runs the hook twice for one call.
    pub last_call: Option<LastCall>,
}

impl Ledger {
    /// The ledger of a conversation that has done nothing yet.
    #[must_use]
    pub fn new(conversation: &str) -> Self {
        Self {
            version: VERSION,
            conversation: conversation.to_owned(),
            level: 0,
            strikes: 0,
            last_allowed: None,
            last_poll: None,
            last_poll_step: None,
            breaker: Breaker::Closed,
            tasks_polled: Recent::new(),
            last_call: None,
        }
    }

    /// The conversation that this ledger belongs to.
    #[must_use]
    pub fn conversation(&self) -> &str {
        &self.conversation
    }

    pub(crate) fn version(&self) -> u32 {
        self.version
    }

    /// The same counts as the ledger of `conversation`: what a caller hands in can't end in another's file.
    pub(crate) fn owned_by(mut self, conversation: &str) -> Self {
        if self.conversation != conversation {
            conversation.clone_into(&mut self.conversation);
        }
        self.version = VERSION;
        self
    }
}

/// Whether polling goes to the user.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case")]
pub enum Breaker {
    /// Polling is judged by the cool-down.
    Closed,
    /// Each polling call asks the user.
    Open(Asked),
    /// The user declined: polling is refused without another dialogue.
    Declined(Asked),
}

/// What the user was asked while the breaker was open.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asked {
    /// When the breaker opened.
    #[serde(with = "time::millis")]
    pub since: Time,
    /// The step indexes of the calls that asked, the last ones: the transcript's records there say what the user did.
    pub asked_steps: Recent<u64, MAX_STEPS>,
    /// The tasks polled, the last ones.
    pub tasks: Recent<TaskName, MAX_TASKS>,
}

/// The name of a task, cut at 200 bytes.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub struct TaskName(String);

impl TaskName {
    /// The name as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<String> for TaskName {
    fn from(mut name: String) -> Self {
        let end = cut(&name).len();
        name.truncate(end);
        Self(name)
    }
}

impl From<&str> for TaskName {
    fn from(name: &str) -> Self {
        Self(cut(name).to_owned())
    }
}

/// The longest start of `name` within the limit that ends between two characters.
fn cut(name: &str) -> &str {
    let end = (0..=MAX_TASK_BYTES.min(name.len()))
        .rev()
        .find(|end| name.is_char_boundary(*end));
    &name[..end.unwrap_or(0)]
}

impl From<TaskName> for String {
    fn from(name: TaskName) -> Self {
        name.0
    }
}

/// A call and what it was answered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LastCall {
    /// The host's index of the call.
    pub step: Option<u64>,
    /// The tool, as the caller spells it.
    pub tool: String,
    /// The digest of the call's arguments.
    pub arguments: Digest,
    /// What it was answered.
    pub answer: Answer,
}

impl LastCall {
    /// Whether this is the call with that step, tool and arguments.
    #[must_use]
    pub fn is(&self, step: Option<u64>, tool: &str, arguments: Digest) -> bool {
        self.step == step && self.tool == tool && self.arguments == arguments
    }
}

/// An answer as it was given, in the host's words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    /// `allow`, `deny`, `ask` or `force_ask`.
    pub decision: String,
    /// The reason that stood beside it.
    pub reason: Option<String>,
}
