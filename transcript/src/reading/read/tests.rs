use super::*;
use crate::reading::Conversations;
use std::io::Write as _;

/// Turns of 40 steps with 2 KB of output every other step, and with fields that are whole in the other file.
fn conversation(home: &std::path::Path, bytes: usize) -> Conversation {
    let logs = home.join(".gemini/antigravity/brain/c/.system_generated/logs");
    std::fs::create_dir_all(&logs).unwrap();
    let create = |name| std::io::BufWriter::new(std::fs::File::create(logs.join(name)).unwrap());
    let (mut main, mut full) = (create("transcript.jsonl"), create("transcript_full.jsonl"));
    let (mut written, mut step) = (0, 0);
    while written < bytes {
        let (source, kind, text, cut) = match step % 40 {
            0 => ("USER_EXPLICIT", "USER_INPUT", "go on".to_owned(), ""),
            at if at % 2 == 1 => ("MODEL", "PLANNER_RESPONSE", "I look.".to_owned(), ""),
            _ => (
                "MODEL",
                "RUN_COMMAND",
                "word ".repeat(400),
                ",\"truncated_fields\":[\"content\"]",
            ),
        };
        let head = format!(
            "{{\"step_index\":{step},\"source\":\"{source}\",\"type\":\"{kind}\",\"status\":\"DONE\",\"content\":\"{text}"
        );
        writeln!(main, "{head}\"{cut}}}").unwrap();
        writeln!(full, "{head}{text}{text}\"}}").unwrap();
        written += head.len();
        step += 1;
    }
    Conversations::new(home).find(Some("c")).unwrap()
}

#[test]
fn a_page_costs_the_same_whatever_lies_before_it() {
    let folder = tempfile::tempdir().unwrap();
    let costs: Vec<u64> = [4 << 20, 64 << 20]
        .into_iter()
        .map(|bytes| {
            let conversation = conversation(&folder.path().join(bytes.to_string()), bytes);
            let mut transcript = Transcript::open(&conversation).unwrap();
            let text = page(&mut transcript, &ReadRequest::new(Route::Tools)).unwrap();
            assert!(text.contains("3 turns"));
            let full = transcript.full().map_or(0, |full| full.source.bytes_read());
            assert!(full > 0);
            transcript.main.source.bytes_read() + full
        })
        .collect();
    assert!(costs[1] < 16 << 20, "{costs:?}");
    assert!(costs[1] < costs[0] * 2, "{costs:?}");
}

#[test]
fn a_turn_that_is_longer_than_what_is_scanned_goes_on_on_the_next_page() {
    let folder = tempfile::tempdir().unwrap();
    let logs = folder
        .path()
        .join(".gemini/antigravity/brain/c/.system_generated/logs");
    std::fs::create_dir_all(&logs).unwrap();
    let mut out =
        std::io::BufWriter::new(std::fs::File::create(logs.join("transcript.jsonl")).unwrap());
    let user = "{\"step_index\":0,\"source\":\"USER_EXPLICIT\",\"type\":\"USER_INPUT\",\"status\":\"DONE\",\"content\":\"the wish\"}";
    writeln!(out, "{user}").unwrap();
    let filler = "x".repeat(1 << 20);
    for step in 1..=150 {
        writeln!(out, "{{\"step_index\":{step},\"source\":\"MODEL\",\"type\":\"RUN_COMMAND\",\"status\":\"DONE\",\"content\":\"{filler}\"}}").unwrap();
    }
    drop(out);
    let conversation = Conversations::new(folder.path()).find(Some("c")).unwrap();
    let mut request = ReadRequest::new(Route::Tools);
    let first = read(&conversation, &request).unwrap();
    assert!(first.contains("- 150 tool") && !first.contains("the wish"));
    let at = first.rfind("beforeStep=").unwrap() + "beforeStep=".len();
    let digits: String = first[at..]
        .chars()
        .take_while(char::is_ascii_digit)
        .collect();
    request.before_step = digits.parse().ok();
    assert!(first.contains("lastTurns=3"), "{first}");
    let second = read(&conversation, &request).unwrap();
    assert!(second.contains("the wish"), "{second}");
}
