//! What the effects of a shell line mean on this machine: which of its paths are internal state, benchmarks, or the
//! governor's own, links followed.

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use guard_shell::{
    Access, AccessKind, Atom, Component, Context, Effects, PathPattern, Reach, Script, Text,
};

use crate::links::Links;
use crate::paths::Place;
use crate::scene::Scene;
use crate::zones::{INTERNAL, Internal, files_in};

/// What a line does, with the links of its paths as they are first asked for.
#[derive(Debug)]
pub struct Seen {
    effects: Effects,
    real: Vec<OnceCell<Option<PathPattern>>>,
    links: Links,
}

impl Seen {
    /// What `script` does, where the call would run it.
    pub fn of(scene: &Scene, script: &Script) -> Self {
        let effects = of(scene, script);
        let real = effects.accesses.iter().map(|_| OnceCell::new()).collect();
        Self {
            effects,
            real,
            links: Links::default(),
        }
    }

    /// The effects.
    pub fn effects(&self) -> &Effects {
        &self.effects
    }

    /// The paths that the line touches.
    pub fn touched(&self) -> impl Iterator<Item = Touched<'_>> {
        let accesses = self.effects.accesses.iter().zip(&self.real);
        accesses.map(|(access, real)| Touched {
            access,
            real,
            links: &self.links,
        })
    }
}

/// How rtk reads a file: other commands of rtk hand on what a program prints.
const RTK_READS: [&str; 6] = [
    "rtk read", "rtk grep", "rtk rg", "rtk log", "rtk json", "rtk wc",
];

/// The paths that a line touches otherwise than through rtk, as far as it tells them whole.
pub fn touched_raw(scene: &Scene, line: &str) -> BTreeSet<PathBuf> {
    let effects = of(scene, &guard_shell::parse(line));
    let raw = effects
        .accesses
        .iter()
        .filter(|access| !is_rtk_read(access));
    raw.filter_map(|access| access.path.literal()).collect()
}

fn is_rtk_read(access: &Access) -> bool {
    RTK_READS.contains(&access.by.as_str())
}

fn of(scene: &Scene, script: &Script) -> Effects {
    let folder = scene.working_folder();
    let home = scene.home().and_then(Path::to_str);
    let variable = |name: &str| scene.machine.environment.get(name)?.into_string().ok();
    let program = |name: &str| {
        let found = scene.machine.environment.program(name)?;
        Some(found.to_str()?.to_owned())
    };
    let context = Context {
        folder: folder.to_str().unwrap_or("/"),
        home,
        environment: &variable,
        program: &program,
    };
    guard_shell::effects(script, &context)
}

/// A path that a line touches, as the line spells it and as the file system follows it.
#[derive(Debug, Clone, Copy)]
pub struct Touched<'a> {
    /// What is done to it.
    pub access: &'a Access,
    real: &'a OnceCell<Option<PathPattern>>,
    links: &'a Links,
}

impl<'a> Touched<'a> {
    /// The path with its links followed, where that is another one.
    fn real(&self) -> Option<&'a PathPattern> {
        let look_up = || {
            let (prefix, _) = self.access.path.literal_prefix();
            let followed = (prefix.components().count() > 1).then(|| self.links.real(&prefix))?;
            let differs = followed != prefix;
            differs.then(|| Some(self.access.path.with_prefix(followed.to_str()?)))?
        };
        self.real.get_or_init(look_up).as_ref()
    }

    /// Whether the path's contents go to the model or to a program that may print them.
    pub fn is_read(&self) -> bool {
        matches!(self.access.kind, AccessKind::Read | AccessKind::Named)
    }

    /// The path as people write it.
    pub fn display(&self) -> String {
        self.access.path.display()
    }

    /// The place where the line tells all of it.
    pub fn place(&self) -> Option<Place> {
        let named = self.access.path.literal()?;
        let real = self.real().and_then(PathPattern::literal);
        Some(Place {
            real: real.unwrap_or_else(|| named.clone()),
            named,
        })
    }

    /// How surely the path meets internal state.
    pub fn reaches_internal(&self, scene: &Scene) -> Reach {
        let ignore_case = scene.machine.names.case_blind;
        self.most(|path| {
            let by_name = path.reaches_component(INTERNAL, Component::Any, ignore_case);
            // A path that is known whole is internal by a name in it, or as a folder that an unknown program may read.
            if by_name == Reach::Spelled {
                return by_name;
            }
            if path.is_literal() {
                let handed =
                    self.access.kind == AccessKind::Named && holds_conversations(scene, path);
                return if handed { Reach::ByRecursion } else { by_name };
            }
            let by_place = internal_files(scene, path)
                .iter()
                .map(|file| path.reaches_path(file, ignore_case))
                .filter(|reach| *reach >= Reach::ByRecursion)
                .max();
            by_place
                .unwrap_or(Reach::No)
                .max(hidden_in_host_folder(scene, path))
        })
    }

    /// The internal state that the path is, where the line tells all of it.
    pub fn internal(&self, scene: &Scene) -> Option<Internal> {
        scene.internal(&self.place()?)
    }

    /// Whether the path is, by its spelling, one or more logs of tasks.
    pub fn may_be_task_log(&self, scene: &Scene) -> bool {
        self.access.path.literal().is_none()
            && self.reaches_internal(scene) >= Reach::ByRecursion
            && self.reaches_component("tasks", Component::Any) == Reach::Spelled
            && self.reaches_component("task-*.log", Component::Last) >= Reach::ByRecursion
    }

    /// Whether the line as the shell gets it reads the path through rtk.
    pub fn is_through_rtk(&self, scene: &Scene) -> bool {
        let literal = self.access.path.literal();
        is_rtk_read(self.access) || literal.is_some_and(|path| scene.reads_through_rtk(&path))
    }

    /// Whether rtk reads outputs of steps that the line does not tell one by one.
    pub fn is_spillover_through_rtk(&self) -> bool {
        is_rtk_read(self.access)
            && self.reaches_component("output.txt", Component::Last) == Reach::Spelled
    }

    /// The part of the path that the line tells.
    pub fn named_prefix(&self) -> Place {
        let (named, _) = self.access.path.literal_prefix();
        Place {
            real: named.clone(),
            named,
        }
    }

    /// The patterns under which the path is known.
    pub fn patterns(&self) -> impl Iterator<Item = &PathPattern> {
        std::iter::once(&self.access.path).chain(self.real())
    }

    /// How surely the path has a component that matches `glob`, letter case aside.
    pub fn reaches_component(&self, glob: &str, which: Component) -> Reach {
        self.most(|path| path.reaches_component(glob, which, true))
    }

    /// How surely the path is `place`, lies in it, or is a folder above it that is meant with all below.
    pub fn reaches(&self, place: &Path, scene: &Scene) -> Reach {
        let ignore_case = scene.machine.names.case_blind;
        let Some(place) = place.to_str() else {
            return Reach::No;
        };
        let into = |path: &PathPattern| {
            let reach = path.reaches_into(place, ignore_case);
            // There is nothing below a file.
            if reach >= Reach::ByRecursion && !path.is_literal() && Path::new(place).is_file() {
                Reach::No
            } else {
                reach
            }
        };
        self.most(|path| path.reaches_path(place, ignore_case).max(into(path)))
    }

    fn most(&self, reach: impl Fn(&PathPattern) -> Reach) -> Reach {
        let spelled = reach(&self.access.path);
        self.real().map_or(spelled, |real| spelled.max(reach(real)))
    }
}

/// Whether anything in `folder` can be meant by `path`: whether a closer look is worth its time.
fn may_reach_into(scene: &Scene, path: &PathPattern, folder: &Path) -> bool {
    let ignore_case = scene.machine.names.case_blind;
    let folder = folder.to_str();
    folder.is_some_and(|folder| path.reaches_into(folder, ignore_case) >= Reach::ByRecursion)
}

/// Files of internal state that a recursive read from above would meet: those of this conversation, of the one whose
/// folder the path is in, and of any other.
fn internal_files(scene: &Scene, path: &PathPattern) -> Vec<String> {
    let own = scene.call.artifacts.clone();
    let mut folders: Vec<PathBuf> = own
        .into_iter()
        .filter(|own| may_reach_into(scene, path, own))
        .collect();
    let hosts = scene.home().map(|home| home.join(".gemini"));
    if let Some(hosts) = hosts
        && may_reach_into(scene, path, &hosts)
    {
        let (prefix, _) = path.literal_prefix();
        for brain in PRODUCTS.map(|product| hosts.join(product).join("brain")) {
            let below = prefix.strip_prefix(&brain).ok();
            let named = below.and_then(|below| below.components().next());
            folders.extend(named.map(|conversation| brain.join(conversation)));
            folders.push(brain.join("conversation"));
        }
    }
    if folders.is_empty() {
        return Vec::new();
    }
    let number = number_in(path);
    let files = folders.iter().flat_map(|folder| files_in(folder, &number));
    files
        .filter_map(|file| Some(file.to_str()?.to_owned()))
        .collect()
}

/// The number that the unknown part of a path names, if any: `*/steps/17/output.txt`, `task-1*.log`.
fn number_in(path: &PathPattern) -> String {
    let (_, rest) = path.literal_prefix();
    let mut numbers = rest.iter().rev().filter_map(|component| {
        let text = component.prefix();
        let digits = &text[text.find(|c: char| c.is_ascii_digit())?..];
        let end = digits.find(|c: char| !c.is_ascii_digit());
        Some(&digits[..end.unwrap_or(digits.len())])
    });
    numbers.next().unwrap_or("0").to_owned()
}

/// The hosts' folders in `~/.gemini`; each has its conversations in `brain`.
const PRODUCTS: [&str; 3] = ["antigravity", "antigravity-cli", "antigravity-ide"];

/// `rg` leaves out hidden folders, and whoever runs it in the host's own folder adds `--hidden` next: a recursive read
/// that starts there counts as one of internal state.
fn hidden_in_host_folder(scene: &Scene, path: &PathPattern) -> Reach {
    let (_, rest) = path.literal_prefix();
    let ignore_case = scene.machine.names.case_blind;
    let leaves_out_all = || {
        let (start, _) = path.literal_prefix();
        let mut files = internal_files(scene, path);
        files.retain(|file| Path::new(file).starts_with(&start));
        !files.is_empty() && files.iter().all(|file| path.leaves_out(file, ignore_case))
    };
    if rest.last().is_some_and(is_recursive)
        && holds_conversations(scene, path)
        && !leaves_out_all()
    {
        Reach::ByRecursion
    } else {
        Reach::No
    }
}

/// Whether the known beginning of a path is a folder of the hosts with conversations in it.
fn holds_conversations(scene: &Scene, path: &PathPattern) -> bool {
    let Some(home) = scene.home() else {
        return false;
    };
    let (prefix, _) = path.literal_prefix();
    let names = scene.machine.names;
    names.is_below(&prefix, home)
        && names.is_below(&prefix, &home.join(".gemini"))
        && names.holds_internal(&prefix, Some(home), scene.call.artifacts.as_deref())
}

/// Whether a component may be anything, folders included.
pub fn is_unknown(component: &Text) -> bool {
    component.atoms().contains(&Atom::Unknown)
}

/// Whether a component means everything below.
pub fn is_recursive(component: &Text) -> bool {
    component
        .atoms()
        .iter()
        .any(|atom| matches!(atom, Atom::Below { .. }))
}
