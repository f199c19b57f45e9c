#!/bin/sh
# What the guard saves: plays the calls of savings/calls.jsonl on the real host, with and without it, and prints what
# the model was shown. Some minutes. `sh benches/savings.sh`
# Needs rtk, the host (see tests/run.sh, which gets both) and this repository's history.
set -eu
cd "$(dirname "$0")/.."

tools=target/test-tools/bin
# Unoptimised: what is shown is the same, and the tests have built it.
cargo build --quiet --locked --bin execution-guard --bin execution-guard-cli
built="$(cargo metadata --format-version 1 --no-deps | sed 's/.*"target_directory":"\([^"]*\)".*/\1/')/debug"
exec "${EXECUTION_GUARD_TEST_PYTHON:-$tools/python}" -B benches/savings/measure.py "$built" "${EXECUTION_GUARD_TEST_RTK:-$PWD/$tools/rtk}"
