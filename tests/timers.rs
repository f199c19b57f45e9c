//! A timer that watches a task is spaced like a check; a reminder for the user is free.

mod common;

use common::{Answer, World};
use serde_json::{Value, json};

fn timer(world: &mut World, mut args: Value) -> Answer {
    if args.get("Prompt").is_none() {
        args["Prompt"] = json!("Check on the build");
    }
    world.call("schedule", args)
}

#[test]
fn a_watchdog_runs_for_the_cooldown_and_for_thirty_seconds_at_least() {
    let mut world = World::new();
    let refused = timer(&mut world, json!({"DurationSeconds": 29}));
    assert!(
        refused
            .is("deny")
            .reason()
            .contains("at least 30 s (strike 1 of 5)"),
        "{}",
        refused.reason()
    );
    timer(&mut world, json!({"DurationSeconds": 30})).is("allow");
    world.poll().is("allow");
    world.wait(30);
    world.poll().is("allow");
    timer(&mut world, json!({"DurationSeconds": 74})).is("deny");
    timer(&mut world, json!({"DurationSeconds": "75"})).is("allow");
}

#[test]
fn early_timers_add_up_to_the_breaker_and_a_proper_one_stays_allowed() {
    let mut world = World::new();
    for _ in 0..4 {
        timer(&mut world, json!({"DurationSeconds": 5})).is("deny");
    }
    timer(&mut world, json!({"DurationSeconds": 5})).is("force_ask");
    world.poll().is("force_ask");
    timer(&mut world, json!({"DurationSeconds": 600})).is("allow");
}

#[test]
fn an_allowed_watchdog_brings_the_status_card() {
    let mut world = World::new();
    let task = world.launch("cargo build --release");
    let answer = timer(
        &mut world,
        json!({"DurationSeconds": 60, "TimerCondition": format!("task-{task}")}),
    );
    let card = answer.is("allow").reason();
    for line in [
        "Pre-Yield Status Card",
        "Command: cargo build --release (task-100)",
        "Scope: ",
        "Started: 2026-11-30T15:52:12Z",
        "Expected duration: ",
        "Watchdog: ",
        "Next check: 2026-11-30T16:01:00Z",
    ] {
        assert!(card.contains(line), "{line} in {card}");
    }
}

#[test]
fn recurring_timers_are_judged_by_their_shortest_gap() {
    let mut world = World::new();
    world.poll();
    world.wait(30);
    world.poll().is("allow");
    timer(&mut world, json!({"CronExpression": "* * * * *"})).is("deny");
    timer(&mut world, json!({"CronExpression": "0,1 * * * *"})).is("deny");
    timer(&mut world, json!({"CronExpression": "*/2 * * * *"})).is("allow");
    let refused = timer(&mut world, json!({"CronExpression": "every minute"}));
    assert!(
        refused
            .is("deny")
            .reason()
            .contains("2 fields instead of 5"),
        "{}",
        refused.reason()
    );
}

#[test]
fn a_condition_makes_any_timer_a_watchdog() {
    let mut world = World::new();
    for condition in [
        "any",
        " ANY ",
        "task-18",
        "1afed0731d3375b5ce77ece98355e9a3/task-18",
    ] {
        let mut world = World::new();
        timer(
            &mut world,
            json!({"Prompt": "go on", "DurationSeconds": 5, "TimerCondition": condition}),
        )
        .is("deny");
    }
    for condition in ["never", "", "NEVER"] {
        timer(
            &mut world,
            json!({"Prompt": "go on", "DurationSeconds": 5, "TimerCondition": condition}),
        )
        .is("allow");
    }
}

#[test]
fn a_running_task_makes_a_timer_a_watchdog_unless_it_is_a_standing_job() {
    let mut world = World::new();
    let harmless = json!({"Prompt": "go on", "DurationSeconds": 5});
    timer(&mut world, harmless.clone()).is("allow");
    let task = world.launch("make");
    timer(&mut world, harmless.clone()).is("deny");
    timer(
        &mut world,
        json!({"Prompt": "go on", "DurationSeconds": 5, "IsDaemon": "true"}),
    )
    .is("allow");
    world.end(task);
    timer(&mut world, harmless).is("allow");
}

#[test]
fn reminders_for_the_user_are_always_allowed() {
    let mut world = World::new();
    world.launch("make");
    for prompt in [
        "Remind the user to stretch",
        "Send the user a reminder to check the build",
    ] {
        timer(&mut world, json!({"Prompt": prompt, "DurationSeconds": 5})).is("allow");
    }
    timer(
        &mut world,
        json!({"Prompt": "Remind the user", "DurationSeconds": 5, "TimerCondition": "any"}),
    )
    .is("deny");
}

#[test]
fn a_timer_that_says_not_when_is_refused() {
    let mut world = World::new();
    timer(&mut world, json!({})).is("deny");
    timer(&mut world, json!({"DurationSeconds": "soon"})).is("deny");
}

#[test]
fn a_timer_beyond_all_time_is_a_timer() {
    let mut world = World::new();
    for seconds in [u64::from(u32::MAX), 9_999_999_999_999, u64::MAX] {
        let accepted = timer(&mut world, json!({"DurationSeconds": seconds}));
        assert!(
            accepted.is("allow").reason().contains("Next check: "),
            "{}",
            accepted.reason()
        );
    }
}

#[test]
fn the_card_says_when_the_timer_fires() {
    let mut world = World::new();
    let once = timer(&mut world, json!({"DurationSeconds": 90}));
    assert!(
        once.reason().contains("Watchdog: once, in 90 s at most")
            && once.reason().contains("Next check: 2026-11-30T16:01:30Z"),
        "{}",
        once.reason()
    );
    let recurring = timer(&mut world, json!({"CronExpression": "0 9 * * *"}));
    assert!(
        recurring.reason().contains("Watchdog: cron `0 9 * * *`")
            && recurring
                .reason()
                .contains("Next check: when the timer fires"),
        "{}",
        recurring.reason()
    );
}
