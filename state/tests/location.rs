//! Where the state lives follows from the environment, and from nothing else.

#![cfg(not(windows))]

use guard_state::{StateError, runtime_dir, state_dir};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

fn with(variables: &[(&str, &str)]) -> impl Fn(&str) -> Option<OsString> {
    move |name| {
        let found = variables.iter().find(|(variable, _)| *variable == name);
        found.map(|(_, value)| OsString::from(value))
    }
}

fn dir(variables: &[(&str, &str)]) -> PathBuf {
    state_dir(with(variables)).unwrap()
}

const HOME: (&str, &str) = ("HOME", "/home/me");

#[test]
fn the_first_variable_that_is_set() {
    let own = ("EXECUTION_GUARD_STATE_DIR", "/own");
    let xdg = ("XDG_STATE_HOME", "/xdg");
    assert_eq!(dir(&[own, xdg, HOME]), Path::new("/own"));
    assert_eq!(dir(&[xdg, HOME]), Path::new("/xdg/execution-guard"));
    assert_eq!(
        dir(&[HOME]),
        Path::new("/home/me/.local/state/execution-guard")
    );
    assert_eq!(dir(&[own]), Path::new("/own"));
}

#[test]
fn an_empty_variable_is_not_set() {
    let empty = [
        ("EXECUTION_GUARD_STATE_DIR", ""),
        ("XDG_STATE_HOME", ""),
        HOME,
    ];
    assert_eq!(
        dir(&empty),
        Path::new("/home/me/.local/state/execution-guard")
    );
}

#[test]
fn a_relative_folder_is_ignored_or_refused() {
    let relative = ("XDG_STATE_HOME", "state");
    assert_eq!(
        dir(&[relative, HOME]),
        Path::new("/home/me/.local/state/execution-guard")
    );
    assert!(matches!(
        state_dir(with(&[relative, ("HOME", "me")])),
        Err(StateError::NoHome)
    ));
    let own = state_dir(with(&[("EXECUTION_GUARD_STATE_DIR", "state"), HOME]));
    assert!(matches!(own, Err(StateError::RelativeFolder { path }) if path == Path::new("state")));
}

#[test]
fn no_home_is_an_error_that_says_what_to_set() {
    for variables in [&[][..], &[("HOME", "")]] {
        let error = state_dir(with(variables)).unwrap_err();
        assert!(matches!(error, StateError::NoHome));
        assert!(
            error.to_string().contains("set EXECUTION_GUARD_STATE_DIR"),
            "{error}"
        );
    }
}

#[test]
fn a_folder_for_local_locks_only_where_the_system_gives_one() {
    let given = ("XDG_RUNTIME_DIR", "/run/user/1000");
    assert_eq!(
        runtime_dir(with(&[given])),
        Some("/run/user/1000/execution-guard".into())
    );
    for value in ["", "run"] {
        assert_eq!(runtime_dir(with(&[("XDG_RUNTIME_DIR", value)])), None);
    }
    assert_eq!(runtime_dir(with(&[HOME])), None);
}
