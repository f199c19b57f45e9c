#!/bin/sh
# Runs every fuzz target for so many seconds each: `sh fuzz/run.sh [SECONDS [SEED]]`. The instrumentation is what `cargo fuzz` asks
# for, without the address sanitizer, which needs a nightly compiler and finds nothing where `unsafe` is forbidden. What is
# found lies in `target/fuzz/artifacts`; run the target with its path to see it again.
set -eu
cd "$(dirname "$0")/.."

passes="-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 -Cllvm-args=-sanitizer-coverage-inline-8bit-counters"
passes="$passes -Cllvm-args=-sanitizer-coverage-pc-table -Cllvm-args=-sanitizer-coverage-trace-compares"
host=$(rustc -vV | sed -n 's/^host: //p')
built=target/fuzz
# For the target alone: build scripts and procedural macros have nothing that counts.
RUSTFLAGS="--cfg fuzzing $passes" CARGO_TARGET_DIR="$built" \
    cargo build --quiet --release --locked --manifest-path fuzz/Cargo.toml --target "$host"

for target in parse effects rewrite call transcript; do
    corpus="$built/corpus/$target" artifacts="$built/artifacts/$target"
    mkdir -p "$corpus" "$artifacts"
    case $target in
        call) split -l 1 -a 3 tests/data/pre_tool_use.jsonl "$corpus/recorded-" ;;
        transcript) cp transcript/tests/captures/*.jsonl "$corpus/" ;;
        *) split -l 1 -a 4 shell/tests/data/accepted.txt "$corpus/accepted-" ;;
    esac
    log="$artifacts/log"
    if ! "$built/$host/release/$target" "$corpus" -artifact_prefix="$artifacts/" -max_total_time="${1:-60}" -seed="${2:-0}" \
        -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 >"$log" 2>&1; then
        tail -n 40 "$log" >&2
        exit 1
    fi
    printf '%-12s %s\n' "$target" "$(sed -n 's/^Done \([0-9]* runs\).*/\1/p' "$log") without a fault"
done
