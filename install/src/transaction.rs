//! Several files changed together: all are checked before one is written, and all keep their old
//! bytes if one can't be written.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::entry;
use crate::error::InstallError;
use crate::files::{Backup, FolderLock, Stamp, Target, free_stamp, prune, save_backup};
use crate::jsonc::edit::{EditError, Removal, create, remove, upsert};
use crate::jsonc::{Document, Json, parse, to_bytes};
use crate::report::{Change, What, diff};

/// What is to become of a file.
#[derive(Debug, Clone)]
pub enum Action {
    /// This value at the path of the edit.
    Put(Json),
    /// Nothing at the path of the edit.
    TakeOut,
    /// The bytes of this backup.
    Restore(Backup),
}

/// One file and its change.
#[derive(Debug, Clone)]
pub struct Edit {
    /// The file.
    pub target: Target,
    /// The chain of keys of our member.
    pub path: Vec<String>,
    /// What is to become of it.
    pub action: Action,
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
    let file = &edit.target.named;
    let old = edit.target.read()?;
    let path: Vec<&str> = edit.path.iter().map(String::as_str).collect();
    let planned = |new, what| Planned {
        edit,
        old: old.clone(),
        new,
        what,
    };
    if let Action::Restore(backup) = &edit.action {
        return restore(edit, backup, old, &path);
    }
    let Some(bytes) = &old else {
        return Ok(match &edit.action {
            Action::Put(value) => planned(Some(create(&path, value).into_bytes()), What::Created),
            _ => planned(None, What::Unchanged),
        });
    };
    let document = parse(bytes).map_err(|error| InstallError::unreadable(file, error))?;
    let there = document.at(&path).is_some();
    let foreign = entry::foreign(&document, &path);
    match &edit.action {
        Action::Put(value) => {
            if let Some((command, offset)) = foreign {
                return Err(name_taken(file, &document, &path, command, offset));
            }
            let text = upsert(&document, &path, value)
                .map_err(|error| edit_error(file, &document, error))?;
            let new = with_bom(&document, text);
            let what = match (new == *bytes, there) {
                (true, _) => What::Unchanged,
                (false, true) => What::Replaced,
                (false, false) => What::Added,
            };
            Ok(planned(Some(new), what))
        }
        Action::TakeOut if foreign.is_some() => Ok(planned(old.clone(), What::Foreign)),
        Action::TakeOut | Action::Restore(_) => Ok(
            match remove(&document, &path).map_err(|error| edit_error(file, &document, error))? {
                Removal::Absent => planned(old.clone(), What::Unchanged),
                Removal::Text(text) => planned(Some(with_bom(&document, text)), What::Removed),
                Removal::NoFile => planned(None, What::Deleted),
            },
        ),
    }
}

fn restore<'a>(
    edit: &'a Edit,
    backup: &Backup,
    old: Option<Vec<u8>>,
    path: &[&str],
) -> Result<Planned<'a>, InstallError> {
    let bytes = fs::read(&backup.path).map_err(InstallError::io("read", &backup.path))?;
    let changed_since = !only_our_change(&bytes, old.as_deref(), path);
    let what = if old.as_ref() == Some(&bytes) {
        What::Unchanged
    } else {
        What::Restored { changed_since }
    };
    Ok(Planned {
        edit,
        old,
        new: Some(bytes),
        what,
    })
}

/// Is `now` what an installation or a removal of ours makes out of `before`, or the other way round?
fn only_our_change(before: &[u8], now: Option<&[u8]>, path: &[&str]) -> bool {
    let Ok(before) = parse(before) else {
        return false;
    };
    let Some(now) = now else {
        return remove(&before, path) == Ok(Removal::NoFile);
    };
    let Ok(now) = parse(now) else { return false };
    before.bom == now.bom
        && (before.text == now.text
            || turns_into(&before, &now, path)
            || turns_into(&now, &before, path))
}

fn turns_into(before: &Document, now: &Document, path: &[&str]) -> bool {
    now.at(path)
        .is_some_and(|node| upsert(before, path, &now.json(node)).as_ref() == Ok(&now.text))
}

fn with_bom(document: &Document, text: String) -> Vec<u8> {
    to_bytes(document.bom, &text)
}

fn name_taken(
    file: &Path,
    document: &Document,
    path: &[&str],
    command: &str,
    offset: usize,
) -> InstallError {
    let (line, column) = document.position(offset);
    let name = path.last().copied().unwrap_or_default().to_owned();
    InstallError::NameTaken {
        file: file.to_owned(),
        line,
        column,
        name,
        command: command.to_owned(),
    }
}

fn edit_error(file: &Path, document: &Document, error: EditError) -> InstallError {
    match error {
        EditError::NotAnObject { key, offset } => {
            let (line, column) = document.position(offset);
            InstallError::NotAnObject {
                file: file.to_owned(),
                line,
                column,
                key,
            }
        }
        EditError::WouldHarm => InstallError::WouldHarm(file.to_owned()),
    }
}
