//! Taking the hook out, and going back to a backup.

use std::path::Path;

use crate::command::remove_links;
use crate::entry::{self, NAME, copies, handlers, runs_us};
use crate::error::InstallError;
use crate::files::{Stamp, Target, backups};
use crate::jsonc::{Document, Node, parse};
use crate::noted;
use crate::place::Place;
use crate::report::{Report, restart};
use crate::setup::{Record, Setup, join};
use crate::transaction::{Action, Edit, carry_out, dry_run};

/// What to take out, or to bring back.
#[derive(Debug, Clone, Default)]
pub struct UninstallOptions {
    /// Where. Empty: in the home, and wherever an installation noted.
    pub places: Vec<Place>,
    /// Leave the MCP server.
    pub keep_mcp: bool,
    /// What else to take out.
    pub records: Vec<Record>,
    /// Only say what would be done.
    pub dry_run: bool,
}

impl UninstallOptions {
    fn places(&self, setup: &Setup) -> Vec<Place> {
        if !self.places.is_empty() {
            return self.places.clone();
        }
        [Place::Global, Place::Ide]
            .into_iter()
            .chain(noted::load(setup))
            .collect()
    }

    /// The MCP server serves the places in the home.
    fn with_mcp(&self) -> bool {
        !self.keep_mcp
            && (self.places.is_empty()
                || self
                    .places
                    .iter()
                    .any(|place| matches!(place, Place::Global | Place::Ide)))
    }
}

/// Takes our entries out, the hooks first. The programs can go after that, unless the report says that
/// something else still runs it.
pub fn uninstall(setup: &Setup, options: &UninstallOptions) -> Result<Report, InstallError> {
    let places = options.places(setup);
    let mut edits = places
        .iter()
        .map(|place| setup.hooks_edit(place, None))
        .collect::<Result<Vec<_>, _>>()?;
    if options.with_mcp() {
        edits.push(setup.mcp_edit(None)?);
    }
    for record in &options.records {
        edits.push(record.taken_out().edit()?);
    }
    let edits = join(edits);
    let commands: Vec<String> = edits.iter().flat_map(our_commands).collect();
    let mut report = Report {
        dry_run: options.dry_run,
        ..Report::default()
    };
    if options.dry_run {
        report.changes = dry_run(&edits)?;
        return Ok(report);
    }
    report.changes = carry_out(&edits, Stamp::new(chrono::Utc::now()))?;
    noted::strike(setup, &places)?;
    for target in edits
        .iter()
        .filter(|edit| edit.members().iter().any(|member| member.path == [NAME]))
        .map(|edit| &edit.target)
    {
        let names = read(target).as_ref().map(copies).unwrap_or_default();
        report
            .still_registered
            .extend(names.into_iter().map(|name| (target.named.clone(), name)));
    }
    if report.still_registered.is_empty() {
        let removed = commands.iter().flat_map(|command| remove_links(command));
        report
            .notes
            .extend(removed.map(|link| format!("Removed the link {}", link.display())));
    }
    report.notes.extend(restart(&report, &options.records));
    Ok(report)
}

/// Puts back what was there before the last change of ours, in all files that it changed: those in the
/// home, and of other places those still registered or asked for. What is there
/// now is backed up first, so that a second rollback undoes the first.
pub fn rollback(setup: &Setup, options: &UninstallOptions) -> Result<Report, InstallError> {
    let mut edits = Vec::new();
    let places = options.places(setup);
    for place in &places {
        edits.push(setup.hooks_edit(place, None)?);
    }
    if options.with_mcp() {
        edits.push(setup.mcp_edit(None)?);
    }
    for record in &options.records {
        edits.push(record.edit()?);
    }
    let edits = join(edits);
    let last = |edit: &Edit| backups(&edit.target.named).pop();
    let Some(newest) = edits
        .iter()
        .filter_map(last)
        .map(|backup| backup.stamp)
        .max()
    else {
        let file = edits
            .into_iter()
            .next()
            .map(|edit| edit.target.named)
            .unwrap_or_default();
        return Err(InstallError::NoBackup(file));
    };
    let edits: Vec<Edit> = edits
        .into_iter()
        .filter_map(|edit| {
            let backup = last(&edit).filter(|backup| backup.stamp == newest)?;
            Some(Edit {
                action: Action::Restore(backup, edit.members().to_vec()),
                ..edit
            })
        })
        .collect();
    let mut report = Report {
        dry_run: options.dry_run,
        ..Report::default()
    };
    report.changes = if options.dry_run {
        dry_run(&edits)?
    } else {
        carry_out(&edits, Stamp::new(chrono::Utc::now()))?
    };
    if !options.dry_run {
        let back: Vec<Place> = places
            .into_iter()
            .filter(|place| has_our_entry(setup, place))
            .collect();
        noted::add(setup, &back)?;
    }
    report.notes.push(format!("The backup is of {newest}."));
    for edit in &edits {
        report.notes.extend(dead_command(&edit.target));
    }
    report.notes.extend(restart(&report, &options.records));
    Ok(report)
}

fn has_our_entry(setup: &Setup, place: &Place) -> bool {
    let target = Target::new(&place.hooks_file(&setup.home), 0);
    target
        .ok()
        .and_then(|target| read(&target))
        .is_some_and(|document| document.at(&[NAME]).is_some())
}

/// The commands of our entry in the file of `edit`.
fn our_commands(edit: &Edit) -> Vec<String> {
    let Some(document) = read(&edit.target) else {
        return Vec::new();
    };
    let mut commands = Vec::new();
    for node in edit
        .members()
        .iter()
        .filter_map(|member| document.at(&member.path()))
    {
        let server = node.get("command").and_then(Node::as_str);
        let hooks = handlers(&document, node);
        let all = server
            .into_iter()
            .chain(hooks.iter().map(|handler| handler.runs));
        commands.extend(all.filter(|command| runs_us(command)).map(str::to_owned));
    }
    commands
}

/// A warning if the file now registers a binary that is gone, which blocks every tool.
fn dead_command(target: &Target) -> Option<String> {
    let document = read(target)?;
    let entry = document
        .at(&[NAME])
        .filter(|entry| entry::is_enabled(&document, entry))?;
    let dead = handlers(&document, entry)
        .into_iter()
        .find(|handler| !Path::new(handler.runs).exists())?;
    Some(format!(
        "{}: this version registers {}, which does not exist: every tool will be blocked. Run \"execution-guard install\" or \"execution-guard uninstall\"",
        target.named.display(),
        dead.runs
    ))
}

fn read(target: &Target) -> Option<Document> {
    parse(&target.read().ok()??).ok()
}
