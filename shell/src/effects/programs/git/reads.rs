//! What `git` reads and names.

use super::changes::{plain_pathspec, with_listed};
use crate::effects::args::Args;
use crate::effects::machine::Machine;
use crate::effects::value::{Atom, Text, Values};

/// The names of files that the paths are or that lie below them, or below the folder where none is named.
pub fn names_below(paths: &[Text]) -> Values {
    let here = [Text::literal(".")];
    let paths = if paths.is_empty() { &here[..] } else { paths };
    let below = |path: &Text| {
        let mut below = path.joined(&Text::literal("/"));
        below.push(Atom::Below { hidden: true });
        below
    };
    let names = paths.iter().map(plain_pathspec);
    let (all_of_a_kind, named): (Values, Values) = names.partition(is_extension);
    let all = all_of_a_kind.first().map(|_| below(&here[0]));
    named
        .into_iter()
        .flat_map(|path| {
            let is_file = path != here[0];
            [Some(below(&path)), is_file.then_some(path)]
        })
        .flatten()
        .flat_map(|path| [at_any_depth(&path), Some(path)])
        .flatten()
        .chain(all)
        .collect()
}

/// `*.py`: the whole tree, and no file that it names.
fn is_extension(path: &Text) -> bool {
    matches!(path.atoms(), [Atom::Run, Atom::Text(text)] if text.starts_with('.'))
}

/// A `*` that begins a pathspec takes folders too.
fn at_any_depth(path: &Text) -> Option<Text> {
    (path.atoms().first() == Some(&Atom::Run)).then(|| {
        let mut deep = Text::below();
        deep.push_str("/");
        deep.joined(path)
    })
}

/// The names that `git diff --name-only` prints.
pub fn changed_names(args: &Args) -> Values {
    let paths = &args.operands[args.after_dashes.unwrap_or(0).min(args.operands.len())..];
    let is_path = |path: &&Text| {
        args.after_dashes.is_some()
            || path.contains(|c| c == '/')
            || !path.contains(|c| matches!(c, '.' | '~' | '^'))
    };
    let paths: Values = paths.iter().filter(is_path).cloned().collect();
    let mut names = names_below(&paths);
    if args.after_dashes.is_none() && !paths.is_empty() {
        // They may be revisions.
        names.extend(names_below(&[]));
    }
    names
}

/// What `git add` and its like take into the repository, from which it can be printed.
pub fn take_in(machine: &mut Machine<'_>, words: &[Text]) {
    let args = Args::parse(words, "", "chmod pathspec-from-file");
    // `-u` takes only what the repository has.
    if args.has("n dry-run u update") {
        return;
    }
    let mut paths = with_listed(machine, &args.operands, words);
    if paths.is_empty() && args.has("A all") {
        paths.push(Text::literal("."));
    }
    for path in &paths {
        machine.read_below(&plain_pathspec(path), true);
    }
}

/// `git hash-object`: reads files, also those that standard input names.
pub fn hash(machine: &mut Machine<'_>, args: &Args) {
    let mut files = args.operands.clone();
    if args.has("stdin-paths") {
        files.extend(machine.lines_in(&Text::literal("-")));
    }
    files.iter().for_each(|file| machine.read(file));
}

/// The operands may be revisions; read as paths they do no harm. `REV:path` is a path.
pub fn read(machine: &mut Machine<'_>, subcommand: &str, words: &[Text]) {
    let args = Args::parse(
        words,
        "nGSLUOil",
        "format pretty since until after before author grep max-count output unified",
    );
    args.values("output").for_each(|file| machine.write(file));
    let contents = subcommand != "log" || args.has("p patch u L");
    for word in args.operands.iter().filter(|_| contents) {
        let path = match word.prefix().split_once(':') {
            Some((revision, _)) if !word.prefix().starts_with(':') => {
                word.without_prefix(revision.len() + 1)
            }
            _ => plain_pathspec(word),
        };
        if args.has("no-index") {
            machine.read_below(&path, true);
        } else {
            machine.read(&path);
        }
    }
}
