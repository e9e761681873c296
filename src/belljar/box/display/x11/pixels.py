"""Pixels of the screen: the one place where they leave the X server, by shared memory."""

import fcntl
import mmap
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import anyio
from Xlib.protocol import rq

from belljar.box.display.x11.connection import Connection

EXTENSION = "MIT-SHM"


class QueryVersion(rq.ReplyRequest):  # type: ignore[misc]  # python-xlib is untyped
    _request = rq.Struct(rq.Card8("opcode"), rq.Opcode(0), rq.RequestLength())
    _reply = rq.Struct(
        rq.ReplyCode(),
        rq.Bool("shared_pixmaps"),
        rq.Card16("sequence_number"),
        rq.ReplyLength(),
        rq.Card16("major_version"),
        rq.Card16("minor_version"),
        rq.Card16("uid"),
        rq.Card16("gid"),
        rq.Card8("pixmap_format"),
        rq.Pad(15),
    )


class Detach(rq.Request):  # type: ignore[misc]  # python-xlib is untyped
    _request = rq.Struct(rq.Card8("opcode"), rq.Opcode(2), rq.RequestLength(), rq.Card32("segment"))


class GetImage(rq.ReplyRequest):  # type: ignore[misc]  # python-xlib is untyped
    _request = rq.Struct(
        rq.Card8("opcode"),
        rq.Opcode(4),
        rq.RequestLength(),
        rq.Card32("drawable"),
        rq.Int16("x"),
        rq.Int16("y"),
        rq.Card16("width"),
        rq.Card16("height"),
        rq.Card32("plane_mask"),
        rq.Card8("format"),
        rq.Pad(3),
        rq.Card32("segment"),
        rq.Card32("offset"),
    )
    _reply = rq.Struct(
        rq.ReplyCode(),
        rq.Card8("depth"),
        rq.Card16("sequence_number"),
        rq.ReplyLength(),
        rq.Card32("visual"),
        rq.Card32("size"),
        rq.Pad(16),
    )


class AttachFd(rq.Request):  # type: ignore[misc]  # python-xlib is untyped
    """The descriptor itself travels beside the request, as SCM_RIGHTS."""

    _request = rq.Struct(
        rq.Card8("opcode"), rq.Opcode(6), rq.RequestLength(), rq.Card32("segment"), rq.Bool("read_only"), rq.Pad(3)
    )


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
    # The memory itself, to be handed to another process; it begins with the pixels.
    descriptor: int

    @property
    def stride(self) -> int:
        return self.area.width * 4


class Memory:
    """Memory that we made and sealed, to be lent to an X server.

    It is a memfd of ours, handed over as a descriptor, so it works across the border of a jail; and it is sealed:
    the other side can write pixels into it, but not cut it short under us, which would kill the reader.
    """

    def __init__(self, size: int) -> None:
        self.size = size
        self.descriptor = os.memfd_create("belljar-pixels", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
        os.ftruncate(self.descriptor, size)
        fcntl.fcntl(self.descriptor, fcntl.F_ADD_SEALS, _SEAL_SHRINK | _SEAL_GROW | _SEAL_SEAL)

    def close(self) -> None:
        os.close(self.descriptor)


class Segment:
    """Memory as one X server knows it."""

    def __init__(self, connection: Connection, opcode: int, memory: Memory) -> None:
        self._connection = connection
        self._opcode = opcode
        self.id = connection.new_id()
        connection.post(AttachFd, opcode=opcode, segment=self.id, read_only=0, descriptors=[memory.descriptor])

    async def fill(self, drawable: int, area: Area, offset: int = 0) -> None:
        """Have the server copy `area` into the segment, starting at `offset`."""
        await self._connection.ask(
            GetImage,
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
        """Take it back from the server; the memory itself stays."""
        if not self._connection.closed.is_set():
            self._connection.post(Detach, opcode=self._opcode, segment=self.id)


async def attach(connection: Connection, memory: Memory) -> Segment:
    extension = await connection.extension(EXTENSION)
    return Segment(connection, extension.opcode, memory)


class _Buffer:
    """A segment with its memory in our own address space."""

    def __init__(self, memory: Memory, segment: Segment) -> None:
        self._memory = memory
        self.segment = segment
        self.size = memory.size
        self.descriptor = memory.descriptor
        # Mapped, it costs nothing until somebody looks.
        self.bytes = mmap.mmap(memory.descriptor, memory.size)

    def close(self) -> None:
        self.segment.close()
        self.bytes.close()
        self._memory.close()


class Screen:
    """Grabs of one connection's root window, in segments that are kept and used again.

    Fresh memory costs more than the copy (the kernel clears each page first), so segments return to a pool.
    """

    def __init__(self, connection: Connection, *, segments: int = 3) -> None:
        self._connection = connection
        self._idle: list[_Buffer] = []
        self._room = anyio.Semaphore(segments)

    @asynccontextmanager
    async def grab(self, area: Area) -> AsyncIterator[Frame]:
        """The pixels of `area`, good until the block ends."""
        size = area.width * area.height * 4
        async with self._room:
            buffer = await self._buffer(size)
            try:
                await buffer.segment.fill(self._connection.root, area)
                view = memoryview(buffer.bytes)[:size]
                try:
                    yield Frame(area, view, buffer.descriptor)
                finally:
                    view.release()
            except BaseException:
                buffer.close()
                raise
            self._idle.append(buffer)

    def close(self) -> None:
        while self._idle:
            self._idle.pop().close()

    async def _buffer(self, size: int) -> _Buffer:
        while self._idle:
            buffer = self._idle.pop()
            if buffer.size >= size:
                return buffer
            buffer.close()
        memory = Memory(size)
        try:
            return _Buffer(memory, await attach(self._connection, memory))
        except BaseException:
            memory.close()
            raise
