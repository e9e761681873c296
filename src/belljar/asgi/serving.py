"""Uvicorn, as we run it: a socket bound before anything is built, problems for what it refuses, a clean end."""

import asyncio
import errno
import gc
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

import httptools
import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol, RequestResponseCycle
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from belljar.asgi.answers import problem_bytes
from belljar.limits import MAX_HEADER_BYTES, MAX_WEBSOCKET_MESSAGE_BYTES
from belljar.problems import CONTENT_TYPE, HeadersTooLarge, InvalidRequest, Problem

# How long open requests may take to end once the server was told to stop.
DRAIN_SECONDS = 3
# Messages of a WebSocket that may wait for the application, and how large one of them may be.
MAX_WAITING = 16
SMALL_MESSAGE = 64 * 1024
# Turns of the event loop that the last words of a stream take, and some more.
_LAST_TURNS = 50


class CannotListen(Exception):
    """The address cannot be bound; the message says why in a sentence for people."""


def bind(host: str, port: int) -> socket.socket:
    """A socket that listens on `host` and `port` (0: any free one), or `CannotListen`."""
    try:
        family, kind, proto, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listener = socket.socket(family, kind, proto)
    except OSError as error:
        raise CannotListen(f"{host} is not an address of this machine: {error.strerror}.") from error
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(2048)
    except OSError as error:
        listener.close()
        if error.errno == errno.EADDRINUSE:
            raise CannotListen(
                f"Port {port} on {host} is taken. Stop what uses it, or choose another with --port."
            ) from error
        if error.errno == errno.EACCES:
            raise CannotListen(f"Port {port} needs root. Choose one above 1023 with --port.") from error
        raise CannotListen(f"Cannot listen on {host}:{port}: {error.strerror}.") from error
    listener.setblocking(False)
    return listener


def inherited(descriptor: int) -> socket.socket:
    """A socket that whoever started us bound and passed on, or `CannotListen`."""
    try:
        listener = socket.socket(fileno=descriptor)
        listener.listen(2048)
    except OSError as error:
        raise CannotListen(f"Descriptor {descriptor} is not a socket to listen on: {error.strerror}.") from error
    listener.setblocking(False)
    return listener


def serve(
    app: ASGIApp,
    listener: socket.socket,
    *,
    on_listening: Callable[[], None],
    on_stopping: Callable[[], None],
    drain: float = DRAIN_SECONDS,
) -> bool:
    """Serve until SIGTERM or SIGINT.  False when the application did not come up, or broke down.

    `on_stopping` is called as soon as the signal arrives, so that streams without an end can end themselves.
    """
    config = uvicorn.Config(
        app,
        loop="uvloop",
        http=_HttpProtocol,
        ws=_WebSocketProtocol,
        ws_max_size=MAX_WEBSOCKET_MESSAGE_BYTES,
        ws_per_message_deflate=False,
        log_config=None,
        access_log=False,
        server_header=False,
        lifespan="on",
        # Forwarded headers are believed from nobody.
        proxy_headers=False,
        timeout_graceful_shutdown=max(1, round(drain)),
    )
    server = _Server(config, on_listening, on_stopping)
    try:
        with _taking_signals(server):
            server.run(sockets=[listener])
    except SystemExit:
        return False
    return server.started and not server.has_failed


@contextmanager
def _taking_signals(server: uvicorn.Server) -> Iterator[None]:
    """From here on a signal stops the server: uvicorn takes them only once its loop runs, a blink later."""
    before = {number: signal.signal(number, server.handle_exit) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


class _Server(uvicorn.Server):
    def __init__(
        self, config: uvicorn.Config, on_listening: Callable[[], None], on_stopping: Callable[[], None]
    ) -> None:
        super().__init__(config)
        self._on_listening = on_listening
        self._on_stopping = on_stopping
        # The application's parts broke down while it was serving.
        self.has_failed = False

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        # What is there now stays: the collector need not look at it again with every generation.
        gc.freeze()
        gc.enable()
        self._on_listening()

    async def on_tick(self, counter: int) -> bool:
        """Uvicorn would serve on without the parts: whoever started us must know, to start us again."""
        if getattr(self.lifespan, "error_occurred", False):
            self.has_failed = True
            return True
        return await super().on_tick(counter)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        super().handle_exit(sig, frame)
        self._on_stopping()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        # Streams that were told to end say why, before uvicorn closes their sockets with a word of its own.
        for _ in range(_LAST_TURNS):
            await asyncio.sleep(0)
        await super().shutdown(sockets)
        # Uvicorn would raise the signal again; a stop that was asked for and went well is a success.
        self._captured_signals.clear()


class _WebSocketProtocol(WebSocketsSansIOProtocol):
    """Reads on while a few small messages wait.  Uvicorn stops reading with each: two system calls a message."""

    def send_receive_event_to_app(self) -> None:
        is_small = sum(map(len, self.frames)) <= SMALL_MESSAGE
        if self.read_paused or not is_small or self.queue.qsize() >= MAX_WAITING:
            super().send_receive_event_to_app()
            return
        # What is paused already is not paused again.
        self.read_paused = True
        super().send_receive_event_to_app()
        self.read_paused = False


class _HeadWithBody:
    """A transport that keeps the head of an answer for the body, or for the end of this turn of the loop.

    Uvloop sends each write at once: a head by itself is one more system call here and wakes the client for nothing.
    """

    def __init__(self, transport: asyncio.Transport) -> None:
        self._transport = transport
        self._kept: bytes | None = None
        self._has_kept = False
        self.is_closing = transport.is_closing

    def write(self, data: bytes) -> None:
        if not self._has_kept:
            self._kept, self._has_kept = data, True
            asyncio.get_running_loop().call_soon(self._let_go)
        elif self._kept is not None:
            kept, self._kept = self._kept, None
            self._transport.writelines((kept, data))
        else:
            self._transport.write(data)

    def close(self) -> None:
        self._let_go()
        self._transport.close()

    def _let_go(self) -> None:
        kept, self._kept = self._kept, None
        # Uvloop raises where the client has gone meanwhile.
        if kept is not None and not self._transport.is_closing():
            self._transport.write(kept)


class _HttpProtocol(HttpToolsProtocol):
    """Bounded headers, and a problem document where uvicorn would answer in plain text."""

    _header_bytes = 0
    _in_headers = False

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self._in_headers:
            self._header_bytes += len(data)
            if self._header_bytes > MAX_HEADER_BYTES and not self.transport.is_closing():
                self.send_400_response("")

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._in_headers = True
        self._header_bytes = 0

    def on_headers_complete(self) -> None:
        self._in_headers = False
        self._header_bytes = len(self.url) + sum([len(name) + len(value) for name, value in self.headers])
        if self._header_bytes > MAX_HEADER_BYTES:
            raise httptools.HttpParserError("headers too large")
        super().on_headers_complete()

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        cycle.transport = _HeadWithBody(cycle.transport)  # type: ignore[assignment]  # all that a cycle uses of one
        super()._start_asgi_task(cycle, app)

    def send_400_response(self, msg: str) -> None:
        problem: Problem = InvalidRequest("This is not an HTTP request that can be read.")
        if self._header_bytes > MAX_HEADER_BYTES:
            problem = HeadersTooLarge(f"The request's headers are over the limit of {MAX_HEADER_BYTES} bytes.")
        body = problem_bytes(problem)
        head = f"content-type: {CONTENT_TYPE}\r\ncontent-length: {len(body)}\r\nconnection: close\r\n\r\n"
        self.transport.write(STATUS_LINE[problem.status] + head.encode() + body)
        self.transport.close()
