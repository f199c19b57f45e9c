//! `git`: what its subcommands do to the working tree. Those that replace the tree by another commit's as a whole
//! (`switch`, `merge`, `pull`, `rebase`) name no file and are not listed.

use super::Call;
use super::transfer::apply;
use crate::effects::args::Args;
use crate::effects::machine::Machine;
use crate::effects::value::{Atom, Text, Values};

/// `git [options] subcommand …`
pub fn git(machine: &mut Machine<'_>, call: &Call<'_>) -> Values {
    let outer = machine.state.folders.clone();
    let mut words = call.words;
    while let Some(option) = words
        .first()
        .map(Text::prefix)
        .filter(|word| word.starts_with('-'))
    {
        let takes = matches!(
            option,
            "-C" | "-c" | "--git-dir" | "--work-tree" | "--namespace" | "--exec-path"
        );
        if let ("-C" | "--work-tree", Some(folder)) = (option, words.get(1)) {
            machine.state.folders = machine.folders_of(folder);
        }
        words = &words[(1 + usize::from(takes)).min(words.len())..];
    }
    let output = match words.split_first() {
        Some((subcommand, rest)) => run(machine, subcommand.as_literal().unwrap_or(""), rest),
        None => Values::new(),
    };
    machine.state.folders = outer;
    output
}

fn run(machine: &mut Machine<'_>, subcommand: &str, words: &[Text]) -> Values {
    let plain = || Args::parse(words, "", "");
    match subcommand {
        "checkout" => checkout(machine, words),
        "restore" => {
            let args = Args::parse(words, "s", "source pathspec-from-file");
            // `--staged` alone changes the index and no file.
            if !args.has("S staged") || args.has("W worktree") {
                change_below(machine, &args.operands);
            }
        }
        "clean" => {
            let args = Args::parse(words, "e", "exclude");
            if !args.has("n dry-run") {
                change_below(machine, &args.operands);
            }
        }
        "stash" => stash(machine, words),
        "reset" if plain().has("hard merge keep") => change_below(machine, &[]),
        "checkout-index" => change_below(machine, &plain().operands),
        "apply" | "am" => patch(machine, words),
        "rm" if !plain().has("cached") => {
            let args = plain();
            args.operands.iter().for_each(|path| {
                super::files::change(machine, &plain_pathspec(path), args.has("r"));
            });
        }
        "mv" => plain()
            .operands
            .iter()
            .for_each(|path| machine.write_below(path)),
        "worktree" => {
            if let [command, path, ..] = &plain().operands[..]
                && matches!(command.prefix(), "add" | "remove" | "move")
            {
                machine.write_below(path);
            }
        }
        "submodule" => {
            if let [command, _, path] = &plain().operands[..]
                && command.prefix() == "add"
            {
                machine.write_below(path);
            }
        }
        "subtree" => {
            let args = Args::parse(words, "P", "prefix");
            args.values("P prefix")
                .for_each(|path| machine.write_below(path));
        }
        "diff" if plain().has("name-only name-status") => {
            let args = plain();
            let paths = &args.operands[args.after_dashes.unwrap_or(0).min(args.operands.len())..];
            let paths: Vec<Text> = paths
                .iter()
                .filter(|path| {
                    args.after_dashes.is_some()
                        || path.contains(|c| c == '/')
                        || !path.contains(|c| matches!(c, '.' | '~' | '^'))
                })
                .cloned()
                .collect();
            let mut names = names_below(&[]);
            names.extend(
                paths
                    .iter()
                    .flat_map(|path| names_below(std::slice::from_ref(path))),
            );
            return names;
        }
        "clone" => clone(machine, words),
        "show" | "diff" | "log" | "blame" | "annotate" | "whatchanged" | "cat-file"
        | "difftool" => {
            read(machine, subcommand, words);
        }
        "grep" => {
            let args = Args::parse(words, "efABCmO", "max-depth max-count threads");
            let mut files = args
                .operands
                .iter()
                .skip(usize::from(!args.has("e f")))
                .peekable();
            if files.peek().is_none() {
                machine.read_below(&Text::literal("."), true);
            }
            files.for_each(|path| machine.read_below(path, true));
        }
        "commit" | "tag" | "notes" | "merge" => {
            let args = Args::parse(
                words,
                "mFCcSut",
                "message file reuse-message author date template",
            );
            args.values("F file")
                .filter(|file| file.as_literal() != Some("-"))
                .for_each(|file| machine.read(file));
        }
        "hash-object" => plain().operands.iter().for_each(|path| machine.read(path)),
        "archive" | "format-patch" | "bundle" => {
            let args = Args::parse(words, "o", "output output-directory");
            args.values("o output output-directory")
                .for_each(|path| machine.write(path));
        }
        "ls-files" => {
            return names_below(&plain().operands);
        }
        _ => {}
    }
    vec![Text::unknown()]
}

/// The names of files below the paths, or below the folder where none is named.
fn names_below(paths: &[Text]) -> Values {
    let here = [Text::literal(".")];
    let paths = if paths.is_empty() { &here[..] } else { paths };
    let below = |path: &Text| {
        let mut below = path.joined(&Text::literal("/"));
        below.push(Atom::Below { hidden: true });
        below
    };
    paths.iter().map(below).collect()
}

/// Changes everything below the paths, or below the folder where none is named.
fn change_below(machine: &mut Machine<'_>, paths: &[Text]) {
    let here = [Text::literal(".")];
    let paths = if paths.is_empty() { &here[..] } else { paths };
    paths
        .iter()
        .for_each(|path| machine.write_below(&plain_pathspec(path)));
}

/// `:/x`, `:(top)x` and `:!x` are forms of a path.
fn plain_pathspec(path: &Text) -> Text {
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

fn checkout(machine: &mut Machine<'_>, words: &[Text]) {
    let args = Args::parse(words, "bB", "orphan conflict pathspec-from-file");
    if args.has("b B orphan detach d") {
        return;
    }
    let paths = match args.after_dashes {
        Some(first) => &args.operands[first.min(args.operands.len())..],
        // A revision may come first; one word alone may be a branch or a path.
        None => &args.operands[..],
    };
    for path in paths.iter().filter(|path| path.as_literal() != Some("-")) {
        machine.write_below(&plain_pathspec(path));
    }
}

fn stash(machine: &mut Machine<'_>, words: &[Text]) {
    let args = Args::parse(words, "m", "message pathspec-from-file");
    let (command, paths) = match args.operands.split_first() {
        Some((command, paths)) if args.after_dashes != Some(0) => (command.prefix(), paths),
        _ => ("push", &args.operands[..]),
    };
    match command {
        "push" => change_below(machine, paths),
        "save" | "pop" | "apply" | "branch" => change_below(machine, &[]),
        _ => {}
    }
}

fn patch(machine: &mut Machine<'_>, words: &[Text]) {
    let args = Args::parse(words, "pC", "directory exclude include whitespace");
    if args.has("check stat numstat summary cached abort continue skip quit") {
        return;
    }
    if args.operands.is_empty() {
        return apply(machine, None);
    }
    args.operands
        .iter()
        .for_each(|file| apply(machine, Some(file)));
}

fn clone(machine: &mut Machine<'_>, words: &[Text]) {
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

/// The operands may be revisions; read as paths they do no harm. `REV:path` is a path.
fn read(machine: &mut Machine<'_>, subcommand: &str, words: &[Text]) {
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
