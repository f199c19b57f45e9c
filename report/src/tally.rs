//! Counting the lines of the log.

use std::collections::{BTreeMap, HashSet};

use chrono::{DateTime, Datelike, NaiveDate};
use guard_decisions::{Kind, Logged};
use serde::Serialize;

use crate::range::Range;

/// Most tools that are told apart; the log may have any names.
const MOST_TOOLS: usize = 24;

/// Up to so many days are shown one by one, more as weeks.
const MOST_DAYS: usize = 35;

/// What kinds of decisions have in common, for charts and tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Group {
    /// A shell line in its rtk form.
    Rewritten,
    /// A longer wait, and nothing else.
    WaitRaised,
    /// A read or search that goes through rtk.
    Routed,
    /// A read of internal state that was refused.
    Guarded,
    /// A poll or a timer that was refused.
    Polls,
    /// The user was asked.
    Asked,
    /// All else.
    Other,
}

impl Group {
    /// All groups, in the order of the charts.
    pub const ALL: [Self; 7] = [
        Self::Rewritten,
        Self::WaitRaised,
        Self::Routed,
        Self::Guarded,
        Self::Polls,
        Self::Asked,
        Self::Other,
    ];

    /// The group of a kind; `None` is one that is not known here.
    pub const fn of(kind: Option<Kind>) -> Self {
        match kind {
            Some(Kind::Rewritten) => Self::Rewritten,
            Some(Kind::WaitRaised) => Self::WaitRaised,
            Some(Kind::Routed) => Self::Routed,
            Some(Kind::TranscriptGuarded) => Self::Guarded,
            Some(Kind::PollDenied | Kind::TimerDenied | Kind::BreakerDeclined) => Self::Polls,
            Some(
                Kind::BreakerTripped | Kind::BreakerAsked | Kind::BenchmarkAsked | Kind::GuardAsked,
            ) => Self::Asked,
            Some(Kind::TimerCarded | Kind::Unreadable | Kind::LedgerFailed | Kind::Repeated)
            | None => Self::Other,
        }
    }

    /// Its name in charts and tables.
    pub const fn label(self) -> &'static str {
        match self {
            Self::Rewritten => "rewritten",
            Self::WaitRaised => "wait raised",
            Self::Routed => "routed",
            Self::Guarded => "guarded",
            Self::Polls => "polls denied",
            Self::Asked => "asked you",
            Self::Other => "other",
        }
    }
}

/// Counts by [`Group`], in the order of [`Group::ALL`].
pub type ByGroup = [u64; Group::ALL.len()];

/// What users ask first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Totals {
    /// Shell lines in their rtk form.
    pub rewritten: u64,
    /// Commands whose wait was raised, rewritten or not.
    pub waits_raised: u64,
    /// Reads and searches that were refused for an rtk command.
    pub routed: u64,
    /// Status checks, waits, log reads and timers that were refused.
    pub polls_denied: u64,
    /// Breakers that were opened.
    pub breakers_tripped: u64,
    /// Reads of internal state that were refused.
    pub transcripts_guarded: u64,
    /// Times that the user was asked.
    pub asked: u64,
}

/// A tool's decisions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ToolCount {
    /// The tool's name, as the log has it: not to be trusted.
    pub tool: String,
    /// Its decisions.
    pub total: u64,
    /// By group, in the order of [`Group::ALL`].
    pub groups: ByGroup,
}

/// The decisions of a day or week.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Bucket {
    /// Its first day.
    pub first: NaiveDate,
    /// Its last day.
    pub last: NaiveDate,
    /// By group, in the order of [`Group::ALL`].
    pub groups: ByGroup,
}

impl Bucket {
    /// All its decisions.
    pub fn total(&self) -> u64 {
        self.groups.iter().sum()
    }
}

/// The counts of a log.
#[derive(Debug, Clone, Default)]
pub struct Tally {
    pub decisions: u64,
    pub conversations: u64,
    pub totals: Totals,
    /// By kind, in the order of [`Kind::ALL`]; kinds that are not known here come last.
    pub kinds: Vec<(Option<Kind>, u64)>,
    pub tools: Vec<ToolCount>,
    pub buckets: Vec<Bucket>,
    pub times: Vec<u64>,
    /// Lines whose time is none.
    pub damaged: u64,
}

/// Counts those of `lines` that are in `range`, each call once.
pub fn tally(lines: &[Logged], range: &Range) -> Tally {
    let mut tally = Tally {
        buckets: buckets(range),
        ..Tally::default()
    };
    let (mut kinds, mut tools) = (BTreeMap::new(), BTreeMap::new());
    let (mut seen, mut conversations) = (HashSet::new(), HashSet::new());
    for line in lines {
        let Some(time) = DateTime::from_timestamp_millis(line.at) else {
            tally.damaged += 1;
            continue;
        };
        // A host with two registrations has each call judged, and logged, twice.
        let call = line
            .step
            .map(|step| (&line.conversation, step, &line.tool, &line.kind));
        if !range.contains(time) || call.is_some_and(|call| !seen.insert(call)) {
            continue;
        }
        let kind = Kind::of(&line.kind);
        let group = Group::of(kind) as usize;
        tally.decisions += 1;
        tally.totals.add(kind, line.wait_raised);
        tally.times.extend(line.us);
        if !line.conversation.is_empty() {
            conversations.insert(&line.conversation);
        }
        *kinds
            .entry(kind.map_or((1, None), |kind| (0, Some(kind))))
            .or_insert(0) += 1;
        tools.entry(&line.tool).or_insert(ByGroup::default())[group] += 1;
        let day = range.zone.day(time);
        let bucket = tally.buckets.partition_point(|bucket| bucket.last < day);
        if let Some(bucket) = tally.buckets.get_mut(bucket) {
            bucket.groups[group] += 1;
        }
    }
    tally.conversations = conversations.len() as u64;
    tally.kinds = kinds
        .into_iter()
        .map(|((_, kind), count)| (kind, count))
        .collect();
    tally.tools = by_tool(tools);
    tally
}

impl Totals {
    fn add(&mut self, kind: Option<Kind>, wait_raised: bool) {
        let is = |group| u64::from(Group::of(kind) == group);
        self.rewritten += is(Group::Rewritten);
        self.waits_raised += u64::from(wait_raised) + is(Group::WaitRaised);
        self.routed += is(Group::Routed);
        self.polls_denied += is(Group::Polls);
        self.transcripts_guarded += is(Group::Guarded);
        self.asked += is(Group::Asked);
        self.breakers_tripped += u64::from(kind == Some(Kind::BreakerTripped));
    }
}

/// Those with most decisions first; the rest together.
fn by_tool(tools: BTreeMap<&String, ByGroup>) -> Vec<ToolCount> {
    let count = |(tool, groups): (&String, ByGroup)| ToolCount {
        tool: tool.clone(),
        total: groups.iter().sum(),
        groups,
    };
    let mut counts: Vec<ToolCount> = tools.into_iter().map(count).collect();
    counts.sort_by_key(|count| std::cmp::Reverse(count.total));
    if counts.len() > MOST_TOOLS {
        let rest = counts.split_off(MOST_TOOLS - 1);
        let mut other = ToolCount {
            tool: format!("{} other tools", rest.len()),
            total: rest.iter().map(|count| count.total).sum(),
            groups: ByGroup::default(),
        };
        for count in rest {
            for (sum, number) in other.groups.iter_mut().zip(count.groups) {
                *sum += number;
            }
        }
        counts.push(other);
    }
    counts
}

/// The days of `range`, or its weeks from Monday to Sunday.
fn buckets(range: &Range) -> Vec<Bucket> {
    let days: Vec<NaiveDate> = range.days().collect();
    let bucket = |first, last| Bucket {
        first,
        last,
        groups: ByGroup::default(),
    };
    if days.len() <= MOST_DAYS {
        return days.into_iter().map(|day| bucket(day, day)).collect();
    }
    let mut weeks: Vec<Bucket> = Vec::new();
    for day in days {
        match weeks.last_mut() {
            Some(week) if day.weekday() != chrono::Weekday::Mon => week.last = day,
            _ => weeks.push(bucket(day, day)),
        }
    }
    weeks
}
