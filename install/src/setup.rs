//! What an operation works on.

use std::path::{Path, PathBuf};

use crate::entry::{Form, MCP_SERVERS, NAME};
use crate::error::InstallError;
use crate::files::Target;
use crate::jsonc::Json;
use crate::member::Member;
use crate::place::{Place, mcp_file};
use crate::transaction::{Action, Edit};

/// The machine and the binary, as the caller knows them.
#[derive(Debug, Clone)]
pub struct Setup {
    /// The user's home folder.
    pub home: PathBuf,
    /// The absolute path of the installed hook.
    pub binary: PathBuf,
    /// That of the program with the commands, which stands beside the hook.
    pub commands: PathBuf,
    /// The governed tools of Antigravity.
    pub tools: Vec<&'static str>,
    /// The governed tools of the managed sandbox.
    pub sandbox_tools: Vec<&'static str>,
    /// Where links to the programs can go if their path has blanks; see [`default_link_folders`].
    pub link_folders: Vec<PathBuf>,
    /// The file that notes the places outside the home, so that uninstalling finds them.
    pub places_file: Option<PathBuf>,
    /// Where to look for `rtk`; see [`rtk_folders`](crate::rtk_folders).
    pub rtk_folders: Vec<PathBuf>,
}

/// Folders for a link, the user's own first.
pub fn default_link_folders(home: &Path) -> Vec<PathBuf> {
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

    /// The edit of the hooks file of `place`. No value: our entry is taken out.
    pub(crate) fn hooks_edit(
        &self,
        place: &Place,
        value: Option<Json>,
    ) -> Result<Edit, InstallError> {
        edit(
            &place.hooks_file(&self.home),
            place.new_mode(),
            vec![NAME.to_owned()],
            value,
        )
    }

    /// The edit of the list of MCP servers.
    pub(crate) fn mcp_edit(&self, value: Option<Json>) -> Result<Edit, InstallError> {
        edit(
            &mcp_file(&self.home),
            PRIVATE,
            vec![MCP_SERVERS.to_owned(), NAME.to_owned()],
            value,
        )
    }
}

impl Record {
    pub(crate) fn taken_out(&self) -> Record {
        Record {
            value: None,
            ..self.clone()
        }
    }

    pub(crate) fn edit(&self) -> Result<Edit, InstallError> {
        edit(&self.file, PRIVATE, self.path.clone(), self.value.clone())
    }
}

fn edit(
    file: &Path,
    new_mode: u32,
    path: Vec<String>,
    value: Option<Json>,
) -> Result<Edit, InstallError> {
    Ok(Edit {
        target: Target::new(file, new_mode)?,
        action: Action::Edit(vec![Member { path, value }]),
    })
}

/// One edit a file: those that reach the same file, perhaps by another name, are joined.
pub(crate) fn join(edits: Vec<Edit>) -> Vec<Edit> {
    let mut joined: Vec<Edit> = Vec::new();
    for edit in edits {
        let Some(earlier) = joined
            .iter_mut()
            .find(|earlier| earlier.target.real == edit.target.real)
        else {
            joined.push(edit);
            continue;
        };
        if let Action::Edit(members) = &mut earlier.action {
            for member in edit.members() {
                if members.iter().all(|known| known.path != member.path) {
                    members.push(member.clone());
                }
            }
        }
    }
    joined
}
