//! What a page of the last turns and a search of 500 MB cost, with the file in the page cache.

#![allow(missing_docs)] // The macros of criterion make undocumented functions.

#[path = "../tests/common/mod.rs"]
mod common;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use guard_transcript::reading::{
    Conversations, HealthRequest, Meaning, QueryRequest, ReadRequest, Route, StepRequest, health,
    query, read, step,
};
use std::hint::black_box;
use std::time::Duration;

const BYTES: usize = 500_000_000;

fn reading(criterion: &mut Criterion) {
    let home = tempfile::tempdir().unwrap();
    let logs = home
        .path()
        .join(".gemini/antigravity/brain/c/.system_generated/logs");
    std::fs::create_dir_all(&logs).unwrap();
    let (text, next) = common::long(BYTES);
    std::fs::write(logs.join("transcript.jsonl"), &text).unwrap();
    let size = text.len() as u64;
    drop(text);
    let conversation = Conversations::new(home.path()).find(Some("c")).unwrap();

    let mut group = criterion.benchmark_group("500 MB");
    group
        .sample_size(10)
        .measurement_time(Duration::from_secs(5));
    group.bench_function("last three turns", |bencher| {
        let request = ReadRequest::new(Route::Tools);
        bencher.iter(|| black_box(read(&conversation, &request).unwrap()))
    });
    group.bench_function("one step in the middle", |bencher| {
        let request = StepRequest {
            step: next / 2,
            field: None,
            offset: 0,
            max_bytes: 16 * 1024,
            route: Route::Tools,
        };
        bencher.iter(|| black_box(step(&conversation, &request).unwrap()))
    });
    group.throughput(Throughput::Bytes(size));
    for (name, wanted, meaning) in [
        ("text that is nowhere", "zebra crossing", Meaning::Text),
        ("text in one record of 400", "go on", Meaning::Text),
        (
            "a pattern that begins with a word",
            "zebra.*crossing",
            Meaning::Pattern,
        ),
        ("any other pattern", "[a-z]+ zebra", Meaning::Pattern),
    ] {
        group.bench_function(name, |bencher| {
            let mut request = QueryRequest::new(Some(wanted.to_owned()), Route::Tools);
            request.meaning = meaning;
            bencher.iter(|| black_box(query(&conversation, &request).unwrap()))
        });
    }
    group.bench_function("health", |bencher| {
        let request = HealthRequest::new(Route::Tools);
        bencher.iter(|| black_box(health(&conversation, &request).unwrap()))
    });
    group.finish();
}

criterion_group!(benches, reading);
criterion_main!(benches);
