//! The calls of an ordinary session, each held to its limits.

use serde_json::json;

use crate::Plan;
use crate::history::History;
use crate::runs::{Contender, in_turn, peak_memory};
use crate::world::World;

/// The longest that the median of a call may take, in ms.
const MOST_MS: f64 = 5.0;

/// The median beside its floor, built in the same run: the empty binary, and where a call is counted the one that
/// replaces a file.
const MOST_RATIO: f64 = 2.0;

struct Row {
    name: &'static str,
    payloads: Vec<Vec<u8>>,
    counted: bool,
    /// Whether the ratio is held to its limit: a line that names dozens of paths is judged for each of them.
    ordinary: bool,
}

fn rows(world: &World) -> Vec<Row> {
    let long = world.long_file();
    let call = |name, tool, args| Row {
        name,
        payloads: vec![world.payload("c1", tool, &args, 19)],
        counted: false,
        ordinary: true,
    };
    vec![
        call("not governed", "browser_click", json!({"x": 1})),
        call(
            "view_file, bounded",
            "view_file",
            json!({"AbsolutePath": long, "StartLine": 1, "EndLine": 99}),
        ),
        call(
            "view_file, whole",
            "view_file",
            json!({"AbsolutePath": long}),
        ),
        call(
            "run_command",
            "run_command",
            json!({"CommandLine": "cargo test --workspace"}),
        ),
        call(
            "run_command, a heavy one",
            "run_command",
            json!({"CommandLine": HEAVY}),
        ),
        Row {
            name: "manage_task status, counted",
            payloads: world.polls("c1"),
            counted: true,
            ordinary: true,
        },
    ]
}

/// The most expensive to judge of 412 lines that agents issued.
const HEAVY: &str = include_str!("heavy_line.sh");

/// Prints the table; what is over its limit.
pub fn table(plan: &Plan, world: &World, history: &mut History) -> Vec<String> {
    println!(
        "\n{:<30} {:>7} {:>7} {:>7} {:>7} {:>7} {:>7} {:>8}",
        "call", "min", "median", "p99", "floor", "ratio", "before", "peak KB"
    );
    let mut failures = Vec::new();
    for row in rows(world) {
        let guard = Contender::new(&plan.guard, &row.payloads);
        let kept = world.root().join("kept");
        let mut floor = Contender::new(&plan.empty, &row.payloads);
        if row.counted {
            floor.program = &plan.replace_file;
            floor.args.push(kept.to_str().unwrap());
        }
        let peak = peak_memory(world, &guard).map_or(String::new(), |kb| kb.to_string());
        let times = in_turn(world, &[guard, floor], plan.runs(2000), 1);
        let (times, floor) = (&times[0], &times[1]);
        let ratio = times.ratio(floor);
        let before = history
            .before(row.name)
            .map_or("-".to_owned(), |ratio| format!("{ratio:.2}"));
        println!(
            "{:<30} {:>7.3} {:>7.3} {:>7.3} {:>7.3} {ratio:>7.2} {before:>7} {peak:>8}",
            row.name,
            times.ms(0),
            times.ms(50),
            times.ms(99),
            floor.ms(50),
        );
        history.add("calls", row.name, times, Some(floor));
        if times.ms(50) > MOST_MS {
            failures.push(format!("{}: the median is over {MOST_MS} ms", row.name));
        }
        if ratio > MOST_RATIO && row.ordinary {
            failures.push(format!(
                "{}: the median is over {MOST_RATIO} times its floor",
                row.name
            ));
        }
    }
    failures
}
