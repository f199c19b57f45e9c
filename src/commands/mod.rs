//! The commands for people. The hook itself has none: it is the run without arguments.

pub mod config;
mod explain;
mod install;
mod mcp;
mod report;
mod state;
mod status;
mod transcript;

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use lexopt::{Arg, Parser};

pub use explain::explain;

const USAGE: &str = "\
execution-guard: the PreToolUse hook for Google Antigravity

usage:
  execution-guard               judge one tool call: JSON on stdin, JSON on stdout
  execution-guard explain       tell what is decided on a call on stdin, and why; changes no state
  execution-guard install       register the hook and the tool server with Antigravity
  execution-guard uninstall     take the registration out again
  execution-guard rollback      put the last backup of the changed files back
      --workspace DIR           ... in DIR/.agents instead of the home; may be repeated
      --sandbox DIR             ... in DIR/.agents in the managed sandbox's form
      --sandbox-command PATH    ... the path of this program inside the sandbox (install)
      --ide                     ... in the IDE's own file
      --no-mcp                  ... leave the tool server alone
      --dry-run                 ... show the changes, write nothing
  execution-guard status        look at everything that has to work; exit 0 if all is well
      --json                    ... for programs
      --no-others               ... don't call the hooks of other programs
      --workspace DIR, --sandbox DIR, --ide
                                ... must be registered there too
  execution-guard transcript read | query TEXT | health
                                show the last turns of a conversation, search it, tell how full it is
      --conversation ID         ... of this one instead of the newest; --help lists the rest
  execution-guard mcp           serve the same to an agent, over standard input and output
  execution-guard report        tell what was rewritten, routed, refused and asked, and what that saved
      --since 7d                ... since then: days, 24h, 2w, or a date
      --json                    ... for programs
      --html FILE               ... as one page with charts
  execution-guard config show   show every setting, what holds and where it comes from
      --json                    ... for programs
  execution-guard state show    show the ledgers that are kept
  execution-guard state reset   close every breaker and forget every count
      --conversation ID         ... of one conversation only
  execution-guard --help | --version
";

/// The exit status of wrong usage, as of most command-line programs.
const WRONG_USAGE: u8 = 2;

/// Why a command did not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum CommandError {
    /// The arguments make no command.
    #[error("{0}\n\"execution-guard --help\" lists the commands and what may follow them")]
    Usage(String),
    /// The ledgers can't be used.
    #[error("{0}")]
    State(#[from] guard_state::StateError),
    /// A registration can't be changed.
    #[error("{0}")]
    Install(#[from] guard_install::InstallError),
    /// A conversation can't be shown.
    #[error("{0}")]
    Transcript(#[from] guard_transcript::command::CommandError),
    /// The tool server can't serve.
    #[error("{0}")]
    Mcp(#[from] guard_mcp::McpError),
    /// The hook is to be registered in a folder that is not there.
    #[error("there is no folder {0}: nothing was written. Name one that exists, or make it first")]
    NoFolder(PathBuf),
    /// The page can't be written.
    #[error("can't write {0}: {1}; name a file in a folder that you can write to")]
    Page(PathBuf, io::Error),
    /// There is no home to look for the host's configuration in.
    #[error(
        "HOME is not set to an absolute path: set it to the home of the user who runs Antigravity"
    )]
    NoHome,
    /// Standard input or output can't be used.
    #[error("can't read or write: {0}")]
    Io(#[from] io::Error),
}

impl CommandError {
    fn exit_code(&self) -> u8 {
        match self {
            Self::Usage(_) => WRONG_USAGE,
            Self::Transcript(error) => error.exit_code(),
            _ => 1,
        }
    }
}

impl From<lexopt::Error> for CommandError {
    fn from(error: lexopt::Error) -> Self {
        Self::Usage(error.to_string())
    }
}

/// Runs the command that the arguments name.
pub fn run(parser: Parser) -> ExitCode {
    match dispatch(parser, &mut io::stdout()) {
        Ok(status) => ExitCode::from(status),
        // Whoever reads has seen enough, as `| head` does.
        Err(
            CommandError::Io(error)
            | CommandError::Transcript(guard_transcript::command::CommandError::Write(error)),
        ) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(io::stderr(), "execution-guard: {error}");
            ExitCode::from(error.exit_code())
        }
    }
}

/// Runs a command; its exit status.
fn dispatch(mut arguments: Parser, out: &mut impl Write) -> Result<u8, CommandError> {
    match arguments.next()? {
        Some(Arg::Short('h') | Arg::Long("help")) => out.write_all(USAGE.as_bytes())?,
        Some(Arg::Short('V') | Arg::Long("version")) => {
            writeln!(out, "execution-guard {}", env!("CARGO_PKG_VERSION"))?;
        }
        Some(Arg::Value(command)) => return named(&command.to_string_lossy(), arguments, out),
        Some(other) => return Err(other.unexpected().into()),
        None => return Err(usage("a command is missing".to_owned())),
    }
    Ok(0)
}

fn named(command: &str, mut arguments: Parser, out: &mut impl Write) -> Result<u8, CommandError> {
    // `transcript` has a help of its own.
    if command != "transcript" && asks_for_help(&arguments)? {
        out.write_all(USAGE.as_bytes())?;
        return Ok(0);
    }
    match command {
        "explain" => {
            no_more(&mut arguments)?;
            explain::run(out)?;
        }
        "install" => return install::install(arguments, out),
        "uninstall" => return install::uninstall(arguments, out),
        "rollback" => return install::rollback(arguments, out),
        "report" => report::run(arguments, out)?,
        "status" => return status::run(arguments, out),
        "config" => config::run(arguments, out)?,
        "state" => state::run(arguments, out)?,
        "transcript" => transcript::run(arguments, out)?,
        "mcp" => {
            no_more(&mut arguments)?;
            mcp::run()?;
        }
        "help" => out.write_all(USAGE.as_bytes())?,
        unknown => return Err(usage(format!("no such command: {unknown}"))),
    }
    Ok(0)
}

fn asks_for_help(arguments: &Parser) -> Result<bool, CommandError> {
    let mut arguments = arguments.clone();
    Ok(arguments
        .raw_args()?
        .any(|argument| argument == "--help" || argument == "-h"))
}

/// Wrong usage, with what is wrong.
fn usage(problem: String) -> CommandError {
    CommandError::Usage(problem)
}

/// Refuses arguments that a command does not take.
fn no_more(arguments: &mut Parser) -> Result<(), CommandError> {
    match arguments.next()? {
        Some(arg) => Err(arg.unexpected().into()),
        None => Ok(()),
    }
}
