//! What bash rejects is never understood, and what bash takes is.

mod common;

use common::{bash_accepts, cases, commands, corpus};
use guard_shell::{Dialect, parse};
use proptest::prelude::*;

#[test]
fn every_bash_line_of_the_corpus_is_understood() {
    let missed: Vec<_> = corpus()
        .into_iter()
        .filter(|(line, shell)| {
            shell == "bash" && bash_accepts(line) && !parse(line).is_understood()
        })
        .map(|(line, _)| {
            format!(
                "{line:?}: {:?} {:?}",
                parse(&line).problem(),
                parse(&line).dialect()
            )
        })
        .collect();
    assert!(
        missed.is_empty(),
        "{} lines:\n{}",
        missed.len(),
        missed.join("\n")
    );
}

#[test]
fn no_line_that_bash_rejects_is_understood() {
    let wrong: Vec<_> = corpus()
        .into_iter()
        .filter(|(line, _)| parse(line).is_understood() && !bash_accepts(line))
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn forms_that_bash_takes_are_understood() {
    let wrong: Vec<_> = forms("data/accepted.txt")
        .into_iter()
        .filter(|line| !bash_accepts(line) || !parse(line).is_understood())
        .map(|line| {
            format!(
                "{line:?}: bash {} problem {:?}",
                bash_accepts(&line),
                parse(&line).problem()
            )
        })
        .collect();
    assert!(
        wrong.is_empty(),
        "{} forms:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
fn forms_that_bash_rejects_are_not_understood() {
    let wrong: Vec<_> = forms("data/rejected.txt")
        .into_iter()
        .filter(|line| bash_accepts(line) || parse(line).is_understood())
        .map(|line| {
            format!(
                "{line:?}: bash {} understood {}",
                bash_accepts(&line),
                parse(&line).is_understood()
            )
        })
        .collect();
    assert!(
        wrong.is_empty(),
        "{} forms:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

/// Forms that bash takes and this parser leaves alone on purpose, with the reason.
const LEFT_ALONE: [(&str, &str); 14] = [
    (
        "((ls); cat <<E\na\nE\n)",
        "a here-document after `((`, which bash reads twice",
    ),
    (
        "echo $((ls); if)",
        "bash reads the commands after `$((` only when they run",
    ),
    ("echo `if`", "commands in backticks that fail when they run"),
    (
        "echo `ls \"a`",
        "commands in backticks that fail when they run",
    ),
    (
        "cat <<E\n$(if)\nE",
        "a substitution in a here-document that fails when it runs",
    ),
    (
        "foo[ bar ]",
        "a word that goes on over a blank because it could have been an assignment",
    ),
    ("[[ ! ]]", "a test of nothing"),
    ("ls &\\\n& ls", "an operator cut in two by a continued line"),
    ("ls 2\\\n>x", "a descriptor cut off by a continued line"),
    (
        "wh\\\nile :; do :; done",
        "a reserved word cut in two by a continued line",
    ),
    (
        "echo $\\\n(ls)",
        "a substitution cut in two by a continued line",
    ),
    (
        "cat <<$(x)\na\n$(x)",
        "a delimiter that looks like a substitution",
    ),
    (
        "echo ${ ls; }",
        "commands in braces, which only bash 5.3 runs",
    ),
    ("[[ a == b\n]] > x; a\0b", "a NUL byte"),
];

#[test]
fn what_is_left_alone_is_listed() {
    for (line, reason) in LEFT_ALONE {
        assert!(
            !parse(line).is_understood(),
            "{line:?} is understood now: {reason}"
        );
    }
}

/// One form a line; `¶` stands for a line end.
fn forms(name: &str) -> Vec<String> {
    let text = match name {
        "data/accepted.txt" => include_str!("data/accepted.txt"),
        _ => include_str!("data/rejected.txt"),
    };
    text.lines().map(|line| line.replace('¶', "\n")).collect()
}

/// Pieces of bash out of which nonsense is made.
const PIECES: [&str; 92] = [
    "ls", "echo", "a", "x=1", "x=", "a+=b", "a[1]=2", "a=(", "-f", "if", "then", "elif", "else",
    "fi", "while", "until", "do", "done", "for", "in", "select", "case", "esac", "function",
    "time", "-p", "!", "{", "}", "[[", "]]", "((", "))", "(", ")", "()", "coproc", ";", ";;", ";&",
    ";;&", "&", "&&", "|", "||", "|&", "\n", "\n", "\\\n", "<", ">", ">>", "<<E", "<<-E", "<<'E'",
    "<<<", "E", "\nE\n", ">&", "<&", "&>", "&>>", ">|", "<>", "2>", "2>&1", "{fd}>", "$x", "${x}",
    "${x:-", "$(", "$((", "`", "'", "\"", "$'", "$\"", "\\", "#", " # c\n", "*", "?", "[", "]",
    "@(", "~", "{a,b}", "<(", ">(", "$[", "=~", "==",
];

fn nonsense() -> impl Strategy<Value = String> {
    let piece = (
        prop::sample::select(PIECES.to_vec()),
        prop::bool::weighted(0.75),
    );
    prop::collection::vec(piece, 1..14).prop_map(|pieces| {
        let blank = |spaced| if spaced { " " } else { "" };
        pieces
            .into_iter()
            .map(|(piece, spaced)| format!("{piece}{}", blank(spaced)))
            .collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases()) })]

    #[test]
    fn nonsense_that_is_understood_is_accepted_by_bash(line in nonsense()) {
        if parse(&line).is_understood() {
            prop_assert!(bash_accepts(&line), "{line:?}");
        }
    }

    #[test]
    fn lines_after_the_grammar_are_understood(line in commands()) {
        let script = parse(&line);
        if bash_accepts(&line) {
            prop_assert!(script.problem().is_none(), "{line:?} {:?}", script.problem());
            prop_assert_eq!(script.dialect(), Dialect::Posix);
        } else {
            prop_assert!(!script.is_understood(), "{line:?}");
        }
    }
}
