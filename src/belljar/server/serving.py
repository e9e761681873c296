"""Uvicorn, as we run it: a socket bound before anything is built, problems for what it refuses, a clean end."""

import asyncio
import errno
import gc
import os
import signal
import socket
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http import HTTPStatus
from types import FrameType
from typing import Any

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.datastructures import Headers
from websockets.http11 import Response
from websockets.server import ServerProtocol

from belljar.ice import OpenPort, bind_port
from belljar.limits import BODY_SECONDS, HEAD_SECONDS, MAX_WEBSOCKET_MESSAGE_BYTES
from belljar.problems import CONTENT_TYPE, Forbidden, HeadersTooLarge, InternalError, InvalidRequest, Problem
from belljar.server.answers import SAFE_HEADERS, problem_bytes
from belljar.server.connections import Connections
from belljar.server.http1 import HttpProtocol, ServerConfig

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


def bind_webrtc(host: str, port: int, *, has_tcp: bool) -> OpenPort:
    """The port of WebRTC's viewers, or `CannotListen`."""
    try:
        return bind_port(host, port, has_tcp=has_tcp)
    except OSError as error:
        raise CannotListen(f"Cannot open port {port} for WebRTC: {error.strerror}. See --webrtc-port.") from error


def bind_path(path: str) -> socket.socket:
    """A Unix socket at `path` that listens, or `CannotListen`; one that was left there by somebody killed goes."""
    listener = socket.socket(socket.AF_UNIX)
    try:
        if stat.S_ISSOCK(os.lstat(path).st_mode):
            os.unlink(path)
    except OSError:
        # Nothing is there, or nothing of ours: binding says it.
        pass
    try:
        listener.bind(path)
        listener.listen(2048)
    except OSError as error:
        listener.close()
        raise CannotListen(f"Cannot listen on {path}: {error.strerror or error}.") from error
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
    head_seconds: float = HEAD_SECONDS,
    body_seconds: float = BODY_SECONDS,
    per_address: Connections | None = None,
) -> bool:
    """Serve until SIGTERM or SIGINT.  False when the application did not come up, or broke down.

    `on_stopping` is called as soon as the signal arrives, so that streams without an end can end themselves.
    """
    config = ServerConfig(
        app,
        loop="uvloop",
        http=HttpProtocol,
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
    config.head_seconds = head_seconds
    config.body_seconds = body_seconds
    config.per_address = Connections() if per_address is None else per_address
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


class _Handshakes(ServerProtocol):
    """Refuses with a problem document what the library, or uvicorn, would refuse in plain text."""

    def reject(self, status: int, text: str) -> Response:
        problem = _refusal(status)
        body = problem_bytes(problem)
        headers = Headers({"Connection": "close", "Content-Length": str(len(body)), "Content-Type": CONTENT_TYPE})
        headers.update(SAFE_HEADERS)
        return Response(problem.status, HTTPStatus(problem.status).phrase, headers, body)


def _refusal(status: int) -> Problem:
    """What a head was refused for that came as far as here: the rest of it was looked at before (`request_head`)."""
    match status:
        case HTTPStatus.FORBIDDEN:
            return Forbidden("This WebSocket was not accepted.")
        case HTTPStatus.REQUEST_URI_TOO_LONG | HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE:
            return HeadersTooLarge("A WebSocket opens with at most 128 headers, and none longer than 8,192 bytes.")
        case HTTPStatus.INTERNAL_SERVER_ERROR:
            return InternalError("The server could not open this WebSocket.")
    return InvalidRequest(
        "The WebSocket's handshake cannot be read: its Sec-WebSocket-Key is 16 bytes in base64, its protocols are "
        "names with commas between them, and it has one Origin at most."
    )


class _WebSocketProtocol(WebSocketsSansIOProtocol):
    """Reads on while a few small messages wait.  Uvicorn stops reading with each: two system calls a message."""

    config: ServerConfig

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.conn = _Handshakes(max_size=self.config.ws_max_size, logger=self.logger)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        # There is room: the connection was counted as one that had not become a WebSocket yet, until just now.
        self._counted_as = self.config.per_address.open(self.client[0] if self.client else None)

    def connection_lost(self, exc: Exception | None) -> None:
        self.config.per_address.close(self._counted_as)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.conn.handshake_exc is not None and not self.handshake_initiated:
            # Refused while it was read: uvicorn waits for the rest, which will not come.
            self.handshake_initiated = self.handshake_complete = self.close_sent = True
            said = b"".join(self.conn.data_to_send()) or self.conn.reject(HTTPStatus.BAD_REQUEST, "").serialize()
            self.transport.write(said)
            self.transport.close()

    async def send(self, message: Any) -> None:
        await super().send(message)
        if self.initial_response is not None and self.close_sent:
            # A refusal is an answer too, and no fault of the application's.
            self.handshake_complete = True

    def send_receive_event_to_app(self) -> None:
        is_small = sum(map(len, self.frames)) <= SMALL_MESSAGE
        if self.read_paused or not is_small or self.queue.qsize() >= MAX_WAITING:
            super().send_receive_event_to_app()
            return
        # What is paused already is not paused again.
        self.read_paused = True
        super().send_receive_event_to_app()
        self.read_paused = False
