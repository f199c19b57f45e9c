//! May a path pattern name a certain path, or something with a certain component?
//!
//! The pattern is run as an automaton over the states of what is looked for, so that the work is bounded by the
//! product of their lengths and nothing is tried twice.

use super::path::PathPattern;
use super::targets::{
    FolderTarget, Input, NameTarget, PathTarget, States, Target, fold, merge, text,
};
use super::value::{Atom, Text};

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

/// Where the known beginning of a pattern lies, seen from a path.
enum Along {
    /// On another way.
    Apart,
    /// On the way to it, or nowhere yet.
    Above,
    /// It is the path.
    Exactly,
    /// Inside of it.
    Below,
}

/// Which component of a path is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Component {
    /// Any of them: the folder itself or something inside it.
    Any,
    /// The last: the name of the file or folder that is meant.
    Last,
}

/// A name that no pattern tells from others.
const ANY_NAME: &str = "\u{1}";

impl PathPattern {
    /// May this name the path `path` (absolute, with `/` between components)? A pattern for everything below a
    /// folder names the folder too, so this also answers whether a recursive access starts at or above `path`.
    #[must_use]
    pub fn reaches_path(&self, path: &str, ignore_case: bool) -> Reach {
        let path = path.trim_end_matches('/');
        match self.along(path, ignore_case) {
            Along::Exactly if self.is_literal() => Reach::Spelled,
            Along::Above | Along::Exactly if !self.is_literal() => {
                if self.leaves_out(path, ignore_case) {
                    return Reach::No;
                }
                self.reach(&PathTarget::new(path, ignore_case))
            }
            _ => Reach::No,
        }
    }

    /// May this name something of which a component matches `glob` (in which `*` is the only special character)?
    #[must_use]
    pub fn reaches_component(&self, glob: &str, which: Component, ignore_case: bool) -> Reach {
        let last = which == Component::Last;
        if last && self.left_out.is_some() {
            let example = format!("{}/{}", self.walk_root(), glob.replace('*', ANY_NAME));
            if self.leaves_out(&example, ignore_case) {
                return Reach::No;
            }
        }
        let target = NameTarget::new(glob, last, ignore_case);
        // One that spells more than a dot asks for the name that it spells.
        let is_glob = |component: &&Text| {
            let fits = |atom: &Atom| match atom {
                Atom::Text(text) => text == ".",
                Atom::Unknown | Atom::Below { .. } => false,
                _ => true,
            };
            component.as_literal().is_none() && component.atoms().iter().all(fits)
        };
        match self.components.split_last() {
            // What a glob at the end names are files, which lie in the folder and are not it.
            Some((name, above)) if self.files && !last && is_glob(&name) => {
                let above = Self {
                    components: above.to_vec(),
                    ..self.clone()
                };
                above.reach(&target)
            }
            _ => self.reach(&target),
        }
    }

    /// May what this names lie inside the folder `path`, or be it?
    #[must_use]
    pub fn reaches_into(&self, path: &str, ignore_case: bool) -> Reach {
        let path = path.trim_end_matches('/');
        match self.along(path, ignore_case) {
            Along::Exactly if self.is_literal() => Reach::Spelled,
            Along::Below => Reach::Spelled,
            Along::Above | Along::Exactly if !self.is_literal() => {
                if self.left_out.is_some()
                    && self.leaves_out(&format!("{path}/{ANY_NAME}"), ignore_case)
                {
                    return Reach::No;
                }
                self.reach(&FolderTarget(PathTarget::new(path, ignore_case)))
            }
            _ => Reach::No,
        }
    }

    /// Whether this is a walk that leaves `path` out.
    #[must_use]
    pub fn leaves_out(&self, path: &str, ignore_case: bool) -> bool {
        let Some((root, left_out)) = &self.left_out else {
            return false;
        };
        let root = &self.components[..(*root).min(self.components.len())];
        left_out.patterns.iter().any(|pattern| {
            let mut components = root.to_vec();
            let names = pattern.split(|c| c == '/').into_iter();
            components.extend(names.filter(|name| !name.is_empty()));
            let whole = Self {
                components,
                rooted: self.rooted,
                dotglob: true,
                files: false,
                left_out: None,
            };
            whole.reach(&PathTarget::new(path, ignore_case)) >= Reach::ByRecursion
        })
    }

    /// The folder in which the walk begins, as far as it is known.
    fn walk_root(&self) -> String {
        self.known_names()
            .fold(String::new(), |path, name| path + "/" + name)
    }

    /// Where the known beginning of this lies, seen from `path`. Most patterns are known to their end and most of the
    /// others begin elsewhere: what is left for the automaton is rare.
    fn along(&self, path: &str, ignore_case: bool) -> Along {
        let mut rest = path.chars().map(|c| fold(c, ignore_case));
        for name in self.known_names() {
            for character in std::iter::once('/').chain(name.chars()) {
                match rest.next() {
                    Some(wanted) if wanted == fold(character, ignore_case) => {}
                    None if character == '/' => return Along::Below,
                    _ => return Along::Apart,
                }
            }
        }
        match rest.next() {
            None => Along::Exactly,
            Some('/') => Along::Above,
            Some(_) => Along::Apart,
        }
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
                if let Some(name) = component.as_literal() {
                    states = target.past(states, name);
                    continue;
                }
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
        Atom::Text(characters) => text(target, states, characters),
        Atom::Bracket => target.step(&states, &Input::Exactly('[')),
        Atom::LeftOut(_) => states,
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

#[cfg(test)]
mod tests {
    use super::super::value::Text;
    use super::*;
    use proptest::prelude::*;

    /// A target without short ways: every name is taken character by character.
    struct ByCharacter<T>(T);

    impl<T: Target> Target for ByCharacter<T> {
        fn start(&self) -> States {
            self.0.start()
        }
        fn step(&self, states: &States, input: &Input<'_>) -> States {
            self.0.step(states, input)
        }
        fn forbid_dot(&self, states: &mut States) {
            self.0.forbid_dot(states);
        }
        fn opaque(&self, states: States) -> States {
            self.0.opaque(states)
        }
        fn opaque_below(&self, states: States) -> States {
            self.0.opaque_below(states)
        }
        fn accepts(&self, states: &States) -> bool {
            self.0.accepts(states)
        }
        fn closure(&self, states: States, slashes: bool, dots: bool) -> States {
            self.0.closure(states, slashes, dots)
        }
    }

    fn component() -> impl Strategy<Value = Text> {
        let atom = prop_oneof![
            6 => "[abB.]{1,3}".prop_map(Atom::Text),
            1 => Just(Atom::One),
            1 => Just(Atom::Run),
            1 => Just(Atom::Set("ab".to_owned())),
            1 => Just(Atom::Unknown),
            1 => any::<bool>().prop_map(|hidden| Atom::Below { hidden }),
        ];
        prop::collection::vec(atom, 1..3).prop_map(|atoms| {
            let mut text = Text::default();
            for atom in atoms {
                text.push(atom);
            }
            text
        })
    }

    fn pattern() -> impl Strategy<Value = PathPattern> {
        let components = prop::collection::vec(component(), 0..4);
        (components, any::<bool>()).prop_map(|(components, dotglob)| PathPattern {
            rooted: !matches!(
                components.first().map(Text::atoms),
                Some([Atom::Unknown | Atom::Below { .. }, ..])
            ),
            components,
            dotglob,
            files: false,
            left_out: None,
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4096))]

        #[test]
        fn short_ways_lead_where_the_automaton_does(
            pattern in pattern(),
            path in "(/[abB.]{1,3}){0,3}",
            glob in "[ab.*]{1,4}",
            last in any::<bool>(),
            ignore_case in any::<bool>(),
        ) {
            let target = || PathTarget::new(&path, ignore_case);
            let slow = pattern.reach(&ByCharacter(target()));
            prop_assert_eq!(pattern.reaches_path(&path, ignore_case), slow);
            let slow = pattern.reach(&ByCharacter(FolderTarget(target())));
            prop_assert_eq!(pattern.reaches_into(&path, ignore_case), slow);
            let which = if last { Component::Last } else { Component::Any };
            let slow = pattern.reach(&ByCharacter(NameTarget::new(&glob, last, ignore_case)));
            prop_assert_eq!(pattern.reaches_component(&glob, which, ignore_case), slow);
        }
    }
}
