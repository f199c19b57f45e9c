//! Where the state lives, as a function of the environment.

use crate::error::StateError;
use std::ffi::OsString;
use std::path::PathBuf;

/// The variable that names the state folder itself.
pub const STATE_DIR_VARIABLE: &str = "EXECUTION_GUARD_STATE_DIR";

const FOLDER: &str = "execution-guard";

/// The state folder: `$EXECUTION_GUARD_STATE_DIR`, else `$XDG_STATE_HOME/execution-guard`, else
/// `~/.local/state/execution-guard`; on Windows `%LOCALAPPDATA%\execution-guard` in place of the last.
///
/// `lookup` is the environment ([`std::env::var_os`]). An empty variable counts as unset, and so does an
/// `$XDG_STATE_HOME` or `$HOME` that isn't absolute (XDG Base Directory Specification: "consider the path invalid and ignore it").
///
/// # Errors
/// [`StateError::NoHome`] if no variable names a place, [`StateError::RelativeFolder`] if the first one isn't absolute: a
/// relative folder would be another one in each workspace.
pub fn state_dir(lookup: impl Fn(&str) -> Option<OsString>) -> Result<PathBuf, StateError> {
    let set = |name: &str| {
        lookup(name)
            .filter(|value| !value.is_empty())
            .map(PathBuf::from)
    };
    let absolute = |name: &str| set(name).filter(|path| path.is_absolute());
    if let Some(path) = set(STATE_DIR_VARIABLE) {
        return if path.is_absolute() {
            Ok(path)
        } else {
            Err(StateError::RelativeFolder { path })
        };
    }
    let base = absolute("XDG_STATE_HOME").or_else(|| {
        if cfg!(windows) {
            absolute("LOCALAPPDATA")
        } else {
            absolute("HOME").map(|home| home.join(".local").join("state"))
        }
    });
    base.map(|base| base.join(FOLDER)).ok_or(StateError::NoHome)
}

/// The folder for locks where the state folder is on a network: `$XDG_RUNTIME_DIR/execution-guard`, which is on this
/// machine and belongs to this user (XDG Base Directory Specification). See [`crate::Store::with_local_locks`].
#[must_use]
pub fn runtime_dir(lookup: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let path = PathBuf::from(lookup("XDG_RUNTIME_DIR")?);
    path.is_absolute().then(|| path.join(FOLDER))
}
