//! Health: what is counted is what is there, and what to do follows from it.

mod common;
mod home;

use common::{ran, record, user};
use guard_transcript::reading::{Conversation, HealthRequest, PAGE, Route, health};
use home::{Home, ID};

fn report(home: &Home) -> String {
    let page = health(&home.conversation(), &HealthRequest::new(Route::Tools)).unwrap();
    assert!(page.len() <= PAGE);
    page
}

fn call(step: u64, name: &str, arguments: &[(&str, &str)]) -> String {
    let pairs: Vec<String> = arguments
        .iter()
        .map(|(name, value)| {
            format!(
                "\"{name}\":{}",
                serde_json::to_string(&format!("\"{value}\"")).unwrap()
            )
        })
        .collect();
    format!(
        "{{\"step_index\":{step},\"source\":\"MODEL\",\"type\":\"PLANNER_RESPONSE\",\"status\":\"DONE\",\"tool_calls\":[{{\"name\":\"{name}\",\"args\":{{{}}}}}]}}\n",
        pairs.join(",")
    )
}

#[test]
fn turns_bytes_and_tokens_are_counted() {
    let text = user(0, "go") + &ran(1, &"x".repeat(4000)) + &user(2, "on") + &ran(3, "y");
    let page = report(&Home::with(&text));
    assert!(
        page.contains("- Turns: 2\n- Records: 4, last step 3\n"),
        "{page}"
    );
    assert!(
        page.contains("- Size: 4,7") && page.contains("Estimated tokens: 1,1"),
        "{page}"
    );
    assert!(page.contains("## What to do\n\nNothing: "));
}

#[test]
fn polling_and_repeated_reads_are_named_with_what_to_do() {
    let mut text = user(0, "go");
    for step in 1..=5 {
        text += &call(
            step * 2,
            "manage_task",
            &[("Action", "status"), ("TaskId", "task-1")],
        );
        text += &call(
            step * 2 + 1,
            "view_file",
            &[("AbsolutePath", "/w/src/a.rs")],
        );
    }
    let page = report(&Home::with(text));
    assert!(
        page.contains("status checks (task-1): 5 times, steps 2 to 10"),
        "{page}"
    );
    assert!(
        page.contains("- `/w/src/a.rs`: 5 times, last in step 11"),
        "{page}"
    );
    assert!(
        page.contains("Stop checking. End the turn") && page.contains("Don't read a file again")
    );
}

#[test]
fn the_biggest_steps_are_measured_before_the_host_cut_them() {
    let cut = record(1, "MODEL", "RUN_COMMAND", "DONE", "cut")
        .replace("\"}\n", "\",\"truncated_fields\":[\"content\"]}\n");
    let home = Home::with(user(0, "go") + &cut + &ran(2, &"y".repeat(2000)));
    assert!(report(&home).contains("## Biggest steps\n\n- step 2, tool"));
    home.add_full(user(0, "go") + &ran(1, &"x".repeat(90_000)) + &ran(2, &"y".repeat(2000)));
    let page = report(&home);
    assert!(
        page.contains("- step 1, tool: 90,2") && page.contains("step 1 alone has 90,2"),
        "{page}"
    );
}

#[test]
fn damage_is_counted_and_does_no_harm() {
    let text = user(0, "go") + "\0\0\0\n{half\n" + &ran(1, "x") + &user(2, "on")[..50];
    let page = report(&Home::with(text));
    assert!(
        page.contains("- Turns: 1\n- Records: 2,")
            && page.contains("Damaged or half-written lines: 3"),
        "{page}"
    );
}

#[test]
fn lines_of_another_writer_are_counted_too() {
    // Blanks behind colons, another order of keys, carriage returns.
    let text = "{\"type\": \"USER_INPUT\", \"source\": \"USER_EXPLICIT\", \"status\": \"DONE\", \"content\": \"go\", \"step_index\": 0}\r\n".to_owned()
        + &ran(1, "x").replace('\n', "\r\n");
    let page = report(&Home::with(&text));
    assert!(
        page.contains("- Turns: 1\n- Records: 2, last step 1\n") && !page.contains("Damaged"),
        "{page}"
    );
    assert!(Home::with(text).read(|_| {}).contains("> go"));
}

#[test]
fn a_transcript_is_judged_by_its_path_too() {
    let home = Home::with(user(0, "go"));
    let path = home.logs("antigravity", ID).join("transcript.jsonl");
    let conversation = Conversation::from_path(&path).unwrap();
    assert_eq!(conversation.id, ID);
    let page = health(&conversation, &HealthRequest::new(Route::Tools)).unwrap();
    assert!(page.contains("Given by its path") && page.contains("- Turns: 1"));
    for wrong in ["/etc/passwd", "/nowhere/transcript.jsonl", "/"] {
        assert!(Conversation::from_path(wrong.as_ref()).is_err());
    }
}
