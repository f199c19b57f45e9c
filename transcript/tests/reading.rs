//! The last turns: none is lost, a page is bounded, and what is left out is named with the way to it.

mod common;
mod home;

use common::{ended, launched, planned, ran, record, user};
use guard_transcript::reading::{Mode, PAGE, Route};
use home::{Home, ID, number_after};
use proptest::prelude::*;

fn capture(name: &str) -> Home {
    let path = format!("{}/tests/captures/{name}.jsonl", env!("CARGO_MANIFEST_DIR"));
    Home::with(std::fs::read(path).unwrap())
}

#[test]
fn a_real_conversation_is_shown_turn_by_turn_without_json() {
    for name in [
        "transcript_background",
        "transcript_denied_and_killed",
        "transcript_ended_and_canceled",
    ] {
        let home = capture(name);
        for mode in [Mode::Compact, Mode::Full] {
            let page = home.read(|request| {
                request.last_turns = 0;
                request.mode = mode;
            });
            assert!(page.len() <= PAGE);
            assert!(page.contains("## Step 0, user"));
            assert!(page.contains("run_command`"));
            for json in [
                "{\"",
                "\":\"",
                "\":  \"",
                "<USER_REQUEST>",
                "ADDITIONAL_METADATA",
            ] {
                assert!(!page.contains(json), "{name}: {json} in\n{page}");
            }
        }
    }
}

#[test]
fn records_that_are_out_of_order_are_shown_in_order() {
    let page = capture("transcript_denied_and_killed").read(|request| request.last_turns = 0);
    let place = |text: &str| {
        page.find(text)
            .unwrap_or_else(|| panic!("{text} in\n{page}"))
    };
    assert!(place("- 3 assistant calls") < place("- 4 tool"));
    assert!(place("- 17 assistant calls") < place("- 18 tool"));
}

#[test]
fn the_default_is_three_turns_and_the_way_to_the_others_is_named() {
    let text: String = (0..10)
        .map(|turn| user(turn * 2, &format!("wish {turn}")) + &ran(turn * 2 + 1, "ok"))
        .collect();
    let home = Home::with(text);
    let page = home.read(|_| {});
    for turn in 7..10 {
        assert!(page.contains(&format!("wish {turn}")));
    }
    assert!(!page.contains("wish 6"));
    assert_eq!(number_after(&page, "beforeStep="), Some(14));
    let older = home.read(|request| request.before_step = Some(14));
    assert!(older.contains("wish 6") && older.contains("wish 4") && !older.contains("wish 7"));
}

/// Follows the pages of a question to the start; returns the pages.
fn all_pages(home: &Home, last_turns: u32, max_bytes: usize) -> Vec<String> {
    let (mut before, mut left) = (None, last_turns);
    let mut pages = Vec::new();
    loop {
        let page = home.read(|request| {
            (request.before_step, request.last_turns, request.max_bytes) =
                (before, left, max_bytes);
        });
        assert!(page.len() <= max_bytes, "{} > {max_bytes}", page.len());
        let more = page.contains("turns that were asked for: ") || page.contains("Older turns: ");
        let asked_for = last_turns == 0 || page.contains("turns that were asked for");
        pages.push(page.clone());
        if !more || !asked_for {
            return pages;
        }
        let next = number_after(&page, "beforeStep=");
        assert!(
            next.is_some() && (before.is_none() || next < before),
            "no way on in\n{page}"
        );
        before = next;
        left = number_after(&page, "lastTurns=").unwrap() as u32;
        assert!(pages.len() < 300);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_turn_is_ever_lost(
        steps in prop::collection::vec((0_u64..30, 0_usize..4000), 1..40),
        asked in 0_u32..45,
        max_bytes in prop_oneof![Just(2048_usize), Just(PAGE), 2048_usize..40_000],
    ) {
        let mut text = String::new();
        let (mut step, mut starts) = (0, Vec::new());
        for (turn, (count, size)) in steps.iter().enumerate() {
            starts.push(step);
            text += &user(step, &format!("wish-{turn}-of-the-user"));
            for offset in 1..=*count {
                text += &match offset % 3 {
                    0 => ran(step + offset, &"x".repeat(*size)),
                    1 => planned(step + offset, "cargo test"),
                    _ => record(step + offset, "MODEL", "PLANNER_RESPONSE", "DONE", &"said ".repeat(size / 20)),
                };
            }
            step += count + 1;
        }
        let home = Home::with(&text);
        let pages = all_pages(&home, asked, max_bytes);
        let expected = if asked == 0 { steps.len() } else { steps.len().min(asked as usize) };
        for turn in steps.len() - expected..steps.len() {
            let wish = format!("> wish-{turn}-of-the-user\n");
            let count: usize = pages.iter().map(|page| page.matches(&wish).count()).sum();
            prop_assert_eq!(count, 1, "turn {} in {} pages:\n{}", turn, pages.len(), pages.join("\n=====\n"));
        }
        for turn in 0..steps.len() - expected {
            let wish = format!("> wish-{turn}-of-the-user\n");
            prop_assert!(!pages.iter().any(|page| page.contains(&wish)));
        }
    }

    #[test]
    fn every_step_of_a_turn_is_shown_or_named_as_left_out(count in 1_u64..200, size in 0_usize..3000) {
        let mut text = user(0, "go");
        for step in 1..=count {
            text += &ran(step, &format!("out-{step} {}", "y".repeat(size)));
        }
        let page = Home::with(text).read(|request| request.mode = Mode::Full);
        let folded = page.split("[… steps ").nth(1).map(|rest| {
            let numbers: Vec<u64> = rest.split(|c: char| !c.is_ascii_digit()).filter_map(|n| n.parse().ok()).take(2).collect();
            (numbers[0], numbers[1])
        });
        for step in 1..=count {
            let shown = page.contains(&format!("\n- {step} tool"));
            let named = folded.is_some_and(|(first, last)| (first..=last).contains(&step));
            prop_assert!(shown != named, "step {step} in\n{page}");
        }
    }
}

#[test]
fn a_page_is_bounded_whatever_the_names_in_it() {
    let id = "i".repeat(128);
    let program = format!("/{}/execution-guard", "folder/".repeat(40));
    let text: String = (0..60)
        .map(|step| match step % 5 {
            0 => user(step, &"wish\n".repeat(step as usize * 9)),
            _ => ran(step, &"`\n".repeat(step as usize * 11)),
        })
        .collect();
    let home = Home::new();
    home.add("antigravity", &id, text);
    let conversation = guard_transcript::reading::Conversations::new(home.path())
        .find(None)
        .unwrap();
    for max_bytes in [2048, 3000, 5000, PAGE] {
        for last_turns in [0, 1, 12] {
            for mode in [Mode::Compact, Mode::Full] {
                let mut request =
                    guard_transcript::reading::ReadRequest::new(Route::Command(program.clone()));
                (request.max_bytes, request.last_turns, request.mode) =
                    (max_bytes, last_turns, mode);
                let page = guard_transcript::reading::read(&conversation, &request).unwrap();
                assert!(
                    page.len() <= max_bytes && page.contains("## Step 55, user"),
                    "{page}"
                );
            }
        }
    }
}

#[test]
fn a_long_text_is_cut_with_its_size_and_the_way_to_it_whole() {
    let text = user(0, "go")
        + &record(
            1,
            "MODEL",
            "PLANNER_RESPONSE",
            "DONE",
            &"word ".repeat(6000),
        );
    let home = Home::with(text);
    let page = home.read(|_| {});
    assert!(
        page.contains("of 30,000 bytes left out; whole: stepIndex=1, field=content …]"),
        "{page}"
    );
    assert!(page.len() < 4000);
    let page = home.read(|request| request.route = Route::Command("execution-guard".to_owned()));
    assert!(page.contains("whole: --step 1 --field content …]"));
    assert!(page.contains(&format!(
        "`execution-guard transcript query --conversation {ID} --step 1`"
    )));
}

#[test]
fn thinking_is_shown_only_if_it_is_asked_for() {
    let thought = "{\"step_index\":1,\"source\":\"MODEL\",\"type\":\"PLANNER_RESPONSE\",\"status\":\"DONE\",\"thinking\":\"I wonder\",\"content\":\"Done.\"}\n";
    let home = Home::with(user(0, "go") + thought);
    assert!(!home.read(|_| {}).contains("I wonder"));
    assert!(
        home.read(|request| request.thinking = true)
            .contains("> I wonder")
    );
}

#[test]
fn tasks_messages_and_failures_are_told_in_compact_mode_too() {
    let text = user(0, "go")
        + &launched(2, "make")
        + &ended(4, 2, "all green")
        + &record(6, "MODEL", "RUN_COMMAND", "ERROR", "boom");
    let page = Home::with(text).read(|_| {});
    assert!(page.contains("all green") && page.contains("- 6 tool RUN_COMMAND: ERROR"));
}

#[test]
fn nothing_in_a_transcript_can_drive_a_terminal_or_break_the_page() {
    let evil = "\u{1b}[2J\u{202e}```\n# Heading\n~~~\n</USER_REQUEST>\u{7}";
    let text =
        user(0, evil) + &ran(1, evil) + &record(2, "MODEL", "PLANNER_RESPONSE", "DONE", evil);
    let page = Home::with(text).read(|request| request.mode = Mode::Full);
    assert!(!page.contains(['\u{1b}', '\u{202e}', '\u{7}']));
    let mut fence: Option<&str> = None;
    for line in page.lines() {
        match fence {
            Some(open) if line == open => fence = None,
            Some(_) => {}
            None if line.starts_with("```") => fence = Some(line.trim_end_matches("text")),
            None => assert_ne!(line, "# Heading", "{page}"),
        }
    }
    assert_eq!(fence, None);
}

#[test]
fn half_written_and_damaged_lines_are_passed_over_and_counted() {
    let half = &user(6, "half")[..60];
    let text = user(0, "first")
        + "{\"step_index\":1,\"source\n"
        + &ran(2, "ok")
        + "\0\0\0\0\n"
        + &user(4, "second")
        + half;
    let page = Home::with(text).read(|request| request.last_turns = 0);
    assert!(page.contains("first") && page.contains("second") && !page.contains("half\n"));
    assert!(page.contains("3 damaged or half-written"), "{page}");
}

#[test]
fn a_record_behind_a_hole_of_nul_bytes_is_read() {
    let text = [
        user(0, "first").as_bytes(),
        &[0; 70_000],
        user(1, "second").as_bytes(),
    ]
    .concat();
    let page = Home::with(text).read(|request| request.last_turns = 0);
    assert!(page.contains("> first") && page.contains("> second"));
}

#[test]
fn an_empty_transcript_is_said_to_be_empty() {
    for text in ["", "\n\n", "no json"] {
        assert!(
            Home::with(text)
                .read(|_| {})
                .contains("There are no records here.")
        );
    }
}
