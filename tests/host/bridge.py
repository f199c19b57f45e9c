"""Runs the hooks that are registered in hooks.json on the real host.

The SDK's host takes hooks as Python objects and reads no hooks.json, so each registered handler becomes one such
object, which runs its command as the documentation of hooks.json says. In which order, and how their decisions
combine, is the host's own doing. The host has no dialog: what asks the user is answered here, as the story says.
"""

import asyncio
import json
import os
import pathlib
import re

from google.antigravity import types
from google.antigravity.hooks import hooks

# The SDK renames some tools: back to the names that the model is told and hooks.json is written for.
WIRE_NAMES = {
    "create_file": "write_to_file",
    "edit_file": "replace_file_content",
    "find_file": "find_by_name",
    "list_directory": "list_dir",
    "search_directory": "grep_search",
}


def registered(world):
    """The PreToolUse handlers in the order of the files and in them."""
    config = world.home / ".gemini/config"
    files = [config / "hooks.json", *config.glob("plugins/*/hooks.json"), world.workspace / ".agents/hooks.json"]
    for file in filter(pathlib.Path.exists, files):
        for name, spec in json.loads(file.read_text()).items():
            if not spec.get("enabled", True):
                continue
            for group in spec.get("PreToolUse", []):
                for handler in group["hooks"]:
                    yield CommandHook(world, name, group.get("matcher", ""), handler, file.parent)


class CommandHook(hooks.PreToolCallDecideHook):
    """One handler of type "command"."""

    def __init__(self, world, name, matcher, handler, folder):
        self.world, self.name, self.folder = world, name, folder
        self.matcher = "" if matcher == "*" else matcher
        self.command, self.timeout = handler["command"], handler.get("timeout", 30)

    async def run(self, context, data):
        del context
        tool = WIRE_NAMES.get(data.name, data.name)
        if self.matcher and not re.fullmatch(self.matcher, tool):
            return types.HookResult(allow=True)
        answer = await self._ask(self._payload(tool, data))
        self.world.answers.append({"hook": self.name, "call": data.id, "tool": tool, **answer})
        decision, reason = answer["decision"], answer.get("reason", "")
        if decision == "allow":
            return types.HookResult(allow=True, modified_args=answer.get("overwrite"))
        if decision in ("ask", "force_ask"):
            return types.HookResult(allow=self.world.user_approves, message=reason)
        return types.HookResult(allow=False, message=reason)

    def _payload(self, tool, data):
        conversation, _, step = data.step_id.partition(":")
        folder = self.world.home / ".gemini/antigravity/brain" / conversation
        return {
            "toolCall": {"name": tool, "args": data.args},
            "stepIdx": int(step),
            "conversationId": conversation,
            "workspacePaths": [str(self.world.workspace)],
            "transcriptPath": str(folder / ".system_generated/logs/transcript.jsonl"),
            "artifactDirectoryPath": str(folder),
            "modelName": "scripted",
        }

    async def _ask(self, payload):
        """Anything but one JSON object with a decision, from a command that succeeds, is an error of the hook."""
        process = await asyncio.create_subprocess_exec(
            "sh", "-c", os.path.expanduser(self.command), cwd=self.folder,
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
        )  # fmt: skip
        said, _ = await asyncio.wait_for(process.communicate(json.dumps(payload).encode()), self.timeout)
        assert process.returncode == 0, f"{self.command}: exit status {process.returncode}"
        answer = json.loads(said)
        assert isinstance(answer.get("decision"), str), answer
        return answer
