//! `fuzz/run.sh`, call: any bytes are read as a call or refused, and the answer is one JSON object with a decision.
#![no_main]

use execution_guard::hook::without_call;
use execution_guard::hosts::{self, Incoming};
use execution_guard::input::Ended;
use execution_guard::verdict::{PassThrough, Verdict};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let incoming = hosts::read(bytes);
    let verdict = match &incoming {
        Incoming::Governed(call) => {
            let _ = call.tool();
            Verdict::allow()
        }
        _ => without_call(&incoming, Ended::Complete),
    };
    let text = hosts::write(&incoming, &verdict, PassThrough::Ask);
    let answer: serde_json::Value = serde_json::from_str(&text).expect("one JSON value");
    let decision = answer["decision"].as_str();
    assert!(
        matches!(decision, Some("allow" | "deny" | "ask")) || incoming == Incoming::PostSandbox,
        "{text}"
    );
});
