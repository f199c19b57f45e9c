//! How to ask for more, in the words of whoever asked: an MCP client or a shell.

use super::read::{COMMAND_PAGE, PAGE};

/// The way the question came in, which is the way the next one will.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Route {
    /// By the MCP tools.
    Tools,
    /// By the command line; the word that starts the program.
    Command(String),
}

/// One argument of a further question.
pub(crate) enum More<'a> {
    Step(u64),
    Field(&'a str),
    Offset(u64),
    BeforeStep(u64),
    StartStep(u64),
    EndStep(u64),
    LastTurns(u32),
    MaxResults(u32),
    Full,
    Thinking,
    Query(&'a str),
    Regex(bool),
    Role(&'a str),
    NoToolCalls,
    Summary,
}

impl Route {
    /// Bytes of a page, if nothing else is asked.
    pub fn page(&self) -> usize {
        match self {
            Self::Tools => PAGE,
            Self::Command(_) => COMMAND_PAGE,
        }
    }

    /// Bytes that two ways to ask take at most beyond the usual.
    pub(crate) fn cost(&self) -> usize {
        match self {
            Self::Tools => 0,
            Self::Command(program) => 2 * program.len(),
        }
    }

    /// A question about the same conversation: `read` or `query`, with these arguments.
    pub(crate) fn ask(&self, verb: &str, conversation: &str, more: &[More<'_>]) -> String {
        match self {
            Self::Tools => {
                let mut parts = vec![format!("conversationId={conversation}")];
                parts.extend(more.iter().map(tool_argument));
                format!("`{verb}_transcript` with {}", parts.join(", "))
            }
            Self::Command(program) => {
                let mut parts = vec![format!(
                    "{program} transcript {verb} --conversation {conversation}"
                )];
                parts.extend(more.iter().map(option));
                format!("`{}`", parts.join(" "))
            }
        }
    }

    /// Only the arguments that name a field, for the many cuts of one page.
    pub(crate) fn field(&self, step: u64, field: &str) -> String {
        let more = [More::Step(step), More::Field(field)];
        match self {
            Self::Tools => more.map(|one| tool_argument(&one)).join(", "),
            Self::Command(_) => more.map(|one| option(&one)).join(" "),
        }
    }
}

fn tool_argument(more: &More<'_>) -> String {
    match more {
        More::Step(step) => format!("stepIndex={step}"),
        More::Field(field) => format!("field={field}"),
        More::Offset(offset) => format!("offset={offset}"),
        More::BeforeStep(step) => format!("beforeStep={step}"),
        More::StartStep(step) => format!("startStep={step}"),
        More::EndStep(step) => format!("endStep={step}"),
        More::LastTurns(turns) => format!("lastTurns={turns}"),
        More::MaxResults(count) => format!("maxResults={count}"),
        More::Full => "mode=full".to_owned(),
        More::Thinking => "includeThinking=true".to_owned(),
        More::Query(text) => format!("query={text:?}"),
        More::Regex(is) => format!("regex={is}"),
        More::Role(role) => format!("roles={role}"),
        More::NoToolCalls => "includeToolCalls=false".to_owned(),
        More::Summary => "summaryOnly=true".to_owned(),
    }
}

fn option(more: &More<'_>) -> String {
    match more {
        More::Step(step) => format!("--step {step}"),
        More::Field(field) => format!("--field {field}"),
        More::Offset(offset) => format!("--offset {offset}"),
        More::BeforeStep(step) => format!("--before-step {step}"),
        More::StartStep(step) => format!("--from {step}"),
        More::EndStep(step) => format!("--to {step}"),
        More::LastTurns(turns) => format!("--last {turns}"),
        More::MaxResults(count) => format!("--max {count}"),
        More::Full => "--full".to_owned(),
        More::Thinking => "--thinking".to_owned(),
        More::Query(text) => format!("-- {}", word(text)),
        More::Regex(true) => "--regex".to_owned(),
        More::Regex(false) => "--text".to_owned(),
        More::Role(role) => format!("--role {role}"),
        More::NoToolCalls => "--no-tool-calls".to_owned(),
        More::Summary => "--summary".to_owned(),
    }
}

/// A text as one word of a POSIX shell.
fn word(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_-./:,=+@%".contains(&byte);
    if !text.is_empty() && text.bytes().all(plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', "'\\''"))
}
