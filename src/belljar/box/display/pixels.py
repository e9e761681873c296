"""Read the screen: the one place where pixels leave the X server."""

import fcntl
import mmap
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import anyio

from belljar.box.display import shm
from belljar.box.display.connection import Connection

# Kernel numbers; Python has names for them only where its own headers did.
_SEAL_SEAL, _SEAL_SHRINK, _SEAL_GROW = 1, 2, 4
_Z_PIXMAP = 2
_ALL_PLANES = 0xFFFFFFFF


@dataclass(frozen=True)
class Area:
    """A rectangle of the screen, in pixels."""

    x: int
    y: int
    width: int
    height: int


@dataclass(frozen=True)
class Frame:
    """Pixels as the X server has them: rows of `width` times blue, green, red and a spare byte, without gaps."""

    area: Area
    pixels: memoryview

    @property
    def stride(self) -> int:
        return self.area.width * 4


class Segment:
    """Memory that we made, sealed, and lent to the X server.

    It is a memfd of ours handed over as a descriptor, so it works across the border of a jail, and it is sealed:
    the other side can write pixels into it, but not cut it short under us, which would kill the reader.
    """

    def __init__(self, connection: Connection, opcode: int, size: int) -> None:
        self._connection = connection
        self._opcode = opcode
        self.size = size
        self.descriptor = os.memfd_create("belljar-pixels", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
        os.ftruncate(self.descriptor, size)
        fcntl.fcntl(self.descriptor, fcntl.F_ADD_SEALS, _SEAL_SHRINK | _SEAL_GROW | _SEAL_SEAL)
        self.memory = mmap.mmap(self.descriptor, size)
        self.id = connection.new_id()
        connection.post(shm.AttachFd, opcode=opcode, segment=self.id, read_only=0, descriptors=[self.descriptor])

    async def fill(self, drawable: int, area: Area, offset: int = 0) -> None:
        """Have the server copy `area` into the segment, starting at `offset`."""
        await self._connection.ask(
            shm.GetImage,
            opcode=self._opcode,
            drawable=drawable,
            x=area.x,
            y=area.y,
            width=area.width,
            height=area.height,
            plane_mask=_ALL_PLANES,
            format=_Z_PIXMAP,
            segment=self.id,
            offset=offset,
        )

    def close(self) -> None:
        if not self._connection.closed.is_set():
            self._connection.post(shm.Detach, opcode=self._opcode, segment=self.id)
        self.memory.close()
        os.close(self.descriptor)


async def new_segment(connection: Connection, size: int) -> Segment:
    extension = await connection.extension(shm.EXTENSION)
    return Segment(connection, extension.opcode, size)


class Screen:
    """Grabs of one connection's root window, in segments that are kept and used again.

    Fresh memory costs more than the copy (the kernel clears each page first), so segments return to a pool.
    """

    def __init__(self, connection: Connection, *, segments: int = 3) -> None:
        self._connection = connection
        self._idle: list[Segment] = []
        self._room = anyio.Semaphore(segments)

    @asynccontextmanager
    async def grab(self, area: Area) -> AsyncIterator[Frame]:
        """The pixels of `area`, good until the block ends."""
        size = area.width * area.height * 4
        async with self._room:
            segment = await self._segment(size)
            try:
                await segment.fill(self._connection.root, area)
                view = memoryview(segment.memory)[:size]
                try:
                    yield Frame(area, view)
                finally:
                    view.release()
            except BaseException:
                segment.close()
                raise
            self._idle.append(segment)

    def close(self) -> None:
        while self._idle:
            self._idle.pop().close()

    async def _segment(self, size: int) -> Segment:
        while self._idle:
            segment = self._idle.pop()
            if segment.size >= size:
                return segment
            segment.close()
        return await new_segment(self._connection, size)
