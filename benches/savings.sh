#!/bin/sh
# What the guard saves: plays the calls of savings/calls.jsonl on the real host, with and without it, and prints what
# the model was shown. Some minutes. `sh benches/savings.sh`
# Needs rtk, the host (see tests/run.sh, which gets both) and this repository's history.
set -eu
cd "$(dirname "$0")/.."

python=${EXECUTION_GUARD_TEST_PYTHON:-target/test-tools/bin/python}
rtk=${EXECUTION_GUARD_TEST_RTK:-target/test-tools/bin/rtk}
for tool in "$python" "$rtk"; do
    [ -x "$tool" ] || { echo "savings.sh: no $tool: run \"sh tests/run.sh\", which gets it" >&2; exit 1; }
done
# Unoptimised: what is shown is the same, and the tests have built it.
cargo build --quiet --locked --bin execution-guard --bin execution-guard-cli
built="$(cargo metadata --format-version 1 --no-deps | sed 's/.*"target_directory":"\([^"]*\)".*/\1/')/debug"
# The real one: rustup's looks for its toolchains in the home, and each run has a home of its own.
CARGO="$(rustc --print sysroot)/bin/cargo"
export CARGO
exec "$python" -B benches/savings/measure.py "$built" "$rtk"
