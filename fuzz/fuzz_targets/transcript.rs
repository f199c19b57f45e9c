//! `fuzz/run.sh`, transcript: any bytes are a transcript, read within the limits and without trust.
#![no_main]

use std::io::Cursor;

use guard_transcript::{Limits, Query, Source, facts_from};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let limits = Limits {
        window: 4096,
        launch_region: 1024,
        step_region: 512,
    };
    for query in [
        Query {
            running: true,
            ..Query::default()
        },
        Query {
            task: Some(18),
            outcomes: &[4, 20],
            from_step: 20,
            ..Query::default()
        },
    ] {
        let mut source = Source::new(Cursor::new(bytes), bytes.len() as u64);
        let facts = facts_from(&mut source, &query, &limits).expect("memory can be read");
        assert!(facts.running.len() <= 64);
    }
});
