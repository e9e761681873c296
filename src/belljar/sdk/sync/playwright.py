# Made from aio/playwright.py by scripts/make_sync_sdk.py: change it there.
"""The box's tabs as Playwright pages, for those who have Playwright."""

from typing import TYPE_CHECKING

from belljar.sdk.errors import PlaywrightMissing
from belljar.sdk.sync.http import Http
from belljar.sdk.sync.io import Lock

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Playwright


class PlaywrightLink:
    """One connection of Playwright's to the box's Chromium, made when first asked for."""

    def __init__(self, http: Http) -> None:
        self._http = http
        self._lock = Lock()
        self._driver: Playwright | None = None
        self._browser: Browser | None = None

    def page(self, tab_id: str) -> "Page":
        """The tab of this id."""
        browser = self._connected()
        for context in browser.contexts:
            for page in context.pages:
                session = context.new_cdp_session(page)
                target = session.send("Target.getTargetInfo")
                session.detach()
                if target["targetInfo"]["targetId"] == tab_id:
                    return page
        raise LookupError(f"Playwright sees no tab {tab_id}.")

    def close(self) -> None:
        """End Playwright's connection; the tabs stay."""
        if self._browser is not None:
            self._browser.close()
        if self._driver is not None:
            self._driver.stop()
        self._browser, self._driver = None, None

    def _connected(self) -> "Browser":
        with self._lock:
            if self._browser is None or not self._browser.is_connected():
                self.close()
                self._browser = self._connect()
            return self._browser

    def _connect(self) -> "Browser":
        try:
            from playwright.sync_api import sync_playwright
        except ImportError as error:
            raise PlaywrightMissing("Playwright is not installed: pip install playwright") from error
        address = self._http.address()
        url = "ws" + (self._http.url_for_ports()).removeprefix("http")
        self._driver = sync_playwright().start()
        return self._driver.chromium.connect_over_cdp(f"{url}/v1/browser/cdp", headers=address.headers)
