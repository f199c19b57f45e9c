//! Finding a conversation: in every product, the newest, and nothing outside of the brain folders.

mod common;
mod home;

use common::user;
use guard_transcript::reading::{Conversations, ReadRequest, ReadingError, Route, read};
use home::{Home, ID};
use std::time::{Duration, SystemTime};

fn page(home: &Home, id: Option<&str>) -> Result<String, ReadingError> {
    let conversation = Conversations::new(home.path()).find(id)?;
    read(&conversation, &ReadRequest::new(Route::Tools))
}

#[test]
fn a_conversation_is_found_in_each_product() {
    let home = Home::new();
    for (index, product) in ["antigravity", "antigravity-cli", "antigravity-ide"]
        .iter()
        .enumerate()
    {
        home.add(
            product,
            &format!("id-{index}"),
            user(0, &format!("from {product}!")),
        );
    }
    for (index, product) in ["antigravity", "antigravity-cli", "antigravity-ide"]
        .iter()
        .enumerate()
    {
        let page = page(&home, Some(&format!("id-{index}"))).unwrap();
        assert!(
            page.contains(&format!("Of {product}; ")) && page.contains(&format!("from {product}!"))
        );
    }
}

#[test]
fn without_an_id_it_is_the_one_that_was_written_to_last() {
    let home = Home::new();
    for (id, age) in [("old", 300), ("new", 0), ("older", 900)] {
        home.add("antigravity-cli", id, user(0, id));
        let file = std::fs::File::options()
            .write(true)
            .open(home.logs("antigravity-cli", id).join("transcript.jsonl"));
        file.unwrap()
            .set_modified(SystemTime::now() - Duration::from_secs(age))
            .unwrap();
    }
    for id in [None, Some(""), Some("  ")] {
        let page = page(&home, id).unwrap();
        assert!(
            page.starts_with("# Conversation new\n\nThe newest conversation, of antigravity-cli; "),
            "{page}"
        );
    }
    let error = page(&home, Some("none")).unwrap_err().to_string();
    assert!(error.contains("newest: new, old, older"), "{error}");
}

#[test]
fn an_id_does_not_leave_the_brain_folder() {
    let home = Home::with(user(0, "mine"));
    let outside = home.path().join("outside/.system_generated/logs");
    std::fs::create_dir_all(&outside).unwrap();
    std::fs::write(outside.join("transcript.jsonl"), user(0, "not yours")).unwrap();
    for id in [
        "..",
        "../../../outside",
        "/outside",
        "a/../../../../outside",
        "..\\outside",
        ".",
        "x\0",
    ] {
        let error = page(&home, Some(id)).unwrap_err();
        assert!(
            matches!(error, ReadingError::InvalidId { .. }),
            "{id}: {error}"
        );
    }
}

#[cfg(unix)]
#[test]
fn a_link_does_not_lead_out_of_the_brain_folder_either() {
    let home = Home::with(user(0, "mine"));
    let outside = home.path().join("outside");
    std::fs::create_dir_all(outside.join(".system_generated/logs")).unwrap();
    std::fs::write(
        outside.join(".system_generated/logs/transcript.jsonl"),
        user(0, "not yours"),
    )
    .unwrap();
    let brain = home.path().join(".gemini/antigravity/brain");
    std::os::unix::fs::symlink(&outside, brain.join("link")).unwrap();
    assert!(matches!(
        page(&home, Some("link")),
        Err(ReadingError::Outside { .. })
    ));
    std::fs::create_dir_all(brain.join("half")).unwrap();
    std::os::unix::fs::symlink(
        outside.join(".system_generated"),
        brain.join("half/.system_generated"),
    )
    .unwrap();
    assert!(matches!(
        page(&home, Some("half")),
        Err(ReadingError::Outside { .. })
    ));
    let logs = home.logs("antigravity", "file");
    std::fs::create_dir_all(&logs).unwrap();
    std::os::unix::fs::symlink(
        outside.join(".system_generated/logs/transcript.jsonl"),
        logs.join("transcript.jsonl"),
    )
    .unwrap();
    assert!(matches!(
        page(&home, Some("file")),
        Err(ReadingError::Transcript(_))
    ));
    // Nor does one that leads out win as the newest.
    let newest = page(&home, None).unwrap();
    assert!(newest.contains("mine"), "{newest}");
}

#[test]
fn no_conversation_at_all_is_told_with_the_folder() {
    let home = Home::new();
    let error = page(&home, None).unwrap_err().to_string();
    assert!(
        error.contains(".gemini") && error.contains("HOME"),
        "{error}"
    );
}

#[test]
fn the_chunks_are_read_where_the_file_is_missing() {
    let text: String = (0..50)
        .map(|step| user(step, &format!("wish {step} {}", "x".repeat(100))))
        .collect();
    let home = Home::new();
    // The host cuts chunks at a byte count, in the middle of a line.
    for (index, chunk) in text.as_bytes().chunks(777).enumerate() {
        home.file(
            "antigravity",
            ID,
            &format!("chunks/transcript/{index:08}.jsonl"),
            chunk,
        );
    }
    home.file(
        "antigravity",
        ID,
        "chunks/transcript/notes.txt",
        "not a chunk",
    );
    home.file("antigravity", ID, "chunks/transcript/00000099.jsonl", "");
    let page = page(&home, Some(ID)).unwrap();
    for step in 47..50 {
        assert!(page.contains(&format!("wish {step} ")));
    }
    assert!(page.contains(&format!(
        "the transcript has {},{:03} bytes",
        text.len() / 1000,
        text.len() % 1000
    )));
}
