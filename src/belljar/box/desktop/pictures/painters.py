"""The painters as the server sees them: started by the first pictures; and the pointer's picture."""

import json
import os
import socket
import struct
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anyio
from anyio.abc import TaskGroup

from belljar.box.display import Connection
from belljar.box.display.x11 import xfixes
from belljar.box.display.x11.pixels import Frame
from belljar.box.process import Process, Processes, ProcessOwner, Program
from belljar.problems import StreamError
from belljar.wire.desktop import ImageFormat


@dataclass(frozen=True)
class Cursor:
    """`x` and `y` are where its upper left corner lies; pixels are blue, green, red, alpha, premultiplied."""

    x: int
    y: int
    width: int
    height: int
    # Where in it the point lies that it points with.
    hot_x: int
    hot_y: int
    pixels: bytes


async def read_cursor(server: Connection) -> Cursor:
    opcode = await xfixes.opcode(server)
    image = await server.ask(xfixes.GetCursorImage, opcode=opcode)
    return Cursor(
        x=image.x - image.xhot,
        y=image.y - image.yhot,
        width=image.width,
        height=image.height,
        hot_x=image.xhot,
        hot_y=image.yhot,
        pixels=struct.pack(f"<{len(image.cursor_image)}I", *image.cursor_image),
    )


# Seconds without work after which they end; starting one again takes a fifth of a second.
IDLE = 60.0
# Seconds that one picture may take.
PATIENCE = 20.0
_PROGRAM = Path(__file__).with_name("program.py")
_MESSAGE_BYTES = 65536


class PainterLost(Exception):
    """The picture did not come: the program has ended, stalls or says why it cannot."""


class Painters:
    """As many as are at work at the same time; whoever calls bounds that."""

    def __init__(self, processes: Processes, tasks: TaskGroup) -> None:
        self._processes = processes
        self._tasks = tasks
        self._idle: list[_Painter] = []
        # How many pictures were asked for: the idle watch sees whether one came.
        self._jobs = 0
        self._is_watched = False

    async def paint(
        self, frame: Frame, format: ImageFormat, quality: int, scale: float, cursor: Cursor | None
    ) -> bytes:
        """`frame` encoded, with `cursor` drawn in where one is given, then scaled.  Raises `PainterLost`."""
        self._jobs += 1
        self._watch()
        asked = {
            "width": frame.area.width,
            "height": frame.area.height,
            "format": format.value,
            "quality": quality,
            "scale": scale,
            "cursor": _place(cursor, frame) if cursor is not None else None,
        }
        painter = await self._take()
        try:
            with anyio.fail_after(PATIENCE):
                picture = await painter.paint(asked, frame.descriptor, cursor.pixels if cursor is not None else None)
        except BaseException as error:
            painter.close()
            if isinstance(error, (TimeoutError, OSError, EOFError)):
                raise PainterLost(str(error) or "the painter did not answer in time") from error
            raise
        self._idle.append(painter)
        return picture

    def close(self) -> None:
        while self._idle:
            self._idle.pop().close()

    async def _take(self) -> "_Painter":
        while self._idle:
            painter = self._idle.pop()
            if painter.process.is_running:
                return painter
            painter.close()
        return await _start(self._processes)

    def _watch(self) -> None:
        if not self._is_watched:
            self._is_watched = True
            self._tasks.start_soon(self._end_when_idle, name="the painters' rest")

    async def _end_when_idle(self) -> None:
        jobs = -1
        while self._jobs != jobs:
            jobs = self._jobs
            await anyio.sleep(IDLE)
        self._is_watched = False
        self.close()


class _Painter:
    """One of them.  Messages are described in `program.py`; it ends when its link does."""

    def __init__(self, process: Process, link: socket.socket) -> None:
        self.process = process
        self._link = link

    async def paint(self, asked: dict[str, Any], pixels: int, pointer: bytes | None) -> bytes:
        shape = _memory_with(pointer) if pointer is not None else None
        try:
            descriptors = [pixels] if shape is None else [pixels, shape]
            socket.send_fds(self._link, [json.dumps(asked).encode()], descriptors)
        finally:
            if shape is not None:
                os.close(shape)
        await anyio.wait_readable(self._link)
        data, descriptors, _, _ = socket.recv_fds(self._link, _MESSAGE_BYTES, 1)
        if not data:
            raise EOFError("the painter has ended")
        answer = json.loads(data)
        if not descriptors:
            raise OSError(answer.get("error", "no picture"))
        return _contents(descriptors[0], answer["size"])

    def close(self) -> None:
        self._link.close()


async def _start(processes: Processes) -> _Painter:
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    ours.setblocking(False)
    # Isolated: it runs with our packages, but reads nothing from the environment or the working directory.
    program = Program(sys.executable, ("-I", str(_PROGRAM)), owner=ProcessOwner.DESKTOP, is_trusted=True)
    try:
        with theirs:
            process = await processes.start(program, {3: theirs.fileno()})
    except StreamError as error:
        ours.close()
        raise PainterLost("the painter cannot be started") from error
    except BaseException:
        ours.close()
        raise
    return _Painter(process, ours)


def _place(cursor: Cursor, frame: Frame) -> dict[str, int]:
    return {
        "x": cursor.x - frame.area.x,
        "y": cursor.y - frame.area.y,
        "width": cursor.width,
        "height": cursor.height,
    }


def _contents(descriptor: int, size: int) -> bytes:
    """What is in a memory that was handed to us, which is closed.  A copy: nothing waits."""
    with open(descriptor, "rb") as file:
        return file.read(size)


def _memory_with(data: bytes) -> int:
    """A descriptor to read `data` from, for the caller to close."""
    descriptor = os.memfd_create("belljar-cursor", os.MFD_CLOEXEC)
    os.write(descriptor, data)
    os.lseek(descriptor, 0, os.SEEK_SET)
    return descriptor
