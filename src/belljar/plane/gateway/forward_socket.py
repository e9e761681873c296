"""Carries one WebSocket to a box and back: messages in order, each side as slow as the other."""

import socket
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Any

import anyio
from starlette.types import Receive, Scope, Send
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus
from websockets.typing import Subprotocol

from belljar.plane.boxes.launchers.base import Address
from belljar.plane.boxes.socket_path import connectable
from belljar.plane.boxes.upstream import tls_context
from belljar.plane.gateway.headers import Pairs
from belljar.plane.supervision import ControlMetrics
from belljar.problems.plane import BoxTimeout, BoxUnreachable
from belljar.server.guard import SUBPROTOCOL, TOKEN_SUBPROTOCOL
from belljar.tasks import the_only_one

_OPEN_SECONDS = 20.0
_CLOSE_SECONDS = 3.0
# Whose names the library sets itself.
_HANDSHAKE = frozenset({b"host", b"content-length"})


async def carry_socket(
    scope: Scope,
    receive: Receive,
    send: Send,
    *,
    address: Address,
    target: str,
    headers: Pairs,
    dress: Callable[[Pairs], Pairs],
    on_inward: Callable[[str | bytes], None],
    on_outward: Callable[[str | bytes], Awaitable[None]] | None = None,
    metrics: ControlMetrics,
) -> None:
    """Accept the caller's socket once the box has accepted ours, with the subprotocol it chose.

    Raises problems before that.  A box that refuses is quoted, status and body.
    """
    offered = [one for one in scope["subprotocols"] if not one.startswith(TOKEN_SUBPROTOCOL)]
    try:
        upstream = await open_socket(address, target, headers, offered)
    except InvalidStatus as refusal:
        await _quote(refusal, send, dress)
        return
    except TimeoutError as error:
        raise BoxTimeout("The session's box did not open the socket in time.") from error
    except (OSError, InvalidHandshake) as error:
        raise BoxUnreachable("The session's box cannot be reached.") from error
    try:
        first = await receive()
        if first["type"] != "websocket.connect":
            return
        chosen = upstream.subprotocol or (SUBPROTOCOL if SUBPROTOCOL in offered else None)
        await send({"type": "websocket.accept", "subprotocol": chosen, "headers": []})
        await _relay(upstream, receive, send, on_inward, on_outward, metrics)
    finally:
        with anyio.move_on_after(_CLOSE_SECONDS, shield=True):
            await upstream.close()


async def _relay(
    upstream: ClientConnection,
    receive: Receive,
    send: Send,
    on_inward: Callable[[str | bytes], None],
    on_outward: Callable[[str | bytes], Awaitable[None]] | None,
    metrics: ControlMetrics,
) -> None:
    async def inward() -> None:
        """Returns when the caller has closed."""
        while True:
            message = await receive()
            if message["type"] == "websocket.disconnect":
                await upstream.close(_sendable(message.get("code")), message.get("reason") or "")
                return
            data = message.get("text")
            if data is None:
                data = message["bytes"]
            on_inward(data)
            metrics.bytes_in.inc(len(data))
            await upstream.send(data)

    async def outward() -> None:
        """Returns when the box has closed; the caller is told with its code and reason."""
        try:
            while True:
                data = await upstream.recv()
                metrics.bytes_out.inc(len(data))
                if on_outward is not None:
                    await on_outward(data)
                kind = "text" if isinstance(data, str) else "bytes"
                await send({"type": "websocket.send", kind: data})
        except ConnectionClosed as closed:
            frame = closed.rcvd
            code, reason = (1011, "the box is gone") if frame is None else (_sendable(frame.code), frame.reason)
            await send({"type": "websocket.close", "code": code, "reason": reason})

    try:
        async with anyio.create_task_group() as tasks:

            async def until_closed() -> None:
                try:
                    await inward()
                except ConnectionClosed:
                    return
                tasks.cancel_scope.cancel()

            tasks.start_soon(until_closed, name="gateway inward")
            await outward()
            tasks.cancel_scope.cancel()
    except BaseExceptionGroup as group:
        raise the_only_one(group) from None


async def open_socket(address: Address, target: str, headers: Pairs, offered: Sequence[str]) -> ClientConnection:
    """A socket to a box.  Raises OSError, TimeoutError or `InvalidHandshake`."""
    # Who does not say it is one of ours: a box on loopback answers for that alone.
    own = f"[{address.host}]" if address.host and ":" in address.host else address.host or "box"
    host = next((value.decode("latin-1") for name, value in headers if name == b"host"), own)
    pairs = [(n.decode("latin-1"), v.decode("latin-1")) for n, v in headers if n not in _HANDSHAKE]
    where: dict[str, Any] = {"host": address.host, "port": address.port}
    if address.path:
        where = {"sock": _unix(address.path)}
    elif address.is_tls:
        where |= {"ssl": tls_context(), "server_hostname": address.host}
    opening = _Opening(
        f"{'wss' if address.is_tls else 'ws'}://{host}/",
        additional_headers=pairs,
        subprotocols=[Subprotocol(one) for one in offered] or None,
        compression=None,
        max_size=None,
        open_timeout=_OPEN_SECONDS,
        ping_interval=None,
        close_timeout=2,
        user_agent_header=None,
        proxy=None,
        **where,
    )
    # As it was signed: the library would leave out what it takes for parameters.
    path, _, query = target.partition("?")
    opening.ws_uri = replace(opening.ws_uri, path=path, query=query)
    return await opening


class _Opening(connect):
    def process_redirect(self, exc: Exception) -> Exception | str:
        """Nowhere else: what was signed for a box is for that box alone."""
        return exc


def _unix(path: str) -> socket.socket:
    """Connected at once: a box listens from before it is made."""
    connected = socket.socket(socket.AF_UNIX)
    try:
        connected.setblocking(False)
        with connectable(path) as name:
            connected.connect(name)
    except OSError:
        connected.close()
        raise
    return connected


async def _quote(refusal: InvalidStatus, send: Send, dress: Callable[[Pairs], Pairs]) -> None:
    answer = refusal.response
    pairs = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in answer.headers.raw_items()]
    head = {"type": "websocket.http.response.start", "status": answer.status_code, "headers": dress(pairs)}
    await send(head)
    await send({"type": "websocket.http.response.body", "body": answer.body or b"", "more_body": False})


def _sendable(code: int | None) -> int:
    """A code that may stand in a close frame; those that only say how a connection was lost may not."""
    return code if code is not None and (code in (1000, 1001, 1003) or 1007 <= code <= 1014 or code >= 3000) else 1000
