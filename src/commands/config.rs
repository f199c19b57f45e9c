//! `execution-guard config show`: every setting, what holds, and where it comes from.

pub mod check;
mod settings;

use std::io::Write;

use lexopt::{Arg, Parser, ValueExt};
use serde_json::{Value, json};

use super::{CommandError, usage};
use crate::config::{Config, KEYS, Key};
use crate::environment::Environment;
use check::{Checked, Finding, Problem};
pub use settings::Settings;

/// Runs `config` with what follows on the command line.
///
/// # Errors
/// Wrong usage, an output that can't be written.
pub fn run(mut arguments: Parser, out: &mut impl Write) -> Result<(), CommandError> {
    let (mut action, mut json) = (None, false);
    while let Some(arg) = arguments.next()? {
        match arg {
            Arg::Value(value) if action.is_none() => action = Some(value.string()?),
            Arg::Long("json") => json = true,
            other => return Err(other.unexpected().into()),
        }
    }
    match action.as_deref() {
        Some("show") => {}
        Some(other) => return Err(usage(format!("`config` knows show, not {other}"))),
        None => return Err(usage("`config` needs show".to_owned())),
    }
    let settings = Settings::of(&Environment::Process);
    if json {
        writeln!(out, "{:#}", as_json(&settings))?;
    } else {
        show(&settings, out)?;
    }
    Ok(())
}

/// One key: what holds and why.
struct Shown {
    key: &'static Key,
    value: Value,
    default: Value,
    line: Option<usize>,
    is_given: bool,
    is_unfit: bool,
}

impl Shown {
    fn all(settings: &Settings) -> Vec<Self> {
        let nothing = Checked::default();
        let checked = match settings {
            Settings::Read(_, checked) => checked,
            _ => &nothing,
        };
        let shown = |key: &'static Key| {
            let given = checked.given.iter().rfind(|(name, _)| name == key.name);
            let is_unfit =
                |finding: &Finding| finding.key == key.name && finding.problem == Problem::Unfit;
            Self {
                key,
                value: key.get(&checked.config),
                default: key.get(&Config::default()),
                line: given.map(|(_, line)| *line),
                is_given: given.is_some(),
                is_unfit: checked.findings.iter().any(is_unfit),
            }
        };
        KEYS.iter().map(shown).collect()
    }

    /// Where the value comes from.
    fn source(&self) -> &'static str {
        match (self.is_given, self.is_unfit) {
            (false, _) => "default",
            (true, false) => "file",
            (true, true) if self.value == self.default => "default",
            (true, true) => "corrected",
        }
    }

    fn origin(&self) -> String {
        let place = self
            .line
            .map_or("the file".to_owned(), |line| format!("line {line}"));
        if self.is_unfit {
            return format!("{place} can't be used: it takes {}", self.key.takes());
        }
        match self.source() {
            "default" => "default".to_owned(),
            _ => format!("{place}; default {}", self.default),
        }
    }
}

fn show(settings: &Settings, out: &mut impl Write) -> Result<(), CommandError> {
    writeln!(out, "# {}", settings.headline())?;
    for shown in Shown::all(settings) {
        let setting = format!("{} = {}", shown.key.name, shown.value);
        writeln!(out, "{setting:<36}  # {}", shown.origin())?;
    }
    if let Settings::Read(_, checked) = settings {
        for finding in &checked.findings {
            if finding.problem != Problem::Unfit {
                writeln!(out, "# line {}: {}", finding.line, finding.detail())?;
            }
        }
    }
    Ok(())
}

fn as_json(settings: &Settings) -> Value {
    let keys: Vec<Value> = Shown::all(settings)
        .iter()
        .map(|shown| {
            json!({
                "key": shown.key.name, "value": shown.value, "default": shown.default, "source": shown.source(),
                "line": shown.line, "takes": shown.key.takes(),
            })
        })
        .collect();
    let (error, findings) = match settings {
        Settings::Unreadable(_, error) => (Some(error.clone()), &[][..]),
        Settings::Malformed(_, error) => (Some(error.to_string()), &[][..]),
        Settings::Read(_, checked) => (None, &checked.findings[..]),
        Settings::NoPlace | Settings::Missing(_) => (None, &[][..]),
    };
    let findings: Vec<Value> = findings
        .iter()
        .map(|finding| json!({"line": finding.line, "key": finding.key, "problem": finding.detail()}))
        .collect();
    json!({
        "file": settings.file(), "state": settings.word(), "error": error, "keys": keys, "problems": findings,
    })
}
