//! What a line does: the paths it reads, lists and changes, the programs it runs, and whether it only waits.
//!
//! The parsed line is run by an interpreter that touches nothing. It knows what the shell does to words, folders
//! and variables, and what the common programs do with their arguments ([`programs`]). What it can't know becomes
//! an unknown part of a path, never a guess.

mod args;
mod braces;
mod builtins;
mod context;
mod expand;
mod fields;
mod later;
mod loops;
mod machine;
mod matching;
mod parameter;
mod path;
mod programs;
mod run;
mod shells;
mod simple;
mod state;
mod targets;
mod value;
mod variables;
mod waits;
mod windows;
mod wrappers;
mod xargs;

pub use context::Context;
pub use matching::{Component, Reach};
pub use path::PathPattern;
pub use value::{Atom, Text};
pub use waits::Wait;

use crate::dialect::Dialect;
use crate::script::Script;

/// What a line does.
#[derive(Clone, Debug, Default)]
pub struct Effects {
    /// The paths that it touches, in the order in which it does.
    pub accesses: Vec<Access>,
    /// The programs that it runs, wrappers such as `sudo` and `xargs` taken off.
    pub runs: Vec<Run>,
    /// How long it waits, where it does nothing else.
    pub wait: Option<Wait>,
    /// Whether the whole line was followed. Where this is false, each word that could be a path stands among the
    /// accesses as [`AccessKind::Named`].
    pub complete: bool,
}

/// One access to a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Access {
    /// What is done.
    pub kind: AccessKind,
    /// To what. Where the line may be in one of several folders, there is one access for each.
    pub path: PathPattern,
    /// The program that does it, by its base name; `>` and `<` for redirections; `rtk read` and its like for what
    /// rtk does.
    pub by: String,
}

/// What is done to a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AccessKind {
    /// Its contents are read; with a path that ends in "everything below", those of all files there.
    Read,
    /// Its name, its attributes or the names in it are read.
    List,
    /// It is created, changed, moved or removed.
    Write,
    /// It is a patch that is applied: the files that it names are changed.
    Patch,
    /// It is handed to a program of which it is not known what it does with it.
    Named,
}

/// A program with its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// The words, the program first. `None` where a part of the word is not known.
    pub words: Vec<Option<String>>,
    /// The wrappers that were taken off, the outermost first.
    pub wrappers: Vec<String>,
}

impl Run {
    /// The base name of the program, without `.exe`; empty where it is not known.
    #[must_use]
    pub fn program(&self) -> &str {
        self.words
            .first()
            .and_then(Option::as_deref)
            .map_or("", programs::base_name)
    }
}

/// The effects of a parsed line. Never fails and never touches the disk; bounded in work and depth.
#[must_use]
pub fn effects(script: &Script<'_>, context: &Context<'_>) -> Effects {
    let mut machine = machine::Machine::new(context);
    if script.dialect() == Dialect::Posix {
        machine.run_script(script);
        machine.run_traps(0);
    } else {
        machine.run_windows(script.text());
        // The signs of a dialect can deceive: what bash would do counts too.
        let mut bash = machine::Machine::new(context);
        bash.run_script(script);
        bash.run_traps(0);
        machine.add_accesses(bash);
    }
    // The words of Windows lines were all looked at, whether bash reads them or not.
    let unread = script.problem().is_some() && script.dialect() == Dialect::Posix;
    if unread || !machine.is_complete() {
        machine.incomplete();
        machine.name_all_words(script.text());
    }
    machine.finish()
}
