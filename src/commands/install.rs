//! `execution-guard install | uninstall | rollback`: the registration with the host.

use std::io::Write;
use std::path::PathBuf;

use guard_install::{
    InstallOptions, Place, Record, Report, Rtk, Setup, UninstallOptions, default_link_folders,
    find_rtk, rtk_folders, rtk_records,
};
use lexopt::{Arg, Parser, ValueExt};

use super::CommandError;
use crate::call::{antigravity_names, sandbox_names};
use crate::config::Config;
use crate::environment::Environment;
use crate::sibling;

/// The file beside the configuration that notes where else the hook was registered.
const PLACES_FILE: &str = "places.json";

/// Registers the hook; the exit status.
///
/// # Errors
/// Wrong usage, a file that can't be edited, an output that can't be written.
pub fn install(arguments: Parser, out: &mut impl Write) -> Result<u8, CommandError> {
    let flags = Flags::read(arguments)?;
    // A mistyped folder would be made, and the real one stay unguarded.
    for place in &flags.places {
        if let Place::Workspace(folder) | Place::Sandbox(folder) = place
            && !folder.is_dir()
        {
            return Err(CommandError::NoFolder(folder.clone()));
        }
    }
    let setup = setup()?;
    let options = InstallOptions {
        places: if flags.places.is_empty() {
            vec![Place::Global]
        } else {
            flags.places
        },
        mcp: flags.mcp,
        sandbox_command: flags.sandbox_command,
        records: found_rtk(&setup),
        dry_run: flags.dry_run,
    };
    print(&guard_install::install(&setup, &options)?, out)
}

/// Takes the registration out; the exit status.
///
/// # Errors
/// As [`install`].
pub fn uninstall(arguments: Parser, out: &mut impl Write) -> Result<u8, CommandError> {
    let (setup, options) = removal(arguments)?;
    print(&guard_install::uninstall(&setup, &options)?, out)
}

/// Puts the last backups back; the exit status.
///
/// # Errors
/// As [`install`].
pub fn rollback(arguments: Parser, out: &mut impl Write) -> Result<u8, CommandError> {
    let (setup, options) = removal(arguments)?;
    print(&guard_install::rollback(&setup, &options)?, out)
}

fn removal(arguments: Parser) -> Result<(Setup, UninstallOptions), CommandError> {
    let flags = Flags::read(arguments)?;
    if flags.sandbox_command.is_some() {
        return Err(super::usage(
            "--sandbox-command goes with install".to_owned(),
        ));
    }
    let setup = setup()?;
    // As long as the hook is registered in other places, it needs to know where rtk is.
    let records = if flags.places.is_empty() {
        records(None)
    } else {
        Vec::new()
    };
    let options = UninstallOptions {
        places: flags.places,
        keep_mcp: !flags.mcp,
        records,
        dry_run: flags.dry_run,
    };
    Ok((setup, options))
}

fn print(report: &Report, out: &mut impl Write) -> Result<u8, CommandError> {
    write!(out, "{report}")?;
    Ok(report.exit_code())
}

/// What the registration commands know of this machine.
///
/// # Errors
/// There is no home, or this program's own file can't be named.
pub fn setup() -> Result<Setup, CommandError> {
    let environment = Environment::Process;
    let home = environment.home().ok_or(CommandError::NoHome)?;
    let config_file = environment.config_file();
    Ok(Setup {
        binary: sibling::hook()?,
        commands: sibling::commands()?,
        tools: antigravity_names().collect(),
        sandbox_tools: sandbox_names(),
        link_folders: default_link_folders(&home),
        places_file: config_file.map(|file| file.with_file_name(PLACES_FILE)),
        rtk_folders: rtk_folders(
            environment.get("PATH").as_deref(),
            Config::load(&environment).rtk.as_deref(),
            &home,
        ),
        home,
    })
}

/// Where rtk is, for the user's configuration file: the hook's `PATH` may be another one.
pub fn found_rtk(setup: &Setup) -> Vec<Record> {
    records(find_rtk(&setup.rtk_folders).as_ref())
}

fn records(rtk: Option<&Rtk>) -> Vec<Record> {
    let file = Environment::Process.config_file();
    file.map_or_else(Vec::new, |file| rtk_records(&file, rtk))
}

/// What may follow the command.
struct Flags {
    places: Vec<Place>,
    mcp: bool,
    sandbox_command: Option<String>,
    dry_run: bool,
}

impl Flags {
    fn read(mut arguments: Parser) -> Result<Self, CommandError> {
        let mut flags = Self {
            places: Vec::new(),
            mcp: true,
            sandbox_command: None,
            dry_run: false,
        };
        while let Some(arg) = arguments.next()? {
            match arg {
                Arg::Long("no-mcp") => flags.mcp = false,
                Arg::Long("dry-run") => flags.dry_run = true,
                Arg::Long("sandbox-command") => {
                    flags.sandbox_command = Some(arguments.value()?.string()?);
                }
                Arg::Long(name) => {
                    let read = place(name).ok_or_else(|| Arg::Long(name).unexpected())?;
                    flags.places.push(read(&mut arguments)?);
                }
                other => return Err(other.unexpected().into()),
            }
        }
        Ok(flags)
    }
}

type ReadPlace = fn(&mut Parser) -> Result<Place, CommandError>;

/// What reads the place that a flag names, if the flag names one.
pub fn place(flag: &str) -> Option<ReadPlace> {
    match flag {
        "workspace" => Some(|arguments| Ok(Place::Workspace(folder(arguments)?))),
        "sandbox" => Some(|arguments| Ok(Place::Sandbox(folder(arguments)?))),
        "ide" => Some(|_| Ok(Place::Ide)),
        _ => None,
    }
}

fn folder(arguments: &mut Parser) -> Result<PathBuf, CommandError> {
    Ok(std::path::absolute(arguments.value()?)?)
}
