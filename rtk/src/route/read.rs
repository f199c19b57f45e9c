//! `view_file`, `read_file`, `read_many_files`.

use super::{Line, Shell, Target, Unroutable};

/// `rtk read` of whole files, in order. rtk prints one after another without a heading, as `cat` does.
///
/// # Errors
/// [`Unroutable::Empty`] without a path or with an empty one; what [`super::word`] refuses.
pub fn read<P: AsRef<str>>(paths: &[P], target: &Target) -> Result<String, Unroutable> {
    if paths.is_empty() {
        return Err(Unroutable::Empty);
    }
    let mut line = Line::rtk(target, "read");
    for path in paths {
        line.path(path.as_ref())?;
    }
    Ok(line.text)
}

/// `rtk read` of the lines `start` to `end` (from 1, both inclusive; a bound that is `None` or 0 is the file's own).
///
/// `rtk read` 1.1.0 cuts at the end or at the start of a file but not both, so a later start is left to `tail`.
///
/// # Errors
/// As [`read`]; [`Unroutable::NoWindow`] for an end before the start, and for a later start in PowerShell, whose pipe
/// decodes and encodes the text again.
pub fn read_window(
    path: &str,
    start: Option<u64>,
    end: Option<u64>,
    target: &Target,
) -> Result<String, Unroutable> {
    let start = start.filter(|&line| line > 1);
    let end = end.filter(|&line| line > 0);
    if end.is_some_and(|end| end < start.unwrap_or(1)) {
        return Err(Unroutable::NoWindow);
    }
    let mut line = Line::rtk(target, "read");
    line.path(path)?;
    if let Some(end) = end {
        line.args(["--head-lines", &end.to_string()])?;
    }
    match (start, target.shell) {
        (None, _) => Ok(line.text),
        (Some(start), Shell::Posix) => Ok(format!("{} | tail -n +{start}", line.text)),
        (Some(_), Shell::PowerShell) => Err(Unroutable::NoWindow),
    }
}
