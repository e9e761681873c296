"""The encoder's process, seen from here: started on first use, ended when it has had nothing to do for a while."""

import asyncio
import json
import os
import socket
import sys
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

import anyio

from belljar.box.process import Process, Processes, Program
from belljar.wire.processes import ProcessOwner

ENCODER = Path(__file__).with_name("encoder.py")
IDLE_SECONDS = 10.0
# How long one that has nothing else to do may take to say that it lives.
PING_SECONDS = 1.0
_LINK = 3
_MESSAGE_BYTES = 65536


class WorkerLost(Exception):
    """The encoder's process has ended."""


class Worker:
    """One encoder.  Messages are described in `encoder.py`."""

    def __init__(self, process: Process, link: socket.socket) -> None:
        self.process = process
        self._link = link
        # Grows with every use.
        self.uses = 0

    def send(self, message: dict[str, object], descriptors: Sequence[int] = ()) -> None:
        try:
            socket.send_fds(self._link, [json.dumps(message).encode()], list(descriptors))
        except OSError as error:
            raise WorkerLost("the encoder has ended") from error

    async def messages(self) -> AsyncIterator[dict[str, Any]]:
        """What it says, until it ends."""
        loop = asyncio.get_running_loop()
        while True:
            try:
                data = await loop.sock_recv(self._link, _MESSAGE_BYTES)
            except OSError:
                return
            if not data:
                return
            yield json.loads(data)

    async def answers(self) -> bool:
        """Whether it lives: of one that was killed just now nobody may have heard yet."""
        try:
            self.send({"do": "ping"})
        except WorkerLost:
            return False
        with anyio.move_on_after(PING_SECONDS):
            async for message in self.messages():
                if message["is"] == "pong":
                    return True
        return False

    async def index(self, path: str, milliseconds: int, chapters: list[dict[str, object]]) -> None:
        """Have it give a film of fragments its index and chapters, where it can.  It must have no other film."""
        try:
            self.send({"do": "index", "path": path, "ms": milliseconds, "chapters": chapters})
        except WorkerLost:
            return
        async for message in self.messages():
            if message["is"] in ("indexed", "failed"):
                return

    def close(self) -> None:
        """It ends by itself when the link does."""
        self._link.close()


async def start_worker(processes: Processes) -> Worker:
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    ours.setblocking(False)
    program = Program(
        command=sys.executable,
        # Isolated: it runs with our packages, but reads nothing from the environment or the working directory.
        args=("-I", str(ENCODER)),
        owner=ProcessOwner.DESKTOP,
        is_trusted=True,
    )
    try:
        process = await processes.start(program, {_LINK: theirs.fileno()})
    except BaseException:
        ours.close()
        raise
    finally:
        theirs.close()
    return Worker(process, ours)


class Workers:
    """The one worker, while there is one."""

    def __init__(self, processes: Processes) -> None:
        self._processes = processes
        self._worker: Worker | None = None

    async def get(self) -> Worker:
        if self._worker is None or not self._worker.process.is_running or not await self._worker.answers():
            self.close()
            self._worker = await start_worker(self._processes)
        self._worker.uses += 1
        return self._worker

    async def end_when_idle(self) -> None:
        """To be started after each use: ends the worker unless it is used again meanwhile."""
        worker = self._worker
        if worker is None:
            return
        uses = worker.uses
        await anyio.sleep(IDLE_SECONDS)
        if self._worker is worker and worker.uses == uses:
            self.close()

    def close(self) -> None:
        if self._worker is not None:
            self._worker.close()
        self._worker = None


def memfd_with(data: bytes) -> int:
    """A descriptor to read `data` from, for the caller to close."""
    descriptor = os.memfd_create("belljar-cursor", os.MFD_CLOEXEC)
    os.write(descriptor, data)
    return descriptor
