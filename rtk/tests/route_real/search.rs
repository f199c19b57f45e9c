use guard_rtk::route::{GrepSearch, Target, Unroutable, grep_search};
use proptest::prelude::*;

use crate::reference::{check, check_native, check_powershell};
use crate::support::{FILES, POWERSHELL, Scratch, WITH_GREP, WITH_RG};

const LITERALS: &[&str] = &[
    "needle",
    "NEEDLE",
    "a.b",
    "-needle",
    "--needle",
    "-e needle",
    "with blanks  twice",
    "it's a \"needle\"",
    "$HOME",
    "`needle`",
    "${x}",
    "$(needle)",
    "[x]",
    "{y,z}",
    "*star*",
    "\\n",
    "back\\slash",
    "needle\\",
    "a \"needle\"",
    "\u{fc}\u{f1}\u{ed}",
    "\u{65e5}",
    "!needle",
    "#needle",
    "~needle",
    "=needle",
    "\ttabbed",
    "--",
    "-",
    ".",
    "(a.b)[0] + \"y\"* {#}^needle|\\",
    "nothing like it",
];

#[test]
fn a_literal_is_literal() {
    let scratch = Scratch::new();
    let root = scratch.path("");
    for query in LITERALS {
        let search = GrepSearch {
            path: &root,
            query,
            ..GrepSearch::default()
        };
        check(&scratch, search, &WITH_RG, &|_| true);
        // A control character has no place on a line for PowerShell.
        if !query.contains('\t') {
            check_powershell(&scratch, search);
        }
    }
}

#[test]
fn case_counts_unless_told_otherwise() {
    let scratch = Scratch::new();
    let docs = scratch.path("docs");
    for query in [
        "NEEDLE",
        "Back\\Slash",
        "\u{dc}\u{d1}",
        "-E Needle",
        "IT'S A \"n",
    ] {
        let search = GrepSearch {
            path: &docs,
            query,
            ..GrepSearch::default()
        };
        for target in [&WITH_RG, &WITH_GREP] {
            check(&scratch, search, target, &|name| name.starts_with("docs/"));
            let blind = GrepSearch {
                case_insensitive: true,
                ..search
            };
            check(&scratch, blind, target, &|name| name.starts_with("docs/"));
        }
    }
}

#[test]
fn a_regex_is_a_regex() {
    let scratch = Scratch::new();
    let root = scratch.path("");
    for query in [
        r"a.b",
        r"^\s+let",
        r"needle$",
        r"\bfn\b",
        r"(one|two)$",
        r"-+needle",
        r"\$\(?",
        r#"["']"#,
        r#"a ""#,
        r"needle\\",
        r"^ back\\",
        r"\\n",
        r"\p{Han}",
    ] {
        let search = GrepSearch {
            path: &root,
            query,
            is_regex: true,
            ..GrepSearch::default()
        };
        // A carriage return is part of the line to rg.
        let crlf = query.ends_with("needle$");
        let included = |name: &str| !(crlf && name == "windows.txt");
        check(&scratch, search, &WITH_RG, &included);
        check_powershell(&scratch, search);
    }
}

#[test]
fn a_file_of_any_name_can_be_searched_and_globs_do_not_apply_to_it() {
    let scratch = Scratch::new();
    let globs = ["*.none".to_owned()];
    for target in [&WITH_RG, &WITH_GREP] {
        for (name, _) in FILES {
            let path = scratch.path(name);
            let search = GrepSearch {
                path: &path,
                path_is_file: true,
                query: "needle",
                includes: &globs,
                ..GrepSearch::default()
            };
            check(&scratch, search, target, &|other| other == *name);
        }
    }
}

type Included = fn(&str) -> bool;

#[test]
fn globs_choose_the_files() {
    let scratch = Scratch::new();
    let root = scratch.path("");
    let cases: &[(&[&str], Included)] = &[
        (&["*.txt", "*.js"], |name| {
            name.ends_with(".txt") || name.ends_with(".js")
        }),
        (&["**/*.md"], |name| name.ends_with(".md")),
        (&["*.{md,js}"], |name| {
            name.ends_with(".md") || name.ends_with(".js")
        }),
        (&["src/*.rs"], |name| {
            name == "src/main.rs" || name == "src/lib.rs"
        }),
        (&["!*.rs", "!docs"], |name| {
            !name.ends_with(".rs") && !name.starts_with("docs/")
        }),
        (&["!**/docs/*", "!*.txt"], |name| {
            !name.starts_with("docs/") && !name.ends_with(".txt")
        }),
        (&["-*.txt"], |name| name == "docs/-lead.txt"),
        (&["*$*"], |name| name.contains('$')),
        (&["read me.md"], |name| name == "docs/read me.md"),
        (&["quo'te*"], |name| name.contains("quo'te")),
        (&["!docs/", "!src"], |name| {
            !name.starts_with("docs/") && !name.starts_with("src/")
        }),
        (&["*.none"], |_| false),
    ];
    for (globs, included) in cases {
        let globs: Vec<String> = globs.iter().map(|&glob| glob.to_owned()).collect();
        let search = GrepSearch {
            path: &root,
            query: "needle",
            includes: &globs,
            ..GrepSearch::default()
        };
        check(&scratch, search, &WITH_RG, included);
    }
}

#[test]
fn a_glob_that_names_a_hidden_or_ignored_file_finds_it_as_the_native_tool_does() {
    let scratch = Scratch::new();
    for folder in ["", "src", ".hidden", "out"] {
        let root = scratch.path(folder);
        for glob in [
            "*",
            "*.rs",
            "**",
            "src/**",
            "*.log",
            "out/**",
            ".*",
            "!*.rs",
            "**/src/**",
            "/top.*",
            "deep/**",
            "src/",
        ] {
            let globs = [glob.to_owned()];
            let search = GrepSearch {
                path: &root,
                query: "needle",
                includes: &globs,
                ..GrepSearch::default()
            };
            check_native(&scratch, search);
        }
    }
}

#[test]
fn an_ignore_file_of_the_host_is_used_from_the_folder_searched() {
    let scratch = Scratch::new();
    scratch.write("ignore it", b"/docs\n");
    let (root, file) = (scratch.path(""), scratch.path("ignore it"));
    let search = GrepSearch {
        path: &root,
        query: "needle",
        ignore_file: Some(&file),
        ..GrepSearch::default()
    };
    check(&scratch, search, &WITH_RG, &|name| {
        !name.starts_with("docs/")
    });
}

#[test]
fn a_query_of_two_lines_finds_both_lines() {
    let scratch = Scratch::new();
    let root = scratch.path("");
    let search = GrepSearch {
        path: &root,
        query: "one\nneedle two",
        match_per_line: true,
        ..GrepSearch::default()
    };
    let printed = scratch.stdout(&grep_search(&search, &WITH_RG).unwrap());
    assert_eq!(printed.matches("line.txt:").count(), 2, "{printed}");
    assert_eq!(
        grep_search(&search, &WITH_GREP),
        Err(Unroutable::NoSearchTool)
    );
}

#[test]
fn without_rg_grep_does_the_same_to_a_tree_without_hidden_and_ignored_files() {
    let scratch = Scratch::new();
    let docs = scratch.path("docs");
    for query in LITERALS {
        let search = GrepSearch {
            path: &docs,
            query,
            ..GrepSearch::default()
        };
        let in_docs = |name: &str| name.starts_with("docs/");
        check(&scratch, search, &WITH_GREP, &in_docs);
    }
    let globs = ["*.{md,txt}".to_owned(), "!-*".to_owned()];
    let search = GrepSearch {
        path: &docs,
        query: "needle",
        includes: &globs,
        ..GrepSearch::default()
    };
    check(&scratch, search, &WITH_GREP, &|name| {
        name.starts_with("docs/") && !name.contains("/-")
    });
    for query in ["a.b", "needle$", "(one|two)", "[$`]"] {
        let search = GrepSearch {
            path: &docs,
            query,
            is_regex: true,
            ..GrepSearch::default()
        };
        check(&scratch, search, &WITH_GREP, &|name| {
            name.starts_with("docs/")
        });
    }
}

#[test]
fn what_no_tool_can_do_is_refused() {
    let search = GrepSearch {
        path: "/w",
        query: "x",
        ..GrepSearch::default()
    };
    let neither = Target {
        ripgrep: false,
        grep: false,
        ..WITH_RG
    };
    assert_eq!(
        grep_search(&search, &neither),
        Err(Unroutable::NoSearchTool)
    );
    assert_eq!(
        grep_search(
            &GrepSearch {
                query: "",
                ..search
            },
            &WITH_RG
        ),
        Err(Unroutable::Empty)
    );
    assert_eq!(
        grep_search(
            &GrepSearch {
                query: "a\0",
                ..search
            },
            &WITH_RG
        ),
        Err(Unroutable::Nul)
    );
    let globs = ["src/*.rs".to_owned()];
    assert_eq!(
        grep_search(
            &GrepSearch {
                includes: &globs,
                ..search
            },
            &WITH_GREP
        ),
        Err(Unroutable::Glob)
    );
}

#[test]
fn any_line_is_found_by_its_own_text() {
    let scratch = Scratch::new();
    let path = scratch.path("hay stack/f.txt");
    let query = "[ -~]{1,10}|[a'\"$`\\\\!*?{}\u{e4}\u{20ac}-]{1,6}";
    proptest!(ProptestConfig::with_cases(60), |(query in query)| {
        scratch.write("hay stack/f.txt", format!("before\nx{query}y\nafter\n").as_bytes());
        for (case_insensitive, target) in [(false, &WITH_RG), (true, &WITH_RG), (false, &WITH_GREP)] {
            let search = GrepSearch {
                path: &path,
                path_is_file: true,
                query: &query,
                case_insensitive,
                match_per_line: true,
                ..GrepSearch::default()
            };
            let printed = scratch.stdout(&grep_search(&search, target).unwrap());
            let expected = format!("2:x{query}y");
            prop_assert!(printed.lines().any(|line| line == expected), "{query:?} in {printed:?}");
        }
        let search = GrepSearch { path: &path, path_is_file: true, query: &query, match_per_line: true, ..GrepSearch::default() };
        if let Ok(line) = grep_search(&search, &POWERSHELL) {
            let printed = scratch.stdout_of_powershell(&line);
            let expected = format!("2:x{query}y");
            prop_assert!(printed.lines().any(|line| line == expected), "{line} in {printed:?}");
        }
    });
}
