# Made from aio/page.py by scripts/make_sync_sdk.py: change it there.
"""One tab, by its id."""

from belljar.sdk.sync.acting import Acting
from belljar.wire.browser.tabs import CloseResult, TabInfo


class Page(Acting):
    """One tab.  Everything that `browser` does with the active tab, this does with this one."""

    tab_id: str

    def activate(self) -> TabInfo:
        """Bring the tab to the front: it receives what names no tab."""
        return self._http.post(f"/v1/browser/tabs/{self.tab_id}/activate", TabInfo)

    def close(self, *, wait: bool = True) -> CloseResult:
        """Close the tab, unless its page asks whether to leave: then `dialog` of the answer says so.

        Without `wait` the answer comes when the closing has begun.
        """
        query = None if wait else {"wait": wait}
        return self._http.delete(f"/v1/browser/tabs/{self.tab_id}", CloseResult, query)
