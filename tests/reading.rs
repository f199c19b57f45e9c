//! Native reads and searches: what is bounded runs, what is not goes through rtk, and the reason says true things.

mod common;

use std::fs;

use common::World;
use serde_json::json;

const LONG: &str = "line\n";

fn world_with_long_file() -> (World, String) {
    let world = World::with_tools(&["rtk", "rg"]);
    let file = world.file("long.rs", LONG.repeat(400));
    (world, file)
}

#[test]
fn a_range_is_bounded_by_what_it_shows_however_it_is_written() {
    let (mut world, file) = world_with_long_file();
    for (start, end) in [
        (json!(1), json!(150)),
        (json!("200"), json!("349")),
        (json!(300), json!(null)),
        (json!(0), json!(150)),
    ] {
        let args = json!({"AbsolutePath": file, "StartLine": start, "EndLine": end});
        world.call("view_file", args).is("allow");
    }
    for (start, end) in [
        (json!(1), json!(151)),
        (json!(1), json!(u64::MAX)),
        (json!("1"), json!(u64::MAX.to_string())),
        // Nothing, to a host that counts lines from 1.
        (json!(0), json!(0)),
        (json!(1), json!(0)),
        (json!(null), json!("0")),
    ] {
        let args = json!({"AbsolutePath": file, "StartLine": start, "EndLine": end});
        let refused = world.call("view_file", args);
        assert_eq!(refused.is("deny").commands().len(), 1, "{start} to {end}");
    }
}

#[test]
fn the_reason_of_a_refused_read_is_a_fact() {
    let mut world = World::with_tools(&["rtk"]);
    let short = world.file("short.rs", "x\n");
    let one_line = world.file("bundle.js", "x".repeat(3 << 20));
    let read = world.call("read_file", json!({"path": short}));
    assert!(
        !read.is("deny").reason().contains("1 lines"),
        "{}",
        read.reason()
    );
    assert!(
        !read.reason().contains("fill your context"),
        "{}",
        read.reason()
    );
    let view = world.call("view_file", json!({"AbsolutePath": one_line}));
    assert!(
        !view.is("deny").reason().contains("whole file of more than"),
        "{}",
        view.reason()
    );
    assert!(view.reason().contains("3145728 bytes"), "{}", view.reason());
    let none = world.call("read_many_files", json!({"paths": []}));
    assert!(
        none.is("deny").reason().contains("`Paths`"),
        "{}",
        none.reason()
    );
}

#[cfg(unix)]
#[test]
fn a_workspace_is_the_same_under_every_name() {
    let (mut world, file) = world_with_long_file();
    let link = world.root().join("link");
    std::os::unix::fs::symlink(world.workspace(), &link).unwrap();
    let dotted = world.workspace().join("../workspace");
    for workspace in [link, dotted] {
        let mut payload = world.payload("view_file", json!({"AbsolutePath": file}));
        payload["workspacePaths"] = json!([workspace]);
        world.answer(&payload).is("deny");
    }
}

#[test]
fn a_search_without_a_path_is_one_of_the_workspace() {
    let mut world = World::with_tools(&["rtk", "rg"]);
    fs::create_dir_all(world.home().join("project")).unwrap();
    let home = world.home();
    let mut reasons = Vec::new();
    for args in [
        json!({"Query": "x"}),
        json!({"Query": "x", "SearchPath": home}),
    ] {
        let mut payload = world.payload("grep_search", args);
        payload["workspacePaths"] = json!([home]);
        let refused = world.answer(&payload);
        assert!(
            refused.is("deny").commands().is_empty(),
            "{}",
            refused.reason()
        );
        reasons.push(refused.reason().to_owned());
    }
    assert_eq!(reasons[0], reasons[1]);
    assert!(
        !reasons[0].contains("workspace"),
        "it is the workspace: {}",
        reasons[0]
    );
    let args = json!({"Query": "x", "SearchPath": home});
    let refused = world.call("grep_search", args);
    let workspace = world.workspace();
    assert!(
        refused
            .is("deny")
            .reason()
            .contains(workspace.to_str().unwrap())
    );
}
