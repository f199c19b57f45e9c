//! What a judgement may know of the machine: the time, the environment, the user's settings.
//!
//! No rule reads the clock or the environment by itself, so a test can set both.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;

use chrono::{DateTime, Utc};

use crate::config::{self, Config};
use crate::zones::Names;

/// A moment, UTC.
pub type Time = DateTime<Utc>;

/// The name of the governor's folders and of its registration.
pub const NAME: &str = "execution-guard";

/// The machine as one judgement sees it.
#[derive(Debug, Clone)]
pub struct Machine {
    /// The time of the call.
    pub clock: Clock,
    /// The environment variables.
    pub environment: Environment,
    /// The user's settings.
    pub config: Config,
    /// How file names compare.
    pub names: Names,
    /// Whether the ledger is written.
    pub ledger: LedgerMode,
}

/// Whether a judgement leaves a trace in the ledger.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LedgerMode {
    /// The hook: what was decided is written before it is answered.
    Write,
    /// `explain`: nothing is written.
    ReadOnly,
}

impl Machine {
    /// This machine, now.
    pub fn here(ledger: LedgerMode) -> Self {
        let environment = Environment::Process;
        Self {
            clock: Clock::System(OnceCell::new()),
            config: Config::load(&environment),
            environment,
            names: Names::native(),
            ledger,
        }
    }
}

/// The time of the call. It is read when a rule first asks: most calls have no use for it, and the
/// pages that the first look touches cost 15 µs.
#[derive(Debug, Clone)]
pub enum Clock {
    /// The system's; the moment of the first look, once there was one.
    System(OnceCell<Time>),
    /// A given moment.
    Given(Time),
}

impl Clock {
    /// The time of the call: the same for every rule.
    pub fn now(&self) -> Time {
        match self {
            Self::System(first_look) => *first_look.get_or_init(Utc::now),
            Self::Given(time) => *time,
        }
    }
}

/// Where environment variables come from. An empty variable counts as unset.
#[derive(Debug, Clone)]
pub enum Environment {
    /// The process's own.
    Process,
    /// Given ones.
    Given(BTreeMap<String, OsString>),
}

impl Environment {
    /// The value of `name`.
    pub fn get(&self, name: &str) -> Option<OsString> {
        let value = match self {
            Self::Process => std::env::var_os(name),
            Self::Given(variables) => variables.get(name).cloned(),
        };
        value.filter(|value| !value.is_empty())
    }

    /// The user's home.
    pub fn home(&self) -> Option<PathBuf> {
        let name = if cfg!(windows) { "USERPROFILE" } else { "HOME" };
        self.get(name)
            .map(PathBuf::from)
            .filter(|home| home.is_absolute())
    }

    /// The user's configuration file, whether it exists or not.
    pub fn config_file(&self) -> Option<PathBuf> {
        let folder = if cfg!(windows) {
            self.get("APPDATA").map(PathBuf::from)
        } else {
            let xdg = self.get("XDG_CONFIG_HOME").map(PathBuf::from);
            // The base directory specification has relative paths ignored.
            xdg.filter(|xdg| xdg.is_absolute())
                .or_else(|| Some(self.home()?.join(".config")))
        };
        Some(folder?.join(NAME).join(config::FILE))
    }
}
