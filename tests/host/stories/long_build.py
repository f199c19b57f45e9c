"""A long build that detaches, is polled too early, trips the breaker, ends, and whose log is then read.

This host offers `manage_task` to no hook, so the agent polls as it can: by the log, and by waiting in the shell.
The hook is registered twice, for the user and for the workspace, and still counts each call once.
"""

from model import DENIED, call, end_turn, run
from proof import hides, same, shows

BUILD = """\
echo Building
until test -e finished; do sleep 0.1; done
echo Built
"""


def play(world):
    world.file("build.sh", BUILD)
    world.install()
    world.install("--workspace", world.workspace)
    world.play(session(world))


def session(world):
    shown = yield run("sh build.sh")
    shows(shown, "Tool is running as a background task")
    (log,) = (world.brain / ".system_generated/tasks").iterdir()
    wait, look = run("sleep 0.1"), run(f"tail -n 20 {log}")

    shown = yield wait
    shows(shown, "exited with code 0")
    yield from strikes(look, call("view_file", AbsolutePath=str(log)), run(f"sleep 3; cat {log}"), wait)

    # There is no dialog here: what would open one is refused with the same words, and stays refused.
    shown = yield wait
    shows(shown, DENIED, "5 premature checks", "End your turn now")
    same(world.decision(), "force_ask")
    same(outcome(world), "ERROR")
    shown = yield wait
    shows(shown, DENIED, "the user has declined it")
    same(world.decision(), "deny")

    # Whoever asks gets an answer. This time the user approves the dialog, and the count starts anew.
    yield end_turn(then_user_says="Is it done?")
    shows((yield wait), "exited with code 0")
    yield from strikes(look, look, look, look)
    world.user_approves = True
    shown = yield wait
    shows(shown, "exited with code 0")
    same(world.decision(), "force_ask")
    same(outcome(world), "DONE")
    yield from strikes(look)

    world.file("finished", "")
    shown = yield end_turn()
    shows(shown, "<SYSTEM_MESSAGE>", "finished with result")
    shown = yield run(f"cat {log}")
    shows(shown, "Building", "Built")
    same(world.changes().get("CommandLine"), f"rtk read {log}")


def strikes(*polls):
    """Each of `polls` is refused, and counted as one."""
    for number, poll in enumerate(polls, 1):
        shown = yield poll
        shows(shown, DENIED, f"(strike {number} of 5)", "End your turn now")
        hides(shown, "Building")


def outcome(world):
    """What became of the last call, as the transcript has it."""
    step = max(record["step_index"] for record in world.records() if record["type"] == "PLANNER_RESPONSE") + 1
    (record,) = (record for record in world.records() if record["step_index"] == step)
    return record["status"]
