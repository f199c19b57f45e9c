//! One conversation's file: read, written, set aside.

use crate::error::{Damage, StateError};
use crate::folder::{Entry, Folder};
use crate::ledger::{Ledger, VERSION};
use crate::name::{KEPT_DAMAGED, SLOTS, Stem};
use serde::Deserialize;
use std::fs::File;
use std::io::{self, Read, Write};

/// Largest state file that is written or read, in bytes. An ordinary one has under 2,000; the longest
/// conversation id taken, all in escapes, has 393,216.
pub const MAX_STATE_BYTES: usize = 1024 * 1024;

/// What was found for a conversation.
pub(crate) enum Found {
    Nothing,
    Ledger {
        ledger: Box<Ledger>,
        bytes: Vec<u8>,
        modified: i64,
    },
    Damaged(Damage),
}

pub(crate) fn load(folder: &Folder, stem: &Stem) -> Result<Found, StateError> {
    let name = stem.state();
    let failed = |error| StateError::io("read", folder.path_of(&name), error);
    let (file, size, modified) = match folder.open_state(&name).map_err(failed)? {
        Entry::Missing => return Ok(Found::Nothing),
        Entry::Odd(damage) => return Ok(Found::Damaged(damage)),
        Entry::File {
            file,
            size,
            modified,
        } => (file, size, modified),
    };
    if size > MAX_STATE_BYTES as u64 {
        return Ok(Found::Damaged(Damage::TooLarge(size)));
    }
    let bytes = read(file, size).map_err(failed)?;
    Ok(match parse(&bytes) {
        Ok(ledger) if Stem::of(ledger.conversation()).ok().as_ref() == Some(stem) => {
            Found::Ledger {
                ledger: Box::new(ledger),
                bytes,
                modified,
            }
        }
        Ok(_) => Found::Damaged(Damage::OtherConversation),
        Err(damage) => Found::Damaged(damage),
    })
}

/// The whole file in one system call: a state file is never changed in place, so it has the size it was opened with.
fn read(mut file: File, size: u64) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; usize::try_from(size).map_err(io::Error::other)?];
    file.read_exact(&mut bytes)?;
    Ok(bytes)
}

fn parse(bytes: &[u8]) -> Result<Ledger, Damage> {
    #[derive(Deserialize)]
    struct Head {
        version: u32,
    }
    if bytes.is_empty() {
        return Err(Damage::Empty);
    }
    match serde_json::from_slice::<Ledger>(bytes) {
        Ok(ledger) if ledger.version() == VERSION => Ok(ledger),
        Ok(ledger) if ledger.version() > VERSION => Err(Damage::NewerVersion(ledger.version())),
        Ok(_) => Err(Damage::Unparseable("its version is not known".to_owned())),
        Err(_) if bytes.iter().all(|byte| *byte == 0) => Err(Damage::ZeroFilled),
        Err(error) => Err(match serde_json::from_slice::<Head>(bytes) {
            Ok(head) if head.version > VERSION => Damage::NewerVersion(head.version),
            _ => Damage::Unparseable(error.to_string()),
        }),
    }
}

/// The text of the state file.
pub(crate) fn text(folder: &Folder, stem: &Stem, ledger: &Ledger) -> Result<Vec<u8>, StateError> {
    let path = || folder.path_of(&stem.state());
    let mut text = serde_json::to_vec_pretty(ledger)
        .map_err(|error| StateError::io("write", path(), error.into()))?;
    text.push(b'\n');
    if text.len() > MAX_STATE_BYTES {
        return Err(StateError::TooLarge {
            path: path(),
            bytes: text.len(),
        });
    }
    Ok(text)
}

/// Puts `text` in the place of the state file, in one step.
pub(crate) fn save(folder: &Folder, stem: &Stem, text: &[u8]) -> Result<(), StateError> {
    let temporary = write_temporary(folder, stem, text)?;
    folder.replace(&temporary, &stem.state()).map_err(|error| {
        let _ = folder.remove(&temporary);
        StateError::writing(folder.path_of(&stem.state()), error)
    })
}

/// Puts `text` in the place of a damaged state file, and that aside; the name it has then, unless enough are kept.
///
/// The new file is written first: if that fails the damaged one stays, and the next call finds it. The two are
/// exchanged in one step where the system can; where it can't, a process that dies between the two renames leaves
/// no state file.
pub(crate) fn replace_damaged(
    folder: &Folder,
    stem: &Stem,
    text: &[u8],
) -> Result<Option<String>, StateError> {
    let state = stem.state();
    let failed = |error| StateError::writing(folder.path_of(&state), error);
    let temporary = write_temporary(folder, stem, text)?;
    if folder.exchange(&temporary, &state) {
        // The new one is in place; what can't be moved on stays under the temporary name.
        return Ok(put_away(folder, stem, &temporary).unwrap_or(None));
    }
    let aside = put_away(folder, stem, &state).map_err(failed)?;
    folder.rename(&temporary, &state).map_err(failed)?;
    Ok(aside)
}

/// Moves an entry to a name for damaged files, or removes it if all are taken. It is kept for a day from now.
///
/// A folder that holds something can't be removed; it goes to a temporary name, which writers then leave alone.
pub(crate) fn put_away(folder: &Folder, stem: &Stem, name: &str) -> io::Result<Option<String>> {
    let free = |name: &String| !folder.exists(name);
    let aside = (0..KEPT_DAMAGED).map(|slot| stem.damaged(slot)).find(free);
    let done = match &aside {
        Some(aside) => folder.rename(name, aside).inspect(|()| {
            let _ = folder.touch(aside);
        }),
        None => folder.remove(name).or_else(|error| {
            let other = (0..SLOTS).map(|slot| stem.temporary(slot)).find(free);
            other.map_or(Err(error), |other| folder.rename(name, &other))
        }),
    };
    match done {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        done => done.map(|()| aside),
    }
}

/// A new file with `text` under one of the conversation's temporary names.
///
/// The lock makes the writer the only one, and a name that is taken is a dead process's. But the lock is no more
/// than advice: if someone has removed the lock files, two writers may be here, so a taken name is left alone while another is
/// free, and no writer ever opens a file that it did not make. When all are taken, all are left-overs.
fn write_temporary(folder: &Folder, stem: &Stem, text: &[u8]) -> Result<String, StateError> {
    let (name, mut file) = create_temporary(folder, stem)?;
    let written = file.write_all(text).and_then(|()| {
        // A network file system may find out only now that the disk is full.
        if folder.is_remote() {
            file.sync_all()
        } else {
            Ok(())
        }
    });
    match written {
        Ok(()) => Ok(name),
        Err(error) => {
            let _ = folder.remove(&name);
            Err(StateError::writing(folder.path_of(&name), error))
        }
    }
}

fn create_temporary(folder: &Folder, stem: &Stem) -> Result<(String, File), StateError> {
    for slot in 0..SLOTS {
        let name = stem.temporary(slot);
        match folder.create_new(&name) {
            Ok(file) => return Ok((name, file)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(StateError::writing(folder.path_of(&name), error)),
        }
    }
    for slot in 0..SLOTS {
        let _ = folder.remove(&stem.temporary(slot));
    }
    let name = stem.temporary(0);
    match folder.create_new(&name) {
        Ok(file) => Ok((name, file)),
        Err(error) => Err(StateError::writing(folder.path_of(&name), error)),
    }
}
