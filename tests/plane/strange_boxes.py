"""Boxes that misbehave, each in its own way, on a real Unix socket; and a launcher that makes them."""

import asyncio
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any, cast

import anyio

from belljar.plane.boxes.launchers.base import (
    Address,
    BoxRecord,
    BoxSpec,
    Ending,
    Found,
    Handle,
    Keep,
    LaunchError,
    Recording,
    Room,
    Stats,
)

Behaviour = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@asynccontextmanager
async def strange_box(behave: Behaviour) -> AsyncIterator[Address]:
    """Reads a request's head, then does what `behave` does."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await reader.readuntil(b"\r\n\r\n")
            await behave(reader, writer)
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/box.sock"
        server = await asyncio.start_unix_server(serve, path)
        try:
            yield Address(path=path)
        finally:
            server.close()


async def vanishing(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Closes without a word."""
    writer.transport.abort()


async def babbling(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Speaks something that is not HTTP."""
    writer.write(b"220 mail.example ESMTP\r\n\r\n")
    await writer.drain()


async def silent(reader: asyncio.StreamReader, _: asyncio.StreamWriter) -> None:
    """Takes everything and says nothing."""
    await reader.read()


async def breaking_off(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Promises more than it sends."""
    writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\nonly this")
    await writer.drain()


def read(handle: Handle) -> dict[str, Any]:
    """Of a handle that was made here."""
    return cast(dict[str, Any], handle)


async def _nothing() -> AsyncIterator[bytes]:
    for piece in list[bytes]():
        yield piece


class BrokenLauncher:
    """Cannot make anything."""

    place = "here"
    starts_at_once = 4
    warm_starts_at_once = 1

    async def room(self) -> Room:
        return Room()

    async def launch(self, spec: BoxSpec, keep: Keep) -> Handle:
        await keep(Handle({"folder": "/nonexistent", "socket": "/nonexistent"}))
        raise LaunchError("out of boxes")

    async def lend_profile(self, handle: Handle, id: str, *, read_only: bool) -> None:
        raise LaunchError("out of profiles")

    async def hold_egress(self, box_id: str, change: Callable[[str], str]) -> None:
        """The box carries it out itself."""

    def address(self, handle: Handle) -> Address:
        return Address(path=str(read(handle)["socket"]))

    async def is_alive(self, handle: Handle) -> bool:
        return False

    async def wait_ended(self, handle: Handle) -> Ending:
        return Ending()

    async def destroy(self, box_id: str, handle: Handle | None) -> None:
        return None

    async def find_all(self) -> Sequence[Found]:
        return []

    async def stats(self, handle: Handle) -> Stats:
        return Stats()

    def log(self, box_id: str) -> AsyncIterator[bytes]:
        return _nothing()

    async def recordings(self, box_id: str) -> Sequence[Recording]:
        return []

    def recording(self, box_id: str, id: str, start: int, end: int) -> AsyncIterator[bytes]:
        return _nothing()

    @asynccontextmanager
    async def record(self, box_id: str) -> AsyncIterator[BoxRecord | None]:
        yield None

    async def forget(self, before: float) -> None:
        return None


class NeverReadyLauncher(BrokenLauncher):
    """Makes boxes that never answer, and remembers which of them were destroyed."""

    def __init__(self) -> None:
        self.launched: list[str] = []
        self.destroyed: list[str] = []

    async def launch(self, spec: BoxSpec, keep: Keep) -> Handle:
        self.launched.append(spec.box_id)
        await keep(Handle({"socket": "/nonexistent"}))
        await anyio.sleep_forever()
        raise AssertionError("unreachable")

    async def destroy(self, box_id: str, handle: Handle | None) -> None:
        self.destroyed.append(box_id)


class CrowdedLauncher(BrokenLauncher):
    """Fails when it has been crowded by as many as come, and remembers the most there were."""

    def __init__(self) -> None:
        self._here = 0
        self.most = 0

    async def launch(self, spec: BoxSpec, keep: Keep) -> Handle:
        self._here += 1
        self.most = max(self.most, self._here)
        try:
            await anyio.sleep(0.05)
            return await super().launch(spec, keep)
        finally:
            self._here -= 1


class PoliteLauncher(BrokenLauncher):
    """Makes boxes at once that say yes to everything: for tests of what happens around a box."""

    def __init__(self) -> None:
        self.living: dict[str, tempfile.TemporaryDirectory[str]] = {}
        self._servers: dict[str, asyncio.Server] = {}
        # What its boxes were asked, without the heads.
        self.bodies: list[bytes] = []

    async def launch(self, spec: BoxSpec, keep: Keep) -> Handle:
        folder = self.living[spec.box_id] = tempfile.TemporaryDirectory()
        socket = f"{folder.name}/box.sock"
        handle = Handle({"id": spec.box_id, "socket": socket})
        await keep(handle)
        self._servers[spec.box_id] = await asyncio.start_unix_server(self._agree, socket)
        return handle

    async def is_alive(self, handle: Handle) -> bool:
        return read(handle).get("id") in self.living

    async def destroy(self, box_id: str, handle: Handle | None) -> None:
        if server := self._servers.pop(box_id, None):
            server.close()
        if folder := self.living.pop(box_id, None):
            folder.cleanup()

    def close(self) -> None:
        """Whatever is left: a loop with a server on it does not close."""
        for server in self._servers.values():
            server.close()
        for folder in self.living.values():
            folder.cleanup()

    async def find_all(self) -> Sequence[Found]:
        return [
            Found(id, Handle({"id": id, "socket": f"{folder.name}/box.sock"})) for id, folder in self.living.items()
        ]

    async def _agree(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).lower()
            if b"content-length: " in head:
                length = int(head.partition(b"content-length: ")[2].partition(b"\r\n")[0])
                self.bodies.append(await reader.readexactly(length))
            body = b'{"isolation": {"jail": true}}'
            head = f"HTTP/1.1 200 OK\r\ncontent-length: {len(body)}\r\nconnection: close\r\n\r\n".encode()
            writer.write(head + body)
            await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()


class ClingingLauncher(PoliteLauncher):
    """Fails to destroy a box the first few times, as a full disk or somebody else in its folder would have it."""

    def __init__(self, times: int) -> None:
        super().__init__()
        self.left = times

    async def destroy(self, box_id: str, handle: Handle | None) -> None:
        if self.left > 0:
            self.left -= 1
            raise OSError("somebody is in the way")
        await super().destroy(box_id, handle)


class ReluctantLauncher(PoliteLauncher):
    """Its first box cannot be tightened to any session's limits; the next ones can."""

    def __init__(self) -> None:
        super().__init__()
        self.launched: list[str] = []
        self.has_launched = anyio.Event()

    async def launch(self, spec: BoxSpec, keep: Keep) -> Handle:
        handle = await super().launch(spec, keep)
        if not self.launched:
            self._servers[spec.box_id].close()
            self._servers[spec.box_id] = await asyncio.start_unix_server(_refusing, read(handle)["socket"])
        self.launched.append(spec.box_id)
        self.has_launched.set()
        return handle


async def _refusing(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    body = b'{"code": "box_not_tightened", "detail": "it uses more than that already"}'
    try:
        await reader.readuntil(b"\r\n\r\n")
        head = f"HTTP/1.1 409 Conflict\r\ncontent-length: {len(body)}\r\nconnection: close\r\n\r\n"
        writer.write(head.encode() + body)
        await writer.drain()
    except (ConnectionError, asyncio.IncompleteReadError):
        pass
    finally:
        writer.close()
