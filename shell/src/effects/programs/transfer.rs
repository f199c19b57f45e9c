//! What comes from elsewhere: downloads and patches.

use super::Call;
use crate::effects::machine::Machine;
use crate::effects::value::{Text, Values};

/// `curl`
pub fn curl(machine: &mut Machine<'_>, call: &Call<'_>) -> Values {
    let folder = call.args.values("output-dir").next().cloned();
    let inside = |file: &Text| match &folder {
        Some(folder) => folder.joined(&Text::literal("/")).joined(file),
        None => file.clone(),
    };
    for file in call
        .args
        .values("o output D dump-header c cookie-jar trace trace-ascii stderr")
    {
        machine.write(&inside(file));
    }
    if call.args.has("O remote-name remote-name-all J") {
        for url in &call.args.operands {
            machine.write(&inside(&name_in_url(url)));
        }
    }
    for file in call
        .args
        .values("T upload-file K config netrc-file cacert cert key")
    {
        machine.read(file);
    }
    let bodies = call
        .args
        .values("d data data-binary data-urlencode data-ascii json F form b cookie");
    for body in bodies {
        let prefix = body.prefix();
        if let Some(at) = prefix
            .find(['@', '<'])
            .filter(|at| *at == 0 || prefix[..*at].ends_with('='))
        {
            let file = body.without_prefix(at + 1);
            let file = file
                .split(|c| c == ';')
                .into_iter()
                .next()
                .unwrap_or_default();
            machine.read(&file);
        }
    }
    for url in call.args.operands.iter().chain(call.args.values("url")) {
        if url
            .prefix()
            .get(..5)
            .is_some_and(|scheme| scheme.eq_ignore_ascii_case("file:"))
        {
            machine.read(url);
        }
    }
    vec![Text::unknown()]
}

/// `wget` and other download programs
pub fn wget(machine: &mut Machine<'_>, call: &Call<'_>) -> Values {
    for file in call
        .args
        .values("O output-document o output-file a append-output out")
    {
        if file.as_literal() != Some("-") {
            machine.write(file);
        }
    }
    for file in call.args.values("i input-file post-file load-cookies") {
        machine.read(file);
    }
    if !call.args.has("O output-document spider out") {
        let folder = call
            .args
            .values("P directory-prefix d dir")
            .next()
            .cloned()
            .unwrap_or_else(|| Text::literal("."));
        for url in &call.args.operands {
            machine.write(&folder.joined(&Text::literal("/")).joined(&name_in_url(url)));
        }
    }
    vec![Text::unknown()]
}

/// The name under which a download is saved: the last component, without the query.
fn name_in_url(url: &Text) -> Text {
    let Some(url) = url.as_literal() else {
        return Text::run();
    };
    let path = url.split(['?', '#']).next().unwrap_or(url);
    match path.rsplit('/').next() {
        Some(name) if !name.is_empty() => Text::literal(name),
        _ => Text::run(),
    }
}

/// `patch`: changes its operand, or what the patch names.
pub fn patch(machine: &mut Machine<'_>, call: &Call<'_>) -> Values {
    if call.args.has("dry-run") {
        return Values::new();
    }
    let outer = machine.state.folders.clone();
    if let Some(folder) = call.args.values("d directory").next() {
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
    if let Some(file) = file.filter(|file| file.as_literal() != Some("-")) {
        machine.patch(file);
        return;
    }
    if let Some(file) = machine.input_file.clone() {
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
