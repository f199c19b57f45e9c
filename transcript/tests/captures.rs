//! The facts that a person reads out of transcripts recorded from the host.

mod common;

use common::{facts, running_steps};
use guard_transcript::{Outcome, Query, TaskState};

const BACKGROUND: &str = include_str!("captures/transcript_background.jsonl");
const DENIED_AND_KILLED: &str = include_str!("captures/transcript_denied_and_killed.jsonl");
const ENDED_AND_CANCELED: &str = include_str!("captures/transcript_ended_and_canceled.jsonl");

fn everything<'a>(outcomes: &'a [u64], task: u64) -> Query<'a> {
    Query {
        outcomes,
        running: true,
        task: Some(task),
        ..Query::default()
    }
}

#[test]
fn two_sleeps_run_after_the_first_command_ended() {
    let found = facts(BACKGROUND, &everything(&[2, 18, 24, 32, 33, 40], 18));
    assert_eq!(found.last_user_step, Some(0));
    assert_eq!(found.last_step, Some(35));
    assert_eq!(found.outcome(2), Some(Outcome::Done));
    assert_eq!(found.outcome(18), Some(Outcome::Launched));
    assert_eq!(found.outcome(24), Some(Outcome::Launched), "a timer");
    assert_eq!(found.outcome(32), Some(Outcome::Error));
    assert_eq!(found.outcome(40), None);
    assert_eq!(found.task, TaskState::Ended);
    assert_eq!(running_steps(&found), [30, 34]);
    let first = &found.running[0];
    assert_eq!(first.description, "sleep 60");
    assert_eq!(first.created_at.as_deref(), Some("2026-11-30T15:53:13Z"));
    assert_eq!(first.id.number, 30);
    assert_eq!(
        first.id.conversation.as_deref(),
        Some("1afed0731d3375b5ce77ece98355e9a3")
    );
    assert!(found.complete);
}

#[test]
fn a_timer_is_no_command_and_an_unknown_number_is_unknown() {
    for number in [24, 28, 5, u64::MAX] {
        let found = facts(BACKGROUND, &everything(&[], number));
        assert_eq!(found.task, TaskState::Unknown, "task-{number}");
    }
    assert_eq!(
        facts(BACKGROUND, &everything(&[], 34)).task,
        TaskState::Running
    );
}

#[test]
fn a_command_killed_by_the_agent_has_ended_and_the_user_spoke_again() {
    let found = facts(DENIED_AND_KILLED, &everything(&[4, 6, 10, 18], 6));
    assert_eq!(found.last_user_step, Some(27));
    assert_eq!(found.last_step, Some(28));
    assert_eq!(found.outcome(4), Some(Outcome::Error), "denied by a hook");
    assert_eq!(found.outcome(6), Some(Outcome::Launched));
    assert_eq!(found.outcome(18), Some(Outcome::Done), "written before 17");
    assert_eq!(found.task, TaskState::Ended);
    assert!(found.running.is_empty());
}

#[test]
fn while_the_killed_command_ran_it_was_running() {
    let before_the_kill: String = DENIED_AND_KILLED.split_inclusive('\n').take(23).collect();
    let found = facts(before_the_kill, &everything(&[], 6));
    assert_eq!(found.task, TaskState::Running);
    assert_eq!(running_steps(&found), [6]);
}

#[test]
fn output_with_the_launching_words_launches_nothing() {
    let found = facts(ENDED_AND_CANCELED, &everything(&[8, 14], 3));
    assert_eq!(found.task, TaskState::Unknown);
    assert!(found.running.is_empty());
    assert_eq!(found.last_user_step, Some(21));
    for number in [2, 4, 6] {
        let found = facts(ENDED_AND_CANCELED, &everything(&[], number));
        assert_eq!(found.task, TaskState::Ended);
    }
}

#[test]
fn a_status_answer_ends_a_task_whose_message_was_lost() {
    for (task, answer) in [(4, "Status: DONE"), (6, "Status: CANCELED")] {
        let kept: String = ENDED_AND_CANCELED
            .split_inclusive('\n')
            .filter(|line| !line.contains("\"SYSTEM_MESSAGE\""))
            .collect();
        assert!(kept.contains(answer));
        assert_eq!(facts(&kept, &everything(&[], task)).task, TaskState::Ended);
        let found = facts(&kept, &everything(&[], task));
        assert_eq!(running_steps(&found), [2], "nothing else ends task-2");
    }
}
