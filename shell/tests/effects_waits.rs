//! Which lines only wait, and for how long.

mod common;

use common::{effects_of, fixtures};

#[test]
fn lines_that_only_wait_are_seen() {
    let mut wrong = Vec::new();
    for (_, fixture) in fixtures(include_str!("data/waits.txt")) {
        let mut fields = fixture.splitn(3, ' ');
        let (seconds, flags, line) = (
            fields.next().unwrap(),
            fields.next().unwrap(),
            fields.next().unwrap(),
        );
        let wait = effects_of("/home/dev/work", line).wait;
        let right = wait.is_some_and(|wait| {
            wait.seconds == seconds.parse().ok()
                && wait.repeats == flags.contains('l')
                && wait.reads == flags.contains('r')
                && wait.probes == flags.contains('p')
        });
        if !right {
            wrong.push(format!("{fixture}: {wait:?}"));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} lines:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
fn lines_that_do_more_are_no_waits() {
    let wrong: Vec<_> = fixtures(include_str!("data/waits_not.txt"))
        .into_iter()
        .filter(|(_, line)| effects_of("/home/dev/work", line).wait.is_some())
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}
