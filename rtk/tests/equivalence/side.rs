//! One side of a comparison: a copy of the scratch folder, a home, and what a line did there.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use guard_rtk::rewrite::{Surroundings, rewrite_line};

use crate::disk::Disk;
use crate::scratch::{FIXED, Scratch};

pub struct Side {
    root: tempfile::TempDir,
    path: OsString,
    status: i32,
}

/// What a line did.
pub struct Outcome {
    pub status: Option<i32>,
    pub output: Vec<u8>,
    pub errors: String,
    /// Every file below the work folder: its kind and content.
    pub files: BTreeMap<PathBuf, Vec<u8>>,
    /// The calls of stand-ins: program and arguments.
    pub calls: Vec<Vec<String>>,
}

impl Side {
    pub fn new(scratch: &Scratch, rtk: &Path, status: i32) -> Self {
        let root = tempfile::tempdir().expect("a folder for one side");
        scratch.copy_to(root.path());
        let tools = root.path().join("tools");
        std::fs::create_dir_all(&tools).expect("a folder for rtk");
        std::fs::create_dir_all(root.path().join("home")).expect("a home");
        std::os::unix::fs::symlink(rtk, tools.join("rtk")).expect("a link to rtk");
        let inherited = std::env::var_os("PATH").unwrap_or_default();
        let folders = [tools, scratch.programs()].into_iter();
        let path =
            std::env::join_paths(folders.chain(std::env::split_paths(&inherited))).expect("a PATH");
        Self { root, path, status }
    }

    fn work(&self) -> PathBuf {
        self.root.path().join("work")
    }

    fn home(&self) -> PathBuf {
        self.root.path().join("home")
    }

    /// The line in its rtk form.
    pub fn rewrite(&self, line: &str) -> Option<String> {
        let machine = Disk {
            folder: self.work(),
            path: self.path.clone(),
            home: self.home(),
        };
        let surroundings = Surroundings {
            machine: &machine,
            rtk: "rtk",
            windows: false,
        };
        rewrite_line(&guard_shell::parse(line), &surroundings)
    }

    pub fn run(&self, line: &str) -> Outcome {
        let log = self.root.path().join("calls");
        let mut command = Command::new("bash");
        command
            .args(["-c", line])
            .current_dir(self.work())
            .stdin(Stdio::null())
            .envs(FIXED.iter().copied())
            .env("HOME", self.home())
            .env("PATH", &self.path)
            .env("RTK_TELEMETRY_DISABLED", "1")
            .env("RTK_SUPPRESS_HOOK_WARNING", "1")
            .env("STAND_IN_LOG", &log)
            .env("STAND_IN_STATUS", self.status.to_string())
            .env("CARGO_TARGET_DIR", self.root.path().join("target"))
            .env("CARGO_NET_OFFLINE", "true")
            .env("NPM_CONFIG_UPDATE_NOTIFIER", "false");
        for name in [
            "XDG_CONFIG_HOME",
            "XDG_DATA_HOME",
            "XDG_CACHE_HOME",
            "RTK_DISABLED",
            "RUST_BACKTRACE",
            "MAKEFLAGS",
            "NODE_OPTIONS",
        ] {
            command.env_remove(name);
        }
        // cargo and rustup of the caller's home, which is hidden here.
        for (name, folder) in [("CARGO_HOME", ".cargo"), ("RUSTUP_HOME", ".rustup")] {
            let home = std::env::var_os("HOME").map(|home| Path::new(&home).join(folder));
            if let Some(value) = std::env::var_os(name).or_else(|| home.map(OsString::from)) {
                command.env(name, value);
            }
        }
        let output = command.output().expect("bash can be started");
        Outcome {
            status: output.status.code(),
            output: output.stdout,
            errors: String::from_utf8_lossy(&output.stderr).into_owned(),
            files: snapshot(&self.work()),
            calls: calls(&log),
        }
    }
}

impl Outcome {
    /// Whether one of the calls is `wanted` with perhaps more arguments in between.
    pub fn made(&self, wanted: &[String]) -> bool {
        self.calls.iter().any(|call| {
            let mut rest = call.iter();
            wanted.iter().all(|word| rest.any(|found| found == word))
        })
    }

    pub fn first_difference(&self, other: &Self) -> Option<PathBuf> {
        let names = self.files.keys().chain(other.files.keys());
        names
            .into_iter()
            .find(|name| self.files.get(*name) != other.files.get(*name))
            .cloned()
    }
}

/// A record is a line: the program's name and its arguments, each closed by a byte 31.
fn calls(log: &Path) -> Vec<Vec<String>> {
    let text = std::fs::read_to_string(log).unwrap_or_default();
    text.lines()
        .map(|line| line.split_terminator('\u{1f}').map(str::to_owned).collect())
        .collect()
}

/// Files that differ between two runs of the same command: caches, logs, times.
fn is_volatile(name: &Path) -> bool {
    let text = name.to_string_lossy();
    text.contains("__pycache__")
        || text.contains("node_modules/.cache")
        || [
            ".git/index",
            ".git/logs",
            ".git/FETCH_HEAD",
            ".git/ORIG_HEAD",
            ".git/COMMIT_EDITMSG",
            ".git/AUTO_MERGE",
        ]
        .iter()
        .any(|part| text.contains(part))
}

fn snapshot(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut left = vec![folder.to_owned()];
    while let Some(next) = left.pop() {
        for entry in std::fs::read_dir(&next).into_iter().flatten().flatten() {
            let path = entry.path();
            let name = path
                .strip_prefix(folder)
                .expect("below the folder")
                .to_owned();
            if is_volatile(&name) {
                continue;
            }
            let kind = entry.file_type().expect("a file has a type");
            let content = if kind.is_dir() {
                left.push(path);
                b"folder".to_vec()
            } else if kind.is_symlink() {
                std::fs::read_link(&path)
                    .expect("a link")
                    .into_os_string()
                    .into_encoded_bytes()
            } else {
                std::fs::read(&path).unwrap_or_else(|_| b"unreadable".to_vec())
            };
            found.insert(name, content);
        }
    }
    found
}
