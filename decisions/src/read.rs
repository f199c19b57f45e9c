//! Reading the log back.

use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::file::{self, MAX_BYTES, NAME, OLD_NAME, Opened};

/// The most that is read of one file, in bytes: the newest end of it, should it be larger than any of ours.
const MOST_READ: u64 = 4 * MAX_BYTES;

/// How a line begins.
const BEGINNING: &str = "{\"at\":";

/// A line of the log. Only its time, tool and kind have to be there, and what else stands in it is ignored: another
/// version may have written it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Logged {
    /// Milliseconds since 1970, UTC.
    pub at: i64,
    /// Processor time of the call in microseconds.
    #[serde(default)]
    pub us: Option<u64>,
    /// The conversation.
    #[serde(default)]
    pub conversation: String,
    /// The step of the conversation.
    #[serde(default)]
    pub step: Option<u64>,
    /// The tool.
    pub tool: String,
    /// The layer that decided.
    #[serde(default)]
    pub layer: String,
    /// The answer's word.
    #[serde(default)]
    pub decision: String,
    /// What the decision is: the word of a [`crate::Kind`], or one that this version does not know.
    pub kind: String,
    /// Whether the wait was raised besides.
    #[serde(default)]
    pub wait_raised: bool,
    /// Why.
    #[serde(default)]
    pub reason: String,
}

/// What was found of the log.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Log {
    /// The lines that can be read, in the order of the files.
    pub lines: Vec<Logged>,
    /// How many lines, or pieces of lines, can't be read.
    pub damaged: u64,
    /// What of the log is there and can't be read at all, with the reason.
    pub unreadable: Vec<(PathBuf, String)>,
    /// Whether older lines may have gone.
    pub old: Old,
}

/// Whether older lines may have gone.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Old {
    /// The log has all lines since it was begun.
    #[default]
    All,
    /// A full file has been put away, so one before it may be gone.
    MayBeGone,
}

/// Reads the log in `folder`, the old file first. A log that is not there is empty.
pub fn read(folder: &Path) -> Log {
    let mut log = Log::default();
    // Opened in this order, a file that is put away in between is met under both names, and not under none.
    let [new, old] = [NAME, OLD_NAME].map(|name| log.open(folder.join(name)));
    log.take_files(old, new);
    log
}

/// A file of the log with its path.
type Found = Option<(PathBuf, Opened)>;

impl Log {
    fn open(&mut self, path: PathBuf) -> Found {
        match file::open_to_read(&path) {
            Ok(Some(opened)) => return Some((path, opened)),
            Ok(None) => self.give_up(path, "it is no file of this user's own"),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => self.give_up(path, error),
        }
        None
    }

    fn give_up(&mut self, path: PathBuf, why: impl ToString) {
        self.unreadable.push((path, why.to_string()));
    }

    fn take_files(&mut self, old: Found, new: Found) {
        if old.is_some() {
            self.old = Old::MayBeGone;
        }
        let is_new = |file: &Opened| new.as_ref().is_some_and(|(_, new)| new.is(file));
        let old = old.filter(|(_, file)| !is_new(file));
        for (path, opened) in old.into_iter().chain(new) {
            match text_of(opened) {
                Ok(text) => text.lines().for_each(|line| self.take(line)),
                Err(error) => self.give_up(path, error),
            }
        }
    }

    /// Takes one line. A line that was cut when the disk was full has the next one behind it.
    fn take(&mut self, line: &str) {
        let line = line.trim();
        if line.is_empty() {
            return;
        }
        if let Ok(logged) = serde_json::from_str(line) {
            self.lines.push(logged);
            return;
        }
        self.damaged += 1;
        // Within a text of the line its quote would be escaped.
        let behind = line.rfind(BEGINNING).filter(|at| *at > 0);
        if let Some(Ok(logged)) = behind.map(|at| serde_json::from_str(&line[at..])) {
            self.lines.push(logged);
        }
    }
}

fn text_of(mut opened: Opened) -> io::Result<String> {
    let skipped = opened.size.saturating_sub(MOST_READ);
    opened.file.seek(SeekFrom::Start(skipped))?;
    let mut bytes = Vec::new();
    opened.file.take(MOST_READ).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_file_that_is_put_away_while_it_is_read_counts_once() {
        let home = tempfile::tempdir().unwrap();
        let [name, old_name] = [NAME, OLD_NAME].map(|name| home.path().join(name));
        let line = "{\"at\":1,\"tool\":\"x\",\"kind\":\"rewritten\"}\n";
        fs::write(&name, line).unwrap();
        let mut log = Log::default();
        let new = log.open(name.clone());
        fs::rename(name, &old_name).unwrap();
        let old = log.open(old_name);
        log.take_files(old, new);
        assert_eq!((log.lines.len(), log.old), (1, Old::MayBeGone));
    }
}
