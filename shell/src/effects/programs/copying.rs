//! Programs that copy, move and link.

use super::Call;
use super::files::{change, passed};
use super::search::left_out;
use crate::effects::machine::Machine;
use crate::effects::value::{Atom, Text, Values};
use crate::words::lists;

/// The sources and the target of `cp a b target` and `cp -t target a b`.
fn sources_and_target<'c>(call: &'c Call<'_>) -> (&'c [Text], Option<&'c Text>) {
    if let Some(target) = call.args.values("t target target-directory").next() {
        return (&call.args.operands, Some(target));
    }
    match call.args.operands.split_last() {
        Some((target, sources)) => (sources, Some(target)),
        None => (&[], None),
    }
}

/// The target is written; where it is a folder, what the sources are called inside it.
pub fn write_target(machine: &mut Machine<'_>, sources: &[Text], target: &Text, recursive: bool) {
    change(machine, target, recursive);
    for source in sources {
        let Some(name) = name_of(source) else {
            continue;
        };
        let target_is_file = name_of(target).is_some_and(|name| is_file(&name));
        if sources.len() > 1 || is_folder(target) || (is_file(&name) && !target_is_file) {
            let inside = target.joined(&Text::literal("/")).joined(&untold(&name));
            change(machine, &inside, recursive);
        }
    }
}

/// The last component of a path; none for `.`, `..` and for `x/`, which stands for what is in it.
fn name_of(path: &Text) -> Option<Text> {
    let name = path.split(|c| c == '/').pop()?;
    (!name.is_empty() && !matches!(name.as_literal(), Some("." | ".."))).then_some(name)
}

/// A name that came from a glob: which one it is, the line does not tell.
fn untold(name: &Text) -> Text {
    let mut untold = Text::default();
    for atom in name.atoms() {
        match atom {
            Atom::Text(text) => untold.push_str(text),
            _ => untold.push(Atom::Unknown),
        }
    }
    untold
}

/// Whether a path is written as that of a folder.
fn is_folder(path: &Text) -> bool {
    name_of(path).is_none()
}

/// Whether a name has an extension, or may have one.
fn is_file(name: &Text) -> bool {
    name.as_literal()
        .is_none_or(|name| name.trim_start_matches('.').contains('.'))
}

/// `cp` and `install`
pub fn copy(machine: &mut Machine<'_>, call: &Call<'_>) -> Values {
    if call.name.ends_with("install") && call.args.has("d directory") {
        return super::files::writes(machine, call);
    }
    let recursive = call.args.has("r R a recursive archive");
    let (sources, target) = sources_and_target(call);
    for source in sources {
        if recursive {
            machine.read_below(source, true);
        } else {
            machine.read(source);
        }
    }
    if let Some(target) = target {
        write_target(machine, sources, target, false);
        sources.iter().for_each(|source| {
            let made = machine.lines_in(source);
            if !made.is_empty() {
                machine.remember_file(target, &made);
            }
            call_alike(machine, source, target);
        });
    }
    // `cp -l` and `cp -s` make links.
    if call.name.ends_with("cp") && call.args.has("l s link symbolic-link") {
        return link(machine, call);
    }
    Values::new()
}

/// `mv`: what is moved is changed, with all that is in it.
pub fn rename(machine: &mut Machine<'_>, call: &Call<'_>) -> Values {
    if call.name == "rename" {
        // `rename from to file …` and `rename s/a/b/ file …`
        return super::files::writes(machine, call);
    }
    let (sources, target) = sources_and_target(call);
    for source in sources {
        machine.write_below(source);
    }
    if let Some(target) = target {
        write_target(machine, sources, target, false);
        for source in sources {
            remember_link(machine, source, target);
            call_alike(machine, source, target);
        }
    }
    Values::new()
}

/// `ln`: a name for another path; what is later done to the name is done to the path.
pub fn link(machine: &mut Machine<'_>, call: &Call<'_>) -> Values {
    let here = Text::literal(".");
    let (sources, target) = match (
        &call.args.operands[..],
        call.args.has("t target target-directory"),
    ) {
        ([only], false) => (std::slice::from_ref(only), Some(&here)),
        _ => sources_and_target(call),
    };
    let Some(target) = target else {
        return Values::new();
    };
    write_target(machine, sources, target, false);
    for source in sources {
        if !call.args.has("s symbolic") {
            machine.read(source);
        }
        remember_link(machine, source, target);
        call_alike(machine, source, target);
    }
    Values::new()
}

/// A program under another name is still that program.
fn call_alike(machine: &mut Machine<'_>, source: &Text, target: &Text) {
    let is_program = |path: &&str| path.contains("bin/") || crate::effects::programs::knows(path);
    let program = source.as_literal().filter(is_program);
    let name = name_of(target).filter(|_| program.is_some());
    if let Some(name) = name.as_ref().and_then(Text::as_literal) {
        machine.state.define_alias(name, source.clone());
    }
}

fn remember_link(machine: &mut Machine<'_>, source: &Text, target: &Text) {
    let sources = machine.paths(source);
    let name = name_of(source).unwrap_or_default();
    let inside = target.joined(&Text::literal("/")).joined(&name);
    for link in [target, &inside] {
        for (link, source) in machine.paths(link).iter().zip(&sources) {
            let Some(link) = link.literal() else {
                continue;
            };
            let link = (link.to_string_lossy().into_owned(), source.to_text());
            // Every path is held against every link.
            if machine.work(machine.links.len()) && !machine.links.contains(&link) {
                machine.links.push(link);
            }
        }
    }
}

/// `rsync` and `scp`: a path on this machine has no colon before its first slash.
pub fn sync(machine: &mut Machine<'_>, call: &Call<'_>) -> Values {
    let recursive = call.args.has("r R a recursive archive");
    let moves = call.args.has("remove-source-files");
    transfer(machine, call, &call.args.operands, recursive, moves);
    Values::new()
}

/// `aws s3 cp`, `gsutil rsync`, `rclone copy`: what follows the verb is as for `rsync`.
pub fn cloud(machine: &mut Machine<'_>, call: &Call<'_>) -> Values {
    const COPIES: &str = "cp sync rsync copy copyto get put";
    const MOVES: &str = "mv move moveto";
    let operands = &call.args.operands;
    let is_verb = |word: &Text| lists(COPIES, word.prefix()) || lists(MOVES, word.prefix());
    match operands.iter().position(is_verb) {
        Some(at) if operands.len() > at + 2 => {
            let moves = lists(MOVES, operands[at].prefix());
            transfer(machine, call, &operands[at + 1..], true, moves);
        }
        _ => {
            operands.iter().for_each(|word| machine.named(word));
            if let [verb, folders @ ..] = &operands[..]
                && verb.prefix() == "cat"
            {
                folders
                    .iter()
                    .for_each(|folder| machine.read_below(folder, true));
            }
        }
    }
    vec![Text::unknown()]
}

/// From all paths but the last to that.
fn transfer(
    machine: &mut Machine<'_>,
    call: &Call<'_>,
    paths: &[Text],
    recursive: bool,
    moves: bool,
) {
    let Some((target, sources)) = paths.split_last() else {
        return;
    };
    let is_local = |path: &&Text| {
        let prefix = path.prefix();
        prefix
            .find(':')
            .is_none_or(|colon| prefix[..colon].contains('/') || colon == 1)
    };
    for source in sources.iter().filter(is_local) {
        if recursive {
            // What is included before takes back what is excluded.
            let chooses = call.args.has("include f filter include-from");
            let excluded = call.args.values("exclude").filter(|_| !chooses);
            let left_out = left_out(source, excluded, true, Text::globbed);
            machine.read_walk(source, true, &left_out);
        } else {
            machine.read(source);
        }
    }
    for list in call.args.values("files-from exclude-from include-from i") {
        machine.read(list);
    }
    for log in call.args.values("log-file") {
        machine.write(log);
    }
    if moves {
        sources
            .iter()
            .filter(is_local)
            .for_each(|source| machine.write_below(source));
    }
    let only_shows = call.args.has("n dry-run list-only");
    if is_local(&target) && !only_shows {
        let replaces = call
            .args
            .options
            .iter()
            .any(|(name, _)| name.starts_with("delete"));
        write_target(machine, sources, target, replaces);
    }
}

/// Converters: they read all operands but the last, which they write.
pub fn convert(machine: &mut Machine<'_>, call: &Call<'_>) -> Values {
    let inputs = call.args.values("i");
    let (sources, target) = sources_and_target(call);
    inputs
        .chain(sources)
        .for_each(|source| machine.named(source));
    target.into_iter().for_each(|target| machine.write(target));
    vec![Text::unknown()]
}

/// `dd if=… of=…`
pub fn dd(machine: &mut Machine<'_>, call: &Call<'_>) -> Values {
    let mut passes = true;
    for word in call.words {
        let prefix = word.prefix();
        // What it changes on the way is not known.
        passes &= !prefix.starts_with("if=") && !prefix.starts_with("conv=");
        if prefix.starts_with("if=") {
            machine.read(&word.without_prefix(3));
        } else if prefix.starts_with("of=") {
            let file = word.without_prefix(3);
            machine.write(&file);
            if passes {
                let input = passed(machine, true);
                machine.remember_file(&file, &input);
            }
        }
    }
    passed(machine, passes)
}
