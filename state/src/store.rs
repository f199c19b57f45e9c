//! The folder of ledgers.

use crate::error::{FolderProblem, StateError};
use crate::file::{self, Found};
use crate::folder::Folder;
use crate::ledger::Ledger;
use crate::lock::{self, Deadline, Held};
use crate::name::{Kind, Stem};
use crate::prune;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The ledgers of all conversations, one file each in one folder.
///
/// Making one touches nothing; the folder is made by the first [`Store::update`].
#[derive(Debug, Clone)]
pub struct Store {
    dir: PathBuf,
    deadline: Duration,
    local_locks: Option<PathBuf>,
    is_remote: fn(&Folder) -> bool,
}

/// One conversation as [`Store::list`] finds it.
#[derive(Debug)]
pub struct Listed {
    /// The conversation id; `None` if the file can't be read and its name does not spell it out.
    pub conversation: Option<String>,
    /// The state file.
    pub path: PathBuf,
    /// What is in it.
    pub ledger: Result<Ledger, StateError>,
}

impl Store {
    /// The store in `dir`. `deadline` bounds how long a call waits for other processes, all waits together.
    #[must_use]
    pub fn new(dir: impl Into<PathBuf>, deadline: Duration) -> Self {
        Self {
            dir: dir.into(),
            deadline,
            local_locks: None,
            is_remote: Folder::is_remote,
        }
    }

    /// Where the locks go if the state folder is on a network file system: a folder of this user on this machine
    /// ([`crate::runtime_dir`]).
    ///
    /// A lock on a network file system may hang in a way that not even the end of the process ends. A conversation lives
    /// on one machine, so a lock on that machine is as good. Without such a folder a state folder on a network file system
    /// is refused ([`FolderProblem::Network`]).
    #[must_use]
    pub fn with_local_locks(self, dir: Option<PathBuf>) -> Self {
        Self {
            local_locks: dir,
            ..self
        }
    }

    /// The state folder.
    #[must_use]
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Reads the ledger of `conversation` (a new one if there is none), lets `change` have it, and writes it: all
    /// under the conversation's lock, so that no other process's change is lost. When this returns the change is in
    /// place for every other process. A `change` that changes nothing writes nothing.
    ///
    /// If the file is damaged it is set aside, the ledger that `after_damage` makes takes its place, `change` is not
    /// called, and the call gets [`StateError::SetAside`].
    ///
    /// # Errors
    /// Any [`StateError`]. The old state stands after each of them but `SetAside`.
    pub fn update<T>(
        &self,
        conversation: &str,
        after_damage: impl FnOnce() -> Ledger,
        change: impl FnOnce(&mut Ledger) -> T,
    ) -> Result<T, StateError> {
        let deadline = Deadline::starting_now(self.deadline);
        let stem = Stem::of(conversation)?;
        let folder = Folder::open_or_create(&self.dir)?;
        let locks = self.locks(&folder)?;
        let locks = locks.as_ref().unwrap_or(&folder);
        let held = lock::take(locks, &stem, deadline)?;
        let found = file::load(&folder, &stem)?;
        let last_change = match &found {
            Found::Ledger { modified, .. } => Some(*modified),
            Found::Nothing | Found::Damaged(_) => None,
        };
        let (mut ledger, before) = match found {
            Found::Nothing => (Box::new(Ledger::new(conversation)), Vec::new()),
            Found::Ledger { ledger, bytes, .. } => (ledger, bytes),
            Found::Damaged(damage) => {
                let ledger = after_damage().owned_by(conversation);
                let text = file::text(&folder, &stem, &ledger)?;
                let aside = file::replace_damaged(&folder, &stem, &text)?;
                return Err(StateError::SetAside {
                    path: folder.path_of(&stem.state()),
                    damage,
                    set_aside: aside.map(|name| folder.path_of(&name)),
                });
            }
        };
        let answer = change(&mut ledger);
        let text = file::text(&folder, &stem, &ledger.owned_by(conversation))?;
        if text != before {
            file::save(&folder, &stem, &text)?;
        }
        drop(held);
        if prune::worth_a_look(last_change) {
            prune::run(&folder, locks);
        }
        Ok(answer)
    }

    /// The ledger of `conversation` as it is now, without the lock and without changing anything; `None` if there is none.
    ///
    /// # Errors
    /// [`StateError::Damaged`] if the file is no ledger, or any other [`StateError`] but those of locks and of writing.
    pub fn peek(&self, conversation: &str) -> Result<Option<Ledger>, StateError> {
        let stem = Stem::of(conversation)?;
        match Folder::existing(&self.dir)? {
            Some(folder) => read(&folder, &stem),
            None => Ok(None),
        }
    }

    /// Every conversation, in the order of the file names.
    ///
    /// # Errors
    /// If the folder can't be opened or read. What is wrong with one file is in its [`Listed::ledger`].
    pub fn list(&self) -> Result<Vec<Listed>, StateError> {
        let Some(folder) = Folder::existing(&self.dir)? else {
            return Ok(Vec::new());
        };
        let listed = self.names(&folder)?.into_iter().filter_map(|name| {
            let (stem, kind) = Stem::parse(&name)?;
            let ledger = match kind {
                Kind::State => read(&folder, &stem).transpose()?,
                Kind::Temporary | Kind::Damaged => return None,
            };
            Some(Listed {
                conversation: match &ledger {
                    Ok(ledger) => Some(ledger.conversation().to_owned()),
                    Err(_) => stem.conversation(),
                },
                path: folder.path_of(&name),
                ledger,
            })
        });
        Ok(listed.collect())
    }

    /// Forgets `conversation`; whether there was anything to forget.
    ///
    /// # Errors
    /// Any [`StateError`] of the folder, of locks and of writing.
    pub fn reset(&self, conversation: &str) -> Result<bool, StateError> {
        let stem = Stem::of(conversation)?;
        match Folder::existing(&self.dir)? {
            Some(folder) => self.forget(&folder, &stem, &stem.state()),
            None => Ok(false),
        }
    }

    /// Forgets every conversation, with the damaged files that were kept; how many conversations there were.
    ///
    /// # Errors
    /// The first that occurred; the other conversations are forgotten all the same.
    pub fn reset_all(&self) -> Result<usize, StateError> {
        let Some(folder) = Folder::existing(&self.dir)? else {
            return Ok(0);
        };
        let mut forgotten = 0;
        let mut failure = None;
        // Damaged files come first in the order of names, which makes room for a folder in a state file's place.
        for name in self.names(&folder)? {
            let Some((stem, kind)) = Stem::parse(&name) else {
                continue;
            };
            match self.forget(&folder, &stem, &name) {
                Ok(true) if kind == Kind::State => forgotten += 1,
                Ok(_) => {}
                Err(error) => failure = failure.or(Some(error)),
            }
        }
        failure.map_or(Ok(forgotten), Err)
    }

    fn forget(&self, folder: &Folder, stem: &Stem, name: &str) -> Result<bool, StateError> {
        let _held = self.lock(folder, stem)?;
        match folder.remove(name) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            // A folder in its place, say, which may hold anything.
            Err(error) => match file::put_away(folder, stem, name) {
                Ok(Some(_)) => Ok(true),
                _ => Err(StateError::io("remove", folder.path_of(name), error)),
            },
        }
    }

    fn lock(&self, folder: &Folder, stem: &Stem) -> Result<Held, StateError> {
        let deadline = Deadline::starting_now(self.deadline);
        let locks = self.locks(folder)?;
        lock::take(locks.as_ref().unwrap_or(folder), stem, deadline)
    }

    /// The folder for the locks, if it is another than `folder`.
    fn locks(&self, folder: &Folder) -> Result<Option<Folder>, StateError> {
        if !(self.is_remote)(folder) {
            return Ok(None);
        }
        let refused = || StateError::Folder {
            path: self.dir.clone(),
            problem: FolderProblem::Network,
        };
        let locks = Folder::open_or_create(self.local_locks.as_deref().ok_or_else(refused)?)?;
        if locks.is_remote() {
            Err(refused())
        } else {
            Ok(Some(locks))
        }
    }

    fn names(&self, folder: &Folder) -> Result<Vec<String>, StateError> {
        let names = folder
            .names()
            .map_err(|error| StateError::io("list", self.dir.clone(), error))?;
        let mut names: Vec<String> = names.collect();
        names.sort_unstable();
        Ok(names)
    }
}

fn read(folder: &Folder, stem: &Stem) -> Result<Option<Ledger>, StateError> {
    match file::load(folder, stem)? {
        Found::Nothing => Ok(None),
        Found::Ledger { ledger, .. } => Ok(Some(*ledger)),
        Found::Damaged(damage) => Err(StateError::Damaged {
            path: folder.path_of(&stem.state()),
            damage,
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn on_a_network(home: &Path) -> Store {
        Store {
            is_remote: |_| true,
            ..Store::new(home.join("state"), Duration::from_secs(60))
        }
    }

    fn count(store: &Store) -> Result<u32, StateError> {
        let after_damage = || Ledger::new("a");
        store.update("a", after_damage, |ledger| {
            ledger.level += 1;
            ledger.level
        })
    }

    fn locks_in(dir: &Path) -> usize {
        let names = fs::read_dir(dir)
            .unwrap()
            .map(|entry| entry.unwrap().file_name());
        names
            .filter(|name| name.to_str().unwrap().starts_with("lock-"))
            .count()
    }

    #[test]
    fn no_lock_is_ever_tried_on_a_network_file_system() {
        let home = tempfile::tempdir().unwrap();
        let store = on_a_network(home.path());
        let error = count(&store).unwrap_err();
        assert!(
            matches!(
                error,
                StateError::Folder {
                    problem: FolderProblem::Network,
                    ..
                }
            ),
            "{error}"
        );
        assert_eq!(fs::read_dir(store.dir()).unwrap().count(), 0);
    }

    #[test]
    fn locks_of_a_state_folder_on_a_network_are_kept_on_this_machine() {
        let home = tempfile::tempdir().unwrap();
        let local = home.path().join("run");
        let store = on_a_network(home.path()).with_local_locks(Some(local.clone()));
        assert_eq!(count(&store).unwrap(), 1);
        assert_eq!(count(&store).unwrap(), 2);
        assert!(store.reset("a").unwrap());
        assert_eq!((locks_in(store.dir()), locks_in(&local)), (0, 1));
        let stem = Stem::of("a").unwrap();
        let other = on_a_network(home.path());
        let impatient = Store {
            deadline: Duration::ZERO,
            ..other
        }
        .with_local_locks(Some(local.clone()));
        let held = lock::take_if_free(&Folder::existing(&local).unwrap().unwrap(), &stem).unwrap();
        assert!(matches!(count(&impatient), Err(StateError::Locked { .. })));
        drop(held);
        assert_eq!(count(&impatient).unwrap(), 1);
    }
}
