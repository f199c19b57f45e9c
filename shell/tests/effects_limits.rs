//! The effects of a line are always found: no panic, bounded work, and a line that is too much says so.

mod common;

use common::{commands, effects_of};
use guard_shell::{AccessKind, Component, Reach};
use proptest::prelude::*;

const FOLDER: &str = "/home/dev/work";

#[test]
fn lines_that_grow_as_they_run_end() {
    for line in [
        format!("X=abcdefgh;{}cat $X", "X=$X$X;".repeat(200)),
        format!("cat {}", "{a,b}".repeat(100)),
        format!("cat {}", "{".repeat(20_000)),
        format!("cat {}", "*".repeat(20_000)),
        format!("cat {}", "a*/".repeat(20_000)),
        "declare -n a=b; declare -n b=a; a=x; cat $a".to_owned(),
        "alias a='a b; a c'; a".to_owned(),
        "PS4='$(set -x; ls)'; set -x; ls".to_owned(),
        format!("sed '{}' x", "s/a/b/;".repeat(20_000)),
        format!(
            "sed '{}' <<< '{}'",
            "s/a/b/;".repeat(5_000),
            "a".repeat(500_000)
        ),
        format!(
            "tr '{}' x <<< '{}'",
            "a-z".repeat(5_000),
            "b".repeat(500_000)
        ),
        format!("read {} <<< '{}'", "a ".repeat(4_000), "b ".repeat(200_000)),
        format!("perl -e '{}'", "qx(a".repeat(20_000)),
        format!("python3 -c \"{}glob('x')\"", "open(f, 'w');".repeat(10_000)),
        format!("perl -e '{}'", "unlink a ".repeat(10_000)),
        format!("ruby -e '{}'", "\"#{".repeat(20_000)),
        format!("node -e \"{}\"", "x.map(f=>y).".repeat(5_000)),
        format!(
            "python3 -c \"{}open(a,'w')\"",
            "a=a+b;b=a;def f(a,b):".repeat(2_000)
        ),
        format!("python3 -c \"open({}'b','w')\"", "'a'+".repeat(20_000)),
        format!("curl file:///{}", "{a,b}".repeat(1_000)),
        format!("cat {}", "**/".repeat(5_000)),
        format!("printf '{}' x", "%s\\056".repeat(10_000)),
        format!("IFS=,; v={}; cat $v", "a,".repeat(50_000)),
        "f() { f; f; f; }; f".to_owned(),
        "f() { f | f & }; f".to_owned(),
        "f() { f; ln -s a b; f; }; f".to_owned(),
        "f() { f; ln x$$ f; f; }; f".to_owned(),
        "i=0; while [ $i -lt 9 ]; do ln a$i b; ln b c$i; mv c$i b; done; cat b/b/b".to_owned(),
        format!(
            "{}cat l",
            (0..3_000)
                .map(|i| format!("ln -s a{i} l;"))
                .collect::<String>()
        ),
        "X='eval $X; eval $X'; eval $X".to_owned(),
        "cd a || ".repeat(5_000) + "ls",
        format!("cat <<E\n{}\nE", "some text $x\n".repeat(20_000)),
        format!("bash <<'E'\n{}\nE", "cat x/y\n".repeat(20_000)),
        "Get-Content a.txt; ".repeat(5_000),
        (0..2_000).map(|i| format!("v{i}=a/$v{};", i / 2)).collect(),
        (0..2_000).map(|i| format!("f{i}() {{ :; }};")).collect(),
    ] {
        let effects = effects_of(FOLDER, &line);
        assert!(effects.accesses.len() <= 2_000 && effects.runs.len() <= 2_000);
    }
}

#[test]
fn a_line_that_is_too_much_names_its_words() {
    let line = format!("{} cat .system_generated/x", "cd a || ".repeat(20_000));
    let effects = effects_of(FOLDER, &line);
    assert!(!effects.complete);
    assert!(effects.wait.is_none());
    let named = effects.accesses.iter().any(|access| {
        access.kind == AccessKind::Named
            && access
                .path
                .reaches_component(".system_generated", Component::Any, false)
                == Reach::Spelled
    });
    assert!(named);
}

#[test]
fn a_line_that_does_not_parse_names_its_words() {
    for line in ["cat 'x/y", "if cat x/y", "cat x/y; )", "ls @(x/y)"] {
        let effects = effects_of(FOLDER, line);
        assert!(!effects.complete, "{line}");
        let path = format!("{FOLDER}/x/y");
        assert!(
            effects
                .accesses
                .iter()
                .any(|access| access.path.reaches_path(&path, false) == Reach::Spelled),
            "{line}"
        );
    }
}

/// Pieces of code in other languages, in no order.
fn code() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "open(",
        "p",
        ",",
        "'w'",
        ")",
        "(",
        "[",
        "]",
        "{",
        "}",
        ".",
        "=",
        "+",
        "/",
        "for ",
        " in ",
        "os.",
        "Path(",
        "\"",
        "#{",
        "${x}",
        "f'{p}'",
        ".rglob(",
        ".parent",
        "unlink ",
        "def w(",
        "find(sub{",
        "$_",
        "qw(a b)",
        "<eval_*>",
        "<é*>",
        "\n",
        "é",
        "→",
        "print(",
        "time.sleep(",
        "=>",
        "|f|",
        ".each",
        "import a as b",
        "require('fs')",
        "exec('",
        "input=",
        "%",
        ".replace(",
        "os.walk(",
        "'",
        ";",
    ]);
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(3000) })]

    #[test]
    fn any_code_has_effects(code in code()) {
        let quoted = code.replace('\'', "'\\''");
        for program in ["python3 -c", "perl -ne", "ruby -e", "awk"] {
            effects_of(FOLDER, &format!("{program} '{quoted}' x"));
        }
    }

    #[test]
    fn any_text_has_effects(text in r#"([ -~\n\t]|[$`'"\\(){}<>|&;*?\[\]~/.]|\PC){0,80}"#) {
        let effects = effects_of(FOLDER, &text);
        for access in &effects.accesses {
            let _ = access.path.display();
            let _ = access.path.reaches_component(".system_generated", Component::Any, true);
            let _ = access.path.reaches_path("/home/dev/.gemini/x", true);
            let _ = access.path.reaches_into("/home/dev/.gemini", false);
        }
    }

    #[test]
    fn any_program_takes_any_arguments(
        program in prop::sample::select(vec![
            "git", "git checkout", "git stash", "find", "find . -exec", "fd", "tar", "tar xf", "sed", "sed -i", "xargs",
            "parallel", "awk", "grep", "rg", "jq", "cp", "mv", "ln -s", "curl", "wget", "dd", "python3 -c", "node -e",
            "bash -c", "env", "sudo", "timeout", "watch", "rtk", "rtk read", "printf", "cd", "read", "declare", "cmd /c",
            "powershell -Command", "Get-Content", "Copy-Item", "patch", "rsync", "zip", "unzip", "7z", "chmod", "sleep",
            "eval", "trap", "set", "ruff", "black", "npx", "uv run", "yq", "sort", "split", "install",
        ]),
        arguments in prop::collection::vec(prop::sample::select(vec![
            "a", "b/c", "-", "--", "-x", "-i", "-e", "-f", "-c", "-C", "-n", "-r", "-rf", "--long", "--long=v", "--include=*.py",
            "''", "\"\"", "$X", "*", "a=b", "{}", "{a,b}", "\\;", ";", "+", "|", "> o", "< i", "<<< t", "é", "'a b'", "!",
            "@f", "-name", "-exec", "$(ls)", "`ls`", "<(ls)", "~", "..", "/", "5", "0",
        ]), 0..7),
    ) {
        let _ = effects_of(FOLDER, &format!("{program} {}", arguments.join(" ")));
    }

    #[test]
    fn lines_after_the_grammar_are_followed(line in commands()) {
        // What a nested here-document leaves of the inner script may not parse.
        if guard_shell::parse(&line).is_understood() && !line.contains("bash") {
            prop_assert!(effects_of(FOLDER, &line).complete, "{}", line);
        }
    }

    #[test]
    fn quoting_changes_nothing(name in "[a-z._]{1,12}", cut in 0_usize..12) {
        let cut = cut.min(name.len());
        let plain = effects_of(FOLDER, &format!("cat x/{name}"));
        for word in [
            format!("'x/{name}'"),
            format!("\"x/{name}\""),
            format!("x/{}''{}", &name[..cut], &name[cut..]),
            format!("x/{}\"{}\"", &name[..cut], &name[cut..]),
            format!("$'x/{name}'"),
            format!("x/\\{name}").replace("\\\\", ""),
            format!("./x//{name}"),
            format!("y/../x/{name}"),
        ] {
            // Two dots are the folder above, and a letter after `x/\` can be the sign of a Windows path.
            if name == "." || name == ".." || guard_shell::dialect(&format!("cat {word}")) != guard_shell::Dialect::Posix {
                continue;
            }
            prop_assert_eq!(&effects_of(FOLDER, &format!("cat {word}")).accesses, &plain.accesses, "{}", word);
        }
    }
}

#[test]
fn lines_that_once_crashed_have_effects() {
    for line in [
        "cat ${00%%.*} ${00}",
        "type .system\\x /é",
        "dir /é: C:\\x",
        "$'\\é",
        "Get-Content -é:x",
    ] {
        let _ = effects_of(FOLDER, line);
    }
}
