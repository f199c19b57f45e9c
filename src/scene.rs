//! One call together with the machine it is judged on: what every layer is given.

use std::cell::OnceCell;
use std::path::{Path, PathBuf};

use guard_shell::{Effects, Script};

use crate::call::{Call, Tool};
use crate::effects;
use crate::layers::rewrite::{self, Rewritten};
use crate::machine::Machine;
use crate::paths::{Base, Place, real};
use crate::zones::{Internal, TaskLog, task_number};

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
    effects: OnceCell<Option<Effects>>,
    folders: OnceCell<Vec<PathBuf>>,
    rewritten: OnceCell<Rewritten>,
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
            effects: OnceCell::new(),
            folders: OnceCell::new(),
            rewritten: OnceCell::new(),
        }
    }

    /// The shell line of the call, parsed once for all layers.
    pub fn script(&self) -> Option<&Script<'a>> {
        self.script.as_ref()
    }

    /// What the shell line does; `None` for tools that are no shell.
    pub fn effects(&self) -> Option<&Effects> {
        let effects = || Some(effects::of(self, self.script()?));
        self.effects.get_or_init(effects).as_ref()
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
        let effects = effects::of(self, &guard_shell::parse(line));
        let mut accesses = effects.accesses.iter();
        accesses.all(|access| {
            access.by.starts_with("rtk") || access.path.literal().as_deref() != Some(path)
        })
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
