//! One record as a block of Markdown.

use super::calls::{Call, calls, text_of};
use super::clean::clean;
use super::entry::{Entry, Role};
use super::error::ReadingError;
use super::hints::Route;
use super::markdown::{bytes, code, fenced, quoted, start};
use super::spans::{Field, Kind};
use super::tidy::tidy;
use super::transcript::Transcript;
use super::window;
use std::fmt::Write;

/// Bytes of a `tool_calls` array that are parsed. A larger one is shown by its size; its memory would be several times that.
pub(crate) const MAX_CALLS: u64 = 2 << 20;
/// Bytes of an argument, where only what was done is wanted.
const SHORT_ARGUMENT: usize = 160;

/// How much of a record is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mode {
    /// What was said and done, and how it went.
    #[default]
    Compact,
    /// The results of tool calls too, and longer parts of each text.
    Full,
}

/// What of a record is shown, and how much.
#[derive(Debug, Clone)]
pub(crate) struct Show<'a> {
    pub(crate) mode: Mode,
    pub(crate) thinking: bool,
    pub(crate) tool_calls: bool,
    /// Bytes of one text.
    pub(crate) limit: usize,
    pub(crate) route: &'a Route,
}

/// The block, which ends with a newline.
pub(crate) fn block(
    transcript: &mut Transcript<'_>,
    entry: &Entry,
    show: &Show<'_>,
) -> Result<String, ReadingError> {
    let step = entry.step;
    let mut out = String::new();
    match entry.role {
        Role::User => {
            let _ = writeln!(out, "## Step {step}, user{}\n", at(entry));
            out += &quoted(&said(transcript, entry, "content", show)?);
        }
        Role::Assistant => assistant(transcript, entry, show, &mut out)?,
        Role::Tool | Role::System => outcome(transcript, entry, show, &mut out)?,
    }
    Ok(out)
}

fn at(entry: &Entry) -> String {
    if entry.created_at.is_empty() {
        return String::new();
    }
    format!(", {}", start(&clean(&entry.created_at), 40))
}

fn assistant(
    transcript: &mut Transcript<'_>,
    entry: &Entry,
    show: &Show<'_>,
    out: &mut String,
) -> Result<(), ReadingError> {
    let step = entry.step;
    if show.thinking && entry.field("thinking").is_some_and(|field| field.len() > 0) {
        let text = said(transcript, entry, "thinking", show)?;
        let _ = write!(out, "**{step} assistant thinks**\n\n{}", quoted(&text));
    }
    if entry.field("content").is_some_and(|field| field.len() > 0) {
        let text = said(transcript, entry, "content", show)?;
        let _ = write!(out, "**{step} assistant**\n\n{}", quoted(&text));
    }
    if show.tool_calls {
        tool_calls(transcript, entry, show, out)?;
    }
    if out.is_empty() {
        let _ = writeln!(out, "- {step} assistant: nothing said{}", status(entry));
    }
    Ok(())
}

fn status(entry: &Entry) -> String {
    match entry.status.as_str() {
        "" | "DONE" => String::new(),
        other => format!(", {}", start(&clean(other), 40)),
    }
}

/// The calls of a record, if they are few enough to be parsed.
pub(crate) fn calls_of(
    transcript: &mut Transcript<'_>,
    field: &Field,
) -> Result<Option<Vec<Call>>, ReadingError> {
    if field.len() > MAX_CALLS {
        return Ok(None);
    }
    let raw = window::raw(transcript.source_of(field), field, MAX_CALLS);
    let raw = raw.map_err(|error| transcript.failed(error))?;
    Ok(Some(calls(&raw, !field.in_full)))
}

fn tool_calls(
    transcript: &mut Transcript<'_>,
    entry: &Entry,
    show: &Show<'_>,
    out: &mut String,
) -> Result<(), ReadingError> {
    let step = entry.step;
    let Some(field) = entry.field("tool_calls").filter(|field| field.len() > 2) else {
        return Ok(());
    };
    let way = show.route.field(step, "tool_calls");
    let Some(list) = calls_of(transcript, field)? else {
        let size = bytes(field.len());
        let _ = writeln!(
            out,
            "- {step} assistant calls tools, {size} of arguments; whole: {way}"
        );
        return Ok(());
    };
    for call in list {
        let name = code(&clean(&call.name));
        let _ = write!(out, "- {step} assistant calls {}", start(&name, 200));
        match show.mode {
            Mode::Compact => arguments_in_a_line(&call, &way, show.limit, out),
            Mode::Full => arguments_as_blocks(&call, &way, show.limit, out),
        }
    }
    Ok(())
}

fn arguments_in_a_line(call: &Call, way: &str, limit: usize, out: &mut String) {
    let mut room = limit;
    let mut cut = false;
    for (index, (name, value)) in call.telling().enumerate() {
        let value = clean(value);
        let shown = start(&value, SHORT_ARGUMENT.min(room));
        cut |= shown.len() < value.len();
        room = room.saturating_sub(shown.len() + name.len());
        if room == 0 {
            cut = true;
            break;
        }
        let mark = if shown.len() < value.len() { "…" } else { "" };
        let between = if index == 0 { ":" } else { "," };
        let name = clean(name);
        let _ = write!(out, "{between} {} {}{mark}", start(&name, 64), code(shown));
    }
    let size: usize = call.telling().map(|(_, value)| value.len()).sum();
    if cut {
        let _ = write!(
            out,
            " [cut: {} of arguments; whole: {way}]",
            bytes(size as u64)
        );
    }
    out.push('\n');
}

fn arguments_as_blocks(call: &Call, way: &str, limit: usize, out: &mut String) {
    out.push('\n');
    let mut room = limit;
    for (name, value) in call.telling() {
        let (name, value) = (clean(name), clean(value));
        let name = start(&name, 64);
        if room == 0 {
            let _ = writeln!(
                out,
                "  - {name}: {}; whole: {way}",
                bytes(value.len() as u64)
            );
        } else if value.len() <= SHORT_ARGUMENT.min(room) && !value.contains('\n') {
            let _ = writeln!(out, "  - {name}: {}", code(&value));
        } else {
            let shown = start(&value, room);
            let _ = write!(out, "  - {name}:\n{}", fenced(shown));
            if shown.len() < value.len() {
                let (here, all) = (bytes(shown.len() as u64), bytes(value.len() as u64));
                let _ = writeln!(out, "[cut: {here} of {all}; whole: {way}]");
            }
        }
        room = room.saturating_sub(value.len());
    }
}

fn outcome(
    transcript: &mut Transcript<'_>,
    entry: &Entry,
    show: &Show<'_>,
    out: &mut String,
) -> Result<(), ReadingError> {
    let kind = clean(&entry.kind);
    let who = entry.role.name();
    let _ = write!(out, "- {} {who} {}", entry.step, start(&kind, 64));
    let state = if entry.status.is_empty() {
        "no status"
    } else {
        &entry.status
    };
    let _ = write!(out, ": {}", start(&clean(state), 40));
    if let Some(code) = entry.exit_code {
        let _ = write!(out, ", exit code {code}");
    }
    let size = entry.field("content").map_or(0, Field::len);
    let _ = writeln!(out, ", {}", bytes(size));
    let failed = entry.field("error").is_some_and(|error| error.len() > 0);
    let tells = show.mode == Mode::Full || entry.role == Role::System || failed;
    let name = match show.mode {
        Mode::Compact if failed => "error",
        _ => "content",
    };
    if tells && entry.field(name).is_some_and(|field| field.len() > 0) {
        let text = said(transcript, entry, name, show)?;
        if show.mode == Mode::Full {
            *out += &fenced(&text);
        } else {
            *out += &quoted(&text);
        }
    }
    Ok(())
}

/// A text field, cut in its middle if it is too long, without the host's wrapping.
pub(crate) fn said(
    transcript: &mut Transcript<'_>,
    entry: &Entry,
    name: &str,
    show: &Show<'_>,
) -> Result<String, ReadingError> {
    let Some(field) = entry.field(name) else {
        return Ok(String::new());
    };
    if field.kind != Kind::Text {
        let raw = window::raw(transcript.source_of(field), field, MAX_CALLS);
        let raw = raw.map_err(|error| transcript.failed(error))?;
        let value = serde_json::from_slice(&raw).map_or_else(
            |_| String::from_utf8_lossy(&raw).into_owned(),
            |value| text_of(&value),
        );
        let text = clean(&value);
        return Ok(start(&text, show.limit).to_owned());
    }
    let source = transcript.source_of(field);
    let whole = window::starting_at(source, field, 0, show.limit);
    let text = match whole {
        Ok(all) if all.to == field.len() => Ok(tidy(&all.text, &entry.kind, true, true)),
        Ok(_) => excerpt(source, field, entry, show),
        Err(error) => Err(error),
    };
    text.map_err(|error| transcript.failed(error))
}

fn excerpt<R: std::io::Read + std::io::Seek>(
    source: &mut crate::source::Source<R>,
    field: &Field,
    entry: &Entry,
    show: &Show<'_>,
) -> std::io::Result<String> {
    let way = show.route.field(entry.step, &field.name);
    let room = show.limit.saturating_sub(way.len() + 80);
    let head = window::starting_at(source, field, 0, room * 2 / 3)?;
    let tail = window::ending(source, field, room / 3)?;
    let left_out = tail.from.saturating_sub(head.to);
    let (first, last) = (
        tidy(&head.text, &entry.kind, true, false),
        tidy(&tail.text, &entry.kind, false, true),
    );
    let (left, all) = (super::markdown::number(left_out), bytes(field.len()));
    Ok(format!(
        "{first}\n[… {left} of {all} left out; whole: {way} …]\n{last}"
    ))
}
