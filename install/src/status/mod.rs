//! The doctor: what is in place, what it means, and what to do.

mod checks;
mod hooks;
mod log;

use std::fmt;

use serde::Serialize;

use crate::place::Place;
use crate::setup::Setup;

/// How a check ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// As it should be.
    Ok,
    /// Not there, and nothing needs it.
    Note,
    /// Works, and less well than it could.
    Warning,
    /// Does not work.
    Failed,
}

/// One line of the doctor.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Check {
    /// What was looked at.
    pub name: String,
    /// How it is.
    pub outcome: Outcome,
    /// What was found.
    pub detail: String,
    /// What to do; none if there is nothing to do.
    pub remedy: Option<String>,
}

impl Check {
    /// As it should be.
    pub fn ok(name: impl Into<String>, detail: impl Into<String>) -> Check {
        Check {
            name: name.into(),
            outcome: Outcome::Ok,
            detail: detail.into(),
            remedy: None,
        }
    }

    fn with(self, outcome: Outcome, remedy: String) -> Check {
        Check {
            outcome,
            remedy: Some(remedy),
            ..self
        }
    }

    /// Not there, and nothing needs it; `remedy` is how to get it.
    pub fn note(
        name: impl Into<String>,
        detail: impl Into<String>,
        remedy: impl Into<String>,
    ) -> Check {
        Check::ok(name, detail).with(Outcome::Note, remedy.into())
    }

    /// Works, and less well than it could.
    pub fn warning(
        name: impl Into<String>,
        detail: impl Into<String>,
        remedy: impl Into<String>,
    ) -> Check {
        Check::ok(name, detail).with(Outcome::Warning, remedy.into())
    }

    /// Does not work.
    pub fn failed(
        name: impl Into<String>,
        detail: impl Into<String>,
        remedy: impl Into<String>,
    ) -> Check {
        Check::ok(name, detail).with(Outcome::Failed, remedy.into())
    }
}

/// What to look at.
pub struct StatusOptions<'a> {
    /// Places to look at besides those in the home and those noted at installations. They must be
    /// registered.
    pub places: Vec<Place>,
    /// The checks of the state folder, which another crate knows.
    pub state: &'a dyn Fn() -> Vec<Check>,
    /// The oldest `rtk` that the rewriting is right for, such as `1.1.0`.
    pub oldest_rtk: &'a str,
    /// Call the hooks of other programs on a sample too, as the host does before each tool.
    pub call_others: bool,
}

/// What the doctor found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Status {
    /// Is every check ok, or of something that nothing needs?
    pub well: bool,
    /// In the order of importance.
    pub checks: Vec<Check>,
}

impl Status {
    /// The exit status for the command line: 0 only if all is well.
    pub fn exit_code(&self) -> u8 {
        u8::from(!self.well)
    }

    /// As JSON, for `--json`.
    pub fn json(&self) -> String {
        // Strings and booleans can't fail to become JSON.
        serde_json::to_string_pretty(self).unwrap_or_default()
    }
}

impl fmt::Display for Status {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for check in &self.checks {
            let word = match check.outcome {
                Outcome::Ok => "ok     ",
                Outcome::Note => "-      ",
                Outcome::Warning => "warning",
                Outcome::Failed => "FAILED ",
            };
            writeln!(formatter, "{word}  {}: {}", check.name, check.detail)?;
            if let Some(remedy) = &check.remedy {
                writeln!(formatter, "         -> {remedy}")?;
            }
        }
        let failed = |check: &Check| check.outcome == Outcome::Failed;
        formatter.write_str(if self.well {
            "All is well.\n"
        } else if self.checks.iter().any(failed) {
            "Not all is well: see the lines that say FAILED, and what their arrows tell to do.\n"
        } else {
            "The guard works, but less well than it could: see the warnings.\n"
        })
    }
}

/// Looks at everything. Nothing is changed.
pub fn status(setup: &Setup, options: &StatusOptions) -> Status {
    let mut checks = vec![checks::binary(setup), checks::commands(setup)];
    checks.extend(hooks::registrations(setup, &options.places));
    checks.push(checks::rtk(setup, options.oldest_rtk));
    checks.push(checks::mcp(setup));
    checks.extend((options.state)());
    checks.extend(checks::rtk_plugin(setup));
    checks.extend(hooks::others(setup, options.call_others));
    checks.extend(log::host_log(setup));
    let well = checks
        .iter()
        .all(|check| matches!(check.outcome, Outcome::Ok | Outcome::Note));
    Status { well, checks }
}
