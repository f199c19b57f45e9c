//! Our entries: what they look like, and whose an entry is.

use crate::jsonc::{Document, Json, Kind, Node};

/// The name of our hook, of our MCP server, and of the hook's file.
pub const NAME: &str = "execution-guard";

/// The name of the file with the commands, beside the hook.
pub const COMMANDS: &str = "execution-guard-cli";

/// How long a host waits for an answer, in seconds (the unit of every host's `timeout`). An answer
/// takes a millisecond, and waits at most 200 ms for a lock; the rest is for a machine under load.
pub const TIMEOUT_SECONDS: u64 = 5;

/// The key of the servers in `mcp_config.json`.
pub const MCP_SERVERS: &str = "mcpServers";

/// The form of a `hooks.json`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Antigravity: `PreToolUse`.
    Antigravity,
    /// The managed sandbox: `pre_tool_execution`.
    Sandbox,
}

impl Form {
    /// The event that we register for.
    pub fn event(self) -> &'static str {
        match self {
            Form::Antigravity => "PreToolUse",
            Form::Sandbox => "pre_tool_execution",
        }
    }

    /// The value of our entry. One event alone: a host drops a whole file over an event that it does
    /// not know.
    pub fn entry(self, command: &str, tools: &[&str]) -> Json {
        let handler = Json::object([
            ("type", Json::string("command")),
            ("command", Json::string(command)),
            ("timeout", Json::number(TIMEOUT_SECONDS)),
        ]);
        let group = Json::object([
            ("matcher", Json::string(&tools.join("|"))),
            ("hooks", Json::Array(vec![handler])),
        ]);
        let event = (self.event(), Json::Array(vec![group]));
        match self {
            Form::Antigravity => Json::object([event]),
            Form::Sandbox => Json::object([("enabled", Json::Scalar("true".to_owned())), event]),
        }
    }
}

/// The value of our entry in `mcp_config.json`.
pub fn mcp_entry(command: &str) -> Json {
    Json::object([
        ("command", Json::string(command)),
        ("args", Json::Array(vec![Json::string("mcp")])),
    ])
}

/// A handler of a hook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Handler<'a> {
    /// The event that it is registered for.
    pub event: &'a str,
    /// The tools that it is called for; none: all.
    pub matcher: Option<&'a str>,
    /// What runs: a command line, or a URL.
    pub runs: &'a str,
    /// Where that stands in the text.
    pub offset: usize,
    /// In seconds.
    pub timeout: Option<u64>,
}

/// The handlers of the hook `entry`, of all events.
pub fn handlers<'a>(document: &'a Document, entry: &'a Node) -> Vec<Handler<'a>> {
    let mut found = Vec::new();
    for member in entry.members().unwrap_or_default() {
        for item in member.value.elements().unwrap_or_default() {
            let matcher = item.get("matcher").and_then(Node::as_str);
            // Some events have groups with handlers, others handlers alone.
            let handlers = item
                .get("hooks")
                .and_then(Node::elements)
                .unwrap_or(std::slice::from_ref(item));
            found.extend(
                handlers
                    .iter()
                    .filter_map(|handler| handler_of(document, &member.key, matcher, handler)),
            );
        }
    }
    found
}

fn handler_of<'a>(
    document: &Document,
    event: &'a str,
    matcher: Option<&'a str>,
    handler: &'a Node,
) -> Option<Handler<'a>> {
    let runs = handler.get("command").or_else(|| handler.get("url"))?;
    let timeout = handler
        .get("timeout")
        .and_then(|node| document.text[node.span.clone()].parse().ok());
    Some(Handler {
        event,
        matcher,
        runs: runs.as_str()?,
        offset: runs.span.start,
        timeout,
    })
}

/// Is the hook switched on? (`"enabled": false` switches it off.)
pub fn is_enabled(document: &Document, entry: &Node) -> bool {
    let enabled = entry.get("enabled");
    !enabled.is_some_and(|node| {
        node.kind == Kind::Literal && document.text[node.span.clone()] == *"false"
    })
}

/// What under our name is not ours: the command and its place. None: the entry is ours.
pub fn foreign<'a>(document: &'a Document, path: &[&str]) -> Option<(&'a str, usize)> {
    let entry = document.at(path)?;
    let server = entry
        .get("command")
        .or_else(|| entry.get("serverUrl"))
        .or_else(|| entry.get("url"));
    let server = server.and_then(|node| Some((node.as_str()?, node.span.start)));
    let hooks = handlers(document, entry)
        .into_iter()
        .map(|handler| (handler.runs, handler.offset));
    server
        .into_iter()
        .chain(hooks)
        .find(|(command, _)| !runs_us(command))
}

/// The names of hooks other than ours that run our binary: registered by hand, or copied.
pub fn copies(document: &Document) -> Vec<String> {
    let members = document
        .root
        .as_ref()
        .and_then(Node::members)
        .unwrap_or_default();
    let others = members.iter().filter(|member| member.key != NAME);
    others
        .filter(|member| {
            handlers(document, &member.value)
                .iter()
                .any(|handler| runs_us(handler.runs))
        })
        .map(|member| member.key.clone())
        .collect()
}

/// Does this command run a file of exactly the name of one of our programs? As a bare path, quoted, with arguments
/// behind it, or with blanks in the path.
pub fn runs_us(command: &str) -> bool {
    let command = command.trim();
    if let Some(quote @ ('"' | '\'')) = command.chars().next() {
        return command[1..].split(quote).next().is_some_and(is_our_file);
    }
    let ends = command
        .match_indices([' ', '\t'])
        .map(|(at, _)| at)
        .chain([command.len()]);
    ends.into_iter().any(|end| is_our_file(&command[..end]))
}

fn is_our_file(path: &str) -> bool {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    let stem = match name.len().checked_sub(4) {
        Some(at) if name.is_char_boundary(at) && name[at..].eq_ignore_ascii_case(".exe") => {
            &name[..at]
        }
        _ => name,
    };
    stem == NAME || stem == COMMANDS
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jsonc::parse;

    #[test]
    fn our_binary_is_known_in_every_spelling() {
        for ours in [
            "/home/dev/.local/bin/execution-guard",
            "execution-guard",
            "/a b/execution-guard",
            "\"/a b/execution-guard\" hook",
            "'/a/execution-guard'",
            "C:\\x\\execution-guard.exe",
            "C:/x/execution-guard.EXE mcp",
            "/a/execution-guard mcp",
            "/a/execution-guard-cli mcp",
        ] {
            assert!(runs_us(ours), "{ours}");
        }
    }

    #[test]
    fn look_alikes_are_not_ours() {
        for other in [
            "/a/execution-guard2",
            "/a/execution-guard-cli2",
            "/a/execution-guard-",
            "/a/my-execution-guard",
            "/a/execution-guard.sh",
            "/a/execution-guard/hook",
            "echo execution-guard.d",
            "/opt/execution-guardian",
            "python3 /a/hook.py",
            "",
            "\u{e9}xe",
        ] {
            assert!(!runs_us(other), "{other}");
        }
    }

    #[test]
    fn a_command_of_another_program_is_foreign() {
        let text = r#"{"execution-guard":{"PreToolUse":[{"hooks":[{"command":"/a/execution-guard"},{"command":"/b"}]}]}}"#;
        let document = parse(text.as_bytes()).expect("the text is valid");
        assert_eq!(
            foreign(&document, &[NAME]).map(|(command, _)| command),
            Some("/b")
        );
    }

    #[test]
    fn flat_handlers_and_groups_are_both_found() {
        let text = r#"{"a":{"Stop":[{"command":"/s"}],"PreToolUse":[{"matcher":"x","hooks":[{"command":"/p","timeout":7}]}]}}"#;
        let document = parse(text.as_bytes()).expect("the text is valid");
        let found = handlers(&document, document.at(&["a"]).expect("it is there"));
        assert_eq!(
            found.iter().map(|handler| handler.runs).collect::<Vec<_>>(),
            ["/s", "/p"]
        );
        assert_eq!((found[1].matcher, found[1].timeout), (Some("x"), Some(7)));
    }
}
