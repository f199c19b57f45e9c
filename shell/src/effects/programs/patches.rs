//! Patches, and the files that they change.

use super::Call;
use crate::effects::machine::Machine;
use crate::effects::value::{Text, Values};

/// `patch`: changes its operand, or what the patch names.
pub fn patch(machine: &mut Machine<'_>, call: &Call<'_>) -> Values {
    if call.args.has("dry-run") {
        return Values::new();
    }
    let outer = machine.state.folders.clone();
    if let Some(folder) = call.args.values("d directory").next() {
        machine.write(&folder.joined(&Text::literal("/")).joined(&Text::unknown()));
        machine.state.folders = machine.folders_of(folder);
    }
    for file in call
        .args
        .operands
        .first()
        .into_iter()
        .chain(call.args.values("o output"))
    {
        machine.write(file);
    }
    let patch = call
        .args
        .values("i input")
        .next()
        .or_else(|| call.args.operands.get(1));
    if call.args.operands.is_empty() || patch.is_some() {
        apply(machine, patch);
    }
    machine.state.folders = outer;
    Values::new()
}

/// Applies a patch from a file, or from standard input.
pub fn apply(machine: &mut Machine<'_>, file: Option<&Text>) {
    let named = file.filter(|file| file.as_literal() != Some("-")).cloned();
    named.iter().for_each(|file| machine.read(file));
    if let Some(file) = named.or_else(|| machine.input_file.clone()) {
        // What the line wrote into it is not on the disk yet.
        if let Some(patch) = machine.remembered_file(&file) {
            changed_files(&patch).for_each(|name| machine.write(&Text::literal(name)));
        }
        machine.patch(&file);
        return;
    }
    for text in machine
        .stdin
        .clone()
        .unwrap_or_else(|| vec![Text::unknown()])
    {
        match text.as_literal() {
            Some(text) => changed_files(text).for_each(|file| machine.write(&Text::literal(file))),
            None => machine.write(&Text::literal("./").joined(&Text::unknown())),
        }
    }
}

/// The files that a patch changes, each with and without its first component (`a/x` and `x`).
fn changed_files(patch: &str) -> impl Iterator<Item = &str> {
    const MARKS: [&str; 8] = [
        "+++ ",
        "--- ",
        "rename to ",
        "rename from ",
        "*** Update File: ",
        "*** Add File: ",
        "*** Delete File: ",
        "*** ",
    ];
    let named = patch
        .lines()
        .filter_map(|line| MARKS.iter().find_map(|mark| line.strip_prefix(mark)));
    named.flat_map(|name| {
        let name = name.split('\t').next().unwrap_or(name).trim();
        [Some(name), name.split_once('/').map(|(_, rest)| rest)]
            .into_iter()
            .flatten()
    })
}

/// `apply_patch`: its operand is the patch, or standard input has it.
pub fn apply_patch(machine: &mut Machine<'_>, call: &Call<'_>) -> Values {
    match call.args.operands.first().and_then(Text::as_literal) {
        Some(patch) => changed_files(patch).for_each(|file| machine.write(&Text::literal(file))),
        None => apply(machine, None),
    }
    Values::new()
}
