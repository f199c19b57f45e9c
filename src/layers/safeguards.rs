//! What an agent may change only with the user's consent: what measures it, and what governs it.

use std::path::PathBuf;

use crate::call::Tool;
use crate::paths::Place;
use crate::scene::Scene;
use crate::sibling;
use crate::verdict::Ruling;

/// Asks the user before a benchmark, an evaluator, internal state or the governor is changed.
pub fn rule(scene: &Scene) -> Ruling {
    let Tool::Write(paths) = scene.tool else {
        return PASS;
    };
    let mut rulings = paths.iter().map(|path| write_of(scene, path));
    rulings.find(|ruling| *ruling != PASS).unwrap_or(PASS)
}

const PASS: Ruling = Ruling::Pass("changes nothing that is protected");

fn write_of(scene: &Scene, path: &str) -> Ruling {
    let place = scene.place(path);
    match protection(scene, &place) {
        Some(what) => Ruling::ForceAsk(format!(
            "`{}` would change {}, {what}. Only the user can allow that. If they decline, leave \
             it as it is and go on without the change.",
            scene.call.name,
            place.named.display()
        )),
        None => PASS,
    }
}

fn protection(scene: &Scene, place: &Place) -> Option<&'static str> {
    let names = scene.machine.names;
    let own = own_paths(scene);
    if place.either(|path| names.internal(path).is_some()) {
        return Some("the host's own record of this conversation");
    }
    if place.either(|path| names.is_governors(path, scene.home(), &own)) {
        return Some("which makes the execution guard work");
    }
    let protected = &scene.machine.config.protected;
    let is_benchmark =
        place.either(|path| names.is_benchmark(path, &scene.call.workspaces, protected));
    is_benchmark.then_some("part of a benchmark or evaluator")
}

/// The governor's state, configuration and programs.
fn own_paths(scene: &Scene) -> Vec<PathBuf> {
    let environment = &scene.machine.environment;
    let state = guard_state::state_dir(|name| environment.get(name)).ok();
    let programs = [sibling::hook().ok(), sibling::commands().ok()];
    let given = [state, environment.config_file()]
        .into_iter()
        .chain(programs);
    given.flatten().collect()
}
