"""A machine for one story: a home, a workspace and programs of its own, and the real host in it."""

import asyncio
import json
import os
import pathlib
import shutil
import subprocess

from model import Model


class World:
    """Where a story happens. Nothing outside its folder is written."""

    def __init__(self, root, programs, rtk=None):
        """`programs`: the folder with ours. `rtk`: the real one, if the machine has it."""
        self.root = pathlib.Path(root).resolve()
        self.home, self.workspace, self.tools = (self.root / name for name in ("home", "workspace", "tools"))
        self.bin = self.home / ".local/bin"
        for folder in (self.workspace, self.tools, self.bin):
            folder.mkdir(parents=True)
        for program in ("execution-guard", "execution-guard-cli"):
            shutil.copy2(pathlib.Path(programs) / program, self.bin)
        if rtk:
            (self.tools / "rtk").symlink_to(rtk)
        # As cargo names itself to what it runs: not rustup's, which would look for its toolchains in the home.
        cargo = pathlib.Path(os.environ["CARGO"])
        path = [self.bin, self.tools, cargo.parent, "/usr/bin", "/bin"]
        os.environ.clear()
        os.environ.update(HOME=str(self.home), PATH=":".join(map(str, path)), LANG="C.UTF-8", GIT_CONFIG_NOSYSTEM="1")
        os.chdir(self.workspace)
        self.user_approves = False
        self.answers = []
        self.model = None

    def __deepcopy__(self, memo):
        """The SDK copies its hooks, which share this one."""
        return self

    def sh(self, command):
        """What `command` prints, run in the workspace."""
        return subprocess.run(["sh", "-c", command], check=True, capture_output=True, text=True).stdout

    def install(self, *arguments):
        """Registers our hook as a user does."""
        return self.sh(" ".join(["execution-guard install", *map(str, arguments)]))

    def repository(self):
        """Makes the workspace a git repository with one commit."""
        self.sh("git init --quiet && git add . && git -c user.name=N -c user.email=n@example.org commit --quiet -m First")

    def file(self, name, text=None):
        """A file of the workspace, with `text` if given."""
        path = self.workspace / name
        if text is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return path

    @property
    def brain(self):
        """The folder of the conversation."""
        (folder,) = (self.home / ".gemini/antigravity/brain").iterdir()
        return folder

    def records(self):
        """The conversation as the host keeps it."""
        return [json.loads(line) for line in (self.brain / ".system_generated/logs/transcript.jsonl").read_text().splitlines()]

    def answers_to_last(self):
        """What each hook that was asked about the last call answered."""
        return [answer for answer in self.answers if answer["call"] == self.answers[-1]["call"]]

    def decision(self):
        """What our hook said of the last call."""
        return next(answer["decision"] for answer in self.answers_to_last() if answer["hook"] == "execution-guard")

    def changes(self):
        """What the hooks changed in the last call."""
        return {key: value for answer in self.answers_to_last() for key, value in answer.get("overwrite", {}).items()}

    def play(self, story, prompt="Go on.", patience=120):
        """Plays `story` to its end: the host runs, and the story is the model. `patience`: seconds a turn may take."""
        self.model = Model(story)
        asyncio.run(self._host(prompt, patience))

    def every_call_was_judged(self):
        """A host that runs no hook proves nothing. Another hook's refusal spares ours the call."""
        judged = {answer["call"] for answer in self.answers if answer["hook"] == "execution-guard" or answer["decision"] == "deny"}
        missed = [call for id, call in self.model.calls.items() if id not in judged and call["tool"] != "call_mcp_tool"]
        assert not missed, f"not judged: {missed}"

    async def _host(self, prompt, patience):
        # The host reads HOME when it is imported.
        from bridge import registered
        from google.antigravity import Agent, types
        from google.antigravity.connections.local.local_openai_connection_config import LocalOpenAIAgentConfig
        from google.antigravity.hooks import policy

        tools = [tool for tool in types.BuiltinTools.all_tools() if tool not in (types.BuiltinTools.FINISH, types.BuiltinTools.ASK_QUESTION)]
        config = LocalOpenAIAgentConfig(
            model="scripted",
            base_url=self.model.url,
            workspaces=[str(self.workspace)],
            hooks=list(registered(self)),
            policies=[policy.allow_all()],
            capabilities=types.CapabilitiesConfig(enabled_tools=tools, mcp=True),
            mcp_servers=[types.McpStdioServer(name=name, **server) for name, server in self._servers().items()],
        )
        async with Agent(config) as agent:
            while prompt is not None:
                # Not by `chat`, which waits until no background task runs: a user does not.
                await agent.conversation.connection.send(prompt)
                prompt = await asyncio.to_thread(self.model.next_prompt, patience)

    def _servers(self):
        file = self.home / ".gemini/config/mcp_config.json"
        return json.loads(file.read_text()).get("mcpServers", {}) if file.exists() else {}
