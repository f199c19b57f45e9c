//! Internal state of the host, above all the transcript, is megabytes that no context survives.

use guard_shell::Reach;

use crate::call::Tool;
use crate::effects::{Seen, Touched};
use crate::layers::routes;
use crate::paths::Place;
use crate::scene::Scene;
use crate::verdict::Ruling;
use crate::zones::{INTERNAL, Internal};

/// Refuses reads of internal state. Task logs are the lifecycle's.
pub fn rule(scene: &Scene) -> Ruling {
    match scene.tool {
        Tool::Read(read) => first(read.paths.iter().map(|path| read_of(scene, path))),
        // Without a path the workspace is searched.
        Tool::Grep(grep) => search_of(scene, grep.path.as_deref().unwrap_or(".")),
        Tool::Find(find) => listing_of(scene, find.directory.as_deref().unwrap_or(".")),
        Tool::List(path) => listing_of(scene, path),
        Tool::RunCommand(_) | Tool::Script(_) => shell(scene),
        _ => PASS,
    }
}

const PASS: Ruling = Ruling::Pass("no read of internal state");

fn first(mut rulings: impl Iterator<Item = Ruling>) -> Ruling {
    rulings
        .find(|ruling| !matches!(ruling, Ruling::Pass(_)))
        .unwrap_or(PASS)
}

fn read_of(scene: &Scene, path: &str) -> Ruling {
    let place = scene.place(path);
    match scene.internal(&place) {
        Some(Internal::Spillover) => spillover(scene, &place),
        Some(Internal::Other) => routes::transcript_instead(scene, &place),
        Some(Internal::TaskLog(_)) | None => PASS,
    }
}

/// A recursive read of a folder above internal state reads that too.
fn search_of(scene: &Scene, path: &str) -> Ruling {
    let place = scene.place(path);
    match scene.internal(&place) {
        Some(Internal::TaskLog(_)) => PASS,
        Some(Internal::Spillover) => spillover(scene, &place),
        Some(Internal::Other) => routes::transcript_instead(scene, &place),
        None if scene.holds_internal(&place) => {
            routes::narrower_search(scene, &place.named.display().to_string())
        }
        None => PASS,
    }
}

/// Names above internal state are free, those within it are not.
fn listing_of(scene: &Scene, path: &str) -> Ruling {
    let place = scene.place(path);
    match scene.internal(&place) {
        Some(_) => routes::transcript_instead(scene, &place),
        None => PASS,
    }
}

/// A shell line reads what it reads, however it spells it.
fn shell(scene: &Scene) -> Ruling {
    let Some(seen) = scene.seen() else {
        return PASS;
    };
    let reads = seen.touched().map(|touched| shell_read(scene, &touched));
    first(reads.chain(std::iter::once_with(|| unfollowed(scene, seen))))
}

/// A line that could not be followed to its end is judged by what it names.
fn unfollowed(scene: &Scene, seen: &Seen) -> Ruling {
    let text = scene.script().map_or("", |script| script.text());
    if seen.effects().complete || !text.to_ascii_lowercase().contains(INTERNAL) {
        return PASS;
    }
    let folder = scene.call.artifacts.clone().unwrap_or_default();
    let place = Place {
        real: folder.clone(),
        named: folder,
    };
    routes::transcript_instead(scene, &place)
}

fn shell_read(scene: &Scene, touched: &Touched) -> Ruling {
    if !touched.is_read() {
        return PASS;
    }
    let reach = touched.reaches_internal(scene);
    if reach < Reach::ByRecursion || touched.may_be_task_log(scene) {
        return PASS;
    }
    let Some(place) = touched.place() else {
        return match reach {
            Reach::Spelled => routes::transcript_instead(scene, &touched.named_prefix()),
            _ if touched.is_spillover_through_rtk() => PASS,
            _ => routes::narrower_search(scene, &touched.display()),
        };
    };
    match scene.internal(&place) {
        Some(Internal::TaskLog(_)) => PASS,
        Some(Internal::Spillover) if touched.is_through_rtk(scene) => PASS,
        Some(Internal::Spillover) => spillover(scene, &place),
        Some(Internal::Other) => routes::transcript_instead(scene, &place),
        None => routes::narrower_search(scene, &touched.display()),
    }
}

fn spillover(scene: &Scene, place: &Place) -> Ruling {
    routes::read_instead(scene, &place.named, "the whole output of a step")
}
