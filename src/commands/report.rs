//! `execution-guard report`: what the guard did, for its user.

use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::time::Duration;

use chrono::Utc;
use guard_install::find_rtk;
use guard_report::text::{self, Style};
use guard_report::{Range, Report, Request, Tokens, Zone, html};
use lexopt::{Arg, Parser, ValueExt};

use super::{CommandError, install, usage};
use crate::call::governed;
use crate::config::Config;
use crate::environment::Environment;

/// The time that is reported on, unless another is asked for.
const SINCE: &str = "7d";

/// How long `rtk gain` may take. It takes some tens of milliseconds.
const RTK_LIMIT: Duration = Duration::from_secs(10);

/// Columns where there is no terminal to ask.
const WIDTH: usize = 80;

/// Runs `report` with what follows on the command line.
///
/// # Errors
/// Wrong usage, no state folder, an output that can't be written.
pub fn run(mut arguments: Parser, out: &mut impl Write) -> Result<(), CommandError> {
    let (mut since, mut json, mut page) = (SINCE.to_owned(), false, None);
    while let Some(arg) = arguments.next()? {
        match arg {
            Arg::Long("since") => since = arguments.value()?.string()?,
            Arg::Long("json") => json = true,
            Arg::Long("html") => page = Some(PathBuf::from(arguments.value()?)),
            other => return Err(other.unexpected().into()),
        }
    }
    let range = Range::since(&since, Utc::now(), Zone::Local);
    let range = range.map_err(|error| usage(error.to_string()))?;
    let report = report(range)?;
    if let Some(file) = &page {
        let written = std::fs::write(file, html::page(&report));
        written.map_err(|error| CommandError::Page(file.clone(), error))?;
    }
    if json {
        let text = serde_json::to_string_pretty(&report).map_err(std::io::Error::from)?;
        writeln!(out, "{text}")?;
    } else if page.is_none() {
        text::write(&report, style(), out)?;
    }
    Ok(())
}

fn report(range: Range) -> Result<Report, CommandError> {
    let environment = Environment::Process;
    let state = guard_state::state_dir(|name| environment.get(name))?;
    Ok(Report::of(Request {
        range,
        state: &state,
        is_on: Config::load(&environment).decision_log,
        home: environment.home().as_deref(),
        governs: |name| governed(name).is_some(),
        tokens: tokens(&range),
    }))
}

/// What rtk on this machine says it saved.
fn tokens(range: &Range) -> Result<Tokens, String> {
    let setup = install::setup().map_err(|error| error.to_string())?;
    let rtk = find_rtk(&setup.rtk_folders).ok_or("there is no rtk on this machine")?;
    let printed = rtk.output(&Tokens::ARGUMENTS, RTK_LIMIT)?;
    let days = [range.from, range.to].map(|time| range.zone.day(time));
    Tokens::parse(&printed, days[0], days[1])
        .map_err(|error| format!("`rtk gain` printed something else ({error})"))
}

/// What standard output can show.
fn style() -> Style {
    let environment = Environment::Process;
    let is_terminal = std::io::stdout().is_terminal();
    let width = terminal_size::terminal_size().map(|(width, _)| width.0.into());
    let text = |name| environment.get(name)?.into_string().ok();
    // The first of them that is set counts (POSIX, Environment Variables).
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(text);
    let locale = locale.unwrap_or_default().to_ascii_lowercase();
    Style {
        width: width.filter(|_| is_terminal).unwrap_or(WIDTH),
        colour: is_terminal && environment.get("NO_COLOR").is_none(),
        unicode: locale.contains("utf-8") || locale.contains("utf8"),
    }
}
