//! The user's configuration file: what is wrong with it is told, and never loosens anything.

mod common;

use std::fs;

use common::World;
use execution_guard::config::{Config, KEYS};
use serde_json::{Value, json};

/// What `status` says of the settings: outcome, detail and remedy of each line.
fn told(world: &World) -> Vec<[String; 3]> {
    let (out, err, _) = world.run(&["status", "--json", "--no-others"], b"");
    let status: Value = serde_json::from_str(&out).unwrap_or_else(|_| panic!("{out}{err}"));
    let checks = status["checks"].as_array().unwrap().iter();
    checks
        .filter(|check| check["name"] == "settings")
        .map(|check| {
            ["outcome", "detail", "remedy"].map(|key| check[key].as_str().unwrap_or("").to_owned())
        })
        .collect()
}

fn shown(world: &World) -> Value {
    let (out, err, status) = world.run(&["config", "show", "--json"], b"");
    assert_eq!((err.as_str(), status), ("", 0));
    serde_json::from_str(&out).unwrap()
}

fn key<'a>(shown: &'a Value, name: &str) -> &'a Value {
    let mut keys = shown["keys"].as_array().unwrap().iter();
    keys.find(|key| key["key"] == name).unwrap()
}

#[test]
fn status_names_the_line_the_fault_and_the_way_out() {
    let world = World::new();
    world.configure("{\n  \"bounded_view_line\": 9,\n  \"bounded_view_lines\": 9000,\n  \"decision_log\": \"no\"\n}\n",
    );
    let told = told(&world);
    assert_eq!(told.len(), 3);
    for ([outcome, detail, remedy], (line, says, way)) in told.iter().zip([
        (
            "config.json:2",
            "no key `bounded_view_line`",
            "`bounded_view_lines`",
        ),
        ("config.json:3", "a whole number from 1 to 800", "150 holds"),
        (
            "config.json:4",
            "`decision_log` takes true or false",
            "true holds",
        ),
    ]) {
        assert_eq!(outcome, "warning");
        assert!(detail.contains(line) && detail.contains(says), "{detail}");
        assert!(remedy.contains(way), "{remedy}");
    }
}

#[test]
fn status_tells_of_a_file_that_cannot_be_parsed_with_line_and_column() {
    let world = World::new();
    world.configure("{\n  // nothing yet\n}\n");
    let [outcome, detail, remedy] = &told(&world)[0];
    assert_eq!(outcome, "failed");
    assert!(detail.contains("line 2 column 3"), "{detail}");
    assert!(remedy.contains("without comments"), "{remedy}");
}

#[test]
fn status_tells_of_a_file_that_cannot_be_read() {
    let world = World::new();
    let folder = world.home().join(".config/execution-guard");
    fs::create_dir_all(folder.join("config.json")).unwrap();
    let [outcome, detail, _] = &told(&world)[0];
    assert_eq!(outcome, "failed");
    assert!(detail.contains("can't be read"), "{detail}");
    assert_eq!(shown(&world)["state"], "unreadable");
}

#[cfg(unix)]
#[test]
fn what_is_no_file_in_their_place_makes_nobody_wait() {
    let mut world = World::new();
    let folder = world.home().join(".config/execution-guard");
    fs::create_dir_all(&folder).unwrap();
    let file = folder.join("config.json");
    let made = std::process::Command::new("mkfifo").arg(&file).status();
    assert!(made.unwrap().success());
    for _ in 0..2 {
        let payload = world.payload("run_command", json!({"CommandLine": "make"}));
        let (out, _, status) = world.run(&[], payload.to_string().as_bytes());
        assert!(out.contains("allow") && status == 0, "{out}");
        assert_eq!(shown(&world)["state"], "unreadable");
        assert!(told(&world)[0][1].contains("no plain file"));
        fs::remove_file(&file).unwrap();
        std::os::unix::fs::symlink("/dev/zero", &file).unwrap();
    }
}

#[test]
fn good_settings_and_none_are_well() {
    let world = World::new();
    assert_eq!(told(&world), [] as [[String; 3]; 0]);
    world.configure(r#"{"pass_through": "ask", "protected_folders": []}"#);
    assert_eq!(told(&world)[0][0], "ok");
}

#[test]
fn bad_values_loosen_no_protection() {
    let mut world = World::new();
    let benchmark = world.file("benchmarks/speed.py", "x");
    let bad = [
        "[]",
        "{",
        r#"{"protected_folders": "none"}"#,
        r#"{"protected_folders": ["golden", 5]}"#,
        r#"{"protected_folders": ["a/b"], "protected_prefixes": null, "protected_extensions": {}}"#,
    ];
    for text in bad {
        world.configure(text);
        let payload = world.payload("edit_file", json!({"TargetFile": benchmark}));
        let (out, _, _) = world.run(&[], payload.to_string().as_bytes());
        assert!(out.contains("force_ask"), "{text}: {out}");
    }
}

#[test]
fn config_show_tells_every_key_with_what_holds_its_default_and_where_it_is_from() {
    let world = World::new();
    let missing = shown(&world);
    assert_eq!(missing["state"], "missing");
    assert_eq!(missing["keys"].as_array().unwrap().len(), KEYS.len());
    for setting in KEYS {
        let key = key(&missing, setting.name);
        assert_eq!(key["source"], "default");
        assert_eq!(key["value"], setting.get(&Config::default()));
    }
    world.configure("{\"pass_through\": \"ask\",\n\"bounded_view_lines\": 0,\n\"wait_ms_before_async\": 1,\n\"colour\": 1}",
    );
    let read = shown(&world);
    let found = |name: &str| {
        let key = key(&read, name);
        json!([key["value"], key["default"], key["source"], key["line"]])
    };
    assert_eq!(found("pass_through"), json!(["ask", "allow", "file", 1]));
    assert_eq!(found("bounded_view_lines"), json!([1, 150, "corrected", 2]));
    assert_eq!(
        found("wait_ms_before_async"),
        json!([10_000, 10_000, "default", 3])
    );
    assert_eq!(found("decision_log"), json!([true, true, "default", null]));
    assert_eq!(read["problems"].as_array().unwrap().len(), 3);

    let (out, _, status) = world.run(&["config", "show"], b"");
    assert_eq!(status, 0);
    for part in [
        "pass_through = \"ask\"",
        "# line 1; default \"allow\"",
        "bounded_view_lines = 1 ",
        "line 2 can't be used: it takes a whole number from 1 to 800",
        "decision_log = true ",
        "line 4: there is no key `colour`",
    ] {
        assert!(out.contains(part), "{part} in {out}");
    }
}

#[test]
fn the_readme_names_every_key_with_its_default() {
    let readme = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/README.md")).unwrap();
    for key in KEYS {
        let named = format!("`{}`", key.name);
        let row = readme
            .lines()
            .find(|line| line.starts_with('|') && line.contains(&named));
        let row = row.unwrap_or_else(|| panic!("{named} has no row in README.md"));
        let default = key.get(&Config::default());
        if default.is_number() || default.is_string() || default.is_boolean() {
            assert!(row.contains(&default.to_string()), "{default} in {row}");
        }
    }
}
