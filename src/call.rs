//! The call as the layers see it: a typed tool with typed arguments, and where it comes from.

use std::path::PathBuf;

use crate::args::{Args, ArgsError};

/// One tool call, whatever host it came from.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// The host that sent it.
    pub host: Host,
    /// The tool's name in the canonical spelling.
    pub name: &'static str,
    /// The arguments as the host sent them.
    pub args: Args,
    /// The conversation, if the host names one. Sandboxes name an environment instead.
    pub conversation: Option<String>,
    /// The step in which the outcome of this call will be recorded.
    pub step: Option<u64>,
    /// The folders that are open in the workspace.
    pub workspaces: Vec<PathBuf>,
    /// The transcript of the conversation.
    pub transcript: Option<PathBuf>,
    /// The folder of the conversation that holds `.system_generated`.
    pub artifacts: Option<PathBuf>,
}

/// The program that runs the agent and calls the hook.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Host {
    /// The desktop, the IDE or the CLI: event `PreToolUse`.
    Antigravity,
    /// The managed sandbox: event `pre_tool_execution`. It knows no dialogue and no changed
    /// arguments.
    Sandbox,
}

/// A governed tool with the arguments that its rules read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Tool {
    /// `run_command`.
    RunCommand(RunCommand),
    /// `code_execution` of the sandbox, in bash.
    Script(String),
    /// `code_execution` of the sandbox, in a language that no rule reads.
    OtherScript,
    /// `manage_task`.
    ManageTask {
        /// What to do, without blanks and quotes, in small letters.
        action: String,
        /// The task, if one is named.
        task: Option<String>,
    },
    /// `command_status`.
    CommandStatus {
        /// The command, if one is named.
        task: Option<String>,
    },
    /// `schedule`.
    Schedule(Schedule),
    /// `view_file`, `read_file`, `read_many_files`.
    Read(Read),
    /// `grep_search`.
    Grep(Grep),
    /// `find_by_name`.
    Find(Find),
    /// `list_dir`, and `list_files` of the sandbox.
    List(String),
    /// Every tool that writes, changes or deletes a file; each path the call names.
    Write(Vec<String>),
}

/// `run_command`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunCommand {
    /// The shell line.
    pub line: String,
    /// The folder it runs in.
    pub cwd: Option<String>,
    /// How long the host waits before the command moves to the background, in milliseconds;
    /// `None` if missing or unreadable.
    pub wait_ms: Option<u64>,
    /// A standing process that is no part of the task.
    pub is_daemon: bool,
}

/// `schedule`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Schedule {
    /// What the agent is told when the timer fires.
    pub prompt: String,
    /// One shot after so many seconds.
    pub seconds: Option<u64>,
    /// Recurring, five fields.
    pub cron: Option<String>,
    /// `never`, `any` or the sender that ends the wait.
    pub condition: Option<String>,
    /// A standing job that is no part of the task.
    pub is_daemon: bool,
}

/// A read of one file or more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Read {
    /// The files.
    pub paths: Vec<String>,
    /// Whether the tool shows a window of lines (`view_file`).
    pub windowed: bool,
    /// The first line wanted, from 1.
    pub start: Option<u64>,
    /// The last line wanted.
    pub end: Option<u64>,
}

/// `grep_search`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grep {
    /// The file or folder to search.
    pub path: Option<String>,
    /// The text or pattern.
    pub query: String,
    /// Whether `query` is a regular expression.
    pub is_regex: bool,
    /// Whether letter case is ignored.
    pub ignore_case: bool,
    /// Globs of the files to search.
    pub includes: Vec<String>,
    /// Whether each matching line is wanted, not only the file names.
    pub per_line: bool,
}

/// `find_by_name`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Find {
    /// The folder to search.
    pub directory: Option<String>,
    /// The glob.
    pub pattern: Option<String>,
    /// File extensions, without the dot.
    pub extensions: Vec<String>,
    /// Globs to leave out.
    pub excludes: Vec<String>,
    /// `file`, `directory` or `any`.
    pub kind: Option<String>,
    /// How deep.
    pub max_depth: Option<u64>,
    /// Whether the pattern is matched against the whole path.
    pub full_path: bool,
}

/// The names under which hosts send the path of a file.
const FILE: &[&str] = &[
    "AbsolutePath",
    "TargetFile",
    "FilePath",
    "file_path",
    "Path",
];
const FOLDER: &[&str] = &["DirectoryPath", "AbsolutePath", "Path"];

type Reader = fn(&Args) -> Result<Tool, ArgsError>;

/// Every governed tool with what reads its arguments, Antigravity's first.
const GOVERNED: &[(&str, Reader)] = &[
    ("run_command", run_command),
    ("manage_task", manage_task),
    ("command_status", command_status),
    ("schedule", schedule),
    ("view_file", view_file),
    ("read_file", read_file),
    ("read_many_files", read_many_files),
    ("grep_search", grep_search),
    ("find_by_name", find_by_name),
    ("list_dir", list_dir),
    ("write_to_file", write),
    ("replace_file_content", write),
    ("multi_replace_file_content", write),
    ("create_file", write),
    ("edit_file", write),
    ("code_execution", code_execution),
    ("write_file", write),
    ("list_files", list_files),
    ("delete_file", write),
];

/// The tools that Antigravity sends; the rest are the sandbox's. Length of the first part of
/// [`GOVERNED`].
const ANTIGRAVITY_TOOLS: usize = 15;

/// The governed tool of that name, without regard to letter case, in its canonical spelling.
pub fn governed(name: &str) -> Option<&'static str> {
    governed_names().find(|governed| governed.eq_ignore_ascii_case(name))
}

/// The names of all governed tools.
pub fn governed_names() -> impl Iterator<Item = &'static str> {
    GOVERNED.iter().map(|(name, _)| *name)
}

/// The names of the governed tools of Antigravity: what its registration has to match.
pub fn antigravity_names() -> impl Iterator<Item = &'static str> {
    governed_names().take(ANTIGRAVITY_TOOLS)
}

/// The names of the governed tools of the managed sandbox: `read_file` is in both hosts.
pub fn sandbox_names() -> Vec<&'static str> {
    let shared = governed_names().filter(|name| *name == "read_file");
    shared
        .chain(governed_names().skip(ANTIGRAVITY_TOOLS))
        .collect()
}

impl Call {
    /// The tool with its arguments.
    ///
    /// # Errors
    /// Arguments that are missing, doubled or of the wrong type.
    pub fn tool(&self) -> Result<Tool, ArgsError> {
        self.args.check()?;
        let reader = GOVERNED.iter().find(|(name, _)| *name == self.name);
        reader.map_or(Ok(Tool::OtherScript), |(_, read)| read(&self.args))
    }
}

fn run_command(args: &Args) -> Result<Tool, ArgsError> {
    Ok(Tool::RunCommand(RunCommand {
        line: args.required_text("CommandLine")?,
        cwd: args.text("Cwd")?,
        wait_ms: args.number("WaitMsBeforeAsync").unwrap_or(None),
        is_daemon: args.flag("IsDaemon")?,
    }))
}

fn code_execution(args: &Args) -> Result<Tool, ArgsError> {
    let language = args.text("language")?.unwrap_or_default();
    let code = args.required_text("code")?;
    Ok(match language.trim().to_ascii_lowercase().as_str() {
        "" | "bash" | "sh" | "shell" | "zsh" => Tool::Script(code),
        _ => Tool::OtherScript,
    })
}

fn manage_task(args: &Args) -> Result<Tool, ArgsError> {
    // A kill is never refused, so what it names is no reason to; elsewhere it only stands in a reason.
    Ok(Tool::ManageTask {
        action: bare_word(&args.required_text("Action")?),
        task: args.text("TaskId").ok().flatten(),
    })
}

fn command_status(args: &Args) -> Result<Tool, ArgsError> {
    let named = args.first_text(&["CommandId", "TaskId"]);
    Ok(Tool::CommandStatus {
        task: named.ok().flatten(),
    })
}

fn schedule(args: &Args) -> Result<Tool, ArgsError> {
    Ok(Tool::Schedule(Schedule {
        prompt: args.text("Prompt")?.unwrap_or_default(),
        seconds: args.number("DurationSeconds")?,
        cron: args
            .text("CronExpression")?
            .filter(|cron| !cron.trim().is_empty()),
        condition: args.text("TimerCondition")?.map(|text| bare_word(&text)),
        is_daemon: args.flag("IsDaemon")?,
    }))
}

fn view_file(args: &Args) -> Result<Tool, ArgsError> {
    Ok(Tool::Read(Read {
        paths: files(args)?,
        windowed: true,
        start: line_number(args, "StartLine")?,
        end: line_number(args, "EndLine")?,
    }))
}

/// Lines count from 1; a host's 0 is a bound that was left out.
fn line_number(args: &Args, name: &'static str) -> Result<Option<u64>, ArgsError> {
    Ok(args.number(name)?.filter(|line| *line > 0))
}

fn read_file(args: &Args) -> Result<Tool, ArgsError> {
    Ok(Tool::Read(Read {
        paths: files(args)?,
        windowed: false,
        start: None,
        end: None,
    }))
}

fn read_many_files(args: &Args) -> Result<Tool, ArgsError> {
    let mut paths = args.texts("Paths")?;
    if paths.is_empty() {
        paths = files(args).map_err(|error| match error {
            ArgsError::Missing(_) => ArgsError::Missing("Paths"),
            other => other,
        })?;
    }
    Ok(Tool::Read(Read {
        paths,
        windowed: false,
        start: None,
        end: None,
    }))
}

fn grep_search(args: &Args) -> Result<Tool, ArgsError> {
    Ok(Tool::Grep(Grep {
        path: args.first_text(&["SearchPath", "Path"])?,
        query: args
            .first_text(&["Query", "Pattern"])?
            .ok_or(ArgsError::Missing("Query"))?,
        is_regex: args.flag("IsRegex")?,
        ignore_case: args.flag("CaseInsensitive")?,
        includes: args.texts("Includes")?,
        per_line: args.flag("MatchPerLine")?,
    }))
}

fn find_by_name(args: &Args) -> Result<Tool, ArgsError> {
    Ok(Tool::Find(Find {
        directory: args.first_text(&["SearchDirectory", "DirectoryPath", "Path"])?,
        pattern: args.text("Pattern")?,
        extensions: args.texts("Extensions")?,
        excludes: args.texts("Excludes")?,
        kind: args.text("Type")?.map(|text| bare_word(&text)),
        max_depth: args.number("MaxDepth")?,
        full_path: args.flag("FullPath")?,
    }))
}

fn list_dir(args: &Args) -> Result<Tool, ArgsError> {
    let folder = args.first_text(FOLDER)?;
    folder
        .map(Tool::List)
        .ok_or(ArgsError::Missing("DirectoryPath"))
}

/// The sandbox lists its working folder where no path is given.
fn list_files(args: &Args) -> Result<Tool, ArgsError> {
    let folder = args.first_text(FOLDER)?;
    Ok(Tool::List(folder.unwrap_or_else(|| ".".to_owned())))
}

fn write(args: &Args) -> Result<Tool, ArgsError> {
    files(args).map(Tool::Write)
}

/// Each path that the call names: which one the host would take is not ours to guess.
fn files(args: &Args) -> Result<Vec<String>, ArgsError> {
    let mut paths = Vec::with_capacity(1);
    for name in FILE {
        paths.extend(args.text(name)?);
    }
    if paths.is_empty() {
        return Err(ArgsError::Missing("AbsolutePath"));
    }
    Ok(paths)
}

/// A word as agents write it, without surrounding blanks and quotes, in small letters.
fn bare_word(text: &str) -> String {
    text.trim_matches(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '`'))
        .to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_part_of_the_table_is_antigravitys() {
        assert_eq!(antigravity_names().last(), Some("edit_file"));
        assert_eq!(
            governed_names().nth(ANTIGRAVITY_TOOLS),
            Some("code_execution")
        );
    }

    #[test]
    fn names_compare_without_letter_case() {
        assert_eq!(governed("Run_Command"), Some("run_command"));
        assert_eq!(governed("run_command2"), None);
        assert_eq!(governed(""), None);
    }

    #[test]
    fn actions_compare_without_case_blanks_and_quotes() {
        for action in [
            "status",
            " Status ",
            "\"STATUS\"",
            "'status'",
            "\t`status`\n",
        ] {
            assert_eq!(bare_word(action), "status", "{action:?}");
        }
    }
}
