//! The governor behind the `execution-guard` hook.
//!
//! How a call flows: bytes → [`hosts`] (which host, typed call) → [`layers`] in order (each a
//! function of a [`scene`]) → [`verdict`] → [`hosts`] → bytes. No layer prints, exits, or reads the
//! clock or the environment by itself, and the disk is touched only where a rule needs it: an
//! ordinary shell command opens no state file and no transcript.

pub mod args;
pub mod call;
#[cfg(feature = "commands")]
pub mod commands;
pub mod config;
pub mod cron;
pub mod decision_log;
pub mod effects;
pub mod environment;
pub mod hook;
pub mod hosts;
pub mod input;
pub mod layers;
pub mod links;
pub mod machine;
pub mod output;
pub mod paths;
pub mod scene;
pub mod sibling;
pub mod tools;
pub mod verdict;
pub mod zones;
