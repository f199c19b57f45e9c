//! The paths that an expression may stand for.

use crate::effects::value::{Atom, Text};

/// The most paths that one expression stands for.
pub const MAX_PATHS: usize = 16;

/// What an expression stands for.
#[derive(Clone, Debug, Default)]
pub struct Value {
    pub paths: Vec<Text>,
    /// Whether it can be nothing else.
    pub closed: bool,
    /// Whether its paths are names found in a folder, which are paths only together with that folder.
    pub names: bool,
}

impl Value {
    pub fn of(path: Text) -> Self {
        Self {
            paths: vec![path],
            closed: true,
            names: false,
        }
    }

    pub fn literal(text: &str) -> Self {
        Self::of(Text::literal(text))
    }

    /// Either of two.
    pub fn or(mut self, other: Self) -> Self {
        self.closed &= other.closed;
        self.names |= other.names;
        self.paths.extend(other.paths);
        self.paths.truncate(MAX_PATHS);
        self
    }

    pub fn none() -> Self {
        Self {
            closed: true,
            ..Self::default()
        }
    }

    pub fn opened(mut self) -> Self {
        self.closed = false;
        self
    }

    pub fn map(mut self, change: impl Fn(&Text) -> Text) -> Self {
        self.paths = self.paths.iter().map(change).collect();
        self
    }

    /// This, `joint`, and `other`; what is unknown of one of them is so in the whole.
    pub fn joined(&self, joint: &str, other: &Self) -> Self {
        let unknown = [Text::unknown()];
        let parts = |value: &Self| {
            let known = if value.closed && !value.paths.is_empty() {
                &[]
            } else {
                &unknown[..]
            };
            [&value.paths, known].concat()
        };
        let (firsts, seconds) = (parts(self), parts(other));
        let mut paths = Vec::new();
        for first in &firsts {
            for second in seconds.iter().take(MAX_PATHS / firsts.len().min(MAX_PATHS)) {
                let is_absolute = joint == "/" && second.prefix().starts_with(['/', '~']);
                let first = if is_absolute || first.is_empty() {
                    Text::default()
                } else {
                    first.joined(&Text::literal(joint))
                };
                // Which names a folder has that the code spells is not known.
                let is_any = other.names && second.atoms() == [Atom::Run];
                let in_folder = first.prefix().contains(|c| !matches!(c, '.' | '/'));
                let second = if is_any && in_folder {
                    &unknown[0]
                } else {
                    second
                };
                paths.push(first.joined(second));
            }
        }
        let begins = |path: &Text| !path.is_empty() && path.atoms().first() != Some(&Atom::Unknown);
        Self {
            closed: self.closed && (other.closed || self.paths.iter().all(begins)),
            paths,
            names: false,
        }
    }

    /// The folder in which it is.
    pub fn parent(self) -> Self {
        self.map(|path| path.joined(&Text::literal("/..")))
    }

    /// What is directly in it, or at any depth.
    pub fn below(self, deep: bool) -> Self {
        let inside = if deep { Text::below() } else { Text::run() };
        self.map(|path| path.joined(&Text::literal("/")).joined(&inside))
    }
}
