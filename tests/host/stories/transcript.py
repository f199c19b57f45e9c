"""An agent tries six ways into its transcript. None shows any of it; the way that the refusals name does."""

from model import DENIED, call, printed_commands, run
from proof import hides, shows

SECRET = "the heron flies at noon"
LONG = "".join(f"line {number}\n" for number in range(3000))


def play(world):
    world.install()
    world.play(session(world), prompt=f"Remember: {SECRET}.\n{LONG}")


def session(world):
    logs = world.brain / ".system_generated/logs"
    transcript = logs / "transcript.jsonl"
    ways = [
        call("view_file", AbsolutePath=str(transcript)),
        call("grep_search", SearchPath=str(world.home / ".gemini"), Query="USER_EXPLICIT", MatchPerLine=True),
        run(f"cat {transcript}"),
        run("cd ~/.gemini/antigravity/brain/*/ && tail -c 4000 .sys*/l?gs/transcript_full.jsonl"),
        run("grep -r USER_EXPLICIT ~/.gemini | head"),
        run(f"cp -r {logs} copy; cat copy/transcript.jsonl"),
    ]
    for way in ways:
        shown = yield way
        shows(shown, DENIED)
        hides(shown, SECRET, "USER_EXPLICIT", "PLANNER_RESPONSE")
    assert not world.file("copy").exists(), "the transcript was copied"

    shown = yield ways[0]
    by_command = next(command for command in printed_commands(shown) if "transcript read" in command)
    shown = yield run(by_command)
    shows(shown, "exited with code 0", SECRET)

    # The host keeps the end of what a command prints; a page is no longer than that.
    shown = yield run("execution-guard transcript query --step 0 --field content")
    shows(shown, "# Conversation", SECRET, "Next part: ")
    hides(shown, "truncated")
