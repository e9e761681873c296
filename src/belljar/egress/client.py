"""A box's end of the channel to its egress process: hand over a listener, set the policy, read the log."""

import itertools
import os
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import anyio

from belljar.egress.control import Channel, ChannelClosed
from belljar.egress.log import Record, Ring
from belljar.egress.policyfile import BadPolicy
from belljar.tasks import background

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

    async def _ask(self, do: str, message: dict[str, Any], *sockets: socket.socket) -> None:
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
