//! A home folder with a hook binary that answers, in a folder of its own.
#![allow(dead_code, missing_docs)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use guard_install::{InstallOptions, Place, Setup, UninstallOptions};

pub const TOOLS: [&str; 3] = ["run_command", "view_file", "manage_task"];
pub const ANSWERS: &str = "#!/bin/sh\ncat >/dev/null\necho '{\"decision\":\"allow\"}'\n";

pub struct Home {
    pub folder: tempfile::TempDir,
}

impl Home {
    pub fn new() -> Home {
        let home = Home {
            folder: tempfile::tempdir().expect("a folder"),
        };
        programs(&home.binary());
        fs::create_dir_all(home.path().join(".gemini/config")).expect("a folder");
        home
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    pub fn binary(&self) -> PathBuf {
        self.path().join(".local/bin/execution-guard")
    }

    pub fn commands(&self) -> PathBuf {
        commands(&self.binary())
    }

    pub fn hooks(&self) -> PathBuf {
        self.path().join(".gemini/config/hooks.json")
    }

    pub fn mcp(&self) -> PathBuf {
        self.path().join(".gemini/config/mcp_config.json")
    }

    pub fn setup(&self) -> Setup {
        setup(self.path())
    }

    /// The names beside `hooks.json` that are backups of it.
    pub fn backups(&self) -> Vec<PathBuf> {
        let mut found: Vec<PathBuf> = fs::read_dir(self.path().join(".gemini/config"))
            .expect("the folder is there")
            .map(|entry| entry.expect("an entry").path())
            .filter(|path| {
                path.to_string_lossy().contains("/hooks.json.")
                    && path.extension().is_some_and(|end| end == "bak")
            })
            .collect();
        found.sort();
        found
    }
}

pub fn setup(home: &Path) -> Setup {
    Setup {
        home: home.to_owned(),
        binary: home.join(".local/bin/execution-guard"),
        commands: home.join(".local/bin/execution-guard-cli"),
        tools: TOOLS.to_vec(),
        sandbox_tools: vec!["code_execution", "read_file"],
        link_folders: vec![home.join("links")],
        places_file: Some(home.join(".config/execution-guard/places.json")),
        rtk_folders: vec![home.join("rtk bin")],
    }
}

/// A hook that answers, and its commands beside it.
pub fn programs(hook: &Path) {
    script(hook, ANSWERS);
    script(&commands(hook), "#!/bin/sh\n");
}

/// The commands that belong to `hook`.
pub fn commands(hook: &Path) -> PathBuf {
    hook.with_file_name("execution-guard-cli")
}

pub fn script(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    // Another thread of this test may fork while the file is open for writing, and the child would make
    // it busy: the shell that writes it has closed it when it ends.
    let done = std::process::Command::new("sh")
        .args(["-c", "printf %s \"$2\" >\"$1\" && chmod 755 \"$1\"", "sh"])
        .arg(path)
        .arg(text)
        .status()
        .expect("sh runs");
    assert!(done.success());
}

pub fn write(path: &Path, text: impl AsRef<[u8]>) {
    fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    fs::write(path, text).expect("a file");
}

pub fn mode(path: &Path) -> u32 {
    fs::metadata(path)
        .expect("the file is there")
        .permissions()
        .mode()
        & 0o7777
}

pub fn hooks_only() -> InstallOptions {
    InstallOptions {
        mcp: false,
        ..InstallOptions::default()
    }
}

pub fn at(place: Place) -> InstallOptions {
    InstallOptions {
        places: vec![place],
        ..InstallOptions::default()
    }
}

pub fn everywhere() -> UninstallOptions {
    UninstallOptions::default()
}
