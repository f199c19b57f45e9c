//! The last turns of a conversation, newest first until the page is full.

use super::conversations::Conversation;
use super::entry::{Entry, Role};
use super::error::ReadingError;
use super::hints::{More, Route};
use super::markdown::{bytes, number};
use super::marks::{Mark, Marks};
use super::place;
use super::show::{Mode, Show, block};
use super::transcript::Transcript;
use std::fmt::Write;

/// Bytes of a page, if nothing else is asked.
pub const PAGE: usize = 16 * 1024;
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
/// Bytes kept in a turn for the line that says what is left out.
const FOLD: usize = 320;
/// The least that a turn is given.
const LEAST: usize = 600;

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
    /// The last three turns in a page of 16 KB.
    pub fn new(route: Route) -> Self {
        Self {
            mode: Mode::default(),
            last_turns: LAST_TURNS,
            thinking: false,
            before_step: None,
            max_bytes: PAGE,
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
        share: (room / there.max(1)).max(LEAST),
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

/// A turn that is done.
struct Turn {
    text: String,
    first: u64,
    last: u64,
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
        let mut building: Option<Building> = None;
        let mut more = false;
        while let Some(mark) = next(&mut marks, transcript)? {
            if building.is_none() {
                if self.turns.len() >= self.asked || self.room < LEAST {
                    more = true;
                    break;
                }
                let budget = self.room.min(self.share + self.left_over);
                building = Some(Building::new(budget, mark.step));
            }
            let Some(turn) = building.as_mut() else {
                break;
            };
            turn.add(transcript, mark, self.request)?;
            if mark.role == Role::User {
                self.close(building.take());
            }
        }
        let within = building.is_some();
        self.close(building);
        Ok(End {
            more: more || marks.floor_reached,
            within: within && marks.floor_reached,
            damaged: marks.damaged,
        })
    }

    fn close(&mut self, building: Option<Building>) {
        let Some(turn) = building.map(|building| building.done(&self.request.route)) else {
            return;
        };
        let used = turn.text.len() + 1;
        // What a turn leaves over goes to the older ones.
        self.left_over = (self.share + self.left_over).saturating_sub(used);
        self.room = self.room.saturating_sub(used);
        self.turns.push(turn);
    }
}

/// A turn while it is read from its end to its start.
struct Building {
    budget: usize,
    used: usize,
    /// Newest first.
    blocks: Vec<String>,
    prompt: String,
    folded: Folded,
    first: u64,
    last: u64,
}

/// Steps of a turn that are only counted.
#[derive(Default)]
struct Folded {
    count: u64,
    first: u64,
    last: u64,
}

impl Building {
    fn new(budget: usize, last: u64) -> Self {
        Self {
            budget,
            used: 0,
            blocks: Vec::new(),
            prompt: String::new(),
            folded: Folded::default(),
            first: last,
            last,
        }
    }

    fn add(
        &mut self,
        transcript: &mut Transcript<'_>,
        mark: Mark,
        request: &ReadRequest,
    ) -> Result<(), ReadingError> {
        self.first = self.first.min(mark.step);
        self.last = self.last.max(mark.step);
        let is_prompt = mark.role == Role::User;
        if self.folded.count > 0 && !is_prompt {
            self.fold(mark.step);
            return Ok(());
        }
        // A third is the prompt's, so that the user's words are never what is missing.
        let kept = FOLD + if is_prompt { 0 } else { self.budget / 3 };
        let room = self.budget.saturating_sub(self.used + kept);
        let limit = match request.mode {
            Mode::Compact => 1000,
            Mode::Full => 4000,
        };
        let limit = if is_prompt {
            room.saturating_sub(80) * 3 / 4
        } else {
            room / 2
        }
        .min(limit);
        let show = Show {
            mode: request.mode,
            thinking: request.thinking,
            tool_calls: true,
            limit,
            route: &request.route,
        };
        let entry = Entry::read(&mut transcript.main.source, mark.line.start, mark.line.end);
        let Some(entry) = entry.map_err(|error| transcript.failed(error))? else {
            return Ok(());
        };
        let entry = transcript.completed(entry)?;
        let text = block(transcript, &entry, &show)?;
        if is_prompt {
            self.prompt = super::markdown::start(&text, room.max(LEAST / 2)).to_owned();
        } else if text.len() <= room {
            self.used += text.len() + 1;
            self.blocks.push(text);
        } else {
            self.fold(mark.step);
        }
        Ok(())
    }

    fn fold(&mut self, step: u64) {
        let folded = &mut self.folded;
        if folded.count == 0 {
            (folded.first, folded.last) = (step, step);
        }
        folded.count += 1;
        folded.first = folded.first.min(step);
        folded.last = folded.last.max(step);
    }

    fn done(self, route: &Route) -> Turn {
        let mut text = self.prompt;
        if self.folded.count > 0 {
            let Folded { count, first, last } = self.folded;
            let range = match route {
                Route::Tools => {
                    format!("query_transcript startStep={first}, endStep={last}, maxResults=100")
                }
                Route::Command(_) => {
                    format!("transcript query --from {first} --to {last} --max 100")
                }
            };
            let _ = writeln!(
                text,
                "\n[… steps {first} to {last} ({} records) left out; list them: {range} …]",
                number(count)
            );
        }
        let mut before = String::new();
        for block in self.blocks.iter().rev() {
            // A list goes on without an empty line.
            if !(before.starts_with("- ") && block.starts_with("- ")) {
                text.push('\n');
            }
            text += block;
            before.clone_from(block);
        }
        Turn {
            text: text.trim_start_matches('\n').to_owned(),
            first: self.first,
            last: self.last,
        }
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
    if request.mode == Mode::Compact && !page.turns.is_empty() {
        let step = [More::Step(page.turns[0].last)];
        let _ = writeln!(
            out,
            "One step whole, as the last one: {}.",
            route.ask("query", id, &step)
        );
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reading::Conversations;
    use std::io::Write as _;

    /// Turns of 40 steps with 2 KB of output every other step, and with fields that are whole in the other file.
    fn conversation(home: &std::path::Path, bytes: usize) -> Conversation {
        let logs = home.join(".gemini/antigravity/brain/c/.system_generated/logs");
        std::fs::create_dir_all(&logs).unwrap();
        let create =
            |name| std::io::BufWriter::new(std::fs::File::create(logs.join(name)).unwrap());
        let (mut main, mut full) = (create("transcript.jsonl"), create("transcript_full.jsonl"));
        let (mut written, mut step) = (0, 0);
        while written < bytes {
            let (source, kind, text, cut) = match step % 40 {
                0 => ("USER_EXPLICIT", "USER_INPUT", "go on".to_owned(), ""),
                at if at % 2 == 1 => ("MODEL", "PLANNER_RESPONSE", "I look.".to_owned(), ""),
                _ => (
                    "MODEL",
                    "RUN_COMMAND",
                    "word ".repeat(400),
                    ",\"truncated_fields\":[\"content\"]",
                ),
            };
            let head = format!(
                "{{\"step_index\":{step},\"source\":\"{source}\",\"type\":\"{kind}\",\"status\":\"DONE\",\"content\":\"{text}"
            );
            writeln!(main, "{head}\"{cut}}}").unwrap();
            writeln!(full, "{head}{text}{text}\"}}").unwrap();
            written += head.len();
            step += 1;
        }
        Conversations::new(home).find(Some("c")).unwrap()
    }

    #[test]
    fn a_page_costs_the_same_whatever_lies_before_it() {
        let folder = tempfile::tempdir().unwrap();
        let costs: Vec<u64> = [4 << 20, 64 << 20]
            .into_iter()
            .map(|bytes| {
                let conversation = conversation(&folder.path().join(bytes.to_string()), bytes);
                let mut transcript = Transcript::open(&conversation).unwrap();
                let text = page(&mut transcript, &ReadRequest::new(Route::Tools)).unwrap();
                assert!(text.contains("3 turns"));
                let full = transcript.full().map_or(0, |full| full.source.bytes_read());
                assert!(full > 0);
                transcript.main.source.bytes_read() + full
            })
            .collect();
        assert!(costs[1] < 16 << 20, "{costs:?}");
        assert!(costs[1] < costs[0] * 2, "{costs:?}");
    }

    #[test]
    fn a_turn_that_is_longer_than_what_is_scanned_goes_on_on_the_next_page() {
        let folder = tempfile::tempdir().unwrap();
        let logs = folder
            .path()
            .join(".gemini/antigravity/brain/c/.system_generated/logs");
        std::fs::create_dir_all(&logs).unwrap();
        let mut out =
            std::io::BufWriter::new(std::fs::File::create(logs.join("transcript.jsonl")).unwrap());
        let user = "{\"step_index\":0,\"source\":\"USER_EXPLICIT\",\"type\":\"USER_INPUT\",\"status\":\"DONE\",\"content\":\"the wish\"}";
        writeln!(out, "{user}").unwrap();
        let filler = "x".repeat(1 << 20);
        for step in 1..=150 {
            writeln!(out, "{{\"step_index\":{step},\"source\":\"MODEL\",\"type\":\"RUN_COMMAND\",\"status\":\"DONE\",\"content\":\"{filler}\"}}").unwrap();
        }
        drop(out);
        let conversation = Conversations::new(folder.path()).find(Some("c")).unwrap();
        let mut request = ReadRequest::new(Route::Tools);
        let first = read(&conversation, &request).unwrap();
        assert!(first.contains("- 150 tool") && !first.contains("the wish"));
        let at = first.rfind("beforeStep=").unwrap() + "beforeStep=".len();
        let digits: String = first[at..]
            .chars()
            .take_while(char::is_ascii_digit)
            .collect();
        request.before_step = digits.parse().ok();
        assert!(first.contains("lastTurns=3"), "{first}");
        let second = read(&conversation, &request).unwrap();
        assert!(second.contains("the wish"), "{second}");
    }
}
