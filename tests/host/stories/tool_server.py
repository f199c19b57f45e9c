"""The host starts the tool server that the installer registered, tells its model of every tool and calls one."""

import json

from model import call
from proof import shows

TOOLS = [
    "check_context_health",
    "get_installation_status",
    "query_transcript",
    "read_transcript",
    "subagent_brief",
    "sync_installation",
]


def play(world):
    world.install()
    world.play(session(world), prompt="The user's wish")


def session(world):
    shown = yield call("call_mcp_tool", ServerName="execution-guard", ToolName="read_transcript", Arguments={"lastTurns": 1})
    shows(shown, "## Step 0, user", "> The user's wish")
    shows(json.dumps(world.model.requests[0]["messages"]), *TOOLS)
    schemas = {file.stem: json.loads(file.read_text()) for file in world.home.rglob("mcp/execution-guard/*.json")}
    assert TOOLS == sorted(schemas), sorted(schemas)
