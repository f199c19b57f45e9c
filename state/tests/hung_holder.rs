//! A process that hangs with the lock costs a call its deadline and no more, and other conversations nothing.

#![cfg(unix)]

mod support;

use guard_state::{StateError, Store};
use rustix::process::{Pid, Signal, kill_process};
use std::io::{BufRead, BufReader};
use std::process::{Child, ChildStdout, Stdio};
use std::time::{Duration, Instant};
use support::{
    CONVERSATION, after_damage, child, child_store, count, level, patient, store, tell, told,
};

const DEADLINE: Duration = Duration::from_millis(200);

/// Far more than the deadline, far less than for ever.
const BOUNDED: Duration = Duration::from_secs(20);

#[test]
#[ignore = "entry point of the child processes"]
fn as_a_child() {
    if let Some(store) = child_store(support::PATIENT) {
        let hang = |ledger: &mut guard_state::Ledger| {
            tell("holding");
            ledger.level += 100;
            let mut line = String::new();
            std::io::stdin().read_line(&mut line).unwrap();
        };
        store.update(CONVERSATION, after_damage, hang).unwrap();
    }
}

struct Holder {
    child: Child,
    // Kept open: the child still prints when it ends.
    _output: BufReader<ChildStdout>,
}

/// A process that holds the lock until its standard input ends.
fn holder(store: &Store) -> Holder {
    let mut child = child(store.dir()).stdin(Stdio::piped()).spawn().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    while told(line.trim_end()) != Some("holding") {
        line.clear();
        assert_ne!(output.read_line(&mut line).unwrap(), 0, "the child ended");
    }
    Holder {
        child,
        _output: output,
    }
}

fn signal(child: &Child, signal: Signal) {
    kill_process(Pid::from_child(child), signal).unwrap();
}

#[test]
fn a_stopped_process_is_waited_for_until_the_deadline() {
    let (_home, patient_store) = store();
    count(&patient_store, CONVERSATION).unwrap();
    let Holder { mut child, _output } = holder(&patient_store);
    signal(&child, Signal::STOP);
    let store = Store::new(patient_store.dir(), DEADLINE);

    let began = Instant::now();
    let error = count(&store, CONVERSATION).unwrap_err();
    let took = began.elapsed();
    assert!(
        matches!(error, StateError::Locked { waited, .. } if waited == DEADLINE),
        "{error}"
    );
    assert!((DEADLINE..BOUNDED).contains(&took), "{took:?}");
    assert!(matches!(
        store.reset(CONVERSATION),
        Err(StateError::Locked { .. })
    ));

    assert_eq!(level(&store, CONVERSATION), 1, "reading needs no lock");
    let others = (0..20)
        .filter(|other| count(&store, &format!("other-{other}")).is_ok())
        .count();
    assert!(others >= 15, "{others} of 20 other conversations went on");

    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(
        count(&patient_store, CONVERSATION).unwrap(),
        2,
        "its death frees the lock"
    );
}

#[test]
fn a_process_that_goes_on_loses_nothing_and_overwrites_nothing() {
    let (_home, patient_store) = store();
    let Holder { mut child, _output } = holder(&patient_store);
    signal(&child, Signal::STOP);
    let impatient = Store::new(patient_store.dir(), Duration::ZERO);
    assert!(matches!(
        count(&impatient, CONVERSATION),
        Err(StateError::Locked { .. })
    ));
    signal(&child, Signal::CONT);
    drop(child.stdin.take());
    // The waiter that was left behind above may get the lock first; it must let go of it.
    assert_eq!(count(&patient_store, CONVERSATION).unwrap(), 101);
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_waiter_gets_the_lock_when_it_is_free() {
    let (_home, patient_store) = store();
    let Holder { mut child, _output } = holder(&patient_store);
    let store = patient(patient_store.dir());
    let waiter = std::thread::spawn(move || count(&store, CONVERSATION).unwrap());
    drop(child.stdin.take());
    assert_eq!(waiter.join().unwrap(), 101);
    assert!(child.wait().unwrap().success());
}
