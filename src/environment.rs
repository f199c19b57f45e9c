//! The environment variables, and the places that they name.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;

/// The name of the governor's folders and of its registration.
pub const NAME: &str = "execution-guard";

/// The name of the user's configuration file in the governor's folder.
const CONFIG_FILE: &str = "config.json";

/// Where environment variables come from. An empty variable counts as unset.
#[derive(Debug, Clone)]
pub enum Environment {
    /// The process's own.
    Process,
    /// Given ones.
    Given(BTreeMap<String, OsString>),
}

impl Environment {
    /// The value of `name`.
    pub fn get(&self, name: &str) -> Option<OsString> {
        let value = match self {
            Self::Process => std::env::var_os(name),
            Self::Given(variables) => variables.get(name).cloned(),
        };
        value.filter(|value| !value.is_empty())
    }

    /// The user's home.
    pub fn home(&self) -> Option<PathBuf> {
        let name = if cfg!(windows) { "USERPROFILE" } else { "HOME" };
        self.get(name)
            .map(PathBuf::from)
            .filter(|home| home.is_absolute())
    }

    /// The first file called `name` in the folders of `PATH`.
    pub fn program(&self, name: &str) -> Option<PathBuf> {
        let folders = self.get("PATH")?;
        let mut files = std::env::split_paths(&folders).map(|folder| folder.join(name));
        files.find(|file| file.is_absolute() && file.is_file())
    }

    /// The user's configuration file, whether it exists or not.
    pub fn config_file(&self) -> Option<PathBuf> {
        let folder = if cfg!(windows) {
            self.get("APPDATA").map(PathBuf::from)
        } else {
            let xdg = self.get("XDG_CONFIG_HOME").map(PathBuf::from);
            // The base directory specification has relative paths ignored.
            xdg.filter(|xdg| xdg.is_absolute())
                .or_else(|| Some(self.home()?.join(".config")))
        };
        Some(folder?.join(NAME).join(CONFIG_FILE))
    }
}
