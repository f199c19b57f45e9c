#!/bin/sh
# Builds the release binary and an empty one with the same profile and times both as whole
# processes. `sh benches/run.sh [--short]`
set -eu
cd "$(dirname "$0")/.."

arch=$(uname -m)
target="$arch-unknown-linux-musl"
if [ "$(uname -s)" != Linux ] || ! rustc --print target-libdir --target "$target" 2>/dev/null | xargs test -d; then
    target=$(rustc -vV | sed -n 's/^host: //p')
fi
cargo build --quiet --release --target "$target" --package execution-guard --package empty-process \
    --bin execution-guard --bin empty-process --bin replace-file
built="$(cargo metadata --format-version 1 --no-deps | sed 's/.*"target_directory":"\([^"]*\)".*/\1/')/$target/release"
export GUARD_BINARY="$built/execution-guard" EMPTY_BINARY="$built/empty-process" REPLACE_FILE_BINARY="$built/replace-file"
exec cargo bench --quiet --bench process -- "$@"
