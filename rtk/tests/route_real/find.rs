use std::collections::{BTreeMap, BTreeSet};

use guard_rtk::route::{FindByName, Kind, Target, Unroutable, find_by_name};

use crate::support::{FILES, Scratch, WITH_GREP, WITH_RG};

/// The entries of the tree that are neither hidden nor ignored, `true` for a folder.
fn entries() -> BTreeMap<String, bool> {
    let mut entries = BTreeMap::from([("bin.rs".to_owned(), false)]);
    for (name, _) in FILES {
        entries.insert((*name).to_owned(), false);
        for (i, _) in name.match_indices('/') {
            entries.insert(name[..i].to_owned(), true);
        }
    }
    entries
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().expect("split yields one at least")
}

/// Stands for a newline in a name while output is split into lines.
const NEWLINE: &str = "\u{1}";

/// The names that rtk printed, relative to `root`; what is no name of the tree comes out as it is.
///
/// rtk prints a name a line, or a heading (`FOLDER/ (2 files)`) and names below it, or for more names a line a folder,
/// `FOLDER/ NAME NAME`, which only a reader who knows the names can split.
fn names_in(printed: &str, root: &str) -> BTreeSet<String> {
    let known: Vec<String> = everything();
    let mut text = printed
        .replace(&format!("{root}/ "), "./ ")
        .replace(&format!("{root}/"), "");
    for name in known
        .iter()
        .map(|path| file_name(path))
        .filter(|name| name.contains('\n'))
    {
        text = text.replace(name, &name.replace('\n', NEWLINE));
    }
    let notes = ["... (", "[+", "ext: "];
    let mut names = BTreeSet::new();
    for line in text
        .lines()
        .filter(|line| !notes.iter().any(|note| line.starts_with(note)))
    {
        let line = line.replace(NEWLINE, "\n");
        let path = line.strip_prefix("./").unwrap_or(&line);
        let folder = line
            .split_once("/ ")
            .map(|(folder, names)| (folder.trim_start_matches('.'), names));
        match folder {
            _ if is_heading(&line) => {}
            _ if known.iter().any(|known| known == path) => {
                names.insert(path.to_owned());
            }
            Some((folder, list)) => names.extend(split_names(folder, list, &known)),
            None => {
                names.insert(path.to_owned());
            }
        }
    }
    names
}

/// `12F 3D:`, `FOLDER/ (2 files)`, or blank.
fn is_heading(line: &str) -> bool {
    line.is_empty() || line.ends_with("D:") || line.ends_with(" files)")
}

/// Splits `NAME NAME` into paths in `folder`, the longest known name first.
fn split_names(folder: &str, list: &str, known: &[String]) -> Vec<String> {
    let join = |name: &str| {
        if folder.is_empty() {
            name.to_owned()
        } else {
            format!("{folder}/{name}")
        }
    };
    let mut candidates: Vec<&str> = known.iter().map(|path| file_name(path)).collect();
    candidates.sort_by_key(|name| std::cmp::Reverse(name.len()));
    let mut paths = Vec::new();
    let mut rest = list;
    while !rest.is_empty() {
        let next = candidates.iter().find_map(|name| {
            let after = rest.strip_prefix(name)?;
            (known.contains(&join(name)) && (after.is_empty() || after.starts_with(' ')))
                .then_some((*name, after))
        });
        let (name, after) = next.unwrap_or((rest, ""));
        paths.push(join(name));
        rest = after.trim_start_matches(' ');
    }
    paths
}

/// Every path of the tree, the ones to leave out as well.
fn everything() -> Vec<String> {
    let hidden = [
        ".dot.rs",
        ".hidden",
        ".hidden/h.rs",
        ".gitignore",
        "src/trace.log",
        "out",
        "out/made.rs",
    ];
    entries()
        .into_keys()
        .chain(hidden.map(str::to_owned))
        .collect()
}

fn check(
    scratch: &Scratch,
    find: FindByName,
    target: &Target,
    wanted: &dyn Fn(&str, bool) -> bool,
) {
    let expected: BTreeSet<String> = entries()
        .into_iter()
        .filter(|(name, folder)| wanted(name, *folder))
        .filter(|(_, folder)| match find.kind {
            Kind::Any => true,
            Kind::File => !folder,
            Kind::Directory => *folder,
        })
        .map(|(name, _)| name)
        .collect();
    let root = scratch.path("");
    let line = find_by_name(
        &FindByName {
            directory: &root,
            ..find
        },
        target,
    )
    .unwrap();
    let printed = scratch.stdout(&line);
    assert_eq!(names_in(&printed, &root), expected, "{line}\n{printed}");
}

type Wanted = fn(&str, bool) -> bool;

#[test]
fn names_are_found_by_glob_and_by_part() {
    let scratch = Scratch::new();
    let cases: &[(&str, Wanted)] = &[
        ("*.rs", |name, _| name.to_lowercase().ends_with(".rs")),
        ("**/*.rs", |name, _| name.to_lowercase().ends_with(".rs")),
        ("*.RS", |name, _| name.ends_with(".RS")),
        ("B*", |name, _| file_name(name).starts_with('B')),
        ("src", |name, _| file_name(name).contains("src")),
        ("deep", |name, _| file_name(name).contains("deep")),
        ("ain", |name, _| file_name(name).contains("ain")),
        ("?.rs", |name, _| {
            name.to_lowercase().ends_with(".rs") && file_name(name).chars().count() == 4
        }),
        ("-*", |name, _| file_name(name).starts_with('-')),
        ("-lead.txt", |name, _| file_name(name) == "-lead.txt"),
        ("read me*", |name, _| file_name(name).starts_with("read me")),
        ("*'*", |name, _| file_name(name).contains('\'')),
        ("*\"*", |name, _| file_name(name).contains('"')),
        ("$*", |name, _| file_name(name).starts_with('$')),
        ("*`*", |name, _| file_name(name).contains('`')),
        ("!*", |name, _| file_name(name).starts_with('!')),
        ("\u{fc}n*", |name, _| file_name(name).starts_with('\u{fc}')),
        ("top.{js,txt}", |name, _| {
            name == "top.js" || name == "top.txt"
        }),
        ("[tw]*.txt", |name, _| {
            name == "top.txt" || name == "windows.txt"
        }),
        ("[^bt]*.js", |_, _| false),
        ("top.\\*", |_, _| false),
        ("*no such*", |_, _| false),
    ];
    for target in [&WITH_RG, &WITH_GREP] {
        for (pattern, wanted) in cases {
            for kind in [Kind::Any, Kind::File, Kind::Directory] {
                check(
                    &scratch,
                    FindByName {
                        pattern,
                        kind,
                        ..FindByName::default()
                    },
                    target,
                    wanted,
                );
            }
        }
    }
}

#[test]
fn extensions_narrow_the_pattern() {
    let scratch = Scratch::new();
    let of = |extensions: &[&str]| extensions.iter().map(|&e| e.to_owned()).collect::<Vec<_>>();
    let (rs, many, dotted) = (of(&["rs"]), of(&["js", "md"]), of(&[".md"]));
    let find = FindByName {
        kind: Kind::File,
        ..FindByName::default()
    };
    for target in [&WITH_RG, &WITH_GREP] {
        check(
            &scratch,
            FindByName {
                pattern: "*",
                extensions: &many,
                ..find
            },
            target,
            &|name, _| name.ends_with(".js") || name.ends_with(".md"),
        );
        check(
            &scratch,
            FindByName {
                pattern: "*.md",
                extensions: &dotted,
                ..find
            },
            target,
            &|name, _| name.ends_with(".md"),
        );
        check(
            &scratch,
            FindByName {
                pattern: "ma",
                extensions: &rs,
                ..find
            },
            target,
            &|name, _| name == "src/main.rs",
        );
        check(
            &scratch,
            FindByName {
                pattern: "b*",
                extensions: &rs,
                ..find
            },
            target,
            &|name, _| name == "src/B.RS" || name == "bin.rs",
        );
    }
}

#[test]
fn depth_is_limited() {
    let scratch = Scratch::new();
    for depth in [1, 2, 3] {
        for (pattern, part) in [("*.rs", ".rs"), ("[a-z]*.[r]s", ".rs")] {
            let find = FindByName {
                pattern,
                kind: Kind::File,
                max_depth: Some(depth),
                ..FindByName::default()
            };
            check(&scratch, find, &WITH_RG, &|name, _| {
                name.to_lowercase().ends_with(part) && (name.matches('/').count() as u64) < depth
            });
        }
    }
    let none = FindByName {
        pattern: "x.rs",
        max_depth: Some(0),
        ..FindByName::default()
    };
    check(&scratch, none, &WITH_RG, &|name, _| {
        file_name(name) == "x.rs"
    });
}

#[test]
fn exclusions_leave_out_folders_with_all_below_them() {
    let scratch = Scratch::new();
    let excluded = |globs: &[&str]| {
        globs
            .iter()
            .map(|&glob| glob.to_owned())
            .collect::<Vec<_>>()
    };
    let below =
        |name: &str, folder: &str| name == folder || name.starts_with(&format!("{folder}/"));
    let rust = |name: &str| name.to_lowercase().ends_with(".rs");
    for target in [&WITH_RG, &WITH_GREP] {
        let by_name = excluded(&["deep", "m*.rs"]);
        let find = FindByName {
            pattern: "*.rs",
            excludes: &by_name,
            kind: Kind::File,
            ..FindByName::default()
        };
        // The system's find, used without rg, knows no ignore files: none of the names here is ignored.
        let out = target == &WITH_GREP;
        if !out {
            check(&scratch, find, target, &|name, _| {
                rust(name) && !below(name, "src/deep") && name != "src/main.rs"
            });
        }
        let folders = FindByName {
            pattern: "*",
            kind: Kind::Directory,
            ..find
        };
        let by_folder = excluded(&["deep", "out"]);
        check(
            &scratch,
            FindByName {
                excludes: &by_folder,
                ..folders
            },
            target,
            &|name, _| !below(name, "src/deep"),
        );
    }
    let by_path = excluded(&["src/deep", "docs/*"]);
    let find = FindByName {
        pattern: "*.{rs,txt}",
        excludes: &by_path,
        kind: Kind::File,
        ..FindByName::default()
    };
    let line = find_by_name(
        &FindByName {
            directory: "/w",
            ..find
        },
        &WITH_GREP,
    );
    assert_eq!(line, Err(Unroutable::Glob));
}

#[test]
fn what_no_tool_can_say_is_refused() {
    let find = FindByName {
        directory: "/w",
        ..FindByName::default()
    };
    for pattern in ["src/*.rs", "[", "a\\"] {
        assert_eq!(
            find_by_name(&FindByName { pattern, ..find }, &WITH_RG),
            Err(Unroutable::Glob),
            "{pattern}"
        );
    }
    let whole = FindByName {
        full_path: true,
        ..find
    };
    assert_eq!(
        find_by_name(
            &FindByName {
                pattern: "*.rs",
                ..whole
            },
            &WITH_RG
        ),
        Err(Unroutable::Glob)
    );
    assert!(
        find_by_name(
            &FindByName {
                pattern: "**/*.rs",
                ..whole
            },
            &WITH_RG
        )
        .is_ok()
    );
}

#[test]
fn a_negated_class_is_written_as_posix_has_it() {
    let find = FindByName {
        directory: "/w",
        pattern: "[^a]x",
        kind: Kind::Directory,
        ..FindByName::default()
    };
    let line = find_by_name(&find, &WITH_GREP).unwrap();
    assert!(line.contains("-iname '[!a]x'"), "{line}");
}
