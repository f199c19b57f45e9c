//! Whole lines: only a command whose output goes to the reader gets its rtk form, and every other byte stays.

mod common;

use common::{Anywhere, With};
use guard_rtk::rewrite::{FileKind, Machine, Reason, Surroundings, judge_line, rewrite_line};

fn rewrite_with(line: &str, machine: &dyn Machine) -> Option<String> {
    let surroundings = Surroundings {
        machine,
        rtk: "rtk",
        windows: false,
    };
    rewrite_line(&guard_shell::parse(line), &surroundings)
}

#[track_caller]
fn becomes(line: &str, expected: &str) {
    assert_eq!(
        rewrite_with(line, &Anywhere).as_deref(),
        Some(expected),
        "{line:?}"
    );
}

#[track_caller]
fn stays(line: &str) {
    assert_eq!(rewrite_with(line, &Anywhere), None, "{line:?}");
}

#[track_caller]
fn stays_for(line: &str, reason: Reason) {
    let surroundings = Surroundings {
        machine: &Anywhere,
        rtk: "rtk",
        windows: false,
    };
    let verdict = judge_line(&guard_shell::parse(line), &surroundings);
    assert_eq!(
        (verdict.edits.len(), &verdict.reasons[..]),
        (0, &[reason][..]),
        "{line:?}"
    );
}

#[test]
fn every_byte_but_the_inserted_words_is_kept() {
    becomes("  git status  ", "  rtk git status  ");
    becomes("git status&&git diff", "rtk git status&&rtk git diff");
    becomes("git status ;git diff ; ", "rtk git status ;rtk git diff ; ");
    becomes(
        "git status # and a comment; ls",
        "rtk git status # and a comment; ls",
    );
    becomes("git log \\\n  -5", "rtk git log \\\n  -5");
    becomes("git status &", "rtk git status &");
    becomes("git\tstatus\t-s", "rtk git\tstatus\t-s");
    becomes("git status 2>&1", "rtk git status 2>&1");
    becomes(
        "git commit -m \"a; b | c > d\" && git status",
        "rtk git commit -m \"a; b | c > d\" && rtk git status",
    );
    becomes(
        "git add 'it'\\''s' \"ü ☃\"",
        "rtk git add 'it'\\''s' \"ü ☃\"",
    );
    becomes(
        "ls -la src; case \"x\" in x) echo A;; esac",
        "rtk ls -la src; case \"x\" in x) echo A;; esac",
    );
}

#[test]
fn a_redirection_among_the_words_is_never_lost() {
    stays("head -n 5 2>/dev/null a.txt");
    stays("npx 2>&1 tsc");
    stays("2>&1 git status");
    becomes("git status 2>/dev/null -s", "rtk git status 2>/dev/null -s");
    becomes("npx tsc 2>&1 --noEmit", "rtk tsc 2>&1 --noEmit");
    becomes(
        "head -n 5 a.txt 2>/dev/null",
        "rtk read a.txt --head-lines 5 2>/dev/null",
    );
}

#[test]
fn each_command_of_a_list_is_judged_by_itself() {
    becomes(
        "git add . && git commit -m x && git push",
        "rtk git add . && rtk git commit -m x && git push",
    );
    becomes("git log; git log -5", "git log; rtk git log -5");
    becomes(
        "git status\n\ngit diff\nmake",
        "rtk git status\n\nrtk git diff\nrtk make",
    );
    becomes("cd src && ls || pwd", "cd src && rtk ls || pwd");
    becomes("A=1 git status; B=2", "A=1 rtk git status; B=2");
    becomes(
        "time git status && npm test",
        "time rtk git status && rtk npm test",
    );
}

#[test]
fn output_that_does_not_go_to_the_reader_is_left_alone() {
    for line in [
        "git diff | head -50",
        "git diff | cat",
        "git status |& cat",
        "ls -la | grep x | wc -l",
        "git status >/dev/null",
        "git status &>/dev/null",
        "ls >&2",
        "exec >/dev/null; git status",
        "{ echo; git status; } | cat",
        "(cd src; git status) | wc -l",
        "f() { echo; git status; }; f",
        "git status 2>&1 | tail -5",
        "bash -c 'git status' | cat",
    ] {
        stays(line);
    }
    stays_for("git diff | cat", Reason::OutputNotShown);
    becomes(
        "git status && git diff | head -5",
        "rtk git status && git diff | head -5",
    );
}

#[test]
fn input_that_is_given_is_left_alone() {
    stays("cat a.json | grep x");
    stays_for("echo x | grep x", Reason::InputGiven);
    stays_for("git status < /dev/null", Reason::InputGiven);
    stays("grep foo < a.txt");
    stays("wc -l <<< x");
    stays("cat <<E\nls\nE");
    stays("yes | while read x; do echo; git status; done");
}

#[test]
fn captures_and_files_keep_the_whole_line_as_rtk_does() {
    for line in [
        "echo \"$(git status)\"",
        "X=$(git log -1); git status",
        "echo `git status`; ls",
        "diff <(ls) <(ls -a)",
        "git diff > p.diff && git status",
        "git status 2> err",
        "cat > f <<E\nx\nE\ngit status",
        "echo $((1 + 1)); ls",
    ] {
        stays(line);
    }
}

#[test]
fn commands_in_blocks_follow_rtk_which_sees_those_after_the_first() {
    becomes(
        "if true; then echo a; git status; fi",
        "if true; then echo a; rtk git status; fi",
    );
    becomes(
        "for f in a b; do echo $f; git status; done",
        "for f in a b; do echo $f; rtk git status; done",
    );
    becomes("(cd src && git status)", "(cd src && rtk git status)");
    becomes("{ cd src; git status; }", "{ cd src; rtk git status; }");
    stays("(git status)");
    stays("if git status; then ls; fi");
    stays("! git diff --quiet");
    stays("for f in *; do\n  git status\ndone");
    stays("if true; then\n  echo\n  git status\nfi\ngit diff");
}

#[test]
fn inner_lines_are_judged_by_the_same_rules() {
    becomes("bash -c 'git status'", "bash -c 'rtk git status'");
    becomes(
        "bash -c \"cd src && git log -5\"",
        "bash -c \"cd src && rtk git log -5\"",
    );
    becomes(
        "sh -c 'git log; git diff' x y",
        "sh -c 'git log; rtk git diff' x y",
    );
    becomes(
        "/bin/bash -c 'head -n 5 f' && ls",
        "/bin/bash -c 'rtk read f --head-lines 5' && rtk ls",
    );
    becomes("env A=b bash -c 'ls'", "env A=b bash -c 'rtk ls'");
    for line in [
        "bash -c 'git push'",
        "bash -c 'git status | cat'",
        "bash -c 'git status' > f",
        "bash -c \"cd $X && ls\"",
        "bash -c 'ls' < f",
        "bash -c $'ls'",
        "bash -c \"git commit -m \\\"x\\\"\"",
        "bash -c 'sh -c \"ls\"'",
        "bash -lc 'ls'",
        "bash script.sh",
        "bash -c 'git status",
        "bash -c 'if; then'",
        "timeout 5 bash -c 'ls'",
        "cmd /c git status",
        "powershell -Command \"git status\"",
    ] {
        stays(line);
    }
}

#[test]
fn a_line_that_bash_would_refuse_stays() {
    for line in [
        "git status &&",
        "&& git status",
        "git status ;; ls",
        "git status )",
        "git \"status",
        "git 'status",
        "if git status",
        "git status | ",
        "git status &&& ls",
        "{ git status",
        "ls; done",
    ] {
        stays(line);
    }
}

#[test]
fn what_the_line_defines_is_not_replaced() {
    stays_for("git() { echo; }; git status", Reason::WrongTool);
    stays_for("PATH=/usr/bin git status", Reason::PathReplaced);
    stays_for("export PATH=/opt/bin; git status", Reason::PathReplaced);
    becomes(
        "export PATH=\"$HOME/bin:$PATH\"; git status",
        "export PATH=\"$HOME/bin:$PATH\"; rtk git status",
    );
    stays("RTK_DISABLED=1 git status");
    becomes(
        "rtk git diff && git status",
        "rtk git diff && rtk git status",
    );
    stays("rtk git status");
}

#[test]
fn a_file_is_looked_for_where_the_line_has_gone() {
    let machine = With {
        files: vec![
            ("".into(), FileKind::Folder),
            ("src".into(), FileKind::Folder),
            ("src/a.txt".into(), FileKind::Text),
            ("a.txt".into(), FileKind::Other),
        ],
        programs: vec![],
    };
    let rewrite = |line| rewrite_with(line, &machine);
    assert_eq!(rewrite("cat a.txt"), None);
    assert_eq!(
        rewrite("cd src && cat a.txt").as_deref(),
        Some("cd src && rtk read a.txt")
    );
    assert_eq!(
        rewrite("cd src; cat a.txt").as_deref(),
        Some("cd src; rtk read a.txt")
    );
    assert_eq!(rewrite("cd src && cd .. && cat a.txt"), None);
    assert_eq!(
        rewrite("(cd src; ls -a); cat a.txt").as_deref(),
        Some("(cd src; rtk ls -a); cat a.txt")
    );
    assert_eq!(rewrite("cd src | true; cat a.txt"), None);
    assert_eq!(rewrite("true || cd src; cat a.txt"), None);
    assert_eq!(rewrite("cd \"$X\"; cat a.txt"), None);
    assert_eq!(rewrite("pushd src; cat a.txt"), None);
    assert_eq!(
        rewrite("bash -c 'cd src && cat a.txt'").as_deref(),
        Some("bash -c 'cd src && rtk read a.txt'")
    );
}

#[test]
fn a_file_that_the_line_may_make_is_not_taken_for_text() {
    let machine = With {
        files: vec![("".into(), FileKind::Folder)],
        programs: vec![],
    };
    assert_eq!(
        rewrite_with("cat new.txt", &machine).as_deref(),
        Some("rtk read new.txt")
    );
    assert_eq!(
        rewrite_with("echo; cat new.txt", &machine).as_deref(),
        Some("echo; rtk read new.txt")
    );
    assert_eq!(rewrite_with("./build.sh && cat new.txt", &machine), None);
    assert_eq!(
        rewrite_with("make && head -n 5 new.txt", &machine).as_deref(),
        Some("rtk make && head -n 5 new.txt")
    );
}

#[test]
fn the_word_for_rtk_may_be_a_path() {
    let surroundings = Surroundings {
        machine: &Anywhere,
        rtk: "'/opt/my tools/rtk'",
        windows: false,
    };
    let rewrite = |line: &str| rewrite_line(&guard_shell::parse(line), &surroundings);
    assert_eq!(
        rewrite("git status").as_deref(),
        Some("'/opt/my tools/rtk' git status")
    );
    assert_eq!(
        rewrite("head -n 5 f").as_deref(),
        Some("'/opt/my tools/rtk' read f --head-lines 5")
    );
    // Its quotes would end those around an inner line.
    assert_eq!(rewrite("bash -c 'git status'"), None);
}

#[test]
fn on_windows_names_of_other_programs_and_switches_stay() {
    let surroundings = Surroundings {
        machine: &Anywhere,
        rtk: "rtk",
        windows: true,
    };
    let rewrite = |line: &str| rewrite_line(&guard_shell::parse(line), &surroundings);
    assert_eq!(rewrite("git status").as_deref(), Some("rtk git status"));
    assert_eq!(
        rewrite("npm run build").as_deref(),
        Some("rtk npm run build")
    );
    for line in [
        "cat a.txt",
        "ls",
        "find . -name x",
        "curl http://x",
        "git add a,b",
        "git log -Last 5",
        "git status /s",
        "cat a.txt,b.txt",
    ] {
        assert_eq!(rewrite(line), None, "{line}");
    }
}

#[test]
fn powershell_lines_stay() {
    for line in [
        "Get-ChildItem; git status",
        "$env:CI=\"1\"; npm run build",
        "cd C:\\src; git status",
        "ls -Recurse",
        "cat x -TotalCount 5",
    ] {
        stays_for(line, Reason::NotPosix);
    }
}
