//! Why a conversation can't be read, queried or judged, with what to do.

use crate::error::TranscriptError;
use std::path::PathBuf;

/// Why a question about a conversation has no answer. Each says what to do next.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadingError {
    /// The id is not the name of a folder.
    #[error(
        "{id:?} is no conversation id: an id has only letters, digits, '-', '_' and '.', at most 128, and is no path. Give the id as the host names it, or leave it out for the newest conversation"
    )]
    InvalidId {
        /// What was given, shortened.
        id: String,
    },
    /// No product's brain folder has a transcript of this conversation.
    #[error("there is no transcript of conversation {id}{}. Give one of the ids that exist, or leave it out for the newest", newest(.known))]
    UnknownId {
        /// The id.
        id: String,
        /// The newest conversations that exist.
        known: Vec<String>,
    },
    /// There is no transcript at all.
    #[error(
        "there is no conversation with a transcript under {} (looked in antigravity, antigravity-cli and antigravity-ide). Check that HOME is the home folder of the user who runs Antigravity", .gemini.display()
    )]
    NoConversation {
        /// The folder that was looked in.
        gemini: PathBuf,
    },
    /// The path leads out of the conversation's folder.
    #[error(
        "{} leads out of its brain folder by a symbolic link, which the host never makes; remove the link", .path.display()
    )]
    Outside {
        /// The path.
        path: PathBuf,
    },
    /// A path that is not the name of a transcript.
    #[error("{} is no transcript: give the path of a transcript.jsonl, or a conversation id instead", .path.display())]
    NotATranscript {
        /// The path.
        path: PathBuf,
    },
    /// An argument has a value that can't be used.
    #[error("{name} {problem}")]
    Argument {
        /// The argument's name.
        name: &'static str,
        /// What is wrong and what to give instead.
        problem: String,
    },
    /// The regular expression is malformed or too big.
    #[error(
        "the regular expression can't be used: {problem}. Mend it, or search for plain text (regex: false)"
    )]
    Pattern {
        /// What the compiler says.
        problem: String,
    },
    /// No record has this step.
    #[error("there is no step {step} in this conversation{}. Give a step that exists; query_transcript without query lists them", range(.last))]
    NoStep {
        /// The step.
        step: u64,
        /// The last step that exists, if any.
        last: Option<u64>,
    },
    /// The step has no such field.
    #[error("step {step} has no field {field:?}; it has: {}. Give one of these", .fields.join(", "))]
    NoField {
        /// The step.
        step: u64,
        /// The field asked for.
        field: String,
        /// What it has.
        fields: Vec<String>,
    },
    /// The file can't be opened or read.
    #[error(transparent)]
    Transcript(#[from] TranscriptError),
}

fn newest(known: &[String]) -> String {
    if known.is_empty() {
        return String::new();
    }
    format!(" (newest: {})", known.join(", "))
}

fn range(last: &Option<u64>) -> String {
    last.map_or(String::new(), |last| format!(" (the last one is {last})"))
}
