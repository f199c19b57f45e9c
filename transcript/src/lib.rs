//! A conversation's transcript, read bounded and without trust in its text.
//!
//! A transcript is a file of JSON lines, one record a step, to which the host appends while it runs. It
//! can have hundreds of megabytes, lines of tens of megabytes, a last line that is half written, and text
//! (the output of commands, what a user pasted) that looks like records. [`read_facts`] takes from it what
//! polling rules need, in one pass over a bounded window with one reused buffer.
//!
//! Data flows one way: [`Source`] (bytes, counted) to [`Lines`] (pieces of lines) to [`RecordScanner`]
//! (one record's top-level fields, only if the line is well-formed) to the facts.

mod collect;
pub mod command;
mod error;
mod facts;
mod head;
mod lines;
mod locate;
mod open;
pub mod reading;
mod record;
mod scanner;
mod source;
mod syntax;
mod task;
mod tasks;
mod text;

pub use error::TranscriptError;
pub use facts::{Facts, Limits, Outcome, Query, RunningCommand, TaskState, facts_from, read_facts};
pub use lines::{LINE_BUFFER, Lines, Piece};
pub use open::open;
pub use record::{Record, Text};
pub use scanner::{CONTENT_KEPT, RecordScanner};
pub use source::Source;
pub use task::{Launch, TaskId, ended_task, launched_task};
