"""The egress process's inside: listeners and policies from a box's channel; HTTP, CONNECT and SOCKS 5 on each.

Messages in: `listen` (with the listener), `policy`, `close`, `dialed` (with the socket, or an error).  Out: `ready`,
`done` and `refused` (answers, by `id`), `record` (the log), `dial` (open a connection to the box's own loopback).
"""

import errno
import itertools
import logging
import os
import socket
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import anyio
import anyio.abc

from belljar.egress.channel import Channel, ChannelClosed
from belljar.egress.policy.ceiling import Ceiling
from belljar.egress.policy.file import BadPolicy, parse_policy
from belljar.egress.policy.policy import Request, Scheme
from belljar.egress.proxy import socks
from belljar.egress.proxy.dial import DialError
from belljar.egress.proxy.forward import Forward, denial, failure, tunnel
from belljar.egress.proxy.gate import Denied, Gate, OverLimit, Passage, Record
from belljar.egress.proxy.http1 import MAX_HEAD, BadMessage, RequestHead, parse_request
from belljar.egress.proxy.wires import HeadTooLarge, Wire, WireClosed

HEAD_TIMEOUT = 30.0
KEEP_ALIVE_TIMEOUT = 120.0

# Python's own: this process imports next to nothing of ours.
log = logging.getLogger("belljar.egress")


async def serve(listener: socket.socket, gate: Gate) -> None:
    """Accept on `listener` until cancelled; whatever it carried is closed then."""
    listener.setblocking(False)
    try:
        async with anyio.create_task_group() as tasks:
            while True:
                client = await _accept(listener)
                if gate.connections >= gate.limits.connections:
                    client.close()
                    continue
                gate.connections += 1
                tasks.start_soon(_serve_client, client, gate)
    finally:
        gate.close()


async def _accept(listener: socket.socket) -> socket.socket:
    while True:
        try:
            return listener.accept()[0]
        except BlockingIOError:
            await anyio.wait_readable(listener)
        except OSError as error:
            # Out of descriptors: those in use come free; until then new clients wait in the backlog.
            if error.errno not in (errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.ENOBUFS, errno.ECONNABORTED):
                raise
            await anyio.sleep(0.05)


async def _serve_client(sock: socket.socket, gate: Gate) -> None:
    client = Wire(sock)
    try:
        await _speak(client, gate)
    except (WireClosed, OverLimit, HeadTooLarge, TimeoutError):
        return
    except Exception:  # the top of a supervised loop: one client's trouble is not the others'
        log.exception("egress.client_failed")
    finally:
        gate.connections -= 1
        client.close()


async def _speak(client: Wire, gate: Gate) -> None:
    """Which protocol it is shows in the first byte."""
    with anyio.fail_after(HEAD_TIMEOUT):
        await client.fill()
    if client.ahead[0] == 5:
        await _serve_socks(client, gate)
    else:
        await _serve_http(client, gate)


async def _serve_socks(client: Wire, gate: Gate) -> None:
    try:
        with anyio.fail_after(HEAD_TIMEOUT):
            host, port = await socks.accept(client)
        passage = await gate.open(Request(Scheme.TUNNEL, host, port))
    except socks.SocksRefused as error:
        await socks.answer(client, error.code)
    except Denied:
        await socks.answer(client, socks.DENIED)
    except DialError as error:
        await socks.answer(client, socks.REFUSED if error.code == errno.ECONNREFUSED else socks.UNREACHABLE)
    else:
        await tunnel(client, passage, bytes((5, 0, 0, 1, 0, 0, 0, 0, 0, 0)))


async def _serve_http(client: Wire, gate: Gate) -> None:
    forward = Forward(client, gate)
    try:
        timeout = HEAD_TIMEOUT
        while True:
            request = await _next_request(client, timeout)
            if request is None:
                return
            if request.method == b"CONNECT":
                return await _connect(client, gate, request)
            if not await forward.carry(request):
                return
            timeout = KEEP_ALIVE_TIMEOUT
    finally:
        forward.close()


async def _next_request(client: Wire, timeout: float) -> RequestHead | None:
    try:
        with anyio.fail_after(timeout):
            head = await client.read_head(MAX_HEAD)
        return parse_request(head) if head else None
    except HeadTooLarge:
        await client.send(failure(431, None, "The headers are too large"))
    except BadMessage as error:
        await client.send(failure(error.status, None, str(error)))
    return None


async def _connect(client: Wire, gate: Gate, head: RequestHead) -> None:
    request = Request(Scheme.TUNNEL, head.host, head.port)
    try:
        passage = await gate.open(request)
    except Denied as error:
        await client.send(denial(request, error.decision))
    except DialError as error:
        await client.send(failure(502, request, error.reason))
    else:
        await tunnel(client, passage, b"HTTP/1.1 200 Connection established\r\n\r\n")


BOX_DIAL_TIMEOUT = 5.0
# For connections that a new policy has ended to be over.
CUT_TIMEOUT = 2.0


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

    def __init__(self, channel: Channel, ceiling: Ceiling | None = None) -> None:
        self._channel = channel
        # What holds whatever a box says.
        self._ceiling = ceiling
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
                self._answer(message, self._set_policy, tasks)
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

    def _listen(self, message: dict[str, Any], sockets: list[socket.socket], tasks: anyio.abc.TaskGroup) -> None:
        name = message["box"]
        policy = parse_policy(message["policy"], tuple(message.get("allow", ())))
        box_dial = partial(self._dial, name) if message.get("dials") else None
        gate = Gate(policy, partial(self._record, name), box_dial, message.get("identity") or name, self._ceiling)
        scope = anyio.CancelScope()
        if name in self._boxes:
            # A new jail has a new listener; the old one's is of no use to anyone.
            self._boxes[name].scope.cancel()
        self._boxes[name] = _Box(gate, scope)
        tasks.start_soon(self._serve, sockets[0], gate, scope)
        self._channel.send({"event": "done", "id": message["id"]})

    async def _serve(self, listener: socket.socket, gate: Gate, scope: anyio.CancelScope) -> None:
        with scope, listener:
            await serve(listener, gate)

    def _set_policy(self, message: dict[str, Any], tasks: anyio.abc.TaskGroup) -> None:
        policy = parse_policy(message["policy"], tuple(message.get("allow", ())))
        cut = self._boxes[message["box"]].gate.set_policy(policy)
        tasks.start_soon(self._answer_when_over, message["id"], cut)

    async def _answer_when_over(self, id: int, cut: Sequence[Passage]) -> None:
        """Whoever hears that a policy holds has heard before how much went through what it ended."""
        with anyio.move_on_after(CUT_TIMEOUT):
            for passage in cut:
                await passage.is_over.wait()
        self._channel.send({"event": "done", "id": id})

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
