//! The server, spoken to by hand: one line of JSON a message, and nothing else on its standard output.

mod common;

use common::{Server, add, home, record, turns};
use serde_json::{Value, json};

const TOOLS: [&str; 6] = [
    "check_context_health",
    "get_installation_status",
    "query_transcript",
    "read_transcript",
    "subagent_brief",
    "sync_installation",
];

#[test]
fn a_ping_is_answered_before_and_after_the_handshake() {
    let home = home();
    let mut server = Server::ready(home.path());
    assert_eq!(server.ask("ping", json!({}))["result"], json!({}));
}

#[test]
fn notifications_get_no_reply() {
    let home = home();
    let mut server = Server::ready(home.path());
    for method in [
        "notifications/initialized",
        "notifications/cancelled",
        "notifications/roots/list_changed",
        "notifications/unknown",
    ] {
        server.say(&json!({"jsonrpc": "2.0", "method": method, "params": {"requestId": 77, "reason": "x"}}));
    }
    // The next line is the answer to this and to nothing before it.
    assert_eq!(server.ask("ping", json!({}))["result"], json!({}));
    assert_eq!(server.close(), (Vec::new(), true));
}

#[test]
fn lines_that_are_no_message_do_no_harm() {
    let home = home();
    let mut server = Server::ready(home.path());
    for noise in [
        json!("text"),
        json!([]),
        json!({"jsonrpc": "2.0"}),
        json!(null),
    ] {
        server.say(&noise);
    }
    server.say(&json!({"jsonrpc": "2.0", "id": "last", "method": "ping"}));
    loop {
        let answer = server.hear();
        if answer["id"] == "last" {
            assert_eq!(answer["result"], json!({}));
            break;
        }
        assert!(answer["error"]["code"].is_i64(), "{answer}");
    }
}

#[test]
fn a_client_that_leaves_at_once_is_no_error() {
    let home = home();
    assert_eq!(Server::start(home.path()).close(), (Vec::new(), true));
    assert_eq!(Server::ready(home.path()).close(), (Vec::new(), true));
}

#[test]
fn an_unknown_method_is_an_error_of_the_protocol() {
    let home = home();
    let mut server = Server::ready(home.path());
    assert_eq!(
        server.ask("tools/destroy", json!({}))["error"]["code"],
        -32601
    );
    assert_eq!(
        server.ask("tools/call", json!({"name": "nope", "arguments": {}}))["error"]["code"],
        -32602
    );
}

#[test]
fn every_tool_says_what_it_takes_in_plain_schemas_and_what_it_does() {
    let home = home();
    let mut server = Server::ready(home.path());
    let answer = server.ask("tools/list", json!({}));
    let tools = answer["result"]["tools"].as_array().unwrap();
    let names: Vec<&str> = tools
        .iter()
        .filter_map(|tool| tool["name"].as_str())
        .collect();
    assert_eq!(names, TOOLS);
    for tool in tools {
        let schema = &tool["inputSchema"];
        assert_eq!(schema["type"], "object");
        assert!(
            tool["description"]
                .as_str()
                .is_some_and(|text| text.len() > 40)
        );
        for (name, property) in schema["properties"].as_object().unwrap() {
            assert!(property["type"].is_string(), "{name}: {property}");
            assert!(
                property["description"]
                    .as_str()
                    .is_some_and(|text| text.len() > 10),
                "{name}: {property}"
            );
        }
        let text = schema.to_string();
        for rare in ["$ref", "anyOf", "oneOf", "null", "$defs"] {
            assert!(!text.contains(rare), "{rare} in {text}");
        }
        let hints = &tool["annotations"];
        assert_eq!(
            hints["readOnlyHint"],
            tool["name"] != "sync_installation",
            "{tool}"
        );
        assert_eq!(hints["openWorldHint"], false);
    }
    let properties = |index: usize| -> Vec<&String> {
        tools[index]["inputSchema"]["properties"]
            .as_object()
            .unwrap()
            .keys()
            .collect()
    };
    for name in ["conversationId", "mode", "lastTurns", "includeThinking"] {
        assert!(properties(3).iter().any(|known| *known == name));
    }
    for name in [
        "conversationId",
        "query",
        "roles",
        "mode",
        "startStep",
        "endStep",
        "lastTurns",
        "includeThinking",
        "includeToolCalls",
        "maxResults",
        "summaryOnly",
        "stepIndex",
        "field",
    ] {
        assert!(properties(2).iter().any(|known| *known == name));
    }
    let mut required = tools[4]["inputSchema"]["required"]
        .as_array()
        .unwrap()
        .clone();
    required.sort_by_key(Value::to_string);
    assert_eq!(required, ["expectedDeliverable", "objective"]);
}

#[test]
fn last_turns_are_read_and_none_is_lost() {
    let home = home();
    add(home.path(), "c1", &turns(30));
    let mut server = Server::ready(home.path());
    for asked in [1, 2, 3, 7] {
        let page = server
            .call(
                "read_transcript",
                json!({"conversationId": "c1", "lastTurns": asked}),
            )
            .unwrap();
        for turn in 30 - asked..30 {
            assert!(
                page.contains(&format!("> wish {turn}\n"))
                    && page.contains(&format!("> answer {turn}\n")),
                "{page}"
            );
        }
        assert!(!page.contains(&format!("> wish {}\n", 29 - asked)));
    }
    let three = server.call("read_transcript", json!({})).unwrap();
    assert_eq!(three.matches("> wish ").count(), 3);
    let (mut seen, mut arguments) = (Vec::new(), json!({"lastTurns": 0}));
    loop {
        let page = server.call("read_transcript", arguments).unwrap();
        let wishes = page.lines().filter_map(|line| line.strip_prefix("> wish "));
        seen.splice(0..0, wishes.map(|turn| turn.parse::<u64>().unwrap()));
        let Some(at) = page.find("beforeStep=") else {
            break;
        };
        let digits: String = page[at + 11..]
            .chars()
            .take_while(char::is_ascii_digit)
            .collect();
        arguments = json!({"lastTurns": 0, "beforeStep": digits});
    }
    assert_eq!(seen, (0..30).collect::<Vec<u64>>());
}

#[test]
fn a_pattern_that_backtracks_elsewhere_is_answered() {
    let home = home();
    add(
        home.path(),
        "c1",
        &[record(0, "MODEL", "GENERIC", &("a".repeat(200_000) + "!"))],
    );
    let mut server = Server::ready(home.path());
    for regex in [json!(true), json!(null)] {
        let page = server
            .call(
                "query_transcript",
                json!({"query": "(a+)+$", "regex": regex}),
            )
            .unwrap();
        assert!(page.contains("0 records"), "{page}");
    }
    let error = server
        .call(
            "query_transcript",
            json!({"query": "(a{1000}){1000}", "regex": true}),
        )
        .unwrap_err();
    assert!(error.contains("Mend it"), "{error}");
}

#[test]
fn a_step_over_24_000_characters_is_shown_cut_and_can_be_had_whole() {
    let home = home();
    let long: String = (0..6000).map(|n| format!("word{n} ")).collect();
    add(
        home.path(),
        "c1",
        &[record(7, "MODEL", "RUN_COMMAND", &long)],
    );
    let mut server = Server::ready(home.path());
    let page = server
        .call("query_transcript", json!({"stepIndex": 7}))
        .unwrap();
    assert!(page.len() <= 16 * 1024 && page.contains("word0 word1"));
    let (mut whole, mut offset) = (String::new(), json!(0));
    loop {
        let page = server
            .call(
                "query_transcript",
                json!({"stepIndex": 7, "field": "content", "offset": offset}),
            )
            .unwrap();
        whole += page
            .split("```text\n")
            .nth(1)
            .unwrap()
            .split("\n```\n")
            .next()
            .unwrap();
        let Some(at) = page.find("offset=") else {
            break;
        };
        offset = page[at + 7..]
            .chars()
            .take_while(char::is_ascii_digit)
            .collect::<String>()
            .into();
    }
    assert_eq!(whole, long);
}

#[test]
fn an_id_that_is_a_path_reads_nothing() {
    let home = home();
    add(home.path(), "c1", &turns(1));
    std::fs::write(home.path().join("secret.jsonl"), "secret").unwrap();
    let mut server = Server::ready(home.path());
    for id in ["..", "../../../..", "c1/../c1", "/etc/passwd", "%2e%2e"] {
        for tool in [
            "read_transcript",
            "query_transcript",
            "check_context_health",
        ] {
            let error = server
                .call(tool, json!({"conversationId": id}))
                .unwrap_err();
            assert!(
                error.contains("no conversation id") && error.contains("newest"),
                "{error}"
            );
        }
    }
    let error = server
        .call(
            "check_context_health",
            json!({"transcriptPath": "/etc/passwd"}),
        )
        .unwrap_err();
    assert!(error.contains("transcript.jsonl"), "{error}");
}

#[test]
fn wrong_arguments_are_errors_of_the_tool_that_name_the_argument_and_the_remedy() {
    let home = home();
    add(home.path(), "c1", &turns(1));
    let mut server = Server::ready(home.path());
    for (tool, arguments, says) in [
        ("read_transcript", json!({"lastTurn": 3}), "lastTurns"),
        (
            "read_transcript",
            json!({"lastTurns": "many"}),
            "lastTurns: ",
        ),
        ("read_transcript", json!({"lastTurns": -1}), "lastTurns: "),
        (
            "read_transcript",
            json!({"mode": "brief"}),
            "mode: unknown variant `brief`, expected `compact` or `full`",
        ),
        ("read_transcript", json!({"maxBytes": 5}), "2048 to 262144"),
        ("query_transcript", json!({"roles": ["boss"]}), "roles: "),
        ("query_transcript", json!({"maxResults": 1000}), "1 to 100"),
        ("query_transcript", json!({"field": "content"}), "stepIndex"),
        (
            "query_transcript",
            json!({"stepIndex": 1, "query": "x"}),
            "one of them",
        ),
        ("query_transcript", json!({"stepIndex": 99}), "no step 99"),
        (
            "query_transcript",
            json!({"startStep": 9, "endStep": 2}),
            "swap",
        ),
        (
            "check_context_health",
            json!({"conversationId": "c1", "transcriptPath": "/x"}),
            "not both",
        ),
        (
            "subagent_brief",
            json!({"objective": "x"}),
            "expectedDeliverable",
        ),
        (
            "sync_installation",
            json!({"checkOnly": "perhaps"}),
            "checkOnly: ",
        ),
    ] {
        let error = server.call(tool, arguments.clone()).unwrap_err();
        assert!(error.contains(says), "{arguments}: {error}");
    }
}

#[test]
fn arguments_are_taken_as_hosts_and_models_send_them() {
    let home = home();
    add(home.path(), "c1", &turns(9));
    let mut server = Server::ready(home.path());
    for arguments in [
        json!({"lastTurns": "2", "conversationId": "\"c1\"", "mode": "Compact"}),
        json!({"lastTurns": 2.0, "conversationId": "c1", "includeThinking": "false", "toolAction": "Reading", "toolSummary": "x"}),
        json!({"lastTurns": "\"2\"", "conversationId": null, "beforeStep": null}),
    ] {
        let page = server
            .call("read_transcript", arguments.clone())
            .unwrap_or_else(|error| panic!("{arguments}: {error}"));
        assert_eq!(page.matches("> wish ").count(), 2);
    }
    let page = server
        .call(
            "query_transcript",
            json!({"query": "wish 3", "roles": "[\"user\", \"model\"]"}),
        )
        .unwrap();
    assert!(page.contains("1 record "), "{page}");
    let page = server
        .call(
            "query_transcript",
            json!({"roles": "model", "maxResults": "2"}),
        )
        .unwrap();
    assert!(
        page.contains("> answer 7") && page.contains("> answer 8"),
        "{page}"
    );
}

#[test]
fn health_and_the_brief_are_told() {
    let home = home();
    add(home.path(), "c1", &turns(3));
    let mut server = Server::ready(home.path());
    let page = server.call("check_context_health", json!({})).unwrap();
    assert!(
        page.contains("- Turns: 3") && page.contains("## What to do"),
        "{page}"
    );
    let brief = server
        .call(
            "subagent_brief",
            json!({"objective": "Find the leak", "scopeFiles": ["src/cache.rs"], "expectedDeliverable": "path:line"}),
        )
        .unwrap();
    for part in [
        "Find the leak",
        "- src/cache.rs",
        "path:line",
        "over 1 KB",
        "only the pointer",
    ] {
        assert!(brief.contains(part), "{brief}");
    }
}

#[test]
fn the_installation_is_asked_and_check_only_is_handed_on() {
    let home = home();
    let mut server = Server::ready(home.path());
    assert!(
        server
            .call("get_installation_status", json!({}))
            .unwrap()
            .contains("binary")
    );
    assert!(
        server
            .call("sync_installation", json!({"checkOnly": true}))
            .unwrap()
            .contains("would change nothing")
    );
    assert!(
        server
            .call("sync_installation", json!({}))
            .unwrap_err()
            .contains("checkOnly: true")
    );
}

#[test]
fn the_rules_are_a_prompt_and_a_resource() {
    let home = home();
    let mut server = Server::ready(home.path());
    let prompts = server.ask("prompts/list", json!({}));
    assert_eq!(prompts["result"]["prompts"][0]["name"], "context_shield");
    let prompt = server.ask("prompts/get", json!({"name": "context_shield"}));
    let text = prompt["result"]["messages"][0]["content"]["text"]
        .as_str()
        .unwrap()
        .to_owned();
    let resources = server.ask("resources/list", json!({}));
    let uri = "execution-guard://rules/governance";
    assert_eq!(resources["result"]["resources"][0]["uri"], uri);
    let resource = server.ask("resources/read", json!({"uri": uri}));
    assert_eq!(resource["result"]["contents"][0]["text"], text);
    assert_eq!(
        resource["result"]["contents"][0]["mimeType"],
        "text/markdown"
    );
    for part in [
        "Pre-Yield Status Card",
        "Command:",
        "Scope:",
        "Started:",
        "Expected duration:",
        "Watchdog:",
        "Next check:",
        "end your turn",
    ] {
        assert!(text.contains(part), "{part}");
    }
    let missing = server.ask("resources/read", json!({"uri": "file:///etc/passwd"}));
    assert!(
        missing["error"]["message"].as_str().unwrap().contains(uri),
        "{missing}"
    );
}

#[test]
fn a_long_search_keeps_no_ping_waiting_and_dies_with_its_client() {
    let home = home();
    let lines: Vec<Value> = (0..400)
        .map(|step| record(step, "MODEL", "GENERIC", &"word ".repeat(20_000)))
        .collect();
    add(home.path(), "c1", &lines);
    let mut server = Server::ready(home.path());
    let search =
        json!({"name": "query_transcript", "arguments": {"query": "(w.r.){50}x", "regex": true}});
    server
        .say(&json!({"jsonrpc": "2.0", "id": "search", "method": "tools/call", "params": search}));
    server.say(&json!({"jsonrpc": "2.0", "id": "ping", "method": "ping"}));
    assert_eq!(server.hear()["id"], "ping");
    assert!(server.close().1);
}
