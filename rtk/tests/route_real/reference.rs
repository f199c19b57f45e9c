//! What a search must find: by a walk with the `regex` crate, and by the command that the native tool runs.

use std::collections::BTreeSet;

use guard_rtk::route::{GrepSearch, Target, grep_search};
use regex::{Regex, RegexBuilder};

use crate::support::{FILES, POWERSHELL, Scratch, WITH_RG, lines};

/// What to look for, told to the reference in its own terms.
fn matcher(search: &GrepSearch) -> Regex {
    let pattern = if search.is_regex {
        search.query.to_owned()
    } else {
        regex::escape(search.query)
    };
    RegexBuilder::new(&pattern)
        .case_insensitive(search.case_insensitive)
        .build()
        .expect("a valid test pattern")
}

/// The matches in the files that `included` lets through, as `rg` prints them, in no order.
fn expected(
    scratch: &Scratch,
    search: &GrepSearch,
    root: &str,
    included: &dyn Fn(&str) -> bool,
) -> BTreeSet<String> {
    let matcher = matcher(search);
    let mut text = String::new();
    for (name, content) in FILES.iter().filter(|(name, _)| included(name)) {
        let path = match root {
            "." => format!("./{name}"),
            _ => scratch.path(name),
        };
        for (i, line) in content
            .lines()
            .enumerate()
            .filter(|(_, line)| matcher.is_match(line))
        {
            match (search.match_per_line, search.path_is_file) {
                (true, true) => text.push_str(&format!("{}:{line}\n", i + 1)),
                (true, false) => text.push_str(&format!("{path}:{}:{line}\n", i + 1)),
                (false, _) => text.push_str(&format!("{path}\n")),
            }
        }
    }
    lines(&text)
}

/// The lines that rtk printed, its headings undone.
fn printed(text: &str) -> BTreeSet<String> {
    let mut folder = String::new();
    let mut out = String::new();
    for line in text.lines() {
        if let Some(heading) = line.strip_suffix(" files)") {
            // `FOLDER/ (N files)`, before names in that folder.
            let (prefix, _) = heading.rsplit_once(" (").expect("a heading of files");
            folder = prefix.to_owned();
        } else if !(line.ends_with(" files:") && line.contains(" matches in ")) {
            out.push_str(&format!("{folder}{line}\n"));
        }
    }
    lines(&out)
}

/// What the native tool would find, by the command it was seen to run.
fn native(scratch: &Scratch, search: &GrepSearch) -> BTreeSet<String> {
    let mut arguments = vec![if search.match_per_line {
        "--line-number"
    } else {
        "-l"
    }];
    if search.case_insensitive {
        arguments.push("-i");
    }
    if !search.is_regex {
        arguments.push("--fixed-strings");
    }
    let ignore_file = search
        .ignore_file
        .map(|file| format!("--ignore-file={file}"));
    arguments.extend(ignore_file.as_deref());
    if !search.path_is_file {
        arguments.extend(search.includes.iter().flat_map(|glob| ["-g", glob]));
    }
    arguments.extend(["--", search.query]);
    if !search.path_is_file {
        return lines(&scratch.native_rg(search.path, &arguments));
    }
    arguments.push(search.path);
    let printed = scratch.native_rg("/", &arguments);
    match search.match_per_line {
        true => lines(&printed.replace(&format!("{}:", search.path), "")),
        false => lines(&printed),
    }
}

/// The same for the command printed: paths from the folder searched, as `rg` prints them there.
fn relative(printed: &str, search: &GrepSearch) -> BTreeSet<String> {
    let from_root = |line: String| match line.strip_prefix(search.path).unwrap_or(&line) {
        _ if search.path_is_file => line,
        rest => rest
            .trim_start_matches("./")
            .trim_start_matches('/')
            .to_owned(),
    };
    self::printed(printed).into_iter().map(from_root).collect()
}

/// The printed command finds what the native tool finds.
pub fn check_native(scratch: &Scratch, search: GrepSearch) {
    for match_per_line in [true, false] {
        let search = GrepSearch {
            match_per_line,
            ..search
        };
        let line = grep_search(&search, &WITH_RG).unwrap();
        assert_eq!(
            relative(&scratch.stdout(&line), &search),
            native(scratch, &search),
            "{line}"
        );
    }
}

/// For PowerShell: the same lines, though the words may be others.
pub fn check_powershell(scratch: &Scratch, search: GrepSearch) {
    let posix = scratch.stdout(&grep_search(&search, &WITH_RG).unwrap());
    let line = grep_search(&search, &POWERSHELL).unwrap();
    assert_eq!(
        printed(&scratch.stdout_of_powershell(&line)),
        printed(&posix),
        "{line}"
    );
}

/// Both forms of output hold exactly the matches in the files that `included` lets through, and what the native
/// tool finds.
pub fn check(
    scratch: &Scratch,
    search: GrepSearch,
    target: &Target,
    included: &dyn Fn(&str) -> bool,
) {
    for match_per_line in [true, false] {
        let search = GrepSearch {
            match_per_line,
            ..search
        };
        let line = grep_search(&search, target).unwrap();
        let root = if line.starts_with("(cd ") {
            "."
        } else {
            search.path
        };
        let expected = expected(scratch, &search, root, included);
        assert_eq!(printed(&scratch.stdout(&line)), expected, "{line}");
    }
    if target == &WITH_RG {
        check_native(scratch, search);
    }
}
