//! The commands for people. The hook itself has none: it is the run without arguments.

use std::io::{self, Write};
use std::process::ExitCode;

use lexopt::{Arg, Parser};

use crate::{explain, state_command};

const USAGE: &str = "\
execution-guard: the PreToolUse hook for Google Antigravity

usage:
  execution-guard                     judge one tool call: JSON on stdin, JSON on stdout
  execution-guard explain             tell what is decided on a call on stdin, and why;
                                      changes no state
  execution-guard state show          show the ledgers that are kept
  execution-guard state reset         close every breaker and forget every count
      --conversation ID               ... of one conversation only
  execution-guard --help | --version
";

/// The exit status of wrong usage, as of most command-line programs.
const WRONG_USAGE: u8 = 2;

/// Why a command did not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum CommandError {
    /// The arguments make no command.
    #[error("{0}\n\n{USAGE}")]
    Usage(String),
    /// The ledgers can't be used.
    #[error("{0}")]
    State(#[from] guard_state::StateError),
    /// Standard input or output can't be used.
    #[error("can't read or write: {0}")]
    Io(#[from] io::Error),
}

impl From<lexopt::Error> for CommandError {
    fn from(error: lexopt::Error) -> Self {
        Self::Usage(error.to_string())
    }
}

/// Runs the command that the arguments name.
pub fn run(parser: Parser) -> ExitCode {
    match dispatch(parser, &mut io::stdout()) {
        Ok(()) => ExitCode::SUCCESS,
        // Whoever reads has seen enough, as `| head` does.
        Err(CommandError::Io(error)) if error.kind() == io::ErrorKind::BrokenPipe => {
            ExitCode::SUCCESS
        }
        Err(error) => {
            let _ = writeln!(io::stderr(), "execution-guard: {error}");
            let is_usage = matches!(error, CommandError::Usage(_));
            ExitCode::from(if is_usage { WRONG_USAGE } else { 1 })
        }
    }
}

fn dispatch(mut arguments: Parser, out: &mut impl Write) -> Result<(), CommandError> {
    match arguments.next()? {
        Some(Arg::Short('h') | Arg::Long("help")) => out.write_all(USAGE.as_bytes())?,
        Some(Arg::Short('V') | Arg::Long("version")) => {
            writeln!(out, "execution-guard {}", env!("CARGO_PKG_VERSION"))?;
        }
        Some(Arg::Value(command)) => match command.to_string_lossy().as_ref() {
            "explain" => {
                no_more(&mut arguments)?;
                explain::run(out)?;
            }
            "state" => state_command::run(&mut arguments, out)?,
            "help" => out.write_all(USAGE.as_bytes())?,
            unknown => return Err(usage(format!("no such command: {unknown}"))),
        },
        Some(other) => return Err(other.unexpected().into()),
        None => return Err(usage("a command is missing".to_owned())),
    }
    Ok(())
}

/// Wrong usage, with what is wrong.
pub fn usage(problem: String) -> CommandError {
    CommandError::Usage(problem)
}

/// Refuses arguments that a command does not take.
pub fn no_more(arguments: &mut Parser) -> Result<(), CommandError> {
    match arguments.next()? {
        Some(arg) => Err(arg.unexpected().into()),
        None => Ok(()),
    }
}
