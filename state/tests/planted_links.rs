//! No link in the state folder makes a write go anywhere else.

#![cfg(unix)]

mod support;

use guard_state::{Damage, FolderProblem, StateError};
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use support::{CONVERSATION, after_damage, count, names, patient, state_file, store};

#[test]
fn in_the_place_of_the_state_file() {
    let (home, store) = store();
    let file = state_file(&store, CONVERSATION);
    let elsewhere = home.path().join("elsewhere");
    // Even a sound ledger behind the link is not taken.
    fs::copy(&file, &elsewhere).unwrap();
    let before = fs::read(&elsewhere).unwrap();
    for target in [
        elsewhere.clone(),
        home.path().join("nothing"),
        "/dev/zero".into(),
    ] {
        fs::remove_file(&file).unwrap();
        symlink(&target, &file).unwrap();
        let error = store
            .update(CONVERSATION, after_damage, |_| ())
            .unwrap_err();
        let StateError::SetAside {
            damage, set_aside, ..
        } = error
        else {
            panic!("{error}")
        };
        assert_eq!(damage, Damage::NotAFile("a link"));
        assert_eq!(
            fs::read_link(set_aside.unwrap()).unwrap(),
            target,
            "the link itself was moved"
        );
        assert!(file.symlink_metadata().unwrap().is_file());
        assert_eq!(count(&store, CONVERSATION).unwrap(), 2);
    }
    assert_eq!(fs::read(&elsewhere).unwrap(), before);
    assert!(!home.path().join("nothing").exists());
}

#[test]
fn in_the_place_of_temporary_files() {
    let (home, store) = store();
    let file = state_file(&store, CONVERSATION);
    let elsewhere = home.path().join("elsewhere");
    fs::write(&elsewhere, "mine").unwrap();
    for slot in 0..8 {
        symlink(&elsewhere, file.with_extension(format!("tmp{slot}"))).unwrap();
    }
    assert_eq!(count(&store, CONVERSATION).unwrap(), 2);
    assert_eq!(fs::read_to_string(&elsewhere).unwrap(), "mine");
    assert!(file.symlink_metadata().unwrap().is_file());
}

#[test]
fn in_the_place_of_a_lock_or_the_mark() {
    let (home, store) = store();
    let file = state_file(&store, CONVERSATION);
    let lock = names(store.dir())
        .into_iter()
        .find(|name| name.starts_with("lock-"))
        .unwrap();
    let elsewhere = home.path().join("elsewhere");
    fs::remove_file(&file).unwrap();
    fs::remove_file(store.dir().join("pruned")).unwrap();
    symlink(&elsewhere, store.dir().join("pruned")).unwrap();
    assert_eq!(count(&store, CONVERSATION).unwrap(), 1);
    fs::remove_file(store.dir().join(&lock)).unwrap();
    symlink(&elsewhere, store.dir().join(&lock)).unwrap();
    let error = count(&store, CONVERSATION).unwrap_err();
    assert!(error.to_string().contains(&lock), "{error}");
    assert!(!elsewhere.exists());
}

#[test]
fn the_folder_may_be_reached_through_a_link_of_the_user() {
    let (home, _) = store();
    let real = home.path().join("real");
    let link = home.path().join("link");
    fs::create_dir(&real).unwrap();
    symlink(&real, &link).unwrap();
    assert_eq!(count(&patient(&link), CONVERSATION).unwrap(), 1);
    assert_eq!(count(&patient(&real), CONVERSATION).unwrap(), 2);
}

#[test]
fn a_folder_that_others_can_write_to_is_refused() {
    let (_home, store) = store();
    fs::create_dir(store.dir()).unwrap();
    for mode in [0o777, 0o1777, 0o770, 0o702] {
        fs::set_permissions(store.dir(), fs::Permissions::from_mode(mode)).unwrap();
        let error = count(&store, CONVERSATION).unwrap_err();
        let StateError::Folder {
            ref path,
            problem: FolderProblem::OthersCanWrite { mode: told },
        } = error
        else {
            panic!("{error}")
        };
        assert_eq!((path.as_path(), told), (store.dir(), mode));
        assert!(error.to_string().contains("chmod 700"), "{error}");
        assert!(store.peek(CONVERSATION).is_err());
        assert!(store.list().is_err());
        assert!(store.reset_all().is_err());
    }
    assert_eq!(names(store.dir()), [""; 0]);
}

#[test]
fn a_folder_of_another_user_is_refused() {
    let (home, store) = store();
    fs::create_dir(store.dir()).unwrap();
    let me = home.path().metadata().unwrap().uid();
    // Root can make one; for everyone else the root folder is one.
    let theirs = if me == 0 {
        std::os::unix::fs::chown(store.dir(), Some(65534), None).unwrap();
        store.dir()
    } else {
        std::path::Path::new("/")
    };
    let error = count(&patient(theirs), CONVERSATION).unwrap_err();
    assert!(
        matches!(error, StateError::Folder { problem: FolderProblem::OtherOwner { user, .. }, .. } if user == me),
        "{error}"
    );
    assert_eq!(names(store.dir()), [""; 0]);
}

#[test]
fn what_is_made_is_the_users_own() {
    let (home, _) = store();
    let deep = patient(&home.path().join("a/b/c"));
    let file = state_file(&deep, CONVERSATION);
    let mode = |path: &std::path::Path| path.metadata().unwrap().mode() & 0o777;
    assert_eq!(mode(deep.dir()), 0o700);
    assert_eq!(mode(&home.path().join("a")), 0o700);
    assert_eq!(mode(&file), 0o600);
    for name in names(deep.dir()) {
        assert_eq!(mode(&deep.dir().join(&name)), 0o600, "{name}");
    }
}
