//! The last turns of a conversation, newest first until the page is full.

use super::conversations::Conversation;
use super::entry::Role;
use super::error::ReadingError;
use super::hints::{More, Route};
use super::markdown::{bytes, number};
use super::marks::{Mark, Marks};
use super::place;
use super::show::Mode;
use super::transcript::Transcript;
use super::turn::{Building, Turn, least};
use std::fmt::Write;

/// Bytes of a page that a tool answers with, if nothing else is asked.
pub const PAGE: usize = 16 * 1024;
/// The same for what a command prints: Antigravity (measured with SDK 0.1.22) shows the model the last 8192 bytes of that,
/// with a carriage return before each newline, so the beginning of a longer page would be lost. This leaves room for the returns of
/// 1024 lines.
pub const COMMAND_PAGE: usize = 7 * 1024;
/// The smallest and the largest page that can be asked for.
pub const PAGE_RANGE: std::ops::RangeInclusive<usize> = 2 * 1024..=256 * 1024;
/// Turns that a caller gets without saying how many.
pub const LAST_TURNS: u32 = 3;

/// Bytes read back to find where turns begin, for one page: about 40 ms from the page cache. A turn that is longer goes on on the next page.
const SCANNED: u64 = 128 << 20;
/// A page is divided among at most so many turns; with more each would be a stump.
const TURNS_ON_A_PAGE: usize = 12;
/// Bytes of a page that are kept for its heading and what follows the turns.
const FRAME: usize = 1024;

/// What is to be read.
#[derive(Debug, Clone)]
pub struct ReadRequest {
    /// How much of each record.
    pub mode: Mode,
    /// Turns from the end; 0 is all.
    pub last_turns: u32,
    /// The model's thinking too.
    pub thinking: bool,
    /// Only what is older than this step: how a page says that the next one begins.
    pub before_step: Option<u64>,
    /// Bytes of the page, within [`PAGE_RANGE`].
    pub max_bytes: usize,
    /// How the next question will be asked.
    pub route: Route,
}

impl ReadRequest {
    /// The last three turns in a page of the route's own size.
    pub fn new(route: Route) -> Self {
        Self {
            mode: Mode::default(),
            last_turns: LAST_TURNS,
            thinking: false,
            before_step: None,
            max_bytes: route.page(),
            route,
        }
    }
}

/// The last turns as one page of Markdown of at most `max_bytes`.
///
/// Each turn is there with the user's words and its last steps; what does not fit is named with the way to it, be it steps in a turn
/// or whole turns.
///
/// # Errors
/// [`ReadingError`] if the transcript can't be read.
pub fn read(conversation: &Conversation, request: &ReadRequest) -> Result<String, ReadingError> {
    page(&mut Transcript::open(conversation)?, request)
}

fn page(transcript: &mut Transcript<'_>, request: &ReadRequest) -> Result<String, ReadingError> {
    let conversation = transcript.conversation;
    let size = request
        .max_bytes
        .clamp(*PAGE_RANGE.start(), *PAGE_RANGE.end());
    let room = size - (FRAME + request.route.cost()).min(size / 2);
    let span = Span::new(transcript, request.before_step)?;
    let on_page = match request.last_turns as usize {
        0 => TURNS_ON_A_PAGE,
        asked => asked.min(TURNS_ON_A_PAGE),
    };
    let there = span.count_turns(transcript, on_page)?;
    let mut page = Page {
        request,
        room,
        share: (room / there.max(1)).max(least(transcript, &request.route)),
        left_over: 0,
        turns: Vec::new(),
        asked: match request.last_turns {
            0 => usize::MAX,
            asked => asked as usize,
        },
    };
    let end = page.fill(transcript, &span)?;
    let mut out = heading(transcript, &page);
    for turn in page.turns.iter().rev() {
        out.push('\n');
        out += &turn.text;
    }
    out.push('\n');
    out += &footing(conversation, request, &page, &end);
    // What is only a help goes where there is room for it.
    let help = page
        .turns
        .first()
        .map(|turn| one_step(request, conversation, turn.last));
    out += help
        .filter(|help| out.len() + help.len() <= size)
        .as_deref()
        .unwrap_or("");
    debug_assert!(out.len() <= size, "{} > {size}", out.len());
    Ok(super::markdown::start(&out, size).to_owned())
}

/// The part of the file that a page is made from.
struct Span {
    floor: u64,
    end: u64,
    below: u64,
}

impl Span {
    fn new(transcript: &mut Transcript<'_>, before: Option<u64>) -> Result<Self, ReadingError> {
        let end = match before {
            None => Ok(transcript.main.len()),
            Some(step) => place::end_before(&mut transcript.main.source, step),
        };
        let end = end.map_err(|error| transcript.failed(error))?;
        Ok(Self {
            floor: end.saturating_sub(SCANNED),
            end,
            below: before.unwrap_or(u64::MAX),
        })
    }

    fn marks(&self, transcript: &mut Transcript<'_>) -> Result<Marks, ReadingError> {
        Marks::new(
            &mut transcript.main.source,
            (self.floor, self.end),
            self.below,
        )
        .map_err(|error| transcript.failed(error))
    }

    /// How many turns there are, as far as `enough`.
    fn count_turns(
        &self,
        transcript: &mut Transcript<'_>,
        enough: usize,
    ) -> Result<usize, ReadingError> {
        let mut marks = self.marks(transcript)?;
        let (mut turns, mut open) = (0, false);
        while turns < enough
            && let Some(mark) = next(&mut marks, transcript)?
        {
            open = mark.role != Role::User;
            turns += usize::from(!open);
        }
        Ok(turns + usize::from(open && turns < enough))
    }
}

fn next(marks: &mut Marks, transcript: &mut Transcript<'_>) -> Result<Option<Mark>, ReadingError> {
    let mark = marks.next(&mut transcript.main.source);
    mark.map_err(|error| transcript.failed(error))
}

/// Why a page ends.
struct End {
    /// Something older is there.
    more: bool,
    /// It ends within a turn.
    within: bool,
    damaged: u64,
}

struct Page<'r> {
    request: &'r ReadRequest,
    room: usize,
    share: usize,
    left_over: usize,
    /// Newest first.
    turns: Vec<Turn>,
    asked: usize,
}

impl Page<'_> {
    fn fill(&mut self, transcript: &mut Transcript<'_>, span: &Span) -> Result<End, ReadingError> {
        let mut marks = span.marks(transcript)?;
        let route = &self.request.route;
        let least = least(transcript, route);
        let mut building: Option<Building> = None;
        let (mut more, mut damaged) = (false, 0);
        while let Some(mark) = next(&mut marks, transcript)? {
            if building.is_none() {
                // The newest turn is shown in whatever room there is.
                let is_full = self.room < least && !self.turns.is_empty();
                if self.turns.len() >= self.asked || is_full {
                    more = true;
                    break;
                }
                let budget = self.room.min(self.share + self.left_over);
                building = Some(Building::new(transcript, route, budget, mark.step));
            }
            let Some(turn) = building.as_mut() else {
                break;
            };
            let is_record = turn.add(transcript, mark, self.request)?;
            damaged += u64::from(!is_record);
            if mark.role == Role::User {
                self.close(building.take(), &transcript.conversation.id);
            }
        }
        let within = building.is_some();
        self.close(building, &transcript.conversation.id);
        Ok(End {
            more: more || marks.floor_reached,
            within: within && marks.floor_reached,
            damaged: damaged + marks.damaged,
        })
    }

    fn close(&mut self, building: Option<Building>, conversation: &str) {
        let Some(turn) = building.map(|building| building.done(&self.request.route, conversation))
        else {
            return;
        };
        let used = turn.text.len() + 1;
        // What a turn leaves over goes to the older ones.
        self.left_over = (self.share + self.left_over).saturating_sub(used);
        self.room = self.room.saturating_sub(used);
        self.turns.push(turn);
    }
}

fn heading(transcript: &Transcript<'_>, page: &Page<'_>) -> String {
    let conversation = transcript.conversation;
    let steps = match (page.turns.last(), page.turns.first()) {
        (Some(oldest), Some(newest)) => format!("steps {} to {}", oldest.first, newest.last),
        _ => "no steps".to_owned(),
    };
    let count = page.turns.len();
    let turns = format!("{count} turn{}", if count == 1 { "" } else { "s" });
    format!(
        "# Conversation {}\n\n{}; {turns}, {steps}; the transcript has {}.\n",
        conversation.id,
        whereabouts(conversation),
        bytes(transcript.main.len())
    )
}

/// Where the conversation was found, and that it was not asked for by its id.
pub(crate) fn whereabouts(conversation: &Conversation) -> String {
    match (conversation.product.as_str(), conversation.newest) {
        ("", _) => "Given by its path".to_owned(),
        (product, true) => format!("The newest conversation, of {product}"),
        (product, false) => format!("Of {product}"),
    }
}

fn one_step(request: &ReadRequest, conversation: &Conversation, step: u64) -> String {
    let ask = request
        .route
        .ask("query", &conversation.id, &[More::Step(step)]);
    format!("One step whole, as the last one: {ask}.\n")
}

fn footing(
    conversation: &Conversation,
    request: &ReadRequest,
    page: &Page<'_>,
    end: &End,
) -> String {
    let route = &request.route;
    let id = conversation.id.as_str();
    let mut out = String::new();
    let oldest = page.turns.last();
    if end.within
        && let Some(oldest) = oldest
    {
        let _ = writeln!(
            out,
            "The turn that holds step {} began more than {} earlier in the file.",
            oldest.first,
            bytes(SCANNED)
        );
    }
    match oldest {
        Some(oldest) if end.more => {
            let left = page
                .asked
                .saturating_sub(page.turns.len() - usize::from(end.within));
            let (what, left) = match (page.asked, left) {
                (usize::MAX, _) => ("Older turns", 0),
                (_, 0) => ("Older turns", request.last_turns),
                (_, left) => ("The other turns that were asked for", left as u32),
            };
            let mut more = vec![More::BeforeStep(oldest.first), More::LastTurns(left)];
            if request.mode == Mode::Full {
                more.push(More::Full);
            }
            if request.thinking {
                more.push(More::Thinking);
            }
            let _ = writeln!(out, "{what}: {}.", route.ask("read", id, &more));
        }
        Some(_) => out += "This page reaches the start of the conversation.\n",
        None => out += "There are no records here.\n",
    }
    if end.damaged > 0 {
        let _ = writeln!(
            out,
            "{} damaged or half-written line(s) passed over.",
            number(end.damaged)
        );
    }
    out
}

#[cfg(test)]
mod tests;
