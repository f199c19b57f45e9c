//! The log of decisions, written and read.

use std::fs;

use guard_decisions::{
    AppendError, Entry, Kind, MAX_CONVERSATION, NAME, OLD_NAME, Old, append, read,
};
use proptest::prelude::*;

fn entry(conversation: &str) -> Entry<'_> {
    Entry {
        conversation,
        step: Some(19),
        tool: "run_command",
        layer: "command rewriting",
        decision: "allow",
        kind: Kind::Rewritten,
        wait_raised: true,
    }
}

/// The line that the log makes of an entry.
fn line_of(conversation: &str) -> String {
    let home = tempfile::tempdir().unwrap();
    append(home.path(), &entry(conversation)).unwrap();
    fs::read_to_string(home.path().join(NAME)).unwrap()
}

#[test]
fn what_is_appended_is_read_back() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("state");
    append(&folder, &entry("c1")).unwrap();
    append(&folder, &entry("c2")).unwrap();
    let log = read(&folder);
    assert_eq!(
        (log.damaged, log.unreadable.len(), log.old),
        (0, 0, Old::All)
    );
    let conversations: Vec<&str> = log.lines.iter().map(|l| l.conversation.as_str()).collect();
    assert_eq!(conversations, ["c1", "c2"]);
    let line = &log.lines[0];
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    let age = i64::try_from(now.unwrap().as_millis()).unwrap() - line.at;
    // The kernel's coarse clock may be a few milliseconds behind.
    assert!((-1000..60_000).contains(&age), "{age} ms");
    assert_eq!(line.step, Some(19));
    assert_eq!(
        (line.tool.as_str(), line.kind.as_str()),
        ("run_command", "rewritten")
    );
    assert_eq!(
        (line.layer.as_str(), line.decision.as_str()),
        ("command rewriting", "allow")
    );
    assert!(line.wait_raised && !line.reason.is_empty());
}

#[test]
fn a_log_that_is_not_there_is_empty() {
    let home = tempfile::tempdir().unwrap();
    assert_eq!(
        read(&home.path().join("none")),
        guard_decisions::Log::default()
    );
}

#[test]
fn damaged_lines_are_counted_and_hide_no_other() {
    let home = tempfile::tempdir().unwrap();
    let whole = line_of("c1");
    let half = &whole[..whole.len() / 2];
    let newer = r#"{"at":5,"tool":"new_tool","kind":"new_kind","later":{"x":[1]}}"#;
    let text = format!("{whole}nonsense\n\n{half}{whole}{newer}\n{{}}\n{half}");
    let mut bytes = text.into_bytes();
    bytes.extend(b"\n\xff\xfe\0\0\n");
    fs::write(home.path().join(NAME), bytes).unwrap();
    let log = read(home.path());
    assert_eq!(log.lines.len(), 3);
    assert_eq!(log.damaged, 5);
    assert_eq!(log.lines[2].kind, "new_kind");
}

#[test]
fn the_old_file_is_read_first() {
    let home = tempfile::tempdir().unwrap();
    fs::write(home.path().join(OLD_NAME), line_of("old")).unwrap();
    fs::write(home.path().join(NAME), line_of("new")).unwrap();
    let log = read(home.path());
    assert_eq!(log.old, Old::MayBeGone);
    let conversations: Vec<&str> = log.lines.iter().map(|l| l.conversation.as_str()).collect();
    assert_eq!(conversations, ["old", "new"]);
}

#[test]
fn a_folder_in_the_logs_place_is_told_and_left_alone() {
    let home = tempfile::tempdir().unwrap();
    fs::create_dir(home.path().join(NAME)).unwrap();
    assert!(append(home.path(), &entry("c1")).is_err());
    assert_eq!(read(home.path()).unreadable.len(), 1);
}

#[cfg(unix)]
#[test]
fn a_part_of_the_lines_has_the_processor_time_of_its_call() {
    let home = tempfile::tempdir().unwrap();
    for _ in 0..2000 {
        append(home.path(), &entry("c1")).unwrap();
    }
    let log = read(home.path());
    let sampled = log.lines.iter().filter(|line| line.us.is_some()).count();
    assert!((100..500).contains(&sampled), "{sampled} of 2000");
}

#[cfg(unix)]
#[test]
fn only_the_user_can_read_it() {
    use std::os::unix::fs::PermissionsExt;
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("a/state");
    append(&folder, &entry("c1")).unwrap();
    let mode = |path: &std::path::Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&folder), 0o700);
    assert_eq!(mode(&folder.join(NAME)), 0o600);
}

#[cfg(unix)]
#[test]
fn a_link_in_its_place_is_not_followed() {
    let home = tempfile::tempdir().unwrap();
    let target = home.path().join("target");
    fs::write(&target, "precious").unwrap();
    std::os::unix::fs::symlink(&target, home.path().join(NAME)).unwrap();
    let refused = append(home.path(), &entry("c1"));
    assert!(matches!(refused, Err(AppendError::NotOurs)));
    assert_eq!(fs::read_to_string(&target).unwrap(), "precious");
    assert_eq!(read(home.path()).unreadable.len(), 1);
}

#[cfg(unix)]
#[test]
fn a_second_name_of_another_file_is_not_written() {
    let home = tempfile::tempdir().unwrap();
    let target = home.path().join("target");
    fs::write(&target, "precious").unwrap();
    let long_ago = std::time::SystemTime::UNIX_EPOCH;
    let about = fs::File::options().write(true).open(&target).unwrap();
    about.set_modified(long_ago).unwrap();
    fs::hard_link(&target, home.path().join(NAME)).unwrap();
    let refused = append(home.path(), &entry("c1"));
    assert!(matches!(refused, Err(AppendError::NotOurs)));
    assert_eq!(fs::read_to_string(&target).unwrap(), "precious");
    assert_eq!(about.metadata().unwrap().modified().unwrap(), long_ago);
}

#[cfg(unix)]
#[test]
fn a_fifo_in_its_place_makes_nobody_wait() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join(NAME);
    let made = std::process::Command::new("mkfifo").arg(&path).status();
    assert!(made.unwrap().success());
    // Without a reader, and with one that takes nothing.
    assert!(append(home.path(), &entry("c1")).is_err());
    let options = fs::OpenOptions::new().read(true).write(true).clone();
    let _reader = options.open(&path).unwrap();
    let refused = append(home.path(), &entry("c1"));
    assert!(matches!(refused, Err(AppendError::NotOurs)));
    assert_eq!(read(home.path()).unreadable.len(), 1);
}

#[test]
fn many_at_once_append_whole_lines() {
    let home = tempfile::tempdir().unwrap();
    std::thread::scope(|scope| {
        for thread in 0..16 {
            let folder = home.path();
            scope.spawn(move || {
                let conversation = format!("c{thread}");
                for _ in 0..50 {
                    append(folder, &entry(&conversation)).unwrap();
                }
            });
        }
    });
    let log = read(home.path());
    assert_eq!((log.lines.len(), log.damaged), (800, 0));
}

proptest! {
    /// Whatever a host sends as an id: one line of bounded length that is read back.
    #[test]
    fn any_conversation_makes_one_bounded_line(conversation in "\\PC{0,300}|[\\x00-\\x1f\"\\\\]{0,300}") {
        let line = line_of(&conversation);
        prop_assert!(line.len() < 4096);
        prop_assert_eq!(line.matches('\n').count(), 1);
        let home = tempfile::tempdir().unwrap();
        fs::write(home.path().join(NAME), &line).unwrap();
        let log = read(home.path());
        prop_assert_eq!((log.lines.len(), log.damaged), (1, 0));
        prop_assert!(conversation.starts_with(&log.lines[0].conversation));
        prop_assert!(log.lines[0].conversation.len() <= MAX_CONVERSATION);
    }

    /// Whatever stands in the file: reading ends, and counts.
    #[test]
    fn any_bytes_can_be_read(bytes in proptest::collection::vec(any::<u8>(), 0..2000)) {
        let home = tempfile::tempdir().unwrap();
        std::fs::write(home.path().join(NAME), &bytes).unwrap();
        let log = read(home.path());
        prop_assert!(log.lines.len() as u64 + log.damaged <= bytes.len() as u64);
    }
}
