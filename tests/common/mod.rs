//! A conversation on a machine of its own: a home, a workspace, a transcript, a clock.

#![allow(dead_code, reason = "each test file uses a part")]

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use chrono::{DateTime, Duration, Utc};
use execution_guard::config::Config;
use execution_guard::environment::Environment;
use execution_guard::hosts;
use execution_guard::layers::judge;
use execution_guard::machine::{Clock, LedgerMode, Machine};
use execution_guard::zones::Names;
use serde_json::{Value, json};
use tempfile::TempDir;

pub const CONVERSATION: &str = "1afed0731d3375b5ce77ece98355e9a3";

/// A conversation on a machine of its own.
pub struct World {
    folder: TempDir,
    now: DateTime<Utc>,
    next_step: u64,
    pub config: Config,
    pub path: OsString,
}

impl World {
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let world = Self {
            folder,
            now: "2026-11-30T16:00:00Z".parse().unwrap(),
            next_step: 100,
            config: Config::default(),
            path: OsString::new(),
        };
        fs::create_dir_all(world.workspace()).unwrap();
        fs::create_dir_all(world.internal("logs")).unwrap();
        fs::create_dir_all(world.internal("tasks")).unwrap();
        world
    }

    /// A world whose PATH holds a program of that name, which nothing here runs.
    pub fn with_tools(names: &[&str]) -> Self {
        let mut world = Self::new();
        let bin = world.root().join("bin");
        fs::create_dir_all(&bin).unwrap();
        for name in names {
            executable(&bin.join(name));
        }
        world.path = bin.into();
        world
    }

    pub fn root(&self) -> PathBuf {
        self.folder.path().canonicalize().unwrap()
    }

    pub fn home(&self) -> PathBuf {
        self.root().join("home")
    }

    pub fn workspace(&self) -> PathBuf {
        self.root().join("workspace")
    }

    pub fn state_dir(&self) -> PathBuf {
        self.root().join("state")
    }

    pub fn artifacts(&self) -> PathBuf {
        self.home()
            .join(".gemini/antigravity/brain")
            .join(CONVERSATION)
    }

    pub fn internal(&self, below: &str) -> PathBuf {
        self.artifacts().join(".system_generated").join(below)
    }

    pub fn transcript(&self) -> PathBuf {
        self.internal("logs/transcript.jsonl")
    }

    /// Writes a file of the workspace and gives its path as text.
    pub fn file(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        let path = self.workspace().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, content).unwrap();
        path.to_str().unwrap().to_owned()
    }

    /// Lets seconds pass, or come back.
    pub fn wait(&mut self, seconds: i64) {
        self.now += Duration::seconds(seconds);
    }

    pub fn now(&self) -> DateTime<Utc> {
        self.now
    }

    /// Adds a record to the transcript.
    pub fn record(&self, record: &Value) {
        let mut file = fs::OpenOptions::new()
            .create(true)
            .append(true)
            .open(self.transcript())
            .unwrap();
        writeln!(file, "{record}").unwrap();
    }

    /// The user writes a prompt.
    pub fn user_speaks(&mut self) {
        let step = self.step();
        self.record(
            &json!({"step_index": step, "source": "USER_EXPLICIT", "type": "USER_INPUT",
            "status": "DONE", "created_at": "2026-11-30T16:00:00Z", "content": "is it done?"}),
        );
    }

    /// A command moves to the background; its task number.
    pub fn launch(&mut self, line: &str) -> u64 {
        let step = self.step();
        let content = format!(
            "Created At: 2026-11-30T15:52:12Z\nTool is running as a background task with task id: \
             {CONVERSATION}/task-{step}\nTask Description: {line}\nTask logs are available at: \
             file://{}",
            self.log(step)
        );
        self.record(
            &json!({"step_index": step, "source": "MODEL", "type": "RUN_COMMAND",
            "status": "RUNNING", "created_at": "2026-11-30T15:52:12Z", "content": content}),
        );
        fs::write(self.log(step), "some output\n").unwrap();
        step
    }

    /// The task ends and the host says so.
    pub fn end(&mut self, task: u64) {
        let step = self.step();
        let id = format!("{CONVERSATION}/task-{task}");
        let content = format!(
            "The following is a <SYSTEM_MESSAGE> not actually sent by the user.\n\n\
             <SYSTEM_MESSAGE>\n[Message] timestamp=2026-11-30T15:52:16Z sender={id} \
             priority=MESSAGE_PRIORITY_HIGH content=Task id \"{id}\" finished with result:\n\n\
             The command exited with code 0.\n</SYSTEM_MESSAGE>"
        );
        self.record(
            &json!({"step_index": step, "source": "SYSTEM", "type": "SYSTEM_MESSAGE",
            "status": "DONE", "created_at": "2026-11-30T15:52:16Z", "content": content}),
        );
    }

    /// The step of the call that was made last.
    pub fn last_step(&self) -> u64 {
        self.next_step - 2
    }

    /// The outcome of the call that was made last.
    pub fn outcome(&self, status: &str) {
        self.outcome_of(self.last_step(), status);
    }

    pub fn outcome_of(&self, step: u64, status: &str) {
        self.record(
            &json!({"step_index": step, "source": "MODEL", "type": "GENERIC",
            "status": status, "created_at": "2026-11-30T16:00:00Z", "content": "outcome"}),
        );
    }

    pub fn log(&self, task: u64) -> String {
        self.internal(&format!("tasks/task-{task}.log"))
            .to_str()
            .unwrap()
            .to_owned()
    }

    fn step(&mut self) -> u64 {
        self.next_step += 2;
        self.next_step - 2
    }

    /// The payload of a call in a step of its own.
    pub fn payload(&mut self, tool: &str, args: Value) -> Value {
        let step = self.step();
        json!({
            "toolCall": {"name": tool, "args": args},
            "stepIdx": step,
            "conversationId": CONVERSATION,
            "workspacePaths": [self.workspace()],
            "transcriptPath": self.transcript(),
            "artifactDirectoryPath": self.artifacts(),
            "modelName": "auto",
        })
    }

    pub fn machine(&self) -> Machine {
        let variables = BTreeMap::from([
            ("HOME".to_owned(), self.home().into_os_string()),
            (
                "EXECUTION_GUARD_STATE_DIR".to_owned(),
                self.state_dir().into_os_string(),
            ),
            ("PATH".to_owned(), self.path.clone()),
        ]);
        Machine {
            clock: Clock::Given(self.now),
            environment: Environment::Given(variables),
            config: self.config.clone(),
            names: Names { case_blind: false },
            ledger: LedgerMode::Write,
        }
    }

    /// The answer to a call.
    pub fn call(&mut self, tool: &str, args: Value) -> Answer {
        let payload = self.payload(tool, args);
        self.answer(&payload)
    }

    /// The answer to a payload.
    pub fn answer(&self, payload: &Value) -> Answer {
        self.answer_on(payload, &self.machine())
    }

    /// The answer to a payload on another machine.
    pub fn answer_on(&self, payload: &Value, machine: &Machine) -> Answer {
        let incoming = hosts::read(payload.to_string().as_bytes());
        let hosts::Incoming::Governed(call) = &incoming else {
            panic!("not a governed call: {payload}");
        };
        let verdict = judge(call, machine).verdict;
        let text = hosts::write(&incoming, &verdict, machine.config.pass_through);
        Answer(serde_json::from_str(&text).unwrap())
    }

    /// A status check.
    pub fn poll(&mut self) -> Answer {
        self.call(
            "manage_task",
            json!({"Action": "status", "TaskId": "task-18"}),
        )
    }

    /// Runs the binary in this world with `input` on its standard input.
    pub fn run(&self, arguments: &[&str], input: &[u8]) -> (String, String, i32) {
        let mut child = self.spawn(arguments);
        let mut stdin = child.stdin.take().unwrap();
        // A child that needs no input may have closed it.
        let _ = stdin.write_all(input);
        drop(stdin);
        let output = child.wait_with_output().unwrap();
        (
            String::from_utf8(output.stdout).unwrap(),
            String::from_utf8(output.stderr).unwrap(),
            output.status.code().unwrap(),
        )
    }

    /// The answer of the hook's own process to a call.
    pub fn hook(&mut self, tool: &str, args: Value) -> String {
        let payload = self.payload(tool, args);
        let (out, err, status) = self.run(&[], payload.to_string().as_bytes());
        assert_eq!((err.as_str(), status), ("", 0));
        out
    }

    /// Writes the user's configuration file.
    pub fn configure(&self, text: &str) {
        let folder = self.home().join(".config/execution-guard");
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("config.json"), text).unwrap();
    }

    pub fn spawn(&self, arguments: &[&str]) -> std::process::Child {
        Command::new(binary())
            .args(arguments)
            .env_clear()
            .env("HOME", self.home())
            .env("EXECUTION_GUARD_STATE_DIR", self.state_dir())
            .env("PATH", &self.path)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    }
}

/// The answer to one call.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer(pub Value);

impl Answer {
    pub fn decision(&self) -> &str {
        self.0["decision"].as_str().unwrap()
    }

    pub fn reason(&self) -> &str {
        self.0["reason"].as_str().unwrap_or_default()
    }

    pub fn overwrite(&self) -> &Value {
        &self.0["overwrite"]
    }

    /// The commands that the reason prints to be run.
    pub fn commands(&self) -> Vec<&str> {
        self.reason()
            .lines()
            .filter_map(|line| line.strip_prefix("    "))
            .collect()
    }

    #[track_caller]
    pub fn is(&self, decision: &str) -> &Self {
        assert_eq!(self.decision(), decision, "{}", self.0);
        self
    }
}

pub fn binary() -> &'static str {
    env!("CARGO_BIN_EXE_execution-guard")
}

#[cfg(unix)]
fn executable(path: &Path) {
    use std::os::unix::fs::PermissionsExt;
    fs::write(path, "#!/bin/sh\nexit 1\n").unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

#[cfg(not(unix))]
fn executable(path: &Path) {
    fs::write(path.with_extension("exe"), "").unwrap();
}
