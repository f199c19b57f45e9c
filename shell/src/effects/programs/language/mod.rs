//! Code in other languages as far as paths need it: its calls, and what their arguments stand for.
//!
//! The languages are read with one eye: names, texts in quotes, brackets, assignments and loops look alike in Python,
//! JavaScript, Perl, Ruby and PHP. What does not look alike, and what is computed, is unknown.

mod bindings;
mod brackets;
mod calls;
mod changes;
mod expressions;
mod functions;
mod imports;
mod openings;
mod texts;
mod tokens;
mod value;
mod variables;
mod walks;

pub use calls::{Calls, calls};
pub use expressions::Code;
