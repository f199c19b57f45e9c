//! The checks of what is registered in the hosts' `hooks.json` files.

use std::path::{Path, PathBuf};

use regex::Regex;

use super::checks::{INSTALL, INSTALL_AGAIN, Read, WITHOUT_COMMANDS, read};
use crate::command::has_commands;
use crate::entry::{self, COMMANDS, Form, Handler, NAME, copies, handlers, is_enabled, runs_us};
use crate::jsonc::{Document, Node};
use crate::noted;
use crate::place::{Place, config_folder};
use crate::probe::{Answer, ProbeError, Starter, probe, sample_tool};
use crate::setup::Setup;
use crate::status::Check;

/// Our registration in each place, tried as a host would.
pub fn registrations(setup: &Setup, asked: &[Place]) -> Vec<Check> {
    let mut places = vec![(Place::Global, true), (Place::Ide, false)];
    places.extend(
        noted::load(setup)
            .into_iter()
            .chain(asked.iter().cloned())
            .map(|place| (place, true)),
    );
    places.dedup_by_key(|(place, _)| place.hooks_file(&setup.home));
    places
        .iter()
        .flat_map(|(place, needed)| registration(setup, place, *needed))
        .collect()
}

fn registration(setup: &Setup, place: &Place, needed: bool) -> Vec<Check> {
    let file = place.hooks_file(&setup.home);
    let name = format!("registration in {}", file.display());
    let absent = || {
        let install = match place {
            Place::Ide => "to guard the IDE, run \"execution-guard install --ide\"".to_owned(),
            _ => INSTALL.to_owned(),
        };
        if needed {
            Check::failed(&name, "not registered", install)
        } else {
            Check::note(&name, "not registered", install)
        }
    };
    let document = match read(&file) {
        Read::Absent => return vec![absent()],
        Read::Bad(problem) => {
            return vec![Check::failed(
                &name,
                problem,
                "mend the file: hosts drop it as a whole",
            )];
        }
        Read::Document(document) => document,
    };
    let mut checks = match document.at(&[NAME]) {
        Some(entry) => vec![judge(setup, place.form(), &name, &file, &document, entry)],
        None => vec![absent()],
    };
    for copy in copies(&document) {
        let detail =
            format!("the entry {copy:?} runs execution-guard too: each call starts it once more");
        checks.push(Check::warning(
            &name,
            detail,
            format!("remove the entry {copy:?}"),
        ));
    }
    checks
}

fn judge(
    setup: &Setup,
    form: Form,
    name: &str,
    file: &Path,
    document: &Document,
    entry: &Node,
) -> Check {
    if let Some((command, _)) = entry::foreign(document, &[NAME]) {
        return Check::failed(
            name,
            format!("the entry of our name runs {command}, which is not ours"),
            "give that hook another name, then install",
        );
    }
    if !is_enabled(document, entry) {
        return Check::failed(name, "switched off (\"enabled\": false)", INSTALL);
    }
    let found = handlers(document, entry);
    let Some(handler) = found.iter().find(|handler| handler.event == form.event()) else {
        return Check::failed(name, format!("no command for {}", form.event()), INSTALL);
    };
    let answer = match call(handler.runs, file, form, sample_tool(form)) {
        Ok(answer) => answer,
        Err(error) => {
            return Check::failed(
                name,
                format!("{error}. Every tool is blocked"),
                "run \"execution-guard install\", or \"execution-guard uninstall\"",
            );
        }
    };
    let wanted = form.entry(handler.runs, setup.tools_of(form));
    if document.json(entry).meaning() != wanted.meaning() {
        return Check::warning(
            name,
            "works, and was written by another version or changed by hand",
            INSTALL,
        );
    }
    if !same_file(handler.runs, &setup.binary) {
        let detail = format!(
            "runs {}, and this is {}",
            handler.runs,
            setup.binary.display()
        );
        return Check::warning(
            name,
            detail,
            format!("{INSTALL} with the binary that you mean"),
        );
    }
    if !has_commands(handler.runs.as_ref()) {
        let detail = format!(
            "{} has no {COMMANDS} beside it: {WITHOUT_COMMANDS}",
            handler.runs
        );
        return Check::warning(name, detail, INSTALL_AGAIN);
    }
    let ms = answer.took.as_secs_f64() * 1000.0;
    Check::ok(
        name,
        format!(
            "{} answered a sample call in {ms:.1} ms: {}",
            handler.runs, answer.text
        ),
    )
}

/// Both ways that hosts are known to use must work.
fn call(command: &str, file: &Path, form: Form, tool: &str) -> Result<Answer, ProbeError> {
    let folder = file.parent().unwrap_or(Path::new("/"));
    probe(command, Starter::Shell, folder, form, tool)?;
    probe(command, Starter::Directly, folder, form, tool)
}

fn same_file(command: &str, binary: &Path) -> bool {
    match (
        std::fs::canonicalize(command),
        std::fs::canonicalize(binary),
    ) {
        (Ok(registered), Ok(binary)) => registered == binary,
        _ => false,
    }
}

/// The hooks of others that run before a tool: one that answers without a decision blocks the tool as
/// surely as if it were ours.
pub fn others(setup: &Setup, call_them: bool) -> Vec<Check> {
    let files = hook_files(setup);
    files
        .iter()
        .flat_map(|file| others_in(setup, file, call_them))
        .collect()
}

/// The files in the home that hosts read: the global one, the IDE's, and those of plugins.
fn hook_files(setup: &Setup) -> Vec<PathBuf> {
    let mut files = [Place::Global, Place::Ide]
        .map(|place| place.hooks_file(&setup.home))
        .to_vec();
    let plugins = std::fs::read_dir(config_folder(&setup.home).join("plugins"));
    let mut of_plugins: Vec<PathBuf> = plugins
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path().join("hooks.json"))
        .collect();
    of_plugins.sort();
    files.extend(of_plugins);
    files
}

fn others_in(setup: &Setup, file: &Path, call_them: bool) -> Vec<Check> {
    let Read::Document(document) = read(file) else {
        return Vec::new();
    };
    let mut checks = Vec::new();
    for member in document
        .root
        .as_ref()
        .and_then(Node::members)
        .unwrap_or_default()
    {
        if member.key == NAME || !is_enabled(&document, &member.value) {
            continue;
        }
        let name = format!("hook {:?} in {}", member.key, file.display());
        let handlers = handlers(&document, &member.value);
        let relevant = handlers
            .iter()
            .filter(|handler| handler.event == Form::Antigravity.event() && !runs_us(handler.runs));
        for handler in relevant {
            checks.extend(
                tool_for(handler, setup).map(|tool| other(&name, file, handler, tool, call_them)),
            );
        }
    }
    checks
}

fn other(name: &str, file: &Path, handler: &Handler, tool: &str, call_it: bool) -> Check {
    if !call_it {
        return Check::ok(name, format!("runs {} (not called)", handler.runs));
    }
    let folder = file.parent().unwrap_or(Path::new("/"));
    match probe(
        handler.runs,
        Starter::Shell,
        folder,
        Form::Antigravity,
        tool,
    ) {
        Ok(answer) => Check::ok(
            name,
            format!(
                "{} decides {:?} on a sample call",
                handler.runs, answer.decision
            ),
        ),
        Err(error) => Check::failed(
            name,
            format!("{error}. A host reads that as a denial of {tool}, with an empty reason"),
            "mend that hook, or remove its entry: every path through a hook must print a decision",
        ),
    }
}

/// A governed tool that the handler is called for; none: it is not called for any.
fn tool_for<'a>(handler: &Handler, setup: &'a Setup) -> Option<&'a str> {
    let matcher = handler
        .matcher
        .filter(|matcher| !matcher.is_empty() && *matcher != "*");
    let Some(matcher) = matcher else {
        return Some(sample_tool(Form::Antigravity));
    };
    let pattern = Regex::new(matcher).ok()?;
    let tools = [sample_tool(Form::Antigravity)]
        .into_iter()
        .chain(setup.tools.iter().copied());
    tools.into_iter().find(|tool| pattern.is_match(tool))
}
