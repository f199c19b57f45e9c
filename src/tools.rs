//! Which programs the agent's shell will find, looked up only when a rule asks.

use guard_rtk::locate::{Located, locate};
use guard_rtk::route::{Shell, Target, word};

use crate::environment::NAME;
use crate::machine::Machine;
use crate::sibling;

/// The shell that reads what is printed for the model.
pub const SHELL: Shell = if cfg!(windows) {
    Shell::PowerShell
} else {
    Shell::Posix
};

/// The oldest rtk that the table of rewrites is right for.
pub const OLDEST_RTK: &str = "1.1.0";

/// rtk on this machine.
#[derive(Debug, Clone)]
pub struct Rtk {
    /// rtk as a quoted word of [`SHELL`].
    pub word: String,
}

impl Rtk {
    /// rtk on this machine, if it is there, not known to be too old, and its path can be written.
    pub fn find(machine: &Machine) -> Option<Self> {
        let config = &machine.config;
        let rtk = find(machine, "rtk", config.rtk.as_deref())?;
        let is_recorded = config
            .rtk
            .as_ref()
            .is_some_and(|recorded| *recorded == rtk.path);
        if is_recorded && config.rtk_version.as_deref().is_some_and(is_too_old) {
            return None;
        }
        Some(Self {
            word: rtk.command_word(SHELL).ok()?,
        })
    }

    /// What a printed command runs on, for commands that rtk runs by itself.
    pub fn target(&self) -> Target<'_> {
        Target {
            shell: SHELL,
            rtk: &self.word,
            ripgrep: false,
            grep: false,
        }
    }

    /// The same for searches, which rtk leaves to `rg` or `grep`.
    pub fn search_target(&self, machine: &Machine) -> Target<'_> {
        let ripgrep = is_found_by_name(machine, "rg");
        Target {
            ripgrep,
            grep: !ripgrep && is_found_by_name(machine, "grep"),
            ..self.target()
        }
    }
}

fn is_too_old(version: &str) -> bool {
    numbers(version) < numbers(OLDEST_RTK)
}

fn numbers(version: &str) -> [u32; 3] {
    let mut numbers = version.split('.').map(|part| {
        let digits = part.bytes().take_while(u8::is_ascii_digit).count();
        part[..digits].parse().unwrap_or(0)
    });
    [(); 3].map(|()| numbers.next().unwrap_or(0))
}

/// This program as a word of [`SHELL`].
pub fn own_word(machine: &Machine) -> String {
    let on_path = find(machine, NAME, sibling::hook().ok().as_deref());
    on_path
        .and_then(|own| own.command_word(SHELL).ok())
        .or_else(|| word(SHELL, NAME).ok())
        .unwrap_or_else(|| NAME.to_owned())
}

/// Whether the agent's shell finds `name` by its bare name.
pub fn is_found_by_name(machine: &Machine, name: &str) -> bool {
    find(machine, name, None).is_some_and(|found| found.bare.is_some())
}

fn find(machine: &Machine, name: &str, recorded: Option<&std::path::Path>) -> Option<Located> {
    let path = machine.environment.get("PATH");
    let extensions = machine.environment.get("PATHEXT");
    locate(name, path.as_deref(), extensions.as_deref(), recorded)
}
