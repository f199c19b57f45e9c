//! Programs with a pattern, a script or a filter before their files.

use super::Call;
use super::files::passed;
use crate::effects::machine::Machine;
use crate::effects::value::{Atom, Text, Values};

/// `grep`: the first operand is the pattern unless an option has it.
pub fn grep(machine: &mut Machine<'_>, call: &Call<'_>) -> Values {
    let recursive = call.args.has("r R recursive dereference-recursive")
        || call
            .args
            .values("d directories")
            .any(|what| what.prefix() == "recurse")
        || call.name == "zgrep" && call.args.has("r");
    let globs: Vec<Text> = call.args.values("include").map(Text::globbed).collect();
    search(machine, call, recursive, true, &globs)
}

/// Of names that a walk prints, those that a plain word picks: `git ls-files | grep eval_`.
fn picked(mut names: Values, call: &Call<'_>, has_pattern: bool) -> Values {
    let is_plain = |word: &&str| {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_-/".contains(&byte);
        !word.is_empty() && word.bytes().all(plain)
    };
    let given = call.args.operands.first().filter(|_| !has_pattern);
    let word = given.and_then(Text::as_literal).filter(is_plain);
    let Some(word) = word.filter(|_| !call.args.has("v invert-match")) else {
        return names;
    };
    let walks = |name: &&Text| matches!(name.atoms().last(), Some(Atom::Below { .. }));
    let some: Values = names
        .iter()
        .filter(walks)
        .map(|name| {
            let mut some = name.joined(&Text::literal("/"));
            some.push(Atom::Run);
            some.push_str(word);
            some.push(Atom::Run);
            some
        })
        .collect();
    names.extend(some);
    names
}

/// `rg` and its like: below by default, and past what is hidden.
pub fn ripgrep(machine: &mut Machine<'_>, call: &Call<'_>) -> Values {
    let unrestricted = call
        .args
        .options
        .iter()
        .filter(|(name, _)| name == "u" || name == "unrestricted")
        .count();
    let hidden = call.args.has("hidden . a") && call.name != "ack"
        || unrestricted >= 2
        || unrestricted == 1 && call.name == "ag"
        || call.name == "ugrep";
    let globs: Vec<Text> = call
        .args
        .values("g glob iglob")
        .filter(|glob| !glob.prefix().starts_with('!'))
        .map(Text::globbed)
        .collect();
    if call.args.has("files") {
        for folder in &call.args.operands {
            machine.list_below(folder);
        }
        return found(&call.args.operands, hidden, &globs);
    }
    // A glob that names what is hidden finds it.
    let hidden = hidden
        || globs
            .iter()
            .any(|glob| glob.prefix().starts_with('.') || glob.prefix().contains("/."));
    search(machine, call, true, hidden, &globs)
}

fn search(
    machine: &mut Machine<'_>,
    call: &Call<'_>,
    recursive: bool,
    hidden: bool,
    globs: &[Text],
) -> Values {
    for file in call.args.values("f file ignore-file exclude-from") {
        machine.read(file);
    }
    let has_pattern = call.args.has("e regexp f file");
    let files: Vec<Text> = call
        .args
        .operands
        .iter()
        .skip(usize::from(!has_pattern))
        .cloned()
        .collect();
    let reads_input = files.is_empty() && (machine.stdin.is_some() || !recursive);
    let files = if files.is_empty() && !reads_input {
        vec![Text::literal(".")]
    } else {
        files
    };
    for file in files.iter().filter(|file| file.as_literal() != Some("-")) {
        if !recursive {
            machine.read(file);
        } else if globs.is_empty() {
            machine.read_below(file, hidden);
        } else {
            machine.read(file);
            globs
                .iter()
                .for_each(|glob| machine.read(&below(file, hidden, glob)));
        }
    }
    if reads_input {
        return picked(passed(machine, true), call, has_pattern);
    }
    if call.args.has("l L files-with-matches files-without-match") {
        if recursive {
            return found(&files, hidden, globs);
        }
        return files;
    }
    vec![Text::unknown()]
}

/// The names of files below folders.
fn found(folders: &[Text], hidden: bool, globs: &[Text]) -> Values {
    let here = [Text::literal(".")];
    let folders = if folders.is_empty() {
        &here[..]
    } else {
        folders
    };
    let mut names = Values::new();
    for folder in folders {
        if globs.is_empty() {
            let mut all = folder.joined(&Text::literal("/"));
            all.push(Atom::Below { hidden });
            names.push(all);
        }
        names.extend(globs.iter().map(|glob| below(folder, hidden, glob)));
    }
    names
}

/// `folder/**/glob`
pub fn below(folder: &Text, hidden: bool, glob: &Text) -> Text {
    let mut path = folder.joined(&Text::literal("/"));
    path.push(Atom::Below { hidden });
    path.push_str("/");
    path.append(glob);
    path
}

/// `jq filter file …`
pub fn filter(machine: &mut Machine<'_>, call: &Call<'_>) -> Values {
    let mut files = Vec::new();
    let mut words = call.words.iter();
    let mut has_filter = call.args.has("f from-file");
    while let Some(word) = words.next() {
        match word.prefix() {
            "--arg" | "--argjson" => {
                words.nth(1);
            }
            "--slurpfile" | "--rawfile" | "--argfile" => {
                words.next();
                files.extend(words.next());
            }
            "-f" | "--from-file" => files.extend(words.next()),
            "-L" | "--indent" | "-p" | "-o" | "--input-format" | "--output-format" | "--xpath" => {
                words.next();
            }
            option if option.starts_with('-') && option.len() > 1 => {}
            // `yq eval filter file`
            "eval" | "e" | "eval-all" | "ea" if call.name == "yq" => {}
            _ if !has_filter && !matches!(call.name, "xmllint" | "htmlq") => has_filter = true,
            _ => files.push(word),
        }
    }
    // A file alone, without a filter: `yq x.yaml`.
    if files.is_empty()
        && let Some(only) = call
            .args
            .operands
            .last()
            .filter(|word| word.prefix().contains(['/', '.']))
        && (!only.prefix().starts_with('.') || only.contains(|c| c == '/'))
        && !only.contains(|c| c == ' ')
    {
        files.push(only);
    }
    let in_place = call
        .words
        .iter()
        .any(|word| matches!(word.prefix(), "-i" | "--inplace" | "--in-place"));
    for file in files {
        machine.read(file);
        if in_place {
            machine.write(file);
        }
    }
    super::filters::words(machine.stdin.as_deref().unwrap_or_default())
}
