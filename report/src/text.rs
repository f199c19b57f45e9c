//! The report on a terminal.

use std::io::{self, Write};

use crate::latency::Latency;
use crate::numbers::{grouped, millis, percent};
use crate::report::Report;
use crate::tally::Group;
use crate::words::{UNKNOWN, label};

/// What the terminal can show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Style {
    /// Columns.
    pub width: usize,
    /// Colours.
    pub colour: bool,
    /// Characters beyond ASCII.
    pub unicode: bool,
}

/// The least and the most columns that are made use of.
const WIDTHS: (usize, usize) = (40, 100);
const NAME: usize = 28;
const COUNT: usize = 8;

/// Writes the report.
///
/// # Errors
/// `out` can't be written.
pub fn write(report: &Report, style: Style, out: &mut impl Write) -> io::Result<()> {
    let mut page = Page {
        out,
        style: Style {
            width: style.width.clamp(WIDTHS.0, WIDTHS.1),
            ..style
        },
    };
    page.top(report)?;
    page.kinds(report)?;
    page.tools(report)?;
    page.days(report)?;
    page.latency(report.latency.as_ref())?;
    page.notes(report)
}

struct Page<'a, W> {
    out: &'a mut W,
    style: Style,
}

impl<W: Write> Page<'_, W> {
    fn top(&mut self, report: &Report) -> io::Result<()> {
        let zone = report.range.zone;
        let (first, last) = (zone.day(report.from), zone.day(report.to));
        self.heading(&format!("execution-guard, {first} to {last}"))?;
        if let Some(planned) = report.planned {
            let conversations = format!("in {}", conversations(planned.conversations));
            self.line("calls planned by agents", planned.calls, &conversations)?;
        }
        let conversations = format!("in {}", conversations(report.conversations));
        self.line("decisions logged", report.decisions, &conversations)?;
        self.line("you were asked", report.totals.asked, "")?;
        self.line("breakers tripped", report.totals.breakers_tripped, "")?;
        if let Some(tokens) = report.tokens {
            let of = percent(tokens.saved, tokens.input).map_or(String::new(), |percent| {
                format!(
                    "of {} ({percent:.0} %), {} commands",
                    grouped(tokens.input),
                    grouped(tokens.commands)
                )
            });
            self.line("tokens saved", tokens.saved, &of)?;
        }
        Ok(())
    }

    fn kinds(&mut self, report: &Report) -> io::Result<()> {
        self.section("What was decided (calls that pass are not logged)")?;
        if report.kinds.is_empty() {
            return writeln!(self.out, "  nothing: no decision was logged in this time");
        }
        let most = report.kinds.iter().map(|(_, count)| *count).max();
        for (kind, count) in &report.kinds {
            self.bar(kind.map_or(UNKNOWN, label), *count, most.unwrap_or(0))?;
        }
        Ok(())
    }

    fn tools(&mut self, report: &Report) -> io::Result<()> {
        if report.tools.is_empty() {
            return Ok(());
        }
        self.section("By tool")?;
        let most = report.tools.iter().map(|tool| tool.total).max();
        for tool in &report.tools {
            self.bar(&tame(&tool.tool), tool.total, most.unwrap_or(0))?;
            let groups = Group::ALL.iter().zip(tool.groups);
            let parts: Vec<String> = groups
                .filter(|(_, count)| *count > 0 && *count < tool.total)
                .map(|(group, count)| format!("{} {}", grouped(count), group.label()))
                .collect();
            self.wrapped(&parts)?;
        }
        Ok(())
    }

    fn days(&mut self, report: &Report) -> io::Result<()> {
        if report.decisions == 0 {
            return Ok(());
        }
        let weekly = report.days.iter().any(|bucket| bucket.first != bucket.last);
        self.section(if weekly { "By week" } else { "By day" })?;
        let most = report.days.iter().map(|bucket| bucket.total()).max();
        for bucket in &report.days {
            let name = if weekly {
                format!("{} to {}", bucket.first, bucket.last.format("%m-%d"))
            } else {
                bucket.first.format("%Y-%m-%d %a").to_string()
            };
            self.bar(&name, bucket.total(), most.unwrap_or(0))?;
        }
        Ok(())
    }

    fn latency(&mut self, latency: Option<&Latency>) -> io::Result<()> {
        let Some(latency) = latency else {
            return Ok(());
        };
        let calls = grouped(latency.sampled);
        self.section(&format!(
            "Processor time of a call, in ms (a sample of {calls})"
        ))?;
        let times = [
            ("half took up to", latency.p50),
            ("90 % took up to", latency.p90),
            ("99 % took up to", latency.p99),
            ("the longest", latency.max),
        ];
        for (name, micros) in times {
            let cells = self.cells(micros, latency.max);
            writeln!(
                self.out,
                "  {name:<NAME$}{:>COUNT$}  {cells}",
                millis(micros)
            )?;
        }
        Ok(())
    }

    fn notes(&mut self, report: &Report) -> io::Result<()> {
        let notes = report.notes();
        if !notes.is_empty() {
            writeln!(self.out)?;
        }
        for note in notes {
            writeln!(self.out, "  note: {}", tame_text(&note))?;
        }
        Ok(())
    }

    fn heading(&mut self, text: &str) -> io::Result<()> {
        match self.style.colour {
            true => writeln!(self.out, "\x1b[1m{text}\x1b[0m"),
            false => writeln!(self.out, "{text}"),
        }
    }

    fn section(&mut self, text: &str) -> io::Result<()> {
        writeln!(self.out)?;
        self.heading(text)
    }

    /// A figure, with what it means behind it, or below where it is too long.
    fn line(&mut self, name: &str, count: u64, more: &str) -> io::Result<()> {
        let line = format!("  {name:<NAME$}{:>COUNT$}", grouped(count));
        let is_fit = line.len() + 2 + more.len() <= self.style.width;
        match (more, is_fit) {
            ("", _) => writeln!(self.out, "{line}"),
            (more, true) => writeln!(self.out, "{line}  {more}"),
            (more, false) => writeln!(self.out, "{line}\n    {more}"),
        }
    }

    fn bar(&mut self, name: &str, count: u64, most: u64) -> io::Result<()> {
        let name: String = name.chars().take(NAME - 1).collect();
        let cells = self.cells(count, most);
        let line = format!("  {name:<NAME$}{:>COUNT$}  {cells}", grouped(count));
        writeln!(self.out, "{}", line.trim_end())
    }

    /// Parts in a line of their own, or several.
    fn wrapped(&mut self, parts: &[String]) -> io::Result<()> {
        const INDENT: usize = 4;
        let mut line = String::new();
        for part in parts {
            if !line.is_empty() && INDENT + line.len() + 2 + part.len() > self.style.width {
                writeln!(self.out, "{:INDENT$}{line},", "")?;
                line.clear();
            }
            if !line.is_empty() {
                line.push_str(", ");
            }
            line.push_str(part);
        }
        match line.is_empty() {
            true => Ok(()),
            false => writeln!(self.out, "{:INDENT$}{line}", ""),
        }
    }

    /// A bar in the columns that are left, in eighths of a column where there are characters for that.
    fn cells(&self, count: u64, most: u64) -> String {
        const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
        let room = self.style.width.saturating_sub(2 + NAME + COUNT + 2) as u64;
        let eighths = match (u128::from(count) * u128::from(room) * 8).checked_div(most.into()) {
            Some(0) if count > 0 => usize::from(room > 0),
            eighths => usize::try_from(eighths.unwrap_or(0)).unwrap_or(0),
        };
        let bar = if self.style.unicode {
            "█".repeat(eighths / 8) + EIGHTHS[eighths % 8]
        } else {
            "#".repeat(eighths.div_ceil(8))
        };
        if self.style.colour && !bar.is_empty() {
            return format!("\x1b[36m{bar}\x1b[0m");
        }
        bar
    }
}

fn conversations(count: u64) -> String {
    match count {
        1 => "1 conversation".to_owned(),
        count => format!("{} conversations", grouped(count)),
    }
}

/// A name of the log without anything that a terminal could take for an order.
fn tame(name: &str) -> String {
    let tame = |c: char| match c {
        c if c.is_ascii_alphanumeric() || "_-. ".contains(c) => c,
        _ => '?',
    };
    name.chars().take(NAME).map(tame).collect()
}

/// The same for a text with paths.
fn tame_text(text: &str) -> String {
    let tame = |c: char| if c.is_control() { '?' } else { c };
    text.chars().map(tame).collect()
}
