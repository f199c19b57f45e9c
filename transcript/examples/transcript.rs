//! The `transcript` command by itself: `cargo run --example transcript -- read`.

use guard_transcript::command::{Context, run};
use std::io::{IsTerminal, stdout};
use std::path::PathBuf;
use std::process::ExitCode;

fn main() -> ExitCode {
    let home = PathBuf::from(std::env::var_os("HOME").unwrap_or_default());
    let context = Context {
        home: &home,
        program: "execution-guard",
        colour: stdout().is_terminal()
            && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()),
    };
    match run(std::env::args_os().skip(1), context, &mut stdout()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("transcript: {error}");
            ExitCode::from(error.exit_code())
        }
    }
}
