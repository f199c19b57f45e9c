//! How the time of a call grows with what it meets.

use std::fs;

use serde_json::json;

use crate::Plan;
use crate::history::History;
use crate::runs::{Contender, in_turn};
use crate::world::World;

/// Prints the tables.
pub fn tables(plan: &Plan, history: &mut History) {
    println!(
        "\n{:<44} {:>9} {:>9} {:>9}",
        "growth", "median", "p99", "empty"
    );
    payloads(plan, history);
    transcripts(plan, history);
    processes(plan, history);
    conversations(plan, history);
}

fn row(
    plan: &Plan,
    world: &World,
    history: &mut History,
    name: &str,
    inputs: &[Vec<u8>],
    at_once: usize,
) {
    let contenders = [
        Contender::new(&plan.programs.guard, inputs),
        Contender::new(&plan.programs.empty, inputs),
    ];
    let times = in_turn(world, &contenders, plan.runs(100), at_once);
    println!(
        "{name:<44} {:>9.3} {:>9.3} {:>9.3}",
        times[0].ms(50),
        times[0].ms(99),
        times[1].ms(50)
    );
    history.add("growth", name, &times[0], Some(&times[1]));
}

/// Source text of so many bytes.
fn text(bytes: usize) -> String {
    const SOURCE: &str = include_str!("growth.rs");
    let mut text = SOURCE.repeat(bytes / SOURCE.len() + 1);
    text.truncate(bytes);
    text
}

fn payloads(plan: &Plan, history: &mut History) {
    let world = World::new();
    for kilobytes in [1, 20, 256, 1024, 8192] {
        let args = json!({"TargetFile": world.long_file(), "CodeContent": text(kilobytes << 10)});
        let inputs = [world.payload("c1", "write_to_file", &args, 19)];
        let name = format!("write_to_file of {kilobytes} KB");
        row(plan, &world, history, &name, &inputs, 1);
    }
}

fn transcripts(plan: &Plan, history: &mut History) {
    let sizes: &[usize] = if plan.short {
        &[0, 1, 10]
    } else {
        &[0, 1, 10, 100, 500]
    };
    for megabytes in sizes {
        let world = World::with_transcript(megabytes * 1000);
        let name = format!("status check, transcript of {megabytes} MB");
        row(plan, &world, history, &name, &world.polls("c1"), 1);
    }
}

fn processes(plan: &Plan, history: &mut History) {
    let counts: &[usize] = if plan.short {
        &[1, 16]
    } else {
        &[1, 4, 16, 64]
    };
    for at_once in counts {
        let world = World::new();
        let name = format!("{at_once} status checks at once, one conversation");
        row(plan, &world, history, &name, &world.polls("c1"), *at_once);
        let world = World::new();
        let many: Vec<Vec<u8>> = (0..*at_once)
            .flat_map(|number| world.polls(&format!("c{number}")).into_iter().take(1))
            .collect();
        let name = format!("{at_once} status checks at once, one each");
        row(plan, &world, history, &name, &many, *at_once);
    }
}

fn conversations(plan: &Plan, history: &mut History) {
    let counts: &[usize] = if plan.short {
        &[1, 1000]
    } else {
        &[1, 100, 1000, 10_000]
    };
    for count in counts {
        let world = World::new();
        let polls = world.polls("c1");
        // The first call leaves a file as the guard writes it.
        in_turn(
            &world,
            &[Contender::new(&plan.programs.guard, &polls)],
            1,
            1,
        );
        let first = world.state().join("c-c1.json");
        let kept = fs::read(&first).expect("a status check is kept in the state folder");
        for number in 1..*count {
            fs::write(world.state().join(format!("c-other{number}.json")), &kept).unwrap();
        }
        let name = format!("status check beside {count} conversations");
        row(plan, &world, history, &name, &polls, 1);
    }
}
