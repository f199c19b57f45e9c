//! What a shell line does is seen through its spelling; what it only speaks of raises no alarm.
//!
//! The lines are those on which the crate `shell` holds its effects, judged here by the whole guard.

mod common;

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use common::{Answer, World};
use execution_guard::environment::Environment;
use serde_json::{Value, json};

/// The home that the fixtures speak of.
const HOME: &str = "/home/dev";

/// A home as the fixtures speak of it: a workspace with benchmarks, a registered guard.
struct Home(World);

impl Home {
    fn new() -> Self {
        let world = World::new();
        let home = world.home();
        for file in [
            "work/benchmarks/run.py",
            "work/eval_score.py",
            "work/src/main.rs",
            ".gemini/config/hooks.json",
            ".gemini/config/mcp_config.json",
            ".local/state/execution-guard/x.json",
        ] {
            let path = home.join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "x\n").unwrap();
        }
        Self(world)
    }

    /// The decision on a line of a fixture.
    fn decide(&self, folder: &str, line: &str) -> Answer {
        let home = self.0.home();
        let here = |text: &str| text.replace(HOME, home.to_str().unwrap());
        let payload = json!({
            "toolCall": {"name": "run_command", "args": {"CommandLine": here(line), "Cwd": here(folder)}},
            "stepIdx": 4, "conversationId": "ec33", "workspacePaths": [home.join("work")],
            "artifactDirectoryPath": home.join(".gemini/antigravity/brain/ec33"),
        });
        let mut machine = self.0.machine();
        let variables = BTreeMap::from([
            ("HOME".to_owned(), home.into_os_string()),
            ("PATH".to_owned(), "/nowhere".into()),
        ]);
        machine.environment = Environment::Given(variables);
        self.0.answer_on(&payload, &machine)
    }
}

/// The lines of a fixture with the folder each runs in.
fn fixture(name: &str) -> Vec<(String, String)> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("shell/tests/data")
        .join(name);
    let mut folder = String::new();
    let mut lines = Vec::new();
    for line in fs::read_to_string(path).unwrap().lines() {
        match line.strip_prefix("@ ") {
            Some(named) => named.clone_into(&mut folder),
            None if line.is_empty() || line.starts_with('#') => {}
            None => lines.push((folder.clone(), line.replace('¶', "\n"))),
        }
    }
    assert!(lines.len() >= 150, "{name} has {} lines", lines.len());
    lines
}

fn assert_none(wrong: &[String]) {
    assert!(
        wrong.is_empty(),
        "{} lines:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

fn differing(name: &str, expected: &str, judged: impl Fn(&str) -> bool) -> Vec<String> {
    let home = Home::new();
    let lines = fixture(name).into_iter().filter(|(_, line)| judged(line));
    let decided = lines.map(|(folder, line)| (home.decide(&folder, &line), folder, line));
    let wrong = decided.filter(|(answer, ..)| answer.decision() != expected);
    let shown = wrong.map(|(answer, folder, line)| {
        format!(
            "{}: {folder}$ {line}\n    {}",
            answer.decision(),
            answer.reason()
        )
    });
    shown.collect()
}

#[test]
fn every_read_of_internal_state_is_refused() {
    // Logs and spilled outputs that are not on this disk are the tools' to report; a home that is named from the root is
    // another one here.
    let is_transcript = |line: &str| {
        !line.contains("task") && !line.contains("steps") && !line.starts_with("cd / ")
    };
    assert_none(&differing("reads_internal.txt", "deny", is_transcript));
}

#[test]
fn a_search_by_name_from_above_finds_every_kind_of_internal_file() {
    let home = Home::new();
    let decision = |line: &str| home.decide("/home/dev/work", line).decision().to_owned();
    for line in [
        r"find ~/.gemini -name transcript_full.jsonl -exec head {} \;",
        "find ~ -name 'transcript_*.jsonl' | xargs head",
        "find ~/.gemini -name 0000001.jsonl | xargs cat",
        "cat $(find ~/.gemini -name output.txt -newer README.md)",
        "f=$(find ~/.gemini -name output.txt | sort | tail -1); head -c 2000 \"$f\"",
        r"find ~/.gemini -path '*/steps/17/output.txt' -exec head {} \;",
        r"find ~/.gemini -name 'task-*.log' -exec tail {} \;",
        "find ~ -name task-12.log | xargs tail",
        "find ~ -name '*.log' -mmin -5 | xargs tail",
        "fd -H transcript_full ~/.gemini -x cat",
    ] {
        assert_eq!(decision(line), "deny", "{line}");
    }
    for line in [
        "find ~/.gemini -name output.txt",
        "rtk read \"$(find ~/.gemini -name output.txt | tail -1)\"",
        "find ~ -name notes.txt -exec cat {} +",
        "find ~/work -name '*.log' -exec tail {} +",
        "cat $(find . -name output.txt)",
    ] {
        assert_eq!(decision(line), "allow", "{line}");
    }
}

#[test]
fn a_program_is_where_which_finds_it() {
    let world = World::new();
    for file in ["benchmarks/judge", "bin/tool"] {
        world.file(file, "x");
    }
    let folders = ["bin", "benchmarks"].map(|name| world.workspace().join(name));
    let path = std::env::join_paths(folders).unwrap();
    let mut machine = world.machine();
    machine.environment = Environment::Given(BTreeMap::from([
        ("HOME".to_owned(), world.home().into_os_string()),
        ("PATH".to_owned(), path),
    ]));
    let decide = |line: &str| {
        let cwd = world.workspace();
        let arguments = json!({"CommandLine": line, "Cwd": cwd});
        let payload = json!({
            "toolCall": {"name": "run_command", "args": arguments}, "workspacePaths": [cwd],
        });
        world.answer_on(&payload, &machine).decision().to_owned()
    };
    for line in [
        "cp target/x \"$(which judge)\"",
        "rm $(command -v judge)",
        "chmod -x `type -P judge`",
        "which judge | xargs rm",
    ] {
        assert_eq!(decide(line), "force_ask", "{line}");
    }
    for line in [
        "cp target/x \"$(which tool)\"",
        "cp \"$(which judge)\" tmp/x",
        "file $(which judge)",
        "$(which judge) --fast",
        "rm $(which absent)",
    ] {
        assert_eq!(decide(line), "allow", "{line}");
    }
}

#[test]
fn what_only_speaks_of_internal_state_is_allowed() {
    // A write into internal state is no read of it, and the user's to allow.
    assert_none(&differing("reads_no_internal.txt", "allow", |line| {
        !line.contains("> .system_generated")
    }));
}

#[test]
fn every_change_of_a_benchmark_or_of_the_governor_is_asked_about() {
    assert_none(&differing("mutates.txt", "force_ask", |_| true));
}

#[test]
fn reads_and_runs_of_benchmarks_are_free() {
    assert_none(&differing("mutates_nothing.txt", "allow", |_| true));
}

#[test]
fn of_the_lines_that_agents_really_issued_none_is_refused_without_ground() {
    let path =
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("shell/tests/data/real_commands.jsonl");
    let home = Home::new();
    let mut refused = Vec::new();
    for record in fs::read_to_string(path).unwrap().lines() {
        let record: Value = serde_json::from_str(record).unwrap();
        let line = record["line"].as_str().unwrap();
        let answer = home.decide("/home/dev/work", line);
        if answer.decision() != "allow" {
            refused.push(format!(
                "{}: {line}\n    {}",
                answer.decision(),
                answer.reason()
            ));
        }
    }
    assert_none(&refused);
}

#[test]
fn the_ways_out_of_the_guard_belong_to_the_user() {
    let home = Home::new();
    let decision = |line: &str| home.decide("/home/dev/work", line).decision().to_owned();
    for line in [
        "execution-guard state reset",
        "execution-guard uninstall",
        "~/.local/bin/execution-guard rollback",
        "sudo execution-guard-cli state reset --conversation x",
        "cd /x && bash -c 'execution-guard uninstall'",
        "sh install/install.sh --uninstall",
        "bash -e install/install.sh --uninstall",
        "execution-guard state --conversation c1 reset",
        "execution-guard -- uninstall",
        "execution-guard $ACTION",
    ] {
        assert_eq!(decision(line), "force_ask", "{line}");
    }
    for line in [
        "execution-guard state show",
        "execution-guard status",
        "echo execution-guard uninstall",
    ] {
        assert_eq!(decision(line), "allow", "{line}");
    }
}

#[test]
fn a_glob_is_a_change_of_what_it_meets_on_the_disk() {
    let mut world = World::new();
    world.file("main.py", "x");
    let cwd = world.workspace();
    let run = |world: &mut World, line: &str| {
        world
            .call("run_command", json!({"CommandLine": line, "Cwd": cwd}))
            .decision()
            .to_owned()
    };
    assert_eq!(run(&mut world, "sed -i s/a/b/ *.py"), "allow");
    assert_eq!(run(&mut world, "rm -rf */"), "allow");
    let each = "git ls-files | while read f; do echo x >> \"$f\"; done";
    let beside = "git ls-files | while read f; do wc -l \"$f\" > \"$f.count\"; done";
    assert_eq!(run(&mut world, each), "allow");
    world.file("eval_score.py", "x");
    world.file("deep/scoring/a.txt", "x");
    assert_eq!(run(&mut world, "sed -i s/a/b/ *.py"), "force_ask");
    assert_eq!(run(&mut world, "rm -rf */s*"), "force_ask");
    assert_eq!(run(&mut world, "sed -i s/a/b/ m*.py"), "allow");
    assert_eq!(run(&mut world, "rm **/*.txt"), "force_ask");
    let loops = "for f in **/*.txt; do echo x > \"$f\"; done";
    assert_eq!(run(&mut world, loops), "force_ask");
    assert_eq!(run(&mut world, "rm **/*.log"), "allow");
    let made = "for d in d*/s*; do touch $d/new; done";
    assert_eq!(run(&mut world, made), "force_ask");
    assert_eq!(run(&mut world, each), "force_ask");
    assert_eq!(run(&mut world, beside), "allow");
    assert_eq!(
        run(
            &mut world,
            "for f in $(git ls-files); do cp main.py \"$f\"; done"
        ),
        "force_ask"
    );
}

#[test]
fn a_protected_name_is_one_in_whatever_folder_the_shell_finds() {
    let home = Home::new();
    let asked = [
        "cd \"$(npm prefix)\" && sed -i s/a/b/ eval_score.py",
        "ROOT=\"$(dirname \"$(git rev-parse --git-dir)\")\"; cp src/main.rs \"$ROOT/eval_score.py\"",
        "D=$(find_root); rm \"$D\"/eval_*",
        "git -C \"$ROOT\" checkout main -- eval_score.py",
        "rm \"$ROOT/.agents/hooks.json\"",
        "cd \"$ROOT\" && echo {} > .gemini/config/hooks.json",
    ];
    let passed = [
        "rm \"$OUT/eval.log\"",
        "cd \"$OUT\" && sed -i s/a/b/ src/main.rs",
        "cat \"$ROOT/eval_score.py\"",
        "cp \"$ROOT/eval_score.py\" copy.py",
        "echo {} > \"$OUT/hooks.json\"",
    ];
    for line in asked {
        let answer = home.decide("/home/dev/work", line);
        assert_eq!(answer.decision(), "force_ask", "{line}");
    }
    for line in passed {
        let answer = home.decide("/home/dev/work", line);
        assert_eq!(answer.decision(), "allow", "{line}");
    }
}

#[test]
fn code_that_changes_what_it_finds_is_judged_by_where_it_looks() {
    let home = Home::new();
    let decision = |line: &str| {
        let answer = home.decide("/home/dev/work", &line.replace('¶', "\n"));
        answer.decision().to_owned()
    };
    for line in [
        r#"python3 -c "from pathlib import Path¶for p in Path('src').rglob('*.py'): p.write_text(p.read_text().replace('x','y'))""#,
        r#"python3 -c "from pathlib import Path¶for p in sorted(Path('src').rglob('*.py')): p.write_text(p.read_text().replace('x','y'))""#,
        r#"python3 -c "from pathlib import Path¶for p in list(Path('src').glob('**/*.py')): p.unlink()""#,
        r#"python3 -c "from pathlib import Path¶for i, p in enumerate(Path('src').rglob('*.py')): p.write_text('y')""#,
        r#"python3 -c "from pathlib import Path¶root=Path('src')¶for p in root.rglob('*.py'): p.write_text(p.read_text().replace('x','y'))""#,
        r#"python3 -c "from pathlib import Path¶for p in (Path('src')/'api').rglob('*.py'): p.write_text(p.read_text().replace('x','y'))""#,
        r#"python3 -c "from pathlib import Path¶for p in Path('/srv/x').rglob('*.py'): p.write_text(p.read_text().replace('x','y'))""#,
        r#"python3 -c "from pathlib import Path; [p.unlink() for p in Path('src').rglob('*.py')]""#,
        r#"python3 -c "import glob¶for p in glob.glob('src/**/*.py', recursive=True): open(p,'w').write('x')""#,
        r#"python3 -c "import os¶for d,_,fs in os.walk('src'):¶  for f in fs:¶    if f.endswith('.py'): open(os.path.join(d,f),'w').write('x')""#,
    ] {
        assert_eq!(decision(line), "allow", "{line}");
    }
    for line in [
        r#"python3 -c "from pathlib import Path¶for p in Path('.').rglob('*.py'): p.write_text('')""#,
        r#"python3 -c "from pathlib import Path¶root=Path('benchmarks')¶for p in sorted(root.rglob('*.py')): p.write_text('')""#,
        r#"python3 -c "import os¶for d,_,fs in os.walk('.'):¶  for f in fs:¶    if f.endswith('.py'): os.remove(os.path.join(d,f))""#,
        r#"python3 -c "from pathlib import Path; d=Path('.agents'); (d/'hooks.json').unlink()""#,
    ] {
        assert_eq!(decision(line), "force_ask", "{line}");
    }
}

#[test]
fn a_registered_workspace_is_worked_in_as_any_other() {
    let home = Home::new();
    let registration = home.0.home().join("work/.agents/hooks.json");
    fs::create_dir_all(registration.parent().unwrap()).unwrap();
    fs::write(&registration, "{}\n").unwrap();
    for line in [
        "git stash",
        "git reset --hard origin/main",
        "black .",
        "npx prettier --write .",
        "find . -name '*.log' -delete",
        "find . -name __pycache__ -type d -exec rm -rf {} +",
        "find . -name '*.rs' -exec sed -i s/a/b/ {} +",
    ] {
        let answer = home.decide("/home/dev/work", line);
        assert_eq!(answer.decision(), "allow", "{line}: {}", answer.reason());
    }
    for line in [
        "git clean -fdx",
        "git rm -r .",
        "git checkout -- .agents",
        "find . -name '*.json' -delete",
        "rm -rf .agents",
        "sed -i s/deny/allow/ .agents/*",
        "prettier --write .agents",
    ] {
        let answer = home.decide("/home/dev/work", line);
        assert_eq!(answer.decision(), "force_ask", "{line}");
    }
}

#[test]
fn copies_of_benchmarks_and_servers_of_what_is_not_the_hosts_are_free() {
    let home = Home::new();
    for line in [
        r#"for f in benchmarks/*.py; do cp "$f" "out/$(basename "$f")"; done"#,
        "for f in benchmarks/*.py; do cp $f $(echo $f | sed 's/benchmarks/out/'); done",
        r#"out=$(mktemp -d); cp -r benchmarks "$out/b"; rm -rf "$out""#,
        "npx http-server src",
        "code .",
    ] {
        let answer = home.decide("/home/dev/work", line);
        assert_eq!(answer.decision(), "allow", "{line}: {}", answer.reason());
    }
    // What an unknown program does with the folder of the hosts' conversations is not known either.
    for line in [
        "npx http-server ~/.gemini",
        "mystery ~/.gemini/antigravity/brain",
    ] {
        let answer = home.decide("/home/dev/work", line);
        assert_eq!(answer.decision(), "deny", "{line}: {}", answer.reason());
    }
}

#[test]
fn a_patch_is_a_change_of_the_files_that_it_names() {
    let mut world = World::new();
    world.file(
        "harmless.diff",
        "--- a/src/a.rs\n+++ b/src/a.rs\n@@ -1 +1 @@\n-a\n+b\n",
    );
    world.file(
        "harmful.diff",
        "--- a/src/a.rs\n+++ b/src/a.rs\n--- a/benchmarks/run.py\n+++ b/benchmarks/run.py\n",
    );
    let cwd = world.workspace();
    for (line, expected) in [
        ("git apply harmless.diff", "allow"),
        ("patch -p1 < harmless.diff", "allow"),
        ("git apply harmful.diff", "force_ask"),
        ("patch -p1 < harmful.diff", "force_ask"),
        ("patch -p1 -i harmful.diff", "force_ask"),
    ] {
        let answer = world.call("run_command", json!({"CommandLine": line, "Cwd": cwd}));
        assert_eq!(answer.decision(), expected, "{line}: {}", answer.reason());
    }
}

#[cfg(unix)]
#[test]
fn links_on_the_disk_are_followed() {
    let mut world = World::new();
    world.user_speaks();
    world.file("benchmarks/run.py", "x");
    let workspace = world.workspace();
    std::os::unix::fs::symlink(world.internal("logs"), workspace.join("logs")).unwrap();
    std::os::unix::fs::symlink(workspace.join("benchmarks"), workspace.join("b")).unwrap();
    for (line, expected) in [
        ("cat logs/transcript.jsonl", "deny"),
        ("grep -r x logs", "deny"),
        ("cat logs/*.jsonl", "deny"),
        ("rm b/run.py", "force_ask"),
        ("cat b/run.py", "allow"),
    ] {
        let answer = world.call(
            "run_command",
            json!({"CommandLine": line, "Cwd": workspace}),
        );
        assert_eq!(answer.decision(), expected, "{line}: {}", answer.reason());
    }
}

#[test]
fn a_line_that_cannot_be_followed_to_its_end_is_judged_by_what_it_names() {
    let home = Home::new();
    let files: Vec<String> = (0..2500).map(|number| format!("f{number}")).collect();
    let many = format!("cat {}", files.join(" "));
    let deep = "( ".repeat(60);
    for (line, expected) in [
        (
            format!(
                "{many}; cat /home/dev/.gemini/antigravity/brain/ec33/.system_generated/logs/x"
            ),
            "deny",
        ),
        (format!("{many}; touch benchmarks/a"), "force_ask"),
        (
            format!("{deep}execution-guard uninstall{}", " )".repeat(60)),
            "force_ask",
        ),
        (format!("{deep}ls{}", " )".repeat(60)), "allow"),
    ] {
        let answer = home.decide("/home/dev/work", &line);
        assert_eq!(
            answer.decision(),
            expected,
            "{}",
            &line[line.len().saturating_sub(80)..]
        );
    }
}

#[test]
fn a_long_line_of_logs_costs_a_bounded_number_of_looks() {
    let mut world = World::with_tools(&["rtk"]);
    let logs: Vec<String> = (0..40)
        .map(|_| {
            let task = world.launch("make");
            world.end(task);
            world.log(task)
        })
        .collect();
    let few = format!("rtk read {}", logs[..3].join(" "));
    world
        .call("run_command", json!({"CommandLine": few}))
        .is("allow");
    let many = format!("rtk read {}", logs.join(" "));
    let refused = world.call("run_command", json!({"CommandLine": many}));
    assert!(
        refused.is("deny").reason().contains("more than 8 files"),
        "{}",
        refused.reason()
    );
}

#[test]
fn an_unknown_working_folder_is_not_the_root() {
    let world = World::new();
    for code in [
        "grep -rn TODO .",
        "tar czf /tmp/x.tgz .",
        "cp -r . /tmp/y",
        "chmod -R u+w .",
    ] {
        let payload = json!({"tool_call": {"name": "code_execution", "args": {"code": code, "language": "bash"}}});
        world.answer(&payload).is("allow");
    }
}
