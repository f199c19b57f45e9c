//! What a line's paths become, and what they may name.

mod common;

use common::effects_of;
use guard_shell::{AccessKind, Component, PathPattern, Reach};
use std::path::PathBuf;

/// The paths that `cat` reads in `line`, as text.
fn shown(line: &str) -> Vec<String> {
    effects_of("/w/a", line)
        .accesses
        .iter()
        .map(|access| access.path.display())
        .collect()
}

fn path(word: &str) -> PathPattern {
    let accesses = effects_of("/w/a", &format!("cat {word}")).accesses;
    accesses
        .first()
        .unwrap_or_else(|| panic!("{word} names no path"))
        .path
        .clone()
}

#[test]
fn paths_are_absolute_and_clean() {
    for (word, expected) in [
        ("x", "/w/a/x"),
        ("./x", "/w/a/x"),
        ("../x", "/w/x"),
        ("../../../x", "/x"),
        ("/x//y/./z/../t", "/x/y/t"),
        ("~", "/home/dev"),
        ("~/x", "/home/dev/x"),
        ("'~/x'", "/w/a/~/x"),
        ("a~", "/w/a/a~"),
        ("$HOME/x", "/home/dev/x"),
        ("$PWD/x", "/w/a/x"),
        ("~+/x", "/w/a/x"),
        ("file:///x/y", "/x/y"),
        ("file://localhost/x/y", "/x/y"),
        ("C:/x/y", "C:/x/y"),
        ("'a b'", "/w/a/a b"),
        ("a\\ b", "/w/a/a b"),
        ("*.rs", "/w/a/*.rs"),
        ("'*.rs'", "/w/a/*.rs"),
        ("a[bc]?", "/w/a/a[bc]?"),
        ("a[b", "/w/a/a[b"),
        ("$X", "…"),
        ("$X/y", "…/y"),
        ("x/$X/../y", "/w/a/x/…/y"),
        ("/", "/"),
    ] {
        assert_eq!(shown(&format!("cat {word}")), [expected], "{word}");
    }
}

#[test]
fn one_word_can_be_more_than_one_path() {
    assert_eq!(
        shown("cat {a,b}{1,2}"),
        ["/w/a/a1", "/w/a/a2", "/w/a/b1", "/w/a/b2"]
    );
    assert_eq!(shown("cat x{,.bak}"), ["/w/a/x", "/w/a/x.bak"]);
    assert_eq!(shown("cat a{1..3}"), ["/w/a/a*"]);
    assert_eq!(shown("cat {a}"), ["/w/a/{a}"]);
    assert_eq!(shown("cat '{a,b}'"), ["/w/a/{a,b}"]);
    assert_eq!(shown("X='a b'; cat $X"), ["/w/a/a", "/w/a/b"]);
    assert_eq!(shown("X='a b'; cat \"$X\""), ["/w/a/a b"]);
    assert_eq!(shown("for f in a b; do cat $f; done"), ["/w/a/a", "/w/a/b"]);
}

#[test]
fn the_folder_follows_the_line() {
    assert_eq!(shown("cd b && cat x"), ["/w/a/b/x"]);
    assert_eq!(shown("cd b; cat x"), ["/w/a/b/x"]);
    assert_eq!(shown("(cd b); cat x"), ["/w/a/x"]);
    assert_eq!(shown("cd b | cat x"), ["/w/a/x"]);
    assert_eq!(shown("cd b & cat x"), ["/w/a/x"]);
    assert_eq!(shown("cd /t; cd -; cat x"), ["/w/a/x"]);
    assert_eq!(shown("pushd /t; cat x; popd; cat y"), ["/t/x", "/w/a/y"]);
    assert_eq!(shown("cd; cat x"), ["/home/dev/x"]);
    assert_eq!(shown("true && cd b; cat x"), ["/w/a/x", "/w/a/b/x"]);
    assert_eq!(shown("if x; then cd b; fi; cat y"), ["/w/a/y", "/w/a/b/y"]);
    assert_eq!(shown("cd $X && cat y"), ["…/y"]);
    assert_eq!(shown("f() { cd b; }; f; cat x"), ["/w/a/b/x"]);
}

#[test]
fn variables_follow_the_line() {
    assert_eq!(shown("X=a; X=b; cat $X"), ["/w/a/b"]);
    assert_eq!(shown("X=a; X+=b; cat $X"), ["/w/a/ab"]);
    assert_eq!(shown("X=a; (X=b); cat $X"), ["/w/a/a"]);
    assert_eq!(
        shown("X=a; if x; then X=b; fi; cat $X"),
        ["/w/a/a", "/w/a/b"]
    );
    assert_eq!(shown("X=a; unset X; cat $X"), ["…"]);
    assert_eq!(
        shown("X=dir/file.txt; cat ${X%.txt}.md ${X##*/} ${X%/*}"),
        ["/w/a/dir/file.md", "/w/a/file.txt", "/w/a/dir"]
    );
    assert_eq!(shown("X=a-b; cat ${X/-/_}"), ["/w/a/a_b"]);
    assert_eq!(shown("X=a; cat ${X:-b} ${Y:-b}"), ["/w/a/a", "/w/a/b", "…"]);
    assert_eq!(shown("set -- p q; cat $2 $1"), ["/w/a/q", "/w/a/p"]);
    assert_eq!(shown("cat $(dirname /x/y)/z"), ["/x/z"]);
    assert_eq!(shown("cat $(basename /x/y .c)"), ["/w/a/y"]);
    assert_eq!(shown("cat $(pwd)/z"), ["/w/a/z"]);
}

#[test]
fn a_literal_path_is_known_as_a_whole() {
    assert_eq!(path("x/y").literal(), Some(PathBuf::from("/w/a/x/y")));
    assert_eq!(path("x/*").literal(), None);
    let globbed = path("x/*/z");
    let (prefix, rest) = globbed.literal_prefix();
    assert_eq!((prefix, rest.len()), (PathBuf::from("/w/a/x"), 2));
    assert_eq!(globbed.with_prefix("/other").display(), "/other/*/z");
    assert_eq!(path("$X/y").literal_prefix().0, PathBuf::from(""));
}

#[test]
fn a_component_is_found_as_the_shell_would_match_it() {
    let reach =
        |word: &str| path(word).reaches_component(".system_generated", Component::Any, false);
    for word in [
        ".system_generated",
        ".system_generated/x",
        "x/.system_generated/y/z",
        ".sys*/x",
        ".s?stem_*",
        ".system_generate[d]/x",
        ".*/x",
        ".sys$X/logs",
        "$X/.system_generated/y",
        ".system_generated/$X",
    ] {
        assert_eq!(reach(word), Reach::Spelled, "{word}");
    }
    for word in [
        "*/x",
        "?system_generated/x",
        "[.]system_generated/x",
        "x.system_generated",
        ".system_generated2/x",
        "system_generated/x",
    ] {
        assert_eq!(reach(word), Reach::No, "{word}");
    }
    for word in ["$X", "$X/y", "x/$X", "x$X"] {
        assert_eq!(reach(word), Reach::IfUnknown, "{word}");
    }
    assert_eq!(
        path(".SYSTEM_generated/x").reaches_component(".system_generated", Component::Any, true),
        Reach::Spelled
    );
    assert_eq!(reach(".SYSTEM_generated/x"), Reach::No);
}

#[test]
fn a_name_with_a_star_is_found_in_the_last_component() {
    let reach = |word: &str| path(word).reaches_component("eval_*.py", Component::Last, false);
    for word in [
        "eval_x.py",
        "a/eval_.py",
        "eval_*.py",
        "*.py",
        "eval_x.*",
        "eval_*",
        "*",
    ] {
        assert_eq!(reach(word), Reach::Spelled, "{word}");
    }
    for word in [
        "eval_x.py/y",
        "eval.py",
        "eval_x.pyc",
        "x.rs",
        "my_eval_x.py",
        "*.rs",
    ] {
        assert_eq!(reach(word), Reach::No, "{word}");
    }
}

#[test]
fn a_path_is_found_below_a_folder_that_is_read() {
    let below = |line: &str, path: &str| {
        effects_of("/w/a", line).accesses[0]
            .path
            .reaches_path(path, false)
    };
    assert_eq!(below("grep -r x b", "/w/a/b/c/d"), Reach::ByRecursion);
    assert_eq!(below("grep -r x b", "/w/a/b/.c/d"), Reach::ByRecursion);
    assert_eq!(below("grep -r x b", "/w/a/b"), Reach::Spelled);
    assert_eq!(below("grep -r x b", "/w/a/bc"), Reach::No);
    assert_eq!(below("rg x b", "/w/a/b/c/d"), Reach::ByRecursion);
    assert_eq!(below("rg x b", "/w/a/b/.c/d"), Reach::No);
    assert_eq!(below("rg x b", "/w/a/b/c/.d"), Reach::No);
    assert_eq!(below("rg x .b", "/w/a/.b/c"), Reach::ByRecursion);
    assert_eq!(below("cat b", "/w/a/b/c"), Reach::No);
    assert_eq!(below("cat *", "/w/a/b"), Reach::Spelled);
    assert_eq!(below("cat *", "/w/a/.b"), Reach::No);
    assert_eq!(below("cat $X", "/w/a/b"), Reach::IfUnknown);
}

#[test]
fn a_folder_is_reached_by_what_is_in_it() {
    let into = |word: &str| path(word).reaches_into("/w/a/b", false);
    assert_eq!(into("b"), Reach::Spelled);
    assert_eq!(into("b/c/d"), Reach::Spelled);
    assert_eq!(into("b*/c"), Reach::Spelled);
    assert_eq!(into("bc"), Reach::No);
    assert_eq!(into("."), Reach::No);
}

#[test]
fn wrappers_are_taken_off() {
    let runs = |line: &str| {
        let runs = effects_of("/w", line).runs;
        runs.into_iter()
            .map(|run| (run.program().to_owned(), run.wrappers.join(" ")))
            .collect::<Vec<_>>()
    };
    let one = |program: &str, wrappers: &str| vec![(program.to_owned(), wrappers.to_owned())];
    assert_eq!(
        runs("execution-guard state reset"),
        one("execution-guard", "")
    );
    assert_eq!(
        runs("/usr/local/bin/execution-guard.exe uninstall"),
        one("execution-guard", "")
    );
    assert_eq!(
        runs("sudo -u x env A=1 nohup timeout -k 1 5s nice -n 3 execution-guard rollback"),
        one("execution-guard", "sudo env nohup timeout nice")
    );
    assert_eq!(
        runs("bash -lc 'exec execution-guard uninstall'"),
        one("execution-guard", "bash exec")
    );
    assert_eq!(
        runs("X=execution-guard; $X uninstall"),
        one("execution-guard", "")
    );
    assert_eq!(
        runs("find . -exec execution-guard uninstall {} +"),
        [one("find", ""), one("execution-guard", "find")].concat()
    );
    assert_eq!(
        runs("echo x | xargs -I{} execution-guard state {}"),
        [one("echo", ""), one("execution-guard", "xargs")].concat()
    );
    assert_eq!(
        runs("eval execution-guard uninstall"),
        [one("eval", ""), one("execution-guard", "")].concat()
    );
    assert_eq!(runs("command -v execution-guard"), []);
    assert_eq!(runs("echo execution-guard uninstall"), one("echo", ""));
}

#[test]
fn a_patch_that_is_applied_is_named() {
    let patches = |line: &str| {
        let accesses = effects_of("/w", line).accesses;
        accesses
            .iter()
            .filter(|access| access.kind == AccessKind::Patch)
            .map(|access| access.path.display())
            .collect::<Vec<_>>()
    };
    assert_eq!(patches("git apply x.diff"), ["/w/x.diff"]);
    assert_eq!(patches("patch -p1 < x.diff"), ["/w/x.diff"]);
    assert_eq!(patches("patch -p1 -i x.diff"), ["/w/x.diff"]);
    assert_eq!(
        patches("git am x.patch y.patch"),
        ["/w/x.patch", "/w/y.patch"]
    );
    assert_eq!(patches("git apply --check x.diff"), [""; 0]);
}

#[test]
fn reads_by_rtk_are_told_apart() {
    let by = |line: &str| {
        effects_of("/w", line)
            .accesses
            .iter()
            .map(|access| access.by.clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(by("rtk read x"), ["rtk read"]);
    assert_eq!(by("rtk read x --tail-lines 5"), ["rtk read"]);
    assert_eq!(by("rtk git diff x"), ["rtk git"]);
    assert_eq!(by("cat x"), ["cat"]);
    assert_eq!(by("echo y > x"), [">"]);
    assert_eq!(by("sudo /bin/cat x"), ["cat"]);
}
