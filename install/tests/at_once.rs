//! Many installations at once, and installations killed in the middle, leave whole files.
#![cfg(unix)]
#![allow(missing_docs)]

#[path = "common/home.rs"]
mod home;

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use guard_install::{InstallOptions, install, uninstall};
use home::{Home, everywhere, setup, write};

const FOLDER: &str = "EXECUTION_GUARD_TEST_HOME";
const ROUNDS: &str = "EXECUTION_GUARD_TEST_ROUNDS";

/// One process of the tests below.
#[test]
#[ignore = "started by the other tests"]
fn child() {
    let home = std::env::var(FOLDER).expect("a home");
    let rounds: usize = std::env::var(ROUNDS)
        .expect("a number")
        .parse()
        .expect("a number");
    install(&setup(Path::new(&home)), &InstallOptions::default()).expect("it installs");
    for _ in 0..rounds {
        uninstall(&setup(Path::new(&home)), &everywhere()).expect("it uninstalls");
        install(&setup(Path::new(&home)), &InstallOptions::default()).expect("it installs");
    }
}

fn start(home: &Home, rounds: usize) -> Child {
    Command::new(std::env::current_exe().expect("this test"))
        .args(["--ignored", "--exact", "child"])
        .env(FOLDER, home.path())
        .env(ROUNDS, rounds.to_string())
        .stdout(Stdio::null())
        .spawn()
        .expect("it starts")
}

const THEIRS: &str = "{\n\t\"a\": {}, // mine\n}\n";

#[test]
fn twelve_installations_at_once_end_in_one_valid_file() {
    let home = Home::new();
    write(&home.hooks(), THEIRS);
    let children: Vec<Child> = (0..12).map(|_| start(&home, 0)).collect();
    for mut child in children {
        assert!(child.wait().expect("it ends").success());
    }
    let text = fs::read_to_string(home.hooks()).expect("text");
    assert_eq!(text.matches("execution-guard\":").count(), 1, "{text}");
    assert_eq!(
        home.backups().len(),
        1,
        "one of them changed the file, the others found it done"
    );
    uninstall(&home.setup(), &everywhere()).expect("it uninstalls");
    assert_eq!(fs::read_to_string(home.hooks()).expect("text"), THEIRS);
}

#[test]
fn installing_and_uninstalling_at_once_never_mixes() {
    let home = Home::new();
    write(&home.hooks(), THEIRS);
    let children: Vec<Child> = (0..6).map(|_| start(&home, 4)).collect();
    for mut child in children {
        assert!(child.wait().expect("it ends").success());
    }
    uninstall(&home.setup(), &everywhere()).expect("it uninstalls");
    assert_eq!(fs::read_to_string(home.hooks()).expect("text"), THEIRS);
}

#[test]
fn killed_at_any_point_the_file_is_the_old_or_the_new_one() {
    let home = Home::new();
    write(&home.hooks(), THEIRS);
    install(&home.setup(), &InstallOptions::default()).expect("it installs");
    let new = fs::read(home.hooks()).expect("bytes");
    for round in 0..40u64 {
        let mut child = start(&home, 1_000_000);
        // The points differ by less than the time of one installation.
        std::thread::sleep(Duration::from_micros(20_000 + 1_370 * round));
        child.kill().expect("it runs");
        child.wait().expect("it ends");
        let now = fs::read(home.hooks()).expect("the file is there");
        assert!(
            now == new || now == THEIRS.as_bytes(),
            "{}",
            String::from_utf8_lossy(&now)
        );
        for backup in home.backups() {
            let kept = fs::read(backup).expect("bytes");
            assert!(
                kept == new || kept == THEIRS.as_bytes(),
                "{}",
                String::from_utf8_lossy(&kept)
            );
        }
    }
    install(&home.setup(), &InstallOptions::default()).expect("no lock is left behind");
    uninstall(&home.setup(), &everywhere()).expect("it uninstalls");
    assert_eq!(fs::read(home.hooks()).expect("bytes"), THEIRS.as_bytes());
    let left = fs::read_dir(home.path().join(".gemini/config")).expect("a folder");
    let names: Vec<String> = left
        .map(|entry| {
            entry
                .expect("an entry")
                .file_name()
                .to_string_lossy()
                .into_owned()
        })
        .collect();
    assert!(
        !names
            .iter()
            .any(|name| name.starts_with(".hooks.json.execution-guard-")),
        "{names:?}"
    );
}
