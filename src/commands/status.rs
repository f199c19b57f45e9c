//! `execution-guard status`: whether everything works that has to, and what to do where it does not.

use std::io::Write;

use guard_install::{Check, Place, Setup, Status, StatusOptions};
use guard_state::{Ledger, StateError, Store};
use lexopt::{Arg, Parser};

use super::config::Settings;
use super::config::check::Finding;
use super::{CommandError, install};
use crate::config::Config;
use crate::environment::Environment;
use crate::layers::lifecycle;
use crate::machine::{LedgerMode, Machine};
use crate::tools::OLDEST_RTK;

/// Looks at everything; the exit status is 0 only if all is well.
///
/// # Errors
/// Wrong usage, no home, an output that can't be written.
pub fn run(mut arguments: Parser, out: &mut impl Write) -> Result<u8, CommandError> {
    let (mut json, mut call_others, mut places) = (false, true, Vec::new());
    while let Some(arg) = arguments.next()? {
        match arg {
            Arg::Long("json") => json = true,
            Arg::Long("no-others") => call_others = false,
            Arg::Long(name) => {
                let read = install::place(name).ok_or_else(|| Arg::Long(name).unexpected())?;
                places.push(read(&mut arguments)?);
            }
            other => return Err(other.unexpected().into()),
        }
    }
    let status = look(&install::setup()?, places, call_others);
    if json {
        writeln!(out, "{}", status.json())?;
    } else {
        write!(out, "{status}")?;
    }
    Ok(status.exit_code())
}

/// Looks at everything, in `places` too. Nothing is changed.
pub fn look(setup: &Setup, places: Vec<Place>, call_others: bool) -> Status {
    let options = StatusOptions {
        places,
        state: &own_checks,
        oldest_rtk: OLDEST_RTK,
        call_others,
    };
    guard_install::status(setup, &options)
}

/// The checks that only this package knows.
fn own_checks() -> Vec<Check> {
    let mut checks = state();
    checks.extend(decision_log());
    checks.extend(settings());
    checks
}

/// Whether the user's settings say what the user means. Where they can't be read the defaults hold.
fn settings() -> Vec<Check> {
    const NAME: &str = "settings";
    match Settings::of(&Environment::Process) {
        Settings::NoPlace | Settings::Missing(_) => Vec::new(),
        Settings::Unreadable(file, error) => vec![Check::failed(
            NAME,
            format!("{} can't be read: {error}", file.display()),
            "make it a file that you can read; until then the defaults hold",
        )],
        Settings::Malformed(file, error) => vec![Check::failed(
            NAME,
            format!("{} is no JSON object: {error}", file.display()),
            "mend it there: it has to be plain JSON, without comments; until then the defaults hold",
        )],
        Settings::Read(file, checked) if checked.findings.is_empty() => {
            vec![Check::ok(NAME, file.display().to_string())]
        }
        Settings::Read(file, checked) => {
            let warning = |finding: &Finding| {
                let (file, line) = (file.display(), finding.line);
                let detail = format!("{file}:{line}: {}", finding.detail());
                Check::warning(NAME, detail, finding.remedy(&checked.config))
            };
            checked.findings.iter().map(warning).collect()
        }
    }
}

/// Whether decisions can be logged, if they are to be.
fn decision_log() -> Option<Check> {
    const NAME: &str = "decision log";
    let environment = Environment::Process;
    let folder = guard_state::state_dir(|name| environment.get(name)).ok()?;
    let file = folder.join(guard_decisions::NAME);
    if !Config::load(&environment).decision_log {
        let off = format!("{}: switched off in the settings", file.display());
        return Some(Check::ok(NAME, off));
    }
    Some(match guard_decisions::probe(&folder) {
        Ok(()) => Check::ok(NAME, file.display().to_string()),
        Err(error) => Check::warning(
            NAME,
            format!("{}: {error}", file.display()),
            format!(
                "{}; until then `execution-guard report` misses decisions",
                error.remedy()
            ),
        ),
    })
}

/// The conversation that the doctor writes and forgets again.
const PROBE: &str = "execution-guard status";

/// Whether a ledger can be written under its lock.
fn state() -> Vec<Check> {
    let machine = Machine::here(LedgerMode::Write);
    let checked = lifecycle::store(&machine).and_then(|store| {
        try_out(&store)?;
        Ok(store.dir().display().to_string())
    });
    vec![match checked {
        Ok(folder) => Check::ok(
            "state folder",
            format!("{folder}: a ledger can be locked and written"),
        ),
        Err(error) => Check::failed(
            "state folder",
            error.to_string(),
            "until this is mended, every status check of an agent is refused",
        ),
    }]
}

fn try_out(store: &Store) -> Result<(), StateError> {
    store.update(PROBE, || Ledger::new(PROBE), |ledger| ledger.level += 1)?;
    store.reset(PROBE)?;
    Ok(())
}
