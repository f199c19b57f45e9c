//! `execution-guard mcp`: the tool server, with the installation that it can look at and bring up to date.

use std::sync::Arc;

use guard_install::{InstallOptions, Report};
use guard_mcp::{Context, Installation};

use super::{CommandError, install, status};
use crate::environment::Environment;

/// Serves one client over standard input and output, until it closes them.
///
/// # Errors
/// There is no home, or the client does not speak the protocol.
pub fn run() -> Result<(), CommandError> {
    let home = Environment::Process.home().ok_or(CommandError::NoHome)?;
    let installation = Arc::new(ThisInstallation);
    Ok(guard_mcp::serve(Context { home, installation })?)
}

/// The installation that this program belongs to.
struct ThisInstallation;

impl Installation for ThisInstallation {
    fn status(&self) -> Result<String, String> {
        let setup = install::setup().map_err(|error| error.to_string())?;
        Ok(status::look(&setup, Vec::new(), false).to_string())
    }

    fn sync(&self, check_only: bool) -> Result<String, String> {
        sync(check_only)
            .map(|report| report.to_string())
            .map_err(|error| error.to_string())
    }
}

fn sync(check_only: bool) -> Result<Report, CommandError> {
    let setup = install::setup()?;
    let options = InstallOptions {
        records: install::found_rtk(&setup),
        dry_run: check_only,
        ..InstallOptions::default()
    };
    Ok(guard_install::install(&setup, &options)?)
}
