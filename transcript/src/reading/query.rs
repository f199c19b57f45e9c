//! Searching a conversation, and listing its records.

use super::conversations::Conversation;
use super::entry::Role;
use super::error::ReadingError;
use super::hints::Route;
use super::marks::Marks;
use super::matches::search;
use super::needle::{Needle, looks_like_a_pattern};
use super::place;
use super::results::page;
use super::show::Mode;
use super::transcript::Transcript;

/// Records that a caller gets without saying how many.
pub const MAX_RESULTS: u32 = 5;
/// The most that can be asked for.
pub const MOST_RESULTS: u32 = 100;
/// How `query` is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Meaning {
    /// As text; if nothing matches and it looks like a regular expression, as that.
    #[default]
    Either,
    /// As text.
    Text,
    /// As a regular expression.
    Pattern,
}

/// What is searched for.
#[derive(Debug, Clone)]
pub struct QueryRequest {
    /// The text; without one every record matches.
    pub query: Option<String>,
    /// How it is meant.
    pub meaning: Meaning,
    /// Roles that count; empty is all.
    pub roles: Vec<Role>,
    /// How much of each record.
    pub mode: Mode,
    /// The first step that counts.
    pub start_step: Option<u64>,
    /// The last step that counts.
    pub end_step: Option<u64>,
    /// Only the last turns; 0 is all.
    pub last_turns: u32,
    /// Search and show the model's thinking too.
    pub thinking: bool,
    /// Search and show the model's tool calls too.
    pub tool_calls: bool,
    /// The newest so many records that match are shown.
    pub max_results: u32,
    /// One line for each.
    pub summary_only: bool,
    /// Bytes of the page, within [`PAGE_RANGE`](super::PAGE_RANGE).
    pub max_bytes: usize,
    /// How the next question will be asked.
    pub route: Route,
}

impl QueryRequest {
    /// The newest five records with this text, in a page of the route's own size.
    pub fn new(query: Option<String>, route: Route) -> Self {
        Self {
            query,
            meaning: Meaning::default(),
            roles: Vec::new(),
            mode: Mode::default(),
            start_step: None,
            end_step: None,
            last_turns: 0,
            thinking: false,
            tool_calls: true,
            max_results: MAX_RESULTS,
            summary_only: false,
            max_bytes: route.page(),
            route,
        }
    }
}

/// The newest records that match, oldest first, as one page of Markdown of at most `max_bytes`.
///
/// # Errors
/// [`ReadingError`] if an argument can't be used or the transcript can't be read.
pub fn query(conversation: &Conversation, request: &QueryRequest) -> Result<String, ReadingError> {
    if let (Some(first), Some(last)) = (request.start_step, request.end_step)
        && first > last
    {
        return Err(ReadingError::Argument {
            name: "endStep",
            problem: format!("({last}) is less than startStep ({first}); swap them"),
        });
    }
    let mut transcript = Transcript::open(conversation)?;
    let text = request.query.as_deref().filter(|text| !text.is_empty());
    let needle = match (text, request.meaning) {
        (None, _) => Needle::All,
        (Some(text), Meaning::Pattern) => Needle::pattern(text)?,
        (Some(text), _) => Needle::text(text)?,
    };
    let range = range(&mut transcript, request)?;
    let mut found = search(&mut transcript, request, needle, range)?;
    let mut note = "";
    if let (0, Some(text), Meaning::Either) = (found.total, text, request.meaning)
        && looks_like_a_pattern(text)
        && let Ok(pattern) = Needle::pattern(text)
    {
        found = search(&mut transcript, request, pattern, range)?;
        note = " (read as a regular expression, since no record has it as text)";
    }
    page(&mut transcript, request, found, note)
}

/// The bytes that can hold what is asked for.
fn range(
    transcript: &mut Transcript<'_>,
    request: &QueryRequest,
) -> Result<(u64, u64), ReadingError> {
    let source = &mut transcript.main.source;
    let len = source.len();
    let places = (|| {
        let mut from = match request.start_step {
            Some(step) if step > 0 => place::before(source, step)?,
            _ => 0,
        };
        let to = match request.end_step {
            Some(step) => place::end_before(source, step.saturating_add(1))?,
            None => len,
        };
        if request.last_turns > 0 {
            from = from.max(turns_start(source, request.last_turns)?);
        }
        Ok((from, to))
    })();
    places.map_err(|error| transcript.failed(error))
}

/// The offset at which the last turns begin.
fn turns_start(
    source: &mut crate::source::Source<super::log::Bytes>,
    turns: u32,
) -> std::io::Result<u64> {
    let len = source.len();
    let mut marks = Marks::new(source, (0, len), u64::MAX)?;
    let mut left = turns;
    while let Some(mark) = marks.next(source)? {
        if mark.role == Role::User {
            left -= 1;
        }
        if left == 0 {
            return Ok(mark.line.start);
        }
    }
    Ok(0)
}
