//! On a full disk or in a read-only folder the old state stands, and the error says which file could not be written.

#![cfg(unix)]

mod support;

use guard_state::StateError;
use std::fs;
use std::path::Path;
use std::process::Command;
use support::{
    CONVERSATION, after_damage, child_store, left_overs, level, names, state_file, store, tell,
};

#[test]
#[ignore = "entry point of the child processes"]
fn as_a_child() {
    let Some(store) = child_store(support::PATIENT) else {
        return;
    };
    let answer = store.update(CONVERSATION, after_damage, |ledger| {
        ledger.level += 1;
        // More than one block, so that a limit can cut the write in its middle.
        for task in 0..8 {
            ledger
                .tasks_polled
                .push(guard_state::TaskName::from(format!(
                    "{task}{}",
                    "x".repeat(190)
                )));
        }
    });
    tell(match answer {
        Ok(()) => "written".to_owned(),
        Err(StateError::NotWritable { path, .. }) => format!("not writable {}", path.display()),
        Err(StateError::Io { action, path, .. }) => format!("can't {action} {}", path.display()),
        Err(error) => error.to_string(),
    });
}

/// A process whose every file may have at most `blocks` of 512 bytes: what is written beyond fails, for root too.
fn limited(blocks: u32, dir: &Path) -> Vec<String> {
    let child = support::child(dir);
    let mut shell = Command::new("sh");
    shell
        .arg("-c")
        .arg(format!(
            "trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\""
        ))
        .arg(child.get_program())
        .args(child.get_args());
    for (name, value) in child.get_envs() {
        shell.env(name, value.unwrap_or_default());
    }
    support::all_told(&shell.output().unwrap().stdout)
}

#[test]
fn a_write_that_fails_at_once_or_in_its_middle() {
    let (_home, store) = store();
    let file = state_file(&store, CONVERSATION);
    let before = fs::read(&file).unwrap();
    for blocks in [0, 1] {
        let told = limited(blocks, store.dir());
        assert_eq!(
            told,
            [format!(
                "can't write {}",
                file.with_extension("tmp0").display()
            )]
        );
        assert_eq!(fs::read(&file).unwrap(), before);
        assert_eq!(left_overs(store.dir()), [""; 0]);
    }
    assert_eq!(limited(1_000, store.dir()), ["written"]);
    assert_eq!(level(&store, CONVERSATION), 2);
}

#[test]
fn damage_that_cannot_be_replaced_stays_damage() {
    let (_home, store) = store();
    let file = state_file(&store, CONVERSATION);
    fs::write(&file, "").unwrap();
    let told = limited(0, store.dir());
    assert_eq!(
        told,
        [format!(
            "can't write {}",
            file.with_extension("tmp0").display()
        )]
    );
    assert!(
        matches!(store.peek(CONVERSATION), Err(StateError::Damaged { .. })),
        "no free check next time"
    );
    assert_eq!(left_overs(store.dir()), [""; 0]);
}

/// Permission bits don't bind root, so root tests as another user, from a copy of this binary that the user can reach.
fn as_an_ordinary_user(dir: &Path, home: &Path) -> Vec<String> {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
    use std::os::unix::process::CommandExt;
    const NOBODY: u32 = 65534;
    if home.metadata().unwrap().uid() != 0 {
        return support::all_told(&support::child(dir).output().unwrap().stdout);
    }
    let binary = home.join("test-binary");
    // By another process: while this one has a file open for writing, a child that another test starts has it too, and it can't be run.
    let copied = Command::new("cp")
        .arg(std::env::current_exe().unwrap())
        .arg(&binary)
        .status();
    assert!(copied.unwrap().success());
    fs::set_permissions(home, fs::Permissions::from_mode(0o755)).unwrap();
    chown(dir, Some(NOBODY), Some(NOBODY)).unwrap();
    for name in names(dir) {
        chown(dir.join(name), Some(NOBODY), Some(NOBODY)).unwrap();
    }
    let mut child = support::child_from(&binary, dir);
    let output = child
        .uid(NOBODY)
        .gid(NOBODY)
        .current_dir(home)
        .output()
        .unwrap();
    chown(dir, Some(0), Some(0)).unwrap();
    support::all_told(&output.stdout)
}

#[test]
fn a_read_only_folder() {
    use std::os::unix::fs::PermissionsExt;
    let (home, store) = store();
    let file = state_file(&store, CONVERSATION);
    let before = fs::read(&file).unwrap();
    let allow = |mode| fs::set_permissions(store.dir(), fs::Permissions::from_mode(mode)).unwrap();

    allow(0o500);
    let told = as_an_ordinary_user(store.dir(), home.path());
    assert_eq!(
        told,
        [format!(
            "not writable {}",
            file.with_extension("tmp0").display()
        )]
    );
    assert_eq!(fs::read(&file).unwrap(), before);

    allow(0o700);
    let lock = names(store.dir())
        .into_iter()
        .find(|name| name.starts_with("lock-"))
        .unwrap();
    fs::remove_file(store.dir().join(&lock)).unwrap();
    allow(0o500);
    let told = as_an_ordinary_user(store.dir(), home.path());
    assert_eq!(
        told,
        [format!("not writable {}", store.dir().join(lock).display())]
    );

    allow(0o700);
    assert_eq!(
        as_an_ordinary_user(store.dir(), home.path()),
        ["written"],
        "the user itself was not the cause"
    );
}

#[test]
fn a_state_file_that_this_user_may_not_read_is_damage() {
    use std::os::unix::fs::PermissionsExt;
    let (home, store) = store();
    let file = state_file(&store, CONVERSATION);
    fs::set_permissions(&file, fs::Permissions::from_mode(0o000)).unwrap();
    let told = as_an_ordinary_user(store.dir(), home.path());
    assert!(told[0].contains("may not read"), "{told:?}");
    assert_eq!(as_an_ordinary_user(store.dir(), home.path()), ["written"]);
}
