//! The lock on a conversation, and the one deadline over a call.

use crate::error::StateError;
use crate::folder::Folder;
use crate::name::Stem;
use fs2::FileExt;
use std::fs::File;
use std::io;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Enough for one system call; the default of 2 MiB is address space only, but a limit may count it.
const WAITER_STACK: usize = 64 * 1024;

/// The time a call has.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Deadline {
    began: Instant,
    total: Duration,
}

impl Deadline {
    pub(crate) fn starting_now(total: Duration) -> Self {
        Self {
            began: Instant::now(),
            total,
        }
    }

    fn left(self) -> Duration {
        self.total.saturating_sub(self.began.elapsed())
    }
}

/// An exclusive lock. Dropping it closes the file, and with it the kernel takes the lock back.
pub(crate) struct Held {
    _file: File,
}

/// Takes the lock of `stem` in `folder`, or says who is in the way.
pub(crate) fn take(folder: &Folder, stem: &Stem, deadline: Deadline) -> Result<Held, StateError> {
    let name = stem.lock();
    let failed = |action, error| StateError::io(action, folder.path_of(&name), error);
    let file = folder
        .open_lock(&name)
        .map_err(|error| StateError::writing(folder.path_of(&name), error))?;
    match FileExt::try_lock_exclusive(&file) {
        Ok(()) => return Ok(Held { _file: file }),
        Err(error) if is_contended(&error) => {}
        Err(error) => return Err(failed("lock", error)),
    }
    match wait(file, deadline) {
        Ok(Some(file)) => Ok(Held { _file: file }),
        Ok(None) => Err(StateError::Locked {
            path: folder.path_of(&name),
            waited: deadline.total,
        }),
        Err(error) => Err(failed("lock", error)),
    }
}

/// Whether a failed attempt says that another process has the lock.
fn is_contended(error: &io::Error) -> bool {
    let contended = fs2::lock_contended_error();
    error.kind() == contended.kind() && error.raw_os_error() == contended.raw_os_error()
}

/// Takes the lock of `stem` only if nobody has it.
pub(crate) fn take_if_free(folder: &Folder, stem: &Stem) -> Option<Held> {
    let file = folder.open_lock(&stem.lock()).ok()?;
    FileExt::try_lock_exclusive(&file)
        .ok()
        .map(|()| Held { _file: file })
}

/// Waits for the lock in the kernel's queue, which is fair, as no repeated attempt from here would be. A blocking
/// lock can't be given up by the thread that waits in it, so another thread does; if the deadline comes first it is left
/// behind, and lets go of the lock by itself, should it ever get it.
fn wait(file: File, deadline: Deadline) -> io::Result<Option<File>> {
    let shared = Arc::new((Mutex::new(None), Condvar::new()));
    let waiter = Arc::clone(&shared);
    thread::Builder::new()
        .stack_size(WAITER_STACK)
        .spawn(move || {
            let locked = lock_in_turn(file);
            let (slot, arrived) = &*waiter;
            *slot.lock().unwrap_or_else(PoisonError::into_inner) = Some(locked);
            arrived.notify_one();
        })?;
    let (slot, arrived) = &*shared;
    let slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
    let (mut slot, _) = arrived
        .wait_timeout_while(slot, deadline.left(), |locked| locked.is_none())
        .unwrap_or_else(PoisonError::into_inner);
    slot.take().transpose()
}

fn lock_in_turn(file: File) -> io::Result<File> {
    loop {
        match file.lock_exclusive() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            result => return result.map(|()| file),
        }
    }
}
