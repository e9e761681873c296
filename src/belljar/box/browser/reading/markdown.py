"""The converter as the server sees it: started by the first page that wants it, ended when nobody does any more."""

import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import anyio
import msgspec
from anyio.abc import TaskGroup

from belljar.box.process import Process, Processes, ProcessOwner, Program, User
from belljar.tasks import the_only_one

# Seconds without work after which it ends; starting it again takes a fifth of a second.
IDLE = 60.0
# Seconds that one page may take.
PATIENCE = 30.0


class ConversionFailed(Exception):
    """The page could not be converted; the message says why."""


class Converted(msgspec.Struct):
    markdown: str = ""
    # `article` or `page`.
    mode: str = "page"
    error: str | None = None


class _Request(msgspec.Struct):
    html: str
    url: str
    mode: str


@dataclass
class _Running:
    process: Process
    channel: socket.socket


class Converter:
    """One page at a time, in the order they come.  A page that stalls it fails alone; the next starts it anew."""

    def __init__(self, processes: Processes, user: User | None, tasks: TaskGroup) -> None:
        self._processes = processes
        self._user = user
        self._tasks = tasks
        self._running: _Running | None = None
        self._turn = anyio.Lock()
        # How many conversions were asked for: the idle watch sees whether one came.
        self._jobs = 0
        self._is_watched = False

    async def convert(self, html: str, url: str, mode: str) -> Converted:
        """Raises `ConversionFailed`.  Cancelled in the middle, the program is ended."""
        async with self._turn:
            self._jobs += 1
            running = self._running or await self._start()
            try:
                with anyio.fail_after(PATIENCE):
                    answer = await _ask(running.channel, _Request(html, url, mode))
            except BaseException as error:
                await self._end()
                if isinstance(error, (TimeoutError, OSError, EOFError)):
                    raise ConversionFailed("the converter gave up on this page") from error
                raise
            if not self._is_watched:
                self._is_watched = True
                self._tasks.start_soon(self._end_when_idle, name="the converter's rest")
        if answer.error is not None:
            raise ConversionFailed(answer.error)
        return answer

    async def _start(self) -> _Running:
        ours, theirs = socket.socketpair()
        ours.setblocking(False)
        rights = (str(self._user.uid), str(self._user.gid)) if self._user is not None else ()
        program = Program(
            sys.executable, ("-I", "-m", "belljar.extract.program", *rights), owner=ProcessOwner.SYSTEM, is_trusted=True
        )
        try:
            with theirs:
                process = await self._processes.start(program, descriptors={3: theirs.fileno()})
        except BaseException:
            ours.close()
            raise
        self._running = _Running(process, ours)
        return self._running

    async def _end_when_idle(self) -> None:
        jobs = -1
        while self._jobs != jobs:
            jobs = self._jobs
            await anyio.sleep(IDLE)
        async with self._turn:
            self._is_watched = False
            if self._jobs == jobs:
                await self._end()

    async def _end(self) -> None:
        running, self._running = self._running, None
        if running is not None:
            running.channel.close()
            with anyio.move_on_after(5, shield=True):
                await running.process.kill()

    async def close(self) -> None:
        with anyio.move_on_after(6, shield=True):
            await self._end()


@asynccontextmanager
async def open_converter(processes: Processes, user: User | None) -> AsyncIterator[Converter]:
    """The converter, not started; leaving the block ends it."""
    try:
        async with anyio.create_task_group() as tasks:
            converter = Converter(processes, user, tasks)
            try:
                yield converter
            finally:
                await converter.close()
                tasks.cancel_scope.cancel()
    except BaseExceptionGroup as group:
        raise the_only_one(group) from None


async def _ask(channel: socket.socket, request: _Request) -> Converted:
    body = msgspec.json.encode(request)
    await _write(channel, len(body).to_bytes(4, "big") + body)
    size = int.from_bytes(await _read(channel, 4), "big")
    return msgspec.json.decode(await _read(channel, size), type=Converted)


async def _write(channel: socket.socket, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        try:
            rest = rest[channel.send(rest) :]
        except BlockingIOError:
            await anyio.wait_writable(channel)


async def _read(channel: socket.socket, size: int) -> bytes:
    data = bytearray()
    while len(data) < size:
        try:
            part = channel.recv(min(size - len(data), 1 << 20))
        except BlockingIOError:
            await anyio.wait_readable(channel)
            continue
        if not part:
            raise EOFError("the converter ended")
        data += part
    return bytes(data)
