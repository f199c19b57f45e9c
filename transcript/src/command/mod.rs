//! `transcript read|query|health` for the command line: for people, and for agents without MCP.

mod arguments;

use crate::reading::{
    Conversation, Conversations, HealthRequest, ReadingError, Route, coloured, health, query, read,
    step,
};
use arguments::{Parsed, Question, parse};
use std::ffi::OsString;
use std::io::{self, Write};
use std::path::Path;

/// How the command is used.
pub const USAGE: &str = "\
usage:
  transcript read [TURNS] [options]    the last turns (3) of a conversation
      --last N                         so many turns; 0 = all
      --full                           with the results of tool calls, and longer parts
      --thinking                       with the model's thinking
      --before-step N                  only what is older, as a page says at its end
  transcript query TEXT [options]      the newest records (5) with this text
      --regex | --text                 TEXT is a regular expression | only ever text
      --role ROLE                      user, assistant, tool or system; may be repeated
      --from STEP, --to STEP, --last N only these steps, only the last turns
      --max N                          so many records (at most 100)
      --summary                        a line for each
      --full, --thinking, --no-tool-calls
  transcript query --step N            one step whole
      --field NAME [--offset N]        one field of it, page by page
  transcript health [--path FILE]      its size, polling loops, repeated reads, what to do
options of all:
  --conversation ID                    else the newest conversation
  --max-bytes N                        size of the page (7168; Antigravity shows the model the last 8192)
";

/// Where the command runs.
#[derive(Debug, Clone, Copy)]
pub struct Context<'a> {
    /// The user's home folder.
    pub home: &'a Path,
    /// The word that starts this program in a shell, for the commands that a page names.
    pub program: &'a str,
    /// Whether to use colours: on a terminal, unless `NO_COLOR` is set.
    pub colour: bool,
}

/// Why the command did not do what it was asked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CommandError {
    /// The arguments make no command. The exit status is 2.
    #[error("{0}\n\n{USAGE}")]
    Usage(String),
    /// The conversation can't be read.
    #[error(transparent)]
    Reading(#[from] ReadingError),
    /// The page can't be written.
    #[error("can't write: {0}; check where the output goes")]
    Write(#[from] io::Error),
}

impl CommandError {
    /// The exit status.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Usage(_) => 2,
            _ => 1,
        }
    }
}

/// Runs `transcript` with the arguments that follow this word, and writes a page of Markdown.
///
/// # Errors
/// [`CommandError`], with what to do.
pub fn run(
    arguments: impl IntoIterator<Item = OsString>,
    context: Context<'_>,
    out: &mut impl Write,
) -> Result<(), CommandError> {
    let text = match parse(arguments, context.program)? {
        Parsed::Help => USAGE.to_owned(),
        Parsed::Question(question) => answer(&question, context)?,
    };
    if context.colour {
        out.write_all(coloured(&text).as_bytes())?;
    } else {
        out.write_all(text.as_bytes())?;
    }
    Ok(())
}

fn answer(question: &Question, context: Context<'_>) -> Result<String, ReadingError> {
    let find = |id: &Option<String>| Conversations::new(context.home).find(id.as_deref());
    match question {
        Question::Read(id, request) => read(&find(id)?, request),
        Question::Query(id, request) => query(&find(id)?, request),
        Question::Step(id, request) => step(&find(id)?, request),
        Question::Health(id, path, max_bytes) => {
            let conversation = match path {
                Some(path) => Conversation::from_path(path)?,
                None => find(id)?,
            };
            let request = HealthRequest {
                max_bytes: *max_bytes,
                route: Route::Command(context.program.to_owned()),
            };
            health(&conversation, &request)
        }
    }
}
