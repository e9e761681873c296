"""Where a server is."""

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
            raise ValueError("A server's address begins with http:// or https://.")
        return cls(url.rstrip("/"), token)

    def within(self, path: str, token: str | None) -> Self:
        """Something behind the same server, such as a session of a control plane."""
        return replace(self, url=self.url + path, token=token)

    @property
    def websocket_url(self) -> str:
        return "ws" + self.url.removeprefix("http")

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"} if self.token else {}
