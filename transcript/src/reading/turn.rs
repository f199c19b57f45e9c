//! One turn as a part of a page: the user's words, its last steps, and a line for what is left out between them.

use super::entry::{Entry, Role};
use super::error::ReadingError;
use super::hints::{More, Route};
use super::markdown::number;
use super::marks::Mark;
use super::query::MOST_RESULTS;
use super::read::ReadRequest;
use super::show::{Mode, Show, block};
use super::transcript::Transcript;
use std::fmt::Write;

/// Bytes kept in a turn for the line that says what is left out, without the conversation's id and the program's name.
const FOLD: usize = 220;
/// Bytes in which the user's words can be shown, if only their start and the way to the rest, and those in which a turn can.
const PROMPT: usize = 260;
const LEAST: usize = PROMPT + 160;
/// Bytes of a text below which there is no use in cutting it further.
const SHORTEST: usize = 64;

/// A turn that is done.
pub(crate) struct Turn {
    pub(crate) text: String,
    pub(crate) first: u64,
    pub(crate) last: u64,
}

/// A turn while it is read from its end to its start.
pub(crate) struct Building {
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
    /// A turn in at most `budget` bytes whose last step is `last`.
    pub(crate) fn new(
        transcript: &Transcript<'_>,
        route: &Route,
        budget: usize,
        last: u64,
    ) -> Self {
        Self {
            budget: budget.saturating_sub(fold_cost(transcript, route)),
            used: 0,
            blocks: Vec::new(),
            prompt: String::new(),
            folded: Folded::default(),
            first: last,
            last,
        }
    }

    /// Takes the next older record; whether it is one, which its head alone does not tell.
    pub(crate) fn add(
        &mut self,
        transcript: &mut Transcript<'_>,
        mark: Mark,
        request: &ReadRequest,
    ) -> Result<bool, ReadingError> {
        self.first = self.first.min(mark.step);
        self.last = self.last.max(mark.step);
        let is_prompt = mark.role == Role::User;
        if self.folded.count > 0 && !is_prompt {
            self.fold(mark.step);
            return Ok(true);
        }
        // A third is the prompt's, so that the user's words are never what is missing.
        let kept = if is_prompt {
            0
        } else {
            PROMPT.max(self.budget / 3)
        };
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
        let entry = Entry::read(&mut transcript.main.source, mark.line.start, mark.line.end);
        let Some(entry) = entry.map_err(|error| transcript.failed(error))? else {
            return Ok(false);
        };
        let entry = transcript.completed(entry)?;
        let show = Show {
            mode: request.mode,
            thinking: request.thinking,
            tool_calls: true,
            limit,
            route: &request.route,
        };
        // What stands at the edges of a turn must be there, however short; of the rest what fits.
        let must = is_prompt || self.blocks.is_empty();
        let text = if must {
            fitting(transcript, &entry, show, room)?
        } else {
            block(transcript, &entry, &show)?
        };
        if is_prompt {
            self.prompt = text;
        } else if text.len() <= room {
            self.used += text.len() + 1;
            self.blocks.push(text);
        } else {
            self.fold(mark.step);
        }
        Ok(true)
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

    pub(crate) fn done(self, route: &Route, conversation: &str) -> Turn {
        let mut text = self.prompt;
        if self.folded.count > 0 {
            let Folded { count, first, last } = self.folded;
            let range = [
                More::StartStep(first),
                More::EndStep(last),
                More::MaxResults(MOST_RESULTS),
            ];
            let range = route.ask("query", conversation, &range);
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

/// The least that a turn needs: the line for what is left out, and the start of the user's words.
pub(crate) fn least(transcript: &Transcript<'_>, route: &Route) -> usize {
    LEAST + fold_cost(transcript, route)
}

fn fold_cost(transcript: &Transcript<'_>, route: &Route) -> usize {
    FOLD + transcript.conversation.id.len() + route.cost() / 2
}

/// A record's block in at most `room` bytes: with less of each text, as long as it does not fit.
pub(crate) fn fitting(
    transcript: &mut Transcript<'_>,
    entry: &Entry,
    mut show: Show<'_>,
    room: usize,
) -> Result<String, ReadingError> {
    loop {
        let text = block(transcript, entry, &show)?;
        if text.len() <= room || show.limit < SHORTEST {
            return Ok(text);
        }
        show.limit /= 2;
    }
}
