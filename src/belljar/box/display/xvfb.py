"""Xvfb as a child: its command line, and the pipe on which every start of it announces itself."""

import os
from collections.abc import AsyncIterator
from pathlib import Path

import anyio

from belljar.box.process import Process, Processes, Program
from belljar.wire.processes import ProcessOwner, RestartPolicy

# The child's number for the pipe it writes its display number to when it is ready.
_ANNOUNCE = 3


def xvfb_program(number: int, width: int, height: int, dpi: int, authority: Path) -> Program:
    return Program(
        command="Xvfb",
        args=(
            f":{number}",
            *("-screen", "0", f"{width}x{height}x24"),
            *("-dpi", str(dpi)),
            *("-nolisten", "tcp"),
            # No abstract socket: it ignores file permissions, and reaches into every mount namespace.
            *("-nolisten", "local"),
            *("-auth", str(authority)),
            *("-displayfd", str(_ANNOUNCE)),
            # Without it the server forgets modes and keyboard when its last client leaves.
            "-noreset",
        ),
        owner=ProcessOwner.DESKTOP,
        restart=RestartPolicy.ALWAYS,
    )


class Announcements:
    """The pipe of `-displayfd`.  It outlives the child, so a restarted Xvfb announces itself by a further line."""

    def __init__(self) -> None:
        self._read_end, self._write_end = os.pipe()
        os.set_blocking(self._read_end, False)

    async def start(self, processes: Processes, program: Program) -> Process:
        return await processes.start(program, descriptors={_ANNOUNCE: self._write_end})

    async def lines(self) -> AsyncIterator[str]:
        """One line per start.  Xvfb writes the number and the newline apart: only a whole line counts."""
        pending = b""
        while True:
            await anyio.wait_readable(self._read_end)
            pending += os.read(self._read_end, 4096)
            *lines, pending = pending.split(b"\n")
            for line in lines:
                yield line.decode("ascii", "replace").strip()

    def close(self) -> None:
        os.close(self._read_end)
        os.close(self._write_end)
