//! One simple command gets its rtk form, or stays and says why.

mod common;

use common::{Anywhere, With, apply, plain_words};
use guard_rtk::rewrite::{Context, FileKind, Machine, Reason, Verdict, judge_simple};

fn judge(line: &str, machine: &dyn Machine) -> Result<String, Option<Reason>> {
    match judge_simple(&plain_words(line), &Context::new(machine)) {
        Verdict::Rewrite(edits) => Ok(apply(line, &edits)),
        Verdict::Stay(reason) => Err(Some(reason)),
        Verdict::NoForm => Err(None),
    }
}

#[track_caller]
fn becomes(line: &str, expected: &str) {
    assert_eq!(judge(line, &Anywhere).as_deref(), Ok(expected), "{line}");
}

#[track_caller]
fn stays(line: &str, reason: Reason) {
    assert_eq!(judge(line, &Anywhere), Err(Some(reason)), "{line}");
}

#[test]
fn a_command_gets_the_prefix_and_nothing_else_changes() {
    becomes("git status", "rtk git status");
    becomes("git   status   -s", "rtk git   status   -s");
    becomes(
        "git -C sub --no-pager log -n 5",
        "rtk git -C sub --no-pager log -n 5",
    );
    becomes("cargo test --workspace", "rtk cargo test --workspace");
    becomes("npm run build", "rtk npm run build");
}

#[test]
fn npm_test_is_the_one_addition() {
    becomes("npm test", "rtk npm test");
    becomes("npm t", "rtk npm t");
}

#[test]
fn words_that_only_time_or_set_variables_are_kept() {
    becomes("time git status", "time rtk git status");
    becomes("env A=b git status", "env A=b rtk git status");
    becomes("nice -n 5 make", "nice -n 5 rtk make");
    stays("command git status", Reason::Wrapped);
    stays("exec git status", Reason::Wrapped);
    stays("nohup cargo test", Reason::Wrapped);
    stays("timeout 30 cargo test", Reason::Wrapped);
}

#[test]
fn text_files_are_read_through_rtk_with_the_same_window() {
    becomes("cat README.md", "rtk read README.md");
    becomes("head -n 5 f", "rtk read f --head-lines 5");
    becomes("head -20 f", "rtk read f --head-lines 20");
    becomes("head --lines=5 f", "rtk read f --head-lines 5");
    becomes("head f", "rtk read f --head-lines 10");
    becomes("tail -n 5 f", "rtk read f --tail-lines 5");
    stays("cat a b", Reason::NotText);
    stays("cat *.py", Reason::NotText);
    assert_eq!(judge("tail -f f", &Anywhere), Err(None));
    assert_eq!(judge("head -c 5 f", &Anywhere), Err(None));
    assert_eq!(judge("tail -n +5 f", &Anywhere), Err(None));
}

#[test]
fn what_is_no_text_is_not_read_through_rtk() {
    let machine = With {
        files: vec![
            ("logo.png".into(), FileKind::Other),
            ("src".into(), FileKind::Folder),
        ],
        programs: vec![],
    };
    assert_eq!(judge("cat logo.png", &machine), Err(Some(Reason::NotText)));
    assert_eq!(
        judge("head -n 5 logo.png", &machine),
        Err(Some(Reason::NotText))
    );
    assert_eq!(
        judge("grep foo logo.png", &machine),
        Err(Some(Reason::NotText))
    );
    assert_eq!(judge("cat src", &machine), Err(Some(Reason::NotText)));
    assert_eq!(
        judge("cat missing", &machine).as_deref(),
        Ok("rtk read missing")
    );
}

#[test]
fn machine_formats_stay() {
    for line in [
        "git status --porcelain",
        "git diff -z",
        "git log -n 5 --format=%H",
        "gh api x --jq .name",
        "kubectl get pods -o json",
        "kubectl get pods -ojson",
        "cargo build --message-format=json",
        "git diff --output=f",
        "git show HEAD:src/a.rs",
        "pip list --format=json",
        "eslint -f json .",
        "tree -J",
    ] {
        stays(line, Reason::Data);
    }
}

#[test]
fn dialogues_stay() {
    for line in [
        "git add -p",
        "git commit",
        "git commit --amend",
        "docker run -it alpine sh",
        "docker exec -ti web sh",
        "ssh host ls",
        "psql -c x",
    ] {
        stays(line, Reason::Dialogue);
    }
    becomes("git commit -am done", "rtk git commit -am done");
}

#[test]
fn followers_and_servers_stay() {
    for line in [
        "docker logs -f web",
        "kubectl get pods --watch",
        "npm run dev",
        "npm run dev:web",
        "pnpm run start",
        "vitest",
        "tsc -w",
        "gh pr checks --watch",
        "ping host",
    ] {
        stays(line, Reason::Follows);
    }
}

#[test]
fn lists_that_would_be_cut_without_a_word_stay() {
    for line in [
        "git log",
        "git log --oneline",
        "git log main..side",
        "tree",
        "docker logs web",
    ] {
        stays(line, Reason::CutSilently);
    }
    becomes("git log --oneline -5", "rtk git log --oneline -5");
    becomes("git log --max-count=5", "rtk git log --max-count=5");
}

#[test]
fn what_acts_outside_the_tree_stays() {
    for line in [
        "git push",
        "git push origin main",
        "gh pr merge 1",
        "gh pr create --title x --body y",
        "kubectl apply -f x",
        "rsync -a a b",
        "npm run deploy",
        "make publish",
        "curl -X POST http://x",
        "curl -d a=b http://x",
        "git checkout -- src/a.rs",
        "git stash drop",
        "git branch -D old",
        "brew install x",
        "pulumi up",
    ] {
        stays(line, Reason::ActsOutside);
    }
}

#[test]
fn another_tool_than_the_one_asked_for_is_never_run() {
    for line in [
        "biome check src/",
        "python -m pytest",
        "python3 -m pytest -x",
        "npm run lint",
        "pnpm lint",
        "pip3 list",
        "uv pip list",
        "eslint src",
        "npm x foo",
        "yadm status",
    ] {
        stays(line, Reason::WrongTool);
    }
    becomes("npx tsc --noEmit", "rtk tsc --noEmit");
    let machine = With {
        files: vec![],
        programs: vec!["tsc"],
    };
    assert_eq!(
        judge("npx tsc --noEmit", &machine),
        Err(Some(Reason::WrongTool))
    );
}

#[test]
fn a_status_that_would_change_keeps_the_command() {
    stays("pnpm outdated", Reason::ExitStatus);
    stays("golangci-lint run", Reason::ExitStatus);
    let machine = With {
        files: vec![("src".into(), FileKind::Folder)],
        programs: vec![],
    };
    assert_eq!(
        judge("find src -name x", &machine).as_deref(),
        Ok("rtk find src -name x")
    );
    assert_eq!(
        judge("find missing -name x", &machine),
        Err(Some(Reason::ExitStatus))
    );
}

#[test]
fn rtk_commands_and_unknown_ones_have_no_form() {
    for line in [
        "rtk git status",
        "echo hi",
        "cd src",
        "git rebase -i HEAD~2",
        "/usr/bin/git status",
        "sudo ls",
        "",
    ] {
        assert_eq!(judge(line, &Anywhere), Err(None), "{line}");
    }
}
