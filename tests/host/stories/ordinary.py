"""An ordinary session: git, tests, a pipe, a redirect, a search, an edit after a bounded view."""

from model import DENIED, call, obeying, printed_commands, run
from proof import hides, same, shows

LIB = """\
//! A crate to work on.

/// Adds.
pub fn add(left: u64, right: u64) -> u64 {
    left - right
}

#[test]
fn it_adds() {
    assert_eq!(add(2, 0), 2);
}
"""


def play(world):
    world.file("Cargo.toml", '[package]\nname = "sums"\nversion = "0.1.0"\nedition = "2021"\n')
    world.file("notes.txt", "".join(f"note {number}\n" for number in range(500)))
    world.file("long.txt", "".join(f"line {number}\n" for number in range(2000)))
    world.file("src/lib.rs", LIB)
    world.repository()
    world.install()
    world.play(session(world))


def session(world):
    shown = yield run("git status")
    shows(shown, "clean")
    hides(shown, "nothing to commit, working tree clean")
    same(world.changes().get("CommandLine"), "rtk git status")

    # It takes longer than the half second the model would wait, and still ends in one call.
    shown = yield run("cargo test")
    shows(shown, "exited with code 0", "1 passed")
    hides(shown, "background task", "Compiling sums")

    # What is piped on or written to a file is what git says, not what rtk makes of it.
    shown = yield run("git show --stat HEAD | grep -c 'src/lib.rs'")
    shows(shown, "exited with code 0", "Output:\n1")
    same(world.changes().get("CommandLine"), None)
    yield run("git show HEAD > shown.txt")
    same(world.file("shown.txt").read_text(), world.sh("git show HEAD"))

    found = yield from obeying(call("grep_search", SearchPath=str(world.workspace), Query="left - right", MatchPerLine=True))
    shows(found, "src/lib.rs", "left - right")
    read = yield from obeying(call("view_file", AbsolutePath=str(world.file("notes.txt"))))
    shows(read, "note 0\n", "note 499\n")

    # The host keeps the end of what a command prints: the refusal says so, and ranges show the beginning.
    long = str(world.file("long.txt"))
    shown = yield call("view_file", AbsolutePath=long)
    shows(shown, DENIED, "the last 8 KB", "view in such ranges")
    (read,) = printed_commands(shown)
    shown = yield run(read)
    shows(shown, "truncated", "line 1999\n")
    hides(shown, "line 0\n", "line 800\n")
    shows((yield call("view_file", AbsolutePath=long, StartLine=1, EndLine=150)), "line 0\n", "line 149\n")

    shown = yield call("view_file", AbsolutePath=str(world.file("src/lib.rs")), StartLine=4, EndLine=6)
    shows(shown, "5:     left - right\n")
    hides(shown, "it_adds")
    shown = yield call(
        "replace_file_content",
        TargetFile=str(world.file("src/lib.rs")),
        StartLine=5,
        EndLine=5,
        TargetContent="left - right",
        ReplacementContent="left + right",
        AllowMultiple=False,
        Instruction="Add.",
        Description="Adds instead of taking away",
    )
    same(world.file("src/lib.rs").read_text(), LIB.replace("left - right", "left + right"))
    shows((yield run("git diff")), "left + right")
