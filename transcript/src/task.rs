//! What a record's content says about a background task.

use crate::record::Record;
use crate::scanner::CONTENT_KEPT;
use crate::text::bounded;

/// Bytes of a command kept as a running task's description.
pub(crate) const DESCRIPTION_KEPT: usize = 256;

/// Bytes of a content, in its JSON form, that hold what is said of an end; a message's has 390.
const HEADER_KEPT: usize = 640;

const LAUNCHED: &str = "Tool is running as a background task with task id: ";
const DESCRIPTION: &str = "Task Description: ";
/// What the answer to a status check starts with.
pub(crate) const STATUS_ANSWER: &str = "Task: ";
const MESSAGE: &str = "<SYSTEM_MESSAGE>\n[Message] ";

/// A task's id: `<conversation>/task-<number>`, or `task-<number>` as agents write it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct TaskId {
    /// The conversation, where the id names one.
    pub conversation: Option<String>,
    /// The number, which is the `step_index` of the record that launched it.
    pub number: u64,
}

impl TaskId {
    /// Reads an id; `None` if it is not of one of the two forms.
    pub fn parse(text: &str) -> Option<Self> {
        let (conversation, name) = match text.rsplit_once('/') {
            Some(("", _)) => return None,
            Some((conversation, name)) => (Some(conversation), name),
            None => (None, text),
        };
        let digits = name.strip_prefix("task-")?;
        let plain = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
        let named =
            conversation.is_none_or(|name| !name.contains(|c: char| c == '/' || c.is_whitespace()));
        (plain && named).then_some(())?;
        Some(Self {
            conversation: conversation.map(str::to_owned),
            number: digits.parse().ok()?,
        })
    }

    /// Whether both can mean the same task: the same number, and no two different conversations.
    pub fn matches(&self, other: &Self) -> bool {
        let same = match (&self.conversation, &other.conversation) {
            (Some(one), Some(two)) => one == two,
            _ => true,
        };
        same && self.number == other.number
    }
}

/// A task as the record that launched it names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Launch {
    /// Its id.
    pub id: TaskId,
    /// The command line (`Timer: …` for a timer), at most 256 bytes of it.
    pub description: String,
}

/// The task that a `RUNNING` record launched: a command if the record is a `RUN_COMMAND`, else a timer.
///
/// The words count only in their place, behind the `… At:` lines; the same words in a command's output are output.
pub fn launched_task(record: &Record<'_>) -> Option<Launch> {
    if !record.is_status("RUNNING") {
        return None;
    }
    let content = record.content_start(CONTENT_KEPT);
    let rest = without_times(&content).strip_prefix(LAUNCHED)?;
    let (id, rest) = first_line(rest);
    let description = rest.strip_prefix(DESCRIPTION).unwrap_or_default();
    // A description may have lines of its own; what the host writes behind it is its last line.
    let end = description
        .rfind("\nTask logs are available at: ")
        .unwrap_or(description.len());
    Some(Launch {
        id: TaskId::parse(id)?,
        description: bounded(&description[..end], DESCRIPTION_KEPT).to_owned(),
    })
}

/// The task that a `DONE` record says has ended: either the message that the host sends (`SYSTEM_MESSAGE` from
/// `SYSTEM`), or the answer to a status check (`GENERIC`).
///
/// Measured on the host: each message is one record and its sender is the task; a status answer says `DONE` or `CANCELED`.
pub fn ended_task(record: &Record<'_>) -> Option<TaskId> {
    if !record.is_status("DONE") {
        return None;
    }
    if record.is_kind("SYSTEM_MESSAGE") && record.is_source("SYSTEM") {
        ended_by_message(&record.content_start(HEADER_KEPT))
    } else if record.is_kind("GENERIC") {
        ended_by_status(&record.content_start(HEADER_KEPT))
    } else {
        None
    }
}

fn ended_by_message(content: &str) -> Option<TaskId> {
    let at = content.find(MESSAGE)?;
    let header = &content[at + MESSAGE.len()..];
    let (fields, body) = header.split_once(" content=")?;
    let sender = fields
        .split(' ')
        .find_map(|field| field.strip_prefix("sender="))?;
    let rest = body.strip_prefix("Task id \"")?.strip_prefix(sender)?;
    let verb = rest.strip_prefix("\" ")?;
    let ended = ["finished", "was canceled"].iter().any(|word| {
        verb.strip_prefix(word)
            .is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
    });
    if ended { TaskId::parse(sender) } else { None }
}

fn ended_by_status(content: &str) -> Option<TaskId> {
    let (id, rest) = first_line(without_times(content).strip_prefix(STATUS_ANSWER)?);
    let (status, _) = first_line(rest.strip_prefix("Status: ")?);
    let ended = matches!(status, "DONE" | "CANCELED" | "ERROR");
    if ended { TaskId::parse(id) } else { None }
}

/// The content behind the lines `Created At: …` and `Completed At: …`, which the host puts first.
fn without_times(content: &str) -> &str {
    let mut rest = content;
    for label in ["Created At: ", "Completed At: "] {
        if rest.starts_with(label) {
            rest = first_line(rest).1;
        }
    }
    rest
}

fn first_line(text: &str) -> (&str, &str) {
    text.split_once('\n').unwrap_or((text, ""))
}
