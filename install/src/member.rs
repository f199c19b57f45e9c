//! Our members of a file: put in, replaced, taken out, and told from what others changed.

use std::path::Path;

use crate::entry;
use crate::error::InstallError;
use crate::jsonc::edit::{EditError, Removal, create, remove, upsert};
use crate::jsonc::{Document, Json, parse, to_bytes};
use crate::report::What;

/// A member of ours in a file.
#[derive(Debug, Clone)]
pub struct Member {
    /// The chain of its keys.
    pub path: Vec<String>,
    /// Its value; none: it is taken out.
    pub value: Option<Json>,
}

impl Member {
    /// The chain of its keys.
    pub fn path(&self) -> Vec<&str> {
        self.path.iter().map(String::as_str).collect()
    }
}

/// The bytes with all `members` changed, and what that was.
pub(crate) fn change_members(
    file: &Path,
    old: Option<Vec<u8>>,
    members: &[Member],
) -> Result<(Option<Vec<u8>>, What), InstallError> {
    let mut bytes = old;
    let mut what = What::Unchanged;
    // Backwards when taking out, so that each step undoes the last one of putting in.
    for member in members
        .iter()
        .filter(|member| member.value.is_some())
        .chain(members.iter().rev().filter(|member| member.value.is_none()))
    {
        let (new, done) = change_member(file, bytes.clone(), member)?;
        if new != bytes || done == What::Foreign {
            what = if what == What::Created { what } else { done };
        }
        bytes = new;
    }
    Ok((bytes, what))
}

fn change_member(
    file: &Path,
    old: Option<Vec<u8>>,
    member: &Member,
) -> Result<(Option<Vec<u8>>, What), InstallError> {
    let path = member.path();
    let Some(bytes) = &old else {
        let created = member
            .value
            .as_ref()
            .map(|value| create(&path, value).into_bytes());
        return Ok((created, What::Created));
    };
    let document = parse(bytes).map_err(|error| InstallError::unreadable(file, error))?;
    let failed = |error| edit_error(file, &document, error);
    let foreign = entry::foreign(&document, &path);
    match (&member.value, foreign) {
        (Some(_), Some((command, offset))) => {
            Err(name_taken(file, &document, &path, command, offset))
        }
        (Some(value), None) => {
            let what = if document.at(&path).is_some() {
                What::Replaced
            } else {
                What::Added
            };
            let text = upsert(&document, &path, value).map_err(failed)?;
            Ok((Some(to_bytes(document.bom, &text)), what))
        }
        (None, Some(_)) => Ok((old, What::Foreign)),
        (None, None) => Ok(match remove(&document, &path).map_err(failed)? {
            Removal::Absent => (old, What::Unchanged),
            Removal::Text(text) => (Some(to_bytes(document.bom, &text)), What::Removed),
            Removal::NoFile => (None, What::Deleted),
        }),
    }
}

/// Is `now` what an installation or a removal of ours makes out of `before`, or the other way round?
pub(crate) fn only_our_change(before: &[u8], now: Option<&[u8]>, members: &[Member]) -> bool {
    turns_into(Some(before), now, members) || turns_into(now, Some(before), members)
}

/// Does `before` become `now` when our members become what they are in `now`?
fn turns_into(before: Option<&[u8]>, now: Option<&[u8]>, members: &[Member]) -> bool {
    let document = now.and_then(|now| parse(now).ok());
    let as_in_now = |member: &Member| {
        let value = document
            .as_ref()
            .and_then(|now| Some(now.json(now.at(&member.path())?)));
        Member {
            path: member.path.clone(),
            value,
        }
    };
    let members: Vec<Member> = members.iter().map(as_in_now).collect();
    change_members(Path::new(""), before.map(<[u8]>::to_vec), &members)
        .is_ok_and(|(made, _)| made.as_deref() == now)
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
