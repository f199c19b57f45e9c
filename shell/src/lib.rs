//! What a command line does: its words with their byte spans, and from them its effects.
//!
//! [`parse`] reads a line of bash into a tree whose nodes name bytes of the line. It always returns, in linear
//! time and with bounded depth; [`Script::is_understood`] says whether the whole line was read.

mod dialect;
mod effects;
mod literal;
mod parser;
mod place;
mod script;
mod span;
mod streams;
mod syntax;
mod walk;
mod words;

pub use dialect::{Dialect, dialect};
pub use effects::{
    Access, AccessKind, Atom, Component, Context, Effects, PathPattern, Reach, Run, Text, Wait,
    effects,
};
pub use parser::parse;
pub use place::{Construct, Input, Output, Place};
pub use script::{Problem, Script};
pub use span::Span;
pub use syntax::*;

/// The most constructs (lists in brackets, quotes, substitutions) that may stand in one another.
/// People and agents stay under ten; at this depth the parser uses less than a tenth of the smallest main stack.
pub const MAX_DEPTH: usize = 48;

/// The most steps of work, about one a byte, that one line may take. Eight million steps are some ten
/// milliseconds; Linux takes no argument longer than 128 KiB.
pub const MAX_STEPS: usize = 8_000_000;
