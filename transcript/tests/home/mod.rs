//! A home folder with conversations in it.
#![allow(dead_code)] // Each test file uses its own part of this.

use guard_transcript::reading::{Conversation, Conversations, ReadRequest, Route};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

pub const ID: &str = "1afed0731d3375b5ce77ece98355e9a3";

/// A home folder, removed when it is dropped.
pub struct Home(pub TempDir);

impl Home {
    pub fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// A home with one conversation whose transcript is `text`.
    pub fn with(text: impl AsRef<[u8]>) -> Self {
        let home = Self::new();
        home.add("antigravity", ID, text);
        home
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    pub fn logs(&self, product: &str, id: &str) -> PathBuf {
        let brain = self.path().join(".gemini").join(product).join("brain");
        brain.join(id).join(".system_generated").join("logs")
    }

    pub fn add(&self, product: &str, id: &str, text: impl AsRef<[u8]>) {
        self.file(product, id, "transcript.jsonl", text);
    }

    /// The transcript with whole fields.
    pub fn add_full(&self, text: impl AsRef<[u8]>) {
        self.file("antigravity", ID, "transcript_full.jsonl", text);
    }

    pub fn file(&self, product: &str, id: &str, name: &str, text: impl AsRef<[u8]>) {
        let path = self.logs(product, id).join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    pub fn conversation(&self) -> Conversation {
        Conversations::new(self.path()).find(Some(ID)).unwrap()
    }

    pub fn read(&self, change: impl FnOnce(&mut ReadRequest)) -> String {
        let mut request = ReadRequest::new(Route::Tools);
        change(&mut request);
        guard_transcript::reading::read(&self.conversation(), &request).unwrap()
    }
}

/// The number behind `name=` in a page.
pub fn number_after(page: &str, name: &str) -> Option<u64> {
    let at = page.rfind(name)? + name.len();
    let digits: String = page[at..]
        .chars()
        .take_while(char::is_ascii_digit)
        .collect();
    digits.parse().ok()
}
