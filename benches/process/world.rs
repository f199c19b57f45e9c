//! A home, a workspace and a transcript to judge calls in.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

/// A home of its own; gone when dropped.
pub struct World(tempfile::TempDir);

/// One record of a transcript, about 1 KB.
fn record(step: usize) -> String {
    let record = json!({"step_index": step, "source": "MODEL", "type": "VIEW_FILE", "status": "DONE",
        "created_at": "2026-11-30T15:52:12Z", "content": "x".repeat(900)});
    format!("{record}\n")
}

impl World {
    /// With a transcript of 1 MB.
    pub fn new() -> Self {
        Self::with_transcript(1000)
    }

    /// With a transcript of so many records of 1 KB.
    pub fn with_transcript(records: usize) -> Self {
        let world = Self(tempfile::tempdir().unwrap());
        for folder in ["workspace", "bin", "kept"] {
            fs::create_dir_all(world.root().join(folder)).unwrap();
        }
        world.put_program("rtk");
        fs::create_dir_all(world.transcript().parent().unwrap()).unwrap();
        fs::write(world.long_file(), "fn line() {}\n".repeat(2000)).unwrap();
        let mut transcript = fs::File::create(world.transcript()).unwrap();
        let mut left = records;
        while left > 0 {
            let piece = left.min(4096);
            std::io::Write::write_all(&mut transcript, record(1).repeat(piece).as_bytes()).unwrap();
            left -= piece;
        }
        world
    }

    /// The guard looks whether a program is there, and starts none.
    fn put_program(&self, name: &str) {
        let file = self.root().join("bin").join(name);
        fs::write(&file, "").unwrap();
        fs::set_permissions(file, PermissionsExt::from_mode(0o755)).unwrap();
    }

    /// The home.
    pub fn root(&self) -> &Path {
        self.0.path()
    }

    /// A source file of 2000 lines.
    pub fn long_file(&self) -> PathBuf {
        self.root().join("workspace/long.rs")
    }

    /// Where the state of conversations is kept.
    pub fn state(&self) -> PathBuf {
        self.root().join(".local/state/execution-guard")
    }

    fn transcript(&self) -> PathBuf {
        self.brain("c1")
            .join(".system_generated/logs/transcript.jsonl")
    }

    fn brain(&self, conversation: &str) -> PathBuf {
        self.root()
            .join(".gemini/antigravity/brain")
            .join(conversation)
    }

    /// One call, as the host sends it.
    pub fn payload(&self, conversation: &str, tool: &str, args: &Value, step: usize) -> Vec<u8> {
        let payload = json!({
            "toolCall": {"name": tool, "args": args}, "stepIdx": step, "conversationId": conversation,
            "workspacePaths": [self.root().join("workspace")], "transcriptPath": self.transcript(),
            "artifactDirectoryPath": self.brain(conversation), "modelName": "auto",
        });
        payload.to_string().into_bytes()
    }

    /// Status checks that differ in their step: each is counted.
    pub fn polls(&self, conversation: &str) -> Vec<Vec<u8>> {
        let status = json!({"Action": "status", "TaskId": "task-18"});
        (0..256)
            .map(|step| self.payload(conversation, "manage_task", &status, 1000 + 2 * step))
            .collect()
    }

    /// `program` in this home, with nothing else of the environment.
    pub fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command
            .env_clear()
            .env("HOME", self.root())
            .env("PATH", self.root().join("bin"))
            .current_dir(self.root().join("workspace"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        command
    }
}
