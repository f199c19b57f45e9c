//! What the real `rtk rewrite` says to command lines as agents write them, and what ours says; each deviation
//! has a named reason.
//!
//! `data/corpus.jsonl` holds one line a record: `line`, `rtk` (its status and text), `ours` (`null` where the line
//! stays) and `reason` (empty where both agree). After a change of the rule or of rtk:
//!
//! ```text
//! cargo test -p guard-rtk --test corpus -- --ignored regenerate   # both sides; `rejudge`: ours only
//! git diff rtk/tests/data/corpus.jsonl
//! ```

mod common;
#[path = "common/rtk.rs"]
mod rtk;

use std::collections::BTreeMap;
use std::path::PathBuf;

use common::Anywhere;
use guard_rtk::rewrite::{LineVerdict, Surroundings, judge_line};
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Record {
    line: String,
    rtk: Said,
    ours: Option<String>,
    reason: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Said {
    exit: i32,
    text: String,
}

impl Said {
    /// The text, where rtk rewrites: 0 and 3 with a text that is not the line itself.
    fn rewritten(&self, line: &str) -> Option<&str> {
        (matches!(self.exit, 0 | 3) && !self.text.is_empty() && self.text != line)
            .then_some(&self.text)
    }
}

fn data() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/corpus.jsonl")
}

fn records() -> Vec<Record> {
    let text = std::fs::read_to_string(data()).expect("tests/data/corpus.jsonl can be read");
    text.lines()
        .map(|line| serde_json::from_str(line).expect("a record of the corpus"))
        .collect()
}

fn judge(line: &str) -> LineVerdict {
    let surroundings = Surroundings {
        machine: &Anywhere,
        rtk: "rtk",
        windows: false,
    };
    judge_line(&guard_shell::parse(line), &surroundings)
}

/// Why ours is not rtk's: the names of the reasons, `bytes-kept` where only blanks differ, `npm-test` for the
/// one addition. Empty where both agree; `None` where nothing explains it.
fn reason(
    line: &str,
    rtk: Option<&str>,
    ours: Option<&str>,
    verdict: &LineVerdict,
) -> Option<String> {
    if rtk == ours {
        return Some(String::new());
    }
    let mut names: Vec<&str> = verdict.reasons.iter().map(|reason| reason.name()).collect();
    let rewritten = ours.unwrap_or(line);
    if has_npm_test(rewritten) {
        names.push("npm-test");
    }
    let without_additions = rewritten
        .replace("rtk npm test", "npm test")
        .replace("rtk npm t", "npm t");
    let only_blanks = squeezed(rtk.unwrap_or(line)) == squeezed(&without_additions);
    if only_blanks && rtk.is_some_and(|rtk| rtk != without_additions) {
        names = vec!["bytes-kept"];
    }
    // rtk goes on rewriting in comments.
    if names.is_empty()
        && line.contains(" #")
        && squeezed(rewritten).replace("rtk", "")
            == squeezed(rtk.unwrap_or(line)).replace("rtk", "")
    {
        names.push("comment-kept");
    }
    (!names.is_empty()).then(|| names.join("+"))
}

fn has_npm_test(text: &str) -> bool {
    ["rtk npm test", "rtk npm t"].iter().any(|form| {
        text.match_indices(form).any(|(at, _)| {
            text[at + form.len()..]
                .chars()
                .next()
                .is_none_or(|next| !next.is_alphanumeric())
        })
    })
}

/// The text without what rtk changes around its insertions: blanks, and the backslash of a continuation.
fn squeezed(text: &str) -> String {
    text.replace("\\\n", "")
        .chars()
        .filter(|character| !character.is_whitespace())
        .collect()
}

#[test]
fn ours_is_as_recorded() {
    for record in records() {
        let ours = judge(&record.line).apply(&record.line);
        assert_eq!(ours, record.ours, "{:?}", record.line);
    }
}

#[test]
fn each_deviation_has_its_named_reason_and_nothing_else_deviates() {
    for record in records() {
        let verdict = judge(&record.line);
        let rtk = record.rtk.rewritten(&record.line);
        let found = reason(&record.line, rtk, record.ours.as_deref(), &verdict);
        assert_eq!(found.as_deref(), Some(record.reason.as_str()), "{record:?}");
    }
}

#[test]
fn where_rtk_leaves_a_line_alone_so_do_we_but_for_npm_test() {
    for record in records() {
        let stays = record.rtk.rewritten(&record.line).is_none();
        if let (true, Some(ours)) = (stays, &record.ours) {
            assert!(
                record.reason.split('+').any(|name| name == "npm-test"),
                "{:?} -> {ours:?}",
                record.line
            );
        }
    }
}

#[test]
fn the_corpus_is_large_and_deviations_are_spread_over_the_reasons() {
    let records = records();
    assert!(records.len() >= 1500, "{}", records.len());
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for record in &records {
        for name in record.reason.split('+') {
            *counts.entry(name).or_default() += 1;
        }
    }
    let named = [
        "data",
        "dialogue",
        "follows",
        "acts-outside",
        "cut-silently",
        "wrong-tool",
        "false-claim",
        "output-not-shown",
        "input-given",
        "wrapped",
    ];
    for name in named {
        assert!(
            counts.get(name).is_some_and(|count| *count > 3),
            "{name}: {counts:?}"
        );
    }
}

#[test]
fn the_recorded_side_of_rtk_is_what_the_real_one_says() {
    let rtk = rtk::path();
    let home = tempfile::tempdir().expect("a folder for rtk's home");
    let sample: Vec<Record> = records().into_iter().step_by(8).collect();
    let said = rtk::in_parallel(&sample, |record| {
        rtk::rewrite(&rtk, home.path(), &record.line)
    });
    for (record, (exit, text)) in sample.iter().zip(said) {
        assert_eq!(record.rtk, Said { exit, text }, "{:?}", record.line);
    }
}

/// The record with our side found anew.
fn judged(line: String, rtk: Said) -> Record {
    let verdict = judge(&line);
    let ours = verdict.apply(&line);
    let reason = reason(&line, rtk.rewritten(&line), ours.as_deref(), &verdict);
    Record {
        line,
        rtk,
        ours,
        reason: reason.unwrap_or_else(|| "UNEXPLAINED".into()),
    }
}

fn write(records: impl IntoIterator<Item = Record>) {
    let mut out = String::new();
    for record in records {
        out.push_str(&serde_json::to_string(&record).expect("a record is JSON"));
        out.push('\n');
    }
    std::fs::write(data(), out).expect("tests/data/corpus.jsonl can be written");
}

#[test]
#[ignore = "writes tests/data/corpus.jsonl anew, with what the real rtk says"]
fn regenerate() {
    let rtk = rtk::path();
    let home = tempfile::tempdir().expect("a folder for rtk's home");
    let records = records();
    let said = rtk::in_parallel(&records, |record| {
        rtk::rewrite(&rtk, home.path(), &record.line)
    });
    write(
        records
            .into_iter()
            .zip(said)
            .map(|(record, (exit, text))| judged(record.line, Said { exit, text })),
    );
}

#[test]
#[ignore = "writes our side of tests/data/corpus.jsonl anew"]
fn rejudge() {
    write(
        records()
            .into_iter()
            .map(|record| judged(record.line, record.rtk)),
    );
}
