//! `execution-guard transcript read | query | health`: conversations for people, and for agents without MCP.

use std::ffi::OsString;
use std::io::{IsTerminal, Write};

use guard_transcript::command;
use lexopt::Parser;

use super::CommandError;
use crate::environment::Environment;
use crate::machine::{LedgerMode, Machine};
use crate::tools::own_word;

/// Runs `transcript` with what follows on the command line.
///
/// # Errors
/// Wrong usage, a conversation that can't be read, an output that can't be written.
pub fn run(mut arguments: Parser, out: &mut impl Write) -> Result<(), CommandError> {
    let arguments: Vec<OsString> = arguments.raw_args()?.collect();
    let home = Environment::Process.home().ok_or(CommandError::NoHome)?;
    let is_plain = Environment::Process.get("NO_COLOR").is_some();
    let context = command::Context {
        home: &home,
        program: &own_word(&Machine::here(LedgerMode::ReadOnly)),
        colour: !is_plain && std::io::stdout().is_terminal(),
    };
    Ok(command::run(arguments, context, out)?)
}
