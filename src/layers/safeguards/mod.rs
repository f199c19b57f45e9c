//! What an agent may change only with the user's consent: what measures it, and what governs it.

mod benchmarks;
pub mod own;
mod patch;

use guard_decisions::Kind;
use guard_shell::{AccessKind, Reach, Run};

use crate::call::Tool;
use crate::effects::{Seen, Touched};
use crate::environment::NAME;
use crate::paths::Place;
use crate::scene::Scene;
use crate::verdict::Ruling;

/// Asks the user before a benchmark, an evaluator, internal state or the governor is changed.
pub fn rule(scene: &Scene) -> Ruling {
    match scene.tool {
        Tool::Write(paths) => first(paths.iter().map(|path| file_change(scene, path))),
        Tool::RunCommand(_) | Tool::Script(_) => shell(scene),
        _ => PASS,
    }
}

const PASS: Ruling = Ruling::Pass("changes nothing that is protected");

/// What a protected path is, for the reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Protection {
    Internal,
    Governor,
    Benchmark,
}

impl Protection {
    fn text(self) -> &'static str {
        match self {
            Self::Internal => "the host's own record of a conversation",
            Self::Governor => "which makes the execution guard work",
            Self::Benchmark => "part of a benchmark or evaluator",
        }
    }

    fn kind(self) -> Kind {
        match self {
            Self::Internal | Self::Governor => Kind::GuardAsked,
            Self::Benchmark => Kind::BenchmarkAsked,
        }
    }

    fn ask(self, scene: &Scene, path: &str) -> Ruling {
        let reason = format!(
            "`{}` would change {path}, {}. Only the user can allow that. If they decline, leave it as it is and go on \
             without the change.",
            scene.call.name,
            self.text()
        );
        Ruling::ForceAsk(self.kind(), reason)
    }
}

fn first(mut rulings: impl Iterator<Item = Ruling>) -> Ruling {
    rulings.find(|ruling| *ruling != PASS).unwrap_or(PASS)
}

fn file_change(scene: &Scene, path: &str) -> Ruling {
    let place = scene.place(path);
    match protection(scene, &place).or_else(|| folder_above(scene, &place)) {
        Some(protection) => protection.ask(scene, &place.named.display().to_string()),
        None => PASS,
    }
}

/// What is protected in the folder that a file tool removes.
fn folder_above(scene: &Scene, place: &Place) -> Option<Protection> {
    if !place.real.is_dir() {
        return None;
    }
    if scene.holds_internal(place) {
        return Some(Protection::Internal);
    }
    let names = scene.machine.names;
    // Where no workspace is known, the registration in the folder itself tells.
    let registration = Place::at(&place.named.join("hooks.json"));
    let holds_one = registration.real.exists() && own::is_own(scene, &registration);
    let is_above = || {
        scene
            .own_places()
            .iter()
            .any(|own| place.either(|path| names.is_below(own, path)))
    };
    (holds_one || is_above()).then_some(Protection::Governor)
}

/// What a path is protected as.
fn protection(scene: &Scene, place: &Place) -> Option<Protection> {
    let names = scene.machine.names;
    if place.either(|path| names.internal(path).is_some()) {
        return Some(Protection::Internal);
    }
    if own::is_own(scene, place) {
        return Some(Protection::Governor);
    }
    let protected = &scene.machine.config.protected;
    let is_benchmark =
        place.either(|path| names.is_benchmark(path, scene.folders(path), protected));
    is_benchmark.then_some(Protection::Benchmark)
}

fn shell(scene: &Scene) -> Ruling {
    let Some(seen) = scene.seen() else {
        return PASS;
    };
    let runs = seen.effects().runs.iter().map(|run| escape(scene, run));
    let changes = seen.touched().map(|touched| change(scene, &touched));
    first(
        runs.chain(changes)
            .chain(std::iter::once_with(|| unfollowed(scene, seen))),
    )
}

fn change(scene: &Scene, touched: &Touched) -> Ruling {
    let protection = match touched.access.kind {
        AccessKind::Write => written(scene, touched),
        AccessKind::Patch => patch::protection(scene, touched),
        AccessKind::Read | AccessKind::List | AccessKind::Named => None,
    };
    protection.map_or(PASS, |protection| protection.ask(scene, &touched.display()))
}

fn written(scene: &Scene, touched: &Touched) -> Option<Protection> {
    if let Some(protection) = touched.place().and_then(|place| protection(scene, &place)) {
        return Some(protection);
    }
    if touched.reaches_internal(scene) >= Reach::ByRecursion {
        return Some(Protection::Internal);
    }
    if scene.own_places().iter().any(|own| {
        touched.reaches(own, scene) >= Reach::ByRecursion
            && (removes_or_names(touched) || !own::is_workspaces(scene, own))
    }) {
        return Some(Protection::Governor);
    }
    if own::is_registration_reached(scene, touched) {
        return Some(Protection::Governor);
    }
    benchmarks::are_reached(scene, touched).then_some(Protection::Benchmark)
}

/// Whether a change is more than that of a formatter or of `git` that runs over a whole tree: each workspace that
/// registers the governor would be asked about.
fn removes_or_names(touched: &Touched) -> bool {
    touched.access.by == "git clean" || benchmarks::takes_all_below(touched)
}

/// A line that could not be followed to its end is asked about if it names what is protected.
fn unfollowed(scene: &Scene, seen: &Seen) -> Ruling {
    let text = scene.script().map_or("", |script| script.text());
    if seen.effects().complete {
        return PASS;
    }
    let names_own = [NAME, "hooks.json", "mcp_config.json"]
        .iter()
        .any(|name| text.contains(name));
    let mut parts = text.split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-' | '.')));
    let folders = &scene.machine.config.protected.folders;
    let names_benchmark = parts.any(|part| {
        folders
            .iter()
            .any(|folder| part.eq_ignore_ascii_case(folder))
    });
    match (names_own, names_benchmark) {
        (true, _) => Protection::Governor.ask(scene, "something that this line names"),
        (_, true) => Protection::Benchmark.ask(scene, "something that this line names"),
        _ => PASS,
    }
}

/// The ways out of the governor belong to the user.
fn escape(scene: &Scene, run: &Run) -> Ruling {
    let is_way_out = match run.program() {
        "execution-guard" | "execution-guard-cli" => run.words[1..].iter().any(|word| {
            // A word that only the shell knows can be any of them.
            let word = word.as_deref();
            word.is_none_or(|word| matches!(word, "uninstall" | "rollback" | "reset"))
        }),
        _ => {
            let mut words = run.words.iter().flatten();
            words.any(|word| word.ends_with("install.sh"))
                && run.words.iter().flatten().any(|word| word == "--uninstall")
        }
    };
    if !is_way_out {
        return PASS;
    }
    let reason = format!(
        "`{}` would switch off or reset the execution guard. Only the user can allow that. If they decline, end your \
         turn.",
        scene.call.name
    );
    Ruling::ForceAsk(Kind::GuardAsked, reason)
}
