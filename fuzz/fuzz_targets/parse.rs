//! `fuzz/run.sh`, parse: any text is read, within the budget, and every span fits it.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let script = guard_shell::parse(&text);
    assert!(script.steps() <= guard_shell::MAX_STEPS + 2 * text.len() + 64);
    for simple in script.simple_commands() {
        assert!(text.get(simple.span.start..simple.span.end).is_some());
        for word in &simple.words {
            assert!(text.get(word.span.start..word.span.end).is_some());
            let _ = word.static_text(script.text());
        }
    }
});
