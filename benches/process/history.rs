//! The measurements of this and of earlier runs, one JSON line a run.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::PathBuf;
use std::process::Command;

use serde_json::{Value, json};

use crate::runs::Times;

/// What is measured in this run, and what was in the last one of its kind.
pub struct History {
    file: PathBuf,
    short: bool,
    rows: Vec<Value>,
    last: Option<Value>,
}

impl History {
    /// In `BENCHMARK_HISTORY`, else `target/benchmark/process.jsonl`.
    pub fn open(short: bool) -> Self {
        let file = std::env::var_os("BENCHMARK_HISTORY").map_or_else(
            || {
                PathBuf::from(concat!(
                    env!("CARGO_MANIFEST_DIR"),
                    "/target/benchmark/process.jsonl"
                ))
            },
            PathBuf::from,
        );
        let text = fs::read_to_string(&file).unwrap_or_default();
        let mut runs = text
            .lines()
            .filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let last = runs.rfind(|run| run["short"] == json!(short));
        Self {
            file,
            short,
            rows: Vec::new(),
            last,
        }
    }

    /// The ratio of a row in the last run.
    pub fn before(&self, name: &str) -> Option<f64> {
        let rows = self.last.as_ref()?["rows"].as_array()?;
        rows.iter().find(|row| row["name"] == json!(name))?["ratio"].as_f64()
    }

    /// Adds a row.
    pub fn add(&mut self, table: &str, name: &str, times: &Times, floor: Option<&Times>) {
        self.rows.push(json!({
            "table": table, "name": name, "median_ms": times.ms(50), "p95_ms": times.ms(95), "p99_ms": times.ms(99),
            "floor_ms": floor.map(|floor| floor.ms(50)), "ratio": floor.map(|floor| times.ratio(floor)),
        }));
    }

    /// Writes the run.
    pub fn close(self) {
        let commit = Command::new("git")
            .args(["rev-parse", "--short", "HEAD"])
            .output();
        let commit = commit.map_or(String::new(), |output| {
            String::from_utf8_lossy(&output.stdout).trim().to_owned()
        });
        let run = json!({
            "time": chrono::Utc::now().to_rfc3339_opts(chrono::SecondsFormat::Secs, true),
            "commit": commit, "short": self.short, "rows": self.rows,
        });
        fs::create_dir_all(self.file.parent().unwrap()).unwrap();
        let mut file = OpenOptions::new()
            .create(true)
            .append(true)
            .open(&self.file)
            .unwrap();
        writeln!(file, "{run}").unwrap();
        println!("\nKept in {}", self.file.display());
    }
}
