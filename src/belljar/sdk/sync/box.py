# Made from aio/box.py by scripts/make_sync_sdk.py: change it there.
"""What can be done with one box, in namespaces."""

from belljar.sdk.address import Address
from belljar.sdk.sync.browser import Browser
from belljar.sdk.sync.control import Control
from belljar.sdk.sync.desktop import Desktop
from belljar.sdk.sync.egress import Egress
from belljar.sdk.sync.files import Files
from belljar.sdk.sync.http import Http
from belljar.sdk.sync.live import Live
from belljar.sdk.sync.playwright import PlaywrightLink
from belljar.sdk.sync.processes import Processes
from belljar.wire.health import Health


class Box:
    """A box, wherever it is."""

    def __init__(self, http: Http) -> None:
        self._http = http
        self._playwright = PlaywrightLink(http)
        self.browser = Browser(http, None, self._playwright)
        self.desktop = Desktop(http)
        self.processes = Processes(http)
        self.files = Files(http)
        self.egress = Egress(http)
        self.control = Control(http)
        self.live = Live(http)

    def address(self) -> Address:
        """Where the box is and the token that opens it; an embedded box is started now, if it was not yet."""
        return self._http.address()

    def health(self) -> Health:
        """Whether it is well, since when, and how it is confined."""
        return self._http.get("/v1/health", Health)

    def metrics(self) -> str:
        """Prometheus' text."""
        return self._http.text("/metrics")

    def close(self) -> None:
        """Drop every connection; an embedded box ends."""
        self._playwright.close()
        self._http.close()
