//! Layer 2, commands: a shell line gets its rtk form, in place and byte for byte what it was
//! otherwise. What rtk can do and what speaks against it is `guard_rtk::rewrite`'s to know.

use std::path::{Path, PathBuf};

use guard_rtk::rewrite::{FileKind, Machine as RtkMachine, Surroundings, judge_line, kind_on_disk};

use crate::call::{RunCommand, Tool};
use crate::machine::Machine;
use crate::scene::Scene;
use crate::tools::{Rtk, is_found_by_name};
use crate::verdict::{Changes, Ruling};

/// Rewrites what rtk shortens without changing what it does.
pub fn rule(scene: &Scene) -> Ruling {
    let (Tool::RunCommand(command), Some(script)) = (scene.tool, scene.script()) else {
        return Ruling::Pass("not a shell command");
    };
    let Some(rtk) = Rtk::find(scene.machine) else {
        return Ruling::Pass("no rtk on this machine: rewriting is off");
    };
    let here = Here {
        machine: scene.machine,
        home: scene.home(),
        cwd: folder(scene, command),
    };
    let surroundings = Surroundings {
        machine: &here,
        rtk: &rtk.word,
        windows: cfg!(windows),
    };
    let verdict = judge_line(script, &surroundings);
    match verdict.apply(script.text()) {
        Some(line) => Ruling::Change(Changes {
            command_line: Some(line),
            ..Changes::default()
        }),
        None => Ruling::Pass(
            verdict
                .reasons
                .first()
                .map_or("rtk has no form for it", |reason| reason.name()),
        ),
    }
}

/// The folder in which the command runs.
fn folder(scene: &Scene, command: &RunCommand) -> PathBuf {
    let place = scene.place(command.cwd.as_deref().unwrap_or("."));
    place.named
}

/// This machine, as the table of rewrites asks about it.
struct Here<'a> {
    machine: &'a Machine,
    home: Option<&'a Path>,
    cwd: PathBuf,
}

impl RtkMachine for Here<'_> {
    fn kind(&self, path: &Path) -> FileKind {
        kind_on_disk(&self.cwd.join(path))
    }

    fn has_program(&self, name: &str) -> bool {
        is_found_by_name(self.machine, name)
    }

    fn home(&self) -> Option<&Path> {
        self.home
    }
}
