//! The whole process, from spawn to exit, beside an empty binary that was built the same way.
//!
//! `benches/run.sh` builds both and runs this. The two are spawned in turn, so that what else the
//! machine does falls on both; times are quoted as ratios for the same reason.

use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// Runs before the measured ones, for caches and clock speeds.
const WARM_UP: usize = 50;

/// The longest a call may take. The median is held to it; the 99th percentile is printed beside that of the empty binary,
/// since on a busy machine it says more of the others than of this one.
const LIMIT: Duration = Duration::from_millis(5);

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let is_short = arguments.iter().any(|argument| argument == "--short");
    // `cargo bench` and `cargo test --benches` run every target; without binaries there is
    // nothing to measure.
    let (Some(guard), Some(empty)) = (binary("GUARD_BINARY"), binary("EMPTY_BINARY")) else {
        println!("whole-process benchmark: run `sh benches/run.sh`, which builds what it measures");
        return;
    };
    let runs = if is_short { 300 } else { 2000 };
    let world = World::new();
    println!(
        "whole process, spawn to exit, {runs} runs each, in ms; {}",
        guard.display()
    );
    println!(
        "{:<30} {:>7} {:>7} {:>7} {:>7} {:>7}  peak KB",
        "call", "min", "median", "p95", "p99", "ratio"
    );
    let mut worst = Duration::ZERO;
    for (name, payloads) in world.calls() {
        let (guard_times, empty_times) = measure(&world, &guard, &empty, &payloads, runs);
        let ratio = guard_times.at(50).as_secs_f64() / empty_times.at(50).as_secs_f64();
        let peak = peak_memory(&world, &guard, &payloads[0]);
        guard_times.print(name, &format!("{ratio:>7.2}"), peak);
        empty_times.print("  empty binary beside it", "", None);
        worst = worst.max(guard_times.at(50));
    }
    if worst > LIMIT {
        println!(
            "a median of {:.2} ms is over the limit of {} ms",
            worst.as_secs_f64() * 1e3,
            LIMIT.as_millis()
        );
        std::process::exit(1);
    }
}

fn binary(variable: &str) -> Option<PathBuf> {
    std::env::var_os(variable).map(PathBuf::from)
}

/// A home, a workspace and a transcript to judge calls in.
struct World(tempfile::TempDir);

impl World {
    fn new() -> Self {
        let world = Self(tempfile::tempdir().unwrap());
        fs::create_dir_all(world.root().join("workspace")).unwrap();
        fs::create_dir_all(world.root().join("bin")).unwrap();
        fs::create_dir_all(world.transcript().parent().unwrap()).unwrap();
        fs::write(
            world.root().join("workspace/long.rs"),
            "fn line() {}\n".repeat(2000),
        )
        .unwrap();
        let record = json!({"step_index": 1, "source": "MODEL", "type": "VIEW_FILE", "status": "DONE",
            "created_at": "2026-11-30T15:52:12Z", "content": "x".repeat(900)});
        fs::write(world.transcript(), format!("{record}\n").repeat(1000)).unwrap();
        world
    }

    fn root(&self) -> &Path {
        self.0.path()
    }

    fn transcript(&self) -> PathBuf {
        self.root()
            .join(".gemini/antigravity/brain/c1/.system_generated/logs/transcript.jsonl")
    }

    fn payload(&self, tool: &str, args: &Value, step: usize) -> Vec<u8> {
        let payload = json!({
            "toolCall": {"name": tool, "args": args}, "stepIdx": step, "conversationId": "c1",
            "workspacePaths": [self.root().join("workspace")], "transcriptPath": self.transcript(),
            "artifactDirectoryPath": self.root().join(".gemini/antigravity/brain/c1"), "modelName": "auto",
        });
        payload.to_string().into_bytes()
    }

    /// The calls to measure; several payloads where each must be a call of its own.
    fn calls(&self) -> Vec<(&'static str, Vec<Vec<u8>>)> {
        let long = self.root().join("workspace/long.rs");
        let stateless = [
            (
                "run_command",
                "run_command",
                json!({"CommandLine": "cargo test --workspace"}),
            ),
            (
                "view_file, bounded",
                "view_file",
                json!({"AbsolutePath": long, "StartLine": 1, "EndLine": 99}),
            ),
            (
                "view_file, whole",
                "view_file",
                json!({"AbsolutePath": long}),
            ),
            (
                "write_to_file, 20 KB",
                "write_to_file",
                json!({"TargetFile": long, "CodeContent": "x\n".repeat(10_000)}),
            ),
            ("not governed", "browser_click", json!({"x": 1})),
        ];
        let mut calls: Vec<_> = stateless
            .into_iter()
            .map(|(name, tool, args)| (name, vec![self.payload(tool, &args, 19)]))
            .collect();
        let status = json!({"Action": "status", "TaskId": "task-18"});
        let polls = (0..256).map(|step| self.payload("manage_task", &status, 1000 + 2 * step));
        calls.push(("manage_task status (state)", polls.collect()));
        calls
    }

    fn command(&self, binary: &Path) -> Command {
        let mut command = Command::new(binary);
        command
            .env_clear()
            .env("HOME", self.root())
            .env("PATH", self.root().join("bin"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        command
    }

    /// Spawns `binary` with `input` and waits for its end.
    fn time(&self, binary: &Path, input: &[u8]) -> Duration {
        let mut command = self.command(binary);
        let mut out = [0; 4096];
        let start = Instant::now();
        let mut child = command.spawn().unwrap();
        // The empty binary may be gone before it is given anything.
        let _ = child.stdin.take().unwrap().write_all(input);
        while child.stdout.as_mut().unwrap().read(&mut out).unwrap() > 0 {}
        assert!(child.wait().unwrap().success());
        start.elapsed()
    }
}

/// Times both binaries in turn, and which goes first in turn too.
fn measure(
    world: &World,
    guard: &Path,
    empty: &Path,
    payloads: &[Vec<u8>],
    runs: usize,
) -> (Times, Times) {
    let (mut guard_times, mut empty_times) = (Times::default(), Times::default());
    for run in 0..WARM_UP + runs {
        let payload = &payloads[run % payloads.len()];
        let mut pair = [(guard, &mut guard_times), (empty, &mut empty_times)];
        if run % 2 == 1 {
            pair.reverse();
        }
        for (binary, times) in pair {
            let time = world.time(binary, payload);
            if run >= WARM_UP {
                times.0.push(time);
            }
        }
    }
    guard_times.0.sort_unstable();
    empty_times.0.sort_unstable();
    (guard_times, empty_times)
}

/// Ascending once measured.
#[derive(Default)]
struct Times(Vec<Duration>);

impl Times {
    fn at(&self, percent: usize) -> Duration {
        self.0[(self.0.len() * percent / 100).min(self.0.len() - 1)]
    }

    fn print(&self, name: &str, ratio: &str, peak: Option<u64>) {
        let ms = |percent| self.at(percent).as_secs_f64() * 1e3;
        let peak = peak.map_or(String::new(), |kilobytes| kilobytes.to_string());
        println!(
            "{name:<30} {:>7.3} {:>7.3} {:>7.3} {:>7.3} {ratio:>7}  {peak:>7}",
            ms(0),
            ms(50),
            ms(95),
            ms(99)
        );
    }
}

/// The largest resident size of one run in KB, as GNU time tells it; none where that is missing.
///
/// What the kernel counts for a child that was spawned from here would hold this process's own
/// size: `time` forks from a small one.
fn peak_memory(world: &World, guard: &Path, input: &[u8]) -> Option<u64> {
    let mut command = world.command(Path::new("/usr/bin/time"));
    let mut child = command
        .args(["-f", "%M"])
        .arg(guard)
        .stderr(Stdio::piped())
        .spawn()
        .ok()?;
    let _ = child.stdin.take()?.write_all(input);
    let output = child.wait_with_output().ok()?;
    String::from_utf8_lossy(&output.stderr).trim().parse().ok()
}
