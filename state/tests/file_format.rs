//! The state file can be read by a person, and says what it said when it was written.

mod support;

use chrono::{DateTime, Utc};
use guard_state::{Answer, Asked, Breaker, Digest, LastCall, Ledger, TaskName, Time};
use proptest::prelude::*;
use std::fs;
use support::{CONVERSATION, after_damage, count, state_file, store};

fn time(text: &str) -> Time {
    DateTime::parse_from_rfc3339(text).unwrap().to_utc()
}

fn fill(ledger: &mut Ledger) {
    ledger.level = 3;
    ledger.strikes = 5;
    ledger.last_allowed = Some(time("2026-03-01T09:00:00.250Z"));
    ledger.last_poll = Some(time("2026-03-01T10:02:11.000999+01:00"));
    ledger.last_poll_step = Some(41);
    ledger.tasks_polled.push("task-18".into());
    ledger.breaker = Breaker::Open(Asked {
        since: time("2026-03-01T09:02:11Z"),
        asked_steps: [41].into_iter().collect(),
        tasks: ["task-18".into()].into_iter().collect(),
    });
    ledger.last_call = Some(LastCall {
        step: Some(41),
        tool: "manage_task".to_owned(),
        arguments: Digest::of(br#"{"Action":"status"}"#),
        answer: Answer {
            decision: "force_ask".to_owned(),
            reason: Some("5 premature checks of \"task-18\"".to_owned()),
        },
    });
}

const FILE: &str = r#"{
  "version": 1,
  "conversation": "ec33c1a0-6b0f-4d2f-9a57-0d9b8e6f1c2d",
  "level": 3,
  "strikes": 5,
  "last_allowed": "2026-03-01T09:00:00.250Z",
  "last_poll": "2026-03-01T09:02:11.000Z",
  "last_poll_step": 41,
  "breaker": {
    "is": "open",
    "since": "2026-03-01T09:02:11.000Z",
    "asked_steps": [
      41
    ],
    "tasks": [
      "task-18"
    ]
  },
  "tasks_polled": [
    "task-18"
  ],
  "last_call": {
    "step": 41,
    "tool": "manage_task",
    "arguments": "336fa0df0a9b9d8b40df615bd356e45b",
    "answer": {
      "decision": "force_ask",
      "reason": "5 premature checks of \"task-18\""
    }
  }
}
"#;

#[test]
fn it_is_this_text() {
    let (_home, store) = store();
    store.update(CONVERSATION, after_damage, fill).unwrap();
    assert_eq!(
        fs::read_to_string(state_file(&store, CONVERSATION)).unwrap(),
        FILE
    );
}

#[test]
fn a_digest_is_the_first_half_of_sha_256() {
    assert_eq!(
        Digest::of(b"abc").to_string(),
        "ba7816bf8f01cfea414140de5dae2223"
    );
}

#[test]
fn fields_of_a_later_program_are_ignored() {
    let (_home, store) = store();
    let file = state_file(&store, CONVERSATION);
    let more = FILE
        .replace("\"level\"", "\"mood\": {\"a\": [1]}, \"level\"")
        .replace("\"is\"", "\"why\": 1, \"is\"");
    fs::write(&file, more).unwrap();
    let ledger = store.peek(CONVERSATION).unwrap().unwrap();
    assert_eq!((ledger.level, ledger.strikes), (3, 5));
    assert!(matches!(ledger.breaker, Breaker::Open(_)));
}

#[test]
fn a_change_that_changes_nothing_writes_nothing() {
    let (_home, store) = store();
    let file = state_file(&store, CONVERSATION);
    let before = file.metadata().unwrap();
    assert_eq!(
        store
            .update(CONVERSATION, after_damage, |ledger| ledger.level)
            .unwrap(),
        1
    );
    let after = file.metadata().unwrap();
    #[cfg(unix)]
    assert_eq!(
        std::os::unix::fs::MetadataExt::ino(&before),
        std::os::unix::fs::MetadataExt::ino(&after)
    );
    assert_eq!(before.modified().unwrap(), after.modified().unwrap());
}

#[test]
fn a_call_is_known_again_by_step_tool_and_arguments() {
    let mut ledger = Ledger::new(CONVERSATION);
    fill(&mut ledger);
    let call = ledger.last_call.unwrap();
    let (same, other) = (
        Digest::of(br#"{"Action":"status"}"#),
        Digest::of(br#"{"Action":"list"}"#),
    );
    assert!(call.is(Some(41), "manage_task", same));
    assert!(!call.is(Some(42), "manage_task", same));
    assert!(!call.is(None, "manage_task", same));
    assert!(!call.is(Some(41), "command_status", same));
    assert!(!call.is(Some(41), "manage_task", other));
}

#[test]
fn lists_are_bounded_in_length_and_items() {
    let (_home, store) = store();
    let many = |ledger: &mut Ledger| {
        for number in 0..1_000 {
            ledger
                .tasks_polled
                .push(TaskName::from(format!("{number}-{}", "é".repeat(5_000))));
        }
        ledger.tasks_polled.push("seen".into());
        ledger.tasks_polled.push("task".into());
        ledger.tasks_polled.push("seen".into());
    };
    store.update(CONVERSATION, after_damage, many).unwrap();
    let ledger = store.peek(CONVERSATION).unwrap().unwrap();
    let tasks = ledger.tasks_polled.as_slice();
    assert_eq!(tasks.len(), guard_state::MAX_TASKS);
    assert_eq!(tasks[7].as_str(), "seen");
    assert_eq!(tasks[6].as_str(), "task");
    assert!(tasks[5].as_str().starts_with("999-é") && tasks[5].as_str().len() <= 200);
    // A file that a person made longer is cut when it is read.
    let file = state_file(&store, CONVERSATION);
    let text = fs::read_to_string(&file).unwrap();
    let longer = text.replace("\"seen\"", "\"seen\", \"a\", \"b\", \"c\"");
    fs::write(&file, longer).unwrap();
    let ledger = store.peek(CONVERSATION).unwrap().unwrap();
    assert_eq!(ledger.tasks_polled.as_slice().len(), guard_state::MAX_TASKS);
    assert_eq!(ledger.tasks_polled.as_slice()[7].as_str(), "c");
}

#[test]
fn reset_forgets_one_and_reset_all_every_one() {
    let (_home, store) = store();
    for conversation in ["a", "b", "c"] {
        count(&store, conversation).unwrap();
    }
    fs::write(state_file(&store, "c"), "").unwrap();
    assert!(count(&store, "c").is_err());
    assert!(store.reset("a").unwrap());
    assert!(!store.reset("a").unwrap());
    assert_eq!(store.peek("a").unwrap(), None);
    assert_eq!(store.list().unwrap().len(), 2);
    // What can't be a state file is no obstacle either.
    let file = state_file(&store, "b");
    fs::remove_file(&file).unwrap();
    fs::create_dir(&file).unwrap();
    assert_eq!(store.reset_all().unwrap(), 2);
    assert!(store.list().unwrap().is_empty());
    assert_eq!(store.peek("b").unwrap(), None);
    assert_eq!(count(&store, "c").unwrap(), 1);
}

fn moments() -> impl Strategy<Value = Time> {
    let any = any::<(i64, u32)>().prop_filter_map("no time", |(seconds, nanos)| {
        DateTime::<Utc>::from_timestamp(seconds % 10_000_000_000_000, nanos % 2_000_000_000)
    });
    prop_oneof![
        any,
        Just(Time::MIN_UTC),
        Just(Time::MAX_UTC),
        Just(Time::UNIX_EPOCH)
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn what_is_written_is_read_back(
        id in ".{0,60}",
        numbers in any::<(u32, u32, Option<u64>, Vec<u64>)>(),
        times in proptest::collection::vec(moments(), 3),
        texts in proptest::collection::vec(any::<String>(), 3),
    ) {
        let (_home, store) = store();
        let (level, strikes, step, steps) = numbers;
        let write = |ledger: &mut Ledger| {
            fill(ledger);
            (ledger.level, ledger.strikes, ledger.last_poll_step) = (level, strikes, step);
            (ledger.last_allowed, ledger.last_poll) = (Some(times[0]), Some(times[1]));
            let tasks = texts.iter().map(|text| TaskName::from(text.as_str())).collect();
            ledger.breaker = Breaker::Declined(Asked { since: times[2], asked_steps: steps.into_iter().collect(), tasks });
            ledger.clone()
        };
        let written = store.update(&id, after_damage, write).unwrap();
        let read = store.peek(&id).unwrap().unwrap();
        let whole = |time: Time| (0..=9999).contains(&chrono::Datelike::year(&time)).then(|| time.timestamp_millis());
        if let Some(millis) = whole(times[0]) {
            prop_assert_eq!(read.last_allowed.map(|time| time.timestamp_millis()), Some(millis));
        }
        // But for what is finer than the file, they are equal: writing what was read changes nothing.
        let again = store.update(&id, after_damage, |ledger| ledger.clone()).unwrap();
        prop_assert_eq!(&again, &read);
        prop_assert_eq!((read.level, read.strikes, read.last_poll_step), (written.level, written.strikes, written.last_poll_step));
        prop_assert_eq!(read.last_call, written.last_call);
        match (read.breaker, written.breaker) {
            (Breaker::Declined(read), Breaker::Declined(written)) => {
                prop_assert_eq!(read.asked_steps, written.asked_steps);
                prop_assert_eq!(read.tasks, written.tasks);
            }
            other => prop_assert!(false, "{:?}", other),
        }
    }
}
