//! The places outside the home where the hook was registered: an entry left there would block every
//! tool of that workspace once the binary is gone.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::entry::Form;
use crate::error::InstallError;
use crate::files::{FolderLock, Target};
use crate::place::Place;
use crate::setup::Setup;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Noted {
    hooks_file: std::path::PathBuf,
    sandbox: bool,
}

/// The places noted so far whose file is still there. A list that can't be read counts as empty.
pub fn load(setup: &Setup) -> Vec<Place> {
    let noted = setup.places_file.as_deref().map(read).unwrap_or_default();
    let there = noted.into_iter().filter(|noted| noted.hooks_file.exists());
    there
        .map(|noted| {
            Place::Noted(
                noted.hooks_file,
                if noted.sandbox {
                    Form::Sandbox
                } else {
                    Form::Antigravity
                },
            )
        })
        .collect()
}

/// Notes those of `places` that are outside the home's own configuration.
pub fn add(setup: &Setup, places: &[Place]) -> Result<(), InstallError> {
    let new: Vec<Noted> = places
        .iter()
        .filter_map(|place| noted(setup, place))
        .collect();
    if new.is_empty() {
        return Ok(());
    }
    change(setup, |list| {
        let missing: Vec<Noted> = new
            .iter()
            .filter(|noted| !list.contains(noted))
            .cloned()
            .collect();
        list.extend(missing);
    })
}

/// Strikes `places` from the list.
pub fn strike(setup: &Setup, places: &[Place]) -> Result<(), InstallError> {
    let gone: Vec<Noted> = places
        .iter()
        .filter_map(|place| noted(setup, place))
        .collect();
    change(setup, |list| list.retain(|noted| !gone.contains(noted)))
}

fn noted(setup: &Setup, place: &Place) -> Option<Noted> {
    let file = place.hooks_file(&setup.home);
    let outside = !matches!(place, Place::Global | Place::Ide);
    let hooks_file = std::path::absolute(&file).unwrap_or(file);
    outside.then(|| Noted {
        hooks_file,
        sandbox: place.form() == Form::Sandbox,
    })
}

fn read(file: &Path) -> Vec<Noted> {
    let bytes = std::fs::read(file).unwrap_or_default();
    serde_json::from_slice(&bytes).unwrap_or_default()
}

fn change(setup: &Setup, change: impl Fn(&mut Vec<Noted>)) -> Result<(), InstallError> {
    let Some(file) = setup.places_file.as_deref() else {
        return Ok(());
    };
    let before = read(file);
    let mut list = before.clone();
    change(&mut list);
    if list == before {
        return Ok(());
    }
    let target = Target::new(file, 0o600)?;
    std::fs::create_dir_all(target.folder()).map_err(InstallError::io("make", target.folder()))?;
    let _lock = FolderLock::acquire(target.folder())?;
    let mut list = read(file);
    change(&mut list);
    let text = serde_json::to_vec_pretty(&list).unwrap_or_default();
    target.write((!list.is_empty()).then_some(text.as_slice()))
}
