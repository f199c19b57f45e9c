//! Whether a pattern of a shell line meets a benchmark or an evaluator.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use guard_shell::{PathPattern, Reach};

use crate::effects::{self, Touched};
use crate::scene::Scene;

/// Whether a path of which a part is a pattern, or unknown, is one that is protected.
///
/// A protected folder that is spelled out counts as it stands. One that only a glob may mean has to be there: `*.py`
/// is no change of `eval_x.py` where there is none.
pub fn are_reached(scene: &Scene, touched: &Touched) -> bool {
    let spelled = touched.patterns().any(|pattern| {
        let (prefix, _) = pattern.literal_prefix();
        let below = below_workspace(pattern, scene.folders(&prefix));
        scene
            .machine
            .config
            .protected
            .folders
            .iter()
            .any(|folder| has_literally(&below, folder))
            // `git checkout x.py` may mean a folder, and all below it.
            || is_benchmark(scene, &prefix)
    });
    spelled
        || is_spelled_in_unknown_folder(scene, &touched.access.path)
        || (touched.access.path.literal().is_none() && meets_one_on_disk(scene, touched))
}

/// Whether the line spells the name of a protected file, in a folder that only the shell knows: `$(git rev-parse
/// --show-toplevel)/eval_x.py`.
fn is_spelled_in_unknown_folder(scene: &Scene, pattern: &PathPattern) -> bool {
    let (_, mut rest) = pattern.literal_prefix();
    while let [before @ .., last] = rest
        && effects::is_recursive(last)
    {
        rest = before;
    }
    let Some((file, folders)) = rest.split_last() else {
        return false;
    };
    if !folders.iter().any(effects::is_unknown) {
        return false;
    }
    let protected = &scene.machine.config.protected;
    match file.as_literal() {
        Some(name) => protected.is_file(OsStr::new(name)),
        None => !effects::is_unknown(file) && protected.begins_file(file.prefix()),
    }
}

fn has_literally(pattern: &PathPattern, folder: &str) -> bool {
    let (prefix, rest) = pattern.literal_prefix();
    let is_folder = |name: &str| name.eq_ignore_ascii_case(folder);
    prefix
        .components()
        .any(|part| part.as_os_str().to_str().is_some_and(is_folder))
        || rest
            .iter()
            .any(|text| text.as_literal().is_some_and(is_folder))
}

/// The pattern as seen from the workspace that holds it, whose own name says nothing.
fn below_workspace(pattern: &PathPattern, workspaces: &[PathBuf]) -> PathPattern {
    let (prefix, _) = pattern.literal_prefix();
    let below = workspaces
        .iter()
        .filter_map(|folder| prefix.strip_prefix(folder).ok());
    let shortest = below.min_by_key(|path| path.components().count());
    match shortest.and_then(Path::to_str) {
        Some(below) => pattern.with_prefix(&format!("/{below}")),
        None => pattern.clone(),
    }
}

fn meets_one_on_disk(scene: &Scene, touched: &Touched) -> bool {
    let ignore_case = scene.machine.names.case_blind;
    let pattern = &touched.access.path;
    let enough = if takes_all_below(touched) {
        Reach::ByRecursion
    } else {
        Reach::Spelled
    };
    let is_changed = |path: &Path| {
        let reach = path
            .to_str()
            .map_or(Reach::No, |path| pattern.reaches_path(path, ignore_case));
        reach >= enough && is_benchmark(scene, path)
    };
    let creates = creates_a_name(touched);
    let leads_on = |path: &Path| {
        path.to_str()
            .is_some_and(|path| pattern.reaches_into(path, ignore_case) >= Reach::ByRecursion)
    };
    let mut level = vec![pattern.literal_prefix().0];
    while !level.is_empty() {
        let mut next = Vec::new();
        for entry in level
            .iter()
            .filter_map(|folder| fs::read_dir(folder).ok())
            .flatten()
            .flatten()
        {
            if !scene.may_look_at_entry() {
                return false;
            }
            let path = entry.path();
            if is_changed(&path) {
                return true;
            }
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) && leads_on(&path) {
                if creates && is_benchmark(scene, &path) {
                    return true;
                }
                next.push(path);
            }
        }
        level = next;
    }
    false
}

fn is_benchmark(scene: &Scene, path: &Path) -> bool {
    let protected = &scene.machine.config.protected;
    scene
        .machine
        .names
        .is_benchmark(path, scene.folders(path), protected)
}

/// Whether a change makes a file of a given name where there need be none: `for d in bench*; do touch $d/new; done`.
fn creates_a_name(touched: &Touched) -> bool {
    const MAKERS: [&str; 6] = [">", "tee", "touch", "cp", "mkdir", "ln"];
    let (_, rest) = touched.access.path.literal_prefix();
    rest.last().is_some_and(|last| last.as_literal().is_some())
        && MAKERS.contains(&touched.access.by.as_str())
}

/// Whether a recursive change is one of each file below: a removal, a loop that writes to each, or a change of the files
/// of a given name. A formatter or `git` that runs over a whole tree is none: it would be asked about in each repository
/// with a benchmark.
pub fn takes_all_below(touched: &Touched) -> bool {
    const TAKERS: [&str; 12] = [
        "rm",
        "mv",
        "find",
        "fd",
        "shred",
        "remove-item",
        "del",
        "rd",
        ">",
        "tee",
        "cp",
        "truncate",
    ];
    let (_, rest) = touched.access.path.literal_prefix();
    let ends_in_name = rest.last().is_some_and(|last| !effects::is_recursive(last));
    ends_in_name
        || TAKERS
            .iter()
            .any(|name| touched.access.by.eq_ignore_ascii_case(name))
}
