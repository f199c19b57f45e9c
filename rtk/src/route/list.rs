//! `list_dir`.

use super::{Line, Shell, Target, Unroutable};

/// `rtk ls PATH -a` (POSIX) or `rtk find PATH` (PowerShell, where there is no `ls` program for rtk to run).
///
/// `-a`: without it rtk 1.1.0 leaves out hidden names and build folders, and calls a folder of hidden files empty;
/// the native tool lists them. `rtk find` lists the files below the folder, not those that git ignores.
///
/// # Errors
/// [`Unroutable::Empty`], and what [`super::word`] refuses.
pub fn list_dir(directory: &str, target: &Target) -> Result<String, Unroutable> {
    let mut line = Line::rtk(
        target,
        if target.shell == Shell::Posix {
            "ls"
        } else {
            "find"
        },
    );
    line.path(directory)?;
    if target.shell == Shell::Posix {
        line.arg("-a")?;
    }
    Ok(line.text)
}
