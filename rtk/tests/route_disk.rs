//! What routing asks the disk: where a program is, and what a file holds.

#![cfg(unix)]

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;

use guard_rtk::locate::locate;
use guard_rtk::route::Shell;
use guard_rtk::route::content::{Content, LOOK_BYTES, Lines, look};

fn program(path: &Path, mode: u32) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, "#!/bin/sh\n").unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

#[test]
fn only_an_executable_file_is_a_program() {
    let scratch = tempfile::tempdir().unwrap();
    let at = |name: &str| scratch.path().join(name);
    fs::create_dir_all(at("a/rtk")).unwrap();
    program(&at("b/rtk"), 0o644);
    fs::create_dir(at("c")).unwrap();
    symlink(at("gone"), at("c/rtk")).unwrap();
    let path = std::env::join_paths([at("a"), at("b"), at("c"), at("missing")]).unwrap();
    assert_eq!(locate("rtk", Some(&path), None, None), None);
    assert_eq!(locate("rtk", None, None, None), None);

    program(&at("real/tool"), 0o755);
    fs::create_dir(at("d")).unwrap();
    symlink(at("real/tool"), at("d/rtk")).unwrap();
    let path = std::env::join_paths([at("a"), at("b"), at("d")]).unwrap();
    let found = locate("rtk", Some(&path), None, None).unwrap();
    assert_eq!(
        (
            found.path.clone(),
            found.command_word(Shell::Posix).unwrap()
        ),
        (at("d/rtk"), "rtk".to_owned())
    );
    let shell = Command::new("bash")
        .args(["--norc", "-c", "PATH=$0; type -P rtk"])
        .arg(&path)
        .output()
        .unwrap();
    assert_eq!(
        String::from_utf8(shell.stdout).unwrap().trim_end(),
        found.path.to_str().unwrap()
    );
}

#[test]
fn the_recorded_path_is_used_only_where_the_path_has_none() {
    let scratch = tempfile::tempdir().unwrap();
    let at = |name: &str| scratch.path().join(name);
    program(&at("my tools/rtk"), 0o755);
    program(&at("bin/rtk"), 0o755);
    let recorded = at("my tools/rtk");
    let found = locate("rtk", Some(at("empty").as_os_str()), None, Some(&recorded)).unwrap();
    assert_eq!(
        found.command_word(Shell::Posix).unwrap(),
        format!("'{}'", recorded.display())
    );
    let found = locate("rtk", Some(at("bin").as_os_str()), None, Some(&recorded)).unwrap();
    assert_eq!(found.path, at("bin/rtk"));
    assert_eq!(
        locate("rtk", None, None, Some(Path::new("relative/rtk"))),
        None
    );
    assert_eq!(locate("rtk", None, None, Some(&at("gone"))), None);
}

#[test]
fn a_file_is_judged_by_its_type_its_name_and_its_bytes() {
    let scratch = tempfile::tempdir().unwrap();
    let at = |name: &str| scratch.path().join(name);
    let seen = |name: &str, bytes: &[u8]| {
        fs::write(at(name), bytes).unwrap();
        look(&at(name), 150).unwrap()
    };
    let text = |lines, bytes| Content::Text { lines, bytes };
    assert_eq!(seen("empty", b""), text(Lines::Exactly(0), 0));
    assert_eq!(
        seen("short.rs", &b"x\n".repeat(150)),
        text(Lines::Exactly(150), 300)
    );
    assert_eq!(
        seen("long.rs", &b"x\n".repeat(151)),
        text(Lines::MoreThanLimit, 302)
    );
    assert_eq!(seen("picture.PNG", b"text all the same"), Content::Binary);
    assert_eq!(seen("nul.txt", b"a\0b"), Content::Binary);
    assert_eq!(seen("latin.txt", b"caf\xe9\n"), Content::Binary);
    let one_long_line = vec![b'x'; LOOK_BYTES as usize + 1];
    assert_eq!(
        seen("line.txt", &one_long_line),
        text(Lines::MoreThanLimit, LOOK_BYTES + 1)
    );
    assert_eq!(look(scratch.path(), 150).unwrap(), Content::NotAFile);
    assert!(look(&at("missing"), 150).is_err());
    assert!(
        Command::new("mkfifo")
            .arg(at("pipe"))
            .status()
            .unwrap()
            .success()
    );
    assert_eq!(look(&at("pipe"), 150).unwrap(), Content::NotAFile);
}
