//! The files that make the governor work.

use std::path::{Path, PathBuf};

use guard_shell::{Reach, Text};

use crate::effects::{self, Touched};
use crate::paths::Place;
use crate::scene::Scene;
use crate::sibling;

/// Whether a path is one of them: a registration, wherever a host reads one, or the governor's own.
pub fn is_own(scene: &Scene, place: &Place) -> bool {
    let names = scene.machine.names;
    place.either(|path| names.is_governors(path, scene.home(), scene.own_files()))
}

/// Whether a change of a shell line meets the registration in a folder's `.agents`, which no host need have named as a
/// workspace: the file itself, or it with all around it.
pub fn is_registration_reached(scene: &Scene, touched: &Touched) -> bool {
    touched.patterns().any(|pattern| {
        let (prefix, rest) = pattern.literal_prefix();
        if is_spelled_in_unknown_folder(scene, rest) {
            return true;
        }
        let agents = prefix
            .ancestors()
            .find(|folder| folder.ends_with(".agents"));
        agents.is_some_and(|agents| {
            touched.reaches(&agents.join("hooks.json"), scene) >= Reach::ByRecursion
        })
    })
}

/// Whether the line spells a registration, in a folder that only the shell knows: `$ROOT/.agents/hooks.json`.
fn is_spelled_in_unknown_folder(scene: &Scene, rest: &[Text]) -> bool {
    let known = rest.iter().rev().map_while(Text::as_literal);
    let mut names: Vec<&str> = known.collect();
    names.push("/");
    names.reverse();
    let spelled: PathBuf = names.iter().collect();
    let root = Some(Path::new("/"));
    rest.iter().any(effects::is_unknown) && scene.machine.names.is_governors(&spelled, root, &[])
}

/// Whether a place is the registration in a workspace.
pub fn is_workspaces(scene: &Scene, place: &Path) -> bool {
    let workspaces = &scene.call.workspaces;
    place.ends_with(".agents/hooks.json")
        && workspaces.iter().any(|folder| place.starts_with(folder))
}

/// Those that are on this machine, for changes of folders above them.
pub fn places(scene: &Scene) -> impl Iterator<Item = PathBuf> {
    let hosts = scene.home().map(|home| home.join(".gemini"));
    let registrations = [
        "config/hooks.json",
        "config/mcp_config.json",
        "antigravity-ide/hooks.json",
    ];
    let global = hosts
        .into_iter()
        .flat_map(move |hosts| registrations.map(|file| hosts.join(file)));
    let workspaces = scene
        .call
        .workspaces
        .iter()
        .map(|folder| folder.join(".agents/hooks.json"));
    let own = scene.own_files().iter().cloned();
    own.chain(global)
        .chain(workspaces)
        .filter(|path| Path::exists(path))
}

/// The governor's state, configuration and programs.
pub fn files(scene: &Scene) -> impl Iterator<Item = PathBuf> + use<> {
    let environment = &scene.machine.environment;
    let state = guard_state::state_dir(|name| environment.get(name)).ok();
    let programs = [sibling::hook().ok(), sibling::commands().ok()];
    [state, environment.config_file()]
        .into_iter()
        .chain(programs)
        .flatten()
}
