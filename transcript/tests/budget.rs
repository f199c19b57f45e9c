//! What an answer costs, in bytes read: the size of the transcript does not matter.

mod common;

use common::*;
use guard_transcript::{Facts, LINE_BUFFER, Limits, Outcome, Query, Source, TaskState, facts_from};
use std::io::{self, Read, Seek, SeekFrom};

/// A transcript that is made as it is read: `head`, then the same filler lines for ever, then `tail`.
struct Endless<'a> {
    head: &'a [u8],
    filler: &'a [u8],
    filler_len: u64,
    tail: &'a [u8],
    at: u64,
    longest_read: usize,
}

impl<'a> Endless<'a> {
    fn new(head: &'a str, filler: &'a str, filler_len: u64, tail: &'a str) -> Self {
        let filler_len = filler_len / filler.len() as u64 * filler.len() as u64;
        let (head, filler, tail) = (head.as_bytes(), filler.as_bytes(), tail.as_bytes());
        Self {
            head,
            filler,
            filler_len,
            tail,
            at: 0,
            longest_read: 0,
        }
    }

    fn len(&self) -> u64 {
        self.head.len() as u64 + self.filler_len + self.tail.len() as u64
    }
}

impl Read for Endless<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.longest_read = self.longest_read.max(into.len());
        let filler_at = self.head.len() as u64;
        let tail_at = filler_at + self.filler_len;
        let from = if self.at < filler_at {
            &self.head[self.at as usize..]
        } else if self.at < tail_at {
            &self.filler[((self.at - filler_at) % self.filler.len() as u64) as usize..]
        } else {
            self.tail
                .get((self.at - tail_at) as usize..)
                .unwrap_or_default()
        };
        let count = from.len().min(into.len());
        into[..count].copy_from_slice(&from[..count]);
        self.at += count as u64;
        Ok(count)
    }
}

impl Seek for Endless<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let SeekFrom::Start(at) = to else {
            return Err(io::ErrorKind::Unsupported.into());
        };
        self.at = at;
        Ok(at)
    }
}

fn read(mut transcript: Endless<'_>, query: &Query<'_>) -> Facts {
    let len = transcript.len();
    let mut source = Source::new(&mut transcript, len);
    let facts = facts_from(&mut source, query, &Limits::default()).unwrap();
    assert!(transcript.longest_read <= LINE_BUFFER);
    facts
}

const GB: u64 = 1_000_000_000;
const NEAR_THE_END: u64 = 200_000;
const WINDOW: u64 = 8_500_000;
const WITH_EARLY_TASK: u64 = WINDOW + 2_800_000;

#[test]
fn a_question_about_the_end_reads_the_end() {
    let filler = ran(100, &"output\n".repeat(100));
    let tail = user(5000, "go") + &ran(5002, "a");
    let query = Query {
        outcomes: &[5002],
        from_step: 4990,
        ..Query::default()
    };
    for bytes in [100_000, 50_000_000, 20 * GB] {
        let found = read(Endless::new("", &filler, bytes, &tail), &query);
        assert_eq!(found.last_user_step, Some(5000));
        assert_eq!(found.outcome(5002), Some(Outcome::Done));
        assert!(found.complete);
        assert!(found.bytes_read < NEAR_THE_END, "{}", found.bytes_read);
    }
}

#[test]
fn a_record_written_forty_steps_early_is_not_stopped_short_of() {
    let work = |steps: std::ops::Range<u64>| {
        steps
            .map(|step| planned(step, &"ls; ".repeat(750)))
            .collect::<String>()
    };
    let text = work(0..560) + &user(600, "go") + &work(560..600);
    let query = Query {
        from_step: 600,
        ..Query::default()
    };
    let found = facts(&text, &query);
    assert_eq!(found.last_user_step, Some(600));
    assert!(
        found.bytes_read < text.len() as u64 / 3,
        "and yet it stops early"
    );
}

#[test]
fn running_commands_cost_the_window() {
    let filler = ran(100, &"output\n".repeat(100));
    let tail = launched(5000, "sleep 60");
    for bytes in [50_000_000, 20 * GB] {
        let found = read(
            Endless::new(&launched(2, "x"), &filler, bytes, &tail),
            &all(&[], 5000),
        );
        assert_eq!(running_steps(&found), [5000]);
        assert!(!found.complete, "the command at step 2 is out of sight");
        assert!(found.bytes_read < WINDOW, "{}", found.bytes_read);
    }
}

#[test]
fn a_task_and_a_step_before_the_window_are_found_by_their_step() {
    let filler = ran(500, &"output\n".repeat(100));
    let early =
        user(0, "go") + &launched(2, "x") + &launched(4, "x") + &ended(5, 4, "ok") + &ran(6, "ok");
    let tail = ended(5000, 8, "ok");
    for (task, state) in [
        (2, TaskState::Running),
        (4, TaskState::Ended),
        (8, TaskState::Ended),
        (300, TaskState::Unknown),
    ] {
        for running in [false, true] {
            let query = Query {
                running,
                outcomes: &[4, 6, 7, 9],
                ..all(&[], task)
            };
            let found = read(Endless::new(&early, &filler, 20 * GB, &tail), &query);
            assert_eq!(found.task, state, "task-{task}");
            assert_eq!(found.outcome(4), Some(Outcome::Launched));
            assert_eq!(found.outcome(6), Some(Outcome::Done));
            assert_eq!(found.outcome(7), None);
            assert!(!found.complete);
            assert!(
                found.bytes_read < WITH_EARLY_TASK + 2_800_000,
                "{}",
                found.bytes_read
            );
        }
    }
}

#[test]
fn the_users_word_right_behind_a_step_is_found_however_much_came_since() {
    let filler = ran(500, &"output\n".repeat(100));
    let work: String = (0..200).map(|step| ran(step, "ok")).collect();
    let spoken = work.clone() + &user(201, "is it done?") + &ran(202, "ok");
    for (head, heard) in [(&spoken, Some(201)), (&work, None)] {
        let query = Query {
            from_step: 200,
            ..Query::default()
        };
        let found = read(Endless::new(head, &filler, 20 * GB, ""), &query);
        assert_eq!(found.last_user_step, heard);
        assert!(found.bytes_read < WITH_EARLY_TASK, "{}", found.bytes_read);
    }
    // What was said in the window is later.
    let query = Query {
        from_step: 200,
        ..Query::default()
    };
    let later = user(900, "and now?");
    let found = read(Endless::new(&spoken, &filler, 20 * GB, &later), &query);
    assert_eq!(found.last_user_step, Some(900));
}

#[test]
fn what_takes_the_step_of_a_call_is_not_its_outcome() {
    let text = user(4, "go on") + &planned(6, "ls") + &ended(8, 2, "ok") + &ran(10, "ok");
    let found = facts(&text, &all(&[4, 6, 8, 10], 0));
    assert_eq!(found.outcomes, [(10, Outcome::Done)]);
}

#[test]
fn a_line_that_the_window_cuts_is_not_lost() {
    let first = user(0, "go") + &launched(2, "x");
    let text = first.clone() + &planned(500, &"ls; ".repeat(400)).repeat(1000);
    for cut in 1..first.len() as u64 + 100 {
        let window = text.len() as u64 - cut;
        let query = Query {
            task: Some(2),
            outcomes: &[2],
            from_step: 400,
            ..Query::default()
        };
        let found = facts_within(
            &text,
            &query,
            &Limits {
                window,
                ..Limits::default()
            },
        );
        assert_eq!(found.task, TaskState::Running, "cut at {cut}");
        assert_eq!(found.outcome(2), Some(Outcome::Launched), "cut at {cut}");
    }
}

#[test]
fn a_line_of_gigabytes_costs_the_window() {
    let filler = "no newline anywhere ".repeat(500);
    let head = user(0, "go") + "{\"step_index\":1,\"source\":\"MODEL\",\"content\":\"";
    let tail = "\"}\n".to_owned() + &user(5000, "go") + &launched(5002, "x");
    for query in [
        all(&[5002, 1], 5002),
        Query {
            from_step: 5000,
            ..Query::default()
        },
    ] {
        let found = read(Endless::new(&head, &filler, 20 * GB, &tail), &query);
        assert_eq!(found.last_user_step, Some(5000));
        assert!(found.bytes_read < WITH_EARLY_TASK, "{}", found.bytes_read);
    }
}

#[test]
fn a_file_that_becomes_shorter_is_read_as_far_as_it_goes() {
    let text = user(0, "go") + &user(2, "more");
    let mut source = Source::new(io::Cursor::new(text.as_bytes()), 50_000_000);
    let found = facts_from(
        &mut source,
        &Query::default(),
        &Limits {
            window: u64::MAX,
            ..Limits::default()
        },
    );
    assert_eq!(found.unwrap().last_user_step, Some(2));
}
