//! `grep_search`.
//!
//! The native tool (host of 2026, traced) runs `rg -F|… [-i] [-g GLOB]… -- QUERY` in the folder searched, and
//! `grep -r` or `git grep` (`-F` or `-E`) where there is no `rg`. The commands here are the same through rtk.

use super::glob::{alternatives, anchored, any_depth};
use super::{Line, Shell, Target, Unroutable, inside, operand};

/// The arguments of a `grep_search`, and what the disk says about them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct GrepSearch<'a> {
    /// `SearchPath`, absolute.
    pub path: &'a str,
    /// Whether `path` is a file: the native tool then ignores `Includes`.
    pub path_is_file: bool,
    /// `Query`.
    pub query: &'a str,
    /// `IsRegex`; default false, the query is literal.
    pub is_regex: bool,
    /// `CaseInsensitive`; default false.
    pub case_insensitive: bool,
    /// `Includes`: gitignore-style globs, `!` in front excludes.
    pub includes: &'a [String],
    /// `MatchPerLine`; default false, only the names of the files are printed.
    pub match_per_line: bool,
    /// The workspace's `.antigravityignore`, if it exists: the native tool hands it to `rg`.
    pub ignore_file: Option<&'a str>,
}

/// The search as `rtk rg`, or without `rg` as `rtk grep`.
///
/// # Errors
/// [`Unroutable::Empty`] for an empty query or path; [`Unroutable::NoSearchTool`] without `rg` where `grep` is missing
/// or would search another thing; [`Unroutable::Glob`] for a glob `grep` has no form for; what [`super::word`] refuses.
pub fn grep_search(search: &GrepSearch, target: &Target) -> Result<String, Unroutable> {
    if search.query.is_empty() || search.path.is_empty() {
        return Err(Unroutable::Empty);
    }
    if target.ripgrep {
        ripgrep(search, target)
    } else if target.grep {
        grep(search, target)
    } else {
        Err(Unroutable::NoSearchTool)
    }
}

fn ripgrep(search: &GrepSearch, target: &Target) -> Result<String, Unroutable> {
    let query = Query::of(search, target.shell);
    let mut line = Line::rtk(target, "rg");
    line.arg(if search.match_per_line { "-n" } else { "-l" })?;
    if search.case_insensitive {
        line.arg("-i")?;
    }
    if query.text.contains('\n') {
        line.arg("-U")?;
    }
    if !query.is_regex {
        line.arg("-F")?;
    }
    let includes = if search.path_is_file {
        &[]
    } else {
        search.includes
    };
    for glob in includes {
        glob_option(&mut line, glob)?;
    }
    if let Some(file) = search.ignore_file {
        line.args(["--ignore-file", &operand(target.shell, file)?])?;
    }
    line.args(["--", &query.text])?;
    // rg reads these globs from its working directory, and the native tool's is the folder searched.
    let from_there = includes.iter().any(|glob| anchored(glob)) || search.ignore_file.is_some();
    if from_there && !search.path_is_file {
        line.arg(".")?;
        return inside(target.shell, search.path, &line.text);
    }
    line.path(search.path)?;
    Ok(line.text)
}

fn glob_option(line: &mut Line, glob: &str) -> Result<(), Unroutable> {
    let glob = if anchored(glob) {
        glob
    } else {
        any_depth(glob)
    };
    match glob.starts_with('-') {
        true => line.arg(&format!("--glob={glob}"))?,
        false => line.args(["-g", glob])?,
    };
    Ok(())
}

/// `grep -r` as the native tool runs it, but not into git's own folder. It knows no ignore files.
fn grep(search: &GrepSearch, target: &Target) -> Result<String, Unroutable> {
    if search.query.contains('\n') {
        // grep reads each line of a pattern as a pattern of its own.
        return Err(Unroutable::NoSearchTool);
    }
    let query = Query::of(search, target.shell);
    let mut line = Line::rtk(target, "grep");
    line.arg(match (search.match_per_line, search.path_is_file) {
        (true, true) => "-nI",
        (true, false) => "-rnI",
        (false, true) => "-lI",
        (false, false) => "-rlI",
    })?;
    if search.case_insensitive {
        line.arg("-i")?;
    }
    line.arg(if query.is_regex { "-E" } else { "-F" })?;
    if !search.path_is_file {
        if !search.path.ends_with(".git") {
            line.arg("--exclude-dir=.git")?;
        }
        for glob in search.includes {
            grep_glob(&mut line, glob)?;
        }
    }
    line.args(["--", &query.text])?;
    line.path(search.path)?;
    Ok(line.text)
}

fn grep_glob(line: &mut Line, glob: &str) -> Result<(), Unroutable> {
    if anchored(glob) {
        return Err(Unroutable::Glob);
    }
    let (options, glob): (&[&str], &str) = match glob.strip_prefix('!') {
        Some(excluded) if excluded.ends_with('/') => {
            (&["--exclude-dir"], excluded.trim_end_matches('/'))
        }
        Some(excluded) => (&["--exclude", "--exclude-dir"], excluded),
        None if glob.ends_with('/') => return Err(Unroutable::Glob),
        None => (&["--include"], glob),
    };
    for name in alternatives(any_depth(glob))? {
        for option in options {
            line.arg(&format!("{option}={name}"))?;
        }
    }
    Ok(())
}

/// The query as it goes on the command line.
struct Query {
    text: String,
    is_regex: bool,
}

impl Query {
    /// PowerShell can't hand over a `"` or a trailing backslash whole, a regular expression can name them.
    fn of(search: &GrepSearch, shell: Shell) -> Self {
        let fragile = |text: &str| text.contains('"') || text.ends_with('\\');
        if shell == Shell::Posix || !fragile(search.query) {
            return Query {
                text: search.query.to_owned(),
                is_regex: search.is_regex,
            };
        }
        let mut text = String::new();
        let mut characters = search.query.chars();
        while let Some(c) = characters.next() {
            match c {
                '"' => text.push_str(r"\x22"),
                '\\' if search.is_regex => match characters.next() {
                    Some('"') => text.push_str(r"\x22"),
                    next => text.extend(std::iter::once('\\').chain(next)),
                },
                '\\' => text.push_str(r"\x5C"),
                c if !search.is_regex && ".+*?()|[]{}^$#&-~".contains(c) => text.extend(['\\', c]),
                c => text.push(c),
            }
        }
        if text.ends_with('\\') {
            text.push_str("(?:)");
        }
        Query {
            text,
            is_regex: true,
        }
    }
}
