"""A D-Bus connection on any socket, one handed out of a jail too: jeepney speaks the protocol, this carries it."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import anyio
from jeepney import DBusAddress, HeaderFields, MessageType, new_method_call
from jeepney.low_level import Parser

from belljar.tasks import background

# How long an application may take over one question.
CALL_TIMEOUT = 2.0
_CHUNK = 65536


class BusError(Exception):
    """The bus, or somebody on it, did not do as asked."""


class Bus:
    """Calls methods; each answer is awaited by itself, so many can be under way."""

    def __init__(self, sock: socket.socket) -> None:
        self._socket = sock
        self._loop = asyncio.get_running_loop()
        self._parser = Parser()
        self._serial = 0
        self._waiting: dict[int, asyncio.Future[object]] = {}
        # Messages leave whole.
        self._turn = anyio.Lock()

    async def call(
        self,
        name: str,
        path: str,
        interface: str,
        method: str,
        signature: str | None = None,
        body: tuple[object, ...] = (),
        *,
        timeout: float = CALL_TIMEOUT,
    ) -> tuple[Any, ...]:
        """The body of the answer.  Raises `BusError`."""
        message = new_method_call(DBusAddress(path, name, interface), method, signature, body)
        self._serial += 1
        serial = self._serial
        future = self._waiting[serial] = self._loop.create_future()
        try:
            with anyio.fail_after(timeout):
                async with self._turn:
                    await self._loop.sock_sendall(self._socket, message.serialise(serial))
                answer: tuple[object, ...] = await future
                return answer
        except (OSError, TimeoutError) as error:
            raise BusError(f"{name} does not answer") from error
        finally:
            self._waiting.pop(serial, None)

    async def read(self) -> None:
        """Until the bus goes away."""
        while True:
            try:
                data = await self._loop.sock_recv(self._socket, _CHUNK)
            except OSError:
                data = b""
            if not data:
                break
            for message in self._parser.feed(data):
                self._take(message)
        for future in self._waiting.values():
            if not future.done():
                future.set_exception(BusError("the bus has gone"))

    def _take(self, message: Any) -> None:
        future = self._waiting.get(message.header.fields.get(HeaderFields.reply_serial, 0))
        if future is None or future.done():
            return
        if message.header.message_type is MessageType.error:
            future.set_exception(BusError(message.header.fields.get(HeaderFields.error_name, "an error")))
        else:
            future.set_result(message.body)


@asynccontextmanager
async def open_bus(sock: socket.socket) -> AsyncIterator[Bus]:
    """Introduce ourselves on a connected socket, which is closed at the end."""
    sock.setblocking(False)
    try:
        with anyio.fail_after(CALL_TIMEOUT):
            await _authenticate(sock)
        bus = Bus(sock)
        async with background(bus.read, name="bus"):
            await bus.call("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "Hello")
            yield bus
    except (OSError, TimeoutError) as error:
        raise BusError("the bus does not let us in") from error
    finally:
        sock.close()


async def _authenticate(sock: socket.socket) -> None:
    """As whom the kernel says we are: in a jail that is somebody else than outside."""
    loop = asyncio.get_running_loop()
    for say, expect in ((b"\0AUTH EXTERNAL\r\n", b"DATA"), (b"DATA\r\n", b"OK")):
        await loop.sock_sendall(sock, say)
        heard = b""
        while not heard.endswith(b"\r\n"):
            more = await loop.sock_recv(sock, 512)
            if not more:
                raise BusError("the bus hung up")
            heard += more
        if not heard.startswith(expect):
            raise BusError("the bus does not let us in")
    await loop.sock_sendall(sock, b"BEGIN\r\n")
