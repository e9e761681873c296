# Made from aio/box.py by scripts/make_sync_sdk.py: change it there.
"""What can be done with one box, in namespaces."""

from belljar.sdk.address import Address
from belljar.sdk.sync.browser import Browser
from belljar.sdk.sync.http import Http
from belljar.sdk.sync.playwright import PlaywrightLink
from belljar.wire.health import Health


class Box:
    """A box, wherever it is."""

    def __init__(self, http: Http) -> None:
        self._http = http
        self._playwright = PlaywrightLink(http)
        self.browser = Browser(http, None, self._playwright)

    def address(self) -> Address:
        """Where the box is and the token that opens it; an embedded box is started now, if it was not yet."""
        return self._http.address()

    def health(self) -> Health:
        """Whether it is well, since when, and how it is confined."""
        return self._http.get("/v1/health", Health)

    def close(self) -> None:
        """Drop every connection; an embedded box ends."""
        self._playwright.close()
        self._http.close()
