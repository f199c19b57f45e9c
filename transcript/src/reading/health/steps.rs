//! The biggest steps, and files that were read again and again.

use crate::reading::calls::Call;
use crate::reading::entry::Role;
use std::collections::HashMap;

/// Steps that are kept.
const BIGGEST: usize = 5;
/// Files that are counted. With more, new ones are passed over: those that are read often come early.
const FILES: usize = 4096;
/// Reads of a file from which on it counts as repeated.
const REPEATED: u64 = 3;
/// Bytes of a path.
const PATH: usize = 512;

/// The biggest steps, biggest first.
#[derive(Debug, Default)]
pub(crate) struct Biggest(pub(crate) Vec<(u64, Role, u64)>);

impl Biggest {
    pub(crate) fn add(&mut self, step: u64, role: Role, len: u64) {
        if self.0.len() == BIGGEST && self.0.last().is_some_and(|(_, _, least)| *least >= len) {
            return;
        }
        let place = self.0.partition_point(|(_, _, other)| *other >= len);
        self.0.insert(place, (step, role, len));
        self.0.truncate(BIGGEST);
    }
}

/// How often each file was read.
#[derive(Debug, Default)]
pub(crate) struct Reads(HashMap<String, (u64, u64)>);

impl Reads {
    pub(crate) fn add(&mut self, step: u64, call: &Call) {
        let Some(path) = read_file(call) else {
            return;
        };
        if let Some((count, last)) = self.0.get_mut(path) {
            *count += 1;
            *last = step;
        } else if self.0.len() < FILES && path.len() <= PATH {
            self.0.insert(path.to_owned(), (1, step));
        }
    }

    /// Files that were read repeatedly, the most read first: path, count, last step.
    pub(crate) fn repeated(&self) -> Vec<(&str, u64, u64)> {
        let mut found: Vec<_> = self
            .0
            .iter()
            .filter(|(_, (count, _))| *count >= REPEATED)
            .map(|(path, (count, last))| (path.as_str(), *count, *last))
            .collect();
        found.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(b.0)));
        found
    }
}

/// The file that a call reads: by a native tool, or by a command that does nothing else.
fn read_file(call: &Call) -> Option<&str> {
    match call.name.to_ascii_lowercase().as_str() {
        "view_file" | "read_file" | "read_many_files" | "view_code_item" => {
            ["AbsolutePath", "path", "file_path", "paths", "File"]
                .iter()
                .find_map(|name| call.argument(name))
        }
        "run_command" => {
            let words: Vec<&str> = call.argument("CommandLine")?.split_whitespace().collect();
            match words[..] {
                ["cat", path] | ["rtk", "read", path] => Some(path),
                _ => None,
            }
        }
        _ => None,
    }
}
