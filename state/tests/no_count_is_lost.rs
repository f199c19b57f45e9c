//! However many processes count at once, each count is kept.

mod support;

use std::collections::BTreeSet;
use std::thread;
use support::{CONVERSATION, all_told, child, child_store, count, level, store, tell};

const PROCESSES: u32 = 200;

#[test]
#[ignore = "entry point of the child processes"]
fn as_a_child() {
    if let Some(store) = child_store(support::PATIENT) {
        tell(count(&store, CONVERSATION).unwrap());
    }
}

#[test]
fn two_hundred_processes_on_one_conversation() {
    let (_home, store) = store();
    let children: Vec<_> = (0..PROCESSES)
        .map(|_| child(store.dir()).spawn().unwrap())
        .collect();
    let mut counts = BTreeSet::new();
    for child in children {
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success());
        counts.extend(
            all_told(&output.stdout)
                .iter()
                .map(|count| count.parse::<u32>().unwrap()),
        );
    }
    assert_eq!(counts, (1..=PROCESSES).collect());
    assert_eq!(level(&store, CONVERSATION), PROCESSES);
    assert_eq!(support::left_overs(store.dir()), [""; 0]);
}

#[test]
fn threads_on_many_conversations() {
    let (_home, store) = store();
    thread::scope(|scope| {
        for thread in 0..16 {
            let store = &store;
            scope.spawn(move || {
                for turn in 0..50 {
                    count(store, &format!("conversation-{}", (thread + turn) % 5)).unwrap();
                }
            });
        }
    });
    let listed = store.list().unwrap();
    let levels: Vec<u32> = listed
        .iter()
        .map(|one| one.ledger.as_ref().unwrap().level)
        .collect();
    assert_eq!(levels, [160; 5]);
}

#[test]
fn readers_without_the_lock_see_whole_ledgers_that_only_grow() {
    let (_home, store) = store();
    count(&store, CONVERSATION).unwrap();
    thread::scope(|scope| {
        let writer = scope.spawn(|| {
            (0..500).for_each(|_| {
                count(&store, CONVERSATION).unwrap();
            })
        });
        let mut seen = 1;
        while !writer.is_finished() {
            let now = level(&store, CONVERSATION);
            assert!(now >= seen, "{now} after {seen}");
            seen = now;
        }
    });
    assert_eq!(level(&store, CONVERSATION), 501);
}
