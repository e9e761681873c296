"""`belljar serve` that is killed when a launcher keeps a handle: `killed_at_keep.py NUMBER before|after serve …`.

Run by `test_kills.py`.  The number counts within one launch; a launch that keeps fewer goes on.
"""

import os
import signal
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import belljar.plane.app
from belljar.cli import main
from belljar.plane.boxes.launchers.base import BoxSpec, Handle, Keep, Launcher
from belljar.plane.boxes.launchers.choice import open_launcher
from belljar.plane.settings import PlaneSettings


def killing(keep: Keep, number: int, moment: str) -> Keep:
    count = 0

    async def keep_or_die(handle: Handle) -> None:
        nonlocal count
        count += 1
        if count == number and moment == "before":
            os.kill(os.getpid(), signal.SIGKILL)
        await keep(handle)
        if count == number:
            os.kill(os.getpid(), signal.SIGKILL)

    return keep_or_die


@asynccontextmanager
async def open_deadly(
    settings: PlaneSettings, installation: str, key_of: Callable[[str], bytes]
) -> AsyncIterator[Launcher]:
    async with open_launcher(settings, installation, key_of) as launcher:
        launch = launcher.launch

        async def launch_and_die(spec: BoxSpec, keep: Keep) -> Handle:
            return await launch(spec, killing(keep, int(NUMBER), MOMENT))

        launcher.launch = launch_and_die  # type: ignore[method-assign]
        yield launcher


NUMBER, MOMENT = sys.argv[1:3]
# Before `serve` come the words with which others start it: the interpreter, -m, belljar.
sys.argv = ["belljar", *sys.argv[sys.argv.index("serve") :]]
belljar.plane.app.open_launcher = open_deadly  # type: ignore[attr-defined]
main()
