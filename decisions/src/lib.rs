//! The log of decisions: one JSON line for each call that was not simply passed through.
//!
//! [`Entry`] is a line as the hook writes it, [`append`] puts it into the file, and [`read`] gives the lines back to whoever
//! reports on them. What may stand in a line is a matter of its types: words of fixed lists, numbers and the
//! conversation's id. No argument of a call, no path, no content of a file and no output can get in.
//!
//! - **A line is whole.** It is one `write` to a file opened for appending, which the kernel does not mix with
//!   another's. A disk that fills up can cut one; [`read`] finds the next behind it.
//! - **The log is bounded.** At [`MAX_BYTES`] the file becomes [`OLD_NAME`], whose lines go. Who renames it holds a lock
//!   on the file that is renamed, so that no second process renames the new one; who does not get the lock at once
//!   goes on with the file it has.
//! - **Logging never waits and never leads elsewhere.** A link, a FIFO, a device or a file of another user in the log's
//!   place is left alone, and so is a disk that is full or read-only.

mod append;
mod entry;
mod file;
mod kind;
mod read;

pub use append::{AppendError, append, probe};
pub use entry::{Entry, MAX_CONVERSATION};
pub use file::{MAX_BYTES, NAME, OLD_NAME};
pub use kind::Kind;
pub use read::{Log, Logged, Old, read};
