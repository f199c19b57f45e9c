//! What the tests of `find` let through.

use super::ACTIONS;
use crate::effects::programs::search::{walk, walk_root};
use crate::effects::value::{Atom, LeftOut, Text, Values};
use crate::words::lists;

/// What the tests let through: every path below the roots, by name or by path where a test says so.
pub(super) fn matches_of(roots: &[Text], tests: &[Text]) -> Values {
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
