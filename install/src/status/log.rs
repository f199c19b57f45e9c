//! What the host's own log says about hooks: a host that can't use a `hooks.json` drops the whole file
//! with one line there, and says nothing else.

use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::place::Place;
use crate::setup::Setup;
use crate::status::Check;

/// How much of the end of a log is read, in bytes.
const TAIL: u64 = 256 << 10;
const FOLDERS: [&str; 4] = [
    "antigravity-cli",
    "antigravity",
    "antigravity-ide",
    "config",
];
const FILES: [&str; 3] = ["cli.log", "log/cli.log", "logs/cli.log"];
const COMPLAINTS: [&str; 7] = [
    "error", "fail", "invalid", "unknown", "mismatch", "skip", "drop",
];

/// The last complaint about hooks that is younger than our registration.
pub fn host_log(setup: &Setup) -> Option<Check> {
    let registered = modified(&Place::Global.hooks_file(&setup.home))?;
    let logs = FOLDERS
        .iter()
        .flat_map(|folder| FILES.map(|file| setup.home.join(".gemini").join(folder).join(file)));
    let (log, line) = logs
        .filter(|log| modified(log) > Some(registered))
        .find_map(|log| Some((log.clone(), complaint(&log)?)))?;
    Some(Check::warning(
        "host log",
        format!("{} says: {line}", log.display()),
        "if the line is about hooks.json, the host may have dropped the whole file: mend what it names, restart, and run this again",
    ))
}

fn modified(file: &Path) -> Option<SystemTime> {
    fs::metadata(file).ok()?.modified().ok()
}

fn complaint(log: &PathBuf) -> Option<String> {
    let mut file = File::open(log).ok()?;
    let length = file.metadata().ok()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(TAIL)))
        .ok()?;
    let mut bytes = Vec::new();
    file.take(TAIL).read_to_end(&mut bytes).ok()?;
    let text = String::from_utf8_lossy(&bytes);
    let about_hooks = |line: &&str| {
        let lower = line.to_lowercase();
        lower.contains("hooks.json") && COMPLAINTS.iter().any(|word| lower.contains(word))
    };
    text.lines()
        .rev()
        .find(about_hooks)
        .map(|line| line.trim().chars().take(400).collect())
}
