//! The records that match, each counted once, wherever its text is whole.

use super::entry::Entry;
use super::error::ReadingError;
use super::matcher::{Filter, Hit};
use super::needle::Needle;
use super::place;
use super::query::{MOST_RESULTS, QueryRequest};
use super::scan::{Found, scan};
use super::transcript::Transcript;
use std::collections::{BTreeSet, VecDeque};

/// Steps with cut fields that are remembered, to look them up in the whole transcript: 32 MB of transcript at least.
pub(crate) const MAX_CUT: usize = 200_000;

/// Records that match.
pub(crate) struct Matches {
    pub(crate) total: u64,
    /// The newest ones, oldest first.
    pub(crate) newest: VecDeque<Match>,
    keep: usize,
    /// Steps with a field that the host cut, and that did not match so far; and whether there were too many.
    cut: BTreeSet<u64>,
    pub(crate) overflow: bool,
}

pub(crate) struct Match {
    pub(crate) step: u64,
    /// The line in the transcript that is read; none for a match in the other one.
    pub(crate) line: Option<(u64, u64)>,
    pub(crate) hit: Hit,
}

impl Matches {
    fn add(&mut self, found: Match) {
        self.total += 1;
        let place = self.newest.partition_point(|one| one.step <= found.step);
        self.newest.insert(place, found);
        if self.newest.len() > self.keep {
            self.newest.pop_front();
        }
    }
}

impl Found for Matches {
    fn hit(&mut self, entry: &Entry, hit: Hit, line: (u64, u64)) {
        self.add(Match {
            step: entry.step,
            line: Some(line),
            hit,
        });
    }

    fn cut(&mut self, entry: &Entry) {
        if self.cut.len() < MAX_CUT {
            self.cut.insert(entry.step);
        } else {
            self.overflow = true;
        }
    }
}

/// Takes matches in the transcript with whole fields, of the steps that are cut in the other.
struct Whole<'m>(&'m mut Matches);

impl Found for Whole<'_> {
    fn hit(&mut self, entry: &Entry, hit: Hit, _: (u64, u64)) {
        if self.0.cut.remove(&entry.step) {
            self.0.add(Match {
                step: entry.step,
                line: None,
                hit,
            });
        }
    }

    fn cut(&mut self, _: &Entry) {}
}

/// All records that match, in either transcript.
pub(crate) fn search(
    transcript: &mut Transcript<'_>,
    request: &QueryRequest,
    needle: Needle,
    range: (u64, u64),
) -> Result<Matches, ReadingError> {
    let mut filter = Filter {
        needle,
        roles: request.roles.clone(),
        start_step: request.start_step.unwrap_or(0),
        end_step: request.end_step.unwrap_or(u64::MAX),
        thinking: request.thinking,
        tool_calls: request.tool_calls,
        encoded: true,
    };
    let mut matches = Matches {
        total: 0,
        newest: VecDeque::new(),
        keep: request.max_results.clamp(1, MOST_RESULTS) as usize,
        cut: BTreeSet::new(),
        overflow: false,
    };
    let source = &mut transcript.main.source;
    scan(source, range, &filter, true, &mut matches).map_err(|error| transcript.failed(error))?;
    let (Some(first), Some(last)) = (matches.cut.first(), matches.cut.last()) else {
        return Ok(matches);
    };
    (filter.start_step, filter.end_step) = (*first, *last);
    filter.encoded = false;
    if let Some(full) = transcript.full() {
        let source = &mut full.source;
        let found = place::before(source, filter.start_step).and_then(|from| {
            let to = place::end_before(source, filter.end_step.saturating_add(1))?;
            scan(source, (from, to), &filter, false, &mut Whole(&mut matches))
        });
        found.map_err(|error| transcript.failed(error))?;
    }
    Ok(matches)
}
