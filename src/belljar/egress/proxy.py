"""Moves the bytes: HTTP, CONNECT and SOCKS 5 on one listener, each connection as the gate allows."""

import errno
import logging
import socket

import anyio

from belljar.egress import socks
from belljar.egress.dial import DialError
from belljar.egress.forward import Forward
from belljar.egress.gate import Denied, Gate, OverLimit
from belljar.egress.http1 import MAX_HEAD, BadMessage, RequestHead, parse_request
from belljar.egress.pages import denial, failure
from belljar.egress.policy import Request, Scheme
from belljar.egress.tunnel import tunnel
from belljar.egress.wires import HeadTooLarge, Wire, WireClosed

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
                if gate.connections >= gate.policy.limits.connections:
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
