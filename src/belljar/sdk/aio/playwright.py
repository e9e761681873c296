"""The box's tabs as Playwright pages, for those who have Playwright."""

from typing import TYPE_CHECKING

from belljar.sdk.aio.http import AsyncHttp
from belljar.sdk.aio.io import Lock
from belljar.sdk.errors import PlaywrightMissing

if TYPE_CHECKING:
    from playwright.async_api import Browser, Page, Playwright


class AsyncPlaywrightLink:
    """One connection of Playwright's to the box's Chromium, made when first asked for."""

    def __init__(self, http: AsyncHttp) -> None:
        self._http = http
        self._lock = Lock()
        self._driver: Playwright | None = None
        self._browser: Browser | None = None

    async def page(self, tab_id: str) -> "Page":
        """The tab of this id."""
        browser = await self._connected()
        for context in browser.contexts:
            for page in context.pages:
                session = await context.new_cdp_session(page)
                target = await session.send("Target.getTargetInfo")
                await session.detach()
                if target["targetInfo"]["targetId"] == tab_id:
                    return page
        raise LookupError(f"Playwright sees no tab {tab_id}.")

    async def close(self) -> None:
        """End Playwright's connection; the tabs stay."""
        if self._browser is not None:
            await self._browser.close()
        if self._driver is not None:
            await self._driver.stop()
        self._browser, self._driver = None, None

    async def _connected(self) -> "Browser":
        async with self._lock:
            if self._browser is None or not self._browser.is_connected():
                await self.close()
                self._browser = await self._connect()
            return self._browser

    async def _connect(self) -> "Browser":
        try:
            from playwright.async_api import async_playwright
        except ImportError as error:
            raise PlaywrightMissing("Playwright is not installed: pip install playwright") from error
        address = await self._http.address()
        url = "ws" + (await self._http.url_for_ports()).removeprefix("http")
        self._driver = await async_playwright().start()
        return await self._driver.chromium.connect_over_cdp(f"{url}/v1/browser/cdp", headers=address.headers)
