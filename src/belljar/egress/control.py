"""The channel between a box and its egress process: one JSON object a packet, descriptors beside it.

A packet socket keeps messages apart, the kernel says when the other side is gone, and nothing of it has a path.
"""

import array
import json
import os
import socket
from collections import deque
from typing import Any

import anyio

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

    def send(self, message: dict[str, Any], *sockets: socket.socket, is_droppable: bool = False) -> None:
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
