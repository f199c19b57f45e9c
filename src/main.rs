//! The `execution-guard` command line.

use std::process::ExitCode;

use execution_guard::{commands, hook, input::Stdin, output::Stdout};

fn main() -> ExitCode {
    if std::env::args_os().len() <= 1 {
        hook::answer_panics();
        #[cfg(unix)]
        let mut stdin = Stdin;
        #[cfg(not(unix))]
        let mut stdin = Stdin::new();
        hook::run(&mut stdin, &mut Stdout);
        return ExitCode::SUCCESS;
    }
    commands::run(lexopt::Parser::from_env())
}
