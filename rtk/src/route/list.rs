//! `list_dir`.

use super::{Line, Shell, Target, Unroutable};

/// `rtk ls PATH -a` (POSIX), or `rtk find` for the files and the folders directly in it (PowerShell, where there is no
/// `ls` program for rtk to run).
///
/// `-a`: without it rtk 1.1.0 leaves out hidden names and build folders, and calls a folder of hidden files empty;
/// the native tool lists them. `rtk find` leaves out hidden names and what git ignores.
///
/// # Errors
/// [`Unroutable::Empty`], and what [`super::word`] refuses.
pub fn list_dir(directory: &str, target: &Target) -> Result<String, Unroutable> {
    if target.shell == Shell::Posix {
        let mut line = Line::rtk(target, "ls");
        line.path(directory)?.arg("-a")?;
        return Ok(line.text);
    }
    let direct = |kind: &str| {
        let mut line = Line::rtk(target, "find");
        line.path(directory)?
            .args(["-maxdepth", "1", "-type", kind])?;
        Ok(line.text)
    };
    Ok(format!("{}; {}", direct("f")?, direct("d")?))
}
