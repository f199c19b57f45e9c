//! Several files changed together: all are checked before one is written, and all keep their old
//! bytes if one can't be written.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::error::InstallError;
use crate::files::{Backup, FolderLock, Stamp, Target, free_stamp, prune, save_backup};
use crate::member::{Member, change_members, only_our_change};
use crate::report::{Change, What, diff};

/// What is to become of a file.
#[derive(Debug, Clone)]
pub enum Action {
    /// These members are put in, replaced or taken out.
    Edit(Vec<Member>),
    /// The bytes of this backup come back, which differ in these members.
    Restore(Backup, Vec<Member>),
}

/// One file and its change.
#[derive(Debug, Clone)]
pub struct Edit {
    /// The file.
    pub target: Target,
    /// The change.
    pub action: Action,
}

impl Edit {
    /// Our members of the file.
    pub fn members(&self) -> &[Member] {
        match &self.action {
            Action::Edit(members) | Action::Restore(_, members) => members,
        }
    }
}

/// A checked edit.
struct Planned<'a> {
    edit: &'a Edit,
    old: Option<Vec<u8>>,
    new: Option<Vec<u8>>,
    what: What,
}

/// How often a file that another program changes meanwhile is read again.
const ATTEMPTS: usize = 5;

/// Checks all edits and says what they would do.
pub fn dry_run(edits: &[Edit]) -> Result<Vec<Change>, InstallError> {
    Ok(plan_all(edits)?
        .iter()
        .map(|planned| planned.change(None))
        .collect())
}

/// Carries out all edits, in this order, or none.
pub fn carry_out(edits: &[Edit], stamp: Stamp) -> Result<Vec<Change>, InstallError> {
    let planned = plan_all(edits)?;
    if planned.iter().all(|planned| !planned.is_change()) {
        return Ok(planned.iter().map(|planned| planned.change(None)).collect());
    }
    for planned in planned.iter().filter(|planned| planned.new.is_some()) {
        let folders = [
            planned.edit.target.folder(),
            planned.edit.target.named.parent().unwrap_or(Path::new("/")),
        ];
        for folder in folders {
            fs::create_dir_all(folder).map_err(InstallError::io("make", folder))?;
        }
    }
    let mut attempts = 0;
    loop {
        attempts += 1;
        match attempt(edits, stamp) {
            Err(InstallError::Busy(_)) if attempts < ATTEMPTS => {}
            outcome => return outcome,
        }
    }
}

fn attempt(edits: &[Edit], stamp: Stamp) -> Result<Vec<Change>, InstallError> {
    let folders: BTreeSet<PathBuf> = edits
        .iter()
        .map(|edit| edit.target.folder().to_owned())
        .collect();
    let existing = folders.iter().filter(|folder| folder.is_dir());
    // One order for all, so that two installations can't wait for each other.
    let _locks: Vec<FolderLock> = existing
        .map(|folder| FolderLock::acquire(folder))
        .collect::<Result<_, _>>()?;
    let planned = plan_all(edits)?;
    let changing = || planned.iter().filter(|planned| planned.is_change());
    changing().for_each(|planned| planned.edit.target.sweep());

    let stamp = free_stamp(stamp, planned.iter().map(|planned| &planned.edit.target));
    let mut written = Written::default();
    for planned in changing() {
        written
            .back_up(planned, stamp)
            .map_err(|error| written.undo(error))?;
    }
    for planned in changing() {
        written
            .write(planned)
            .map_err(|error| written.undo(error))?;
    }
    changing().for_each(|planned| prune(&planned.edit.target.named));
    Ok(planned
        .iter()
        .map(|planned| planned.change(written.backup_of(planned)))
        .collect())
}

/// What an attempt has done so far, to take it back.
#[derive(Default)]
struct Written<'a> {
    files: Vec<&'a Planned<'a>>,
    backups: Vec<(&'a Path, PathBuf)>,
}

impl<'a> Written<'a> {
    fn back_up(&mut self, planned: &'a Planned<'a>, stamp: Stamp) -> Result<(), InstallError> {
        let target = &planned.edit.target;
        let Some(old) = &planned.old else {
            return Ok(());
        };
        let backup = save_backup(target, old, stamp)?
            .ok_or_else(|| InstallError::Busy(target.named.clone()))?;
        self.backups.push((&target.named, backup));
        Ok(())
    }

    fn write(&mut self, planned: &'a Planned<'a>) -> Result<(), InstallError> {
        let target = &planned.edit.target;
        // Editors and hosts don't take our lock.
        if target.read()? != planned.old {
            return Err(InstallError::Busy(target.named.clone()));
        }
        target.write(planned.new.as_deref())?;
        self.files.push(planned);
        Ok(())
    }

    /// Puts the old bytes back and removes the backups, which then say nothing.
    fn undo(&self, error: InstallError) -> InstallError {
        let written = self.files.iter().rev();
        let restored: Vec<_> = written
            .map(|planned| planned.edit.target.write(planned.old.as_deref()))
            .collect();
        if restored.iter().all(Result::is_ok) {
            for (_, backup) in &self.backups {
                let _ = fs::remove_file(backup);
            }
        }
        error
    }

    fn backup_of(&self, planned: &Planned) -> Option<PathBuf> {
        let named = planned.edit.target.named.as_path();
        self.backups
            .iter()
            .find(|(file, _)| *file == named)
            .map(|(_, backup)| backup.clone())
    }
}

impl Planned<'_> {
    fn is_change(&self) -> bool {
        self.old != self.new
    }

    fn change(&self, backup: Option<PathBuf>) -> Change {
        let file = self.edit.target.named.clone();
        let changed = self.is_change();
        let diff = if changed {
            diff(&file, self.old.as_deref(), self.new.as_deref())
        } else {
            String::new()
        };
        Change {
            file,
            what: self.what,
            backup,
            diff,
        }
    }
}

fn plan_all(edits: &[Edit]) -> Result<Vec<Planned<'_>>, InstallError> {
    edits.iter().map(plan).collect()
}

fn plan(edit: &Edit) -> Result<Planned<'_>, InstallError> {
    let old = edit.target.read()?;
    let (new, what) = match &edit.action {
        Action::Restore(backup, members) => {
            let bytes = fs::read(&backup.path).map_err(InstallError::io("read", &backup.path))?;
            let changed_since = !only_our_change(&bytes, old.as_deref(), members);
            (Some(bytes), What::Restored { changed_since })
        }
        Action::Edit(members) => change_members(&edit.target.named, old.clone(), members)?,
    };
    let what = if new == old && what != What::Foreign {
        old.as_ref().map_or(What::Absent, |_| What::Unchanged)
    } else {
        what
    };
    Ok(Planned {
        edit,
        old,
        new,
        what,
    })
}
