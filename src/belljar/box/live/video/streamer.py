"""The streamer's process, seen from here.  Its messages are described in `belljar.video.program`."""

import asyncio
import json
import socket
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from struct import Struct
from typing import Any

import anyio

from belljar.box.process import Process, Processes, Program, User
from belljar.tasks import background
from belljar.wire.processes import ProcessOwner

_LINK = 3
_MESSAGE_BYTES = 65536
# As `belljar.video.program` has them, which is not imported: it would bring FFmpeg in.
_FIRST = Struct(">BBBxId")
_FIRST_PIECE, _NEXT_PIECE = 1, 2


class StreamerLost(Exception):
    """The streamer's process has ended, or does not go on."""


@dataclass(frozen=True)
class Encoded:
    """A frame of the stream of that number."""

    stream: int
    is_key: bool
    timestamp: float
    data: bytes


class Streamer:
    def __init__(self, process: Process, link: socket.socket) -> None:
        self.process = process
        self._link = link
        self.is_ready = anyio.Event()

    def send(self, message: dict[str, Any], descriptors: Sequence[int] = ()) -> None:
        """Never waits: one that reads nothing is as good as lost."""
        try:
            socket.send_fds(self._link, [json.dumps(message).encode()], list(descriptors))
        except OSError as error:
            raise StreamerLost("the streamer takes no messages any more") from error

    async def messages(self) -> AsyncIterator[dict[str, Any] | Encoded]:
        """What it says, until it ends."""
        loop = asyncio.get_running_loop()
        head: tuple[Any, ...] = ()
        pieces: list[bytes] = []
        missing = 0
        while True:
            try:
                data = await loop.sock_recv(self._link, _MESSAGE_BYTES)
            except OSError:
                return
            if not data:
                return
            if data[0] not in (_FIRST_PIECE, _NEXT_PIECE):
                yield json.loads(data)
                continue
            if data[0] == _FIRST_PIECE:
                head = _FIRST.unpack_from(data)
                pieces, missing = [data[_FIRST.size :]], head[3]
            else:
                pieces.append(data[1:])
            missing -= len(pieces[-1])
            if missing <= 0 and head:
                yield Encoded(head[1], bool(head[2]), head[4], b"".join(pieces))


@asynccontextmanager
async def open_streamer(processes: Processes, user: User | None) -> AsyncIterator[Streamer]:
    """Start it; leaving the block ends it.  When it ends by itself the block is left with `StreamerLost`."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    ours.setblocking(False)
    rights = () if user is None else (str(user.uid), str(user.gid))
    program = Program(
        command=sys.executable,
        args=("-I", "-m", "belljar.video.program", *rights),
        owner=ProcessOwner.DESKTOP,
        is_trusted=True,
    )
    with ours:
        with theirs:
            process = await processes.start(program, {_LINK: theirs.fileno()})

        async def watch() -> None:
            # The runtime keeps a copy of the other end: its death does not close the link.
            await process.wait()
            raise StreamerLost("the streamer has ended")

        try:
            async with background(watch, name="streamer's end"):
                yield Streamer(process, ours)
        finally:
            # It keeps nothing, and one that was paused would not end by itself.
            with anyio.move_on_after(5, shield=True):
                await process.kill()
