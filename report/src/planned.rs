//! How many calls agents planned: the transcripts say, since what is passed through is not logged.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use chrono::{DateTime, Utc};
use guard_transcript::open;
use guard_transcript::reading::Conversations;
use serde::{Deserialize, Serialize};

use crate::range::Range;

/// Most that is read of all transcripts, in bytes: some seconds' worth.
const MOST_BYTES: u64 = 2 << 30;

/// Most of one record that is read; a longer one has no calls to count.
const MOST_LINE: u64 = 8 << 20;

/// Most conversations that are looked at, the newest.
const MOST_CONVERSATIONS: usize = 1000;

/// The calls of governed tools that the transcripts have.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Planned {
    /// How many.
    pub calls: u64,
    /// In how many conversations.
    pub conversations: u64,
    /// Whether all transcripts of the time were read.
    pub complete: bool,
}

/// Counts the calls in `range` of tools that `governs` names, in the transcripts of the user with this home.
pub fn planned(home: &Path, range: &Range, governs: fn(&str) -> bool) -> Planned {
    let mut planned = Planned {
        complete: true,
        ..Planned::default()
    };
    let mut left = MOST_BYTES;
    let conversations = Conversations::new(home).newest(MOST_CONVERSATIONS);
    planned.complete = conversations.len() < MOST_CONVERSATIONS;
    for conversation in conversations {
        let Ok((file, size)) = open(&conversation.logs.join("transcript.jsonl")) else {
            continue;
        };
        let is_older = |written: std::time::SystemTime| DateTime::<Utc>::from(written) < range.from;
        if file
            .metadata()
            .and_then(|data| data.modified())
            .is_ok_and(is_older)
        {
            continue;
        }
        let Some(rest) = left.checked_sub(size) else {
            planned.complete = false;
            break;
        };
        left = rest;
        let calls = calls_in(file.take(size), range, governs);
        planned.calls += calls;
        planned.conversations += u64::from(calls > 0);
    }
    planned
}

#[derive(Deserialize)]
struct Record {
    created_at: Option<DateTime<Utc>>,
    #[serde(default)]
    tool_calls: Vec<Call>,
}

#[derive(Deserialize)]
struct Call {
    #[serde(default)]
    name: String,
}

/// A transcript that can't be read to its end counts as far as it goes.
fn calls_in(file: std::io::Take<File>, range: &Range, governs: fn(&str) -> bool) -> u64 {
    let mut reader = BufReader::with_capacity(1 << 16, file);
    let finder = memchr::memmem::Finder::new("\"tool_calls\"");
    let (mut line, mut calls) = (Vec::new(), 0);
    loop {
        line.clear();
        match reader.by_ref().take(MOST_LINE).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return calls,
            Ok(_) => {}
        }
        if line.len() as u64 == MOST_LINE && line.last() != Some(&b'\n') {
            if reader.skip_until(b'\n').is_err() {
                return calls;
            }
            continue;
        }
        if finder.find(&line).is_none() {
            continue;
        }
        let Ok(record) = serde_json::from_slice::<Record>(&line) else {
            continue;
        };
        if record.created_at.is_some_and(|time| range.contains(time)) {
            calls += record
                .tool_calls
                .iter()
                .filter(|call| governs(&call.name))
                .count() as u64;
        }
    }
}
