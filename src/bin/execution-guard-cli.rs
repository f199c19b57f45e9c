//! The commands for people, behind `execution-guard COMMAND`.
//!
//! A program of its own, because the hook is started once a tool call: what it does not hold needs no page of memory.

use std::process::ExitCode;

fn main() -> ExitCode {
    execution_guard::commands::run(lexopt::Parser::from_env())
}
