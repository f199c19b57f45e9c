//! What a report counts.

mod common;

use common::{Home, line};
use serde_json::json;

#[test]
fn each_decision_counts_where_it_belongs() {
    let home = Home::new();
    let mut rewritten = line(1, 2, "run_command", "rewritten");
    rewritten["wait_raised"] = true.into();
    home.log(&[
        rewritten,
        line(1, 4, "run_command", "wait_raised"),
        line(2, 6, "view_file", "routed"),
        line(3, 8, "manage_task", "poll_denied"),
        line(30, 10, "manage_task", "breaker_tripped"),
        line(31, 12, "manage_task", "breaker_asked"),
        line(32, 14, "write_to_file", "benchmark_asked"),
        line(33, 16, "view_file", "transcript_guarded"),
        line(34, 18, "run_command", "a_kind_of_tomorrow"),
    ]);
    let report = home.since("7d");
    let totals = serde_json::to_value(report.totals).unwrap();
    assert_eq!(
        totals,
        json!({"rewritten": 1, "waits_raised": 2, "routed": 1, "polls_denied": 1, "breakers_tripped": 1,
               "transcripts_guarded": 1, "asked": 3})
    );
    assert_eq!((report.decisions, report.conversations), (9, 1));
    let report = serde_json::to_value(&report).unwrap();
    assert_eq!(report["kinds"]["unknown"], 1);
    assert_eq!(report["kinds"]["rewritten"], 1);
    let tools = report["tools"].as_array().unwrap();
    assert_eq!(
        (&tools[0]["tool"], &tools[0]["total"]),
        (&json!("manage_task"), &json!(3))
    );
    let days = report["days"].as_array().unwrap();
    assert_eq!(days.len(), 7);
    assert_eq!(
        (&days[6]["first"], &days[6]["groups"]),
        (&json!("2026-11-30"), &json!([1, 1, 1, 0, 1, 0, 0]))
    );
    assert_eq!(days[5]["groups"], json!([0, 0, 0, 1, 0, 3, 1]));
}

#[test]
fn a_call_without_a_conversation_is_in_none() {
    let home = Home::new();
    let mut alone = line(1, 2, "run_command", "unreadable");
    alone.as_object_mut().unwrap().remove("conversation");
    home.log(&[line(1, 2, "run_command", "rewritten"), alone]);
    let report = home.since("7d");
    assert_eq!((report.decisions, report.conversations), (2, 1));
}

#[test]
fn a_call_that_was_logged_twice_counts_once() {
    let home = Home::new();
    let call = line(1, 2, "run_command", "rewritten");
    let mut without_step = call.clone();
    without_step.as_object_mut().unwrap().remove("step");
    home.log(&[call.clone(), call, without_step.clone(), without_step]);
    assert_eq!(home.since("7d").decisions, 3);
}

#[test]
fn only_the_time_asked_for_counts() {
    let home = Home::new();
    home.log(&[
        line(1, 2, "run_command", "rewritten"),
        line(30, 4, "run_command", "rewritten"),
        line(24 * 20, 6, "run_command", "rewritten"),
        line(-5, 8, "run_command", "rewritten"),
    ]);
    assert_eq!(home.since("24h").decisions, 1);
    assert_eq!(home.since("7d").decisions, 2);
    let long = home.since("90d");
    assert_eq!(long.decisions, 3);
    assert!(
        long.days.len() <= 14,
        "weeks, not days: {}",
        long.days.len()
    );
    assert_eq!(long.days.iter().map(|week| week.total()).sum::<u64>(), 3);
}

#[test]
fn damage_is_counted_and_told() {
    let home = Home::new();
    let good = line(1, 2, "run_command", "rewritten");
    let endless = json!({"at": i64::MAX, "tool": "run_command", "kind": "rewritten"});
    home.log_text(&format!("{{\"at\":17{good}\nnonsense\n{endless}\n"));
    let report = home.since("7d");
    assert_eq!((report.decisions, report.log.damaged), (1, 3));
    assert!(
        report.notes()[0].contains("3 damaged lines"),
        "{:?}",
        report.notes()
    );
}

#[test]
fn a_log_that_does_not_reach_back_is_told() {
    let home = Home::new();
    home.log(&[line(1, 2, "run_command", "rewritten")]);
    assert_eq!(home.since("7d").log.begins, None);
    let old = line(24, 4, "run_command", "rewritten");
    std::fs::write(home.path().join("decisions.jsonl.1"), format!("{old}\n")).unwrap();
    let report = home.since("7d");
    assert!(
        report.notes()[0].contains("before 2026-11-29"),
        "{:?}",
        report.notes()
    );
    assert_eq!(home.since("20h").log.begins, None);
}

#[test]
fn planned_calls_are_those_of_judged_tools_in_the_time() {
    let home = Home::new();
    let record = |time: &str, tools: &[&str]| {
        let calls: Vec<_> = tools
            .iter()
            .map(|name| json!({"name": name, "args": {}}))
            .collect();
        json!({"step_index": 1, "source": "MODEL", "type": "PLANNER_RESPONSE", "created_at": time, "tool_calls": calls})
    };
    home.transcript(
        "1afe",
        &[
            record(
                "2026-11-30T15:00:00Z",
                &["run_command", "browser_click", "run_command"],
            ),
            record("2026-10-01T15:00:00Z", &["run_command"]),
            json!({"step_index": 2, "content": "\"tool_calls\" in a text"}),
            json!("no record with \"tool_calls\""),
        ],
    );
    home.transcript("2afe", &[record("2026-11-29T15:00:00Z", &["run_command"])]);
    home.transcript("3afe", &[record("2026-11-29T15:00:00Z", &["other"])]);
    let planned = home.since("7d").planned.unwrap();
    assert_eq!(
        (planned.calls, planned.conversations, planned.complete),
        (3, 2, true)
    );
}

#[test]
fn times_are_those_that_were_sampled() {
    let home = Home::new();
    let mut sampled = line(1, 2, "run_command", "rewritten");
    sampled["us"] = 412.into();
    home.log(&[sampled, line(1, 4, "run_command", "rewritten")]);
    let latency = home.since("7d").latency.unwrap();
    assert_eq!((latency.sampled, latency.p50, latency.max), (1, 412, 412));
}
