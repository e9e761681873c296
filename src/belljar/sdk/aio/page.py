"""One tab, by its id."""

from belljar.sdk.aio.acting import AsyncActing
from belljar.wire.browser.tabs import CloseResult, TabInfo


class AsyncPage(AsyncActing):
    """One tab.  Everything that `browser` does with the active tab, this does with this one."""

    tab_id: str

    async def activate(self) -> TabInfo:
        """Bring the tab to the front: it receives what names no tab."""
        return await self._http.post(f"/v1/browser/tabs/{self.tab_id}/activate", TabInfo)

    async def close(self, *, wait: bool = True) -> CloseResult:
        """Close the tab, unless its page asks whether to leave: then `dialog` of the answer says so.

        Without `wait` the answer comes when the closing has begun.
        """
        query = None if wait else {"wait": wait}
        return await self._http.delete(f"/v1/browser/tabs/{self.tab_id}", CloseResult, query)
