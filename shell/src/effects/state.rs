//! What a shell remembers between the commands of a line: its folder, its variables, its functions.

use std::rc::Rc;

use super::value::{Text, Values};
use crate::script::Script;
use crate::syntax::Command;

/// The most values that a variable or the folder is remembered to have; beyond them it is unknown.
const MAX_VALUES: usize = 16;

/// The most references that lead from one name to the next.
const MAX_REFERENCES: usize = 8;

/// The state of a shell. A subshell works on a copy.
#[derive(Clone, Default)]
pub(super) struct State {
    /// The folders it may be in.
    pub folders: Values,
    /// The folder before the last `cd`.
    pub previous: Values,
    /// What `pushd` put away.
    pub stack: Vec<Values>,
    variables: Vec<(String, Values)>,
    /// `declare -n name=variable`
    references: Vec<(String, String)>,
    aliases: Vec<(String, Text)>,
    functions: Vec<(String, Rc<Function>)>,
    /// `$1`, `$2`, …; unknown where this is `None`.
    pub positional: Option<Values>,
    /// Whether a loop or a branch may have shifted the positional parameters.
    pub shifted: bool,
    /// Lines that `trap` keeps for later.
    pub traps: Vec<Rc<str>>,
    /// `shopt -s dotglob`
    pub dotglob: bool,
    /// `shopt -s lastpipe`
    pub lastpipe: bool,
}

/// A function: its body, and a script with the text and the here-documents that the body refers to.
pub(super) struct Function {
    pub body: Command,
    pub script: Script<'static>,
    /// Whether it was called.
    pub called: std::cell::Cell<bool>,
}

impl State {
    /// A shell that has just begun in `folder`.
    pub fn new(folder: Text) -> Self {
        Self {
            folders: vec![folder],
            ..Self::default()
        }
    }

    pub fn variable(&self, name: &str) -> Option<&Values> {
        let name = self.referred(name);
        self.variables
            .iter()
            .rev()
            .find(|(known, _)| known == name)
            .map(|(_, values)| values)
    }

    /// The variables with their values.
    pub fn variables(&self) -> impl Iterator<Item = (&str, &Values)> {
        let variables = self.variables.iter();
        variables.map(|(name, values)| (name.as_str(), values))
    }

    /// Sets a variable; where the command may not run, its old values stay possible.
    pub fn assign(&mut self, name: &str, values: Values, certain: bool) {
        let name = &*self.referred(name).to_owned();
        let old = self.variables.iter_mut().find(|(known, _)| known == name);
        match old {
            Some((_, known)) if certain => *known = bounded(values),
            Some((_, known)) => *known = united(known, values),
            None => self.variables.push((name.to_owned(), bounded(values))),
        }
    }

    /// Makes `name` another name for the variable `target`.
    pub fn refer(&mut self, name: &str, target: &str) {
        let target = target.split('[').next().unwrap_or(target);
        self.references.push((name.to_owned(), target.to_owned()));
    }

    /// The variable that `name` stands for.
    fn referred<'n>(&'n self, mut name: &'n str) -> &'n str {
        for _ in 0..MAX_REFERENCES.min(self.references.len()) {
            let mut references = self.references.iter().rev();
            match references.find(|(known, _)| known == name) {
                Some((_, target)) => name = target,
                None => break,
            }
        }
        name
    }

    /// `alias name=line`
    pub fn define_alias(&mut self, name: &str, line: Text) {
        self.aliases.push((name.to_owned(), line));
    }

    /// Whether `name` is an alias.
    pub fn is_alias(&self, name: &str) -> bool {
        self.aliases.iter().any(|(known, _)| known == name)
    }

    /// Takes an alias, which does not stand for itself inside its own line.
    pub fn take_alias(&mut self, name: &str) -> Option<Text> {
        let at = self.aliases.iter().rposition(|(known, _)| known == name)?;
        Some(self.aliases.swap_remove(at).1)
    }

    /// The aliases, for [`State::restore_aliases`].
    pub fn aliases(&self) -> Vec<(String, Text)> {
        self.aliases.clone()
    }

    /// Puts aliases back that were taken.
    pub fn restore_aliases(&mut self, aliases: Vec<(String, Text)>) {
        self.aliases = aliases;
    }

    /// Sets the positional parameters.
    pub fn set_positional(&mut self, values: Values) {
        self.positional = Some(values);
        self.shifted = false;
    }

    /// Drops the first `count` positional parameters; where one of them may be several words, or the number is not
    /// known, any may be gone.
    pub fn shift(&mut self, count: Option<usize>) {
        let Some(values) = &mut self.positional else {
            return;
        };
        let dropped = values.get(..count.unwrap_or(usize::MAX));
        match dropped.map(|dropped| dropped.iter().all(|value| value.as_literal().is_some())) {
            Some(true) => drop(values.drain(..count.unwrap_or(0))),
            Some(false) => self.shifted = true,
            // The shell refuses to shift more than there are.
            None => self.shifted |= count.is_none(),
        }
    }

    /// What a copy costs, in steps of work.
    pub fn size(&self) -> usize {
        self.references.len()
            + self.variables.len()
            + self.functions.len()
            + self.stack.len()
            + self.folders.len()
    }

    /// Forgets a variable.
    pub fn unset(&mut self, name: &str) {
        self.variables.retain(|(known, _)| known != name);
    }

    pub fn function(&self, name: &str) -> Option<Rc<Function>> {
        self.functions
            .iter()
            .rev()
            .find(|(known, _)| known == name)
            .map(|(_, function)| Rc::clone(function))
    }

    pub fn define(&mut self, name: &str, function: Rc<Function>) {
        self.functions.push((name.to_owned(), function));
    }

    /// The functions that were not called.
    pub fn uncalled(&self) -> Vec<Rc<Function>> {
        self.functions
            .iter()
            .map(|(_, function)| Rc::clone(function))
            .filter(|f| !f.called.get())
            .collect()
    }

    /// Changes the folder; where the command may not run, the old one stays possible.
    pub fn enter(&mut self, folders: Values, certain: bool) {
        self.previous.clone_from(&self.folders);
        self.folders = if certain {
            bounded(folders)
        } else {
            united(&self.folders, folders)
        };
    }

    /// What holds after commands that may or may not have run: `before` is the state before them.
    pub fn merge(&mut self, before: &Self) {
        self.folders = united(&before.folders, std::mem::take(&mut self.folders));
        self.merge_positional(before);
        for (name, values) in &mut self.variables {
            if let Some(old) = before.variable(name) {
                *values = united(old, std::mem::take(values));
            }
        }
    }

    /// Where some were shifted away, or others set, any of them may stand at any place.
    fn merge_positional(&mut self, before: &Self) {
        let (Some(now), Some(old)) = (&self.positional, &before.positional) else {
            return;
        };
        if now != old {
            let new = if old.ends_with(now) { &[] } else { &now[..] };
            self.positional = Some([old, new].concat());
            self.shifted = true;
        }
    }
}

fn bounded(values: Values) -> Values {
    if values.len() > MAX_VALUES {
        vec![Text::unknown()]
    } else {
        values
    }
}

fn united(old: &Values, new: Values) -> Values {
    let mut all = old.clone();
    for value in new {
        if !all.contains(&value) {
            all.push(value);
        }
    }
    bounded(all)
}
