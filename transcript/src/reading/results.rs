//! Matches as a page of Markdown.

use super::clean::clean;
use super::entry::Entry;
use super::error::ReadingError;
use super::hints::More;
use super::markdown::{bytes, code, number, quoted, start};
use super::matcher::Hit;
use super::matches::{MAX_CUT, Match, Matches};
use super::place;
use super::query::{Meaning, QueryRequest};
use super::read::{PAGE_RANGE, whereabouts};
use super::show::{Mode, Show};
use super::transcript::Transcript;
use super::turn::fitting;
use std::fmt::Write;

/// Bytes of a page that are kept for its heading and what follows the records.
const FRAME: usize = 900;
/// Bytes of a query that a page repeats.
const LONG_QUERY: usize = 300;

/// The newest matches as a page.
pub(crate) fn page(
    transcript: &mut Transcript<'_>,
    request: &QueryRequest,
    found: Matches,
    note: &str,
) -> Result<String, ReadingError> {
    let size = request
        .max_bytes
        .clamp(*PAGE_RANGE.start(), *PAGE_RANGE.end());
    let asked = request
        .query
        .as_deref()
        .map_or(0, |text| 2 * text.len().min(LONG_QUERY));
    let mut room = size - (FRAME + request.route.cost() + asked).min(size / 2);
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
    // What is only a help goes where there is room for it.
    let help = blocks.first().map(|(newest, _)| {
        let ask = request
            .route
            .ask("query", &conversation.id, &[More::Step(*newest)]);
        format!("One step whole, as the last one: {ask}.\n")
    });
    out += help
        .filter(|help| out.len() + help.len() <= size)
        .as_deref()
        .unwrap_or("");
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
    let show = Show {
        mode: request.mode,
        thinking: request.thinking,
        tool_calls: request.tool_calls,
        limit: limit.min(room / 2),
        route: &request.route,
    };
    let text = fitting(transcript, &entry, show, room)?;
    if text.len() < room {
        return Ok(text);
    }
    // Many arguments, each cut: a line must do.
    Ok(summary(&entry, &found.hit, request))
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
    let _ = write!(out, ", {field} of {}", bytes(size));
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
            let ask = route.ask("query", id, &again(request, oldest.saturating_sub(1)));
            let long = request
                .query
                .as_deref()
                .is_some_and(|text| text.len() > LONG_QUERY);
            let same = if long { "the same query with " } else { "" };
            let _ = writeln!(out, "Older ones: {same}{ask}.");
        }
        Some(_) => {}
    }
    out
}

/// The same question about what is not newer than a step.
fn again(request: &QueryRequest, last: u64) -> Vec<More<'_>> {
    let mut more: Vec<More<'_>> = request
        .start_step
        .map(More::StartStep)
        .into_iter()
        .collect();
    more.push(More::EndStep(last));
    more.push(More::MaxResults(request.max_results));
    if request.last_turns > 0 {
        more.push(More::LastTurns(request.last_turns));
    }
    more.extend(
        request
            .roles
            .iter()
            .take(4)
            .map(|role| More::Role(role.name())),
    );
    let flags = [
        (request.mode == Mode::Full, More::Full),
        (request.thinking, More::Thinking),
        (!request.tool_calls, More::NoToolCalls),
        (request.summary_only, More::Summary),
        (request.meaning == Meaning::Pattern, More::Regex(true)),
        (request.meaning == Meaning::Text, More::Regex(false)),
    ];
    more.extend(
        flags
            .into_iter()
            .filter(|(is, _)| *is)
            .map(|(_, flag)| flag),
    );
    // Behind the options, since it can look like one.
    more.extend(
        request
            .query
            .as_deref()
            .filter(|text| !text.is_empty() && text.len() <= LONG_QUERY)
            .map(More::Query),
    );
    more
}
