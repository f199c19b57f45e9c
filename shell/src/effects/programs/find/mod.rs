//! `find`, `fd` and `locate`: what they find, and what they do with it.

mod fd;
mod matches;

pub use fd::fd;
pub use matches::over_slashes;

use super::Call;
use super::search::below;
use crate::effects::machine::Machine;
use crate::effects::value::{Text, Values};
use crate::effects::xargs::put_in;
use matches::matches_of;

/// `find root … tests actions`
pub fn find(machine: &mut Machine<'_>, call: &Call<'_>) -> Values {
    let mut words = call.words;
    while matches!(
        words.first().map(Text::prefix),
        Some("-H" | "-L" | "-P" | "-O1" | "-O2" | "-O3")
    ) {
        words = &words[1..];
    }
    let listed: Values;
    if let Some([option, list]) = words.get(..2)
        && option.prefix() == "-files0-from"
    {
        machine.read(list);
        listed = [&machine.lines_in(list)[..], &words[2..]].concat();
        words = &listed;
    }
    let is_test = |word: &Text| word.prefix().starts_with(['-', '(', '!', ')']);
    let count = words.iter().position(is_test).unwrap_or(words.len());
    let (roots, tests) = words.split_at(count);
    let here = [Text::literal(".")];
    let roots = if roots.is_empty() { &here[..] } else { roots };
    let found = matches_of(roots, tests);
    for root in roots {
        machine.list_below(root);
    }
    act(machine, tests, &found);
    let after = |option: &str| {
        let at = tests.iter().position(|word| word.prefix() == option);
        at.and_then(|at| tests.get(at + 1))
    };
    match after("-printf").and_then(Text::as_literal) {
        Some(format) => found.iter().map(|path| printed(format, path)).collect(),
        None => found,
    }
}

/// What `-printf` makes of a path: all that begins with a `%` is taken for it, whole.
fn printed(format: &str, path: &Text) -> Text {
    let mut pieces = format.split('%');
    let text = |piece: &str| crate::literal::printed(piece, crate::literal::Octal::Plain);
    let mut line = Text::literal(text(pieces.next().unwrap_or("")));
    for piece in pieces {
        let letter = piece.chars().next().map_or(0, char::len_utf8);
        line.append(path);
        line.push_str(&text(&piece[letter..]));
    }
    line
}

/// The tests that do something with what is found.
#[rustfmt::skip]
const ACTIONS: [&str; 12] = [
    "-exec", "-execdir", "-ok", "-okdir", "-delete", "-print", "-print0", "-printf", "-ls", "-fprint", "-fprint0", "-fls",
];

/// `locate name`: files anywhere.
pub fn locate(_: &mut Machine<'_>, call: &Call<'_>) -> Values {
    let root = Text::literal("");
    let any = |name: &Text| {
        let name = name.globbed();
        below(&root, true, &Text::run().joined(&name).joined(&Text::run()))
    };
    call.args.operands.iter().map(any).collect()
}

fn act(machine: &mut Machine<'_>, tests: &[Text], found: &Values) {
    let mut words = tests;
    while let Some((word, rest)) = words.split_first() {
        words = rest;
        match word.prefix() {
            // Nothing is lost with an empty folder.
            "-delete" if finds_empty_folders(tests) => {}
            "-delete" => found.iter().for_each(|path| machine.write(path)),
            "-fprint" | "-fprint0" | "-fls" | "-fprintf" => {
                for file in rest.iter().take(1) {
                    machine.write(file);
                    machine.remember_file(file, found);
                }
            }
            "-exec" | "-execdir" | "-ok" | "-okdir" => {
                let ends = |word: &Text| matches!(word.as_literal(), Some(";" | "+"));
                let end = rest.iter().position(ends).unwrap_or(rest.len());
                run_on(machine, &rest[..end], found);
                if word.prefix().ends_with("dir") {
                    run_beside(machine, &rest[..end], found);
                }
                words = &rest[end..];
            }
            _ => {}
        }
    }
}

/// `-type d -empty`
fn finds_empty_folders(tests: &[Text]) -> bool {
    let is_or = |word: &Text| matches!(word.prefix(), "-o" | "-or" | "!" | "-not");
    let is_folder = |pair: &[Text]| pair[0].prefix() == "-type" && pair[1].prefix() == "d";
    !tests.iter().any(is_or)
        && tests.windows(2).any(is_folder)
        && tests.iter().any(|word| word.prefix() == "-empty")
}

/// Runs a command with the paths that were found in the place of `{}`.
fn run_on(machine: &mut Machine<'_>, command: &[Text], found: &Values) {
    let inside = |word: &Text| {
        let text = word.as_literal();
        text.is_some_and(|text| text != "{}" && text.contains("{}"))
    };
    let program = machine.program.clone();
    machine.wrappers.push(program);
    if command.iter().any(inside) {
        for path in found {
            let put = |word| put_in(word, "{}", path);
            machine.words(&command.iter().map(put).collect::<Vec<_>>());
        }
    } else {
        let put = |word: &Text| match word.as_literal() {
            Some("{}") => found.clone(),
            _ => vec![word.clone()],
        };
        machine.words(&command.iter().flat_map(put).collect::<Vec<_>>());
    }
    machine.wrappers.pop();
}

/// Runs the command of `-execdir` where what was found lies; `{}` is looked at by [`run_on`].
fn run_beside(machine: &mut Machine<'_>, command: &[Text], found: &Values) {
    let others = command.iter().filter(|word| !word.render().contains("{}"));
    let others: Values = others.cloned().collect();
    let given = command.len() - others.len();
    if others.len() < 2 || given > 0 {
        return;
    }
    let parents = found.iter().map(|path| path.joined(&Text::literal("/..")));
    let parents: Values = parents.flat_map(|path| machine.folders_of(&path)).collect();
    machine.apart(|machine| {
        machine.state.folders = parents;
        machine.words(&others)
    });
}

/// `*pattern*`, as far as the pattern is plain.
pub fn around(pattern: &str) -> Text {
    let plain = pattern
        .trim_start_matches('^')
        .trim_end_matches('$')
        .replace('\\', "");
    Text::run()
        .joined(&Text::literal(plain))
        .joined(&Text::run())
}
