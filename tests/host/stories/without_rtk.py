"""A session on a machine without rtk: rewriting and routing are off, everything else is on."""

from model import DENIED, call, run
from proof import same, shows

RTK = False


def play(world):
    world.file("notes.txt", "".join(f"note {number}\n" for number in range(500)))
    world.file("benchmarks/score.py", "score = 0\n")
    world.repository()
    world.install()
    world.play(session(world))


def session(world):
    shown = yield run("git status")
    shows(shown, "nothing to commit, working tree clean")
    same(world.changes(), {"WaitMsBeforeAsync": 10000})
    shown = yield call("view_file", AbsolutePath=str(world.file("notes.txt")))
    shows(shown, "1: note 0\n", "500: note 499\n")
    shown = yield call("grep_search", SearchPath=str(world.workspace), Query="note 77", MatchPerLine=True)
    shows(shown, "notes.txt", "note 77")
    shown = yield call("list_dir", DirectoryPath=str(world.workspace))
    shows(shown, "benchmarks")

    shown = yield run(f"cat {world.brain}/.system_generated/logs/transcript.jsonl")
    shows(shown, DENIED, "transcript read")
    shown = yield run("rm benchmarks/score.py")
    shows(shown, DENIED, "Only the user can allow that")
    assert world.file("benchmarks/score.py").exists()

    shows((yield run("execution-guard status")), "rtk")
