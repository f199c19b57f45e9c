//! The ledger of a conversation: its file, its lock, no policy.
//!
//! A [`Ledger`] is what a conversation has done so far; when a check is premature and what it costs is decided by
//! the caller. A [`Store`] keeps one readable JSON file a conversation in one folder, and changes it only by
//! [`Store::update`]: read, change, write under an exclusive advisory lock, within one deadline.
//!
//! # What holds, and by which mechanism
//!
//! - **No count is lost.** The whole read-modify-write is under `flock` (`LockFileEx` on Windows), which the kernel
//!   releases when a process dies, however it dies. No pid files, no stale-lock rules.
//! - **A lock file is never removed**, so nobody can wait on one that another process has just unlinked: a fixed
//!   set of permanent lock files is shared by all conversations, chosen by the file name.
//! - **A hung holder costs the deadline and no more**: the contended case waits in the kernel's own queue from a
//!   second thread, and the caller waits for that thread.
//! - **Nobody reads a half-written file**: the new state is a new file, put in the old one's place in one step. A process that
//!   dies leaves at most its temporary file, whose names are a bounded set.
//! - **No `fsync` on a local disk.** A process's death does not need it: what was written is in the kernel. A power
//!   loss can leave an empty or zero-filled file, which is damage like any other: it is set aside, and the
//!   ledger goes on as the caller says. It would cost 0.4 ms a call. On a network file system the file is synced,
//!   because there "disk full" may be told no earlier.
//! - **Damage is no way to a free check**: a file that can't be read as a ledger is replaced, in one step, by the
//!   ledger that the caller names for that case, and the call gets an error.
//!
//! It is a guard for programs that err. Whoever runs as the same user can delete the folder.

mod digest;
mod error;
mod file;
mod folder;
mod ledger;
mod location;
mod lock;
mod name;
mod prune;
mod recent;
mod store;
mod time;

pub use digest::Digest;
pub use error::{Damage, FolderProblem, StateError};
pub use file::MAX_STATE_BYTES;
pub use ledger::{
    Answer, Asked, Breaker, LastCall, Ledger, MAX_STEPS, MAX_TASKS, TaskName, VERSION,
};
pub use location::{STATE_DIR_VARIABLE, runtime_dir, state_dir};
pub use name::MAX_CONVERSATION_BYTES;
pub use recent::Recent;
pub use store::{Listed, Store};
pub use time::Time;
