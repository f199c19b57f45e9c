//! What one line costs in the process of the hook: reading it and finding its rtk form.
//!
//! ```text
//! cargo bench -p guard-rtk --bench rewrite
//! ```

use std::hint::black_box;
use std::path::Path;

use criterion::{Criterion, criterion_group, criterion_main};
use guard_rtk::rewrite::{FileKind, Machine, Surroundings, rewrite_line};

/// No disk: only the work on the text is measured.
struct Nowhere;

impl Machine for Nowhere {
    fn kind(&self, _: &Path) -> FileKind {
        FileKind::Unknown
    }

    fn has_program(&self, _: &str) -> bool {
        false
    }

    fn home(&self) -> Option<&Path> {
        None
    }
}

/// The line of the corpus with the most bytes, and the rewritten one with the most edits.
fn heaviest() -> (String, String) {
    let corpus = include_str!("../tests/data/corpus.jsonl");
    let records: Vec<serde_json::Value> = corpus
        .lines()
        .map(|line| serde_json::from_str(line).expect("a record of the corpus"))
        .collect();
    let text =
        |record: &serde_json::Value, key: &str| record[key].as_str().unwrap_or("").to_owned();
    let longest = records
        .iter()
        .map(|record| text(record, "line"))
        .max_by_key(String::len)
        .expect("a line");
    let busiest = records
        .iter()
        .max_by_key(|record| text(record, "ours").matches("rtk ").count())
        .map(|record| text(record, "line"))
        .expect("a line");
    (longest, busiest)
}

fn rewrite(criterion: &mut Criterion) {
    let surroundings = Surroundings {
        machine: &Nowhere,
        rtk: "rtk",
        windows: false,
    };
    let (longest, busiest) = heaviest();
    let many =
        vec!["cd src && git log -5 --oneline -- 'a b' && npm run build 2>&1"; 500].join("; ");
    let lines = [
        ("git status", "git status".to_owned()),
        ("the longest of the corpus", longest),
        ("the most edits of the corpus", busiest),
        ("fifteen hundred commands", many),
    ];
    for (name, line) in &lines {
        criterion.bench_function(&format!("{name}, {} bytes", line.len()), |bencher| {
            bencher.iter(|| rewrite_line(&guard_shell::parse(black_box(line)), &surroundings));
        });
    }
}

criterion_group!(benches, rewrite);
criterion_main!(benches);
