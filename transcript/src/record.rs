//! One record's fields, as far as facts are made of them.

use crate::text::decode;
use std::borrow::Cow;

/// A string field as it stands in the file, decoded only when it is looked at.
#[derive(Debug, Clone, Copy)]
pub struct Text<'a>(pub(crate) &'a [u8]);

impl<'a> Text<'a> {
    /// Whether the text is `word`.
    pub fn is(&self, word: &str) -> bool {
        self.0 == word.as_bytes() || (self.0.contains(&b'\\') && decode(self.0) == word)
    }

    /// The text; what is no text in it (bytes that are no UTF-8, half of a surrogate pair) becomes U+FFFD.
    pub fn decoded(&self) -> Cow<'a, str> {
        decode(self.0)
    }

    /// The start of the text, made of at most `limit` bytes of its JSON form.
    pub fn start(&self, limit: usize) -> Cow<'a, str> {
        decode(&self.0[..limit.min(self.0.len())])
    }
}

/// The top-level fields of one well-formed record. A field that is absent, or not of the type it should have, is `None`.
#[derive(Debug, Clone, Copy)]
pub struct Record<'a> {
    /// `step_index`: a number, or a string of digits. Records without one are none.
    pub step: u64,
    /// `source`: `USER_EXPLICIT`, `MODEL`, `SYSTEM`.
    pub source: Option<Text<'a>>,
    /// `type`: `USER_INPUT`, `RUN_COMMAND`, `SYSTEM_MESSAGE`, `GENERIC`, …
    pub kind: Option<Text<'a>>,
    /// `status`: `DONE`, `ERROR`, `RUNNING`, …
    pub status: Option<Text<'a>>,
    /// `created_at`, as the host wrote it (RFC 3339 in UTC, whole seconds).
    pub created_at: Option<Text<'a>>,
    /// The start of `content`, at most [`CONTENT_KEPT`](crate::CONTENT_KEPT) bytes of its JSON form.
    pub content: Option<Text<'a>>,
}

impl Record<'_> {
    /// Whether the record is of this type.
    pub fn is_kind(&self, kind: &str) -> bool {
        self.kind.is_some_and(|text| text.is(kind))
    }

    /// Whether the record has this status.
    pub fn is_status(&self, status: &str) -> bool {
        self.status.is_some_and(|text| text.is(status))
    }

    /// Whether the record comes from this source.
    pub fn is_source(&self, source: &str) -> bool {
        self.source.is_some_and(|text| text.is(source))
    }

    /// Whether the user wrote this (not the host in the user's name).
    pub fn is_user_input(&self) -> bool {
        self.is_kind("USER_INPUT") && self.is_source("USER_EXPLICIT")
    }

    /// The start of `content`, made of at most `limit` bytes of its JSON form; empty if there is none.
    pub(crate) fn content_start(&self, limit: usize) -> Cow<'_, str> {
        self.content
            .map_or(Cow::Borrowed(""), |text| text.start(limit))
    }
}
