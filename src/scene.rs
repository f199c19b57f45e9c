//! One call together with the machine it is judged on: what every layer is given.

use std::cell::{Cell, OnceCell};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use guard_shell::Script;

use crate::call::{Call, Tool};
use crate::effects::{self, Seen};
use crate::layers::rewrite::{self, Rewritten};
use crate::layers::safeguards::own;
use crate::links::real;
use crate::machine::Machine;
use crate::paths::{Base, Place};
use crate::zones::{Internal, TaskLog, task_number};

/// How many entries of folders are looked at for one call: a millisecond's worth.
const MOST_ENTRIES: usize = 2000;

/// A call under judgement.
#[derive(Debug)]
pub struct Scene<'a> {
    /// The call.
    pub call: &'a Call,
    /// Its tool with typed arguments.
    pub tool: &'a Tool,
    /// The machine.
    pub machine: &'a Machine,
    home: Option<PathBuf>,
    script: Option<Script<'a>>,
    seen: OnceCell<Option<Seen>>,
    folders: OnceCell<Vec<PathBuf>>,
    rewritten: OnceCell<Rewritten>,
    touched_raw: OnceCell<BTreeSet<PathBuf>>,
    own_files: OnceCell<Vec<PathBuf>>,
    own_places: OnceCell<Vec<PathBuf>>,
    entries_left: Cell<usize>,
}

impl<'a> Scene<'a> {
    /// The scene of one call.
    pub fn new(call: &'a Call, tool: &'a Tool, machine: &'a Machine) -> Self {
        Self {
            call,
            tool,
            machine,
            home: machine.environment.home(),
            script: match tool {
                Tool::RunCommand(command) => Some(guard_shell::parse(&command.line)),
                Tool::Script(code) => Some(guard_shell::parse(code)),
                _ => None,
            },
            seen: OnceCell::new(),
            folders: OnceCell::new(),
            rewritten: OnceCell::new(),
            touched_raw: OnceCell::new(),
            own_files: OnceCell::new(),
            own_places: OnceCell::new(),
            entries_left: Cell::new(MOST_ENTRIES),
        }
    }

    /// The shell line of the call, parsed once for all layers.
    pub fn script(&self) -> Option<&Script<'a>> {
        self.script.as_ref()
    }

    /// What the shell line does; `None` for tools that are no shell.
    pub fn seen(&self) -> Option<&Seen> {
        let seen = || Some(Seen::of(self, self.script()?));
        self.seen.get_or_init(seen).as_ref()
    }

    /// What becomes of the shell line on its way to the shell.
    pub fn rewritten(&self) -> &Rewritten {
        self.rewritten.get_or_init(|| rewrite::rewritten(self))
    }

    /// Whether the line, as the shell gets it, touches `path` through rtk alone.
    pub fn reads_through_rtk(&self, path: &Path) -> bool {
        let Rewritten::To(line) = self.rewritten() else {
            return false;
        };
        let raw = self
            .touched_raw
            .get_or_init(|| effects::touched_raw(self, line));
        !raw.contains(path)
    }

    /// The governor's state, configuration and programs.
    pub fn own_files(&self) -> &[PathBuf] {
        self.own_files.get_or_init(|| own::files(self).collect())
    }

    /// The files on this machine that make the governor work.
    pub fn own_places(&self) -> &[PathBuf] {
        self.own_places.get_or_init(|| own::places(self).collect())
    }

    /// Takes one from the number of entries of folders that may still be looked at for this call; `false` if none is
    /// left.
    pub fn may_look_at_entry(&self) -> bool {
        let left = self.entries_left.get();
        self.entries_left.set(left.saturating_sub(1));
        left > 0
    }

    /// The user's home.
    pub fn home(&self) -> Option<&Path> {
        self.home.as_deref()
    }

    /// The folder that relative paths of native tools are relative to: the first workspace.
    pub fn workspace(&self) -> Option<&Path> {
        self.call.workspaces.first().map(PathBuf::as_path)
    }

    /// The place that an argument names.
    pub fn place(&self, text: &str) -> Place {
        self.base().place(text)
    }

    /// The open folders that `path` may lie in: as the host names them, and, where it is below none of these, with
    /// their links resolved as well.
    pub fn folders(&self, path: &Path) -> &[PathBuf] {
        let named = &self.call.workspaces;
        let names = self.machine.names;
        if named.iter().any(|folder| names.is_below(path, folder)) {
            return named;
        }
        self.folders.get_or_init(|| {
            let real = named.iter().map(|folder| real(folder));
            let mut folders: Vec<PathBuf> = named.iter().cloned().chain(real).collect();
            folders.dedup();
            folders
        })
    }

    /// The folder in which a shell call starts; its links are not resolved.
    pub fn working_folder(&self) -> PathBuf {
        let cwd = match self.tool {
            Tool::RunCommand(command) => command.cwd.as_deref(),
            _ => None,
        };
        self.base().named(cwd.unwrap_or("."))
    }

    fn base(&self) -> Base<'_> {
        Base {
            home: self.home(),
            cwd: self.workspace(),
        }
    }

    /// The internal state that a place is.
    pub fn internal(&self, place: &Place) -> Option<Internal> {
        let names = self.machine.names;
        let internal = names.internal(&place.named);
        internal
            .or_else(|| names.internal(&place.real))
            .or_else(|| Some(Internal::TaskLog(self.abbreviated_task_log(&place.named)?)))
    }

    /// Whether a recursive read of a place meets internal state.
    pub fn holds_internal(&self, place: &Place) -> bool {
        let artifacts = self.call.artifacts.as_deref();
        place.either(|path| {
            let names = self.machine.names;
            names.holds_internal(path, self.home(), artifacts)
        })
    }

    /// Whether a place lies in an open folder.
    pub fn in_workspace(&self, place: &Place) -> bool {
        place.either(|path| {
            let names = self.machine.names;
            let mut folders = self.folders(path).iter();
            folders.any(|folder| names.is_below(path, folder))
        })
    }

    /// Agents write `tasks/task-18.log` for a log of their own conversation. It is one where the
    /// workspace has no such file and the conversation has.
    fn abbreviated_task_log(&self, path: &Path) -> Option<TaskLog> {
        let number = task_number(path.file_name()?.to_str()?)?;
        if path.parent()?.file_name()? != "tasks" {
            return None;
        }
        let log = TaskLog {
            conversation: self.call.artifacts.clone()?,
            number,
        };
        (!path.exists() && log.path().exists()).then_some(log)
    }
}
