//! What the log of decisions comes to, for the user.
//!
//! Data flows one way: the log ([`guard_decisions::read`]), the transcripts and `rtk gain` to a [`Report`], and that to
//! text ([`text`]), JSON (it is [`serde::Serialize`]) or a page ([`html::page`]). What the log says of names is not trusted: any
//! program of the user can write it.

pub mod html;
mod latency;
mod numbers;
mod planned;
mod range;
mod report;
mod tally;
pub mod text;
mod tokens;
mod words;

pub use latency::Latency;
pub use planned::Planned;
pub use range::{Range, SinceError, Zone};
pub use report::{LogState, Report, Request};
pub use tally::{Bucket, Group, ToolCount, Totals};
pub use tokens::Tokens;
