//! Layer 2, commands: a shell line gets its rtk form, in place and byte for byte what it was
//! otherwise. What rtk can do and what speaks against it is `guard_rtk::rewrite`'s to know.

use std::path::{Path, PathBuf};

use guard_rtk::rewrite::{
    FileKind, Machine as RtkMachine, Surroundings, judge_line, kind_seen_from,
};

use crate::call::Tool;
use crate::machine::Machine;
use crate::scene::Scene;
use crate::tools::{Rtk, is_found_by_name};
use crate::verdict::{Changes, Ruling};

/// What becomes of a shell line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Rewritten {
    /// It stays, and for a person why.
    Stays(&'static str),
    /// It becomes this line.
    To(String),
}

/// Rewrites what rtk shortens without changing what it does.
pub fn rule(scene: &Scene) -> Ruling {
    match scene.rewritten() {
        Rewritten::Stays(why) => Ruling::Pass(why),
        Rewritten::To(line) => Ruling::Change(Changes {
            command_line: Some(line.clone()),
            ..Changes::default()
        }),
    }
}

/// The line of the call in its rtk form.
pub fn rewritten(scene: &Scene) -> Rewritten {
    let (Tool::RunCommand(_), Some(script)) = (scene.tool, scene.script()) else {
        return Rewritten::Stays("not a shell command whose line can change");
    };
    let here = Here {
        machine: scene.machine,
        home: scene.home(),
        cwd: scene.working_folder(),
    };
    let judge = |rtk: &str| {
        let surroundings = Surroundings {
            machine: &here,
            rtk,
            windows: cfg!(windows),
        };
        judge_line(script, &surroundings)
    };
    let verdict = judge(BARE);
    if verdict.edits.is_empty() {
        let reason = verdict.reasons.first();
        return Rewritten::Stays(reason.map_or("rtk has no form for it", |reason| reason.name()));
    }
    // The search of the PATH is left to the lines that need it.
    let line = match Rtk::find(scene.machine) {
        None => return Rewritten::Stays("no rtk on this machine: rewriting is off"),
        Some(rtk) if rtk.word == BARE => verdict.apply(script.text()),
        Some(rtk) => judge(&rtk.word).apply(script.text()),
    };
    line.map_or(Rewritten::Stays("not rewritten"), Rewritten::To)
}

/// rtk as a shell that finds it reads it.
const BARE: &str = "rtk";

/// This machine, as the table of rewrites asks about it.
struct Here<'a> {
    machine: &'a Machine,
    home: Option<&'a Path>,
    cwd: PathBuf,
}

impl RtkMachine for Here<'_> {
    fn kind(&self, path: &Path) -> FileKind {
        kind_seen_from(&self.cwd, path)
    }

    fn has_program(&self, name: &str) -> bool {
        is_found_by_name(self.machine, name)
    }

    fn home(&self) -> Option<&Path> {
        self.home
    }
}
