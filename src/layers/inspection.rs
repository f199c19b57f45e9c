//! Layer 2, files: native reads and searches of the codebase go through rtk's filters.

use std::path::Path;

use guard_decisions::Kind as Decided;
use guard_rtk::route::content::{Content, LOOK_BYTES, Lines, look};
use guard_rtk::route::{self, FindByName, GrepSearch, Kind, Unroutable};

use crate::call::{Find, Grep, Read, Tool};
use crate::layers::routes::denial;
use crate::paths::Place;
use crate::scene::Scene;
use crate::tools::{Rtk, SHELL};
use crate::verdict::Ruling;

/// Routes native reads of workspace files to the rtk command that does the same.
pub fn rule(scene: &Scene) -> Ruling {
    let routed = match scene.tool {
        Tool::Read(read) => read_of(scene, read),
        Tool::Grep(grep) => search_of(scene, grep),
        Tool::Find(find) => find_of(scene, find),
        Tool::List(path) => listing_of(scene, path),
        _ => return Ruling::Pass("no inspection of the codebase"),
    };
    match routed {
        Ok(ruling) => ruling,
        Err(_) => Ruling::Pass("no command does the same"),
    }
}

type Routed = Result<Ruling, Unroutable>;

const NO_RTK: Ruling = Ruling::Pass("no rtk on this machine: routing is off");

/// How much of a command's output reaches the model whole: Antigravity (measured with SDK 0.1.22) keeps the last 8192
/// bytes, with a carriage return before each newline, and leaves no way to the rest.
const SHOWN_BYTES: u64 = 7500;

/// The workspace's own list of what searches leave out.
const IGNORE_FILE: &str = ".antigravityignore";

/// Why a place is left to the native tool, if it is.
fn left_to_native(scene: &Scene, place: &Place) -> Option<Ruling> {
    if !scene.in_workspace(place) {
        return Some(Ruling::Pass("not in the workspace"));
    }
    if scene.internal(place).is_some() {
        return Some(Ruling::Pass(
            "internal state: the guard and the lifecycle have judged it",
        ));
    }
    let is_special = place.either(|path| scene.machine.names.is_special(path, scene.home()));
    is_special.then_some(Ruling::Pass("an instruction, skill, rule or artifact"))
}

fn read_of(scene: &Scene, read: &Read) -> Routed {
    let mut large = Vec::new();
    for text in &read.paths {
        let place = scene.place(text);
        if left_to_native(scene, &place).is_some() {
            continue;
        }
        if let Some(too_much) = too_much(scene, read, &place) {
            large.push((place, too_much));
        }
    }
    let Some((_, TooMuch { why, .. })) = large.first() else {
        return Ok(Ruling::Pass(
            "bounded, binary, special or not in the workspace",
        ));
    };
    let Some(rtk) = Rtk::find(scene.machine) else {
        return Ok(NO_RTK);
    };
    let limit = scene.machine.config.bounded_view_lines;
    let paths = large.iter().map(|(place, _)| place.named.to_str());
    let paths: Vec<&str> = paths.collect::<Option<_>>().ok_or(Unroutable::NotUnicode)?;
    let command = match (&paths[..], read.start, read.end) {
        ([path], start, end) if start.is_some() || end.is_some() => {
            route::read_window(path, start, end, &rtk.target())
                .or_else(|_| route::read(&[path], &rtk.target()))?
        }
        (paths, ..) => route::read(paths, &rtk.target())?,
    };
    let bytes: u64 = large.iter().map(|(_, file)| file.bytes).sum();
    let to_the_rest = if bytes > SHOWN_BYTES {
        " this; the host shows the last 8 KB of what a command prints, so view in such ranges what is cut off"
    } else {
        ""
    };
    let bounded = format!(
        "To edit, view the exact lines with `view_file` and a range of at most {limit} lines \
         (StartLine and EndLine). To read, run{to_the_rest}:"
    );
    let why = format!("`{}` refused: {why}.", scene.call.name);
    Ok(denial(Decided::Routed, &why, &bounded, &[command]))
}

/// A file of which a read would pour out more than the bound.
struct TooMuch {
    /// Text for the reason.
    why: String,
    /// The size of the file.
    bytes: u64,
}

/// Whether and why a read would pour out more than the bound.
fn too_much(scene: &Scene, read: &Read, place: &Place) -> Option<TooMuch> {
    let limit = scene.machine.config.bounded_view_lines;
    let range = read.start.or(read.end).map(|_| Range::of(read));
    if read.windowed
        && range
            .as_ref()
            .and_then(Range::length)
            .is_some_and(|lines| lines <= limit)
    {
        return None;
    }
    // The look reaches as far as a range that ends with the file could.
    let first = range.as_ref().map_or(1, |range| range.start);
    let reach = limit.saturating_add(first - 1);
    // What can't be read is the native tool's to report; what is no text, its to show.
    let Ok(Content::Text { lines, bytes }) = look(&place.real, reach) else {
        return None;
    };
    if !read.windowed {
        let why = "it reads whole files past rtk's filters".to_owned();
        return Some(TooMuch { why, bytes });
    }
    let asked = match (lines, range) {
        (Lines::Exactly(_), _) => return None,
        (_, Some(range)) => format!("{range}, more than {limit} lines,"),
        // Its lines were not all counted.
        (_, None) if bytes > LOOK_BYTES => format!("a whole file of {bytes} bytes"),
        (_, None) => format!("a whole file of more than {limit} lines"),
    };
    let why = format!("{asked} would fill your context");
    Some(TooMuch { why, bytes })
}

/// The lines that a windowed read asks for.
struct Range {
    start: u64,
    end: Option<u64>,
}

impl Range {
    fn of(read: &Read) -> Self {
        Self {
            start: read.start.unwrap_or(1).max(1),
            end: read.end,
        }
    }

    fn length(&self) -> Option<u64> {
        Some(self.end?.saturating_add(1).saturating_sub(self.start))
    }
}

impl std::fmt::Display for Range {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self.end {
            Some(end) => write!(f, "lines {} to {end}", self.start),
            None => write!(f, "lines {} to the end", self.start),
        }
    }
}

fn search_of(scene: &Scene, grep: &Grep) -> Routed {
    let place = folder(scene, grep.path.as_deref());
    instead(scene, "search", &place, |path, rtk| {
        let ignore_file = scene.workspace().map(|folder| folder.join(IGNORE_FILE));
        let ignore_file = ignore_file.filter(|file| file.is_file());
        let search = GrepSearch {
            ignore_file: ignore_file.as_deref().and_then(Path::to_str),
            path,
            path_is_file: place.real.is_file(),
            query: &grep.query,
            is_regex: grep.is_regex,
            case_insensitive: grep.ignore_case,
            includes: &grep.includes,
            match_per_line: grep.per_line,
        };
        route::grep_search(&search, &rtk.search_target(scene.machine))
    })
}

fn find_of(scene: &Scene, find: &Find) -> Routed {
    let place = folder(scene, find.directory.as_deref());
    instead(scene, "search", &place, |path, rtk| {
        let request = FindByName {
            directory: path,
            pattern: find.pattern.as_deref().unwrap_or_default(),
            extensions: &find.extensions,
            excludes: &find.excludes,
            kind: match find.kind.as_deref() {
                Some("file") => Kind::File,
                Some("directory") => Kind::Directory,
                _ => Kind::Any,
            },
            max_depth: find.max_depth,
            full_path: find.full_path,
        };
        route::find_by_name(&request, &rtk.search_target(scene.machine))
    })
}

fn listing_of(scene: &Scene, text: &str) -> Routed {
    let place = scene.place(text);
    instead(scene, "listing", &place, |path, rtk| {
        route::list_dir(path, &rtk.target())
    })
}

/// The folder that a search names, else the workspace.
fn folder(scene: &Scene, text: Option<&str>) -> Place {
    scene.place(text.unwrap_or("."))
}

/// The denial with the command that `print` makes for `place`, unless that is left to the native tool.
fn instead(
    scene: &Scene,
    what: &str,
    place: &Place,
    print: impl FnOnce(&str, &Rtk) -> Result<String, Unroutable>,
) -> Routed {
    if let Some(ruling) = left_to_native(scene, place) {
        return Ok(ruling);
    }
    if !place.real.exists() {
        return Ok(Ruling::Pass(
            "nothing there: the tool's own error says so best",
        ));
    }
    let Some(rtk) = Rtk::find(scene.machine) else {
        return Ok(NO_RTK);
    };
    let path = place.named.to_str().ok_or(Unroutable::NotUnicode)?;
    let command = print(path, &rtk)?;
    let why = format!(
        "`{}` refused: rtk does the same {what} in fewer words.",
        scene.call.name
    );
    Ok(denial(
        Decided::Routed,
        &why,
        &format!("Run this with `run_command`{}:", shell_note()),
        &[command],
    ))
}

fn shell_note() -> &'static str {
    match SHELL {
        route::Shell::Posix => "",
        route::Shell::PowerShell => " (PowerShell)",
    }
}
