//! Finding `rtk` on this machine.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::jsonc::Json;
use crate::run::{Failure, run};
use crate::setup::Record;

/// How long `rtk --version` may take; it takes some tens of milliseconds.
const LIMIT: Duration = Duration::from_secs(5);

/// An `rtk` on this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rtk {
    /// Its absolute path, as found: a link stays one, since its target can move at an update.
    pub path: PathBuf,
    /// What `rtk --version` says, such as `1.1.0`; none if that does not work.
    pub version: Option<String>,
}

impl Rtk {
    /// What `rtk` prints with these arguments, for at most `limit`.
    ///
    /// # Errors
    /// It can't be started, is ended, or fails; in words.
    pub fn output(&self, arguments: &[&str], limit: Duration) -> Result<Vec<u8>, String> {
        let name = || format!("`{} {}`", self.path.display(), arguments.join(" "));
        match run(Command::new(&self.path).args(arguments), b"", limit) {
            Ok(output) if output.status == Some(0) => Ok(output.stdout),
            Ok(_) => Err(format!("{} failed", name())),
            Err(Failure::Start(error)) => Err(format!("{} can't be started: {error}", name())),
            Err(Failure::TimedOut) => Err(format!("{} did not end in {limit:?}", name())),
        }
    }
}

/// The folders to look for `rtk` in, as the hook does: those of the `PATH`, then that of the `rtk` that
/// an earlier installation `recorded`; then those that installers use. The shell of an agent may have
/// another `PATH` than ours, and ours another than at that installation.
pub fn rtk_folders(
    path_variable: Option<&OsStr>,
    recorded: Option<&Path>,
    home: &Path,
) -> Vec<PathBuf> {
    let own = [".local/bin", ".cargo/bin", "bin"].map(|folder| home.join(folder));
    let shared = ["/usr/local/bin", "/opt/homebrew/bin", "/usr/bin"].map(PathBuf::from);
    let path = path_variable.into_iter().flat_map(std::env::split_paths);
    let recorded = recorded.and_then(Path::parent).map(Path::to_owned);
    path.chain(recorded)
        .chain(own)
        .chain(shared)
        .filter(|folder| folder.is_absolute())
        .collect()
}

/// The first `rtk` in `folders` that works, else the first one.
pub fn find_rtk(folders: &[PathBuf]) -> Option<Rtk> {
    let name = if cfg!(windows) { "rtk.exe" } else { "rtk" };
    let candidates = folders
        .iter()
        .map(|folder| folder.join(name))
        .filter(|path| is_program(path));
    let mut first = None;
    for path in candidates.take(MOST_TRIED) {
        let rtk = Rtk {
            version: version(&path),
            path,
        };
        if rtk.version.is_some() {
            return Some(rtk);
        }
        first = first.or(Some(rtk));
    }
    first
}

/// Each try can take [`LIMIT`].
const MOST_TRIED: usize = 4;

/// What an installation writes into the user's configuration `file`: `rtk`, the absolute path, and
/// `rtk_version`. Both are taken out if there is no `rtk` that works.
pub fn rtk_records(file: &Path, rtk: Option<&Rtk>) -> Vec<Record> {
    let working = rtk.and_then(|rtk| Some((rtk.path.to_str()?, rtk.version.as_deref()?)));
    let record = |key: &str, value: Option<&str>| Record {
        file: file.to_owned(),
        path: vec![key.to_owned()],
        value: value.map(Json::string),
    };
    let (path, version) = working.unzip();
    vec![record("rtk", path), record("rtk_version", version)]
}

/// `rtk 1.1.0` → `1.1.0`. There is another program of that name, which says something else.
fn version(path: &Path) -> Option<String> {
    let output = run(Command::new(path).arg("--version"), b"", LIMIT)
        .ok()
        .filter(|output| output.status == Some(0))?;
    let text = String::from_utf8(output.stdout).ok()?;
    let version = text
        .trim()
        .strip_prefix("rtk ")?
        .split_whitespace()
        .next()?;
    version
        .starts_with(|char: char| char.is_ascii_digit())
        .then(|| version.to_owned())
}

#[cfg(unix)]
pub(crate) fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata()
        .is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
pub(crate) fn is_program(path: &Path) -> bool {
    path.is_file()
}

/// Is version `found` (dotted numbers) at least `wanted`?
pub(crate) fn at_least(found: &str, wanted: &str) -> bool {
    let numbers = |text: &str| -> Vec<u64> {
        text.split('.')
            .map(|part| {
                part.chars()
                    .take_while(char::is_ascii_digit)
                    .collect::<String>()
                    .parse()
                    .unwrap_or(0)
            })
            .collect()
    };
    numbers(found) >= numbers(wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_compare_by_number() {
        assert!(at_least("1.10.0", "1.9.2"));
        assert!(at_least("1.1.0", "1.1.0"));
        assert!(at_least("1.1.0-rc1", "1.1.0"));
        assert!(!at_least("0.99", "1.0.0"));
    }
}
