"""Where a server is."""

import ssl
from dataclasses import dataclass, field, replace
from typing import Self


@dataclass(frozen=True)
class Address:
    """`socket` is the path of a Unix socket, where the server is reached by one; `url` names it all the same."""

    url: str
    token: str | None = field(default=None, repr=False)
    socket: str | None = None

    @classmethod
    def of(cls, url: str, token: str | None) -> Self:
        if not url.startswith(("http://", "https://")):
            raise ValueError(f"{url!r} is not the address of a server: it begins with http:// or https://.")
        return cls(url.rstrip("/"), token)

    def within(self, path: str, token: str | None) -> Self:
        """Something behind the same server, such as a session of a control plane."""
        return replace(self, url=self.url + path, token=token)

    @property
    def websocket_url(self) -> str:
        return "ws" + self.url.removeprefix("http")

    def trusted(self) -> ssl.SSLContext | bool:
        """Whose certificates count: the usual ones.  Reading them takes 20 ms, so where there is no TLS, nobody's."""
        return True if self.url.startswith("https://") else ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"} if self.token else {}
