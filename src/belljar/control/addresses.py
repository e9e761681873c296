"""Under which address a caller reaches this server: what every absolute URL in an answer begins with."""

from collections.abc import Collection
from dataclasses import dataclass
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.types import Scope


@dataclass(frozen=True)
class Public:
    scheme: str
    host: str
    prefix: str

    @property
    def http(self) -> str:
        return f"{self.scheme}://{self.host}{self.prefix}"

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
        headers = Headers(scope=scope)
        scheme = "https" if scope.get("scheme") in ("https", "wss") else "http"
        host, prefix = headers.get("host", ""), scope.get("root_path", "")
        client = scope.get("client")
        if client is not None and client[0] in self._trusted:
            if (said := headers.get("x-forwarded-proto", "")) in ("http", "https"):
                scheme = said
            host = headers.get("x-forwarded-host", host)
            prefix = headers.get("x-forwarded-prefix", prefix).rstrip("/")
        return Public(scheme, host, prefix)


def _parse(url: str) -> Public:
    parts = urlsplit(url)
    return Public(parts.scheme, parts.netloc, parts.path.rstrip("/"))
