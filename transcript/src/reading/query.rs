//! Searching a conversation, and listing its records.

use super::conversations::Conversation;
use super::entry::{Entry, Role};
use super::error::ReadingError;
use super::hints::{More, Route};
use super::markdown::{code, number, quoted, start};
use super::marks::Marks;
use super::matcher::{Filter, Hit};
use super::needle::{Needle, looks_like_a_pattern};
use super::place;
use super::read::{PAGE, PAGE_RANGE, whereabouts};
use super::scan::{Found, scan};
use super::show::{Mode, Show, block};
use super::transcript::Transcript;
use super::window::clean;
use std::collections::{BTreeMap, VecDeque};
use std::fmt::Write;

/// Records that a caller gets without saying how many.
pub const MAX_RESULTS: u32 = 5;
/// The most that can be asked for.
pub const MOST_RESULTS: u32 = 100;
const FRAME: usize = 900;
/// Steps with cut fields that are remembered, to look them up in the whole transcript: 32 MB of transcript at least.
const MAX_CUT: usize = 200_000;

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
    /// Bytes of the page, within [`PAGE_RANGE`].
    pub max_bytes: usize,
    /// How the next question will be asked.
    pub route: Route,
}

impl QueryRequest {
    /// The newest five records with this text, in a page of 16 KB.
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
            max_bytes: PAGE,
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

/// Records that match.
struct Matches {
    total: u64,
    /// The newest ones, oldest first.
    newest: VecDeque<Match>,
    keep: usize,
    /// Steps with a field that the host cut, and that did not match so far; and whether there were too many.
    cut: BTreeMap<u64, ()>,
    overflow: bool,
}

struct Match {
    step: u64,
    /// The line in the transcript that is read.
    line: Option<(u64, u64)>,
    hit: Hit,
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
            self.cut.insert(entry.step, ());
        } else {
            self.overflow = true;
        }
    }
}

/// Takes matches in the transcript with whole fields, of the steps that are cut in the other.
struct Whole<'m>(&'m mut Matches);

impl Found for Whole<'_> {
    fn hit(&mut self, entry: &Entry, hit: Hit, _: (u64, u64)) {
        if self.0.cut.remove(&entry.step).is_some() {
            self.0.add(Match {
                step: entry.step,
                line: None,
                hit,
            });
        }
    }

    fn cut(&mut self, _: &Entry) {}
}

fn search(
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
        cut: BTreeMap::new(),
        overflow: false,
    };
    let source = &mut transcript.main.source;
    scan(source, range, &filter, true, &mut matches).map_err(|error| transcript.failed(error))?;
    let (Some((first, ())), Some((last, ()))) =
        (matches.cut.first_key_value(), matches.cut.last_key_value())
    else {
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

fn page(
    transcript: &mut Transcript<'_>,
    request: &QueryRequest,
    found: Matches,
    note: &str,
) -> Result<String, ReadingError> {
    let size = request
        .max_bytes
        .clamp(*PAGE_RANGE.start(), *PAGE_RANGE.end());
    let mut room = size - (FRAME + request.route.cost()).min(size / 2);
    let overflow = found.overflow;
    let total = found.total;
    let mut blocks: Vec<(u64, String)> = Vec::new();
    for one in found.newest.iter().rev() {
        let share = match request.mode {
            Mode::Compact => 1500.min(room),
            Mode::Full => room,
        };
        let text = show(transcript, request, one, share)?;
        if text.len() + 1 > room {
            break;
        }
        room -= text.len() + 1;
        blocks.push((one.step, text));
    }
    let conversation = transcript.conversation;
    let mut out = format!(
        "# Conversation {}\n\n{}; ",
        conversation.id,
        whereabouts(conversation)
    );
    let what = what(request);
    let _ = writeln!(
        out,
        "{} record{} {what}{note}, shown: {}.",
        number(total),
        plural(total),
        showing(total, blocks.len())
    );
    for (_, text) in blocks.iter().rev() {
        if !text.starts_with("- ") {
            out.push('\n');
        }
        out += text;
    }
    out.push('\n');
    out += &footing(request, &conversation.id, total, &blocks);
    if overflow {
        let _ = writeln!(
            out,
            "Cut fields of more than {} steps were not searched whole; give a range of steps.",
            number(MAX_CUT as u64)
        );
    }
    debug_assert!(out.len() <= size, "{} > {size}", out.len());
    Ok(start(&out, size).to_owned())
}

fn plural(count: u64) -> &'static str {
    if count == 1 { "" } else { "s" }
}

fn showing(total: u64, shown: usize) -> String {
    if shown as u64 == total {
        return "all".to_owned();
    }
    format!("the newest {shown}")
}

fn what(request: &QueryRequest) -> String {
    let mut out = match request.query.as_deref().filter(|text| !text.is_empty()) {
        Some(text) => {
            let text = clean(text);
            let shown = start(&text, 100);
            let mark = if shown.len() < text.len() { "…" } else { "" };
            format!("with {}{mark}", code(shown))
        }
        None => "in this selection".to_owned(),
    };
    if !request.roles.is_empty() {
        let names: Vec<&str> = request
            .roles
            .iter()
            .map(|role| role.name())
            .take(4)
            .collect();
        let _ = write!(out, " from {}", names.join(", "));
    }
    out
}

fn show(
    transcript: &mut Transcript<'_>,
    request: &QueryRequest,
    found: &Match,
    room: usize,
) -> Result<String, ReadingError> {
    let source = &mut transcript.main.source;
    let entry = match found.line {
        Some((start, end)) => Entry::read(source, start, end),
        None => place::find(source, found.step),
    };
    let Some(entry) = entry.map_err(|error| transcript.failed(error))? else {
        return Ok(String::new());
    };
    if request.summary_only {
        return Ok(summary(&entry, &found.hit, request));
    }
    let entry = transcript.completed(entry)?;
    if request.mode == Mode::Compact && !found.hit.field.is_empty() {
        let mut out = summary(
            &entry,
            &Hit {
                around: String::new(),
                ..found.hit.clone()
            },
            request,
        );
        out += &quoted(start(
            &found.hit.around,
            room.saturating_sub(out.len() + 80),
        ));
        return Ok(out);
    }
    let limit = match request.mode {
        Mode::Compact => 600,
        Mode::Full => 4000,
    };
    let mut limit = limit.min(room / 2);
    loop {
        let show = Show {
            mode: request.mode,
            thinking: request.thinking,
            tool_calls: request.tool_calls,
            limit,
            route: &request.route,
        };
        let out = block(transcript, &entry, &show)?;
        if out.len() <= room || limit < 64 {
            return Ok(out);
        }
        limit /= 2;
    }
}

/// A record in a line: what it is and where the match stands.
fn summary(entry: &Entry, hit: &Hit, request: &QueryRequest) -> String {
    let kind = clean(&entry.kind);
    let mut out = format!(
        "- {} {} {}",
        entry.step,
        entry.role.name(),
        start(&kind, 64)
    );
    if !entry.created_at.is_empty() {
        let at = clean(&entry.created_at);
        let _ = write!(out, ", {}", start(&at, 40));
    }
    let field = if hit.field.is_empty() {
        "content"
    } else {
        &hit.field
    };
    let size = entry.field(field).map_or(0, super::spans::Field::len);
    let _ = write!(out, ", {field} of {}", super::markdown::bytes(size));
    if !hit.around.is_empty() {
        let _ = write!(out, ": {}", code(start(&hit.around, 120)));
    } else if !request.summary_only {
        let _ = write!(out, "; whole: {}", request.route.field(entry.step, field));
    }
    out.push('\n');
    out
}

fn footing(request: &QueryRequest, id: &str, total: u64, blocks: &[(u64, String)]) -> String {
    let route = &request.route;
    let mut out = String::new();
    match blocks.last() {
        None if request.query.is_some() => {
            out += "Nothing matches. Text is matched letter by letter; (?i) before a regular expression ignores case. Thinking is searched only if it is asked for.\n";
        }
        None => out += "No record is in this selection.\n",
        Some((oldest, _)) if total > blocks.len() as u64 => {
            let mut more = Vec::new();
            if let Some(first) = request.start_step {
                more.push(More::StartStep(first));
            }
            more.push(More::EndStep(oldest.saturating_sub(1)));
            more.push(More::MaxResults(request.max_results));
            let _ = writeln!(
                out,
                "Older ones: the same query again, {}.",
                route.ask("query", id, &more)
            );
        }
        Some(_) => {}
    }
    if let Some((newest, _)) = blocks.first() {
        let ask = route.ask("query", id, &[More::Step(*newest)]);
        let _ = writeln!(out, "One step whole, as the last one: {ask}.");
    }
    out
}
