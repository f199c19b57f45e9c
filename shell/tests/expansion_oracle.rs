//! What words become is what bash makes of them.

mod common;

use common::effects_of;
use guard_shell::Reach;
use proptest::prelude::*;
use std::process::{Command, Stdio};

/// The folder, and the arguments that bash hands to a program for `words` after `before`.
fn arguments_of_bash(before: &str, words: &str) -> Vec<String> {
    let line = format!("set -f; HOME=/home/dev; cd /; {before}\nprintf '%s\\0' \"$PWD\" {words}");
    let output = Command::new("bash")
        .args(["--norc", "-c", "--", &line])
        .stdin(Stdio::null())
        .output()
        .expect("these tests need bash on PATH");
    let text = String::from_utf8(output.stdout).expect("the arguments are text");
    text.split_terminator('\0').map(str::to_owned).collect()
}

/// Every path that bash would read is among the paths that the effects have.
fn check(before: &str, words: &str) -> Result<(), TestCaseError> {
    let effects = effects_of("/", &format!("{before}\ncat -- {words}"));
    let mut arguments = arguments_of_bash(before, words).into_iter();
    let folder = arguments.next().unwrap_or_default();
    for argument in arguments {
        if argument.is_empty() || argument == "-" || argument.starts_with("/dev/") {
            continue;
        }
        let path = clean(&folder, &argument);
        let seen = effects
            .accesses
            .iter()
            .any(|access| access.path.reaches_path(&path, false) != Reach::No);
        let shown: Vec<_> = effects
            .accesses
            .iter()
            .map(|access| access.path.display())
            .collect();
        prop_assert!(
            seen,
            "{before} | cat {words}\nbash reads {path}\nthe effects have {shown:?}"
        );
    }
    Ok(())
}

/// The absolute path of an argument for a program in `folder`.
fn clean(folder: &str, argument: &str) -> String {
    let whole = if argument.starts_with('/') {
        argument.to_owned()
    } else {
        format!("{folder}/{argument}")
    };
    let mut components: Vec<&str> = Vec::new();
    for component in whole.split('/') {
        match component {
            "" | "." => {}
            ".." => {
                components.pop();
            }
            component => components.push(component),
        }
    }
    format!("/{}", components.join("/"))
}

const WORDS: [&str; 44] = [
    "a",
    "b/c",
    "'a b'",
    "\"a b\"",
    "a\\ b",
    "$X",
    "\"$X\"",
    "${X}",
    "\"${X}/y\"",
    "$Y",
    "\"$Y\"",
    "x$Y",
    "${X:-d}",
    "${Z:-d}",
    "${Z:-$X}",
    "${X%.txt}",
    "${X##*/}",
    "${X/a/b}",
    "${X//a/b}",
    "${X^^}",
    "{a,b}",
    "x{1,2}y",
    "{a,b}{c,d}",
    "{a,{b,c}}",
    "x{,y}",
    "{a}",
    "~",
    "~/x",
    "'~'",
    "$'a\\tb'",
    "$'\\x41'",
    "$(echo a b)",
    "\"$(echo a b)\"",
    "`echo q`",
    "$(dirname /x/y)",
    "$(basename x/y .c)",
    "$(printf '%s-%s' a b)",
    "../x",
    "./x//y",
    "$P",
    "\"${A[@]}\"",
    "${A[0]}",
    "$((1+2))",
    "${X#*.}",
];

const BEFORE: [&str; 12] = [
    "",
    "X=aa.txt",
    "X=d/a.txt",
    "X='a b'",
    "Y='p q'",
    "X=a; Y=$X/b",
    "X=a; X+=b",
    "A=(a 'b c')",
    "P=$(pwd)/x",
    "cd /tmp && X=$PWD/y",
    "for X in a b; do :; done",
    "X=a; if false; then X=b; fi",
];

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1200) })]

    #[test]
    fn bash_reads_nothing_that_is_not_seen(
        before in prop::collection::vec(prop::sample::select(BEFORE.to_vec()), 0..3),
        words in prop::collection::vec(prop::sample::select(WORDS.to_vec()), 1..4),
    ) {
        check(&before.join("; "), &words.join(" "))?;
    }

    #[test]
    fn words_that_touch_are_one_word(
        before in prop::sample::select(BEFORE.to_vec()),
        words in prop::collection::vec(prop::sample::select(WORDS.to_vec()), 2..4),
    ) {
        // Braces come before variables: `$X{a,b}` is `$Xa $Xb`.
        let bare = |word: &str| word.rfind('$').is_some_and(|at| word[at + 1..].bytes().all(|b| b.is_ascii_alphanumeric()));
        prop_assume!(words.windows(2).all(|pair| !bare(pair[0]) || !pair[1].starts_with(|c: char| c == '{' || c.is_alphanumeric())));
        check(before, &words.concat())?;
    }
}
