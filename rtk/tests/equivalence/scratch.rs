//! The scratch folders in which the lines run, each made by a script.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, LazyLock, Mutex};

/// A folder that was set up once, to be copied for each run.
#[derive(Clone)]
pub struct Scratch {
    name: String,
    template: Arc<tempfile::TempDir>,
}

static MADE: LazyLock<Mutex<HashMap<String, Scratch>>> = LazyLock::new(Mutex::default);

impl Scratch {
    /// The one of this name, made on first use.
    pub fn named(name: &str) -> Self {
        let mut made = MADE.lock().expect("no test panics while it makes a folder");
        made.entry(name.to_owned())
            .or_insert_with(|| Self::make(name))
            .clone()
    }

    fn make(name: &str) -> Self {
        let template = tempfile::tempdir().expect("a scratch folder");
        let script = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("tests/data/scratch")
            .join(format!("{name}.sh"));
        let mut command = Command::new("bash");
        command
            .arg(&script)
            .current_dir(template.path())
            .env("HOME", template.path());
        for (name, value) in FIXED {
            command.env(name, value);
        }
        let output = command.output().expect("bash can be started");
        assert!(
            output.status.success(),
            "{}: {}",
            script.display(),
            String::from_utf8_lossy(&output.stderr)
        );
        Self {
            name: name.to_owned(),
            template: Arc::new(template),
        }
    }

    /// Whether the tools there are stand-ins that record their arguments.
    pub fn stands_in(&self) -> bool {
        self.name.starts_with("stand-ins")
    }

    /// Copies its work folder `work` to `target`.
    pub fn copy_to(&self, target: &Path) {
        let output = Command::new("cp")
            .arg("-a")
            .arg(self.template.path().join("."))
            .arg(target)
            .output();
        assert!(
            output.expect("cp can be started").status.success(),
            "the scratch folder can be copied"
        );
    }

    /// Where its stand-ins are, if it has any.
    pub fn programs(&self) -> PathBuf {
        self.template.path().join("programs")
    }
}

/// What makes two runs of git alike: no configuration of the user's, one name, one time.
pub const FIXED: &[(&str, &str)] = &[
    ("GIT_CONFIG_GLOBAL", "/dev/null"),
    ("GIT_CONFIG_SYSTEM", "/dev/null"),
    ("GIT_AUTHOR_NAME", "A"),
    ("GIT_AUTHOR_EMAIL", "a@example.com"),
    ("GIT_COMMITTER_NAME", "A"),
    ("GIT_COMMITTER_EMAIL", "a@example.com"),
    ("GIT_AUTHOR_DATE", "2024-01-02T03:04:05Z"),
    ("GIT_COMMITTER_DATE", "2024-01-02T03:04:05Z"),
    ("LC_ALL", "C.UTF-8"),
    ("TZ", "UTC"),
];
