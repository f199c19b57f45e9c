//! Where a program is, without starting a shell.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use crate::route::{Shell, Unroutable, word};

/// A program that can be run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Located {
    /// Its file, absolute.
    pub path: PathBuf,
    /// Its bare name, if a shell with the same `PATH` runs this very file by it.
    pub bare: Option<String>,
}

impl Located {
    /// The word that runs the program in `shell`, quoted.
    ///
    /// # Errors
    /// [`Unroutable`] if its path has no form in that shell; a path that is not Unicode counts as one.
    pub fn command_word(&self, shell: Shell) -> Result<String, Unroutable> {
        if let Some(bare) = &self.bare {
            return word(shell, bare);
        }
        let path = word(shell, self.path.to_str().ok_or(Unroutable::NotUnicode)?)?;
        Ok(match shell {
            Shell::Posix => path,
            // A quoted word alone is a string to PowerShell, not a command.
            Shell::PowerShell => format!("& {path}"),
        })
    }
}

/// Finds the program `name` in `path` (the text of `PATH`), or else at the `recorded` absolute path.
///
/// Costs one `stat` per folder of `path` up to the hit (Windows: per extension in `pathext`).
///
/// Entries of `path` that are empty or not absolute mean a folder of whoever runs the shell; a workspace must not
/// supply the program, so they are skipped, and a hit behind such an entry is not called by its bare name. On Windows
/// only `.exe` and `.com` count: the words of a batch file are read a second time by `cmd`.
#[must_use]
pub fn locate(
    name: &str,
    path: Option<&OsStr>,
    pathext: Option<&OsStr>,
    recorded: Option<&Path>,
) -> Option<Located> {
    let extensions = if cfg!(windows) {
        executable_extensions(pathext)
    } else {
        vec![Extension::none()]
    };
    let folders = path.map(std::env::split_paths).into_iter().flatten();
    let found = on_path(name, folders, &extensions, is_executable);
    found.or_else(|| {
        let recorded = recorded.filter(|path| path.is_absolute() && is_executable(path))?;
        Some(Located {
            path: recorded.to_owned(),
            bare: None,
        })
    })
}

/// One way a program's file name may end.
#[derive(Debug, PartialEq, Eq)]
struct Extension {
    /// With its dot.
    text: String,
    /// Whether its file gets the arguments as they were quoted.
    usable: bool,
}

impl Extension {
    fn none() -> Self {
        Extension {
            text: String::new(),
            usable: true,
        }
    }
}

fn executable_extensions(pathext: Option<&OsStr>) -> Vec<Extension> {
    let text = pathext
        .and_then(OsStr::to_str)
        .unwrap_or(".COM;.EXE;.BAT;.CMD");
    text.split(';')
        .filter(|extension| extension.starts_with('.'))
        .map(|extension| {
            let text = extension.to_ascii_lowercase();
            let usable = matches!(text.as_str(), ".exe" | ".com");
            Extension { text, usable }
        })
        .collect()
}

fn on_path(
    name: &str,
    folders: impl Iterator<Item = PathBuf>,
    extensions: &[Extension],
    is_executable: impl Fn(&Path) -> bool,
) -> Option<Located> {
    let mut shadowed = false;
    for folder in folders {
        if !folder.is_absolute() {
            shadowed = true;
            continue;
        }
        for extension in extensions {
            let file = folder.join(format!("{name}{}", extension.text));
            if !is_executable(&file) {
                continue;
            }
            if extension.usable {
                return Some(Located {
                    path: file,
                    bare: (!shadowed).then(|| name.to_owned()),
                });
            }
            shadowed = true;
        }
    }
    None
}

#[cfg(unix)]
fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    std::fs::metadata(path)
        .is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|file| file.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(folders: &[&str], extensions: &[Extension], files: &[&str]) -> Option<Located> {
        let folders = folders.iter().map(PathBuf::from);
        on_path("rtk", folders, extensions, |path| {
            files.iter().any(|file| Path::new(file) == path)
        })
    }

    fn root(rest: &str) -> String {
        if cfg!(windows) {
            format!("C:/{rest}")
        } else {
            format!("/{rest}")
        }
    }

    #[test]
    fn the_first_absolute_folder_wins_and_the_bare_name_is_written() {
        let (a, b) = (root("a"), root("b"));
        let (file_a, file_b) = (root("a/rtk"), root("b/rtk"));
        let found = find(&[&a, &b], &[Extension::none()], &[&file_a, &file_b]).unwrap();
        assert_eq!(
            (found.path, found.bare.as_deref()),
            (PathBuf::from(file_a), Some("rtk"))
        );
        assert_eq!(find(&[&a, &b], &[Extension::none()], &[]), None);
    }

    #[test]
    fn a_workspace_cannot_supply_the_program() {
        let b = root("b");
        let file_b = root("b/rtk");
        for relative in ["", ".", "bin"] {
            let planted = Path::new(relative).join("rtk");
            let planted = planted.to_str().unwrap();
            assert_eq!(find(&[relative], &[Extension::none()], &[planted]), None);
            let found = find(&[relative, &b], &[Extension::none()], &[planted, &file_b]).unwrap();
            assert_eq!((found.path, found.bare), (PathBuf::from(&file_b), None));
        }
    }

    #[test]
    fn a_batch_file_is_passed_over_and_shadows_the_name() {
        let extensions = executable_extensions(Some(OsStr::new(".BAT;.EXE;")));
        let (a, b) = (root("a"), root("b"));
        let (batch, program) = (root("a/rtk.bat"), root("b/rtk.exe"));
        let found = find(&[&a, &b], &extensions, &[&batch, &program]).unwrap();
        assert_eq!((found.path, found.bare), (PathBuf::from(program), None));
    }

    #[test]
    fn an_absolute_path_is_quoted_for_the_shell() {
        let located = Located {
            path: "/opt/my tools/rtk".into(),
            bare: None,
        };
        assert_eq!(
            located.command_word(Shell::Posix).unwrap(),
            "'/opt/my tools/rtk'"
        );
        assert_eq!(
            located.command_word(Shell::PowerShell).unwrap(),
            "& '/opt/my tools/rtk'"
        );
    }
}
