//! Which programs the agent's shell will find, looked up only when a rule asks.

use guard_rtk::locate::{Located, locate};
use guard_rtk::route::{Shell, Target, word};

use crate::machine::{Machine, NAME};

/// The shell that reads what is printed for the model.
pub const SHELL: Shell = if cfg!(windows) {
    Shell::PowerShell
} else {
    Shell::Posix
};

/// rtk with the programs that it runs by their bare names.
#[derive(Debug, Clone)]
pub struct Rtk {
    /// rtk as a quoted word of [`SHELL`].
    pub word: String,
    ripgrep: bool,
    grep: bool,
}

impl Rtk {
    /// rtk on this machine, if it is there and its path can be written.
    pub fn find(machine: &Machine) -> Option<Self> {
        let rtk = find(machine, "rtk", machine.config.rtk.as_deref())?;
        Some(Self {
            word: rtk.command_word(SHELL).ok()?,
            ripgrep: is_found_by_name(machine, "rg"),
            grep: is_found_by_name(machine, "grep"),
        })
    }

    /// What a printed command runs on.
    pub fn target(&self) -> Target<'_> {
        Target {
            shell: SHELL,
            rtk: &self.word,
            ripgrep: self.ripgrep,
            grep: self.grep,
        }
    }
}

/// This program as a word of [`SHELL`].
pub fn own_word(machine: &Machine) -> String {
    let on_path = find(machine, NAME, std::env::current_exe().ok().as_deref());
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
