//! The guard beside what a user would otherwise run.

use std::path::PathBuf;

use serde_json::json;

use crate::Plan;
use crate::history::History;
use crate::runs::{Contender, in_turn};
use crate::world::World;

/// A program by its name in `PATH`, or where a variable says.
fn find(name: &str, variable: &str) -> Option<PathBuf> {
    let named = std::env::var_os(variable).map(PathBuf::from);
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let mut on_path = std::env::split_paths(&folders).map(|folder| folder.join(name));
    named
        .filter(|program| program.is_file())
        .or_else(|| on_path.find(|program| program.is_file()))
}

/// Prints the table. A program that this machine lacks is named as missing.
pub fn table(plan: &Plan, world: &World, history: &mut History) {
    let line = "cargo test --workspace";
    let inputs = [world.payload("c1", "run_command", &json!({"CommandLine": line}), 19)];
    let rtk = find("rtk", "EXECUTION_GUARD_TEST_RTK");
    let node = find("node", "NODE_BINARY");
    let others = [
        ("rtk hook antigravity", &rtk, vec!["hook", "antigravity"]),
        ("rtk rewrite", &rtk, vec!["rewrite", line]),
        ("node -e 0, a hook's floor", &node, vec!["-e", "0"]),
    ];
    let mut contenders = vec![Contender::new(&plan.programs.guard, &inputs)];
    let mut names = vec!["execution-guard"];
    for (name, program, args) in &others {
        match program {
            Some(program) => {
                contenders.push(Contender {
                    program,
                    args: args.clone(),
                    inputs: &inputs,
                    // `rtk rewrite` tells by it what it did.
                    status: None,
                });
                names.push(name);
            }
            None => println!("{name}: not on this machine"),
        }
    }
    println!(
        "\n{:<30} {:>7} {:>7} {:>7}",
        format!("`{line}`"),
        "min",
        "median",
        "times"
    );
    let all = in_turn(world, &contenders, plan.runs(140), 1);
    for (name, times) in names.into_iter().zip(&all) {
        let ratio = times.ratio(&all[0]);
        println!(
            "{name:<30} {:>7.2} {:>7.2} {ratio:>7.0}",
            times.ms(0),
            times.ms(50)
        );
        history.add("beside", name, times, None);
    }
}
