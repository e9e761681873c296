"""The egress process's inside: takes listeners and policies from a box's channel, serves them, tells what happens.

Messages in: `listen` (with the listener), `policy`, `close`, `dialed` (with the socket, or an error).  Out: `ready`,
`done` and `refused` (answers, by `id`), `record` (the log), `dial` (open a connection to the box's own loopback).
"""

import errno
import itertools
import os
import socket
from dataclasses import dataclass
from functools import partial
from typing import Any

import anyio
import anyio.abc

from belljar.egress.control import Channel, ChannelClosed
from belljar.egress.gate import Gate
from belljar.egress.log import Record
from belljar.egress.policyfile import BadPolicy, parse_policy
from belljar.egress.proxy import serve

BOX_DIAL_TIMEOUT = 5.0


@dataclass
class _Box:
    gate: Gate
    scope: anyio.CancelScope


@dataclass
class _Dial:
    done: anyio.Event
    sock: socket.socket | None = None
    error: int = 0


class Server:
    """Ends when the channel does: no box, no egress."""

    def __init__(self, channel: Channel) -> None:
        self._channel = channel
        self._boxes: dict[str, _Box] = {}
        self._dials: dict[int, _Dial] = {}
        self._ids = itertools.count(1)

    async def run(self) -> None:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self._channel.flush)
            self._channel.send({"event": "ready"})
            try:
                while True:
                    message, fds = await self._channel.receive()
                    self._take(message, [socket.socket(fileno=fd) for fd in fds], tasks)
            except ChannelClosed:
                tasks.cancel_scope.cancel()

    def _take(self, message: dict[str, Any], sockets: list[socket.socket], tasks: anyio.abc.TaskGroup) -> None:
        match message["do"]:
            case "listen":
                self._answer(message, self._listen, sockets, tasks)
            case "policy":
                self._answer(message, self._set_policy)
            case "close":
                box = self._boxes.pop(message["box"], None)
                if box is not None:
                    box.scope.cancel()
                self._channel.send({"event": "done", "id": message["id"]})
            case "dialed":
                self._dialed(message, sockets)

    def _answer(self, message: dict[str, Any], act: Any, *arguments: Any) -> None:
        try:
            act(message, *arguments)
        except BadPolicy as error:
            self._channel.send({"event": "refused", "id": message["id"], "reason": error.reason, "line": error.line})
        else:
            self._channel.send({"event": "done", "id": message["id"]})

    def _listen(self, message: dict[str, Any], sockets: list[socket.socket], tasks: anyio.abc.TaskGroup) -> None:
        name = message["box"]
        policy = parse_policy(message["policy"], tuple(message.get("allow", ())))
        box_dial = partial(self._dial, name) if message.get("dials") else None
        gate = Gate(policy, partial(self._record, name), box_dial, message.get("identity") or name)
        scope = anyio.CancelScope()
        if name in self._boxes:
            # A new jail has a new listener; the old one's is of no use to anyone.
            self._boxes[name].scope.cancel()
        self._boxes[name] = _Box(gate, scope)
        tasks.start_soon(self._serve, sockets[0], gate, scope)

    async def _serve(self, listener: socket.socket, gate: Gate, scope: anyio.CancelScope) -> None:
        with scope, listener:
            await serve(listener, gate)

    def _set_policy(self, message: dict[str, Any]) -> None:
        policy = parse_policy(message["policy"], tuple(message.get("allow", ())))
        self._boxes[message["box"]].gate.set_policy(policy)

    def _record(self, box: str, record: Record) -> None:
        self._channel.send({"event": "record", "box": box, "record": record.as_dict()}, is_droppable=True)

    async def _dial(self, box: str, port: int) -> socket.socket:
        """A connection to the box's own loopback, which only the box's starter can make."""
        id = next(self._ids)
        dial = self._dials[id] = _Dial(anyio.Event())
        self._channel.send({"event": "dial", "box": box, "id": id, "port": port})
        try:
            with anyio.fail_after(BOX_DIAL_TIMEOUT):
                await dial.done.wait()
        finally:
            del self._dials[id]
        if dial.sock is None:
            raise OSError(dial.error, os.strerror(dial.error))
        return dial.sock

    def _dialed(self, message: dict[str, Any], sockets: list[socket.socket]) -> None:
        dial = self._dials.get(message["id"])
        if dial is None:
            for sock in sockets:
                sock.close()
            return
        dial.sock = sockets[0] if sockets else None
        dial.error = message.get("error") or errno.ECONNREFUSED
        dial.done.set()
