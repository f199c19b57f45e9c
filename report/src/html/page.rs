//! The page.

use std::fmt::Write;

use super::chart::{Column, Part, bar, columns, parts};
use super::escape::Escaped;
use super::table::{class, cut, legend, row, table, used};
use crate::latency::{EDGES, Latency};
use crate::numbers::{grouped, millis, percent};
use crate::report::Report;
use crate::tally::{Bucket, Group};
use crate::tokens::Tokens;
use crate::words::{UNKNOWN, label};

/// The whole page.
pub fn page(report: &Report) -> String {
    let zone = report.range.zone;
    let (first, last) = (zone.day(report.from), zone.day(report.to));
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\"/>\n\
         <title>execution-guard, {first} to {last}</title>\n<style>\n{}</style>\n</head>\n<body>\n<main>\n\
         <header><h1>What execution-guard did</h1><p class=\"soft\">{first} to {last}</p></header>\n",
        include_str!("style.css")
    );
    tiles(&mut page, report);
    if report.decisions == 0 {
        page.push_str(
            "<section><h2>Nothing was decided</h2><p>No call was changed, refused or asked about in this time. \
             <code>execution-guard status</code> says whether the hook is in place.</p></section>\n",
        );
    } else {
        kinds(&mut page, report);
        days(&mut page, report);
        tools(&mut page, report);
    }
    if let Some(latency) = &report.latency {
        times(&mut page, latency);
    }
    if let Some(tokens) = report.tokens.filter(|tokens| tokens.input > 0) {
        saved(&mut page, tokens);
    }
    notes(&mut page, &report.notes());
    let _ = write!(
        page,
        "<footer>Made by execution-guard {} on {last} from {}. Calls that were passed through are not logged.</footer>\n\
         </main>\n</body>\n</html>\n",
        env!("CARGO_PKG_VERSION"),
        Escaped(report.log.file.display())
    );
    page
}

fn tiles(page: &mut String, report: &Report) {
    let totals = report.totals;
    let mut tiles = Vec::new();
    if let Some(planned) = report.planned {
        tiles.push(("calls planned by agents", grouped(planned.calls)));
    }
    tiles.extend([
        ("commands rewritten", grouped(totals.rewritten)),
        ("reads and searches routed", grouped(totals.routed)),
        ("polls and timers denied", grouped(totals.polls_denied)),
        ("breakers tripped", grouped(totals.breakers_tripped)),
        (
            "transcript reads refused",
            grouped(totals.transcripts_guarded),
        ),
        ("times you were asked", grouped(totals.asked)),
        ("waits raised", grouped(totals.waits_raised)),
    ]);
    if let Some(tokens) = report.tokens {
        tiles.push(("tokens saved by rtk", grouped(tokens.saved)));
    }
    if let Some(latency) = &report.latency {
        tiles.push((
            "median processor time",
            format!("{} ms", millis(latency.p50)),
        ));
    }
    page.push_str("<dl class=\"tiles\">\n");
    for (name, value) in tiles {
        let _ = writeln!(page, "<div><dt>{name}</dt><dd>{value}</dd></div>");
    }
    page.push_str("</dl>\n");
}

fn kinds(page: &mut String, report: &Report) {
    let most = report
        .kinds
        .iter()
        .map(|(_, count)| *count)
        .max()
        .unwrap_or(0);
    page.push_str("<section><h2>What was decided</h2>\n<table><tbody>\n");
    for (kind, count) in &report.kinds {
        let class = class(Group::of(*kind));
        row(
            page,
            kind.map_or(UNKNOWN, label),
            &grouped(*count),
            &bar(class, *count, most),
        );
    }
    page.push_str("</tbody></table></section>\n");
}

fn days(page: &mut String, report: &Report) {
    let weekly = report.days.iter().any(|bucket| bucket.first != bucket.last);
    let title = if weekly {
        "Decisions by week"
    } else {
        "Decisions by day"
    };
    let column = |bucket: &Bucket| Column {
        label: bucket.first.format("%-d %b").to_string(),
        parts: Group::ALL
            .iter()
            .zip(bucket.groups)
            .map(|(group, count)| Part {
                class: class(*group),
                name: group.label().to_owned(),
                count,
            })
            .collect(),
    };
    let all: Vec<Column> = report.days.iter().map(column).collect();
    let busiest = report.days.iter().max_by_key(|bucket| bucket.total());
    let description = busiest.map_or(String::new(), |bucket| {
        format!(
            "{} decisions in all; most, {}, on {}. The table below has the numbers.",
            grouped(report.decisions),
            grouped(bucket.total()),
            bucket.first
        )
    });
    let _ = write!(
        page,
        "<section><h2>{title}</h2>\n<figure>{}\n",
        columns("days", title, &description, &all)
    );
    let used = used(report.days.iter().map(|bucket| bucket.groups));
    legend(page, &used);
    page.push_str("</figure>\n<details><summary>The numbers</summary>\n");
    let rows = report
        .days
        .iter()
        .map(|bucket| (bucket.first.to_string(), bucket.groups));
    table(page, if weekly { "week of" } else { "day" }, &used, rows);
    page.push_str("</details></section>\n");
}

fn tools(page: &mut String, report: &Report) {
    let most = report
        .tools
        .iter()
        .map(|tool| tool.total)
        .max()
        .unwrap_or(0);
    page.push_str("<section><h2>By tool</h2>\n<table><tbody>\n");
    for tool in &report.tools {
        let stacked: Vec<(&str, u64)> = Group::ALL
            .iter()
            .map(|group| class(*group))
            .zip(tool.groups)
            .collect();
        let _ = writeln!(
            page,
            "<tr><th scope=\"row\" class=\"name\">{}</th><td class=\"n\">{}</td><td class=\"b\">{}</td></tr>",
            Escaped(cut(&tool.tool)),
            grouped(tool.total),
            parts(&stacked, most)
        );
    }
    page.push_str("</tbody></table>\n");
    let used = used(report.tools.iter().map(|tool| tool.groups));
    legend(page, &used);
    page.push_str("<details><summary>The numbers</summary>\n");
    let rows = report
        .tools
        .iter()
        .map(|tool| (cut(&tool.tool), tool.groups));
    table(page, "tool", &used, rows);
    page.push_str("</details></section>\n");
}

fn times(page: &mut String, latency: &Latency) {
    let described = format!(
        "Half of the calls took up to {} ms, 90 % up to {} ms, 99 % up to {} ms; the longest took {} ms.",
        millis(latency.p50),
        millis(latency.p90),
        millis(latency.p99),
        millis(latency.max)
    );
    let edge = |index: usize| match EDGES.get(index) {
        Some(edge) => format!("≤ {}", short_millis(*edge)),
        None => format!("> {}", short_millis(EDGES[EDGES.len() - 1])),
    };
    let column = |(index, count): (usize, &u64)| Column {
        label: edge(index),
        parts: vec![Part {
            class: class(Group::Rewritten),
            name: "calls".to_owned(),
            count: *count,
        }],
    };
    let all: Vec<Column> = latency.classes.iter().enumerate().map(column).collect();
    let title = "Processor time of a call, in ms";
    let _ = writeln!(
        page,
        "<section><h2>{title}</h2>\n<figure>{}<figcaption>{described} A sample of {} calls, from the start of the program to \
         its answer; waiting is not in it.</figcaption></figure></section>",
        columns("times", title, &described, &all),
        grouped(latency.sampled)
    );
}

/// A round number of microseconds as milliseconds.
fn short_millis(micros: u64) -> String {
    let text = millis(micros);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn saved(page: &mut String, tokens: Tokens) {
    let share = percent(tokens.saved, tokens.input).unwrap_or(0.0);
    let _ = writeln!(
        page,
        "<section><h2>Tokens, as rtk counts them</h2>\n<p class=\"soft\">{} of {} tokens did not reach the model ({share:.0} %), in \
         {} commands through rtk.</p>\n<table><tbody>",
        grouped(tokens.saved),
        grouped(tokens.input),
        grouped(tokens.commands)
    );
    let most = tokens.input.max(tokens.output);
    row(
        page,
        "without rtk",
        &grouped(tokens.input),
        &bar("other", tokens.input, most),
    );
    row(
        page,
        "shown",
        &grouped(tokens.output),
        &bar("rewritten", tokens.output, most),
    );
    row(
        page,
        "saved",
        &grouped(tokens.saved),
        &bar("routed", tokens.saved, most),
    );
    page.push_str("</tbody></table></section>\n");
}

fn notes(page: &mut String, notes: &[String]) {
    if notes.is_empty() {
        return;
    }
    page.push_str("<section><h2>Notes</h2><ul class=\"notes\">");
    for note in notes {
        let _ = write!(page, "<li>{}</li>", Escaped(note));
    }
    page.push_str("</ul></section>\n");
}
