//! The tables of the page, and what they have in common with its charts.

use std::fmt::Write;

use super::escape::Escaped;
use crate::numbers::grouped;
use crate::tally::{ByGroup, Group};

/// A row of a table: a name, its number, and that as a bar.
pub fn row(page: &mut String, name: &str, value: &str, bar: &str) {
    let _ = writeln!(
        page,
        "<tr><th scope=\"row\">{}</th><td class=\"n\">{value}</td><td class=\"b\">{bar}</td></tr>",
        Escaped(name)
    );
}

/// The groups that have a count anywhere.
pub fn used(all: impl Iterator<Item = ByGroup>) -> Vec<Group> {
    let mut sums = ByGroup::default();
    for groups in all {
        for (sum, count) in sums.iter_mut().zip(groups) {
            *sum += count;
        }
    }
    let used = Group::ALL.iter().zip(sums).filter(|(_, sum)| *sum > 0);
    used.map(|(group, _)| *group).collect()
}

/// Which colour is which group.
pub fn legend(page: &mut String, groups: &[Group]) {
    page.push_str("<ul class=\"legend\">");
    for group in groups {
        let _ = write!(
            page,
            "<li><svg viewBox=\"0 0 10 10\" aria-hidden=\"true\"><rect class=\"{}\" width=\"10\" height=\"10\" rx=\"2\"/></svg>{}</li>",
            class(*group),
            group.label()
        );
    }
    page.push_str("</ul>");
}

/// The numbers of a chart: a row a name, a column a group.
pub fn table(
    page: &mut String,
    first: &str,
    groups: &[Group],
    rows: impl Iterator<Item = (String, ByGroup)>,
) {
    let _ = write!(page, "<table><thead><tr><th scope=\"col\">{first}</th>");
    for group in groups {
        let _ = write!(page, "<th scope=\"col\" class=\"n\">{}</th>", group.label());
    }
    page.push_str("</tr></thead><tbody>\n");
    for (name, counts) in rows {
        let _ = write!(page, "<tr><th scope=\"row\">{}</th>", Escaped(name));
        for group in groups {
            let _ = write!(
                page,
                "<td class=\"n\">{}</td>",
                grouped(counts[*group as usize])
            );
        }
        page.push_str("</tr>\n");
    }
    page.push_str("</tbody></table>\n");
}

/// A name that is no longer than any of a tool.
pub fn cut(name: &str) -> String {
    const MOST: usize = 48;
    let mut cut: String = name.chars().take(MOST).collect();
    if cut.len() < name.len() {
        cut.push('…');
    }
    cut
}

/// The class whose colour a group has.
pub const fn class(group: Group) -> &'static str {
    match group {
        Group::Rewritten => "rewritten",
        Group::WaitRaised => "wait",
        Group::Routed => "routed",
        Group::Guarded => "guarded",
        Group::Polls => "polls",
        Group::Asked => "asked",
        Group::Other => "other",
    }
}
