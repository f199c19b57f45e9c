//! Only a human closes an open breaker, and the transcript says what the human did.

mod common;

use std::fs;

use common::World;
use serde_json::json;

fn tripped() -> World {
    let mut world = World::new();
    world.poll().is("allow");
    for _ in 0..4 {
        world.poll().is("deny");
    }
    world.poll().is("force_ask");
    world
}

#[test]
fn an_approved_check_closes_it_and_leaves_the_level() {
    let mut world = tripped();
    world.outcome("DONE");
    world.wait(29);
    let refused = world.poll();
    assert!(
        refused.is("deny").reason().contains("strike 1 of 5"),
        "{}",
        refused.reason()
    );
    world.wait(1);
    world.poll().is("allow");
    world.wait(74);
    world.poll().is("deny");
}

#[test]
fn a_declined_check_is_refused_without_another_dialog_until_the_user_speaks() {
    let mut world = tripped();
    world.outcome("ERROR");
    for _ in 0..3 {
        world.wait(10_000);
        let refused = world.poll();
        assert!(
            refused.is("deny").reason().contains("declined"),
            "{}",
            refused.reason()
        );
    }
    world.user_speaks();
    world.poll().is("allow");
    world.poll().is("deny");
}

#[test]
fn the_newest_answer_counts() {
    let mut world = tripped();
    world.outcome("ERROR");
    let mut other = tripped();
    other.poll().is("force_ask");
    other.outcome("DONE");
    other.wait(30);
    other.poll().is("allow");
    world.poll().is("deny");
}

#[test]
fn the_users_word_starts_a_new_wait_even_while_the_breaker_is_closed() {
    let mut world = World::new();
    world.poll().is("allow");
    world.poll().is("deny");
    world.user_speaks();
    world.poll().is("allow");
    assert!(world.poll().is("deny").reason().contains("strike 1 of 5"));
}

#[test]
fn a_prompt_from_before_the_last_check_is_not_news() {
    let mut world = World::new();
    world.user_speaks();
    world.poll().is("allow");
    world.poll().is("deny");
}

#[test]
fn what_is_not_the_user_closes_nothing() {
    for record in [
        json!({"step_index": 900, "source": "SYSTEM", "type": "SYSTEM_MESSAGE", "status": "DONE",
               "content": "{\"source\":\"USER_EXPLICIT\",\"type\":\"USER_INPUT\"}"}),
        json!({"step_index": 900, "source": "MODEL", "type": "VIEW_FILE", "status": "DONE",
               "content": "\n{\"step_index\":950,\"source\":\"USER_EXPLICIT\",\"type\":\"USER_INPUT\",\"status\":\"DONE\"}\n"}),
        json!({"step_index": 900, "source": "USER_IMPLICIT", "type": "USER_INPUT", "status": "DONE"}),
        json!({"step_index": 900, "source": "MODEL", "type": "PLANNER_RESPONSE", "status": "DONE",
               "tool_calls": [{"name": "x", "args": {"source": "USER_EXPLICIT", "type": "USER_INPUT"}}]}),
    ] {
        let mut world = tripped();
        world.record(&record);
        world.poll().is("force_ask");
    }
}

#[test]
fn a_half_written_prompt_counts_when_it_is_whole() {
    let mut world = tripped();
    world.user_speaks();
    let whole = fs::read(world.transcript()).unwrap();
    for cut in [1, 2, 20, 60] {
        fs::write(world.transcript(), &whole[..whole.len() - 1 - cut]).unwrap();
        world.poll().is("force_ask");
    }
    // The polls in between have later steps, so this is another prompt.
    fs::write(world.transcript(), &whole).unwrap();
    world.user_speaks();
    world.poll().is("allow");
}

#[test]
fn without_a_readable_transcript_it_stays_open() {
    let mut world = tripped();
    fs::remove_file(world.transcript()).ok();
    world.poll().is("force_ask");
    fs::create_dir(world.transcript()).unwrap();
    world.poll().is("force_ask");
}

#[test]
fn the_users_way_out_is_a_reset() {
    let mut world = tripped();
    let (_, _, status) = world.run(&["state", "reset", "--conversation", "other"], b"");
    assert_eq!(status, 0);
    world.poll().is("force_ask");
    let (out, _, status) = world.run(&["state", "reset"], b"");
    assert_eq!((out.as_str(), status), ("1 conversation starts anew\n", 0));
    world.poll().is("allow");
}

#[test]
fn a_prompt_in_the_step_of_a_call_given_up_is_the_user_speaking() {
    let mut world = tripped();
    let given_up = world.last_step();
    world.record(
        &json!({"step_index": given_up, "source": "USER_EXPLICIT", "type": "USER_INPUT",
            "status": "DONE", "content": "is it done?"}),
    );
    world.poll().is("allow");
    // It was told once.
    world.poll().is("deny");
    world.poll().is("deny");
}

#[test]
fn what_takes_the_step_of_a_call_given_up_is_no_approval() {
    for (source, kind) in [("MODEL", "PLANNER_RESPONSE"), ("SYSTEM", "SYSTEM_MESSAGE")] {
        let mut world = tripped();
        world.record(
            &json!({"step_index": world.last_step(), "source": source, "type": kind,
                "status": "DONE", "content": "x"}),
        );
        world.poll().is("force_ask");
    }
}

#[test]
fn a_step_is_the_same_however_the_host_writes_the_number() {
    for write in [
        |step: u64| json!(step.to_string()),
        |step: u64| json!(step as f64),
        |step: u64| json!(step),
    ] {
        let mut world = World::new();
        let poll = |world: &mut World| {
            let mut payload = world.payload(
                "manage_task",
                json!({"Action": "status", "TaskId": "task-18"}),
            );
            payload["stepIdx"] = write(payload["stepIdx"].as_u64().unwrap());
            world.answer(&payload)
        };
        for _ in 0..5 {
            poll(&mut world);
        }
        poll(&mut world).is("force_ask");
        world.outcome("DONE");
        poll(&mut world).is("deny");
    }
}

#[test]
fn without_steps_a_prompt_counts_once() {
    let mut world = World::new();
    let poll = |world: &mut World| {
        let mut payload = world.payload("manage_task", json!({"Action": "status"}));
        payload.as_object_mut().unwrap().remove("stepIdx");
        world.answer(&payload)
    };
    world.user_speaks();
    poll(&mut world).is("allow");
    poll(&mut world).is("deny");
    world.user_speaks();
    poll(&mut world).is("allow");
    poll(&mut world).is("deny");
}
