use std::process::Command;

use guard_rtk::route::{Shell, read, word};
use proptest::prelude::*;

use crate::support::{WITH_RG, powershell_words};

/// The words bash makes of a line.
fn bash_words(line: &str) -> Vec<String> {
    let output = Command::new("bash")
        .args(["--norc", "-c", &format!("printf '%s\\0' {line}")])
        .env_clear()
        .output()
        .expect("bash runs");
    let text = String::from_utf8(output.stdout).expect("the words were Unicode");
    let mut words: Vec<String> = text.split('\0').map(str::to_owned).collect();
    assert_eq!(
        words.pop().as_deref(),
        Some(""),
        "printf ends each word with a NUL"
    );
    words
}

fn nasty() -> impl Strategy<Value = String> {
    prop_oneof![
        "[ '\"$`\\\\!*?\\[\\]{},~#&|;<>()=%^\n\t\r-]{0,8}",
        "\\PC{0,12}",
        "[^\0]{0,12}",
        "[a-z0-9_./-]{1,12}",
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn bash_reads_back_the_very_words(words in prop::collection::vec(nasty(), 1..20)) {
        let line: Vec<String> = words.iter().map(|w| word(Shell::Posix, w).unwrap()).collect();
        prop_assert_eq!(bash_words(&line.join(" ")), words);
    }

    #[test]
    fn a_printed_command_is_one_line(words in prop::collection::vec(nasty(), 1..5)) {
        for text in &words {
            let quoted = word(Shell::Posix, text).unwrap();
            prop_assert!(!quoted.chars().any(char::is_control), "{quoted:?}");
        }
    }

    #[test]
    fn a_path_is_never_an_option(path in nasty().prop_filter("a path has text", |path| !path.is_empty())) {
        let words = bash_words(&read(&[&path], &WITH_RG).unwrap());
        prop_assert_eq!(&words[..2], ["rtk", "read"]);
        prop_assert!(!words[2].starts_with('-'));
        prop_assert_eq!(words[2].strip_prefix("./").unwrap_or(&words[2]), path.strip_prefix("./").unwrap_or(&path));
    }

    #[test]
    fn powershell_reads_back_the_very_words(words in prop::collection::vec(nasty(), 1..8)) {
        let quoted: Vec<String> = words.iter().filter_map(|w| word(Shell::PowerShell, w).ok()).collect();
        let kept: Vec<String> = words.iter().filter(|w| word(Shell::PowerShell, w).is_ok()).cloned().collect();
        prop_assert!(!quoted.iter().any(|word| word.chars().any(char::is_control)));
        prop_assert_eq!(powershell_words(&quoted.join(" ")), kept);
    }
}
