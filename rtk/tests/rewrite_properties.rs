//! What holds for every line, by lines put together at random from what agents write.

mod common;
#[path = "common/rtk.rs"]
mod rtk;

use std::io::Write;
use std::process::{Command, Stdio};

use common::Anywhere;
use guard_rtk::rewrite::{LineVerdict, Surroundings, judge_line};
use proptest::prelude::*;

fn judge(line: &str) -> LineVerdict {
    let surroundings = Surroundings {
        machine: &Anywhere,
        rtk: "rtk",
        windows: false,
    };
    judge_line(&guard_shell::parse(line), &surroundings)
}

fn rewrite(line: &str) -> Option<String> {
    judge(line).apply(line)
}

/// Whether bash would read the line.
fn is_accepted(line: &str) -> bool {
    let mut child = Command::new("bash")
        .arg("-n")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("bash can be started");
    child
        .stdin
        .take()
        .expect("a pipe")
        .write_all(line.as_bytes())
        .expect("bash reads its input");
    let output = child.wait_with_output().expect("bash ends");
    // A here-document without its end is only warned of.
    output.status.success() && output.stderr.is_empty()
}

/// A command whose rtk form is the prefix.
fn prefixed() -> impl Strategy<Value = String> {
    prop::sample::select(vec![
        "git status",
        "git log -5 --oneline",
        "git diff HEAD~1 -- 'a b'",
        "git add .",
        "git commit -m \"x; y | z\"",
        "cargo test",
        "npm test",
        "npm run build",
        "ls -la",
        "ls \"a b\"",
        "grep -rn 'foo bar' src",
        "rg foo",
        "find . -name '*.rs'",
        "wc -l a.txt",
        "make",
        "pytest -q",
        "docker ps",
        "gh pr list",
        "uv run python x.py",
        "uv run pytest",
    ])
    .prop_map(str::to_owned)
}

/// A command with another form, one that stays, or one that rtk does not know.
fn other() -> impl Strategy<Value = String> {
    prop::sample::select(vec![
        "cat a.txt",
        "head -n 5 a.txt",
        "tail -3 'a.txt'",
        "npx tsc --noEmit",
        "eslint .",
        "vitest run",
        "git push",
        "git log",
        "git show HEAD:x",
        "npm run dev",
        "python -m pytest",
        "sudo ls",
        "command ls",
        "timeout 5 ls",
        "echo hi",
        "cd src",
        "true",
        "X=1",
        "rtk git status",
        "bash -c 'git status'",
        "sh -c \"ls && pwd\"",
        "export PATH=/x",
        "printf '%s\\n' \"$HOME\"",
        "echo ü☃",
        "[ -f x ]",
        "[[ -d y ]]",
    ])
    .prop_map(str::to_owned)
}

fn decorated(command: impl Strategy<Value = String>) -> impl Strategy<Value = String> {
    let before = prop::sample::select(vec!["", "", "", "A=b ", "time ", "env X=1 ", "! ", "nice "]);
    let after = prop::sample::select(vec![
        "",
        "",
        "",
        " 2>&1",
        " >/dev/null",
        " > f",
        " 2>/dev/null",
        " # c",
        " < f",
        " &",
        "  ",
    ]);
    (before, command, after)
        .prop_map(|(before, command, after)| format!("{before}{command}{after}"))
}

fn line_of(
    command: impl Strategy<Value = String> + Clone + 'static,
) -> impl Strategy<Value = String> {
    let leaf = decorated(command).boxed();
    leaf.prop_recursive(3, 16, 3, |inner| {
        let joint = prop::sample::select(vec![" && ", " || ", "; ", "\n", " | ", "&&", ";", "\n\n", " && \\\n  "]);
        prop_oneof![
            4 => (inner.clone(), joint, inner.clone()).prop_map(|(one, joint, other)| format!("{one}{joint}{other}")),
            1 => inner.clone().prop_map(|line| format!("({line})")),
            1 => inner.clone().prop_map(|line| format!("{{ {line}; }}")),
            1 => inner.clone().prop_map(|line| format!("if true; then {line}; fi")),
            1 => inner.clone().prop_map(|line| format!("for i in a b; do echo; {line}; done")),
            1 => inner.clone().prop_map(|line| format!("f() {{ {line}; }}")),
            1 => inner.prop_map(|line| format!("echo \"$({line})\"")),
        ]
    })
}

/// Any line: well-formed, or with a piece of it cut out or put in.
fn any_line() -> impl Strategy<Value = String> {
    let base = line_of(prop_oneof![2 => prefixed(), 1 => other()].boxed());
    let noise = prop::sample::select(vec![
        "", "", "", "'", "\"", "(", ")", "&&", ";;", "|", "`", "$(", "\\", "<<E\n", "\n", "{", "}",
        "#", "fi", "\u{0}",
    ]);
    (base, noise, any::<prop::sample::Index>()).prop_map(|(line, noise, index)| {
        let at = (0..=line.len())
            .filter(|at| line.is_char_boundary(*at))
            .collect::<Vec<_>>();
        let at = at[index.index(at.len())];
        format!("{}{noise}{}", &line[..at], &line[at..])
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4096, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_second_rewrite_changes_nothing(line in any_line()) {
        if let Some(once) = rewrite(&line) {
            prop_assert_eq!(rewrite(&once), None, "{:?} -> {:?}", line, once);
        }
    }

    #[test]
    fn removing_the_inserted_words_gives_back_the_line(line in line_of(prefixed().boxed())) {
        if let Some(new) = rewrite(&line) {
            prop_assert_eq!(new.replace("rtk ", ""), line);
        }
    }

    #[test]
    fn edits_stand_in_order_and_change_only_what_they_name(line in any_line()) {
        let verdict = judge(&line);
        let mut end = 0;
        for edit in &verdict.edits {
            prop_assert!(end <= edit.start && edit.start <= edit.end && edit.end <= line.len());
            prop_assert!(line.is_char_boundary(edit.start) && line.is_char_boundary(edit.end));
            let gone = &line[edit.start..edit.end];
            let known = ["", "cat", "head", "tail", "npx", "eslint", "vitest"];
            prop_assert!(known.contains(&gone.split(' ').next().unwrap_or("")), "{:?}", gone);
            end = edit.end;
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1024, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn bash_still_accepts_what_it_accepted_and_what_it_refuses_is_unchanged(line in any_line()) {
        if let Some(new) = rewrite(&line) {
            prop_assert!(is_accepted(&line), "changed though bash refuses it: {:?}", line);
            prop_assert!(is_accepted(&new), "{:?} -> {:?}", line, new);
        }
    }
}

/// How many cases are asked of the real rtk; each takes it some tens of milliseconds.
const ASKED: u32 = match option_env!("REWRITE_PROPERTIES_ASKED") {
    Some(_) => 3000,
    None => 96,
};

proptest! {
    #![proptest_config(ProptestConfig { cases: ASKED, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_line_that_rtk_leaves_alone_stays(line in any_line()) {
        let ours = rewrite(&line);
        let additions = ["rtk npm test", "rtk npm t"];
        let is_addition = |text: &String| additions.iter().any(|form| text.contains(form));
        if let Some(ours) = ours.filter(|text| !is_addition(text)) {
            let home = tempfile::tempdir().expect("a folder for rtk's home");
            let (_, said) = rtk::rewrite(&rtk::path(), home.path(), &line);
            prop_assert!(!said.is_empty() && said != line, "{:?} -> {:?}, but rtk leaves it", line, ours);
            // It has put a prefix wherever we have.
            let count = |text: &str| text.matches("rtk ").count();
            prop_assert!(count(&said) >= count(&ours), "{:?} -> {:?}, but rtk {:?}", line, ours, said);
        }
    }
}
