//! The report on a terminal.

mod common;

use common::{Home, line};
use guard_report::Report;
use guard_report::text::{Style, write};
use proptest::prelude::*;

const PLAIN: Style = Style {
    width: 80,
    colour: false,
    unicode: false,
};

fn text(report: &Report, style: Style) -> String {
    let mut out = Vec::new();
    write(report, style, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

fn some() -> Home {
    let home = Home::new();
    let many = (0..40).map(|step| {
        line(
            step % 5,
            u64::try_from(step).unwrap(),
            "run_command",
            "rewritten",
        )
    });
    let mut lines: Vec<_> = many.collect();
    lines.push(line(1, 100, "manage_task", "poll_denied"));
    home.log(&lines);
    home
}

#[test]
fn the_figures_are_there() {
    let text = text(&some().since("7d"), PLAIN);
    for part in [
        "execution-guard, 2026-11-24 to 2026-11-30",
        "decisions logged                  41",
        "commands rewritten                40  ####",
        "polls denied                       1  #",
        "tokens saved                     750  of 1,000 (75 %)",
        "2026-11-30 Mon",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
}

#[test]
fn nothing_to_tell_is_told() {
    let home = Home::new();
    let text = text(
        &home.with_tokens("7d", Err("there is no rtk".to_owned())),
        PLAIN,
    );
    assert!(text.contains("no decision was logged"), "{text}");
    assert!(
        text.contains("note: Tokens saved are not known: there is no rtk."),
        "{text}"
    );
}

#[test]
fn a_terminal_without_unicode_and_colour_gets_neither() {
    let report = some().since("7d");
    assert!(text(&report, PLAIN).is_ascii());
    assert!(!text(&report, PLAIN).contains('\x1b'));
    let rich = text(
        &report,
        Style {
            colour: true,
            unicode: true,
            ..PLAIN
        },
    );
    assert!(
        rich.contains("\x1b[36m█") && rich.contains("\x1b[0m"),
        "{rich}"
    );
}

#[test]
fn no_line_of_figures_is_wider_than_the_terminal() {
    let report = some().since("7d");
    for width in [60, 80, 100] {
        for line in text(
            &report,
            Style {
                width,
                unicode: true,
                ..PLAIN
            },
        )
        .lines()
        {
            assert!(line.chars().count() <= width, "{width}: {line}");
        }
    }
}

#[test]
fn the_narrowest_terminal_gets_numbers_without_bars() {
    let report = some().since("7d");
    let narrow = text(&report, Style { width: 40, ..PLAIN });
    assert!(!narrow.contains('#'), "{narrow}");
    assert!(
        narrow.contains("commands rewritten                40\n"),
        "{narrow}"
    );
}

proptest! {
    /// Whatever names the log has, and however narrow the terminal is.
    #[test]
    fn no_name_gives_the_terminal_an_order(tool in "\\PC{0,60}|[\\x00-\\x1f\\x7f-\\u{9f}]{0,20}", kind in ".{0,20}", width in 0_usize..200) {
        let home = Home::new();
        home.log(&[line(1, 2, &tool, &kind)]);
        let text = text(&home.since("7d"), Style { width, ..PLAIN });
        prop_assert!(text.chars().all(|c| c == '\n' || c.is_ascii_graphic() || c == ' '), "{text:?}");
    }
}
