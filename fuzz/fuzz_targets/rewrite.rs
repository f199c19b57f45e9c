//! `fuzz/run.sh`, rewrite: a rewritten line is rewritten no further, and was understood.
#![no_main]

use std::path::Path;

use guard_rtk::rewrite::{FileKind, Machine, Surroundings, rewrite_line};
use libfuzzer_sys::fuzz_target;

/// Every file is text and every program is there.
struct Everything;

impl Machine for Everything {
    fn kind(&self, _: &Path) -> FileKind {
        FileKind::Text
    }

    fn has_program(&self, _: &str) -> bool {
        true
    }

    fn home(&self) -> Option<&Path> {
        Some(Path::new("/home/dev"))
    }
}

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let surroundings = Surroundings {
        machine: &Everything,
        rtk: "rtk",
        windows: false,
    };
    let script = guard_shell::parse(text);
    if let Some(line) = rewrite_line(&script, &surroundings) {
        assert!(script.is_understood());
        let again = guard_shell::parse(&line);
        assert!(again.is_understood(), "{line}");
        assert_eq!(rewrite_line(&again, &surroundings), None, "{line}");
    }
});
