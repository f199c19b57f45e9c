//! Internal state is not read natively; benchmarks and the governor change only with the user.

mod common;

use std::fs;

use common::{CONVERSATION, World};
use serde_json::json;

#[test]
fn every_native_read_of_a_transcript_is_refused_with_two_ways_to_it() {
    let mut world = World::new();
    world.user_speaks();
    let transcript = world.transcript();
    let full = world.internal("logs/transcript_full.jsonl");
    let chunk = world.internal("logs/chunks/transcript/00000001.jsonl");
    let folder = world.internal("");
    for (tool, args) in [
        ("view_file", json!({"AbsolutePath": transcript})),
        (
            "view_file",
            json!({"AbsolutePath": transcript, "StartLine": 1, "EndLine": 2}),
        ),
        ("read_file", json!({"path": full})),
        ("read_many_files", json!({"paths": ["a", chunk]})),
        ("grep_search", json!({"SearchPath": folder, "Query": "x"})),
        ("list_dir", json!({"DirectoryPath": folder})),
        (
            "find_by_name",
            json!({"SearchDirectory": folder, "Pattern": "*"}),
        ),
    ] {
        let refused = world.call(tool, args);
        refused.is("deny");
        let reason = refused.reason();
        assert!(
            reason.contains("read_transcript") && reason.contains("query_transcript"),
            "{reason}"
        );
        let command = refused.commands()[0].to_owned();
        assert!(
            command.contains(&format!("transcript read --conversation {CONVERSATION}")),
            "{command}"
        );
    }
}

#[test]
fn a_path_is_judged_after_what_a_file_system_does_to_it() {
    let mut world = World::new();
    world.user_speaks();
    let brain = world.artifacts();
    let brain = brain.to_str().unwrap().to_owned();
    let link = world.workspace().join("link");
    #[cfg(unix)]
    std::os::unix::fs::symlink(world.internal("logs"), &link).unwrap();
    let from_home = format!("~/.gemini/antigravity/brain/{CONVERSATION}");
    for path in [
        format!("{brain}/x/../.system_generated/logs/transcript.jsonl"),
        format!("{brain}//.system_generated/./logs/transcript.jsonl"),
        format!("file://{brain}/.system_generated/logs/transcript.jsonl"),
        format!("file://{brain}/%2Esystem_generated/logs/transcript.jsonl"),
        format!("{from_home}/.system_generated/logs/transcript.jsonl"),
        format!("\"{brain}/.system_generated/logs/transcript.jsonl\""),
        format!("{}/transcript.jsonl", link.display()),
        "link/transcript.jsonl".to_owned(),
        "../home/.gemini/antigravity/brain/1afed0731d3375b5ce77ece98355e9a3/.system_generated/x"
            .to_owned(),
    ] {
        world
            .call("view_file", json!({"AbsolutePath": path}))
            .is("deny");
    }
}

#[test]
fn a_search_of_a_folder_above_is_refused_and_a_listing_is_not() {
    let mut world = World::new();
    world.user_speaks();
    for folder in [
        world.home(),
        world.home().join(".gemini"),
        world.artifacts(),
        "/".into(),
    ] {
        world
            .call("grep_search", json!({"SearchPath": folder, "Query": "x"}))
            .is("deny");
        world
            .call("list_dir", json!({"DirectoryPath": folder}))
            .is("allow");
        world
            .call(
                "find_by_name",
                json!({"SearchDirectory": folder, "Pattern": "*"}),
            )
            .is("allow");
    }
    let media = world.artifacts().join("media");
    world
        .call("grep_search", json!({"SearchPath": media, "Query": "x"}))
        .is("allow");
}

#[test]
fn spillover_is_read_through_rtk() {
    let mut world = World::with_tools(&["rtk"]);
    let output = world.internal("steps/7/output.txt");
    fs::create_dir_all(output.parent().unwrap()).unwrap();
    fs::write(&output, "x\n").unwrap();
    let refused = world.call("view_file", json!({"AbsolutePath": output}));
    assert_eq!(
        refused.is("deny").commands(),
        [format!("rtk read {}", output.display())]
    );
}

#[test]
fn changes_of_benchmarks_are_the_users_to_allow() {
    let mut world = World::new();
    for path in [
        "benchmarks/run.py",
        "src/../evaluator/score.py",
        "deep/Ground_Truth/a.json",
        "prompt_templates/x.txt",
        "eval_model.py",
        "t/bench_io.toml",
    ] {
        for tool in [
            "write_to_file",
            "replace_file_content",
            "multi_replace_file_content",
            "create_file",
            "edit_file",
        ] {
            let asked = world.call(
                tool,
                json!({"TargetFile": world.workspace().join(path), "CodeContent": "x"}),
            );
            assert!(
                asked.is("force_ask").reason().contains("benchmark"),
                "{}",
                asked.reason()
            );
        }
    }
    for path in ["src/main.rs", "benches/hook.rs", "docs/evaluate.md"] {
        world
            .call(
                "write_to_file",
                json!({"TargetFile": world.workspace().join(path)}),
            )
            .is("allow");
        world
            .call(
                "edit_file",
                json!({"file_path": world.workspace().join(path)}),
            )
            .is("allow");
    }
    world
        .call(
            "edit_file",
            json!({"path": "src/a", "TargetFile": "benchmarks/a"}),
        )
        .is("force_ask");
}

#[test]
fn reading_a_benchmark_is_free() {
    let mut world = World::new();
    let path = world.file("benchmarks/run.py", "print(1)\n");
    world
        .call("view_file", json!({"AbsolutePath": path}))
        .is("allow");
}

#[test]
fn changes_of_the_governor_are_the_users_to_allow() {
    let mut world = World::new();
    for path in [
        world.home().join(".gemini/config/hooks.json"),
        world.home().join(".gemini/config/plugins/rtk/hooks.json"),
        world.home().join(".gemini/antigravity-ide/hooks.json"),
        world.home().join(".gemini/config/mcp_config.json"),
        world.workspace().join(".agents/hooks.json"),
        world.state_dir().join("x.json"),
        world.home().join(".config/execution-guard/config.json"),
        world.transcript(),
    ] {
        world
            .call("write_to_file", json!({"TargetFile": path}))
            .is("force_ask");
    }
    world
        .call(
            "write_to_file",
            json!({"TargetFile": world.workspace().join("hooks.json")}),
        )
        .is("allow");
}

#[cfg(unix)]
#[test]
fn a_link_to_a_protected_file_is_that_file() {
    let mut world = World::new();
    world.file("benchmarks/run.py", "x");
    let link = world.workspace().join("harmless.py");
    std::os::unix::fs::symlink(world.workspace().join("benchmarks/run.py"), &link).unwrap();
    world
        .call("write_to_file", json!({"TargetFile": link}))
        .is("force_ask");
}

#[cfg(unix)]
#[test]
fn a_link_to_a_protected_file_that_is_still_to_be_made_is_that_file() {
    let mut world = World::new();
    fs::create_dir(world.workspace().join("scoring")).unwrap();
    for (name, target) in [
        ("new.py", "scoring/new.py"),
        ("chain.py", "new.py"),
        ("folder", "benchmarks"),
        ("notes", "src/notes"),
    ] {
        std::os::unix::fs::symlink(target, world.workspace().join(name)).unwrap();
    }
    for (path, decision) in [
        ("new.py", "force_ask"),
        ("chain.py", "force_ask"),
        ("folder/x", "force_ask"),
        ("notes", "allow"),
    ] {
        world
            .call("write_to_file", json!({"TargetFile": path}))
            .is(decision);
    }
}

#[cfg(unix)]
#[test]
fn a_workspace_that_is_reached_through_a_link_is_no_benchmark_by_its_real_name() {
    let mut world = World::new();
    let real = world.root().join("benchmarks/project");
    fs::create_dir_all(real.join("src")).unwrap();
    let link = world.root().join("project");
    std::os::unix::fs::symlink(&real, &link).unwrap();
    for folder in [&real, &link] {
        for (path, decision) in [("src/a.py", "allow"), ("scoring/a.py", "force_ask")] {
            let args = json!({"TargetFile": folder.join(path)});
            let mut payload = world.payload("write_to_file", args);
            payload["workspacePaths"] = json!([link]);
            world.answer(&payload).is(decision);
            let line = format!("echo x > {}", folder.join(path).display());
            let mut payload = world.payload("run_command", json!({"CommandLine": line}));
            payload["workspacePaths"] = json!([link]);
            world.answer(&payload).is(decision);
        }
    }
}

#[test]
fn a_folder_above_the_governor_or_internal_state_is_the_users_to_remove() {
    let mut world = World::new();
    let hosts = world.home().join(".gemini");
    fs::create_dir_all(hosts.join("config")).unwrap();
    fs::write(hosts.join("config/hooks.json"), "{}").unwrap();
    fs::create_dir_all(world.state_dir()).unwrap();
    let agents = world.root().join("elsewhere/.agents");
    fs::create_dir_all(&agents).unwrap();
    fs::write(agents.join("hooks.json"), "{}").unwrap();
    fs::create_dir_all(world.workspace().join("src")).unwrap();
    for path in [
        hosts.join("config"),
        hosts,
        world.home(),
        world.state_dir(),
        world.artifacts(),
        agents,
    ] {
        world
            .call("delete_file", json!({"path": path}))
            .is("force_ask");
    }
    let harmless = world.workspace().join("src");
    world
        .call("delete_file", json!({"path": harmless}))
        .is("allow");
}

#[cfg(unix)]
#[test]
fn the_command_that_a_refusal_prints_leads_to_the_conversation() {
    let mut world = World::new();
    world.user_speaks();
    let payload = world.payload("view_file", json!({"AbsolutePath": world.transcript()}));
    let (out, _, _) = world.run(&[], payload.to_string().as_bytes());
    let answer = common::Answer(serde_json::from_str(&out).unwrap());
    let commands: Vec<String> = answer
        .is("deny")
        .commands()
        .iter()
        .map(|c| (*c).to_owned())
        .collect();
    assert_eq!(commands.len(), 2);
    for command in commands {
        let command = command.replace(" TEXT", " 'is it done'");
        let ran = std::process::Command::new("/bin/sh")
            .args(["-c", &command])
            .env("HOME", world.home())
            .output()
            .unwrap();
        let page = String::from_utf8(ran.stdout).unwrap();
        assert!(ran.status.success(), "{command}");
        assert!(page.contains("is it done?"), "{command}: {page}");
    }
}
