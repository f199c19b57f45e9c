//! Edits of hooks.json and mcp_config.json that keep every foreign byte.
//!
//! [`install`], [`uninstall`], [`rollback`] and [`status`] are the four commands; what they need to know
//! is in a [`Setup`]. A hook that does not answer blocks every tool of the user, so an entry is written
//! after the binary has answered, and removed before the binary.

pub mod command;
pub mod entry;
mod error;
pub mod files;
mod install;
pub mod jsonc;
mod member;
mod noted;
mod place;
pub mod probe;
mod report;
mod rtk;
mod run;
mod setup;
mod status;
mod transaction;
mod uninstall;

pub use entry::Form;
pub use error::InstallError;
pub use install::{InstallOptions, install};
pub use place::{Place, config_folder, mcp_file};
pub use report::{Change, Report, What};
pub use rtk::{Rtk, find_rtk, rtk_folders, rtk_records};
pub use setup::{Record, Setup, default_link_folders};
pub use status::{Check, Outcome, Status, StatusOptions, status};
pub use uninstall::{UninstallOptions, rollback, uninstall};
