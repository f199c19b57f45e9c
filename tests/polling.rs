//! Status checks get rarer, early ones are refused, and the fifth early one goes to the user.

mod common;

use common::World;
use serde_json::json;

#[test]
fn checks_are_allowed_exactly_when_their_cooldown_has_passed() {
    let mut world = World::new();
    world.poll().is("allow");
    for (seconds, strikes_so_far) in [(30, 0), (75, 1), (188, 2), (469, 3)] {
        world.wait(seconds - 1);
        let refused = world.poll();
        refused.is("deny");
        let strike = format!("strike {} of 5", strikes_so_far + 1);
        assert!(refused.reason().contains(&strike), "{}", refused.reason());
        assert!(refused.reason().contains("in 1 s"), "{}", refused.reason());
        world.wait(1);
        world.poll().is("allow");
    }
    world.wait(600);
    world.poll().is("allow");
    world.wait(600);
    world.poll().is("allow");
}

#[test]
fn a_refused_check_does_not_move_the_next_allowed_one() {
    let mut world = World::new();
    world.poll().is("allow");
    for _ in 0..3 {
        world.wait(9);
        world.poll().is("deny");
    }
    world.wait(3);
    world.poll().is("allow");
}

#[test]
fn the_fifth_strike_opens_the_breaker_for_every_polling_call() {
    let mut world = World::new();
    world.poll().is("allow");
    for _ in 0..4 {
        world.poll().is("deny");
    }
    let asked = world.poll();
    asked.is("force_ask");
    assert!(
        asked.reason().contains("5 premature checks, of task-18"),
        "{}",
        asked.reason()
    );
    world.wait(10_000);
    world.poll().is("force_ask");
    world
        .call("manage_task", json!({"Action": "list"}))
        .is("force_ask");
    world.call("command_status", json!({})).is("force_ask");
}

#[test]
fn strikes_are_cumulative_over_allowed_checks() {
    let mut world = World::new();
    world.poll().is("allow");
    world.poll().is("deny");
    world.poll().is("deny");
    world.wait(30);
    world.poll().is("allow");
    world.poll().is("deny");
    world.poll().is("deny");
    world.poll().is("force_ask");
}

#[test]
fn after_five_allowed_checks_one_early_check_opens_the_breaker() {
    let mut world = World::new();
    for seconds in [0, 30, 75, 188, 469] {
        world.wait(seconds);
        world.poll().is("allow");
    }
    world.wait(599);
    world.poll().is("force_ask");
}

#[test]
fn no_change_of_dress_gains_a_check() {
    let mut world = World::new();
    world
        .call(
            "manage_task",
            json!({"Action": "status", "TaskId": "a/task-1"}),
        )
        .is("allow");
    world
        .call(
            "manage_task",
            json!({"Action": "status", "TaskId": "a/task-2"}),
        )
        .is("deny");
    world
        .call("run_command", json!({"CommandLine": "true"}))
        .is("allow");
    world
        .call("Manage_Task", json!({"action": "\" STATUS \""}))
        .is("deny");
    world
        .call("command_status", json!({"toolSummary": "new"}))
        .is("deny");
    world
        .call("manage_task", json!({"Action": "list", "toolSummary": "x"}))
        .is("deny");
    world
        .call("manage_task", json!({"Action": "status"}))
        .is("force_ask");
}

#[test]
fn kill_and_input_are_never_limited() {
    let mut world = World::new();
    for _ in 0..8 {
        world.poll();
    }
    world.poll().is("force_ask");
    for action in ["kill", "send_input", " Kill ", "\"KILL\""] {
        world
            .call(
                "manage_task",
                json!({"Action": action, "TaskId": "task-18"}),
            )
            .is("allow");
    }
    std::fs::remove_dir_all(world.state_dir()).unwrap();
    std::fs::write(world.state_dir(), "no folder").unwrap();
    world.poll().is("deny");
    world
        .call(
            "manage_task",
            json!({"Action": "kill", "TaskId": "task-18"}),
        )
        .is("allow");
}

#[test]
fn one_call_that_the_host_hands_over_twice_counts_once() {
    let mut world = World::new();
    let first = world.payload("manage_task", json!({"Action": "status"}));
    for _ in 0..10 {
        world.answer(&first).is("allow");
    }
    let second = world.payload("manage_task", json!({"Action": "status"}));
    let refused = world.answer(&second);
    assert!(refused.is("deny").reason().contains("strike 1 of 5"));
    world.wait(5);
    assert_eq!(world.answer(&second), refused);
    world.poll().is("deny");
    assert!(world.poll().reason().contains("strike 3 of 5"));
}

#[test]
fn a_second_registration_that_is_given_what_the_first_changed_counts_nothing() {
    let mut world = World::with_tools(&["rtk"]);
    world.launch("make");
    let ended = world.launch("make docs");
    world.end(ended);
    let line = format!("sleep 20; cat {}", world.log(ended));
    for decision in ["allow", "deny"] {
        let mut wait = world.payload(
            "run_command",
            json!({"CommandLine": line, "WaitMsBeforeAsync": 500}),
        );
        let first = world.answer(&wait);
        first.is(decision);
        // Where it was refused there is nothing to merge.
        if let Some(changes) = first.overwrite().as_object() {
            assert!(changes.contains_key("CommandLine"), "{changes:?}");
            let arguments = wait["toolCall"]["args"].as_object_mut().unwrap();
            arguments.extend(changes.clone());
        }
        world.answer(&wait).is(decision);
    }
    assert!(world.poll().reason().contains("strike 2 of 5"));
}

#[test]
fn conversations_have_ledgers_of_their_own() {
    let mut world = World::new();
    world.poll().is("allow");
    let mut other = world.payload("manage_task", json!({"Action": "status"}));
    other["conversationId"] = json!("another");
    world.answer(&other).is("allow");
    world.poll().is("deny");
}

#[test]
fn an_hour_without_polling_starts_anew_but_closes_no_breaker() {
    let mut world = World::new();
    for seconds in [0, 30, 75] {
        world.wait(seconds);
        world.poll().is("allow");
    }
    world.poll().is("deny");
    world.wait(3600);
    world.poll().is("allow");
    world.wait(30);
    world.poll().is("allow");
    for _ in 0..4 {
        world.poll().is("deny");
    }
    world.poll().is("force_ask");
    world.wait(2 * 3600);
    world.poll().is("force_ask");
}

#[test]
fn a_clock_that_goes_backwards_costs_at_most_one_cooldown() {
    let mut world = World::new();
    world.poll().is("allow");
    world.wait(-86_400);
    let refused = world.poll();
    assert!(
        refused.is("deny").reason().contains("in 30 s"),
        "{}",
        refused.reason()
    );
    world.wait(29);
    world.poll().is("deny");
    world.wait(1);
    world.poll().is("allow");
}

#[test]
fn a_refusal_tells_the_agent_to_end_its_turn_and_suggests_no_other_arguments() {
    let mut world = World::new();
    world.poll();
    let reason = world.poll().reason().to_owned();
    assert!(reason.contains("End your turn now"), "{reason}");
    assert!(reason.contains("NotificationTimeoutSeconds"), "{reason}");
    assert!(!reason.to_lowercase().contains("try "), "{reason}");
}

#[test]
fn a_kill_is_allowed_whatever_it_names() {
    let mut world = World::new();
    for task in [json!(["task-1"]), json!({}), json!(null), json!(18)] {
        let args = json!({"Action": "kill", "TaskId": task});
        world.call("manage_task", args).is("allow");
    }
    // What it names makes a check no other: it counts.
    let check = |task| json!({"Action": "status", "TaskId": task});
    world
        .call("manage_task", check(json!(["task-1"])))
        .is("allow");
    world.call("manage_task", check(json!({}))).is("deny");
}

#[test]
fn what_was_polled_is_named_to_the_user() {
    let mut world = World::new();
    world.poll().is("allow");
    for _ in 0..3 {
        world
            .call("manage_task", json!({"Action": "list"}))
            .is("deny");
    }
    world
        .call("command_status", json!({"CommandId": "c-7"}))
        .is("deny");
    let asked = world.call("command_status", json!({}));
    assert!(
        asked
            .is("force_ask")
            .reason()
            .contains("5 premature checks, of task-18, the list of tasks, c-7, a command."),
        "{}",
        asked.reason()
    );
}

#[test]
fn a_refused_wait_says_that_it_is_one() {
    let mut world = World::new();
    world.launch("make");
    let wait = json!({"CommandLine": "sleep 60"});
    world.call("run_command", wait.clone()).is("allow");
    let refused = world.call("run_command", wait);
    assert!(
        refused
            .is("deny")
            .reason()
            .contains("Waiting in the shell refused")
            && refused.reason().contains("in 30 s (strike 1 of 5)"),
        "{}",
        refused.reason()
    );
}

#[test]
fn a_loop_that_reads_between_pauses_polls_and_a_read_after_one_works() {
    let mut world = World::new();
    world.launch("make");
    world.poll().is("allow");
    for line in [
        "until grep -q Finished build.log; do sleep 1; done",
        "while true; do ls target/release && break; sleep 1; done",
        "for i in $(seq 5); do sleep 1; tail -1 build.log; done",
        "while [ \"$(tail -1 build.log)\" != Finished ]; do sleep 1; done",
        "while ! ls done.txt; do sleep 1; done",
    ] {
        let answer = world.call("run_command", json!({"CommandLine": line}));
        assert_ne!(answer.decision(), "allow", "{line}");
    }
    for line in [
        "sleep 1; wc -l build.log",
        "sleep 1 && ls target",
        "for f in a b; do head -5 $f; done",
    ] {
        world
            .call("run_command", json!({"CommandLine": line}))
            .is("allow");
    }
}

#[test]
fn a_single_premature_check_is_one_check() {
    let mut world = World::new();
    for wait in [0, 30, 75, 188, 469] {
        world.wait(wait);
        world.poll().is("allow");
    }
    let asked = world.poll();
    assert!(
        asked
            .is("force_ask")
            .reason()
            .contains("1 premature check, of task-18"),
        "{}",
        asked.reason()
    );
}
