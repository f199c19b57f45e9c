//! The command line: what it takes, what it refuses and how it ends.

mod common;
mod home;

use common::{ran, user};
use guard_transcript::command::{CommandError, Context, run};
use home::{Home, ID};
use std::ffi::OsString;

fn command(home: &Home, arguments: &[&str], colour: bool) -> Result<String, CommandError> {
    let context = Context {
        home: home.path(),
        program: "execution-guard",
        colour,
    };
    let mut out = Vec::new();
    run(arguments.iter().map(OsString::from), context, &mut out)?;
    Ok(String::from_utf8(out).unwrap())
}

fn conversation() -> Home {
    Home::with(
        user(0, "first wish")
            + &ran(1, "-v is the needle")
            + &user(2, "second wish")
            + &ran(3, "ok"),
    )
}

#[test]
fn the_commands_that_a_denial_prints_work_as_printed() {
    let home = conversation();
    let page = command(&home, &["read", "--conversation", ID], false).unwrap();
    assert!(page.contains("> first wish") && page.contains("> second wish"));
    let page = command(&home, &["query", "--conversation", ID, "needle"], false).unwrap();
    assert!(page.contains("1 record ") && page.contains("-v is the needle"));
    let page = command(
        &home,
        &["query", "--conversation", ID, "--", "-v is"],
        false,
    )
    .unwrap();
    assert!(page.contains("1 record "));
}

#[test]
fn every_command_that_a_page_names_can_be_run() {
    let home = Home::with(
        (0..40)
            .map(|turn| user(turn * 2, "wish") + &ran(turn * 2 + 1, &"x".repeat(9000)))
            .collect::<String>(),
    );
    let mut asked = 0;
    for first in [
        &["read"][..],
        &["read", "--full", "--last", "20"],
        &["query", "wish"],
        &["query", "--role", "tool", "--full"],
        &[
            "query",
            "--step",
            "3",
            "--field",
            "content",
            "--max-bytes",
            "4096",
        ],
        &["health"],
    ] {
        let page = command(&home, first, false).unwrap();
        for line in page
            .split('`')
            .filter(|part| part.starts_with("execution-guard transcript "))
        {
            let words: Vec<&str> = line.split(' ').skip(2).collect();
            command(&home, &words, false).unwrap_or_else(|error| panic!("{line}: {error}"));
            asked += 1;
        }
        for line in page.lines().filter_map(|line| line.split("whole: ").nth(1)) {
            let words: Vec<&str> = line.trim_end_matches([']', '…', ' ']).split(' ').collect();
            let words = [&["query"][..], &words].concat();
            command(&home, &words, false).unwrap_or_else(|error| panic!("{line}: {error}"));
            asked += 1;
        }
    }
    assert!(asked > 10, "{asked}");
}

/// What Antigravity shows the model of a command's output: its last bytes, with a carriage return before each newline.
const SHOWN: usize = 8192;

#[test]
fn the_host_shows_a_whole_page_and_it_ends_with_the_way_on() {
    let home = Home::with(
        (0..40)
            .map(|turn| {
                user(turn * 2, "wish") + &ran(turn * 2 + 1, &"a line of text\n".repeat(900))
            })
            .collect::<String>(),
    );
    let mut longest = 0;
    for (arguments, way_on) in [
        (&["read"][..], "Older turns: `"),
        (
            &["read", "--last", "40", "--full"],
            "The other turns that were asked for: `",
        ),
        (
            &["query", "--role", "tool", "--full", "--max", "100"],
            "Older ones: `",
        ),
        (
            &["query", "line", "--summary", "--max", "30"],
            "Older ones: `",
        ),
        (
            &["query", "--step", "3", "--field", "content"],
            "Next part: `",
        ),
    ] {
        let page = command(&home, arguments, false).unwrap();
        longest = longest.max(page.len());
        let shown = page.len() + page.matches('\n').count();
        assert!(shown <= SHOWN, "{arguments:?}: {shown} bytes");
        let mut last = page.lines().rev().take(3);
        assert!(
            last.any(|line| line.starts_with(way_on)),
            "{arguments:?}: {page}"
        );
    }
    assert!(longest > 6000, "{longest}");
    let page = command(
        &home,
        &["read", "--last", "40", "--full", "--max-bytes", "16384"],
        false,
    )
    .unwrap();
    assert!(
        page.len() > SHOWN,
        "who asks for more gets it: {}",
        page.len()
    );
}

#[test]
fn a_tools_page_is_not_that_of_a_command() {
    let request =
        guard_transcript::reading::ReadRequest::new(guard_transcript::reading::Route::Tools);
    assert_eq!(request.max_bytes, 16 * 1024);
}

#[test]
fn health_and_one_step_are_told() {
    let home = conversation();
    assert!(
        command(&home, &["health"], false)
            .unwrap()
            .contains("- Turns: 2")
    );
    let path = home.logs("antigravity", ID).join("transcript.jsonl");
    let path = path.to_str().unwrap();
    assert!(
        command(&home, &["health", "--path", path], false)
            .unwrap()
            .contains("- Turns: 2")
    );
    assert!(
        command(&home, &["query", "--step", "1"], false)
            .unwrap()
            .contains("## content")
    );
    let field = [
        "query", "--step", "1", "--field", "content", "--offset", "40",
    ];
    assert!(
        command(&home, &field, false)
            .unwrap()
            .contains("## content, bytes 40 to")
    );
}

#[test]
fn colours_are_for_a_terminal_only() {
    let home = conversation();
    assert!(!command(&home, &["read"], false).unwrap().contains('\u{1b}'));
    let coloured = command(&home, &["read"], true).unwrap();
    assert!(coloured.contains("\u{1b}[1;36m# Conversation"));
}

#[test]
fn wrong_usage_ends_with_2_and_says_what_is_right() {
    let home = conversation();
    for (arguments, says) in [
        (&[][..], "read, query or health"),
        (&["look"], "no such command"),
        (&["query"], "what to search for"),
        (&["query", "a", "b"], "quotes"),
        (&["query", "a", "--step", "1"], "not both"),
        (
            &["query", "a", "--role", "boss"],
            "user, assistant, tool and system",
        ),
        (&["query", "--step", "1", "--offset", "3"], "--field"),
        (&["read", "--max", "3"], "takes no --max"),
        (&["read", "--last", "x"], "x"),
        (&["read", "--frobnicate"], "frobnicate"),
        (&["read", "--max-bytes", "3"], "2048 to 262144"),
        (&["query", "x", "--regex", "--text"], "not both"),
        (&["health", "x"], "takes no \"x\""),
    ] {
        let error = command(&home, arguments, false).unwrap_err();
        assert_eq!(error.exit_code(), 2, "{arguments:?}");
        let text = error.to_string();
        assert!(
            text.contains(says) && text.contains("usage:"),
            "{arguments:?}: {text}"
        );
    }
    let error = command(&home, &["read", "--conversation", "../x"], false).unwrap_err();
    assert_eq!(error.exit_code(), 1);
}

#[test]
fn help_is_no_error() {
    let home = conversation();
    for arguments in [
        &["--help"][..],
        &["help"],
        &["read", "--help"],
        &["query", "x", "-h"],
    ] {
        assert!(
            command(&home, arguments, false)
                .unwrap()
                .starts_with("usage:")
        );
    }
}

#[test]
fn the_way_to_older_matches_is_the_same_question() {
    let odd = "it's -a \"needle\"";
    let home = Home::with(
        (0..9)
            .map(|step| ran(step, &format!("{step}: {odd}")))
            .collect::<String>(),
    );
    let page = command(
        &home,
        &[
            "query",
            "--max",
            "3",
            "--summary",
            "--role",
            "tool",
            "--",
            odd,
        ],
        false,
    )
    .unwrap();
    let line = page
        .lines()
        .find_map(|line| line.strip_prefix("Older ones: `"))
        .unwrap()
        .trim_end_matches("`.");
    let words = shell_words::split(line).unwrap();
    let words: Vec<&str> = words.iter().skip(2).map(String::as_str).collect();
    let older = command(&home, &words, false).unwrap();
    assert!(
        older.contains("6 records") && older.contains("\n- 3 tool") && older.contains("\n- 5 tool"),
        "{line}\n{older}"
    );
}
