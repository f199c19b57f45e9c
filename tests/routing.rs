//! Native reads and searches of the workspace are answered with the rtk command that does the same; what only the native
//! tool can do well passes. That the commands do the same is proved with the real rtk in the crate `rtk`.

mod common;

use common::World;
use serde_json::{Value, json};

fn lines(count: usize) -> String {
    "fn line() {}\n".repeat(count)
}

#[test]
fn a_view_is_allowed_up_to_the_bound_and_routed_beyond_it() {
    let mut world = World::with_tools(&["rtk"]);
    let short = world.file("short.rs", lines(150));
    let long = world.file("long.rs", lines(151));
    let view = |world: &mut World, path: &str, start: Value, end: Value| {
        world.call(
            "view_file",
            json!({"AbsolutePath": path, "StartLine": start, "EndLine": end}),
        )
    };
    view(&mut world, &short, Value::Null, Value::Null).is("allow");
    for (start, end) in [(1, 150), (2, 151), (100, 100), (1, 1)] {
        view(&mut world, &long, json!(start), json!(end)).is("allow");
    }
    view(&mut world, &long, json!(2), Value::Null).is("allow");
    view(&mut world, &long, Value::Null, json!(150)).is("allow");
    let whole = view(&mut world, &long, Value::Null, Value::Null);
    assert_eq!(whole.is("deny").commands(), [format!("rtk read {long}")]);
    assert!(
        whole.reason().contains("at most 150 lines"),
        "{}",
        whole.reason()
    );
    let range = view(&mut world, &long, json!(1), json!(151));
    assert_eq!(
        range.is("deny").commands(),
        [format!("rtk read {long} --head-lines 151")]
    );
    view(&mut world, &long, json!("1"), json!(u64::MAX)).is("deny");
    view(&mut world, &long, json!(0), json!(0)).is("deny");
}

#[test]
fn a_file_that_the_host_would_cut_off_is_routed_with_the_way_to_the_rest() {
    let mut world = World::with_tools(&["rtk"]);
    let (fits, cut) = (
        world.file("fits.rs", lines(200)),
        world.file("cut.rs", lines(700)),
    );
    for (file, is_cut) in [(fits, false), (cut, true)] {
        let answer = world.call("view_file", json!({"AbsolutePath": file}));
        assert_eq!(answer.is("deny").commands(), [format!("rtk read {file}")]);
        assert_eq!(answer.reason().contains("the last 8 KB"), is_cut);
    }
}

#[test]
fn the_bound_is_the_users_to_set() {
    let mut world = World::with_tools(&["rtk"]);
    world.config.bounded_view_lines = 10;
    let file = world.file("a.rs", lines(11));
    world
        .call("view_file", json!({"AbsolutePath": file}))
        .is("deny");
    world
        .call(
            "view_file",
            json!({"AbsolutePath": file, "StartLine": 2, "EndLine": 11}),
        )
        .is("allow");
}

#[test]
fn whole_reads_are_routed_whatever_their_length() {
    let mut world = World::with_tools(&["rtk"]);
    let (a, b) = (world.file("a.rs", lines(3)), world.file("b c.rs", lines(3)));
    let one = world.call("read_file", json!({"path": a}));
    assert_eq!(one.is("deny").commands(), [format!("rtk read {a}")]);
    let many = world.call("read_many_files", json!({"paths": [a, b]}));
    assert_eq!(many.is("deny").commands(), [format!("rtk read {a} '{b}'")]);
}

#[test]
fn searches_and_listings_are_routed_with_what_they_ask_for() {
    let mut world = World::with_tools(&["rtk", "rg"]);
    world.file("src/main.rs", "fn main() {}\n");
    let root = world.workspace();
    let root = root.to_str().unwrap();
    for (tool, args, command) in [
        (
            "grep_search",
            json!({"SearchPath": root, "Query": "it's", "MatchPerLine": true, "Includes": ["*.rs"]}),
            format!(r"rtk rg -n -F -g '*.rs' -- 'it'\''s' {root}"),
        ),
        (
            "grep_search",
            json!({"SearchPath": root, "Query": "f.*n", "IsRegex": "true", "CaseInsensitive": true}),
            format!("rtk rg -l -i -- 'f.*n' {root}"),
        ),
        (
            "list_dir",
            json!({"DirectoryPath": root}),
            format!("rtk ls {root} -a"),
        ),
    ] {
        let refused = world.call(tool, args);
        assert_eq!(refused.is("deny").commands(), [command]);
    }
    let find = world.call(
        "find_by_name",
        json!({"SearchDirectory": root, "Pattern": "*.rs", "Type": "file"}),
    );
    assert!(
        find.is("deny").commands()[0].starts_with(&format!("rtk find {root} ")),
        "{}",
        find.reason()
    );
}

#[test]
fn what_only_the_native_tool_does_well_passes() {
    let mut world = World::with_tools(&["rtk", "rg"]);
    let long = lines(500);
    for name in [
        "SKILL.md",
        "AGENTS.md",
        "sub/GEMINI.md",
        "CLAUDE.md",
        ".agents/rules/style.md",
        "skills/x/run.py",
        "picture.png",
        "paper.pdf",
    ] {
        let path = world.file(name, &long);
        world
            .call("view_file", json!({"AbsolutePath": path}))
            .is("allow");
    }
    let binary = world.file("data.bin", [0, 159, 146, 150]);
    world
        .call("view_file", json!({"AbsolutePath": binary}))
        .is("allow");
    let missing = world.workspace().join("missing.rs");
    world
        .call("view_file", json!({"AbsolutePath": missing}))
        .is("allow");
    world
        .call("list_dir", json!({"DirectoryPath": missing}))
        .is("allow");
    world
        .call("grep_search", json!({"SearchPath": missing, "Query": "x"}))
        .is("allow");
    let outside = world.root().join("outside.rs");
    std::fs::write(&outside, &long).unwrap();
    world
        .call("view_file", json!({"AbsolutePath": outside}))
        .is("allow");
    let plan = world.artifacts().join("plan.md");
    std::fs::write(&plan, &long).unwrap();
    world
        .call("view_file", json!({"AbsolutePath": plan}))
        .is("allow");
}

#[test]
fn without_rtk_native_tools_pass_and_explain_says_so() {
    let mut world = World::new();
    let long = world.file("long.rs", lines(500));
    let root = world.workspace();
    for (tool, args) in [
        ("view_file", json!({"AbsolutePath": long})),
        ("read_file", json!({"path": long})),
        ("grep_search", json!({"SearchPath": root, "Query": "x"})),
        (
            "find_by_name",
            json!({"SearchDirectory": root, "Pattern": "*"}),
        ),
        ("list_dir", json!({"DirectoryPath": root})),
    ] {
        world.call(tool, args).is("allow");
    }
    let payload = world
        .payload("view_file", json!({"AbsolutePath": long}))
        .to_string();
    let (out, _, _) = world.run(&["explain"], payload.as_bytes());
    assert!(out.contains("no rtk on this machine"), "{out}");
}

#[cfg(unix)]
#[test]
fn a_workspace_that_is_named_by_a_link_is_the_same() {
    let mut world = World::with_tools(&["rtk"]);
    let long = world.file("long.rs", lines(500));
    let link = world.root().join("link");
    std::os::unix::fs::symlink(world.workspace(), &link).unwrap();
    world
        .call("view_file", json!({"AbsolutePath": link.join("long.rs")}))
        .is("deny");
    let mut payload = world.payload("view_file", json!({"AbsolutePath": long}));
    payload["workspacePaths"] = json!([link]);
    world.answer(&payload).is("deny");
}

#[test]
fn a_running_log_in_a_workspace_that_is_the_home_is_the_lifecycles() {
    let mut world = World::with_tools(&["rtk"]);
    let task = world.launch("make");
    let log = world.log(task);
    std::fs::write(&log, lines(500)).unwrap();
    for expected in ["deny", "deny", "deny", "deny", "force_ask"] {
        let mut payload = world.payload("view_file", json!({"AbsolutePath": log}));
        payload["workspacePaths"] = json!([world.home()]);
        let answer = world.answer(&payload);
        assert!(
            answer.is(expected).commands().is_empty(),
            "{}",
            answer.reason()
        );
    }
}
