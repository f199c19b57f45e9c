# Only npx: the tools themselves are not on the PATH.
set -e
mkdir -p work/src programs
cat > programs/npx <<'S'
#!/bin/sh
{ printf '%s\037' "${0##*/}"; for word in "$@"; do printf '%s\037' "$word"; done; printf '\n'; } >> "$STAND_IN_LOG"
exit "$STAND_IN_STATUS"
S
chmod +x programs/npx
