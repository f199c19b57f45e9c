//! Reading the log back.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::file::{self, MAX_BYTES, NAME, OLD_NAME};

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
    for name in [OLD_NAME, NAME] {
        let path = folder.join(name);
        match text_of(&path) {
            Ok(None) => {}
            Ok(Some(text)) => {
                if name == OLD_NAME {
                    log.old = Old::MayBeGone;
                }
                text.lines().for_each(|line| log.take(line));
            }
            Err(error) => log.unreadable.push((path, error.to_string())),
        }
    }
    log
}

impl Log {
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

fn text_of(path: &Path) -> io::Result<Option<String>> {
    let opened = match file::open_to_read(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        opened => opened?,
    };
    let Some(mut opened) = opened else {
        return Err(io::Error::other("it is no file of this user's own"));
    };
    let skipped = opened.size.saturating_sub(MOST_READ);
    io::Seek::seek(&mut opened.file, io::SeekFrom::Start(skipped))?;
    let mut bytes = Vec::new();
    opened.file.take(MOST_READ).read_to_end(&mut bytes)?;
    Ok(Some(String::from_utf8_lossy(&bytes).into_owned()))
}
