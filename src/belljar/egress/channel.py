"""The channel between a box and its egress process, and the box's end of it.

A packet socket keeps messages apart, the kernel says when the other side is gone, and nothing of it has a path.
"""

import array
import itertools
import json
import os
import socket
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import anyio

from belljar.egress.policy.file import BadPolicy
from belljar.egress.proxy.gate import Record, Ring
from belljar.tasks import background

MAX_PACKET = 160 * 1024
MAX_DESCRIPTORS = 4
# Messages that wait for a slow reader; more are dropped and counted, answers are never.
MAX_WAITING = 4_000


class ChannelClosed(Exception):
    """The other side is gone."""


class Channel:
    """Either end.  Sending never waits; one task may receive, one runs `flush`."""

    def __init__(self, sock: socket.socket) -> None:
        sock.setblocking(False)
        self._sock = sock
        self._waiting: deque[tuple[bytes, list[socket.socket]]] = deque()
        self._more = anyio.Event()
        self.dropped = 0

    def send(self, message: dict[str, object], *sockets: socket.socket, is_droppable: bool = False) -> None:
        """Descriptors are duplicated, so the caller keeps its own."""
        if is_droppable and len(self._waiting) >= MAX_WAITING:
            self.dropped += 1
            return
        self._waiting.append((json.dumps(message).encode(), [sock.dup() for sock in sockets]))
        self._push()

    async def flush(self) -> None:
        """Send what could not be sent at once; runs as long as the channel does."""
        while True:
            await self._more.wait()
            self._more = anyio.Event()
            await anyio.wait_writable(self._sock)
            self._push()

    async def receive(self) -> tuple[dict[str, Any], list[int]]:
        """The next message; whoever calls owns the descriptors.  Raises `ChannelClosed`."""
        while True:
            try:
                data, fds = self._receive_now()
            except BlockingIOError:
                await anyio.wait_readable(self._sock)
                continue
            except OSError as error:
                raise ChannelClosed from error
            if not data:
                raise ChannelClosed
            return json.loads(data), fds

    def close(self) -> None:
        self._sock.close()
        while self._waiting:
            self._drop_sockets(self._waiting.popleft()[1])

    def _receive_now(self) -> tuple[bytes, list[int]]:
        data, fds, flags, _ = socket.recv_fds(self._sock, MAX_PACKET, MAX_DESCRIPTORS, socket.MSG_CMSG_CLOEXEC)
        if flags & (socket.MSG_TRUNC | socket.MSG_CTRUNC):
            for fd in fds:
                os.close(fd)
            raise OSError("a message is too large")
        return data, fds

    def _push(self) -> None:
        while self._waiting:
            data, sockets = self._waiting[0]
            fds = array.array("i", [sock.fileno() for sock in sockets])
            try:
                ancillary = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, fds)] if sockets else []
                self._sock.sendmsg([data], ancillary)
            except BlockingIOError:
                self._more.set()
                return
            except OSError:
                # Gone: the receiving side hears of it and ends.
                self._more = anyio.Event()
            self._drop_sockets(self._waiting.popleft()[1])

    @staticmethod
    def _drop_sockets(sockets: list[socket.socket]) -> None:
        for sock in sockets:
            sock.close()


ANSWER_TIMEOUT = 10.0

Dial = Callable[[int], Awaitable[socket.socket]]


class EgressGone(Exception):
    """The egress process has ended: nothing gets out until there is another."""


@dataclass
class _Answer:
    done: anyio.Event
    refusal: BadPolicy | None = None


class Egress:
    """One box's share of an egress process."""

    def __init__(self, channel: Channel, name: str = "box", dial: Dial | None = None, log: Ring | None = None) -> None:
        self.log = Ring() if log is None else log
        # Set when the process has ended.
        self.gone = anyio.Event()
        self._name = name
        self._channel = channel
        self._dial = dial
        self._answers: dict[int, _Answer] = {}
        self._ids = itertools.count(1)
        self._ready = anyio.Event()

    async def listen(
        self,
        listener: socket.socket,
        policy: str,
        allow: tuple[str, ...] = (),
        *,
        identity: str = "",
        dials: bool = False,
    ) -> None:
        """Serve `listener` by this policy; raises `BadPolicy`.  The caller may close its own descriptor.

        `dials`: the box has a loopback of its own, which `dial` reaches and which comes first.
        """
        message = {"policy": policy, "allow": list(allow), "identity": identity, "dials": dials}
        await self._ask("listen", message, listener)

    async def set_policy(self, policy: str, allow: tuple[str, ...] = ()) -> None:
        """Holds when this returns, for open connections too; raises `BadPolicy` and changes nothing then."""
        await self._ask("policy", {"policy": policy, "allow": list(allow)})

    async def _ask(self, do: str, message: dict[str, object], *sockets: socket.socket) -> None:
        if self.gone.is_set():
            raise EgressGone
        id = next(self._ids)
        answer = self._answers[id] = _Answer(anyio.Event())
        self._channel.send({"do": do, "id": id, "box": self._name, **message}, *sockets)
        try:
            with anyio.fail_after(ANSWER_TIMEOUT):
                await answer.done.wait()
        finally:
            del self._answers[id]
        if self.gone.is_set():
            raise EgressGone
        if answer.refusal is not None:
            raise answer.refusal

    async def run(self) -> None:
        """Read the channel until it ends."""
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self._channel.flush)
            try:
                while True:
                    message, fds = await self._channel.receive()
                    for fd in fds:
                        os.close(fd)
                    if message["event"] == "dial":
                        tasks.start_soon(self._dial_for, message["id"], message["port"])
                    else:
                        self._take(message)
            except ChannelClosed:
                self.gone.set()
                for answer in self._answers.values():
                    answer.done.set()
                tasks.cancel_scope.cancel()

    async def wait_ready(self) -> None:
        await self._ready.wait()

    def _take(self, message: dict[str, Any]) -> None:
        match message["event"]:
            case "ready":
                self._ready.set()
            case "record":
                self.log.put(Record(**message["record"]))
            case "done" | "refused" if answer := self._answers.get(message["id"]):
                if message["event"] == "refused":
                    answer.refusal = BadPolicy(message["reason"], message["line"])
                answer.done.set()

    async def _dial_for(self, id: int, port: int) -> None:
        try:
            if self._dial is None:
                raise OSError
            sock = await self._dial(port)
        except OSError as error:
            self._channel.send({"do": "dialed", "id": id, "error": error.errno or 0})
        else:
            with sock:
                self._channel.send({"do": "dialed", "id": id}, sock)


@asynccontextmanager
async def open_egress(
    sock: socket.socket, name: str = "box", dial: Dial | None = None, log: Ring | None = None
) -> AsyncIterator[Egress]:
    """Speak to the egress process at the other end of `sock`, which listens when this is entered."""
    channel = Channel(sock)
    egress = Egress(channel, name, dial, log)
    try:
        async with background(egress.run, name="egress channel"):
            with anyio.fail_after(ANSWER_TIMEOUT):
                await egress.wait_ready()
            yield egress
    finally:
        channel.close()
