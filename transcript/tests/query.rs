//! Searching: what matches is found wherever it stands, and nothing else.

mod common;
mod home;

use common::{launched, planned, ran, record, user};
use guard_transcript::reading::{Meaning, Mode, PAGE, QueryRequest, Role, Route, query};
use home::{Home, number_after};
use proptest::prelude::*;

fn ask(home: &Home, text: Option<&str>, change: impl FnOnce(&mut QueryRequest)) -> String {
    let mut request = QueryRequest::new(text.map(str::to_owned), Route::Tools);
    change(&mut request);
    let page = query(&home.conversation(), &request).unwrap();
    assert!(page.len() <= request.max_bytes);
    page
}

/// The steps that a page lists.
fn steps(page: &str) -> Vec<u64> {
    let step = |line: &str| line.strip_prefix("- ")?.split(' ').next()?.parse().ok();
    page.lines().filter_map(step).collect()
}

fn found(home: &Home, text: &str) -> Vec<u64> {
    let page = ask(home, Some(text), |request| {
        request.meaning = Meaning::Text;
        request.summary_only = true;
        request.max_results = 100;
    });
    steps(&page)
}

fn conversation() -> Home {
    Home::with(
        user(0, "Find the leak in cache.rs")
            + &planned(1, "grep -n leak src/cache.rs")
            + &ran(2, "12: // a leak \"here\"\r\n13: C:\\temp\\x\tend")
            + &record(
                3,
                "MODEL",
                "PLANNER_RESPONSE",
                "DONE",
                "I found it: süß 😀.",
            )
            + &user(4, "Good. Mend it")
            + &launched(6, "cargo test"),
    )
}

#[test]
fn text_is_found_in_every_field_in_any_encoding() {
    let home = conversation();
    assert_eq!(found(&home, "leak"), [0, 1, 2]);
    assert_eq!(found(&home, "grep -n leak"), [1]);
    assert_eq!(found(&home, "leak \"here\""), [2]);
    assert_eq!(found(&home, "C:\\temp\\x\tend"), [2]);
    assert_eq!(found(&home, "\\"), [2]);
    assert_eq!(found(&home, "here\"\n13"), [2]);
    assert_eq!(found(&home, "süß"), [3]);
    assert_eq!(found(&home, "ü"), [3]);
    assert_eq!(found(&home, "😀"), [3]);
    assert_eq!(found(&home, "LEAK"), [] as [u64; 0]);
    // Names of fields and other records' frame are no text.
    assert_eq!(found(&home, "step_index"), [] as [u64; 0]);
    assert_eq!(found(&home, "PLANNER_RESPONSE"), [] as [u64; 0]);
}

#[test]
fn roles_steps_and_turns_select() {
    let home = conversation();
    let list = |change: &dyn Fn(&mut QueryRequest)| {
        steps(&ask(&home, Some("e"), |request| {
            request.summary_only = true;
            request.max_results = 100;
            change(request);
        }))
    };
    assert_eq!(list(&|_| {}), [0, 1, 2, 4, 6]);
    assert_eq!(list(&|request| request.roles = vec![Role::User]), [0, 4]);
    assert_eq!(
        list(&|request| request.roles = vec![Role::Assistant, Role::Tool]),
        [1, 2, 6]
    );
    assert_eq!(list(&|request| request.start_step = Some(2)), [2, 4, 6]);
    assert_eq!(list(&|request| request.end_step = Some(2)), [0, 1, 2]);
    assert_eq!(list(&|request| request.last_turns = 1), [4, 6]);
    assert_eq!(list(&|request| request.last_turns = 9), [0, 1, 2, 4, 6]);
    assert_eq!(list(&|request| request.tool_calls = false), [0, 2, 4, 6]);
    assert_eq!(list(&|request| request.max_results = 2), [4, 6]);
}

#[test]
fn without_a_text_records_are_listed_with_what_they_say() {
    let home = conversation();
    let page = ask(&home, None, |request| request.roles = vec![Role::User]);
    assert!(page.contains("> Find the leak in cache.rs") && page.contains("> Good. Mend it"));
    let page = ask(&home, None, |request| {
        (request.start_step, request.end_step) = (Some(1), Some(2));
        request.mode = Mode::Full;
    });
    assert!(
        page.contains("grep -n leak src/cache.rs") && page.contains("12: // a leak \"here\"\n13: "),
        "{page}"
    );
}

#[test]
fn a_regular_expression_is_one_where_it_is_meant_or_nothing_else_fits() {
    let home = conversation();
    let page = ask(&home, Some(r"le[a-z]k|mend"), |_| {});
    assert!(
        page.contains("read as a regular expression") && steps(&page) == [0, 1, 2],
        "{page}"
    );
    let page = ask(&home, Some(r"(?i)^good\. mend$"), |request| {
        request.meaning = Meaning::Pattern
    });
    assert!(page.contains("0 records"), "{page}");
    let page = ask(&home, Some(r"(?i)^good\. MEND it$"), |request| {
        request.meaning = Meaning::Pattern
    });
    assert!(
        page.contains("1 record "),
        "the user's words stand on a line of their own:\n{page}"
    );
    let page = ask(&home, Some("cache.rs"), |_| {});
    assert!(!page.contains("regular"));
    let page = ask(&home, Some("le[a-z]k"), |request| {
        request.meaning = Meaning::Text
    });
    assert!(page.contains("0 records"));
}

#[test]
fn a_pattern_that_backtracks_elsewhere_is_answered_in_linear_work() {
    let home = Home::with(record(
        0,
        "MODEL",
        "GENERIC",
        "DONE",
        &("a".repeat(3_000_000) + "!"),
    ));
    let page = ask(&home, Some("(a+)+$"), |request| {
        request.meaning = Meaning::Pattern
    });
    assert!(page.contains("0 records"));
}

#[test]
fn a_match_is_shown_with_what_stands_around_it() {
    let text = "x".repeat(50_000) + " needle " + &"y".repeat(50_000);
    let home = Home::with(ran(4, &text));
    let page = ask(&home, Some("needle"), |_| {});
    assert!(page.contains("xx needle yy") && page.len() < 1500, "{page}");
    assert!(page.contains("whole: stepIndex=4, field=content"));
    let summary = ask(&home, Some("needle"), |request| request.summary_only = true);
    assert!(
        summary.len() < 700 && !summary.contains("whole: stepIndex=4"),
        "{summary}"
    );
}

#[test]
fn thinking_is_searched_only_if_it_is_asked_for() {
    let thought = "{\"step_index\":1,\"source\":\"MODEL\",\"type\":\"PLANNER_RESPONSE\",\"status\":\"DONE\",\"thinking\":\"a secret plan\"}\n";
    let home = Home::with(thought);
    assert!(ask(&home, Some("secret"), |_| {}).contains("0 records"));
    assert!(
        ask(&home, Some("secret"), |request| request.thinking = true).contains("> a secret plan")
    );
}

#[test]
fn text_that_the_host_cut_is_found_in_the_other_file_and_counted_once() {
    let cut = |at: u64, text: &str| {
        record(at, "MODEL", "RUN_COMMAND", "DONE", text)
            .replace("\"}\n", "\",\"truncated_fields\":[\"content\"]}\n")
    };
    let home = Home::with(
        user(0, "needle here")
            + &cut(1, "start\n<truncated 9 bytes>")
            + &cut(2, "a needle\n<truncated 9 bytes>")
            + &ran(3, "other"),
    );
    assert_eq!(found(&home, "needle"), [0, 2]);
    home.add_full(
        user(0, "needle here")
            + &ran(1, "start and a needle")
            + &ran(2, "a needle, two needle")
            + &ran(3, "needle"),
    );
    assert_eq!(
        found(&home, "needle"),
        [0, 1, 2],
        "step 3 was not cut, so its text is what the transcript says"
    );
    let page = ask(&home, Some("start and"), |_| {});
    assert!(
        page.contains("1 record ") && page.contains("> start and a needle")
            || page.contains("start and a needle"),
        "{page}"
    );
}

#[test]
fn older_matches_are_reached_page_by_page() {
    let text: String = (0..57)
        .map(|step| ran(step, &format!("needle {step}")))
        .collect();
    let home = Home::with(text);
    let (mut end, mut seen) = (None, Vec::new());
    loop {
        let page = ask(&home, Some("needle"), |request| {
            request.end_step = end;
            request.max_results = 10;
            request.summary_only = true;
        });
        seen.splice(0..0, steps(&page));
        if !page.contains("Older ones: ") {
            break;
        }
        end = number_after(&page, "endStep=");
    }
    assert_eq!(seen, (0..57).collect::<Vec<u64>>());
}

#[test]
fn a_page_stays_bounded_with_many_and_long_results() {
    let text: String = (0..100)
        .map(|step| ran(step, &format!("needle {}", "z".repeat(5000))))
        .collect();
    let home = Home::with(text);
    for mode in [Mode::Compact, Mode::Full] {
        for max_bytes in [2048, PAGE, 100_000] {
            let page = ask(&home, Some("needle"), |request| {
                (request.mode, request.max_bytes, request.max_results) = (mode, max_bytes, 100);
            });
            assert!(page.contains("Older ones: ") || mode == Mode::Compact);
            assert!(!steps(&page).is_empty());
        }
    }
}

#[test]
fn a_match_across_the_edge_of_what_is_held_at_a_time_is_found() {
    for before in (1_048_500..1_048_600).step_by(7) {
        let text = "x".repeat(before) + "needle in the hay" + &"y".repeat(3000);
        let home = Home::with(user(0, "go") + &ran(1, &text));
        assert_eq!(found(&home, "needle in the hay"), [1], "{before}");
        let page = ask(&home, Some("need.e in"), |request| {
            request.meaning = Meaning::Pattern
        });
        assert!(page.contains("1 record "), "{before}");
    }
}

#[test]
fn a_line_that_is_longer_than_the_buffer_is_searched() {
    let home = Home::with(
        user(0, "go")
            + &ran(
                1,
                &("x".repeat(2_000_000) + "needle" + &"y".repeat(2_000_000)),
            )
            + &user(2, "needle"),
    );
    assert_eq!(found(&home, "needle"), [1, 2]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn finds_what_a_plain_comparison_finds(
        texts in prop::collection::vec("[ab\"\\\\\n\t<ä]{0,12}", 1..30),
        wanted in "[ab\"\\\\\t<ä]{1,3}",
        filler in 0_usize..40_000,
    ) {
        let mut text = String::new();
        for (step, content) in texts.iter().enumerate() {
            text += &record(step as u64, "MODEL", "PLANNER_RESPONSE", "DONE", &(content.clone() + &"#".repeat(filler)));
        }
        let expected: Vec<u64> = (0..texts.len() as u64).filter(|step| texts[*step as usize].contains(&wanted)).collect();
        prop_assert_eq!(found(&Home::with(text), &wanted), expected);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn a_pattern_finds_what_the_engine_finds(
        texts in prop::collection::vec("[abc\"\\\\\n ]{0,16}", 1..20),
        pattern in "(abc|cab|b\"c)[ab]?|aabb.*c|\\\\\\\\a+|(ab){2,3}\"?",
    ) {
        // The pattern is itself made by a pattern: one of its alternatives, in some spelling.
        prop_assume!(regex::Regex::new(&pattern).is_ok());
        let engine = regex::RegexBuilder::new(&pattern).multi_line(true).build().unwrap();
        let mut text = String::new();
        for (step, content) in texts.iter().enumerate() {
            text += &record(step as u64, "MODEL", "PLANNER_RESPONSE", "DONE", content);
        }
        let page = ask(&Home::with(text), Some(&pattern), |request| {
            request.meaning = Meaning::Pattern;
            request.summary_only = true;
            request.max_results = 100;
        });
        let expected: Vec<u64> = (0..texts.len() as u64).filter(|step| engine.is_match(&texts[*step as usize])).collect();
        prop_assert_eq!(steps(&page), expected);
    }
}

#[test]
fn what_makes_no_sense_is_refused_with_the_remedy() {
    let home = conversation();
    let fails = |text: &str, change: &dyn Fn(&mut QueryRequest)| {
        let mut request = QueryRequest::new(Some(text.to_owned()), Route::Tools);
        change(&mut request);
        query(&home.conversation(), &request)
            .unwrap_err()
            .to_string()
    };
    assert!(fails("(", &|request| request.meaning = Meaning::Pattern).contains("Mend it"));
    assert!(
        fails("x", &|request| (request.start_step, request.end_step) =
            (Some(5), Some(4)))
        .contains("swap")
    );
    assert!(fails(&"x".repeat(5000), &|_| {}).contains("shorter"));
}
