//! Calling a hook as a host does, to see what it answers.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use crate::entry::Form;
use crate::run::{Failure, Output, run};

/// How long a sample call may take. Far more than a hook needs, and less than a user's patience.
pub const PROBE_LIMIT: Duration = Duration::from_secs(5);

/// What a hook answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The word in `decision`.
    pub decision: String,
    /// The whole answer, as printed.
    pub text: String,
    /// From start to exit.
    pub took: Duration,
}

/// Why a hook's answer is none. A host blocks the tool in each of these cases.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProbeError {
    /// It can't be started.
    #[error("{command} can't be started ({reason}): check that the file is there and executable")]
    Start {
        /// What was run.
        command: String,
        /// What the system said.
        reason: String,
    },
    /// It takes too long.
    #[error("{command} gave no answer to a sample call within {} s", PROBE_LIMIT.as_secs())]
    TimedOut {
        /// What was run.
        command: String,
    },
    /// It failed.
    #[error("{command} failed on a sample call ({status}){}", said(stderr))]
    Failed {
        /// What was run.
        command: String,
        /// Its exit status.
        status: String,
        /// What it said.
        stderr: String,
    },
    /// It answered without a decision.
    #[error(
        "{command} answered a sample call without a decision: {answer:?}{}",
        said(stderr)
    )]
    NoDecision {
        /// What was run.
        command: String,
        /// The start of what it printed.
        answer: String,
        /// What it said.
        stderr: String,
    },
}

fn said(stderr: &str) -> String {
    if stderr.is_empty() {
        String::new()
    } else {
        format!(", and said: {stderr}")
    }
}

/// How a host starts a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Starter {
    /// The whole text is the path of the program.
    Directly,
    /// `sh -c`, or `cmd /c` on Windows.
    Shell,
}

/// A call that every version judges without any state, and passes: what is changed or refused is logged.
pub fn sample(form: Form, tool: &str) -> String {
    use serde_json::json;
    let folder = std::env::temp_dir();
    let folder = folder.to_string_lossy();
    let call = match form {
        Form::Antigravity => json!({
            "toolCall": {"name": tool, "args": {"CommandLine": "true", "Cwd": folder, "WaitMsBeforeAsync": 10_000}},
            "stepIdx": 1, "conversationId": "install-check", "workspacePaths": [folder],
            "transcriptPath": "", "artifactDirectoryPath": "", "modelName": "auto",
        }),
        Form::Sandbox => json!({
            "tool_call": {"name": tool, "args": {"code": "true", "language": "bash"}},
            "environment_id": "env_install_check",
        }),
    };
    call.to_string() + "\n"
}

/// The tool of [`sample`] that a form always has.
pub fn sample_tool(form: Form) -> &'static str {
    match form {
        Form::Antigravity => "run_command",
        Form::Sandbox => "code_execution",
    }
}

/// Calls `command` as a host does, with `folder` (that of `hooks.json`) as the working directory.
pub fn probe(
    command: &str,
    starter: Starter,
    folder: &Path,
    form: Form,
    tool: &str,
) -> Result<Answer, ProbeError> {
    let mut process = match starter {
        Starter::Directly => Command::new(command),
        Starter::Shell => shell(command),
    };
    if folder.is_dir() {
        process.current_dir(folder);
    }
    let command = || command.to_owned();
    match run(&mut process, sample(form, tool).as_bytes(), PROBE_LIMIT) {
        Ok(output) => judge(command(), form, output),
        Err(Failure::Start(error)) => Err(ProbeError::Start {
            command: command(),
            reason: error.to_string(),
        }),
        Err(Failure::TimedOut) => Err(ProbeError::TimedOut { command: command() }),
    }
}

fn judge(command: String, form: Form, output: Output) -> Result<Answer, ProbeError> {
    let stderr = excerpt(&output.stderr);
    if output.status != Some(0) {
        let status = output
            .status
            .map_or("ended by a signal".to_owned(), |code| {
                format!("exit status {code}")
            });
        return Err(ProbeError::Failed {
            command,
            status,
            stderr,
        });
    }
    let answer: Option<serde_json::Value> = serde_json::from_slice(&output.stdout).ok();
    let decision = answer
        .as_ref()
        .and_then(|answer| answer.get("decision")?.as_str());
    match decision.filter(|word| decisions(form).contains(word)) {
        Some(word) => Ok(Answer {
            decision: word.to_owned(),
            text: String::from_utf8_lossy(&output.stdout).trim().to_owned(),
            took: output.took,
        }),
        None => Err(ProbeError::NoDecision {
            command,
            answer: excerpt(&output.stdout),
            stderr,
        }),
    }
}

/// The words that a host knows; another one blocks the call, or in the sandbox lets it pass.
fn decisions(form: Form) -> &'static [&'static str] {
    match form {
        Form::Antigravity => &["allow", "deny", "ask", "force_ask"],
        Form::Sandbox => &["allow", "deny"],
    }
}

fn excerpt(bytes: &[u8]) -> String {
    const SHOWN: usize = 300;
    let text = String::from_utf8_lossy(bytes);
    let text = text.trim();
    let mut short: String = text.chars().take(SHOWN).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

#[cfg(windows)]
fn shell(command: &str) -> Command {
    let mut process = Command::new("cmd");
    process.args(["/c", command]);
    process
}

#[cfg(not(windows))]
fn shell(command: &str) -> Command {
    let mut process = Command::new("sh");
    process.args(["-c", command]);
    process
}
