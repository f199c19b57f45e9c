//! What `git` does to the working tree.

use crate::effects::args::Args;
use crate::effects::machine::Machine;
use crate::effects::programs::options;
use crate::effects::programs::patches::apply;
use crate::effects::value::{Text, Values};

/// The paths, and those that `--pathspec-from-file` lists where the line made that file.
pub fn with_listed(machine: &Machine<'_>, paths: &[Text], words: &[Text]) -> Values {
    let files = options::values(words, "--pathspec-from-file");
    let listed = files.flat_map(|file| machine.lines_in(&file));
    paths.iter().cloned().chain(listed).collect()
}

/// Changes everything below the paths, or below the folder where none is named.
pub fn change_below(machine: &mut Machine<'_>, paths: &[Text]) {
    let here = [Text::literal(".")];
    let paths = if paths.is_empty() { &here[..] } else { paths };
    paths
        .iter()
        .for_each(|path| machine.write_below(&plain_pathspec(path)));
}

/// `:/x`, `:(top)x` and `:!x` are forms of a path.
pub fn plain_pathspec(path: &Text) -> Text {
    let prefix = path.prefix();
    let length = match prefix.strip_prefix(':') {
        Some(rest) if rest.starts_with('(') => rest.find(')').map_or(0, |end| end + 2),
        Some(rest) => 1 + rest.len() - rest.trim_start_matches(['/', '!', '^']).len(),
        None => 0,
    };
    let path = path.without_prefix(length);
    if path.is_empty() {
        Text::literal(".")
    } else {
        path.globbed()
    }
}

pub fn checkout(machine: &mut Machine<'_>, words: &[Text]) {
    let args = Args::parse(words, "bB", "orphan conflict pathspec-from-file");
    if args.has("b B orphan detach d") {
        return;
    }
    let paths = match args.after_dashes {
        Some(first) => &args.operands[first.min(args.operands.len())..],
        // A revision may come first; one word alone may be a branch or a path.
        None => &args.operands[..],
    };
    for path in with_listed(machine, paths, words) {
        if path.as_literal() != Some("-") {
            machine.write_below(&plain_pathspec(&path));
        }
    }
}

pub fn stash(machine: &mut Machine<'_>, words: &[Text]) {
    let args = Args::parse(words, "m", "message pathspec-from-file");
    let (command, paths) = match args.operands.split_first() {
        Some((command, paths)) if args.after_dashes != Some(0) => (command.prefix(), paths),
        _ => ("push", &args.operands[..]),
    };
    match command {
        "push" => {
            let paths = with_listed(machine, paths, words);
            change_below(machine, &paths);
        }
        "save" | "pop" | "apply" | "branch" => change_below(machine, &[]),
        _ => {}
    }
}

pub fn patch(machine: &mut Machine<'_>, words: &[Text]) {
    let args = Args::parse(words, "pC", "directory exclude include whitespace");
    if args.has("check stat numstat summary cached abort continue skip quit") {
        return;
    }
    for folder in args.values("directory") {
        machine.write(&folder.joined(&Text::literal("/")).joined(&Text::unknown()));
    }
    if args.operands.is_empty() {
        return apply(machine, None);
    }
    args.operands
        .iter()
        .for_each(|file| apply(machine, Some(file)));
}

pub fn clone(machine: &mut Machine<'_>, words: &[Text]) {
    let args = Args::parse(
        words,
        "bocjuC",
        "branch depth origin config jobs reference filter template",
    );
    match &args.operands[..] {
        [_, folder] => machine.write_below(folder),
        [url] => {
            let name = url
                .prefix()
                .trim_end_matches('/')
                .rsplit(['/', ':'])
                .next()
                .unwrap_or("");
            machine.write_below(&Text::literal(name.trim_end_matches(".git")));
        }
        _ => {}
    }
}
