//! What was done, for people.

use std::fmt;
use std::path::{Path, PathBuf};

use crate::setup::Record;

/// What happened to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    /// It was as it should be.
    Unchanged,
    /// It is not there, and need not be.
    Absent,
    /// It was made.
    Created,
    /// Our entry was put into it.
    Added,
    /// Our entry was brought up to date in place.
    Replaced,
    /// Our entry was taken out.
    Removed,
    /// It was made for our entry, and is gone with it.
    Deleted,
    /// An entry has our name and runs something else: it stays.
    Foreign,
    /// A backup was put back.
    Restored {
        /// It had changed since the backup's installation, in more than our entry.
        changed_since: bool,
    },
}

impl What {
    /// Is the file another one than before?
    pub fn is_change(self) -> bool {
        !matches!(self, What::Unchanged | What::Absent | What::Foreign)
    }
}

/// A file and what happened to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The file as it is named.
    pub file: PathBuf,
    /// What happened.
    pub what: What,
    /// Its backup from before.
    pub backup: Option<PathBuf>,
    /// Old against new, as a unified diff; empty if nothing changed.
    pub diff: String,
}

/// What an operation did, or with `dry_run` would do.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Report {
    /// Nothing was written.
    pub dry_run: bool,
    /// File by file.
    pub changes: Vec<Change>,
    /// What else is to be said, a line each.
    pub notes: Vec<String>,
    /// Entries that are not ours to remove and still run the binary, as file and name. The binary must
    /// stay as long as there is one: a hook that can't start blocks every tool.
    pub still_registered: Vec<(PathBuf, String)>,
}

impl Report {
    /// Did, or would, any file change?
    pub fn is_change(&self) -> bool {
        self.changes.iter().any(|change| change.what.is_change())
    }

    /// The exit status for the command line: 1 if the binary must not be removed.
    pub fn exit_code(&self) -> u8 {
        u8::from(!self.still_registered.is_empty())
    }
}

impl fmt::Display for Report {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_there = |change: &&Change| change.what != What::Absent;
        if !self.changes.iter().any(|change| is_there(&change)) {
            writeln!(formatter, "nothing to do: none of our entries is there")?;
        }
        for change in self.changes.iter().filter(is_there) {
            writeln!(formatter, "{}", line(change, self.dry_run))?;
            if let Some(backup) = &change.backup {
                writeln!(formatter, "  backup: {}", backup.display())?;
            }
            if self.dry_run {
                formatter.write_str(&change.diff)?;
            }
        }
        for (file, name) in &self.still_registered {
            writeln!(
                formatter,
                "{}: the entry {name:?} still runs this binary: remove it before the binary, or every tool is blocked",
                file.display()
            )?;
        }
        self.notes
            .iter()
            .try_for_each(|note| writeln!(formatter, "{note}"))
    }
}

fn line(change: &Change, dry_run: bool) -> String {
    let would = if dry_run { "would be " } else { "" };
    let what = match change.what {
        What::Unchanged | What::Absent => {
            return format!("{}: nothing to do", change.file.display());
        }
        What::Foreign => {
            return format!(
                "{}: the entry of our name runs something else; left alone",
                change.file.display()
            );
        }
        What::Created => "made with our entry",
        What::Added => "given our entry",
        What::Replaced => "brought up to date",
        What::Removed => "freed of our entry",
        What::Deleted => "removed (it held only our entry)",
        What::Restored {
            changed_since: false,
        } => "restored from its last backup",
        What::Restored {
            changed_since: true,
        } => {
            "restored from its last backup, although it had changed since (those changes are in the new backup)"
        }
    };
    format!("{}: {would}{what}", change.file.display())
}

/// What is left to do after a change of a host's file. The files of `records` are read at each call.
pub(crate) fn restart(report: &Report, records: &[Record]) -> Option<String> {
    let is_of_hosts = |change: &Change| records.iter().all(|record| record.file != change.file);
    let mut changed = report
        .changes
        .iter()
        .filter(|change| change.what.is_change());
    changed
        .any(is_of_hosts)
        .then(|| "Restart Antigravity: hosts read these files when they start.".to_owned())
}

/// A unified diff with three lines around each change.
pub(crate) fn diff(file: &Path, old: Option<&[u8]>, new: Option<&[u8]>) -> String {
    let name = file.display().to_string();
    let text =
        |bytes: Option<&[u8]>| String::from_utf8_lossy(bytes.unwrap_or_default()).into_owned();
    let header = |bytes: Option<&[u8]>| {
        if bytes.is_some() {
            name.clone()
        } else {
            "/dev/null".to_owned()
        }
    };
    let (old_text, new_text) = (text(old), text(new));
    let diff = similar::TextDiff::from_lines(&old_text, &new_text);
    diff.unified_diff()
        .context_radius(3)
        .header(&header(old), &header(new))
        .to_string()
}
