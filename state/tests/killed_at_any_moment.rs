//! A process that dies at any point leaves a file that can be read, no lock, and little else.

mod support;

use std::io::{BufRead, BufReader};
use std::time::{Duration, Instant};
use support::{CONVERSATION, child, child_store, count, left_overs, level, store, tell, told};

#[test]
#[ignore = "entry point of the child processes"]
fn as_a_child() {
    if let Some(store) = child_store(support::PATIENT) {
        loop {
            tell(count(&store, CONVERSATION).unwrap());
        }
    }
}

#[test]
fn killed_a_hundred_times() {
    let (_home, store) = store();
    for round in 0..100_u64 {
        let mut child = child(store.dir()).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut next = || loop {
            if let Some(count) = told(&lines.next().unwrap().unwrap()) {
                return count.parse::<u32>().unwrap();
            }
        };
        let mut told = (0..=round % 7).map(|_| next()).last().unwrap();
        // Another point of the update in each round, over about two of them.
        let moment = Instant::now() + Duration::from_micros(round * 37 % 400);
        while Instant::now() < moment {
            std::hint::spin_loop();
        }
        child.kill().unwrap();
        child.wait().unwrap();
        while let Some(Ok(line)) = lines.next() {
            told = support::told(&line)
                .and_then(|count| count.parse().ok())
                .unwrap_or(told);
        }
        let kept = level(&store, CONVERSATION);
        assert!(
            (told..=told + 1).contains(&kept),
            "told {told}, kept {kept}"
        );
        assert_eq!(
            count(&store, CONVERSATION).unwrap(),
            kept + 1,
            "the lock is free"
        );
        assert!(
            left_overs(store.dir()).len() <= 8,
            "{:?}",
            left_overs(store.dir())
        );
    }
}

#[test]
fn what_a_dead_writer_left_is_used_up_when_the_names_run_out() {
    let (_home, store) = store();
    let file = support::state_file(&store, CONVERSATION);
    for slot in 0..8 {
        std::fs::write(file.with_extension(format!("tmp{slot}")), "{\"versi").unwrap();
    }
    assert_eq!(count(&store, CONVERSATION).unwrap(), 2);
    assert_eq!(left_overs(store.dir()), [""; 0]);
}
