//! The calls of an ordinary session, each held to its limits.

use serde_json::json;

use crate::Plan;
use crate::history::History;
use crate::runs::{Contender, Times, in_turn, peak_memory};
use crate::world::World;

/// The longest that the median of a call may take, in ms.
const MOST_MS: f64 = 5.0;

/// How many times its floor the median may take.
const MOST_FLOORS: f64 = 2.0;

/// The same where the kernel keeps the program in small pages though it was written in one piece: Linux before 6.16 on
/// ext4, and file systems in memory. Then each page of a program that is larger than the empty one is mapped on its own.
const MOST_FLOORS_IN_SMALL_PAGES: f64 = 2.5;

struct Row {
    name: &'static str,
    payloads: Vec<Vec<u8>>,
    /// Whether the call is counted: its floor is then the binary that replaces a file, else the empty one.
    counted: bool,
    /// Whether the median is held to [`MOST_FLOORS`] times its floor.
    limited: bool,
}

fn rows(world: &World) -> Vec<Row> {
    let long = world.long_file();
    let row = |name, tool, args| Row {
        name,
        payloads: vec![world.payload("c1", tool, &args, 19)],
        counted: false,
        limited: true,
    };
    let range = json!({"AbsolutePath": long, "StartLine": 1, "EndLine": 99});
    let whole = json!({"AbsolutePath": long});
    let line = json!({"CommandLine": "cargo test --workspace"});
    let heavy = json!({"CommandLine": HEAVY});
    let ordinary = [
        row("not governed", "browser_click", json!({"x": 1})),
        row("view_file, bounded", "view_file", range),
        row("view_file, whole, refused", "view_file", whole),
        row("run_command, rewritten", "run_command", line),
    ];
    let session = Row {
        name: "a session: these in turn",
        payloads: ordinary
            .iter()
            .flat_map(|row| row.payloads.clone())
            .collect(),
        counted: false,
        limited: true,
    };
    let rest = [
        session,
        Row {
            limited: false,
            ..row("run_command, the heaviest", "run_command", heavy)
        },
        Row {
            name: "manage_task status, counted",
            payloads: world.polls("c1"),
            counted: true,
            limited: true,
        },
    ];
    ordinary.into_iter().chain(rest).collect()
}

/// The most expensive to judge of 412 lines that agents issued: eight paths are changed.
const HEAVY: &str = include_str!("heavy_line.sh");

/// Prints the table; what is over its limit.
pub fn table(plan: &Plan, world: &World, history: &mut History) -> Vec<String> {
    println!(
        "\n{:<30} {:>7} {:>7} {:>7} {:>7} {:>7} {:>7} {:>8}",
        "call", "min", "median", "p99", "floor", "ratio", "before", "peak KB"
    );
    let mut failures = Vec::new();
    let rows = rows(world);
    let most_floors = most_floors(plan, world, &rows[0]);
    for row in rows {
        let (times, floor) = row.measure(plan, world, most_floors);
        let ratio = times.ratio(&floor);
        let before = history
            .before(row.name)
            .map_or("-".to_owned(), |ratio| format!("{ratio:.2}"));
        let guard = Contender::new(&plan.programs.guard, &row.payloads);
        let peak = peak_memory(world, &guard).map_or(String::new(), |kb| kb.to_string());
        println!(
            "{:<30} {:>7.3} {:>7.3} {:>7.3} {:>7.3} {ratio:>7.2} {before:>7} {peak:>8}",
            row.name,
            times.ms(0),
            times.ms(50),
            times.ms(99),
            floor.ms(50),
        );
        history.add("calls", row.name, &times, Some(&floor));
        failures.extend(row.failure(&times, &floor, most_floors));
    }
    println!("held to {most_floors} times the floor");
    failures
}

/// What rows are held to on this machine. A call that passes touches little of the program: where most of it is in its
/// memory all the same, it came in large pages.
fn most_floors(plan: &Plan, world: &World, passing: &Row) -> f64 {
    let program = &plan.programs.guard;
    let size = std::fs::metadata(program).unwrap().len();
    let peak = peak_memory(world, &Contender::new(program, &passing.payloads));
    if peak.is_none_or(|kilobytes| kilobytes * 1024 > size / 4 * 3) {
        MOST_FLOORS
    } else {
        MOST_FLOORS_IN_SMALL_PAGES
    }
}

/// How often a row is measured that is over its limit: what else a machine does comes and goes, a regression stays.
const TRIES: usize = 3;

impl Row {
    /// The times of the guard and of the floor.
    fn measure(&self, plan: &Plan, world: &World, most_floors: f64) -> (Times, Times) {
        let kept = world.root().join("kept");
        let guard = Contender::new(&plan.programs.guard, &self.payloads);
        let mut floor = Contender::new(&plan.programs.empty, &self.payloads);
        if self.counted {
            floor.program = &plan.programs.replace_file;
            floor.args.push(kept.to_str().unwrap());
        }
        let contenders = [guard, floor];
        let measure = || {
            let mut times = in_turn(world, &contenders, plan.runs(2000), 1).into_iter();
            (times.next().unwrap(), times.next().unwrap())
        };
        let mut measured = measure();
        for _ in 1..TRIES {
            if self
                .failure(&measured.0, &measured.1, most_floors)
                .is_none()
            {
                break;
            }
            plan.programs.place_again(contenders[1].program);
            measured = measure();
        }
        measured
    }

    /// Which limit the times are over.
    fn failure(&self, times: &Times, floor: &Times, most_floors: f64) -> Option<String> {
        if times.ms(50) > MOST_MS {
            return Some(format!("{}: the median is over {MOST_MS} ms", self.name));
        }
        (self.limited && times.ratio(floor) > most_floors).then(|| {
            format!(
                "{}: the median is over {most_floors} times its floor",
                self.name
            )
        })
    }
}
