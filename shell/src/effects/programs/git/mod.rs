//! `git`: what its subcommands do to the working tree. Those that replace the tree by another commit's as a whole
//! (`switch`, `merge`, `pull`, `rebase`) name no file and are not listed.

mod changes;
mod reads;

use super::Call;
use super::options::handed;
use crate::effects::args::Args;
use crate::effects::builtins::joined;
use crate::effects::machine::Machine;
use crate::effects::value::{Text, Values};
use crate::words::lists;
use changes::{change_below, checkout, clone, patch, plain_pathspec, stash, with_listed};
use reads::{changed_names, hash, names_below, read, take_in};

/// `git [options] subcommand …`
pub fn git(machine: &mut Machine<'_>, call: &Call<'_>) -> Values {
    let outer = machine.state.folders.clone();
    let mut tree = machine.state.variable("GIT_WORK_TREE").cloned();
    let mut words = call.words;
    while let Some(word) = words.first().filter(|word| word.prefix().starts_with('-')) {
        let (option, value, length) = global_option(word, words.get(1));
        match (option, value) {
            ("-C", Some(folder)) => machine.state.folders = machine.folders_of(&folder),
            ("--work-tree", Some(folder)) => tree = Some(vec![folder]),
            ("-c", Some(setting)) => {
                let key = setting.prefix().split('=').next().unwrap_or("").to_owned();
                let value = setting.without_prefix(key.len() + 1);
                configure(machine, &key, &value);
            }
            _ => {}
        }
        words = &words[length.min(words.len())..];
    }
    if let Some(folders) = tree {
        let folders = folders.iter().flat_map(|folder| machine.folders_of(folder));
        // Paths count from the folder that it runs in, and what `.` of the tree means from the tree.
        let folders: Values = folders.collect();
        machine.state.folders.extend(folders);
    }
    let output = match words.split_first() {
        Some((subcommand, rest)) => run(machine, subcommand.as_literal().unwrap_or(""), rest),
        None => Values::new(),
    };
    machine.state.folders = outer;
    output
}

/// An option before the subcommand: its name, its value, and how many words they are.
fn global_option<'w>(word: &'w Text, next: Option<&Text>) -> (&'w str, Option<Text>, usize) {
    const TAKE: &str =
        "-C -c --git-dir --work-tree --namespace --exec-path --super-prefix --config-env";
    let text = word.prefix();
    match text.split_once('=') {
        Some((option, _)) => (option, Some(word.without_prefix(option.len() + 1)), 1),
        None if lists(TAKE, text) => (text, next.cloned(), 2),
        None => (text, None, 1),
    }
}

/// A setting may be a line of the shell, as a pager, an editor or an alias is.
fn configure(machine: &mut Machine<'_>, key: &str, value: &Text) {
    if key.eq_ignore_ascii_case("include.path") {
        machine.read(value);
    } else if key.starts_with("alias.") && !value.prefix().starts_with('!') {
        machine.line_of_option(&Text::literal("git ").joined(value));
    } else if !key.starts_with("user.") {
        machine.line_of_option(value);
    }
}

fn run(machine: &mut Machine<'_>, subcommand: &str, words: &[Text]) -> Values {
    let plain = || Args::parse(words, "", "pathspec-from-file");
    handed(machine, &format!("git-{subcommand}"), words);
    match subcommand {
        "add" | "stage" | "update-index" => take_in(machine, words),
        "config" => {
            let args = Args::parse(words, "f", "file type default");
            let operands = &args.operands;
            let reads = |word: &Text| matches!(word.prefix(), "get" | "list");
            if operands.len() > 1 && !reads(&operands[0]) {
                args.values("f file").for_each(|file| machine.write(file));
            }
            let operands = operands
                .strip_prefix(&[Text::literal("set")])
                .unwrap_or(operands);
            if let [key, value, ..] = operands {
                configure(machine, key.prefix(), value);
            }
        }
        "bisect" if words.first().is_some_and(|word| word.prefix() == "run") => {
            return machine.inside("git", &words[1..]);
        }
        "checkout" => checkout(machine, words),
        "restore" => {
            let args = Args::parse(words, "s", "source pathspec-from-file");
            // `--staged` alone changes the index and no file.
            if !args.has("S staged") || args.has("W worktree") {
                let paths = with_listed(machine, &args.operands, words);
                change_below(machine, &paths);
            }
        }
        "clean" => {
            let args = Args::parse(words, "e", "exclude");
            if !args.has("n dry-run") {
                // What it removes no other commit brings back.
                machine.program = "git clean".to_owned();
                change_below(machine, &args.operands);
            }
        }
        "sparse-checkout"
            if plain()
                .operands
                .first()
                .is_some_and(|word| word.prefix() == "set") =>
        {
            machine.program = "rm".to_owned();
            change_below(machine, &[]);
        }
        "stash" => stash(machine, words),
        "reset" if plain().has("hard merge keep") => change_below(machine, &[]),
        "read-tree" if plain().has("prefix") => plain()
            .values("prefix")
            .for_each(|path| machine.write_below(path)),
        "read-tree" if plain().has("u") => change_below(machine, &[]),
        "merge-file" => {
            let args = Args::parse(words, "L", "marker-size");
            args.operands.iter().for_each(|path| machine.read(path));
            if !args.has("p stdout") {
                let changed = args.operands.first();
                changed.into_iter().for_each(|path| machine.write(path));
            }
        }
        "checkout-index" => change_below(machine, &plain().operands),
        "apply" | "am" => patch(machine, words),
        "rm" | "mv" if plain().has("n dry-run") => {}
        "rm" if !plain().has("cached") => {
            let args = plain();
            machine.program = "rm".to_owned();
            for path in with_listed(machine, &args.operands, words) {
                super::files::change(machine, &plain_pathspec(&path), args.has("r"));
            }
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
        "submodule" if words.first().is_some_and(|word| word.prefix() == "foreach") => {
            let line = words[1..]
                .iter()
                .skip_while(|word| word.prefix().starts_with('-'));
            let line = joined(&line.cloned().collect::<Values>());
            machine.may_run(&line);
        }
        "submodule" => {
            if let [command, .., path] = &plain().operands[..]
                && matches!(command.prefix(), "add" | "update")
            {
                machine.write_below(path);
            }
        }
        "subtree" => {
            let args = Args::parse(words, "P", "prefix");
            args.values("P prefix")
                .for_each(|path| machine.write_below(path));
        }
        "diff" | "log" | "show" | "whatchanged" | "diff-tree" | "ls-tree"
            if plain().has("name-only name-status") =>
        {
            return changed_names(&plain());
        }
        "rev-parse" if plain().has("show-toplevel show-cdup") => {
            // Mostly where the agent works; in a folder below, names count as they do here.
            return vec![Text::literal(".")];
        }
        "clone" => clone(machine, words),
        // It makes the folder and what is in `.git`.
        "init" => plain()
            .operands
            .iter()
            .for_each(|folder| machine.write(&folder.joined(&Text::literal("/.git")))),
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
            for program in args.values("O open-files-in-pager") {
                machine.may_run(&format!("{} ./**", program.render()));
            }
            let folders: Values = files.cloned().collect();
            folders
                .iter()
                .for_each(|path| machine.read_below(path, true));
            if args.has("l files-with-matches name-only L files-without-match") {
                return names_below(&folders);
            }
        }
        "hash-object" => hash(machine, &plain()),
        "bundle" => {
            if let [command, file, ..] = &plain().operands[..]
                && command.prefix() == "create"
            {
                machine.write(file);
            }
        }
        "archive" | "format-patch" => {
            let args = Args::parse(words, "o", "output output-directory prefix");
            // What is unpacked gets the prefix.
            args.values("o output output-directory prefix")
                .for_each(|path| machine.write(path));
        }
        "ls-files" => {
            return names_below(&plain().operands);
        }
        "interpret-trailers" if plain().has("in-place") => {
            plain().operands.iter().for_each(|file| machine.write(file))
        }
        "interpret-trailers" | "mailinfo" | "mailsplit" | "send-email" => {
            machine.unknown_arguments(words);
        }
        _ => {}
    }
    vec![Text::unknown()]
}
