//! The facts of a transcript are those of its whole records, whatever their order, spelling, text or cut.

mod common;

use common::*;
use guard_transcript::{Limits, Outcome, Query, TaskState};
use proptest::prelude::*;
use serde_json::Value;

/// Something that happens in a conversation.
#[derive(Debug, Clone)]
enum Event {
    User,
    Planned,
    Ran,
    Failed,
    Launched,
    Timer,
    Ended(u64),
    Canceled(u64),
    Status(u64, bool),
}

fn event() -> impl Strategy<Value = Event> {
    let task = 0u64..40;
    prop_oneof![
        1 => Just(Event::User),
        3 => Just(Event::Planned),
        2 => Just(Event::Ran),
        1 => Just(Event::Failed),
        4 => Just(Event::Launched),
        1 => Just(Event::Timer),
        2 => task.clone().prop_map(Event::Ended),
        1 => task.clone().prop_map(Event::Canceled),
        2 => (task, any::<bool>()).prop_map(|(task, done)| Event::Status(task, done)),
    ]
}

/// Any text, or one that wants to be taken for a record.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        (0u64..40).prop_map(|task| ended(7, task, "ok")),
        (0u64..40).prop_map(|task| end_text(task, "finished", "ok")),
        (0u64..40)
            .prop_map(|task| times(&format!("Task: {CONVERSATION}/task-{task}\nStatus: DONE\n"))),
        (0u64..40).prop_map(|step| launch_text(step, "x")),
        (0u64..900).prop_map(|step| format!("\"}}\n{}", user(step, "yes"))),
        Just("\\\"}\n\u{0}\r\n".to_owned()),
    ]
}

/// How a line is spelt.
fn spelt(line: &str, how: u8) -> String {
    let value: Value = serde_json::from_str(line).unwrap();
    match how % 4 {
        // In alphabetic order, as this library writes it.
        0 => format!("{value}\n"),
        1 => {
            serde_json::to_string_pretty(&value)
                .unwrap()
                .replace('\n', " ")
                + "\r\n"
        }
        2 => line.replace("\"type\"", "\"t\\u0079pe\""),
        _ => line.to_owned(),
    }
}

fn line(step: u64, event: &Event, text: &str) -> String {
    match event {
        Event::User => user(step, text),
        Event::Planned => planned(step, "ls").replace(
            "\"tool_calls\"",
            &format!("\"thinking\":{},\"tool_calls\"", Value::from(text)),
        ),
        Event::Ran => ran(step, text),
        Event::Failed => record(step, "MODEL", "GENERIC", "ERROR", text),
        Event::Launched => launched(step, text),
        Event::Timer => timer(step, text),
        Event::Ended(task) => ended(step, *task, text),
        Event::Canceled(task) => record(
            step,
            "SYSTEM",
            "SYSTEM_MESSAGE",
            "DONE",
            &end_text(*task, "was canceled", text),
        ),
        Event::Status(task, true) => status(step, *task, &format!("DONE\n{text}")),
        Event::Status(task, false) => status(step, *task, &format!("RUNNING\n{text}")),
    }
}

/// A conversation as it was written: step, event, text, spelling, in the order of the file.
type Written = Vec<(u64, Event, String, u8)>;

/// Steps 0, 1, 2, …, each moved by less than `disorder` places. What the user says is not moved: a user turn behind a later
/// step means that the user went back to it.
fn conversation(length: std::ops::Range<usize>, disorder: u64) -> impl Strategy<Value = Written> {
    let one = (event(), text(), any::<u8>(), 0..disorder);
    prop::collection::vec(one, length).prop_map(|events| {
        let mut written: Vec<_> = (0u64..).zip(events).collect();
        written.sort_by_key(|(step, (event, _, _, late))| match event {
            Event::User => *step,
            _ => step + late,
        });
        written
            .into_iter()
            .map(|(step, (event, text, spelling, _))| (step, event, text, spelling))
            .collect()
    })
}

fn lines(written: &Written) -> Vec<String> {
    written
        .iter()
        .map(|(step, event, text, spelling)| spelt(&line(*step, event, text), *spelling))
        .collect()
}

fn last_user(written: &[(u64, Event, String, u8)]) -> Option<u64> {
    let spoken = written
        .iter()
        .filter(|(_, event, ..)| matches!(event, Event::User));
    spoken.map(|(step, ..)| *step).max()
}

fn outcome(written: &[(u64, Event, String, u8)], of: u64) -> Option<Outcome> {
    let (_, event, ..) = written.iter().find(|(step, ..)| *step == of)?;
    match event {
        Event::User | Event::Planned | Event::Ended(_) | Event::Canceled(_) => None,
        Event::Failed => Some(Outcome::Error),
        Event::Launched | Event::Timer => Some(Outcome::Launched),
        Event::Ran | Event::Status(..) => Some(Outcome::Done),
    }
}

/// The commands that run: launched, and no end of theirs anywhere.
fn running(written: &[(u64, Event, String, u8)]) -> Vec<u64> {
    let ended = |task: u64| {
        written.iter().any(|(at, event, ..)| match event {
            // An end is written after the launch, or before it by the disorder alone.
            Event::Ended(of) | Event::Canceled(of) | Event::Status(of, true) => {
                *of == task && *at > task
            }
            _ => false,
        })
    };
    let launched = written
        .iter()
        .filter(|(_, event, ..)| matches!(event, Event::Launched));
    launched
        .map(|(step, ..)| *step)
        .filter(|step| !ended(*step))
        .collect()
}

fn state(written: &[(u64, Event, String, u8)], task: u64) -> TaskState {
    let launched = written
        .iter()
        .any(|(step, event, ..)| *step == task && matches!(event, Event::Launched));
    let ended = written.iter().any(|(_, event, ..)| matches!(event, Event::Ended(of) | Event::Canceled(of) | Event::Status(of, true) if *of == task));
    match (launched, ended) {
        (_, true) => TaskState::Ended,
        (true, false) => TaskState::Running,
        (false, false) => TaskState::Unknown,
    }
}

/// Without ends that come before what they end, which no host writes.
fn causal(written: &Written) -> Written {
    let kept = |step: u64, event: &Event| match event {
        Event::Ended(task) | Event::Canceled(task) | Event::Status(task, true) => *task < step,
        _ => true,
    };
    written
        .iter()
        .filter(|(step, event, ..)| kept(*step, event))
        .cloned()
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn the_facts_are_those_of_the_whole_records(
        written in conversation(0..60, 4),
        cut in any::<prop::sample::Index>(),
        after in prop_oneof![Just(String::new()), text()],
        asked in 0u64..60,
        task in 0u64..40,
    ) {
        let written = causal(&written);
        let lines = lines(&written);
        let text = lines.concat();
        let cut = cut.index(text.len() + 1);
        // A line is whole once its closing brace is there.
        let mut end = 0;
        let whole = lines.iter().take_while(|line| {
            let brace = end + line.trim_end().len();
            end += line.len();
            brace <= cut
        }).count();
        let written = &written[..whole];
        // What a crashed host leaves, or what it writes now, is no record.
        let half = after.replace(['\n', '{'], "");
        let half = if end > cut { b"" } else { half.as_bytes() };
        let text = [&text.as_bytes()[..cut], half].concat();
        let query = all(std::slice::from_ref(&asked), task);
        let found = facts(&text, &query);
        prop_assert_eq!(found.last_step, written.iter().map(|(step, ..)| *step).max());
        for found in [found, facts(padded(&text), &query)] {
            prop_assert_eq!(found.last_user_step, last_user(written));
            if asked != 1 {
                prop_assert_eq!(found.outcome(asked), outcome(written, asked));
            }
            prop_assert_eq!(running_steps(&found), running(written));
            prop_assert_eq!(found.task, state(written, task));
            prop_assert!(found.complete);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn stopping_early_loses_nothing_from_the_lowest_step_on(
        written in conversation(300..700, 60),
        from in 0u64..700,
        window in 1u64..400_000,
    ) {
        let mut written = causal(&written);
        for (_, _, text, _) in &mut written {
            text.push_str(&"some output\n".repeat(40));
        }
        let text = lines(&written).concat();
        let asked = from + 1;
        let query = Query { outcomes: &[asked], from_step: from, ..Query::default() };
        let limits = Limits { window, ..Limits::default() };
        let found = facts_within(&text, &query, &limits);
        prop_assert_eq!(found.outcome(asked), outcome(&written, asked));
        let expected = last_user(&written).filter(|step| *step >= from);
        let found_user = found.last_user_step.filter(|step| *step >= from);
        if found.complete {
            prop_assert_eq!(found_user, expected);
        } else {
            // One from before the window, or none at all, where the last is in between.
            prop_assert!(found_user <= expected);
        }
        let unbounded = facts_within(&text, &query, &Limits { window: u64::MAX, ..limits });
        prop_assert!(unbounded.complete);
        prop_assert_eq!(unbounded.last_user_step.filter(|step| *step >= from), expected);
    }
}
