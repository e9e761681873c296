"""The ports by which WebRTC viewers reach a box: one of its own, or those of the control planes that relay to it."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import anyio
from starlette.websockets import WebSocket

from belljar.box.live.rtc.relay import Relay
from belljar.box.live.video.streamer import Streamer, StreamerLost
from belljar.ice import Candidate, Credentials, IceServer, OpenPort, TurnServers, bind_port, host_to_bind
from belljar.logs import log
from belljar.problems import Conflict
from belljar.tasks import Signal
from belljar.wire.desktop import Webrtc

LOOPBACK = "127.0.0.1"
DEFAULT_RANGE = (59050, 59070)
_LEAST_PORT = 1024
# How long a control plane may take to open its relay.
_RELAY_SECONDS = 5.0


@dataclass(frozen=True)
class PortSettings:
    """As the operator said.  `port` is 0 for the first free one of a range."""

    mode: Webrtc = Webrtc.LOOPBACK
    addresses: tuple[str, ...] = ()
    port: int = 0
    has_tcp: bool = True
    turn: TurnServers = TurnServers((), "", 0)


class Ports:
    def __init__(self, settings: PortSettings, box_id: str) -> None:
        self._settings = settings
        self._box_id = box_id
        self._own: OpenPort | None = None
        # Who has been given our own.
        self._given: Streamer | None = None
        self._relays: list[Relay] = []
        self._relays_changed = Signal()

    @property
    def reason_against(self) -> str | None:
        """Why there can be none."""
        if self._settings.mode is Webrtc.OFF:
            return "streaming by WebRTC is off: see --webrtc"
        if self._settings.mode is Webrtc.PUBLIC and not self._settings.addresses:
            return "where viewers reach this host is not known: see --webrtc-address"
        return None

    @property
    def _is_relayed(self) -> bool:
        return self._settings.mode is Webrtc.RELAY

    async def attend(self, websocket: WebSocket, stopping: anyio.Event) -> None:
        """A control plane's relay, for as long as it is open.  Raises `Conflict` where none is expected."""
        if not self._is_relayed:
            raise Conflict("this box has a port of its own: see --webrtc")
        relay = Relay(websocket)

        def ready() -> None:
            if relay not in self._relays:
                self._relays.append(relay)
                self._relays_changed.fire()

        try:
            await relay.attend(stopping, ready)
        finally:
            if relay in self._relays:
                self._relays.remove(relay)

    async def ready(self, asked: tuple[int, int] | None) -> None:
        """Open what peers need, `asked` being the range that a start named.  Raises `Conflict`."""
        if self._is_relayed:
            with anyio.move_on_after(_RELAY_SECONDS):
                await self._relays_changed.until(lambda: bool(self._relays))
            if not self._relays:
                raise Conflict("the control plane does not relay to this box")
        if (not self._is_relayed or asked is not None) and self._own is None:
            self._own = self._bound(asked)
            self._given = None
            log.info("stream.port", port=self._own.number, tcp=self._own.tcp is not None)

    def give(self, streamer: Streamer) -> None:
        """Have that process use them, as far as it does not yet.  Raises `StreamerLost`."""
        for relay in self._relays:
            relay.give(streamer)
        if self._own is not None and self._given is not streamer:
            sockets = [one.fileno() for one in (self._own.udp, self._own.tcp) if one is not None]
            candidates = self._own.candidates(self._advertised)
            streamer.send({"do": "port", "candidates": candidates}, sockets)
            self._given = streamer

    @contextmanager
    def credentials(self) -> Iterator[Credentials]:
        """A new peer's, which whoever relays lets in for as long as the block."""
        made = Credentials.new(self._box_id)
        relays = list(self._relays)
        for relay in relays:
            relay.join(made.name, made.password)
        try:
            yield made
        finally:
            for relay in relays:
                relay.leave(made.name)

    def ice_servers(self, viewer: str) -> list[IceServer]:
        """Never empty: a client would then ask a public one who it is.  The one of ours never answers, and need not.

        Not the stream's own port: Chromium takes all that comes from a server's for the server's answers.
        """
        given = [server for relay in self._relays for server in relay.ice_servers]
        return given or self._settings.turn.for_viewer(viewer) or [_nobody(self._advertised[0])]

    @property
    def _advertised(self) -> Sequence[str]:
        if self._settings.mode is Webrtc.LOOPBACK:
            return (LOOPBACK,)
        if self._settings.mode is Webrtc.PUBLIC:
            return self._settings.addresses
        return _hosts(candidate for relay in self._relays for candidate in relay.candidates) or (LOOPBACK,)

    def _bound(self, asked: tuple[int, int] | None) -> OpenPort:
        """One port for all peers: the operator's, or the first of the range that is free."""
        host = host_to_bind(self._advertised)
        first, last = asked or DEFAULT_RANGE
        numbers = range(max(first, _LEAST_PORT), last + 1)
        if asked is None and self._settings.port:
            numbers = range(self._settings.port, self._settings.port + 1)
        has_tcp = self._settings.has_tcp and not self._is_relayed
        for with_tcp in {has_tcp: None, False: None}:
            for number in numbers:
                try:
                    return bind_port(host, number, has_tcp=with_tcp)
                except OSError:
                    continue
        raise Conflict(f"no UDP port of {first}-{last} is free")

    def close_own(self) -> None:
        if self._own is not None:
            if self._given is not None:
                self._take_back(self._given)
            self._own.close()
            self._own = self._given = None

    def _take_back(self, streamer: Streamer) -> None:
        try:
            streamer.send({"do": "port", "candidates": []})
        except StreamerLost:
            # Its copies went with it.
            return


def _nobody(host: str) -> IceServer:
    return {"urls": [f"stun:[{host}]:9" if ":" in host else f"stun:{host}:9"]}


def _hosts(candidates: Iterator[Candidate]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(candidate.host for candidate in candidates))
