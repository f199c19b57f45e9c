//! Records of the shapes that the host writes, with any text in them.
#![allow(dead_code)] // Each test file uses its own part of this.

use guard_transcript::{Facts, Limits, Query, Source, facts_from};
use std::io::Cursor;

pub const CONVERSATION: &str = "1afed0731d3375b5ce77ece98355e9a3";

/// A record in the host's order of keys, with its newline.
pub fn record(step: u64, source: &str, kind: &str, status: &str, content: &str) -> String {
    let content = serde_json::to_string(content).unwrap();
    format!(
        "{{\"step_index\":{step},\"source\":\"{source}\",\"type\":\"{kind}\",\"status\":\"{status}\",\
         \"created_at\":\"2026-11-30T15:52:12Z\",\"content\":{content}}}\n"
    )
}

pub fn times(text: &str) -> String {
    format!("Created At: 2026-11-30T15:52:12Z\nCompleted At: 2026-11-30T15:52:12Z\n{text}")
}

pub fn user(step: u64, text: &str) -> String {
    let text = format!("<USER_REQUEST>\n{text}\n</USER_REQUEST>");
    record(step, "USER_EXPLICIT", "USER_INPUT", "DONE", &text)
}

pub fn ran(step: u64, output: &str) -> String {
    let text = times(&format!(
        "\nThe command exited with code 0.\nOutput:\n{output}"
    ));
    record(step, "MODEL", "RUN_COMMAND", "DONE", &text)
}

pub fn planned(step: u64, command: &str) -> String {
    let command = serde_json::to_string(&format!("\"{command}\"")).unwrap();
    format!(
        "{{\"step_index\":{step},\"source\":\"MODEL\",\"type\":\"PLANNER_RESPONSE\",\"status\":\"DONE\",\
         \"created_at\":\"2026-11-30T15:52:12Z\",\"tool_calls\":[{{\"name\":\"run_command\",\"args\":{{\"CommandLine\":{command}}}}}]}}\n"
    )
}

pub fn launch_text(step: u64, description: &str) -> String {
    format!(
        "Created At: 2026-11-30T15:52:12Z\nTool is running as a background task with task id: {CONVERSATION}/task-{step}\n\
         Task Description: {description}\nTask logs are available at: file:///home/dev/.gemini/antigravity/brain/{CONVERSATION}/.system_generated/tasks/task-{step}.log"
    )
}

pub fn launched(step: u64, command: &str) -> String {
    let text = launch_text(step, command);
    record(step, "MODEL", "RUN_COMMAND", "RUNNING", &text)
}

pub fn timer(step: u64, prompt: &str) -> String {
    let text = launch_text(step, &format!("Timer: 60s, Prompt: {prompt}"));
    record(step, "MODEL", "GENERIC", "RUNNING", &text)
}

pub fn message_text(sender: &str, body: &str) -> String {
    format!(
        "The following is a <SYSTEM_MESSAGE> not actually sent by the user. It is provided by the system as important information to pay attention to.\n\n\
         <SYSTEM_MESSAGE>\n[Message] timestamp=2026-11-30T15:52:16Z sender={sender} priority=MESSAGE_PRIORITY_HIGH content={body}\n</SYSTEM_MESSAGE>"
    )
}

pub fn end_text(task: u64, how: &str, output: &str) -> String {
    let id = format!("{CONVERSATION}/task-{task}");
    message_text(
        &id,
        &format!("Task id \"{id}\" {how} with result:\n\n{output}"),
    )
}

pub fn ended(step: u64, task: u64, output: &str) -> String {
    let text = end_text(task, "finished", output);
    record(step, "SYSTEM", "SYSTEM_MESSAGE", "DONE", &text)
}

pub fn status(step: u64, task: u64, state: &str) -> String {
    let text = times(&format!(
        "Task: {CONVERSATION}/task-{task}\nStatus: {state}\nLog: /home/dev/task-{task}.log\nLog output:\ntick 1\n"
    ));
    record(step, "MODEL", "GENERIC", "DONE", &text)
}

/// A transcript of at least `bytes`: work of every kind, a user turn every 400 steps, a background command every 60 (which ends ten
/// steps later), one that never ends at step 41, and a last user turn. Returns the text and the next step.
pub fn long(bytes: usize) -> (String, u64) {
    let mut out = String::with_capacity(bytes + 4096);
    let mut step = 0;
    while out.len() < bytes {
        let lines = "a line of output \"quoted\"\twith a tab, and a path C:\\x\n"
            .repeat((step * 7 % 17) as usize + 1);
        out += &match step % 400 {
            0 => user(step, "go on"),
            odd if odd % 2 == 1 && step != 41 => planned(step, "cargo test && git status"),
            60 | 120 | 180 | 240 | 300 | 360 => launched(step, "cargo build --release"),
            70 | 130 | 190 | 250 | 310 | 370 => ended(step, step - 10, &lines),
            _ if step == 41 => launched(step, "npm run dev"),
            turn if turn % 10 == 8 => record(step, "MODEL", "GENERIC", "DONE", &times(&lines)),
            turn if turn % 10 == 6 => record(step, "MODEL", "VIEW_FILE", "DONE", &times(&lines)),
            _ => ran(step, &lines),
        };
        step += 1;
    }
    out += &user(step, "and now?");
    (out, step + 1)
}

pub fn facts(text: impl AsRef<[u8]>, query: &Query<'_>) -> Facts {
    facts_within(text, query, &Limits::default())
}

pub fn facts_within(text: impl AsRef<[u8]>, query: &Query<'_>, limits: &Limits) -> Facts {
    let text = text.as_ref();
    let mut source = Source::new(Cursor::new(text), text.len() as u64);
    facts_from(&mut source, query, limits).unwrap()
}

/// `text` with more than 40 KB of steps that say nothing behind it, so that it lies where only promising lines are parsed.
pub fn padded(text: impl AsRef<[u8]>) -> Vec<u8> {
    let filler = planned(1, &"ls; ".repeat(400)).repeat(24);
    [text.as_ref(), b"\n", filler.as_bytes()].concat()
}

/// Everything that can be asked, about these steps and this task.
pub fn all<'a>(outcomes: &'a [u64], task: u64) -> Query<'a> {
    Query {
        conversation: Some(CONVERSATION),
        outcomes,
        running: true,
        task: Some(task),
        from_step: 0,
    }
}

pub fn running_steps(facts: &Facts) -> Vec<u64> {
    facts.running.iter().map(|task| task.step).collect()
}
