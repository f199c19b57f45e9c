//! What an operation works on.

use std::path::PathBuf;

use crate::entry::{Form, NAME, mcp_entry};
use crate::error::InstallError;
use crate::files::Target;
use crate::jsonc::Json;
use crate::place::{Place, mcp_file};
use crate::transaction::{Action, Edit};

/// The machine and the binary, as the caller knows them.
#[derive(Debug, Clone)]
pub struct Setup {
    /// The user's home folder.
    pub home: PathBuf,
    /// The absolute path of the installed binary.
    pub binary: PathBuf,
    /// The governed tools of Antigravity.
    pub tools: Vec<&'static str>,
    /// The governed tools of the managed sandbox.
    pub sandbox_tools: Vec<&'static str>,
    /// Where a link to the binary can go if its own path has blanks; see [`default_link_folders`].
    pub link_folders: Vec<PathBuf>,
    /// The file that notes the places outside the home, so that uninstalling finds them.
    pub places_file: Option<PathBuf>,
    /// Where to look for `rtk`; see [`rtk_folders`](crate::rtk_folders).
    pub rtk_folders: Vec<PathBuf>,
}

/// Folders for a link, the user's own first.
pub fn default_link_folders(home: &std::path::Path) -> Vec<PathBuf> {
    let own = [".local/bin", "bin"].map(|folder| home.join(folder));
    let shared = if cfg!(windows) {
        "C:/ProgramData/execution-guard"
    } else {
        "/usr/local/bin"
    };
    own.into_iter().chain([PathBuf::from(shared)]).collect()
}

/// A member of another JSON file to keep in step: what an installation found out, for the user's
/// configuration file.
#[derive(Debug, Clone)]
pub struct Record {
    /// The file; it is made if it is missing.
    pub file: PathBuf,
    /// The chain of keys.
    pub path: Vec<String>,
    /// The value. None: it is taken out.
    pub value: Option<Json>,
}

/// The mode of files made in the user's home.
const PRIVATE: u32 = 0o600;

impl Setup {
    /// The governed tools of hosts that read `form`.
    pub fn tools_of(&self, form: Form) -> &[&'static str] {
        match form {
            Form::Antigravity => &self.tools,
            Form::Sandbox => &self.sandbox_tools,
        }
    }

    /// The edit of the hooks file of `place`.
    pub(crate) fn hooks_edit(&self, place: &Place, action: Action) -> Result<Edit, InstallError> {
        let target = Target::new(&place.hooks_file(&self.home), place.new_mode())?;
        Ok(Edit {
            target,
            path: vec![NAME.to_owned()],
            action,
        })
    }

    /// The edit of the list of MCP servers.
    pub(crate) fn mcp_edit(&self, action: Action) -> Result<Edit, InstallError> {
        let path = vec![crate::entry::MCP_SERVERS.to_owned(), NAME.to_owned()];
        Ok(Edit {
            target: Target::new(&mcp_file(&self.home), PRIVATE)?,
            path,
            action,
        })
    }

    pub(crate) fn mcp_put(&self, command: &str) -> Result<Edit, InstallError> {
        self.mcp_edit(Action::Put(mcp_entry(command)))
    }
}

impl Record {
    pub(crate) fn edit(&self) -> Result<Edit, InstallError> {
        let action = self.value.clone().map_or(Action::TakeOut, Action::Put);
        Ok(Edit {
            target: Target::new(&self.file, PRIVATE)?,
            path: self.path.clone(),
            action,
        })
    }
}

/// Without edits of a file that an earlier one already reaches by another name.
pub(crate) fn distinct(edits: Vec<Edit>) -> Vec<Edit> {
    let mut seen = std::collections::HashSet::new();
    edits
        .into_iter()
        .filter(|edit| seen.insert((edit.target.real.clone(), edit.path.clone())))
        .collect()
}
