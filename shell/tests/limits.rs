//! The parser always returns: bounded depth, bounded and linear work, no panic.

use guard_shell::{MAX_DEPTH, MAX_STEPS, Problem, parse};
use proptest::prelude::*;

#[test]
fn work_grows_with_the_length() {
    type Shape = (&'static str, fn(usize) -> String);
    let shapes: [Shape; 14] = [
        ("here-document", |n| {
            format!("cat <<E\n{}\nE", "some text $x\n".repeat(n / 13))
        }),
        ("quoted here-document", |n| {
            format!("cat <<'E'\n{}E", "some text\n".repeat(n / 10))
        }),
        ("quotes", |n| "'".repeat(n)),
        ("double quotes", |n| "\"".repeat(n)),
        ("open parentheses", |n| "(".repeat(n)),
        ("balanced parentheses", |n| {
            "(".repeat(n / 2) + &")".repeat(n / 2)
        }),
        ("spaced parentheses", |n| "( ".repeat(n / 2)),
        ("substitutions", |n| "$(".repeat(n / 2)),
        ("backticks", |n| "`".repeat(n)),
        ("backslashes", |n| "\\".repeat(n)),
        ("braces", |n| "{ ".repeat(n / 2)),
        ("parameters", |n| "${a:-".repeat(n / 5)),
        ("commands", |n| "a;".repeat(n / 2)),
        ("indexes", |n| "a[".repeat(n / 2)),
    ];
    for (name, shape) in shapes {
        for length in [1_000, 100_000] {
            let line = shape(length);
            let steps = parse(&line).steps();
            let most = line.len() * (2 * MAX_DEPTH + 4) + 1_000;
            assert!(steps <= most, "{name} of {length} bytes took {steps} steps");
        }
    }
}

#[test]
fn a_megabyte_is_read() {
    let line = format!("cat <<'E'\n{}\nE\ngit status", "x y z $(\n".repeat(1 << 17));
    let script = parse(&line);
    assert!(script.is_understood());
    assert!(script.steps() < 2 * line.len());
    assert_eq!(script.simple_commands().len(), 2);
}

#[test]
fn depth_is_bounded() {
    for (open, close) in [
        ("( ", ")"),
        ("{ ", "; }"),
        ("$(", ")"),
        ("\"$(", ")\""),
        ("${a:-", "}"),
        ("if ", "; then b; fi"),
    ] {
        let nested = |depth: usize| format!("{}a{}", open.repeat(depth), close.repeat(depth));
        let deep = parse(&nested(MAX_DEPTH * 3))
            .problem()
            .map(|(problem, _)| problem);
        assert_eq!(deep, Some(Problem::TooDeep), "{open}");
        assert_eq!(parse(&nested(MAX_DEPTH / 2)).problem(), None, "{open}");
    }
}

#[test]
fn too_much_work_is_a_problem() {
    let line = "a;".repeat(MAX_STEPS / 8);
    assert_eq!(
        parse(&line).problem().map(|(problem, _)| problem),
        Some(Problem::OverBudget)
    );
}

#[test]
fn what_could_be_read_before_a_problem_is_kept() {
    let script = parse("cat a; rm b; echo 'x");
    assert!(!script.is_understood());
    let names: Vec<_> = script
        .simple_commands()
        .iter()
        .map(|simple| simple.words[0].span.of(script.text()))
        .collect();
    assert_eq!(names, ["cat", "rm", "echo"]);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(4000) })]

    #[test]
    fn any_text_is_read(text in r#"([ -~\n\t]|[$`'"\\(){}<>|&;]|\PC){0,80}"#) {
        let script = parse(&text);
        for simple in script.simple_commands() {
            prop_assert!(simple.span.end <= text.len());
            prop_assert!(text.is_char_boundary(simple.span.start) && text.is_char_boundary(simple.span.end));
            for word in &simple.words {
                prop_assert!(script.problem().is_some() || simple.span.contains(word.span));
                prop_assert!(text.get(word.span.start..word.span.end).is_some());
            }
        }
    }

    #[test]
    fn the_parts_of_a_word_leave_no_gap(text in r#"[a-c \n$'"\\{}~*=]{0,40}"#) {
        let script = parse(&text);
        if script.problem().is_none() {
            for word in script.simple_commands().into_iter().flat_map(|simple| &simple.words) {
                let mut at = word.span.start;
                for part in &word.parts {
                    prop_assert_eq!(part.span.start, at);
                    at = part.span.end;
                }
                prop_assert_eq!(at, word.span.end);
            }
        }
    }
}
