//! The whole process, from spawn to exit, beside an empty binary that was built the same way.
//!
//! `benches/run.sh` builds both and runs this. What is compared is spawned in turn, so that what else the machine does
//! falls on all of them; what is held to a limit is a ratio for the same reason.

mod beside;
mod calls;
mod growth;
mod history;
mod programs;
mod runs;
mod world;

use std::path::PathBuf;
use std::process::ExitCode;

use history::History;
use programs::Programs;
use world::World;

/// What is measured, and how much of it.
struct Plan {
    programs: Programs,
    /// Fewer runs, and no sizes that take long to make.
    short: bool,
}

impl Plan {
    /// `None` where nobody said what to measure: `cargo bench` and `cargo test --benches` run every target.
    fn read() -> Option<Self> {
        let binary = |variable| std::env::var_os(variable).map(PathBuf::from);
        Some(Self {
            programs: Programs::place(
                binary("GUARD_BINARY")?,
                binary("EMPTY_BINARY")?,
                binary("REPLACE_FILE_BINARY")?,
            ),
            short: std::env::args().any(|argument| argument == "--short"),
        })
    }

    fn runs(&self, long: usize) -> usize {
        if self.short { long.div_ceil(7) } else { long }
    }
}

fn main() -> ExitCode {
    let Some(plan) = Plan::read() else {
        println!("whole-process benchmark: run `sh benches/run.sh`, which builds what it measures");
        return ExitCode::SUCCESS;
    };
    let world = World::new();
    let mut history = History::open(plan.short);
    println!(
        "Whole process, spawn to exit, times in ms; {}",
        plan.programs.built.display()
    );
    let failures = calls::table(&plan, &world, &mut history);
    beside::table(&plan, &world, &mut history);
    growth::tables(&plan, &mut history);
    history.close();
    for failure in &failures {
        eprintln!("{failure}");
    }
    if failures.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
