//! Programs with a pattern, a script or a filter before their files.

use super::Call;
use super::files::passed;
use crate::effects::machine::Machine;
use crate::effects::value::{Atom, LeftOut, Text, Values};
use std::rc::Rc;

/// `grep`: the first operand is the pattern unless an option has it.
pub fn grep(machine: &mut Machine<'_>, call: &Call<'_>) -> Values {
    // `recurse` may be cut, as may be the name of its option.
    let is_recurse = |what: &Text| what.prefix().starts_with("rec");
    let recursive = call.args.has("r R recursive dereference-recursive")
        || call.args.values("d directories").any(is_recurse)
        || call.name == "rgrep";
    let globs: Vec<Text> = call.args.values("include").map(Text::globbed).collect();
    let excluded: Values = call.args.values("exclude-dir").cloned().collect();
    let walk = Walk {
        recursive,
        hidden: true,
        excluded: &excluded,
    };
    search(machine, call, &walk, &globs)
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
    // `ag -g pattern` prints the names that match.
    if let ("ag" | "ack", Some(pattern)) = (call.name, call.args.values("g").next()) {
        let walk = Walk {
            recursive: true,
            hidden,
            excluded: &[],
        };
        let name = super::find::around(pattern.prefix());
        return found(&call.args.operands, &walk, &[name]);
    }
    let globs: Vec<Text> = call
        .args
        .values("g glob iglob")
        .filter(|glob| !glob.prefix().starts_with('!'))
        .map(Text::globbed)
        .collect();
    // A later glob takes back what an earlier one leaves out.
    let mut excluded: Values = call
        .args
        .values("ignore ignore-dir exclude-dir")
        .cloned()
        .collect();
    for glob in call.args.values("g glob iglob") {
        match glob.prefix().strip_prefix('!') {
            Some(_) => excluded.push(glob.without_prefix(1)),
            None => excluded.clear(),
        }
    }
    if call.args.has("files") {
        for folder in &call.args.operands {
            machine.list_below(folder);
        }
        let walk = Walk {
            recursive: true,
            hidden,
            excluded: &excluded,
        };
        return found(&call.args.operands, &walk, &globs);
    }
    // A glob that names what is hidden finds it.
    let hidden = hidden
        || globs
            .iter()
            .any(|glob| glob.prefix().starts_with('.') || glob.prefix().contains("/."));
    let walk = Walk {
        recursive: true,
        hidden,
        excluded: &excluded,
    };
    search(machine, call, &walk, &globs)
}

/// How a search goes through folders.
struct Walk<'w> {
    /// Whether it does.
    recursive: bool,
    /// Whether it goes into hidden ones.
    hidden: bool,
    /// Patterns of what it leaves out.
    excluded: &'w [Text],
}

impl Walk<'_> {
    fn left_out(&self, root: &Text) -> LeftOut {
        left_out(
            root,
            self.excluded.iter(),
            root.prefix() == ".",
            Text::globbed,
        )
    }
}

fn search(machine: &mut Machine<'_>, call: &Call<'_>, walk: &Walk<'_>, globs: &[Text]) -> Values {
    let recursive = walk.recursive;
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
            machine.read_walk(file, walk.hidden, &walk.left_out(file));
        } else {
            machine.read(file);
            let found = found(std::slice::from_ref(file), walk, globs);
            found.iter().for_each(|path| machine.read(path));
        }
    }
    if reads_input {
        return picked(passed(machine, true), call, has_pattern);
    }
    if call.args.has("l L files-with-matches files-without-match") {
        if recursive {
            return found(&files, walk, globs);
        }
        return files;
    }
    vec![Text::unknown()]
}

/// What is found in a walk from `root` that leaves out some.
pub fn walk(root: &Text, hidden: bool, left_out: &LeftOut) -> Text {
    let mut path = walk_root(root, left_out);
    path.push(Atom::Below { hidden });
    path
}

/// `root/`, with what a walk from there leaves out.
pub fn walk_root(root: &Text, left_out: &LeftOut) -> Text {
    let mut path = root.joined(&Text::literal("/"));
    if *left_out != LeftOut::default() {
        path.push(Atom::LeftOut(Rc::new(left_out.clone())));
        path.push_str("/");
    }
    path
}

/// The most patterns of one walk that are looked at.
const MAX_LEFT_OUT: usize = 32;

/// What a walk from `root` leaves out, by patterns of names and of paths, with all below. One that begins with the root
/// counts from there, as does one with a slash at its start where `anchors`; others match at any depth.
pub fn left_out<'p>(
    root: &Text,
    patterns: impl Iterator<Item = &'p Text>,
    anchors: bool,
    read: fn(&Text) -> Text,
) -> LeftOut {
    let start = root.prefix().trim_end_matches('/').to_owned() + "/";
    let mut left_out = LeftOut::default();
    for pattern in patterns.take(MAX_LEFT_OUT) {
        let text = pattern.as_literal().unwrap_or("").trim_end_matches('/');
        let whole = root.as_literal().is_some();
        let (from_root, rest) = match text.strip_prefix(&start) {
            Some(rest) if whole => (true, rest),
            _ => match text.strip_prefix("**/").or_else(|| text.strip_prefix("*/")) {
                Some(rest) => (false, rest),
                None => (text.starts_with('/'), text),
            },
        };
        if rest.is_empty() || rest.starts_with('/') && !anchors {
            continue;
        }
        let mut below = Text::default();
        if !from_root {
            below.push(Atom::Below { hidden: true });
            below.push_str("/");
        }
        below.append(&read(&Text::literal(rest)));
        below.push_str("/");
        below.push(Atom::Below { hidden: true });
        left_out.patterns.push(below);
    }
    left_out
}

impl Machine<'_> {
    /// Reads everything below `root` but what is left out.
    pub(super) fn read_walk(&mut self, root: &Text, hidden: bool, left_out: &LeftOut) {
        if left_out.patterns.is_empty() {
            self.read_below(root, hidden);
        } else {
            self.read(&walk(root, hidden, left_out));
        }
    }
}

/// The names of files below folders.
fn found(folders: &[Text], how: &Walk<'_>, globs: &[Text]) -> Values {
    let here = [Text::literal(".")];
    let folders = if folders.is_empty() {
        &here[..]
    } else {
        folders
    };
    let mut names = Values::new();
    for folder in folders {
        let all = walk(folder, how.hidden, &how.left_out(folder));
        if globs.is_empty() {
            names.push(all.clone());
        }
        names.extend(globs.iter().map(|glob| {
            let mut path = all.joined(&Text::literal("/"));
            path.append(glob);
            path
        }));
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
    let in_place = call.words.iter().any(|word| {
        let text = word.prefix();
        let letters = text.strip_prefix('-').unwrap_or("");
        let is_cluster =
            matches!(letters.len(), 1..=3) && letters.bytes().all(|b| b.is_ascii_alphabetic());
        matches!(text, "--inplace" | "--in-place")
            || is_cluster && letters.contains('i') && !call.name.ends_with("jq")
            || text == "-I" && call.name == "mlr"
    });
    for file in files {
        machine.read(file);
        if in_place {
            machine.write(file);
        }
    }
    super::filters::words(machine.stdin.as_deref().unwrap_or_default())
}
