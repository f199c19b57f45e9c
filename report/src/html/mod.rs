//! The report as one page with charts, which needs nothing else: no script, no font, no picture from elsewhere.
//!
//! It is well-formed XML too, so that a parser can prove that nothing of the log got out of its place. A table stands
//! behind each chart, for readers who don't see it.

mod chart;
mod escape;
mod page;
mod table;

pub use page::page;
