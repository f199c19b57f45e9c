//! What the rewriting tests share.
#![allow(dead_code, reason = "each test uses a part of it")]

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use guard_rtk::rewrite::{Certainty, Edit, FileKind, Machine, Word};

/// A machine that can't say what stands where, and has no program.
pub struct Anywhere;

impl Machine for Anywhere {
    fn kind(&self, _: &Path) -> FileKind {
        FileKind::Unknown
    }

    fn has_program(&self, _: &str) -> bool {
        false
    }

    fn home(&self) -> Option<&Path> {
        Some(Path::new("/home/dev"))
    }
}

/// A machine with these files and programs and nothing else.
#[derive(Default)]
pub struct With {
    /// What stands where.
    pub files: Vec<(PathBuf, FileKind)>,
    /// What is on the `PATH`.
    pub programs: Vec<&'static str>,
}

impl Machine for With {
    fn kind(&self, path: &Path) -> FileKind {
        self.files
            .iter()
            .find(|(known, _)| known == path)
            .map_or(FileKind::Missing, |(_, kind)| *kind)
    }

    fn has_program(&self, name: &str) -> bool {
        self.programs.contains(&name)
    }

    fn home(&self) -> Option<&Path> {
        None
    }
}

/// The words of a line without quotes or operators.
pub fn plain_words(line: &str) -> Vec<Word<'_>> {
    let mut words = Vec::new();
    let mut start = None;
    for (index, byte) in line.bytes().chain([b' ']).enumerate() {
        match (start, byte == b' ') {
            (None, false) => start = Some(index),
            (Some(from), true) => {
                let text = &line[from..index];
                let certainty = if text.contains(['*', '?']) {
                    Certainty::Pattern
                } else {
                    Certainty::Plain
                };
                words.push(Word {
                    start: from,
                    end: index,
                    text: Cow::Borrowed(text),
                    certainty,
                });
                start = None;
            }
            _ => {}
        }
    }
    words
}

/// The line with its edits.
pub fn apply(line: &str, edits: &[Edit]) -> String {
    let mut out = String::new();
    let mut at = 0;
    for edit in edits {
        out.push_str(&line[at..edit.start]);
        out.push_str(&edit.text);
        at = edit.end;
    }
    out.push_str(&line[at..]);
    out
}
