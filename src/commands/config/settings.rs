//! The user's configuration file, as commands find it.

use std::io::ErrorKind;
use std::path::PathBuf;

use super::check::{Checked, check};
use crate::config::read;
use crate::environment::Environment;

/// The configuration file, as it was found.
pub enum Settings {
    /// No variable says where it would be.
    NoPlace,
    /// There is none: the defaults hold.
    Missing(PathBuf),
    /// It can't be read: the defaults hold. The reason.
    Unreadable(PathBuf, String),
    /// It is no JSON object: the defaults hold. The reason names line and column.
    Malformed(PathBuf, serde_json::Error),
    /// It was read.
    Read(PathBuf, Checked),
}

impl Settings {
    /// Looks at the file of this user.
    pub fn of(environment: &Environment) -> Self {
        let Some(file) = environment.config_file() else {
            return Self::NoPlace;
        };
        match read(&file) {
            Err(error) if error.kind() == ErrorKind::NotFound => Self::Missing(file),
            Err(error) => Self::Unreadable(file, error.to_string()),
            Ok(text) => match check(&text) {
                Ok(checked) => Self::Read(file, checked),
                Err(error) => Self::Malformed(file, error),
            },
        }
    }

    /// In one line: which file, and whether it counts.
    pub(super) fn headline(&self) -> String {
        match self {
            Self::NoPlace => "no file: HOME is not set, so the defaults hold".to_owned(),
            Self::Missing(file) => {
                format!("{} is not there: the defaults hold", file.display())
            }
            Self::Unreadable(file, error) => {
                format!(
                    "{} can't be read ({error}): the defaults hold",
                    file.display()
                )
            }
            Self::Malformed(file, error) => format!(
                "{} is no JSON object ({error}): the defaults hold",
                file.display()
            ),
            Self::Read(file, _) => file.display().to_string(),
        }
    }

    /// Where it is, or would be.
    pub(super) fn file(&self) -> Option<&PathBuf> {
        match self {
            Self::NoPlace => None,
            Self::Missing(file)
            | Self::Unreadable(file, _)
            | Self::Malformed(file, _)
            | Self::Read(file, _) => Some(file),
        }
    }

    /// How it was found, for programs.
    pub(super) fn word(&self) -> &'static str {
        match self {
            Self::NoPlace => "no place",
            Self::Missing(_) => "missing",
            Self::Unreadable(..) => "unreadable",
            Self::Malformed(..) => "malformed",
            Self::Read(..) => "read",
        }
    }
}
