//! What reading costs: bytes and memory, whatever the size of the transcript.

#![cfg(target_os = "linux")]

mod common;
mod home;

use common::{planned, ran, record, user};
use home::Home;
use std::io::Write;
use std::path::PathBuf;
use std::process::Command;

/// Kilobytes of address space: more than that and the process dies of a failed allocation. It holds the program, its stack and
/// its heap, so its memory is less.
const ADDRESS_SPACE: u32 = 32 * 1024;
const TRANSCRIPT: usize = 24 << 20;

/// The example that runs the command alone, which cargo builds beside the tests.
fn example() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let folder = test.parent().unwrap().parent().unwrap();
    let example = folder.join("examples/transcript");
    assert!(
        example.is_file(),
        "no {}: run the tests of the whole package, which builds it",
        example.display()
    );
    example
}

/// Turns of 40 steps, and in the middle and at the end lines of 20 MB.
fn long(home: &Home) {
    home.file("antigravity", home::ID, "transcript.jsonl", "");
    let path = home.logs("antigravity", home::ID).join("transcript.jsonl");
    let mut out = std::io::BufWriter::new(std::fs::File::create(path).unwrap());
    let (mut size, mut step) = (0, 0);
    let output = "a line of output \"quoted\"\twith a tab, and a path C:\\x\n".repeat(40);
    let huge = "all work and no play\n".repeat(1_000_000);
    while size < TRANSCRIPT {
        let line = match step % 40 {
            0 => user(step, "go on"),
            odd if odd % 2 == 1 => planned(step, "cargo test"),
            _ => ran(step, &output),
        };
        out.write_all(line.as_bytes()).unwrap();
        (size, step) = (size + line.len(), step + 1);
        if step == 5_011 {
            out.write_all(record(step, "MODEL", "GENERIC", "DONE", &huge).as_bytes())
                .unwrap();
            step += 1;
        }
    }
    out.write_all(record(step, "MODEL", "GENERIC", "DONE", &huge).as_bytes())
        .unwrap();
    out.write_all(user(step + 1, "last wish").as_bytes())
        .unwrap();
}

#[test]
fn everything_fits_into_32_mb_of_address_space() {
    let home = Home::new();
    long(&home);
    let example = example();
    for arguments in [
        "read",
        "read --last 0 --full",
        "read --last 5 --before-step 9000",
        "query needle",
        "query \"last wish\"",
        "query --regex \"no pl[a-z]y$\" --max 3",
        "query --step 5011 --field content --offset 10000000",
        "query --role user --summary",
        "health",
    ] {
        let line = format!("ulimit -v {ADDRESS_SPACE}; exec \"$0\" {arguments}");
        let done = Command::new("sh")
            .args(["-c", &line])
            .arg(&example)
            .env("HOME", home.path())
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&done.stderr).into_owned();
        assert!(done.status.success(), "{arguments}: {} {said}", done.status);
        assert!(
            done.stdout.starts_with(b"# ") && done.stdout.len() <= 16 * 1024,
            "{arguments}"
        );
    }
}
