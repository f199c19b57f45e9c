"""A model on loopback that says what a story says.

A story is a generator: it yields what the model does next and is sent what the host shows the model for it.
Its assertions are made on that.
"""

import http.server
import json
import queue
import re
import threading

# How the host begins what it shows the model for a call that a hook denied.
DENIED = "denied by pre-tool hook: "


def call(tool, **arguments):
    """The model calls a tool."""
    arguments = {"toolAction": "Working", "toolSummary": "A step", **arguments}
    return {"tool": tool, "arguments": arguments}


def run(command, **arguments):
    """The model runs a shell command, as impatient as models are."""
    return call("run_command", CommandLine=command, **{"WaitMsBeforeAsync": 500, **arguments})


def end_turn(then_user_says=None):
    """The model ends its turn. It goes on when the host wakes it or, given a prompt, the user speaks."""
    return {"text": "I end my turn.", "prompt": then_user_says}


def printed_commands(shown):
    """The commands in a refusal: alone on a line, indented by four blanks."""
    return re.findall(r"^    (\S.*)$", shown, re.MULTILINE)


def obeying(action):
    """Does `action`; where it is refused with commands to run instead, runs the first."""
    shown = yield action
    commands = printed_commands(shown) if DENIED in shown else []
    return (yield run(commands[0])) if commands else shown


class Model:
    """Serves one story in the form of an OpenAI-compatible endpoint."""

    def __init__(self, story):
        self.story = story
        self.requests = []
        self.calls = {}
        self.prompts = queue.Queue()
        model = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def log_message(self, *_):
                pass

            def do_GET(self):
                self._send("application/json", json.dumps({"object": "list", "data": [{"id": "scripted", "object": "model"}]}))

            def do_POST(self):
                request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                action = model.answer(request)
                self._send("text/event-stream", _stream(action))
                # Not earlier: the host may be gone as soon as the story is over.
                if action.get("over") or action.get("prompt"):
                    model.prompts.put(action)

            def _send(self, kind, text):
                body = text.encode()
                self.send_response(200)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def answer(self, request):
        """What the story does about what the host shows now."""
        self.requests.append(request)
        news = _news(request["messages"])
        try:
            action = self.story.send("\n".join(_text(message) for message in news) if len(self.requests) > 1 else None)
        except StopIteration:
            action = {"text": "Done.", "over": True}
        except BaseException as error:  # pylint: disable=broad-exception-caught # it fails in the main thread
            action = {"text": "This is not what the story expects.", "over": True, "error": error}
        if "tool" in action:
            action = {**action, "id": f"call_{len(self.calls)}"}
            self.calls[action["id"]] = action
        return action

    def next_prompt(self, seconds):
        """What the user says next; nothing when the story is over."""
        try:
            action = self.prompts.get(timeout=seconds)
        except queue.Empty:
            last = self.requests[-1]["messages"][-1] if self.requests else "none"
            raise TimeoutError(f"the host did not go on within {seconds} s; its last message to the model: {last}") from None
        if "error" in action:
            raise action["error"]
        return action.get("prompt")


def _news(messages):
    """The messages after the model's own last one."""
    last = max((at for at, message in enumerate(messages) if message["role"] == "assistant"), default=-1)
    return messages[last + 1 :]


def _text(message):
    content = message["content"]
    return content if isinstance(content, str) else "".join(part.get("text", "") for part in content)


def _stream(action):
    message, reason = {"role": "assistant", "content": action.get("text", "")}, "stop"
    if "tool" in action:
        function = {"name": action["tool"], "arguments": json.dumps(action["arguments"])}
        message["tool_calls"] = [{"index": 0, "id": action["id"], "type": "function", "function": function}]
        reason = "tool_calls"
    parts = [{"delta": message, "finish_reason": None}, {"delta": {}, "finish_reason": reason}]
    chunks = [{"id": "x", "object": "chat.completion.chunk", "model": "scripted", "choices": [{"index": 0, **part}]} for part in parts]
    return "".join(f"data: {line}\n\n" for line in [*map(json.dumps, chunks), "[DONE]"])
