//! All that a report says.

use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};
use guard_decisions::{Kind, NAME, Old, read};
use serde::Serialize;
use serde::ser::SerializeMap;

use crate::latency::Latency;
use crate::planned::{Planned, planned};
use crate::range::Range;
use crate::tally::{Bucket, Group, Tally, ToolCount, Totals, tally};
use crate::tokens::Tokens;

/// What a report is made from.
pub struct Request<'a> {
    /// The time it is about.
    pub range: Range,
    /// The state folder, which has the log.
    pub state: &'a Path,
    /// Whether the log is written.
    pub is_on: bool,
    /// The user's home, for the transcripts.
    pub home: Option<&'a Path>,
    /// Whether a tool of that name is judged.
    pub governs: fn(&str) -> bool,
    /// What rtk saved: what `rtk gain` printed, or why there is nothing.
    pub tokens: Result<Tokens, String>,
}

/// What the decisions of a time come to.
#[derive(Debug, Clone, Serialize)]
pub struct Report {
    /// From here,
    pub from: DateTime<Utc>,
    /// to here.
    pub to: DateTime<Utc>,
    /// The log that it is made from.
    pub log: LogState,
    /// The calls that agents planned, as far as transcripts tell.
    pub planned: Option<Planned>,
    /// Decisions that were logged, each call once. What was passed through is not among them.
    pub decisions: u64,
    /// In how many conversations.
    pub conversations: u64,
    /// What users ask first.
    pub totals: Totals,
    /// By kind.
    #[serde(serialize_with = "by_word")]
    pub kinds: Vec<(Option<Kind>, u64)>,
    /// The names of the groups of `tools` and `days`, in their order.
    pub groups: [Group; Group::ALL.len()],
    /// By tool, most first.
    pub tools: Vec<ToolCount>,
    /// By day, or week where there are many.
    pub days: Vec<Bucket>,
    /// The processor time of calls.
    pub latency: Option<Latency>,
    /// What rtk saved.
    pub tokens: Option<Tokens>,
    /// Why it is not known what rtk saved.
    pub tokens_missing: Option<String>,
    /// The time, as it was asked for.
    #[serde(skip)]
    pub range: Range,
}

/// How the log is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LogState {
    /// Its file.
    pub file: PathBuf,
    /// Whether it is written.
    pub is_on: bool,
    /// Lines that can't be read.
    pub damaged: u64,
    /// Parts that can't be read at all, and why.
    pub unreadable: Vec<String>,
    /// The time of the oldest line that is left, if it is within the report's time and older ones may be gone.
    pub begins: Option<DateTime<Utc>>,
}

impl Report {
    /// Reads the log and the transcripts.
    pub fn of(request: Request) -> Self {
        let log = read(request.state);
        let Tally {
            decisions,
            conversations,
            totals,
            kinds,
            tools,
            buckets,
            times,
            damaged,
        } = tally(&log.lines, &request.range);
        let oldest = log.lines.iter().map(|line| line.at).min();
        let oldest = oldest.and_then(DateTime::from_timestamp_millis);
        let is_cut =
            |oldest: &DateTime<Utc>| log.old == Old::MayBeGone && *oldest > request.range.from;
        let unreadable = |(file, error): &(PathBuf, String)| format!("{}: {error}", file.display());
        Self {
            from: request.range.from,
            to: request.range.to,
            log: LogState {
                file: request.state.join(NAME),
                is_on: request.is_on,
                damaged: log.damaged + damaged,
                unreadable: log.unreadable.iter().map(unreadable).collect(),
                begins: oldest.filter(is_cut),
            },
            planned: request
                .home
                .map(|home| planned(home, &request.range, request.governs)),
            decisions,
            conversations,
            totals,
            kinds,
            groups: Group::ALL,
            tools,
            days: buckets,
            latency: Latency::of(times),
            tokens_missing: request.tokens.as_ref().err().cloned(),
            tokens: request.tokens.ok(),
            range: request.range,
        }
    }

    /// What a reader must know of the figures.
    pub fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if !self.log.is_on {
            notes.push(
                "The decision log is switched off (`decision_log` in the settings).".to_owned(),
            );
        }
        if let Some(begins) = self.log.begins {
            let day = self.range.zone.day(begins);
            notes.push(format!(
                "Decisions before {day} may be missing: the log keeps two files of 4 MiB."
            ));
        }
        match self.log.damaged {
            0 => {}
            1 => notes.push("1 damaged line of the log was skipped.".to_owned()),
            lines => notes.push(format!("{lines} damaged lines of the log were skipped.")),
        }
        for file in &self.log.unreadable {
            notes.push(format!("A part of the log can't be read: {file}."));
        }
        if let Some(planned) = self.planned
            && !planned.complete
        {
            notes.push("Not all transcripts were read: there were more planned calls.".to_owned());
        }
        if let Some(missing) = &self.tokens_missing {
            notes.push(format!("Tokens saved are not known: {missing}."));
        }
        notes
    }
}

fn by_word<S: serde::Serializer>(kinds: &[(Option<Kind>, u64)], to: S) -> Result<S::Ok, S::Error> {
    let mut map = to.serialize_map(Some(kinds.len()))?;
    for (kind, count) in kinds {
        map.serialize_entry(kind.map_or("unknown", Kind::word), count)?;
    }
    map.end()
}
