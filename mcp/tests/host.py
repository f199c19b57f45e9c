"""Gives the server to the real host (PyPI google-antigravity) and has a scripted model call one of its tools.

Arguments: the server's path, a working folder. Prints what the host told the model, as one line of JSON.
"""

import asyncio
import http.server
import json
import os
import pathlib
import sys
import threading

server, work = sys.argv[1], pathlib.Path(sys.argv[2])
home, workspace = work / "home", work / "workspace"
home.mkdir()
workspace.mkdir()
os.environ["HOME"] = str(home)

# The host reads HOME when it is imported.
from google.antigravity import Agent, types  # noqa: E402
from google.antigravity.connections.local.local_openai_connection_config import (  # noqa: E402
    LocalOpenAIAgentConfig,
)
from google.antigravity.hooks import policy  # noqa: E402

CALL = {
    "ServerName": "execution-guard",
    "ToolName": "read_transcript",
    "Arguments": {"lastTurns": 1},
    "toolAction": "Reading",
    "toolSummary": "The last turn",
}
SCRIPT = [
    {"tool_calls": [{"index": 0, "id": "call_0", "type": "function", "function": {"name": "call_mcp_tool", "arguments": json.dumps(CALL)}}]},
    {"content": "done"},
]
requests = []


class Model(http.server.BaseHTTPRequestHandler):
    """An OpenAI-compatible model that says what the script says."""

    def log_message(self, *_):
        pass

    def do_GET(self):
        self.answer("application/json", json.dumps({"object": "list", "data": [{"id": "scripted", "object": "model"}]}))

    def do_POST(self):
        requests.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        step = SCRIPT[min(len(requests), len(SCRIPT)) - 1]
        delta = {"role": "assistant", "content": "", **step}
        reason = "tool_calls" if "tool_calls" in step else "stop"
        parts = [{"delta": delta, "finish_reason": None}, {"delta": {}, "finish_reason": reason}]
        lines = [
            json.dumps({"id": "x", "object": "chat.completion.chunk", "model": "scripted", "choices": [{"index": 0, **part}]})
            for part in parts
        ]
        self.answer("text/event-stream", "".join(f"data: {line}\n\n" for line in [*lines, "[DONE]"]))

    def answer(self, kind, text):
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(text.encode())))
        self.end_headers()
        self.wfile.write(text.encode())


model = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Model)
threading.Thread(target=model.serve_forever, daemon=True).start()


async def main():
    config = LocalOpenAIAgentConfig(
        model="scripted",
        base_url=f"http://127.0.0.1:{model.server_address[1]}/v1",
        workspaces=[str(workspace)],
        policies=[policy.allow_all()],
        capabilities=types.CapabilitiesConfig(mcp=True),
        mcp_servers=[types.McpStdioServer(name="execution-guard", command=server, args=[])],
    )
    async with Agent(config) as agent:
        reply = await agent.chat("the user's wish")
        await reply.text()


asyncio.run(asyncio.wait_for(main(), 100))
told = [message for message in requests[-1]["messages"] if message["role"] == "tool"]
system = [message for message in requests[0]["messages"] if message["role"] == "system"]
schemas = {path.stem: json.loads(path.read_text()) for path in home.rglob("mcp/execution-guard/*.json")}
print(json.dumps({"system": json.dumps(system), "result": told[-1]["content"], "schemas": schemas}))
