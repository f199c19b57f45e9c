//! Running a program for an answer, with a deadline.

use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

/// More than any answer needs, in bytes; what a program prints beyond it is not read.
const OUTPUT_LIMIT: u64 = 1 << 20;
const POLL: Duration = Duration::from_millis(2);

/// What a program did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Output {
    /// Its exit status; none if a signal ended it.
    pub status: Option<i32>,
    /// What it printed.
    pub stdout: Vec<u8>,
    /// What it said.
    pub stderr: Vec<u8>,
    /// From start to exit.
    pub took: Duration,
}

/// Why there is no output.
#[derive(Debug)]
pub enum Failure {
    /// It could not be started.
    Start(std::io::Error),
    /// It was still running, and was ended.
    TimedOut,
}

/// Runs `command` with `input`, for at most `limit`.
pub fn run(command: &mut Command, input: &[u8], limit: Duration) -> Result<Output, Failure> {
    let start = Instant::now();
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(Failure::Start)?;
    let stdout = child.stdout.take().map(collect);
    let stderr = child.stderr.take().map(collect);
    if let Some(mut stdin) = child.stdin.take() {
        let input = input.to_owned();
        // In a thread: a program that never reads must not hold us. One that ends without reading
        // closes the pipe, which is its own affair.
        thread::spawn(move || stdin.write_all(&input));
    }
    let status = wait(&mut child, start + limit).ok_or(Failure::TimedOut)?;
    let took = start.elapsed();
    // A grandchild may hold the pipe open longer than the program lived.
    let rest = |pipe: Option<Receiver<Vec<u8>>>| {
        let left = (start + limit)
            .saturating_duration_since(Instant::now())
            .max(POLL);
        pipe.and_then(|pipe| pipe.recv_timeout(left).ok())
            .unwrap_or_default()
    };
    Ok(Output {
        status: status.code(),
        stdout: rest(stdout),
        stderr: rest(stderr),
        took,
    })
}

fn wait(child: &mut Child, deadline: Instant) -> Option<std::process::ExitStatus> {
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Some(status),
            Ok(None) if Instant::now() < deadline => thread::sleep(POLL),
            _ => {
                let _ = child.kill();
                let _ = child.wait();
                return None;
            }
        }
    }
}

fn collect(pipe: impl Read + Send + 'static) -> Receiver<Vec<u8>> {
    let (send, receive) = channel();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = pipe.take(OUTPUT_LIMIT).read_to_end(&mut bytes);
        send.send(bytes)
    });
    receive
}
