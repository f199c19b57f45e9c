"""Plays one story: `run.py STORY FOLDER-WITH-OUR-PROGRAMS RTK`."""

import importlib
import sys
import tempfile

from world import World

name, programs, rtk = sys.argv[1:]
story = importlib.import_module(f"stories.{name}")
with tempfile.TemporaryDirectory() as root:
    world = World(root, programs, rtk if getattr(story, "RTK", True) else None)
    story.play(world)
    world.every_call_was_judged()
