//! What a path pattern is held against, as automata: a path, a folder with all that is in it, a component.

use super::value::set_holds;

pub(super) type States = Vec<bool>;

/// One character of a pattern.
pub(super) enum Input<'a> {
    Exactly(char),
    /// Any that is no slash.
    Any,
    In(&'a str),
}

/// What is looked for, as an automaton.
pub(super) trait Target {
    fn start(&self) -> States;
    fn step(&self, states: &States, input: &Input<'_>) -> States;
    /// Takes out the ways on which the next character would be a dot at the start of a name.
    fn forbid_dot(&self, states: &mut States);
    /// After text of which nothing is known and which does not help.
    fn opaque(&self, states: States) -> States;
    /// As [`Target::opaque`], where the text may end with a slash: a name may begin after it.
    fn opaque_below(&self, states: States) -> States {
        self.opaque(states)
    }
    fn accepts(&self, states: &States) -> bool;

    /// After a slash and a name that is known whole: what follows is a slash or nothing.
    fn past(&self, states: States, name: &str) -> States {
        text(self, self.step(&states, &Input::Exactly('/')), name)
    }

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

/// After these characters.
pub(super) fn text(target: &(impl Target + ?Sized), states: States, characters: &str) -> States {
    characters.chars().fold(states, |states, character| {
        target.step(&states, &Input::Exactly(character))
    })
}

/// Adds the states of `other`; whether there was a new one.
pub(super) fn merge(states: &mut States, other: &States) -> bool {
    let mut grown = false;
    for (state, more) in states.iter_mut().zip(other) {
        grown |= *more && !*state;
        *state |= *more;
    }
    grown
}

pub(super) fn fold(character: char, ignore_case: bool) -> char {
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
pub(super) struct PathTarget {
    pub path: Vec<char>,
    pub ignore_case: bool,
}

impl PathTarget {
    pub(super) fn new(path: &str, ignore_case: bool) -> Self {
        let path = path.chars().map(|c| fold(c, ignore_case)).collect();
        Self { path, ignore_case }
    }

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
pub(super) struct FolderTarget(pub PathTarget);

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
pub(super) struct NameTarget {
    pub glob: Vec<char>,
    pub last: bool,
    pub ignore_case: bool,
}

/// So many characters of a name must be spelled before an unknown part is taken for the rest of it.
const TELLING: usize = 2;

impl NameTarget {
    pub(super) fn new(glob: &str, last: bool, ignore_case: bool) -> Self {
        Self {
            glob: glob.chars().map(|c| fold(c, ignore_case)).collect(),
            last,
            ignore_case,
        }
    }

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

    /// Whether the glob takes all of `name`: after a mismatch the last `*` takes one character more.
    fn matches(&self, name: &str) -> bool {
        let (mut at, mut rest) = (0, name.chars());
        let mut retry: Option<(usize, std::str::Chars<'_>)> = None;
        loop {
            if self.glob.get(at) == Some(&'*') {
                at += 1;
                retry = Some((at, rest.clone()));
                continue;
            }
            let character = rest.next();
            if at == self.glob.len() && character.is_none() {
                return true;
            }
            let takes = |character| self.glob.get(at) == Some(&fold(character, self.ignore_case));
            if character.is_some_and(takes) {
                at += 1;
            } else if let Some((after, longer)) = &mut retry
                && longer.next().is_some()
            {
                (at, rest) = (*after, longer.clone());
            } else {
                return false;
            }
        }
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

    fn past(&self, states: States, name: &str) -> States {
        let mut next = self.empty();
        if states.iter().any(|state| *state) {
            let matches = self.matches(name);
            next[if matches {
                self.complete()
            } else {
                self.other()
            }] = true;
        }
        next[self.found()] = states[self.found()] || (states[self.complete()] && !self.last);
        next
    }

    fn forbid_dot(&self, states: &mut States) {
        if self.glob.first() == Some(&'.') && states[0] {
            states[0] = false;
            states[self.other()] = true;
        }
    }

    fn opaque_below(&self, states: States) -> States {
        let mut states = self.opaque(states);
        if states.iter().any(|state| *state) {
            self.enter(&mut states, 0);
        }
        states
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
