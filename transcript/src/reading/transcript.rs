//! A conversation's two transcripts: the one that is read, and the one that has the fields whole that the host cut.

use super::conversations::Conversation;
use super::entry::Entry;
use super::error::ReadingError;
use super::log::{Bytes, Log};
use super::place;
use super::spans::Field;
use crate::source::Source;

/// An open conversation.
#[derive(Debug)]
pub(crate) struct Transcript<'c> {
    pub(crate) conversation: &'c Conversation,
    pub(crate) main: Log,
    full: Full,
    /// Places in the transcript with whole fields.
    known: place::Known,
}

#[derive(Debug)]
enum Full {
    Untried,
    Absent,
    Open(Log),
}

impl<'c> Transcript<'c> {
    pub(crate) fn open(conversation: &'c Conversation) -> Result<Self, ReadingError> {
        Ok(Self {
            conversation,
            main: Log::open(&conversation.logs, &conversation.stem)?,
            full: Full::Untried,
            known: place::Known::default(),
        })
    }

    /// The transcript with whole fields, if there is one. It is opened when it is first needed.
    pub(crate) fn full(&mut self) -> Option<&mut Log> {
        if matches!(self.full, Full::Untried) {
            let stem = self.conversation.full_stem();
            let log = stem.and_then(|stem| Log::open(&self.conversation.logs, stem).ok());
            self.full = log.map_or(Full::Absent, Full::Open);
        }
        match &mut self.full {
            Full::Open(log) => Some(log),
            _ => None,
        }
    }

    /// The record with the fields that the host cut taken from the transcript that has them whole. Where that one does not know
    /// the step the cut field stays.
    pub(crate) fn completed(&mut self, mut entry: Entry) -> Result<Entry, ReadingError> {
        if entry.truncated.is_empty() {
            return Ok(entry);
        }
        let mut known = std::mem::take(&mut self.known);
        let Some(full) = self.full() else {
            return Ok(entry);
        };
        let found = place::find_with(&mut full.source, entry.step, &mut known);
        let found = found.map_err(|error| full.failed(error))?;
        self.known = known;
        let Some(whole) = found.filter(|whole| whole.kind == entry.kind) else {
            return Ok(entry);
        };
        let mut left = Vec::new();
        for name in std::mem::take(&mut entry.truncated) {
            let place = entry.fields.iter_mut().find(|field| field.name == name);
            match (place, whole.field(&name)) {
                (Some(place), Some(field)) => {
                    *place = Field {
                        in_full: true,
                        ..field.clone()
                    };
                }
                _ => left.push(name),
            }
        }
        entry.truncated = left;
        Ok(entry)
    }

    /// The bytes that a field's place is one in.
    pub(crate) fn source_of(&mut self, field: &Field) -> &mut Source<Bytes> {
        if field.in_full
            && let Full::Open(log) = &mut self.full
        {
            return &mut log.source;
        }
        &mut self.main.source
    }

    /// What the system said of a read of either.
    pub(crate) fn failed(&self, error: std::io::Error) -> ReadingError {
        self.main.failed(error).into()
    }
}
