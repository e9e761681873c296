"""Under which address a caller reaches this server: what every absolute URL in an answer begins with."""

from collections.abc import Collection
from dataclasses import dataclass
from urllib.parse import urlsplit

from starlette.types import ASGIApp, Receive, Scope, Send

from belljar.server.connections import Connections, forwarded_address
from belljar.server.requests import RequestHeaders


@dataclass(frozen=True)
class Public:
    scheme: str
    host: str
    prefix: str

    @property
    def http(self) -> str:
        return f"{self.scheme}://{self.host}{self.prefix}"

    @property
    def mcp(self) -> str:
        """What apps' tokens are for."""
        return f"{self.http}/mcp"

    @property
    def ws(self) -> str:
        return f"{'wss' if self.scheme == 'https' else 'ws'}://{self.host}{self.prefix}"


class Addresses:
    """`--public-url`, else what the request says; a proxy's word counts only where it was named."""

    def __init__(self, public_url: str | None, trusted_proxies: Collection[str]) -> None:
        self._fixed = None if public_url is None else _parse(public_url)
        self._trusted = frozenset(trusted_proxies)

    def of(self, scope: Scope) -> Public:
        if self._fixed is not None:
            return self._fixed
        headers = RequestHeaders(scope)
        scheme = "https" if scope.get("scheme") in ("https", "wss") else "http"
        host, prefix = headers.get("host", ""), scope.get("root_path", "")
        if self._is_by_proxy(scope):
            if (said := headers.get("x-forwarded-proto", "")) in ("http", "https"):
                scheme = said
            host = headers.get("x-forwarded-host", host)
            prefix = headers.get("x-forwarded-prefix", prefix).rstrip("/")
        return Public(scheme, host, prefix)

    def client(self, scope: Scope) -> str | None:
        """Where the caller is, as far as a proxy of ours tells; None for one that this server has no address of."""
        if self._is_by_proxy(scope):
            return forwarded_address(RequestHeaders(scope), self._trusted)
        client = scope.get("client")
        return None if client is None else str(client[0])

    def _is_by_proxy(self, scope: Scope) -> bool:
        client = scope.get("client")
        return client is not None and client[0] in self._trusted


class ProxiedClients:
    """A proxy has few connections for many clients: of each of those, what is open at a time is bounded here."""

    def __init__(self, app: ASGIApp, trusted_proxies: Collection[str], most: int) -> None:
        self._app = app
        self._trusted = frozenset(trusted_proxies)
        self._open = Connections(most, trusted_proxies)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        client = scope.get("client")
        if client is None or client[0] not in self._trusted:
            await self._app(scope, receive, send)
            return
        with self._open.counted(forwarded_address(RequestHeaders(scope), self._trusted)):
            await self._app(scope, receive, send)


def _parse(url: str) -> Public:
    parts = urlsplit(url)
    return Public(parts.scheme, parts.netloc, parts.path.rstrip("/"))
