//! `fuzz/run.sh`, effects: any text has effects, and their paths can be asked.
#![no_main]

use guard_shell::{Component, Context};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let context = Context {
        folder: "/home/dev/work",
        home: Some("/home/dev"),
        environment: &|_| None,
        program: &|_| None,
    };
    let effects = guard_shell::effects(&guard_shell::parse(&text), &context);
    for access in &effects.accesses {
        let _ = access.path.display();
        let _ = access.path.literal_prefix();
        let _ = access
            .path
            .reaches_component(".system_generated", Component::Any, true);
        let _ = access
            .path
            .reaches_component("eval_*.py", Component::Last, false);
        let _ = access
            .path
            .reaches_path("/home/dev/.gemini/config/hooks.json", true);
        let _ = access.path.reaches_into("/home/dev/.gemini", false);
    }
});
