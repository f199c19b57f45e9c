//! May a path pattern name a certain path, or something with a certain component?
//!
//! The pattern is run as an automaton over the states of what is looked for, so that the work is bounded by the
//! product of their lengths and nothing is tried twice.

use super::path::PathPattern;
use super::value::{Atom, set_holds};

/// How surely a path pattern names what is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reach {
    /// It can't.
    No,
    /// Only if a part that the line does not tell happens to have that value.
    IfUnknown,
    /// Only because everything below a folder is meant.
    ByRecursion,
    /// The line spells it, as it stands or by a glob.
    Spelled,
}

/// Which component of a path is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Component {
    /// Any of them: the folder itself or something inside it.
    Any,
    /// The last: the name of the file or folder that is meant.
    Last,
}

impl PathPattern {
    /// May this name the path `path` (absolute, with `/` between components)? A pattern for everything below a
    /// folder names the folder too, so this also answers whether a recursive access starts at or above `path`.
    #[must_use]
    pub fn reaches_path(&self, path: &str, ignore_case: bool) -> Reach {
        let path: Vec<char> = path
            .trim_end_matches('/')
            .chars()
            .map(|c| fold(c, ignore_case))
            .collect();
        self.reach(&PathTarget { path, ignore_case })
    }

    /// May this name something of which a component matches `glob` (in which `*` is the only special character)?
    #[must_use]
    pub fn reaches_component(&self, glob: &str, which: Component, ignore_case: bool) -> Reach {
        let glob: Vec<char> = glob.chars().map(|c| fold(c, ignore_case)).collect();
        self.reach(&NameTarget {
            glob,
            last: which == Component::Last,
            ignore_case,
        })
    }

    /// May what this names lie inside the folder `path`, or be it?
    #[must_use]
    pub fn reaches_into(&self, path: &str, ignore_case: bool) -> Reach {
        let path: Vec<char> = path
            .trim_end_matches('/')
            .chars()
            .map(|c| fold(c, ignore_case))
            .collect();
        self.reach(&FolderTarget(PathTarget { path, ignore_case }))
    }

    fn reach(&self, target: &impl Target) -> Reach {
        let spans = |wanted: fn(&Atom) -> bool| {
            self.components
                .iter()
                .any(|component| component.atoms().iter().any(wanted))
        };
        let recursive = spans(|atom| matches!(atom, Atom::Below { .. }));
        let unknown = spans(|atom| matches!(atom, Atom::Unknown));
        if self.accepts(
            target,
            Open {
                below: false,
                unknown: false,
            },
        ) {
            Reach::Spelled
        } else if recursive
            && self.accepts(
                target,
                Open {
                    below: true,
                    unknown: false,
                },
            )
        {
            Reach::ByRecursion
        } else if unknown
            && self.accepts(
                target,
                Open {
                    below: true,
                    unknown: true,
                },
            )
        {
            Reach::IfUnknown
        } else {
            Reach::No
        }
    }

    fn accepts(&self, target: &impl Target, open: Open) -> bool {
        let mut states = target.start();
        for (index, component) in self.components.iter().enumerate() {
            let atoms = component.atoms();
            if let [Atom::Below { hidden }] = atoms {
                // The folder itself, or a slash and anything.
                let inside = target.step(&states, &Input::Exactly('/'));
                let inside = below(target, inside, *hidden, open);
                merge(&mut states, &inside);
                continue;
            }
            if index > 0 || self.rooted {
                states = target.step(&states, &Input::Exactly('/'));
            }
            if !self.dotglob && matches!(atoms.first(), Some(Atom::One | Atom::Run | Atom::Set(_)))
            {
                target.forbid_dot(&mut states);
            }
            for atom in atoms {
                states = self::atom(target, states, atom, open);
            }
        }
        target.accepts(&states)
    }
}

/// Which kinds of unknown part may take the value that is looked for.
#[derive(Clone, Copy)]
struct Open {
    below: bool,
    unknown: bool,
}

type States = Vec<bool>;

/// One character of a pattern.
enum Input<'a> {
    Exactly(char),
    /// Any that is no slash.
    Any,
    In(&'a str),
}

/// What is looked for, as an automaton.
trait Target {
    fn start(&self) -> States;
    fn step(&self, states: &States, input: &Input<'_>) -> States;
    /// Takes out the ways on which the next character would be a dot at the start of a name.
    fn forbid_dot(&self, states: &mut States);
    /// After text of which nothing is known and which does not help.
    fn opaque(&self, states: States) -> States;
    fn accepts(&self, states: &States) -> bool;

    /// After any number of characters: `slashes` says whether a slash may be among them, `dots` whether names in
    /// them may begin with a dot.
    fn closure(&self, mut states: States, slashes: bool, dots: bool) -> States {
        loop {
            let mut from = states.clone();
            if !dots {
                self.forbid_dot(&mut from);
            }
            let mut grown = self.step(&from, &Input::Any);
            if slashes {
                merge(&mut grown, &self.step(&from, &Input::Exactly('/')));
            }
            if !merge(&mut states, &grown) {
                if !dots {
                    self.forbid_dot(&mut states);
                }
                return states;
            }
        }
    }
}

fn atom(target: &impl Target, states: States, atom: &Atom, open: Open) -> States {
    match atom {
        Atom::Text(text) => text.chars().fold(states, |states, character| {
            target.step(&states, &Input::Exactly(character))
        }),
        Atom::Bracket => target.step(&states, &Input::Exactly('[')),
        Atom::One => target.step(&states, &Input::Any),
        Atom::Set(set) => target.step(&states, &Input::In(set)),
        Atom::Run => target.closure(states, false, true),
        Atom::Unknown if open.unknown => target.closure(states, true, true),
        Atom::Unknown => target.opaque(states),
        Atom::Below { hidden } => below(target, states, *hidden, open),
    }
}

fn below(target: &impl Target, states: States, hidden: bool, open: Open) -> States {
    if open.below {
        target.closure(states, true, hidden)
    } else {
        target.opaque(states)
    }
}

/// Adds the states of `other`; whether there was a new one.
fn merge(states: &mut States, other: &States) -> bool {
    let mut grown = false;
    for (state, more) in states.iter_mut().zip(other) {
        grown |= *more && !*state;
        *state |= *more;
    }
    grown
}

fn fold(character: char, ignore_case: bool) -> char {
    if ignore_case {
        character.to_lowercase().next().unwrap_or(character)
    } else {
        character
    }
}

impl Input<'_> {
    fn takes(&self, character: char, ignore_case: bool) -> bool {
        match self {
            Self::Exactly(exactly) => fold(*exactly, ignore_case) == character,
            Self::Any => character != '/',
            Self::In(set) => {
                let other = character.to_uppercase().next().unwrap_or(character);
                character != '/'
                    && (set_holds(set, character) || (ignore_case && set_holds(set, other)))
            }
        }
    }
}

/// A path; its states are the positions in it.
struct PathTarget {
    path: Vec<char>,
    ignore_case: bool,
}

impl PathTarget {
    fn dot_starts(&self, at: usize) -> bool {
        self.path.get(at) == Some(&'.') && (at == 0 || self.path[at - 1] == '/')
    }
}

impl Target for PathTarget {
    fn start(&self) -> States {
        let mut states = vec![false; self.path.len() + 1];
        states[0] = true;
        states
    }

    fn step(&self, states: &States, input: &Input<'_>) -> States {
        let mut next = vec![false; states.len()];
        for (at, character) in self.path.iter().enumerate() {
            next[at + 1] = states[at] && input.takes(*character, self.ignore_case);
        }
        next
    }

    fn forbid_dot(&self, states: &mut States) {
        for (at, state) in states.iter_mut().enumerate() {
            *state &= !self.dot_starts(at);
        }
    }

    fn opaque(&self, states: States) -> States {
        states
    }

    fn accepts(&self, states: &States) -> bool {
        states.last() == Some(&true)
    }

    fn closure(&self, mut states: States, slashes: bool, dots: bool) -> States {
        for at in 0..self.path.len() {
            let goes_on = (slashes || self.path[at] != '/') && (dots || !self.dot_starts(at));
            states[at + 1] |= states[at] && goes_on;
        }
        if !dots {
            self.forbid_dot(&mut states);
        }
        states
    }
}

/// A folder with all that is in it; one more state for "inside".
struct FolderTarget(PathTarget);

impl FolderTarget {
    const fn inside(states: &States) -> usize {
        states.len() - 1
    }
}

impl Target for FolderTarget {
    fn start(&self) -> States {
        let mut states = self.0.start();
        states.push(false);
        states
    }

    fn step(&self, states: &States, input: &Input<'_>) -> States {
        let inside = Self::inside(states);
        let mut next = self.0.step(&states[..inside].to_vec(), input);
        let enters = states[inside - 1] && matches!(input, Input::Exactly('/'));
        next.push(states[inside] || enters);
        next
    }

    fn forbid_dot(&self, states: &mut States) {
        for (at, state) in states.iter_mut().enumerate() {
            *state &= !self.0.dot_starts(at);
        }
    }

    fn opaque(&self, states: States) -> States {
        states
    }

    fn accepts(&self, states: &States) -> bool {
        let inside = Self::inside(states);
        states[inside] || states[inside - 1]
    }

    fn closure(&self, states: States, slashes: bool, dots: bool) -> States {
        let inside = Self::inside(&states);
        let mut next = self.0.closure(states[..inside].to_vec(), slashes, dots);
        let enters = slashes && next[inside - 1];
        next.push(states[inside] || enters);
        next
    }
}

/// A name with `*` in it. States: one for each position in the name, then "another name", then "found".
struct NameTarget {
    glob: Vec<char>,
    last: bool,
    ignore_case: bool,
}

/// So many characters of a name must be spelled before an unknown part is taken for the rest of it.
const TELLING: usize = 2;

impl NameTarget {
    fn complete(&self) -> usize {
        self.glob.len()
    }

    fn other(&self) -> usize {
        self.glob.len() + 1
    }

    fn found(&self) -> usize {
        self.glob.len() + 2
    }

    fn empty(&self) -> States {
        vec![false; self.glob.len() + 3]
    }

    /// Enters a state, and those behind a `*` that may be empty.
    fn enter(&self, states: &mut States, mut at: usize) {
        states[at] = true;
        while self.glob.get(at) == Some(&'*') {
            at += 1;
            states[at] = true;
        }
    }
}

impl Target for NameTarget {
    fn start(&self) -> States {
        let mut states = self.empty();
        states[self.other()] = true;
        states
    }

    fn step(&self, states: &States, input: &Input<'_>) -> States {
        let mut next = self.empty();
        if matches!(input, Input::Exactly('/')) {
            if states.iter().any(|state| *state) {
                self.enter(&mut next, 0);
            }
            let found = states[self.found()] || (states[self.complete()] && !self.last);
            next[self.found()] = found;
            return next;
        }
        for (at, wanted) in self.glob.iter().enumerate().filter(|(at, _)| states[*at]) {
            if *wanted == '*' {
                self.enter(&mut next, at);
            } else if input.takes(*wanted, self.ignore_case) {
                self.enter(&mut next, at + 1);
            }
            // Whatever else the character is, the name is another one then.
            next[self.other()] = true;
        }
        next[self.other()] |= states[self.other()] || states[self.complete()];
        next[self.found()] = states[self.found()];
        next
    }

    fn forbid_dot(&self, states: &mut States) {
        if self.glob.first() == Some(&'.') && states[0] {
            states[0] = false;
            states[self.other()] = true;
        }
    }

    fn opaque(&self, mut states: States) -> States {
        if let Some(reached) = (TELLING..self.complete()).find(|at| states[*at]) {
            states[reached..=self.complete()].fill(true);
        }
        if states.iter().any(|state| *state) {
            states[self.other()] = true;
        }
        states
    }

    fn accepts(&self, states: &States) -> bool {
        states[self.complete()] || states[self.found()]
    }
}
