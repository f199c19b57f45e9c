#!/bin/sh
# Runs every fuzz target for so many seconds each: `sh fuzz/run.sh [SECONDS]`. Needs a nightly compiler and `cargo install cargo-fuzz`.
set -eu
cd "$(dirname "$0")/.."
for target in parse effects rewrite call transcript; do
    mkdir -p "fuzz/corpus/$target"
    case $target in
        call) split -l 1 -a 3 tests/data/pre_tool_use.jsonl "fuzz/corpus/$target/recorded-" ;;
        transcript) cp transcript/tests/captures/*.jsonl "fuzz/corpus/$target/" ;;
        *) split -l 1 -a 4 shell/tests/data/accepted.txt "fuzz/corpus/$target/accepted-" ;;
    esac
    cargo +nightly fuzz run --fuzz-dir fuzz "$target" -- -max_total_time="${1:-60}" -timeout=10 -rss_limit_mb=2048 -print_final_stats=1
done
