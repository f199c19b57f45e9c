//! May a path pattern name a certain path, or something with a certain component?
//!
//! The pattern is run as an automaton over the states of what is looked for, so that the work is bounded by the
//! product of their lengths and nothing is tried twice.

use super::path::PathPattern;
use super::targets::{FolderTarget, Input, NameTarget, PathTarget, States, Target, fold, merge};
use super::value::Atom;

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
            if let [Atom::Unknown] = atoms
                && open.unknown
                && (index > 0 || self.rooted)
            {
                // An empty value leaves nothing, not even the slash.
                let inside = target.step(&states, &Input::Exactly('/'));
                let inside = target.closure(inside, true, true);
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
        target.opaque_below(states)
    }
}
