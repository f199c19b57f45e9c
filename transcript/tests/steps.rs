//! One step whole: whatever its size, in pages that join to the exact text, cut by the host or not.

mod common;
mod home;

use common::{record, user};
use guard_transcript::reading::{PAGE, ReadingError, Route, StepRequest, step};
use home::{Home, number_after};
use proptest::prelude::*;

fn ask(home: &Home, at: u64, field: Option<&str>, offset: u64) -> Result<String, ReadingError> {
    let request = StepRequest {
        step: at,
        field: field.map(str::to_owned),
        offset,
        max_bytes: PAGE,
        route: Route::Tools,
    };
    step(&home.conversation(), &request)
}

/// The text inside of the page's fence.
fn fenced(page: &str) -> &str {
    let open = page.find("\n```").unwrap() + 1;
    let fence: &str = &page[open..open
        + page[open..]
            .bytes()
            .take_while(|byte| *byte == b'`')
            .count()];
    let start = open + fence.len() + "text\n".len();
    let end = page.rfind(&format!("\n{fence}\n")).unwrap();
    &page[start..end]
}

fn whole(home: &Home, at: u64, field: &str) -> String {
    let (mut out, mut offset) = (String::new(), 0);
    loop {
        let page = ask(home, at, Some(field), offset).unwrap();
        assert!(page.len() <= PAGE);
        out += fenced(&page);
        match number_after(&page, "offset=") {
            Some(next) if page.contains("Next part: ") => {
                assert!(next > offset);
                offset = next;
            }
            _ => return out,
        }
    }
}

#[test]
fn a_step_of_more_than_24_000_characters_is_shown_cut_and_can_be_had_whole() {
    let long: String = (0..9000)
        .map(|n| format!("{n} \"quoted\"\tüñ😀 "))
        .collect();
    let home = Home::with(user(0, "go") + &record(1, "MODEL", "RUN_COMMAND", "DONE", &long));
    let page = ask(&home, 1, None, 0).unwrap();
    assert!(page.len() <= PAGE && page.len() > PAGE / 2);
    assert!(page.contains("whole: stepIndex=1, field=content"));
    assert_eq!(whole(&home, 1, "content"), long);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn pages_join_to_the_whole_text(parts in prop::collection::vec("[a-z`\"\\\\ü😀\u{1b}\n ]{1,12}", 1..40), times in 1_usize..600) {
        let text = parts.concat().repeat(times);
        let home = Home::with(record(7, "MODEL", "GENERIC", "DONE", &text));
        prop_assert_eq!(whole(&home, 7, "content"), text.replace('\u{1b}', "␛"));
    }
}

/// A record as the host writes it to the two files: cut, and whole.
fn cut_and_whole(at: u64, text: &str) -> (String, String) {
    let cut = format!("{}\n<truncated {} bytes>", &text[..4000], text.len() - 4000);
    let cut = record(at, "MODEL", "PLANNER_RESPONSE", "DONE", &cut);
    let cut = cut.replace("\"}\n", "\",\"truncated_fields\":[\"content\"]}\n");
    (cut, record(at, "MODEL", "PLANNER_RESPONSE", "DONE", text))
}

#[test]
fn a_field_that_the_host_cut_is_taken_whole_from_the_other_file() {
    let text = (0..3000).map(|n| format!("line {n} ")).collect::<String>();
    let (cut, full) = cut_and_whole(3, &text);
    let home = Home::with(user(0, "go") + &cut + &user(4, "next"));
    let page = ask(&home, 3, Some("content"), 0).unwrap();
    assert!(page.contains("The host cut this field"), "{page}");
    home.add_full(user(0, "go") + &full + &user(4, "next"));
    assert_eq!(whole(&home, 3, "content"), text);
    let page = home.read(|request| request.last_turns = 0);
    assert!(
        page.contains(&format!("of {},", text.len() / 1000)),
        "{page}"
    );
    assert!(!page.contains("<truncated"));
}

#[test]
fn arguments_of_tool_calls_can_be_had_by_their_name() {
    let code = "fn main() {\n    println!(\"hi\");\n}".repeat(2000);
    let twice = serde_json::to_string(&serde_json::to_string(&code).unwrap()).unwrap();
    let text = format!(
        "{{\"step_index\":5,\"source\":\"MODEL\",\"type\":\"PLANNER_RESPONSE\",\"status\":\"DONE\",\"tool_calls\":[{{\"name\":\"write_to_file\",\"args\":{{\"CodeContent\":{twice},\"TargetFile\":\"\\\"/w/a.rs\\\"\"}}}}]}}\n"
    );
    let home = Home::with(text);
    assert_eq!(whole(&home, 5, "TargetFile"), "/w/a.rs");
    assert_eq!(whole(&home, 5, "CodeContent"), code);
    let page = ask(&home, 5, None, 0).unwrap();
    assert!(
        page.contains("write_to_file")
            && page.contains("println!(\"hi\")")
            && !page.contains("\\n")
    );
}

#[test]
fn what_does_not_exist_is_told_with_what_does() {
    let home = Home::with(user(0, "go") + &record(1, "MODEL", "RUN_COMMAND", "DONE", "x"));
    let error = ask(&home, 99, None, 0).unwrap_err().to_string();
    assert!(
        error.contains("no step 99") && error.contains("last one is 1"),
        "{error}"
    );
    let error = ask(&home, 1, Some("output"), 0).unwrap_err().to_string();
    assert!(error.contains("it has: content"), "{error}");
}

#[test]
fn a_line_of_50_mb_is_read_without_holding_it() {
    let long = "0123456789abcdef\\n".repeat(3_000_000);
    let mut text = user(0, "before").into_bytes();
    text.extend_from_slice(b"{\"step_index\":1,\"source\":\"MODEL\",\"type\":\"RUN_COMMAND\",\"status\":\"DONE\",\"content\":\"");
    text.extend_from_slice(long.as_bytes());
    text.extend_from_slice(b"\"}\n");
    text.extend_from_slice(user(2, "behind").as_bytes());
    let home = Home::with(text);
    let page = home.read(|request| request.last_turns = 0);
    assert!(
        page.contains("before") && page.contains("behind") && page.contains("- 1 tool RUN_COMMAND")
    );
    let middle = ask(&home, 1, Some("content"), 25_000_003).unwrap();
    assert!(fenced(&middle).contains("0123456789abcdef\n0123456789abcdef"));
    let end = ask(&home, 1, Some("content"), long.len() as u64 - 20).unwrap();
    assert!(fenced(&end).ends_with("0123456789abcdef\n") && !end.contains("Next part"));
}

#[test]
fn a_step_is_found_anywhere_in_a_long_transcript() {
    let (text, next) = common::long(3_000_000);
    let home = Home::with(text);
    for at in [0, 1, 41, next / 3, next / 2, next - 2, next - 1] {
        let page = ask(&home, at, None, 0).unwrap();
        assert!(page.contains(&format!(", step {at}\n")));
    }
}
