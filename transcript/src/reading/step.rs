//! One step whole: its fields with their sizes, or one field page by page, byte for byte.

use super::calls::Call;
use super::clean::clean;
use super::conversations::Conversation;
use super::entry::Entry;
use super::error::ReadingError;
use super::hints::{More, Route};
use super::markdown::{bytes, fence_cost, fenced, fenced_exactly, number, start};
use super::place;
use super::read::PAGE_RANGE;
use super::show::calls_of;
use super::spans::{Field, Kind};
use super::transcript::Transcript;
use super::window;
use std::fmt::Write;

/// Bytes of a page that are kept for its heading and the way to the next one.
const FRAME: usize = 900;
/// Fields that are shown first; others follow in the file's order.
const TEXTS: [&str; 4] = ["content", "error", "thinking", "tool_calls"];
/// Fields that stand in the heading.
const IN_HEADING: [&str; 7] = [
    "step_index",
    "source",
    "type",
    "status",
    "created_at",
    "exit_code",
    "truncated_fields",
];

/// Which step, and what of it.
#[derive(Debug, Clone)]
pub struct StepRequest {
    /// The step's index.
    pub step: u64,
    /// One field: `content`, `thinking`, `error`, `tool_calls`, another key of the record, or the name of an argument of its
    /// tool calls. Without it all fields are shown, each cut to its share.
    pub field: Option<String>,
    /// Where in the field to begin, as the page before said.
    pub offset: u64,
    /// Bytes of the page, within [`PAGE_RANGE`].
    pub max_bytes: usize,
    /// How the next question will be asked.
    pub route: Route,
}

/// The step, or a page of one of its fields, as Markdown of at most `max_bytes`.
///
/// # Errors
/// [`ReadingError`] if there is no such step or field, or the transcript can't be read.
pub fn step(conversation: &Conversation, request: &StepRequest) -> Result<String, ReadingError> {
    let mut transcript = Transcript::open(conversation)?;
    let found = place::find(&mut transcript.main.source, request.step);
    let found = found.map_err(|error| transcript.failed(error))?;
    let Some(entry) = found else {
        return Err(ReadingError::NoStep {
            step: request.step,
            last: last_step(&mut transcript)?,
        });
    };
    let entry = transcript.completed(entry)?;
    let size = request
        .max_bytes
        .clamp(*PAGE_RANGE.start(), *PAGE_RANGE.end());
    let size = size.saturating_sub(request.route.cost());
    let mut out = heading(conversation, &entry);
    match &request.field {
        Some(name) => one_field(&mut transcript, &entry, name, request, size, &mut out)?,
        None => all_fields(&mut transcript, &entry, request, size, &mut out)?,
    }
    debug_assert!(out.len() <= size, "{} > {size}", out.len());
    Ok(start(&out, size).to_owned())
}

fn last_step(transcript: &mut Transcript<'_>) -> Result<Option<u64>, ReadingError> {
    let end = transcript.main.len();
    let source = &mut transcript.main.source;
    let floor = end.saturating_sub(64 << 20);
    let mark = super::marks::Marks::new(source, (floor, end), u64::MAX)
        .and_then(|mut marks| marks.next(source));
    let mark = mark.map_err(|error| transcript.failed(error))?;
    Ok(mark.map(|mark| mark.step))
}

fn heading(conversation: &Conversation, entry: &Entry) -> String {
    let mut out = format!(
        "# Conversation {}, step {}\n\n",
        conversation.id, entry.step
    );
    let kind = clean(&entry.kind);
    let _ = write!(out, "{}, {}", entry.role.name(), start(&kind, 64));
    for (name, value) in [("status", &entry.status), ("at", &entry.created_at)] {
        if !value.is_empty() {
            let value = clean(value);
            let _ = write!(out, ", {name} {}", start(&value, 40));
        }
    }
    if let Some(code) = entry.exit_code {
        let _ = write!(out, ", exit code {code}");
    }
    out.push('\n');
    out
}

/// The names that can be asked for.
fn names(transcript: &mut Transcript<'_>, entry: &Entry) -> Result<Vec<String>, ReadingError> {
    let mut names: Vec<String> = shown(entry)
        .iter()
        .map(|field| field.name.to_string())
        .collect();
    for call in calls(transcript, entry)? {
        names.extend(call.telling().map(|(name, _)| name.clone()));
    }
    names.dedup();
    names.truncate(40);
    Ok(names)
}

fn shown(entry: &Entry) -> Vec<&Field> {
    let mut fields: Vec<&Field> = TEXTS.iter().filter_map(|name| entry.field(name)).collect();
    let other = |field: &&Field| {
        let name = &*field.name;
        !TEXTS.contains(&name) && !IN_HEADING.contains(&name)
    };
    fields.extend(entry.fields.iter().filter(other));
    fields
}

fn calls(transcript: &mut Transcript<'_>, entry: &Entry) -> Result<Vec<Call>, ReadingError> {
    match entry.field("tool_calls") {
        Some(field) => Ok(calls_of(transcript, field)?.unwrap_or_default()),
        None => Ok(Vec::new()),
    }
}

/// A page of something that can be longer than a page.
struct Part {
    text: String,
    from: u64,
    to: u64,
    len: u64,
}

/// The part of the field or argument from `offset`.
fn part(
    transcript: &mut Transcript<'_>,
    entry: &Entry,
    name: &str,
    offset: u64,
    limit: usize,
) -> Result<Option<Part>, ReadingError> {
    if let Some(field) = entry.field(name) {
        if field.kind == Kind::Nested && name == "tool_calls" {
            let calls = calls_of(transcript, field)?;
            if let Some(calls) = calls.filter(|calls| !calls.is_empty()) {
                return Ok(Some(text_part(&written(&calls), offset, limit)));
            }
        }
        let window = window::starting_at(transcript.source_of(field), field, offset, limit);
        let window = window.map_err(|error| transcript.failed(error))?;
        return Ok(Some(Part {
            text: window.text,
            from: window.from,
            to: window.to,
            len: field.len(),
        }));
    }
    let calls = calls(transcript, entry)?;
    let argument = calls.iter().find_map(|call| call.argument(name));
    Ok(argument.map(|text| text_part(&clean(text), offset, limit)))
}

fn text_part(text: &str, offset: u64, limit: usize) -> Part {
    let mut from = usize::try_from(offset).map_or(text.len(), |offset| offset.min(text.len()));
    while !text.is_char_boundary(from) {
        from -= 1;
    }
    let here = start(&text[from..], limit.max(4));
    Part {
        text: here.to_owned(),
        from: from as u64,
        to: (from + here.len()) as u64,
        len: text.len() as u64,
    }
}

/// Tool calls as text.
fn written(calls: &[Call]) -> String {
    let mut out = String::new();
    for call in calls {
        let _ = writeln!(out, "{}", clean(&call.name));
        for (name, value) in &call.arguments {
            let value = clean(value);
            let between = if value.contains('\n') { "\n" } else { " " };
            let _ = writeln!(out, "{}:{between}{value}", clean(name));
        }
    }
    out
}

fn one_field(
    transcript: &mut Transcript<'_>,
    entry: &Entry,
    name: &str,
    request: &StepRequest,
    size: usize,
    out: &mut String,
) -> Result<(), ReadingError> {
    let mut room = size.saturating_sub(out.len() + FRAME);
    let part = loop {
        let found = part(transcript, entry, name, request.offset, room)?;
        let Some(part) = found else {
            return Err(ReadingError::NoField {
                step: entry.step,
                field: name.chars().take(64).collect(),
                fields: names(transcript, entry)?,
            });
        };
        // A text of backticks alone needs a fence as long as itself.
        if part.text.len() + fence_cost(&part.text) <= size.saturating_sub(out.len() + FRAME - 64) {
            break part;
        }
        room = room * 2 / 3;
    };
    let (from, to, len) = (number(part.from), number(part.to), bytes(part.len));
    let whole = part.from == 0 && part.to == part.len;
    let name = clean(name);
    let name = start(&name, 64);
    if whole {
        let _ = write!(out, "\n## {name}, whole, {len}\n\n");
    } else {
        let _ = write!(out, "\n## {name}, bytes {from} to {to} of {len}\n\n");
    }
    *out += &fenced_exactly(&part.text);
    if part.to < part.len {
        let more = [
            More::Step(entry.step),
            More::Field(name),
            More::Offset(part.to),
        ];
        let ask = request
            .route
            .ask("query", &transcript.conversation.id, &more);
        let _ = write!(out, "\nNext part: {ask}.\n");
    }
    if entry.is_cut(name) {
        *out += "\nThe host cut this field and keeps no whole copy of it (no transcript_full.jsonl knows the step).\n";
    }
    Ok(())
}

fn all_fields(
    transcript: &mut Transcript<'_>,
    entry: &Entry,
    request: &StepRequest,
    size: usize,
    out: &mut String,
) -> Result<(), ReadingError> {
    let fields: Vec<Field> = shown(entry).into_iter().cloned().collect();
    let mut left = fields.iter().filter(|field| field.len() > 0).count();
    for field in fields.iter().filter(|field| field.len() > 0) {
        let room = size.saturating_sub(out.len() + 64);
        let share = room / left;
        left -= 1;
        let name = clean(&field.name);
        let name = start(&name, 64).to_owned();
        let way = request.route.field(entry.step, &name);
        let head = format!("\n## {name}, {}\n\n", bytes(field.len()));
        let mut limit = share.saturating_sub(head.len() + way.len() + 120);
        let block = loop {
            let part = part(transcript, entry, &field.name, 0, limit)?;
            let Some(part) = part else {
                break String::new();
            };
            let mut block = head.clone();
            block += &fenced(&part.text);
            if part.to < part.len {
                let shown = bytes(part.to);
                let _ = writeln!(block, "[cut after {shown}; whole: {way}]");
            }
            if block.len() <= room || limit < 16 {
                break block;
            }
            limit /= 2;
        };
        if block.len() <= room {
            *out += &block;
        } else {
            let _ = write!(out, "\n## {name}: whole with {way}\n");
        }
        if out.len() + 400 > size {
            break;
        }
    }
    Ok(())
}
