//! The real programs, installed in a home of their own.

#![allow(dead_code, reason = "each test file uses a part")]

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// The governed tools of Antigravity.
pub const TOOLS: [&str; 15] = [
    "run_command",
    "manage_task",
    "command_status",
    "schedule",
    "view_file",
    "read_file",
    "read_many_files",
    "grep_search",
    "find_by_name",
    "list_dir",
    "write_to_file",
    "replace_file_content",
    "multi_replace_file_content",
    "create_file",
    "edit_file",
];

/// A home with both programs in a folder below it, and a program that says it is rtk.
pub struct Installation {
    folder: TempDir,
    bin: PathBuf,
}

impl Installation {
    /// In the folder that the script installs into.
    pub fn new() -> Self {
        Self::below_home(".local/bin")
    }

    pub fn below_home(bin: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let bin = folder.path().canonicalize().unwrap().join("home").join(bin);
        fs::create_dir_all(&bin).unwrap();
        for (program, name) in [
            (env!("CARGO_BIN_EXE_execution-guard"), "execution-guard"),
            (
                env!("CARGO_BIN_EXE_execution-guard-cli"),
                "execution-guard-cli",
            ),
        ] {
            // By a process of its own: a file that another thread's child holds open for writing can't be run.
            let copied = Command::new("cp")
                .arg(program)
                .arg(bin.join(name))
                .status()
                .unwrap();
            assert!(copied.success());
        }
        let installation = Self { folder, bin };
        let rtk = installation.tools().join("rtk");
        write(&rtk, "#!/bin/sh\necho rtk 1.1.0\n");
        let done = Command::new("chmod").arg("755").arg(rtk).status().unwrap();
        assert!(done.success());
        installation
    }

    fn root(&self) -> PathBuf {
        self.folder.path().canonicalize().unwrap()
    }

    pub fn tools(&self) -> PathBuf {
        self.root().join("tools")
    }

    pub fn home(&self) -> PathBuf {
        self.root().join("home")
    }

    pub fn hook(&self) -> PathBuf {
        self.bin.join("execution-guard")
    }

    pub fn commands(&self) -> PathBuf {
        self.bin.join("execution-guard-cli")
    }

    pub fn hooks(&self) -> PathBuf {
        self.home().join(".gemini/config/hooks.json")
    }

    pub fn servers(&self) -> PathBuf {
        self.home().join(".gemini/config/mcp_config.json")
    }

    /// `program` as the user's shell or the host would start it.
    pub fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        command
            .env_clear()
            .env("HOME", self.home())
            .env("PATH", format!("{}:/usr/bin:/bin", self.tools().display()))
            .current_dir(self.home())
            .stdin(Stdio::null());
        command
    }

    /// `execution-guard ARGUMENTS`.
    pub fn run(&self, arguments: &[&str]) -> Ran {
        Ran::of(self.command(self.hook()).args(arguments))
    }

    /// Runs it, which must work.
    #[track_caller]
    pub fn done(&self, arguments: &[&str]) -> String {
        let ran = self.run(arguments);
        assert_eq!((ran.err.as_str(), ran.status), ("", 0), "{}", ran.out);
        ran.out
    }

    /// The command that the hooks file registers.
    pub fn registered(&self, file: &Path, event: &str) -> String {
        let command = &value(file)["execution-guard"][event][0]["hooks"][0]["command"];
        command.as_str().unwrap().to_owned()
    }

    /// The answers to `payload` of the command registered in `file`, in both ways that hosts run it. A
    /// host that was not started from a shell has another `PATH` than the user's.
    pub fn answers(&self, file: &Path, event: &str, payload: &Value) -> [Value; 2] {
        let command = self.registered(file, event);
        let mut by_shell = self.command("/bin/sh");
        by_shell.arg("-c").arg(&command);
        [by_shell, self.command(&command)].map(|mut host| {
            let mut child = host
                .env("PATH", "/nowhere")
                .current_dir(file.parent().unwrap())
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .spawn()
                .unwrap();
            let mut stdin = child.stdin.take().unwrap();
            stdin.write_all(payload.to_string().as_bytes()).unwrap();
            drop(stdin);
            let output = child.wait_with_output().unwrap();
            assert!(output.status.success());
            serde_json::from_slice(&output.stdout).unwrap()
        })
    }

    /// Every file below the home with its content, but the programs and the state.
    pub fn files(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut found = BTreeMap::new();
        collect(&self.home(), &mut found);
        let state = self.home().join(".local/state");
        found.retain(|file, _| !file.starts_with(&self.bin) && !file.starts_with(&state));
        found
    }

    /// As [`Self::files`], without backups of ours.
    pub fn files_but_backups(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut files = self.files();
        files.retain(|file, _| file.extension().is_none_or(|end| end != "bak"));
        files
    }
}

fn collect(folder: &Path, found: &mut BTreeMap<PathBuf, Vec<u8>>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_symlink() {
            let target = fs::read_link(&path).unwrap();
            found.insert(path, target.into_os_string().into_encoded_bytes());
        } else if path.is_dir() {
            collect(&path, found);
        } else {
            let content = fs::read(&path).unwrap();
            found.insert(path, content);
        }
    }
}

/// What a run of a program gave.
pub struct Ran {
    pub out: String,
    pub err: String,
    pub status: i32,
}

impl Ran {
    pub fn of(command: &mut Command) -> Self {
        let Output {
            status,
            stdout,
            stderr,
        } = command.output().unwrap();
        Self {
            out: String::from_utf8(stdout).unwrap(),
            err: String::from_utf8(stderr).unwrap(),
            status: status.code().unwrap(),
        }
    }
}

pub fn write(file: &Path, content: impl AsRef<[u8]>) {
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(file, content).unwrap();
}

/// The JSON in `file`.
#[track_caller]
pub fn value(file: &Path) -> Value {
    serde_json::from_slice(&fs::read(file).unwrap()).unwrap()
}
