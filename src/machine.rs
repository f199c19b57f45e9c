//! What a judgement may know of the machine: the time, the environment, the user's settings.
//!
//! No rule reads the clock or the environment by itself, so a test can set both.

use std::cell::OnceCell;

use chrono::{DateTime, Utc};

use crate::config::Config;
use crate::environment::Environment;
use crate::zones::Names;

/// A moment, UTC.
pub type Time = DateTime<Utc>;

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
