//! What is no transcript is an error that names the file and the remedy, and nothing waits.

mod common;

use guard_transcript::{Query, TranscriptError, read_facts};
use std::path::Path;

fn error(path: &Path) -> TranscriptError {
    let error = read_facts(path, &Query::default()).unwrap_err();
    let text = error.to_string();
    assert!(text.contains(path.to_str().unwrap()), "names it: {text}");
    assert!(text.contains("; "), "says what to do: {text}");
    error
}

#[test]
fn a_transcript_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("transcript.jsonl");
    std::fs::write(&path, common::user(3, "go")).unwrap();
    let found = read_facts(&path, &Query::default()).unwrap();
    assert_eq!(found.last_user_step, Some(3));
}

#[test]
fn a_missing_file_and_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("transcript.jsonl");
    assert!(matches!(error(&missing), TranscriptError::Missing { .. }));
    let below = folder.path().join("no/such/folder.jsonl");
    assert!(matches!(error(&below), TranscriptError::Missing { .. }));
    std::fs::write(&missing, "").unwrap();
    let below_a_file = missing.join("x");
    assert!(matches!(
        error(&below_a_file),
        TranscriptError::Missing { .. }
    ));
    assert!(matches!(
        error(folder.path()),
        TranscriptError::NotAFile {
            found: "a folder",
            ..
        }
    ));
}

#[cfg(unix)]
mod unix {
    use super::*;
    use std::os::unix::fs::{PermissionsExt, symlink};

    #[test]
    fn a_pipe_without_a_writer_does_not_block() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("transcript.jsonl");
        let mode = rustix::fs::Mode::from_raw_mode(0o600);
        rustix::fs::mknodat(rustix::fs::CWD, &path, rustix::fs::FileType::Fifo, mode, 0).unwrap();
        assert!(matches!(
            error(&path),
            TranscriptError::NotAFile {
                found: "a pipe",
                ..
            }
        ));
    }

    #[test]
    fn a_socket_and_a_device() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s");
        let _listener = std::os::unix::net::UnixListener::bind(&path).unwrap();
        assert!(matches!(
            error(&path),
            TranscriptError::NotAFile {
                found: "a socket",
                ..
            }
        ));
        let null = Path::new("/dev/null");
        assert!(matches!(
            error(null),
            TranscriptError::NotAFile {
                found: "a device",
                ..
            }
        ));
    }

    #[test]
    fn a_link_is_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("target.jsonl");
        std::fs::write(&target, common::user(3, "go")).unwrap();
        for (name, to) in [
            ("a", "target.jsonl"),
            ("b", "nowhere"),
            ("c", "c"),
            ("d", "."),
        ] {
            let link = folder.path().join(name);
            symlink(to, &link).unwrap();
            assert!(
                matches!(error(&link), TranscriptError::Link { .. }),
                "{name}"
            );
        }
    }

    #[test]
    fn a_link_among_the_folders_above_is_followed() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("real")).unwrap();
        std::fs::write(folder.path().join("real/t.jsonl"), common::user(3, "go")).unwrap();
        symlink("real", folder.path().join("link")).unwrap();
        let found = read_facts(&folder.path().join("link/t.jsonl"), &Query::default()).unwrap();
        assert_eq!(found.last_user_step, Some(3));
    }

    #[test]
    fn an_unreadable_file_says_how_to_make_it_readable() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("transcript.jsonl");
        std::fs::write(&path, common::user(3, "go")).unwrap();
        std::fs::set_permissions(&path, PermissionsExt::from_mode(0o000)).unwrap();
        // The superuser may read everything; then this is a transcript like any other.
        if std::fs::File::open(&path).is_ok() {
            let found = read_facts(&path, &Query::default()).unwrap();
            assert_eq!(found.last_user_step, Some(3));
        } else {
            assert!(error(&path).to_string().contains("chmod u+r"));
        }
    }
}
