"""Forwarding to a peer: another host's session goes to a control plane there, which judges it again."""

from dataclasses import dataclass
from urllib.parse import quote, urlsplit

import anyio
from starlette.types import Receive, Scope, Send

from belljar.plane.access.credentials import COOKIE, Credentials
from belljar.plane.addresses import Addresses
from belljar.plane.boxes.launchers.base import Address
from belljar.plane.boxes.upstream import Upstream, UpstreamError
from belljar.plane.gateway.forward_http import Carrier
from belljar.plane.gateway.forward_socket import carry_socket
from belljar.plane.gateway.headers import peer_returned, unchanged
from belljar.plane.peers import Peers
from belljar.plane.registry import KeyRow, SessionRow
from belljar.plane.supervision import ControlMetrics
from belljar.problems.plane import WrongHost

# How long another control plane may take to end a session.
_END_SECONDS = 60.0


@dataclass(frozen=True)
class Neighbour:
    address: Address
    # Of the paths there, where a proxy stands before it.
    prefix: str

    @property
    def host(self) -> str:
        return f"{self.address.host}:{self.address.port}"


class Neighbours:
    def __init__(
        self,
        peers: Peers,
        carrier: Carrier,
        upstream: Upstream,
        credentials: Credentials,
        metrics: ControlMetrics,
        addresses: Addresses,
    ) -> None:
        self._peers = peers
        self._carrier = carrier
        self._upstream = upstream
        self._credentials = credentials
        self._metrics = metrics
        self._addresses = addresses

    async def carry(self, scope: Scope, receive: Receive, send: Send, row: SessionRow) -> None:
        """A session of another place: its own control plane judges again and carries it, credentials and all."""
        neighbour = neighbour_at(self._peers.url_of(row.place))
        if neighbour is None:
            raise WrongHost(
                f"The session runs on {row.host}, and no control plane there takes what is forwarded.", host=row.host
            )
        raw: bytes = scope.get("raw_path") or quote(scope["path"]).encode()
        target = neighbour.prefix.encode() + raw + (b"?" + scope["query_string"] if scope["query_string"] else b"")
        headers = unchanged(scope, self._addresses.of(scope), self._addresses.client(scope))
        if scope["type"] == "websocket":
            await carry_socket(
                scope,
                receive,
                send,
                address=neighbour.address,
                target=target.decode("latin-1"),
                headers=headers,
                dress=lambda pairs: pairs,
                on_inward=lambda data: None,
                metrics=self._metrics,
            )
        else:
            await self._carrier.carry_whole(scope, receive, send, neighbour.address, target, headers, peer_returned)

    async def end(self, row: SessionRow, key: KeyRow) -> bool:
        """Whether a control plane of the session's host has ended it, for the one whose key it is."""
        neighbour = neighbour_at(self._peers.url_of(row.place))
        if neighbour is None:
            return False
        # Control planes on one database share the key that cookies are signed with.
        cookie = f"{COOKIE}={self._credentials.make_cookie(key.id)}"
        headers = [(b"cookie", cookie.encode()), (b"origin", f"http://{neighbour.host}".encode())]
        path = f"{neighbour.prefix}/api/sessions/{row.id}"
        try:
            with anyio.fail_after(_END_SECONDS):
                answer = await self._upstream.request(neighbour.address, "DELETE", path, headers=headers)
        except (UpstreamError, TimeoutError):
            return False
        return answer.status == 200


def neighbour_at(url: str | None) -> Neighbour | None:
    if url is None:
        return None
    parts = urlsplit(url)
    is_tls = parts.scheme == "https"
    port = parts.port or (443 if is_tls else 80)
    return Neighbour(Address(host=parts.hostname, port=port, is_tls=is_tls), parts.path.rstrip("/"))
