"""Plays calls.jsonl on the real host, with and without the guard, and prints what the model was shown.

`measure.py FOLDER-WITH-OUR-PROGRAMS RTK`
"""

import collections
import json
import multiprocessing
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
REPOSITORY = HERE.parent.parent
sys.path.insert(0, str(REPOSITORY / "tests/host"))

from model import DENIED, call, end_turn, obeying, run  # noqa: E402
from world import World  # noqa: E402

# The repository as it is worked on: at this commit, whatever became of it since.
COMMIT = "210f0dc7429bddeded6c94d8bb6bac2b2fad0394"
# No tokenizer of the host's models is public. Four bytes a token is the usual estimate for English and code.
BYTES_PER_TOKEN = 4
# The host keeps the last 8 KB of what a command prints, and 800 lines of a file that it shows itself.
CUT = re.compile(r"^<truncated .*>$", re.MULTILINE)
MOST_VIEWED = 800
# The longest range that the guard allows.
BOUNDED = 150
POLLING = "polling"
DETACHED = re.compile(r"^Tool is running as a background task", re.MULTILINE)


class Spent:
    """What a kind of calls cost: how many there were, and bytes shown to the model for them."""

    def __init__(self):
        self.calls = self.shown = 0


def session(world, lines, spent):
    """A model that makes each call, does what refusals say, and is impatient with what detaches."""
    for number, line in enumerate(lines, 1):
        arguments = filled(line["args"], world)
        shown = yield from counted(spent[line["kind"]], to_the_end(call(line["tool"], **arguments)))
        if DETACHED.search(shown):
            yield from counted(spent[POLLING], impatient(shown))
        total = sum(of.shown for of in spent.values())
        print(f"{number} of {len(lines)}, {total:,} bytes shown so far: {line['kind']}, {line['why']}", file=sys.stderr)


def to_the_end(action):
    """Does what a refusal says. A model that wanted a whole file then views what the host has cut off, range by range."""
    shown = yield from obeying(action)
    kept = CUT.split(shown, maxsplit=1)[1:]
    if not kept or action["tool"] != "view_file" or "StartLine" in action["arguments"]:
        return shown
    path = action["arguments"]["AbsolutePath"]
    if path.endswith("transcript.jsonl"):
        return shown
    lines = pathlib.Path(path).read_text().count("\n")
    missing = min(lines - len(kept[0].strip().splitlines()), MOST_VIEWED)
    for start in range(1, missing + 1, BOUNDED):
        shown = yield call("view_file", AbsolutePath=path, StartLine=start, EndLine=min(start + BOUNDED - 1, missing))
    return shown


def counted(spent, actions):
    shown = None
    while True:
        try:
            action = actions.send(shown)
        except StopIteration as over:
            return over.value
        shown = yield action
        spent.calls += "tool" in action
        spent.shown += len(shown.encode())


def impatient(shown):
    """Looks at the log every five seconds until the task has ended, or it is told to end its turn."""
    log = re.search(r"file://(\S+\.log)", shown)[1]
    look = run(f"sleep 5; tail -n 20 {log}", WaitMsBeforeAsync=10000)
    while "finished with result" not in shown:
        shown = yield (end_turn() if DENIED in shown else look)


def filled(arguments, world):
    names = {
        "workspace": world.workspace,
        "transcript": world.brain / ".system_generated/logs/transcript.jsonl",
        "first_line": world.file("scan/src/lib.rs").read_text().splitlines()[0],
    }

    def fill(value):
        return re.sub(r"\{(\w+)\}", lambda name: str(names[name[1]]), value) if isinstance(value, str) else value

    return {key: fill(value) for key, value in arguments.items()}


def measure(is_governed, programs, rtk, lines):
    """One run, in a process of its own: the host reads the home when it is imported."""
    registry = pathlib.Path(os.environ.get("CARGO_HOME") or pathlib.Path.home() / ".cargo") / "registry"
    with tempfile.TemporaryDirectory() as root:
        world = World(root, programs, rtk)
        checked_out(world)
        # Downloaded crates; the rest of the cargo home, rustup's programs above all, stays out.
        (world.home / ".cargo").mkdir()
        (world.home / ".cargo/registry").symlink_to(registry)
        os.environ["CARGO_NET_OFFLINE"] = "true"
        if is_governed:
            world.install()
        spent = collections.defaultdict(Spent)
        world.play(session(world, lines, spent), patience=900)
        if is_governed:
            world.every_call_was_judged()
        return {kind: (of.calls, of.shown) for kind, of in spent.items()}


def checked_out(world):
    world.sh(f"git clone --quiet '{REPOSITORY}' . && git checkout --quiet -B main {COMMIT}")
    world.sh("git config user.name N && git config user.email n@example.org")


def table(lines, without, governed):
    kinds = list(dict.fromkeys([*(line["kind"] for line in lines), POLLING]))
    rows = [[kind, *without.get(kind, (0, 0)), *governed.get(kind, (0, 0))] for kind in kinds]
    rows.append(["all", *(sum(column) for column in list(zip(*rows))[1:])])
    print("| calls of | calls | bytes shown | with the guard: calls | bytes shown | tokens saved |")
    print("|---|---:|---:|---:|---:|---:|")
    for kind, calls, shown, governed_calls, governed_shown in rows:
        saved = shown - governed_shown
        share = f" ({saved / shown:.0%})" if shown else ""
        print(f"| {kind} | {calls} | {shown:,} | {governed_calls} | {governed_shown:,} | {saved // BYTES_PER_TOKEN:,}{share} |")


def main():
    programs, rtk = (str(pathlib.Path(path).resolve()) for path in sys.argv[1:])
    known = subprocess.run(["git", "cat-file", "-e", f"{COMMIT}^{{commit}}"], cwd=REPOSITORY, capture_output=True)
    if known.returncode:
        sys.exit(f"measure.py: this repository has no commit {COMMIT}: get its history with \"git fetch --unshallow\"")
    lines = [json.loads(line) for line in (HERE / "calls.jsonl").read_text().splitlines()]
    runs = []
    for is_governed in (False, True):
        with multiprocessing.Pool(1) as process:
            runs.append(process.apply(measure, (is_governed, programs, rtk, lines)))
    table(lines, *runs)
    looks, governed_looks = (run.get(POLLING, (0, 0))[0] for run in runs)
    print(f"\nLooks at running tasks: {looks} without the guard, {governed_looks} with it.")


if __name__ == "__main__":
    main()
