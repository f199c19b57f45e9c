//! What one polling call pays for a transcript of 1, 50 and 500 MB that is in the page cache.

#![allow(missing_docs)] // The macros of criterion make undocumented functions.

#[path = "../tests/common/mod.rs"]
mod common;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use guard_transcript::{Query, read_facts};
use std::hint::black_box;
use std::time::Duration;

fn facts(criterion: &mut Criterion) {
    let folder = tempfile::tempdir().unwrap();
    let mut group = criterion.benchmark_group("facts");
    group
        .sample_size(20)
        .measurement_time(Duration::from_secs(3));
    for megabytes in [1, 50, 500] {
        let (text, next) = common::long(megabytes * 1_000_000);
        let path = folder.path().join("transcript.jsonl");
        std::fs::write(&path, text).unwrap();
        let outcomes = [next - 3];
        let near = Query {
            conversation: Some(common::CONVERSATION),
            outcomes: &outcomes,
            from_step: next - 3,
            ..Query::default()
        };
        let running = Query {
            running: true,
            ..near
        };
        let early_task = Query {
            task: Some(41),
            ..near
        };
        for (name, query) in [
            ("near the end", near),
            ("running commands", running),
            ("an early task", early_task),
        ] {
            let read = read_facts(&path, &query).unwrap().bytes_read;
            let id = BenchmarkId::new(name, format!("{megabytes} MB, {} KB read", read / 1000));
            group.bench_function(id, |bencher| {
                bencher.iter(|| black_box(read_facts(&path, &query).unwrap()))
            });
        }
    }
    group.finish();
}

criterion_group!(benches, facts);
criterion_main!(benches);
