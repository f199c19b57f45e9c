//! What a path is: internal state of the host, a file that only the native tool reads well, a
//! benchmark, the governor's own.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};

/// The folder in which a host keeps a conversation's internal state.
pub const INTERNAL: &str = ".system_generated";

/// A file of a conversation's internal state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Internal {
    /// The log of a background task.
    TaskLog(TaskLog),
    /// The whole output of a step that was too large for the context.
    Spillover,
    /// A transcript, a chunk of one, or anything else.
    Other,
}

/// The log of a background task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskLog {
    /// The folder of the conversation that holds [`INTERNAL`].
    pub conversation: PathBuf,
    /// The task's number: the step that launched it.
    pub number: u64,
}

impl TaskLog {
    /// The task's name as agents write it.
    pub fn name(&self) -> String {
        format!("task-{}", self.number)
    }

    /// The log's path.
    pub fn path(&self) -> PathBuf {
        let name = format!("{}.log", self.name());
        self.conversation.join(INTERNAL).join("tasks").join(name)
    }

    /// The transcript of the conversation.
    pub fn transcript(&self) -> PathBuf {
        transcript_in(&self.conversation)
    }
}

/// The transcript of the conversation that keeps its state in `folder`.
pub fn transcript_in(folder: &Path) -> PathBuf {
    folder.join(INTERNAL).join("logs").join("transcript.jsonl")
}

/// One file of each kind in the internal state of the conversation in `folder`; those that have a number have `number`.
pub fn files_in<'a>(folder: &'a Path, number: &'a str) -> impl Iterator<Item = PathBuf> + 'a {
    let below = [
        "logs/transcript_full.jsonl".to_owned(),
        format!("logs/chunks/transcript/{number}.jsonl"),
        format!("logs/chunks/transcript_full/{number}.jsonl"),
        format!("steps/{number}/output.txt"),
        format!("tasks/task-{number}.log"),
    ];
    let others = below.into_iter();
    let others = others.map(|below| folder.join(INTERNAL).join(below));
    std::iter::once(transcript_in(folder)).chain(others)
}

/// How names compare on this machine's file systems.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Names {
    /// Whether letter case makes no difference.
    pub case_blind: bool,
}

impl Names {
    /// What this system's file systems do by default.
    pub const fn native() -> Self {
        Self {
            case_blind: cfg!(any(windows, target_os = "macos")),
        }
    }

    fn equal(self, name: &OsStr, other: &str) -> bool {
        if self.case_blind {
            name.eq_ignore_ascii_case(other)
        } else {
            name == other
        }
    }

    /// What internal state `path` (cleaned, absolute) is, if any.
    pub fn internal(self, path: &Path) -> Option<Internal> {
        let names: Vec<&OsStr> = normal_names(path).collect();
        let at = names.iter().position(|name| self.equal(name, INTERNAL))?;
        let below: Vec<&str> = names[at + 1..]
            .iter()
            .filter_map(|name| name.to_str())
            .collect();
        Some(match below[..] {
            [tasks, log] if self.equal(OsStr::new(tasks), "tasks") => match task_number(log) {
                Some(number) => Internal::TaskLog(TaskLog {
                    conversation: up_to(path, names.len() - at),
                    number,
                }),
                None => Internal::Other,
            },
            [steps, _, output]
                if self.equal(OsStr::new(steps), "steps")
                    && self.equal(OsStr::new(output), "output.txt") =>
            {
                Internal::Spillover
            }
            _ => Internal::Other,
        })
    }

    /// Whether a recursive read of the folder `path` meets internal state: it is a folder that
    /// holds conversations, one above, or a conversation's own.
    pub fn holds_internal(
        self,
        path: &Path,
        home: Option<&Path>,
        artifacts: Option<&Path>,
    ) -> bool {
        if artifacts.is_some_and(|artifacts| self.is_below(artifacts, path)) {
            return true;
        }
        let Some(home) = home else {
            return false;
        };
        let hosts = home.join(".gemini");
        if self.is_below(&hosts, path) {
            return true;
        }
        let Some(below) = self.strip(path, &hosts) else {
            return false;
        };
        match below[..] {
            [product] => starts_with(product, "antigravity"),
            [product, brain] => starts_with(product, "antigravity") && self.equal(brain, "brain"),
            // The conversation's own folder; what it holds beside its state are artifacts.
            [product, brain, _] => {
                starts_with(product, "antigravity") && self.equal(brain, "brain")
            }
            _ => false,
        }
    }

    /// Whether `path` is `folder` or lies below it.
    pub fn is_below(self, path: &Path, folder: &Path) -> bool {
        self.strip(path, folder).is_some()
    }

    /// The names of `path` below `folder`, none if it is not below.
    fn strip<'a>(self, path: &'a Path, folder: &Path) -> Option<Vec<&'a OsStr>> {
        let mut rest = path.components();
        for expected in folder.components() {
            let component = rest.next()?;
            let equal = match expected.as_os_str().to_str() {
                Some(name) => self.equal(component.as_os_str(), name),
                None => component == expected,
            };
            if !equal {
                return None;
            }
        }
        Some(rest.map(Component::as_os_str).collect())
    }

    /// Whether the host or the agent works with this file as it is: its instructions, skills,
    /// rules, artifacts and configuration.
    pub fn is_special(self, path: &Path, home: Option<&Path>) -> bool {
        let names: Vec<&OsStr> = normal_names(path).collect();
        let Some((file, folders)) = names.split_last() else {
            return false;
        };
        const FILES: [&str; 4] = ["SKILL.md", "AGENTS.md", "GEMINI.md", "CLAUDE.md"];
        if FILES.iter().any(|name| self.equal(file, name))
            || folders.iter().any(|name| self.equal(name, "skills"))
            || folders
                .windows(2)
                .any(|pair| self.equal(pair[0], ".agents") && self.equal(pair[1], "rules"))
        {
            return true;
        }
        let Some(below) = home.and_then(|home| self.strip(path, &home.join(".gemini"))) else {
            return false;
        };
        match below[..] {
            [config, _, ..] if self.equal(config, "config") => true,
            [product, brain, _, ..] => {
                starts_with(product, "antigravity")
                    && self.equal(brain, "brain")
                    && self.internal(path).is_none()
            }
            _ => false,
        }
    }

    /// Whether `path`, judged below the workspace that holds it, is part of a benchmark or an
    /// evaluator.
    pub fn is_benchmark(self, path: &Path, workspaces: &[PathBuf], protected: &Protected) -> bool {
        let below = workspaces
            .iter()
            .filter_map(|folder| self.strip(path, folder));
        let names = below
            .min_by_key(Vec::len)
            .unwrap_or_else(|| normal_names(path).collect());
        let folders = names.iter().any(|name| {
            protected
                .folders
                .iter()
                .any(|folder| name.eq_ignore_ascii_case(folder.as_ref()))
        });
        folders || names.last().is_some_and(|file| protected.is_file(file))
    }

    /// Whether `path` is a file that makes the governor work: a host's hook or tool-server
    /// registration, or one of `own`.
    pub fn is_governors(self, path: &Path, home: Option<&Path>, own: &[PathBuf]) -> bool {
        if own.iter().any(|own| self.is_below(path, own)) {
            return true;
        }
        let names: Vec<&OsStr> = normal_names(path).collect();
        let Some((file, folders)) = names.split_last() else {
            return false;
        };
        let is_hooks = self.equal(file, "hooks.json");
        let in_hosts = home.is_some_and(|home| self.is_below(path, &home.join(".gemini")));
        let in_agents = folders.iter().any(|name| self.equal(name, ".agents"));
        (is_hooks && (in_hosts || in_agents)) || (self.equal(file, "mcp_config.json") && in_hosts)
    }
}

/// A name in the settings, or of the defaults, which no call copies.
pub type Name = Cow<'static, str>;

/// The names of benchmarks and evaluators.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Protected {
    /// Folders, compared without letter case.
    pub folders: Vec<Name>,
    /// Beginnings of file names.
    pub prefixes: Vec<Name>,
    /// Extensions of those files, without the dot.
    pub extensions: Vec<Name>,
}

impl Default for Protected {
    fn default() -> Self {
        let owned =
            |names: &[&'static str]| names.iter().map(|name| Name::Borrowed(name)).collect();
        Self {
            folders: owned(&[
                "benchmark",
                "benchmarks",
                "evaluator",
                "evaluators",
                "evaluation",
                "scoring",
                "ground_truth",
                "prompt_templates",
            ]),
            prefixes: owned(&["eval_", "bench_"]),
            extensions: owned(&["py", "json", "toml"]),
        }
    }
}

impl Protected {
    /// Whether a file of this name is protected wherever it is.
    pub fn is_file(&self, name: &OsStr) -> bool {
        let name = name.to_string_lossy().to_ascii_lowercase();
        let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
        self.begins_file(&name) && self.extensions.iter().any(|wanted| wanted == extension)
    }

    /// Whether the name of a protected file may begin so.
    pub fn begins_file(&self, beginning: &str) -> bool {
        let beginning = beginning.to_ascii_lowercase();
        self.prefixes
            .iter()
            .any(|prefix| beginning.starts_with(prefix.as_ref()))
    }
}

/// `N` of `task-N.log`.
pub fn task_number(file: &str) -> Option<u64> {
    let file = file.to_ascii_lowercase();
    let digits = file.strip_prefix("task-")?.strip_suffix(".log")?;
    digits
        .bytes()
        .all(|byte| byte.is_ascii_digit())
        .then(|| digits.parse().ok())?
}

fn normal_names(path: &Path) -> impl Iterator<Item = &OsStr> {
    path.components().filter_map(|component| match component {
        Component::Normal(name) => Some(name),
        _ => None,
    })
}

/// `path` without its last `count` names.
fn up_to(path: &Path, count: usize) -> PathBuf {
    path.ancestors().nth(count).unwrap_or(path).to_owned()
}

fn starts_with(name: &OsStr, prefix: &str) -> bool {
    name.as_encoded_bytes()
        .get(..prefix.len())
        .is_some_and(|start| start.eq_ignore_ascii_case(prefix.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: Names = Names { case_blind: false };
    const BRAIN: &str = "/home/dev/.gemini/antigravity/brain/c1";

    fn home() -> Option<&'static Path> {
        Some(Path::new("/home/dev"))
    }

    fn internal(below: &str) -> Option<Internal> {
        NAMES.internal(&Path::new(BRAIN).join(below))
    }

    #[test]
    fn internal_state_is_known_by_its_place() {
        assert_eq!(
            internal(".system_generated/tasks/task-18.log"),
            Some(Internal::TaskLog(TaskLog {
                conversation: BRAIN.into(),
                number: 18
            }))
        );
        assert_eq!(
            internal(".system_generated/steps/7/output.txt"),
            Some(Internal::Spillover)
        );
        for other in [
            ".system_generated",
            ".system_generated/logs/transcript.jsonl",
            ".system_generated/tasks",
            ".system_generated/tasks/task-x.log",
            ".system_generated/tasks/task-.log",
            ".system_generated/steps/7/other.txt",
        ] {
            assert_eq!(internal(other), Some(Internal::Other), "{other}");
        }
        for outside in ["plan.md", "system_generated/x", ".system_generated2/x"] {
            assert_eq!(internal(outside), None, "{outside}");
        }
    }

    #[test]
    fn letter_case_counts_only_where_the_file_system_says_so() {
        let path = Path::new("/x/.System_Generated/logs/transcript.jsonl");
        assert_eq!(NAMES.internal(path), None);
        let blind = Names { case_blind: true };
        assert_eq!(blind.internal(path), Some(Internal::Other));
    }

    #[test]
    fn a_task_log_knows_its_own_path_and_transcript() {
        let path = Path::new(BRAIN).join(".system_generated/tasks/task-18.log");
        let Some(Internal::TaskLog(log)) = NAMES.internal(&path) else {
            panic!("not a task log");
        };
        assert_eq!(log.path(), path);
        assert!(
            log.transcript()
                .ends_with("c1/.system_generated/logs/transcript.jsonl")
        );
    }

    #[test]
    fn folders_above_internal_state_hold_it() {
        for path in [
            "/",
            "/home",
            "/home/dev",
            "/home/dev/.gemini",
            "/home/dev/.gemini/antigravity-cli",
            "/home/dev/.gemini/antigravity/brain",
            BRAIN,
        ] {
            assert!(
                NAMES.holds_internal(Path::new(path), home(), None),
                "{path}"
            );
        }
        for path in [
            "/home/dev/demo",
            "/home/dev/.gemini/config",
            "/home/dev/.gemini/antigravity/skills",
            "/home/dev/.gemini/antigravity/brain/c1/media",
        ] {
            assert!(
                !NAMES.holds_internal(Path::new(path), home(), None),
                "{path}"
            );
        }
        let artifacts = Some(Path::new("/data/c9"));
        assert!(NAMES.holds_internal(Path::new("/data"), home(), artifacts));
    }

    #[test]
    fn special_files_are_read_natively() {
        for path in [
            "/w/AGENTS.md",
            "/w/sub/CLAUDE.md",
            "/w/.agents/rules/style.md",
            "/w/.agents/skills/x/run.py",
            "/home/dev/.gemini/config/hooks.json",
            "/home/dev/.gemini/antigravity-ide/brain/c1/plan.md",
        ] {
            assert!(NAMES.is_special(Path::new(path), home()), "{path}");
        }
        for path in [
            "/w/agents.rs",
            "/w/rules/style.md",
            "/home/dev/.gemini/antigravity/brain/c1/.system_generated/logs/transcript.jsonl",
        ] {
            assert!(!NAMES.is_special(Path::new(path), home()), "{path}");
        }
    }

    #[test]
    fn benchmarks_are_known_by_folder_and_by_file() {
        let workspaces = [PathBuf::from("/home/benchmarks/w")];
        let judge =
            |path: &str| NAMES.is_benchmark(Path::new(path), &workspaces, &Protected::default());
        for path in [
            "/home/benchmarks/w/benchmarks/run.py",
            "/home/benchmarks/w/a/Ground_Truth/x",
            "/home/benchmarks/w/eval_score.py",
            "/home/benchmarks/w/t/bench_io.toml",
            "/elsewhere/scoring/x",
        ] {
            assert!(judge(path), "{path}");
        }
        for path in [
            "/home/benchmarks/w/src/main.rs",
            "/home/benchmarks/w/benches/x.rs",
            "/home/benchmarks/w/evaluate.py",
            "/home/benchmarks/w/eval_notes.md",
        ] {
            assert!(!judge(path), "{path}");
        }
    }

    #[test]
    fn the_governors_own_files_are_known() {
        let own = [PathBuf::from("/home/dev/.local/state/execution-guard")];
        let judge = |path: &str| NAMES.is_governors(Path::new(path), home(), &own);
        for path in [
            "/home/dev/.gemini/config/hooks.json",
            "/home/dev/.gemini/config/plugins/rtk/hooks.json",
            "/home/dev/.gemini/config/mcp_config.json",
            "/w/.agents/hooks.json",
            "/home/dev/.local/state/execution-guard/x.json",
        ] {
            assert!(judge(path), "{path}");
        }
        for path in [
            "/w/hooks.json",
            "/w/mcp_config.json",
            "/w/.agents/rules/a.md",
        ] {
            assert!(!judge(path), "{path}");
        }
    }
}
