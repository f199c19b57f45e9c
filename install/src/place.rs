//! Where hosts look for hooks.

use std::path::{Path, PathBuf};

use crate::entry::Form;

/// A place to register the hook in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// `~/.gemini/config/hooks.json`: the desktop program and the CLI.
    Global,
    /// `~/.gemini/antigravity-ide/hooks.json`: the IDE.
    Ide,
    /// `.agents/hooks.json` in this workspace.
    Workspace(PathBuf),
    /// `.agents/hooks.json` in this folder, in the form of the managed sandbox.
    Sandbox(PathBuf),
    /// A file noted at an earlier installation, with its form.
    Noted(PathBuf, Form),
}

impl Place {
    /// Its `hooks.json`.
    pub fn hooks_file(&self, home: &Path) -> PathBuf {
        match self {
            Place::Global => config_folder(home).join("hooks.json"),
            Place::Ide => home.join(".gemini/antigravity-ide/hooks.json"),
            Place::Workspace(folder) | Place::Sandbox(folder) => {
                folder.join(".agents").join("hooks.json")
            }
            Place::Noted(file, _) => file.clone(),
        }
    }

    /// The form of its entries.
    pub fn form(&self) -> Form {
        match self {
            Place::Global | Place::Ide | Place::Workspace(_) => Form::Antigravity,
            Place::Sandbox(_) => Form::Sandbox,
            Place::Noted(_, form) => *form,
        }
    }

    /// The mode of a file made there: in a home it is the user's own; a workspace's is shared.
    pub(crate) fn new_mode(&self) -> u32 {
        match self {
            Place::Global | Place::Ide => 0o600,
            Place::Workspace(_) | Place::Sandbox(_) | Place::Noted(..) => 0o644,
        }
    }
}

/// Antigravity's configuration folder.
pub fn config_folder(home: &Path) -> PathBuf {
    home.join(".gemini").join("config")
}

/// Its list of MCP servers.
pub fn mcp_file(home: &Path) -> PathBuf {
    config_folder(home).join("mcp_config.json")
}
