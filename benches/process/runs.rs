//! Programs run in turn, and their times.

use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use crate::world::World;

/// Runs before the measured ones, for caches and clock speeds.
const WARM_UP: usize = 20;

/// One of the programs that are compared.
pub struct Contender<'a> {
    pub program: &'a Path,
    pub args: Vec<&'a str>,
    /// What it reads, one after the other.
    pub inputs: &'a [Vec<u8>],
    /// The status that it must end with.
    pub status: Option<i32>,
}

impl<'a> Contender<'a> {
    /// A program without arguments.
    pub fn new(program: &'a Path, inputs: &'a [Vec<u8>]) -> Self {
        Self {
            program,
            args: Vec::new(),
            inputs,
            status: Some(0),
        }
    }

    fn start(&self, world: &World, input: &[u8]) -> Child {
        let mut child = world
            .command(self.program)
            .args(&self.args)
            .spawn()
            .unwrap();
        // The empty binary may be gone before it is given anything.
        let _ = child.stdin.take().unwrap().write_all(input);
        child
    }

    fn input(&self, run: usize) -> &[u8] {
        &self.inputs[run % self.inputs.len()]
    }
}

fn end(mut child: Child, status: Option<i32>) {
    let mut out = [0; 4096];
    while child.stdout.as_mut().unwrap().read(&mut out).unwrap() > 0 {}
    let ended = child.wait().unwrap().code();
    assert!(status.is_none() || ended == status, "{ended:?}");
}

/// Times each from spawn to exit, `at_once` processes of it beside each other; who goes first changes from run to run.
pub fn in_turn(world: &World, contenders: &[Contender], runs: usize, at_once: usize) -> Vec<Times> {
    let mut times: Vec<Times> = contenders.iter().map(|_| Times::default()).collect();
    for run in 0..WARM_UP.min(runs) + runs {
        for place in 0..contenders.len() {
            let which = (place + run) % contenders.len();
            let contender = &contenders[which];
            let start = Instant::now();
            let children: Vec<Child> = (0..at_once)
                .map(|number| contender.start(world, contender.input(run * at_once + number)))
                .collect();
            for child in children {
                end(child, contender.status);
            }
            if run >= WARM_UP.min(runs) {
                times[which].0.push(start.elapsed());
            }
        }
    }
    times.iter_mut().for_each(|times| times.0.sort_unstable());
    times
}

/// Ascending once measured.
#[derive(Default)]
pub struct Times(Vec<Duration>);

impl Times {
    /// The value below which so many percent lie, in ms.
    pub fn ms(&self, percent: usize) -> f64 {
        self.0[(self.0.len() * percent / 100).min(self.0.len() - 1)].as_secs_f64() * 1e3
    }

    /// The median beside that of `floor`.
    pub fn ratio(&self, floor: &Self) -> f64 {
        self.ms(50) / floor.ms(50)
    }
}

/// The largest resident size of one run in KB, as GNU time tells it; none where that is missing.
///
/// What the kernel counts for a child that was spawned from here would hold this process's own
/// size: `time` forks from a small one.
pub fn peak_memory(world: &World, contender: &Contender) -> Option<u64> {
    let mut command = world.command(Path::new("/usr/bin/time"));
    command
        .args(["-f", "%M"])
        .arg(contender.program)
        .stderr(Stdio::piped());
    let mut child = command.spawn().ok()?;
    let _ = child.stdin.take()?.write_all(contender.input(0));
    let output = child.wait_with_output().ok()?;
    String::from_utf8_lossy(&output.stderr).trim().parse().ok()
}
