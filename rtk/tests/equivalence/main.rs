//! The original line and its rtk form, run side by side with the real tools and the real rtk: equal exit status,
//! equal files, and equal bytes where the output is data.
//!
//! `../data/equivalence.txt` holds the lines, under the scratch folder in which they run (`@ NAME`). `= LINE` wants equal
//! bytes on the standard output. Tools that need not be installed are stood in for by a program that records its
//! arguments and ends with a given status: then each call of the original must be among those of its rtk form,
//! with all its arguments, and nothing else may be run.

#![cfg(unix)]

#[path = "../common/rtk.rs"]
mod rtk;

mod disk;
mod scratch;
mod side;
mod web;

use std::path::Path;

use scratch::Scratch;
use side::{Outcome, Side};

/// A line of the data file.
#[derive(Clone, Debug)]
struct Case {
    scratch: String,
    line: String,
    same_output: bool,
}

fn cases() -> Vec<Case> {
    let text = include_str!("../data/equivalence.txt");
    let mut scratch = String::new();
    let mut cases = Vec::new();
    for line in text
        .lines()
        .filter(|line| !line.trim().is_empty() && !line.starts_with("# "))
    {
        if let Some(name) = line.strip_prefix("@ ") {
            name.clone_into(&mut scratch);
            continue;
        }
        let same_output = line.starts_with("= ");
        let line = line.strip_prefix("= ").unwrap_or(line).replace("\\n", "\n");
        cases.push(Case {
            scratch: scratch.clone(),
            line,
            same_output,
        });
    }
    cases
}

/// What is wrong with one line; nothing if all is well.
fn judge(case: &Case, rtk: &Path, web: &web::Server) -> Vec<String> {
    let line = case.line.replace("PORT", &web.port().to_string());
    let scratch = Scratch::named(&case.scratch);
    let statuses: &[i32] = if scratch.stands_in() {
        &[0, 1, 101]
    } else {
        &[0]
    };
    let mut faults = Vec::new();
    for status in statuses {
        let original = Side::new(&scratch, rtk, *status);
        let rewritten = Side::new(&scratch, rtk, *status);
        let Some(new_line) = original.rewrite(&line) else {
            return vec!["it is not rewritten".into()];
        };
        let (before, after) = (original.run(&line), rewritten.run(&new_line));
        if lacks_last_end(&before, &after) && runs_on(&line, &Side::new(&scratch, rtk, *status)) {
            faults.push(format!(
                "{new_line:?}: what is printed behind it stands on its last line"
            ));
        }
        faults.extend(
            compare(case, &before, &after)
                .into_iter()
                .map(|fault| format!("{new_line:?}: {fault}")),
        );
    }
    faults
}

/// Whether rtk leaves out the end of the last line, which nobody sees while nothing is printed behind it.
fn lacks_last_end(before: &Outcome, after: &Outcome) -> bool {
    let last = after.output.last();
    before.output.ends_with(b"\n") && last.is_some_and(|last| *last != b'\n')
}

/// Whether what is printed behind the rewritten line stands on its last line.
fn runs_on(line: &str, side: &Side) -> bool {
    let longer = format!("{line}\necho behind");
    let longer = side.rewrite(&longer).unwrap_or(longer);
    !side.run(&longer).output.ends_with(b"\nbehind\n")
}

fn compare(case: &Case, before: &Outcome, after: &Outcome) -> Vec<String> {
    let mut faults = Vec::new();
    if before.status != after.status {
        faults.push(format!(
            "status {:?} became {:?}; {}",
            before.status, after.status, after.errors
        ));
    }
    if before.files != after.files {
        faults.push(format!(
            "files differ: {:?}",
            before.first_difference(after)
        ));
    }
    if case.same_output && before.output != after.output {
        faults.push("the output is not the same".into());
    }
    faults.extend(
        before
            .calls
            .iter()
            .filter(|call| !after.made(call))
            .map(|call| format!("{call:?} was not run, but {:?}", after.calls)),
    );
    let foreign = after.calls.iter().filter(|call| {
        !before
            .calls
            .iter()
            .any(|known| known.first() == call.first())
    });
    faults.extend(foreign.map(|call| format!("{call:?} was not asked for")));
    faults
}

#[test]
fn the_rtk_form_ends_and_writes_as_the_original_does() {
    let rtk = rtk::path();
    let web = web::Server::start();
    let cases = cases();
    assert!(cases.len() >= 300, "{} lines", cases.len());
    let faults: Vec<String> = rtk::in_parallel(&cases, |case| {
        judge(case, &rtk, &web)
            .into_iter()
            .map(|fault| format!("[{}] {:?} -> {fault}", case.scratch, case.line))
            .collect::<Vec<_>>()
    })
    .concat();
    assert!(
        faults.is_empty(),
        "{} faults:\n{}",
        faults.len(),
        faults.join("\n")
    );
}
