# Made from aio/page.py by scripts/make_sync_sdk.py: change it there.
"""One tab, by its id."""

from belljar.problems.browser import TabNotFound
from belljar.sdk.errors import rebuilt
from belljar.sdk.sync.acting import Acting
from belljar.wire.browser.tabs import CloseResult, TabInfo, TabList


class Page(Acting):
    """One tab.  Everything that `browser` does with the active tab, this does with this one."""

    tab_id: str

    @property
    def url(self) -> str:
        """Where the tab is now: asked of the server each time."""
        return (self.info()).url

    @property
    def title(self) -> str:
        """What its page calls itself now."""
        return (self.info()).title

    def info(self) -> TabInfo:
        """The tab as it is now."""
        listed = self._http.get("/v1/browser/tabs", TabList)
        found = next((tab for tab in listed.tabs if tab.id == self.tab_id), None)
        if found is None:
            raise rebuilt(TabNotFound.status, TabNotFound(self.tab_id).body(), {})
        return found

    def activate(self) -> TabInfo:
        """Bring the tab to the front: it receives what names no tab."""
        return self._http.post(f"/v1/browser/tabs/{self.tab_id}/activate", TabInfo)

    def close(self, *, wait: bool = True) -> CloseResult:
        """Close the tab, unless its page asks whether to leave: then `dialog` of the answer says so.

        Without `wait` the answer comes when the closing has begun.
        """
        query = None if wait else {"wait": wait}
        return self._http.delete(f"/v1/browser/tabs/{self.tab_id}", CloseResult, query)
