//! The two programs of an installation, which stand side by side: the hook and the commands.

use std::io;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

use crate::environment::NAME;
use crate::links::real;

const COMMANDS: &str = "execution-guard-cli";

/// The hook's own file, asked from either program.
///
/// # Errors
/// The system doesn't tell a program its file.
pub fn hook() -> io::Result<PathBuf> {
    beside(NAME)
}

/// The file of the program with the commands.
///
/// # Errors
/// As [`hook`].
pub fn commands() -> io::Result<PathBuf> {
    beside(COMMANDS)
}

fn beside(name: &str) -> io::Result<PathBuf> {
    let own = std::env::current_exe()?;
    let name = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    let beside = own.with_file_name(&name);
    if beside.exists() {
        return Ok(beside);
    }
    // Not every system names the file behind the link that was started (macOS names the link).
    Ok(real(&own).with_file_name(name))
}

/// Hands this run over to the program with the commands.
pub fn run_commands() -> ExitCode {
    let failed = |error: &io::Error| {
        eprintln!(
            "execution-guard: its commands are in {COMMANDS}, which belongs beside it and can't be started ({error}): \
             run install/install.sh again"
        );
        ExitCode::FAILURE
    };
    match commands() {
        Ok(program) => hand_over(Command::new(program).args(std::env::args_os().skip(1)))
            .unwrap_or_else(|e| failed(&e)),
        Err(error) => failed(&error),
    }
}

#[cfg(unix)]
fn hand_over(command: &mut Command) -> io::Result<ExitCode> {
    Err(std::os::unix::process::CommandExt::exec(command))
}

#[cfg(not(unix))]
fn hand_over(command: &mut Command) -> io::Result<ExitCode> {
    let status = command.status()?;
    Ok(ExitCode::from(
        status
            .code()
            .and_then(|code| u8::try_from(code).ok())
            .unwrap_or(1),
    ))
}
