//! Text of which parts may be unknown: what a word can become.

use std::rc::Rc;

/// A piece of a [`Text`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Atom {
    /// These characters.
    Text(String),
    /// `?`: one character that is no slash.
    One,
    /// `*`: any number of characters that are no slash.
    Run,
    /// `[…]`: one character, by what stands in the brackets.
    Set(String),
    /// Anything, slashes included: the value of a variable or the output of a command that the line does not tell.
    Unknown,
    /// Every path below, at any depth.
    Below {
        /// Whether names that begin with a dot are meant too.
        hidden: bool,
    },
    /// An unquoted `[` until its partner is found. Not in finished text.
    Bracket,
    /// Between the slashes behind the root of a walk: what the walk leaves out. Not in a path.
    LeftOut(Rc<LeftOut>),
}

/// What a walk through folders leaves out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// Patterns, from the root of the walk on.
    pub patterns: Values,
    /// Whether what is found are files: there is nothing below them.
    pub files: bool,
}

/// A string of which parts may be patterns or unknown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Text {
    atoms: Vec<Atom>,
    /// The bytes of the characters, and something for each other piece.
    size: usize,
}

/// The longest text that is put together from pieces; a longer one is unknown. No argument on Linux is longer.
const MAX_SIZE: usize = 1 << 17;

/// What a piece that is no text counts.
const ATOM_SIZE: usize = 16;

/// The values that something may have, one of them or all in turn.
pub type Values = Vec<Text>;

impl Text {
    /// These characters.
    pub fn literal(text: impl Into<String>) -> Self {
        let text = text.into();
        if text.is_empty() {
            return Self::default();
        }
        Self {
            size: text.len(),
            atoms: vec![Atom::Text(text)],
        }
    }

    /// Anything.
    pub fn unknown() -> Self {
        Self {
            atoms: vec![Atom::Unknown],
            size: ATOM_SIZE,
        }
    }

    /// `*`
    pub fn run() -> Self {
        Self {
            atoms: vec![Atom::Run],
            size: ATOM_SIZE,
        }
    }

    /// `**`
    pub fn below() -> Self {
        Self {
            atoms: vec![Atom::Below { hidden: true }],
            size: ATOM_SIZE,
        }
    }

    /// The pieces.
    pub fn atoms(&self) -> &[Atom] {
        &self.atoms
    }

    /// Whether it is the empty string.
    pub fn is_empty(&self) -> bool {
        self.atoms.is_empty()
    }

    /// The string, if no part is a pattern or unknown.
    pub fn as_literal(&self) -> Option<&str> {
        match &self.atoms[..] {
            [] => Some(""),
            [Atom::Text(text)] => Some(text),
            _ => None,
        }
    }

    /// The characters that it begins with.
    pub fn prefix(&self) -> &str {
        match self.atoms.first() {
            Some(Atom::Text(text)) => text,
            _ => "",
        }
    }

    /// Adds characters.
    pub fn push_str(&mut self, text: &str) {
        if text.is_empty() || !self.grow(text.len()) {
            return;
        }
        if let Some(Atom::Text(last)) = self.atoms.last_mut() {
            last.push_str(text);
        } else {
            self.atoms.push(Atom::Text(text.to_owned()));
        }
    }

    /// Adds a `*` of a glob; the second of a component that has nothing else stands for any depth.
    pub fn push_star(&mut self, hidden: bool) {
        let is_second = match &self.atoms[..] {
            [Atom::Run] => true,
            [.., Atom::Text(before), Atom::Run] => before.ends_with('/'),
            _ => false,
        };
        if is_second {
            self.atoms.pop();
            self.push(Atom::Below { hidden });
        } else {
            self.push(Atom::Run);
        }
    }

    /// Adds a piece.
    pub fn push(&mut self, atom: Atom) {
        match atom {
            Atom::Text(text) => self.push_str(&text),
            // Two in a row say no more than one.
            Atom::Unknown if self.atoms.last() == Some(&Atom::Unknown) => {}
            Atom::Run if self.atoms.last() == Some(&Atom::Run) => {}
            atom => {
                if self.grow(ATOM_SIZE) {
                    self.atoms.push(atom);
                }
            }
        }
    }

    /// Makes room for `more`; false where the text is too long and so became unknown.
    fn grow(&mut self, more: usize) -> bool {
        self.size += more;
        if self.size > MAX_SIZE {
            *self = Self::unknown();
            // What follows is part of what is unknown.
            self.size = MAX_SIZE;
            return false;
        }
        true
    }

    /// How much memory it takes, about.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Adds all of `other`.
    pub fn append(&mut self, other: &Self) {
        for atom in &other.atoms {
            self.push(atom.clone());
        }
    }

    /// This and then `other`.
    pub fn joined(&self, other: &Self) -> Self {
        let mut both = self.clone();
        both.append(other);
        both
    }

    /// The rest after `length` bytes of the characters that it begins with.
    pub fn without_prefix(&self, length: usize) -> Self {
        let mut rest = Self::default();
        let mut atoms = self.atoms.iter();
        if let Some(Atom::Text(first)) = self.atoms.first() {
            atoms.next();
            rest.push_str(first.get(length..).unwrap_or(""));
        }
        for atom in atoms {
            rest.push(atom.clone());
        }
        rest
    }

    /// Splits at a character of the known parts.
    pub fn split(&self, separator: impl Fn(char) -> bool) -> Vec<Self> {
        let mut pieces = vec![Self::default()];
        for atom in &self.atoms {
            let Atom::Text(text) = atom else {
                if let Some(last) = pieces.last_mut() {
                    last.push(atom.clone());
                }
                continue;
            };
            for (index, piece) in text.split(&separator).enumerate() {
                if index > 0 {
                    pieces.push(Self::default());
                }
                if let Some(last) = pieces.last_mut() {
                    last.push_str(piece);
                }
            }
        }
        pieces
    }

    /// Whether a known part holds `what`.
    pub fn contains(&self, what: impl Fn(char) -> bool) -> bool {
        self.atoms
            .iter()
            .any(|atom| matches!(atom, Atom::Text(text) if text.contains(&what)))
    }

    /// With `change` applied to each known part.
    pub fn map(&self, change: impl Fn(&str) -> String) -> Self {
        let mut changed = Self::default();
        for atom in &self.atoms {
            match atom {
                Atom::Text(text) => changed.push_str(&change(text)),
                atom => changed.push(atom.clone()),
            }
        }
        changed
    }

    /// With the glob characters of the known parts taken as patterns, as an unquoted variable has them.
    pub fn globbed(&self) -> Self {
        if !self.contains(|c| matches!(c, '*' | '?' | '[')) {
            return self.clone();
        }
        let mut globbed = Self::default();
        for atom in &self.atoms {
            let Atom::Text(text) = atom else {
                globbed.push(atom.clone());
                continue;
            };
            for piece in text.split_inclusive(['*', '?', '[']) {
                let sign = piece
                    .chars()
                    .next_back()
                    .filter(|last| matches!(last, '*' | '?' | '['));
                globbed.push_str(piece.strip_suffix(['*', '?', '[']).unwrap_or(piece));
                match sign {
                    Some('*') => globbed.push_star(true),
                    Some('?') => globbed.push(Atom::One),
                    Some(_) => globbed.push(Atom::Bracket),
                    None => {}
                }
            }
        }
        globbed.close_brackets();
        globbed
    }

    /// Makes a set of each open bracket that has its partner, and a plain character of each other.
    pub fn close_brackets(&mut self) {
        if !self.atoms.contains(&Atom::Bracket) {
            return;
        }
        let atoms = std::mem::take(&mut self.atoms);
        self.size = 0;
        let mut rest = atoms.into_iter().peekable();
        while let Some(atom) = rest.next() {
            if atom != Atom::Bracket {
                self.push(atom);
                continue;
            }
            // `[[:alpha:]` begins with two.
            let inner = if rest.next_if_eq(&Atom::Bracket).is_some() {
                "["
            } else {
                ""
            };
            let joined = |text: &String| format!("{inner}{text}");
            match rest.next_if(
                |next| matches!(next, Atom::Text(text) if set_end(&joined(text)).is_some()),
            ) {
                Some(Atom::Text(text)) => {
                    let text = joined(&text);
                    let end = set_end(&text).unwrap_or(0);
                    self.push(Atom::Set(text[..end].to_owned()));
                    self.push_str(&text[end + 1..]);
                }
                _ => {
                    self.push_str("[");
                    self.push_str(inner);
                }
            }
        }
    }

    /// As [`Text::render_quotable`], where the quotes may be single ones: a variable is taken out of them.
    pub fn render_line(&self) -> String {
        let line = self.render_quotable();
        let mut parts = line.split("${__");
        let mut out = parts.next().unwrap_or("").to_owned();
        for part in parts {
            let quoted = !out.contains('"') && out.matches('\'').count() % 2 == 1;
            match part.split_once('}').filter(|_| quoted) {
                Some((name, after)) => out.extend(["'\"${__", name, "}\"'", after]),
                None => out.extend(["${__", part]),
            }
        }
        out
    }

    /// As a line of the shell would have it, with a variable of no known value for what is unknown.
    pub fn render(&self) -> String {
        self.rendered("*", "*")
    }

    /// The same for a line in which quotes may stand around what names anything: there a `*` would be none.
    pub fn render_quotable(&self) -> String {
        self.rendered("${__any}", "${__below}")
    }

    fn rendered(&self, any: &str, below: &str) -> String {
        let mut out = String::new();
        for atom in &self.atoms {
            match atom {
                Atom::Text(text) => out.push_str(text),
                Atom::One => out.push('?'),
                Atom::Run => out.push_str(any),
                Atom::Below { .. } => out.push_str(below),
                Atom::Set(set) => {
                    out.push('[');
                    out.push_str(set);
                    out.push(']');
                }
                Atom::Unknown => out.push_str("${__unknown}"),
                Atom::Bracket => out.push('['),
                Atom::LeftOut(_) => out.push('.'),
            }
        }
        out
    }
}

/// The position of the `]` that ends the set which begins before `text`.
fn set_end(text: &str) -> Option<usize> {
    let negation = usize::from(text.starts_with(['!', '^']));
    let first = negation + usize::from(text[negation..].starts_with(']'));
    let mut end = first + text.get(first..)?.find(']')?;
    // `[[:alpha:]]` has a bracket inside.
    while text[..end]
        .rfind("[:")
        .is_some_and(|open| !text[open..end].contains(":]") && text[..end].ends_with(':'))
    {
        end += 1 + text.get(end + 1..)?.find(']')?;
    }
    // A slash ends the search: no set matches one.
    (end > 0 && !text[..end].contains('/')).then_some(end)
}

/// Whether the set `[set]` takes `character`.
pub fn set_holds(set: &str, character: char) -> bool {
    let (negated, set) = match set.strip_prefix(['!', '^']) {
        Some(rest) => (true, rest),
        None => (false, set),
    };
    let members: Vec<char> = set.chars().collect();
    let mut held = false;
    let mut at = 0;
    while at < members.len() {
        if members[at] == '[' && members.get(at + 1) == Some(&':') {
            // A class such as `[:alpha:]`: taken to hold whatever is asked.
            held = true;
            at += members[at..]
                .iter()
                .position(|c| *c == ']')
                .unwrap_or(members.len());
        } else if members.get(at + 1) == Some(&'-') && at + 2 < members.len() {
            held |= members[at] <= character && character <= members[at + 2];
            at += 2;
        } else {
            held |= members[at] == character;
        }
        at += 1;
    }
    held != negated
}
