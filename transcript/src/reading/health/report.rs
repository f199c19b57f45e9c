//! What was counted, in words, with what to do.

use super::Counts;
use crate::reading::clean::clean;
use crate::reading::entry::Role;
use crate::reading::hints::{More, Route};
use crate::reading::markdown::{bytes, code, number, start};
use crate::reading::read::whereabouts;
use crate::reading::transcript::Transcript;
use std::fmt::Write;

/// Bytes of text in one token, on average; exact counts need the model's own tokenizer.
const TOKEN: u64 = 4;
/// Tokens from which on a conversation is worth a hand-over: half of a window of 200,000 tokens.
const FULL_HALF: u64 = 100_000;
/// Bytes of one step from which on it should have been a file.
const BIG_STEP: u64 = 48_000;
/// Lines of one list.
const LISTED: usize = 10;

pub(super) fn report(
    transcript: &Transcript<'_>,
    counts: &Counts,
    full_bytes: Option<u64>,
    route: &Route,
    size: usize,
) -> String {
    let conversation = transcript.conversation;
    let mut out = format!(
        "# Health of conversation {}\n\n{}.\n\n",
        conversation.id,
        whereabouts(conversation)
    );
    sizes(counts, transcript.main.len(), full_bytes, &mut out);
    // What to do comes before the lists, which a small page cuts.
    advice(counts, route, &conversation.id, &mut out);
    lists(counts, size, &mut out);
    out
}

fn sizes(counts: &Counts, len: u64, full_bytes: Option<u64>, out: &mut String) {
    let _ = writeln!(out, "- Turns: {}", number(counts.turns));
    let _ = writeln!(
        out,
        "- Records: {}, last step {}",
        number(counts.records),
        counts.last_step
    );
    let _ = write!(out, "- Size: {}", bytes(len));
    if let Some(full) = full_bytes {
        let _ = write!(out, ", with whole fields {}", bytes(full));
    }
    let tokens = counts.total() / TOKEN;
    let turn = counts.turn_bytes / TOKEN;
    let _ = write!(
        out,
        "\n- Estimated tokens: {} in all, {} in the last turn (a quarter of the bytes; what the host has compacted is counted too)\n- By role:",
        number(tokens),
        number(turn)
    );
    let roles = [Role::User, Role::Assistant, Role::Tool, Role::System];
    for (role, count) in roles.iter().zip(counts.bytes) {
        let _ = write!(out, " {} {},", role.name(), bytes(count));
    }
    out.pop();
    out.push('\n');
    if counts.errors > 0 {
        let _ = writeln!(out, "- Failed or refused calls: {}", number(counts.errors));
    }
    if counts.damaged > 0 {
        let _ = writeln!(
            out,
            "- Damaged or half-written lines: {}",
            number(counts.damaged)
        );
    }
}

fn advice(counts: &Counts, route: &Route, id: &str, out: &mut String) {
    *out += "\n## What to do\n\n";
    let before = out.len();
    if counts.loops.total > 0 {
        *out += "- Stop checking. End the turn after launching a task: the host wakes you with a system message when it ends.\n";
    }
    if !counts.reads.repeated().is_empty() {
        *out += "- Don't read a file again that has not changed: what was read is in the context; search for the place, or read a range of lines.\n";
    }
    if let Some((step, _, len)) = counts
        .biggest
        .0
        .first()
        .filter(|(_, _, len)| *len >= BIG_STEP)
    {
        let ask = route.ask("query", id, &[More::Step(*step)]);
        let _ = writeln!(
            out,
            "- Let commands with much output write to a file and read the part that matters; step {step} alone has {}: {ask}.",
            bytes(*len)
        );
    }
    if counts.total() / TOKEN >= FULL_HALF {
        *out += "- The context is filling. Write down what is done, decided and open (a file of at most 2 KB), and go on in a new conversation or with a subagent that gets only that file.\n";
    }
    if counts.errors * 4 > counts.records.max(8) {
        *out += "- More than a quarter of the records are failures: read the last error and change the approach instead of the arguments.\n";
    }
    if out.len() == before {
        *out += "Nothing: no loops, no repeated reads, no oversized steps.\n";
    }
}

fn lists(counts: &Counts, size: usize, out: &mut String) {
    let mut list = |head: &str, lines: Vec<String>| {
        if lines.is_empty() {
            return;
        }
        let head = format!("\n## {head}\n\n");
        if out.len() + head.len() + 200 > size {
            return;
        }
        *out += &head;
        for line in lines {
            if out.len() + line.len() + 1 > size {
                return;
            }
            *out += &line;
            out.push('\n');
        }
    };
    let loops = counts.loops.found.iter().map(|one| {
        let what = clean(&one.what).replace('\n', " ");
        let what = start(&what, 160);
        format!(
            "- {}: {} times, steps {} to {}",
            what,
            number(one.count),
            one.first,
            one.last
        )
    });
    list(
        &format!("Polling loops ({})", number(counts.loops.total)),
        loops.collect(),
    );
    let repeated = counts.reads.repeated();
    let reads = repeated.iter().take(LISTED).map(|(path, count, last)| {
        let path = clean(path);
        format!(
            "- {}: {} times, last in step {last}",
            code(start(&path, 160)),
            number(*count)
        )
    });
    list(
        &format!("Repeated reads ({})", number(repeated.len() as u64)),
        reads.collect(),
    );
    let biggest = counts.biggest.0.iter();
    let steps =
        biggest.map(|(step, role, len)| format!("- step {step}, {}: {}", role.name(), bytes(*len)));
    list("Biggest steps", steps.collect());
}
