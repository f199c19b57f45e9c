"""Two other hooks run beside ours: one of the user's own, and rtk's. The host asks one after another."""

import json

from model import DENIED, call, run
from proof import same, shows

# It writes down each call, refuses pushes and changes one command.
OWN = """\
call=$(cat)
printf '%s\\n' "$call" >> "$HOME/calls.jsonl"
case $call in
    *'git push'*) echo '{"decision":"deny","reason":"No pushes on Fridays."}' ;;
    *'"echo hello"'*) echo '{"decision":"allow","overwrite":{"CommandLine":"git status"}}' ;;
    *) echo '{"decision":"allow"}' ;;
esac
"""
HOOKS = """\
{
  "own": {"PreToolUse": [{"matcher": "*", "hooks": [{"command": "sh ~/own.sh"}]}]}
}
"""


def play(world):
    world.file("notes.txt", "".join(f"note {number}\n" for number in range(500)))
    world.repository()
    (world.home / "own.sh").write_text(OWN)
    hooks = world.home / ".gemini/config/hooks.json"
    hooks.parent.mkdir(parents=True)
    hooks.write_text(HOOKS)
    world.sh("rtk init -g --agent antigravity")
    world.install()
    world.play(session(world))
    world.sh("execution-guard uninstall")
    same(hooks.read_text(), HOOKS)


def session(world):
    # All allow: the first to change the command is ours or theirs, and the next leaves the rtk form alone.
    shown = yield run("git status")
    shows(shown, "clean")
    same(asked(world), {"own": "allow", "execution-guard": "allow", "rtk-rewrite": "allow"})

    # A change by one is judged by the next.
    shown = yield run("echo hello")
    shows(shown, "clean")
    same(world.changes().get("CommandLine"), "rtk git status")

    # One refusal is enough, whoever refuses.
    shown = yield run("git push")
    shows(shown, DENIED, "No pushes on Fridays.")
    same(asked(world), {"own": "deny"})
    shown = yield run(f"cat {world.brain}/.system_generated/logs/transcript.jsonl")
    shows(shown, DENIED, "transcript read")
    same(asked(world), {"own": "allow", "execution-guard": "deny"})
    shown = yield call("view_file", AbsolutePath=str(world.file("notes.txt")))
    shows(shown, DENIED, "rtk read")

    calls = [json.loads(line)["toolCall"]["name"] for line in (world.home / "calls.jsonl").read_text().splitlines()]
    same(calls, [*["run_command"] * 4, "view_file"])


def asked(world):
    return {answer["hook"]: answer["decision"] for answer in world.answers_to_last()}
