//! `find` and `fd`: what they find, and what they do with it.

use super::Call;
use super::search::{below, left_out, walk, walk_root};
use crate::effects::machine::Machine;
use crate::effects::value::{Atom, LeftOut, Text, Values};
use crate::effects::xargs::put_in;
use crate::words::lists;

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

/// What the tests let through: every path below the roots, by name or by path where a test says so.
fn matches_of(roots: &[Text], tests: &[Text]) -> Values {
    let is_or = |word: &Text| matches!(word.prefix(), "-o" | "-or" | ",");
    let mut found = Values::new();
    let (pruning, rest) = split_pruning(tests);
    let (pruned, tests) = match rest {
        Some(rest) => (pruning, rest),
        None => (&tests[..0], tests),
    };
    for alternative in tests.split(is_or) {
        let has = |actions: &[&str]| {
            alternative
                .iter()
                .any(|word| actions.contains(&word.prefix()))
        };
        // A test that only leaves folders out lets nothing through.
        if has(&["-prune"]) && !has(&ACTIONS) {
            continue;
        }
        let patterns = Patterns::of(alternative);
        for root in roots {
            let left_out = left_out_by(root, pruned, tests, alternative);
            found.extend(
                patterns
                    .below(root, &left_out)
                    .into_iter()
                    .filter(|path| !found.contains(path))
                    .collect::<Values>(),
            );
        }
    }
    found
}

/// Parts tests where all that is said before is what the walk does not go into: `-name a -prune -o …`, `( -name a -o
/// -path b ) -prune -o …`, without an action or a test of another kind.
fn split_pruning(tests: &[Text]) -> (&[Text], Option<&[Text]>) {
    const PLAIN: &str = "( ) -o -or -a -and -type d -name -path -wholename -iname -ipath -iwholename -prune -maxdepth";
    let Some(last) = tests.iter().rposition(|word| word.prefix() == "-prune") else {
        return (tests, None);
    };
    let (pruning, rest) = tests.split_at(last + 1);
    let is_plain = |(at, word): (usize, &Text)| {
        let before = at.checked_sub(1).and_then(|at| pruning.get(at));
        let has_value =
            before.is_some_and(|before| is_pattern_test(before) || before.prefix() == "-maxdepth");
        has_value || lists(PLAIN, word.prefix())
    };
    let goes_on = rest
        .first()
        .is_some_and(|word| matches!(word.prefix(), "-o" | "-or"));
    if goes_on && pruning.iter().enumerate().all(is_plain) {
        (pruning, Some(&rest[1..]))
    } else {
        (tests, None)
    }
}

fn is_pattern_test(word: &Text) -> bool {
    lists(
        "-name -iname -path -ipath -wholename -iwholename",
        word.prefix(),
    )
}

/// The deepest `-maxdepth` that is looked at.
const MAX_DEPTH: usize = 8;

/// What a walk from `root` leaves out by the tests before `-prune`, by the others for all alternatives, and by those of
/// one.
fn left_out_by(root: &Text, pruned: &[Text], tests: &[Text], alternative: &[Text]) -> LeftOut {
    let or = |word: &Text| matches!(word.prefix(), "-o" | "-or");
    // Two patterns for one folder leave out less than either.
    let single = |group: &&[Text]| group.iter().filter(|word| is_pattern_test(word)).count() == 1;
    let below = Text::literal("/").joined(&Text::below());
    let mut patterns = Values::new();
    for group in pruned.split(or).filter(single) {
        for pair in group.windows(2).filter(|pair| is_pattern_test(&pair[0])) {
            patterns.extend(from(root, &pair[0], &pair[1]).map(|path| path.joined(&below)));
        }
    }
    for three in alternative.windows(3) {
        if matches!(three[0].prefix(), "!" | "-not") && is_pattern_test(&three[1]) {
            patterns.extend(from(root, &three[1], &three[2]));
        }
    }
    let depths = [pruned, tests]
        .into_iter()
        .flat_map(|tests| tests.windows(2));
    let mut depths = depths.filter(|pair| pair[0].prefix() == "-maxdepth");
    let depth = depths.find_map(|pair| pair[1].as_literal()?.parse().ok());
    if let Some(depth) = depth.filter(|depth| *depth <= MAX_DEPTH) {
        let mut deeper = Text::run();
        for _ in 0..depth {
            deeper.push_str("/");
            deeper.push(Atom::Run);
        }
        patterns.push(deeper.joined(&below));
    }
    let is_negated = alternative
        .iter()
        .any(|word| matches!(word.prefix(), "(" | ")"));
    let is_file = |(at, pair): (usize, &[Text])| {
        let before = at.checked_sub(1).and_then(|at| alternative.get(at));
        pair[0].prefix() == "-type"
            && pair[1].as_literal() == Some("f")
            && !before.is_some_and(|word| matches!(word.prefix(), "!" | "-not"))
    };
    LeftOut {
        patterns,
        files: !is_negated && alternative.windows(2).enumerate().any(is_file),
    }
}

/// The pattern of a test, from the root of the walk on.
fn from(root: &Text, test: &Text, pattern: &Text) -> Option<Text> {
    let either = |pattern: Text| {
        if test.prefix().starts_with("-i") {
            of_either_case(&pattern)
        } else {
            pattern
        }
    };
    if matches!(test.prefix(), "-name" | "-iname") {
        let any = Text::below().joined(&Text::literal("/"));
        return Some(any.joined(&either(pattern.globbed())));
    }
    let text = pattern.prefix();
    if pattern.as_literal()?.starts_with('*') {
        return Some(either(over_slashes(pattern)));
    }
    // The path begins with the root as it is written.
    let rest = text.strip_prefix(root.as_literal()?)?;
    let rest = if root.prefix().ends_with('/') {
        rest
    } else {
        rest.strip_prefix('/')?
    };
    Some(either(over_slashes(&Text::literal(rest))))
}

/// The patterns that the tests of one alternative hold paths against.
#[derive(Default)]
struct Patterns {
    names: Values,
    /// Those of `-path` and `-regex`, which see the whole path.
    paths: Values,
}

/// Reads a pattern as the test means it.
type Reader = fn(&Text) -> Text;

impl Patterns {
    fn of(tests: &[Text]) -> Self {
        let mut patterns = Self::default();
        let mut excluded = false;
        let mut words = tests.iter();
        while let Some(word) = words.next() {
            let test = word.prefix();
            if matches!(test, "!" | "-not") {
                excluded = true;
                continue;
            }
            if let Some((list, read)) = patterns.list_of(test) {
                let pattern = words.next().filter(|_| !excluded).map(read);
                let either = test.starts_with("-i");
                list.extend(pattern.map(|pattern| {
                    if either {
                        of_either_case(&pattern)
                    } else {
                        pattern
                    }
                }));
            }
            excluded = false;
        }
        patterns
    }

    /// Where the pattern of a test goes, and how it is read.
    fn list_of(&mut self, test: &str) -> Option<(&mut Values, Reader)> {
        match test {
            "-name" | "-iname" => Some((&mut self.names, Text::globbed)),
            "-path" | "-ipath" | "-wholename" | "-iwholename" => {
                Some((&mut self.paths, over_slashes))
            }
            "-regex" | "-iregex" => Some((&mut self.paths, from_regex)),
            _ => None,
        }
    }

    fn below(&self, root: &Text, left_out: &LeftOut) -> Values {
        let all = walk(root, true, left_out);
        if self.names.is_empty() && self.paths.is_empty() {
            return vec![all];
        }
        let inside = all.joined(&Text::literal("/"));
        let names = self.names.iter().map(|name| inside.joined(name));
        let paths = self.paths.iter().map(|path| {
            // The path begins with the root as it is written, unless the pattern begins with anything.
            if path.prefix().is_empty() {
                walk_root(root, left_out).joined(path)
            } else {
                path.clone()
            }
        });
        names.chain(paths).collect()
    }
}

/// A pattern of `-path`, in which `*` takes slashes.
pub fn over_slashes(pattern: &Text) -> Text {
    let mut path = Text::default();
    let globbed = pattern.globbed();
    let atoms = globbed.atoms();
    for (at, atom) in atoms.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|at| atoms.get(at));
        match atom {
            Atom::Run => any_path(&mut path, before, atoms.get(at + 1)),
            atom => path.push(atom.clone()),
        }
    }
    path
}

/// Any text with slashes between two pieces; where a piece is a part of a name, that name may begin or end in it.
fn any_path(path: &mut Text, before: Option<&Atom>, after: Option<&Atom>) {
    if matches!(before, Some(Atom::Text(text)) if !text.ends_with('/')) {
        path.push(Atom::Run);
    }
    path.push(Atom::Below { hidden: true });
    if matches!(after, Some(Atom::Text(text)) if !text.starts_with('/')) {
        path.push(Atom::Run);
    }
}

/// A pattern that takes letters of either case.
fn of_either_case(pattern: &Text) -> Text {
    let mut either = Text::default();
    for atom in pattern.atoms() {
        let Atom::Text(text) = atom else {
            either.push(atom.clone());
            continue;
        };
        for character in text.chars() {
            if character.is_ascii_alphabetic() {
                let both = [
                    character.to_ascii_lowercase(),
                    character.to_ascii_uppercase(),
                ];
                either.push(Atom::Set(both.iter().collect()));
            } else {
                either.push_str(character.encode_utf8(&mut [0; 4]));
            }
        }
    }
    either
}

/// `locate name`: files anywhere.
pub fn locate(_: &mut Machine<'_>, call: &Call<'_>) -> Values {
    let root = Text::literal("");
    let any = |name: &Text| {
        let name = name.globbed();
        below(&root, true, &Text::run().joined(&name).joined(&Text::run()))
    };
    call.args.operands.iter().map(any).collect()
}

/// A regular expression, of which only plain text and `.*` are taken over.
fn from_regex(pattern: &Text) -> Text {
    let mut path = Text::default();
    let mut rest = pattern.prefix().chars().peekable();
    while let Some(character) = rest.next() {
        match character {
            '.' if matches!(rest.peek(), Some('*' | '+')) => {
                rest.next();
                let before = path.atoms().last().cloned();
                let after = rest.peek().map(|next| Atom::Text(next.to_string()));
                any_path(&mut path, before.as_ref(), after.as_ref());
            }
            '.' => path.push(Atom::One),
            '\\' => rest
                .next()
                .into_iter()
                .for_each(|next| path.push_str(next.encode_utf8(&mut [0; 4]))),
            '[' | '(' | '|' | '+' | '*' | '?' | ')' | ']' => path.push(Atom::Unknown),
            '^' | '$' => {}
            other => path.push_str(other.encode_utf8(&mut [0; 4])),
        }
    }
    path
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

/// `fd pattern root … -x command`
pub fn fd(machine: &mut Machine<'_>, call: &Call<'_>) -> Values {
    let runs = |word: &Text| {
        matches!(
            word.as_literal(),
            Some("-x" | "-X" | "--exec" | "--exec-batch")
        )
    };
    let end = call.words.iter().position(runs).unwrap_or(call.words.len());
    let args = crate::effects::args::Args::parse(
        &call.words[..end],
        "tedEcjS",
        "type extension max-depth min-depth exact-depth exclude color threads size base-directory search-path",
    );
    let hidden = args.has("H hidden u unrestricted uu");
    let excluded: Values = args.values("E exclude").cloned().collect();
    let extension = args
        .values("e extension")
        .next()
        .map(|extension| Text::run().joined(&Text::literal(".")).joined(extension));
    // The pattern is a regular expression that any part of the name may match.
    let pattern = args
        .operands
        .first()
        .and_then(Text::as_literal)
        .filter(|text| !text.is_empty() && *text != ".");
    let name = extension.or_else(|| pattern.map(around));
    let mut roots: Vec<Text> = args
        .operands
        .iter()
        .skip(1)
        .chain(args.values("search-path base-directory"))
        .cloned()
        .collect();
    if roots.is_empty() {
        roots.push(Text::literal("."));
    }
    let found: Values = roots
        .iter()
        .map(|root| {
            let left_out = left_out(root, excluded.iter(), root.prefix() == ".", Text::globbed);
            let all = walk(root, hidden, &left_out);
            match &name {
                Some(name) => all.joined(&Text::literal("/")).joined(name),
                None => all,
            }
        })
        .collect();
    roots.iter().for_each(|root| machine.list_below(root));
    if let Some(command) = call.words.get(end + 1..) {
        let ends = command
            .iter()
            .position(|word| word.as_literal() == Some(";"))
            .unwrap_or(command.len());
        let mut command = command[..ends].to_vec();
        if !command.iter().any(|word| word.render().contains("{}")) {
            command.push(Text::literal("{}"));
        }
        run_on(machine, &command, &found);
    }
    found
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
