//! Registering the hook.

use std::path::Path;

use crate::command::{Registered, registered};
use crate::entry::{Form, mcp_entry};
use crate::error::InstallError;
use crate::files::Stamp;
use crate::noted;
use crate::place::Place;
use crate::probe::{Starter, probe, sample_tool};
use crate::report::{Report, restart};
use crate::rtk::is_program;
use crate::setup::{Record, Setup, join};
use crate::transaction::{Edit, carry_out, dry_run};

/// What to install.
#[derive(Debug, Clone)]
pub struct InstallOptions {
    /// Where to register the hook.
    pub places: Vec<Place>,
    /// Register the MCP server too.
    pub mcp: bool,
    /// The binary's path inside the managed sandbox, if it is another one there. It can't be tried
    /// from here.
    pub sandbox_command: Option<String>,
    /// What else to write down.
    pub records: Vec<Record>,
    /// Only say what would be done.
    pub dry_run: bool,
}

impl Default for InstallOptions {
    fn default() -> Self {
        InstallOptions {
            places: vec![Place::Global],
            mcp: true,
            sandbox_command: None,
            records: Vec::new(),
            dry_run: false,
        }
    }
}

/// Registers the hook. The order: all files are checked, the binary answers a sample call in every way
/// that hosts run it, the files are written, those with the hook last.
pub fn install(setup: &Setup, options: &InstallOptions) -> Result<Report, InstallError> {
    let command = registered(setup)?;
    let edits = edits(setup, options, &command)?;
    let planned = dry_run(&edits)?;
    let mut report = Report {
        dry_run: options.dry_run,
        ..Report::default()
    };
    let folder = edits
        .last()
        .map_or(Path::new("/"), |edit| edit.target.folder());
    if !is_program(&setup.commands) {
        return Err(InstallError::NoCommands(setup.commands.clone()));
    }
    check_answers(
        setup,
        options,
        &setup.binary.to_string_lossy(),
        &[Starter::Directly],
        folder,
    )?;
    if options.dry_run {
        report.changes = planned;
        let links = command.links.iter();
        report
            .notes
            .extend(links.map(|link| format!("A link would be made: {}", link.path.display())));
        return Ok(report);
    }
    for link in &command.links {
        link.make()?;
    }
    if !command.links.is_empty() {
        report.notes.push(format!(
            "Hosts start the hook by a link without blanks: {}",
            command.command
        ));
    }
    check_answers(
        setup,
        options,
        &command.command,
        &[Starter::Directly, Starter::Shell],
        folder,
    )?;
    noted::add(setup, &options.places)?;
    report.changes = carry_out(&edits, Stamp::new(chrono::Utc::now()))?;
    report.notes.extend(restart(&report, &options.records));
    Ok(report)
}

/// The hook comes last: it is what can block a user's tools.
fn edits(
    setup: &Setup,
    options: &InstallOptions,
    command: &Registered,
) -> Result<Vec<Edit>, InstallError> {
    let mut edits: Vec<Edit> = options
        .records
        .iter()
        .map(Record::edit)
        .collect::<Result<_, _>>()?;
    if options.mcp
        && options
            .places
            .iter()
            .any(|place| matches!(place, Place::Global | Place::Ide))
    {
        edits.push(setup.mcp_edit(Some(mcp_entry(&command.command)))?);
    }
    for place in &options.places {
        let form = place.form();
        let command = match (&options.sandbox_command, form) {
            (Some(inside), Form::Sandbox) => inside,
            _ => &command.command,
        };
        let entry = form.entry(command, setup.tools_of(form));
        edits.push(setup.hooks_edit(place, Some(entry))?);
    }
    Ok(join(edits))
}

fn check_answers(
    setup: &Setup,
    options: &InstallOptions,
    command: &str,
    starters: &[Starter],
    folder: &Path,
) -> Result<(), InstallError> {
    let mut forms: Vec<Form> = options.places.iter().map(Place::form).collect();
    forms.dedup();
    if options.sandbox_command.is_some() {
        forms.retain(|form| *form != Form::Sandbox);
    }
    let folder = if folder.is_dir() { folder } else { &setup.home };
    for form in forms {
        for starter in starters {
            probe(command, *starter, folder, form, sample_tool(form))?;
        }
    }
    Ok(())
}
