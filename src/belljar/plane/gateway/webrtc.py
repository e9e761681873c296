"""WebRTC for all sessions by one port: packets go to the box that their peer's name says, over the box's own socket.

A box is relayed to for as long as a socket that peers come of is open to it, and tells the names and passwords of the
peers it has offered; nobody else's packet gets as far as a box, and none is answered here.
"""

import asyncio
import math
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial

import anyio
import msgspec
from anyio.abc import TaskGroup
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from belljar.ice import OpenPort, Packet, SharedPort, Source, TurnServers, name_prefix, open_port, pack, unpack
from belljar.logs import log
from belljar.plane.boxes.launchers.base import Address
from belljar.plane.gateway.forward_socket import open_socket
from belljar.plane.sessions.directory import SessionEntry
from belljar.plane.supervision import ControlMetrics
from belljar.server.signed_caller import CALLER_HEADER, WEBSOCKET, CallerSigner
from belljar.tasks import Signal, background
from belljar.tokens import CONTROL_PLANE, Role
from belljar.wire.desktop import STREAM_RELAY

_CLOSE_SECONDS = 2.0
_AGAIN_SECONDS = 1.0
_LINGER_SECONDS = 2.0
_LAST_WORDS_SECONDS = 1.0
# A box has a few viewers, each with one peer; and a few that are going.
_MOST_NAMES = 256
# Packets for a box that does not take them: those that come then are lost.
_MOST_WAITING = 2000


class _Said(msgspec.Struct):
    """What a box says of its peers."""

    join: str = ""
    password: str = ""
    leave: str = ""


_said = msgspec.json.Decoder(_Said).decode


class WebrtcRelays:
    """`port` is None where WebRTC is off."""

    def __init__(self, port: SharedPort | None, turn: TurnServers, metrics: ControlMetrics, tasks: TaskGroup) -> None:
        self._port = port
        self._turn = turn
        self._metrics = metrics
        self._tasks = tasks
        self._relays: dict[str, _Relay] = {}

    @asynccontextmanager
    async def relaying(self, entry: SessionEntry) -> AsyncIterator[None]:
        """Packets reach the session's box while the block lasts.  Where they do not, it says so to its viewers."""
        box_id, address, signer = entry.row.box_id, entry.address, entry.signer
        if self._port is None or box_id is None or address is None or signer is None:
            yield
            return
        relay = self._relays.get(box_id)
        if relay is None or relay.is_over:
            relay = self._relays[box_id] = _Relay(box_id, self._port, self._turn, self._metrics)
            self._tasks.start_soon(self._run, relay, address, signer, name="webrtc relay")
        relay.users += 1
        try:
            # Whoever wants a peer has their box wait for it; who wants none does not wait.
            yield
        finally:
            relay.users -= 1
            if not relay.users:
                self._tasks.start_soon(self._end_unless_used, relay, name="webrtc relay's end")

    async def _end_unless_used(self, relay: "_Relay") -> None:
        """A moment later: what peers are told at their end has to come through."""
        await anyio.sleep(_LINGER_SECONDS)
        if not relay.users:
            relay.is_over = True
            relay.scope.cancel()

    async def _run(self, relay: "_Relay", address: Address, signer: CallerSigner) -> None:
        """As long as it is used: a box that cannot open it now may be able to later."""
        try:
            with relay.scope:
                while True:
                    await relay.run(address, signer)
                    await anyio.sleep(_AGAIN_SECONDS)
        except Exception:  # one box's trouble is not the others'
            log.exception("relay.failed", box_id=relay.box_id)
        finally:
            relay.is_over = True
            if self._relays.get(relay.box_id) is relay:
                del self._relays[relay.box_id]


class _Relay:
    """One box's peers, and the socket to it."""

    def __init__(self, box_id: str, port: SharedPort, turn: TurnServers, metrics: ControlMetrics) -> None:
        self.box_id = box_id
        self._port = port
        self._turn = turn
        self._metrics = metrics
        # Those with a signalling socket.
        self.users = 0
        self.is_over = False
        self.scope = anyio.CancelScope()
        self._names: set[str] = set()
        self._waiting: list[Packet] = []
        self._came = Signal()

    async def run(self, address: Address, signer: CallerSigner) -> None:
        """Until the box hangs up."""
        signed = signer.sign(WEBSOCKET, STREAM_RELAY.encode(), Role.OPERATOR, CONTROL_PLANE)
        try:
            socket = await open_socket(address, STREAM_RELAY, [(CALLER_HEADER.encode(), signed)], [])
        except (OSError, TimeoutError, InvalidHandshake) as error:
            log.warning("relay.refused", box_id=self.box_id, reason=str(error)[:200])
            return
        try:
            async with background(partial(self._send, socket), name="relay inward"):
                await self._take(socket)
        except ConnectionClosed:
            # The box has ended, and its viewers with it.
            return
        finally:
            for name in self._names:
                self._port.leave(name)
            self._names.clear()
            with anyio.move_on_after(_CLOSE_SECONDS, shield=True):
                await socket.close()

    async def _take(self, socket: ClientConnection) -> None:
        """What the box sends to peers, and says of them."""
        prefix = name_prefix(self.box_id)
        async for message in socket:
            if isinstance(message, bytes):
                self._metrics.bytes_out.inc(len(message))
                for name, source, data in unpack(message):
                    if name in self._names:
                        self._port.send(name, data, source)
                continue
            said = _said(message)
            # No box can have what is another's: names begin with their box's own.
            if said.join.startswith(prefix) and said.join not in self._names and len(self._names) < _MOST_NAMES:
                self._port.join(said.join, said.password, partial(self._deliver, said.join))
                self._names.add(said.join)
            elif said.leave in self._names:
                # Its last words may be behind what was said of it.
                asyncio.get_running_loop().call_later(_LAST_WORDS_SECONDS, self._left, said.leave)

    def _left(self, name: str) -> None:
        if name in self._names:
            self._names.discard(name)
            self._port.leave(name)

    def _deliver(self, name: str, data: bytes, source: Source) -> None:
        if len(self._waiting) < _MOST_WAITING:
            self._waiting.append(Packet(name, source, data))
            self._came.fire()

    async def _send(self, socket: ClientConnection) -> None:
        """First where the port is, and again before a viewer's credentials for TURN would be too old; then packets."""
        renewed_at = -math.inf
        while True:
            now = anyio.current_time()
            if now - renewed_at >= self._turn.seconds / 2:
                servers = self._turn.for_viewer(name_prefix(self.box_id).rstrip("/"))
                said = {"candidates": self._port.candidates, "iceServers": servers}
                await socket.send(msgspec.json.encode(said).decode())
                renewed_at = now
            with anyio.move_on_after(self._turn.seconds / 2):
                await self._came.until(lambda: bool(self._waiting))
            packets, self._waiting = self._waiting, []
            for message in pack(packets):
                self._metrics.bytes_in.inc(len(message))
                await socket.send(message)


@asynccontextmanager
async def open_webrtc(
    sockets: OpenPort | None, addresses: Sequence[str], turn: TurnServers, metrics: ControlMetrics
) -> AsyncIterator[WebrtcRelays]:
    """Read the port for as long as the block."""
    async with AsyncExitStack() as parts:
        port = None
        if sockets is not None:
            port = await parts.enter_async_context(open_port(sockets, sockets.candidates(addresses)))
        async with anyio.create_task_group() as tasks:
            yield WebrtcRelays(port, turn, metrics, tasks)
            tasks.cancel_scope.cancel()
