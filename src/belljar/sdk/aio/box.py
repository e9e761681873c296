"""What can be done with one box, in namespaces."""

from belljar.sdk.address import Address
from belljar.sdk.aio.browser import AsyncBrowser
from belljar.sdk.aio.control import AsyncControl
from belljar.sdk.aio.desktop import AsyncDesktop
from belljar.sdk.aio.egress import AsyncEgress
from belljar.sdk.aio.files import AsyncFiles
from belljar.sdk.aio.http import AsyncHttp
from belljar.sdk.aio.live import AsyncLive
from belljar.sdk.aio.playwright import AsyncPlaywrightLink
from belljar.sdk.aio.processes import AsyncProcesses
from belljar.wire.health import Health


class AsyncBox:
    """A box, wherever it is."""

    def __init__(self, http: AsyncHttp) -> None:
        self._http = http
        self._playwright = AsyncPlaywrightLink(http)
        self.browser = AsyncBrowser(http, None, self._playwright)
        self.desktop = AsyncDesktop(http)
        self.processes = AsyncProcesses(http)
        self.files = AsyncFiles(http)
        self.egress = AsyncEgress(http)
        self.control = AsyncControl(http)
        self.live = AsyncLive(http)

    async def address(self) -> Address:
        """Where the box is and the token that opens it; an embedded box is started now, if it was not yet."""
        return await self._http.address()

    async def health(self) -> Health:
        """Whether it is well, since when, and how it is confined."""
        return await self._http.get("/v1/health", Health)

    async def metrics(self) -> str:
        """Prometheus' text."""
        return await self._http.text("/metrics")

    async def close(self) -> None:
        """Drop every connection; an embedded box ends."""
        await self._playwright.close()
        await self._http.close()
