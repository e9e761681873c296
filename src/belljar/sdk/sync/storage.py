# Made from aio/storage.py by scripts/make_sync_sdk.py: change it there.
"""`cookies`, `storage`, saved contexts and downloads: what the browser keeps."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from belljar.sdk.encoding import as_body, body
from belljar.sdk.sync.http import Download, Http
from belljar.wire.base import Ok
from belljar.wire.browser.lifecycle import PartitionInfo, PartitionList, ViewportSize
from belljar.wire.browser.storage import (
    ContextInfo,
    ContextList,
    Cookies,
    DeletedCookies,
    DownloadList,
    Restored,
    RestoreState,
    SetCookie,
    StorageState,
)


class Keeping:
    """The part of `browser` that outlives a page."""

    _http: Http

    def cookies(self, *, url: str | None = None) -> Cookies:
        """All cookies, or those that `url` would be sent."""
        return self._http.get("/v1/browser/cookies", Cookies, body(url=url))

    def set_cookies(self, cookies: Sequence[SetCookie]) -> Ok:
        """Add cookies, or change them."""
        return self._http.post("/v1/browser/cookies", Ok, body(cookies=list(cookies)))

    def delete_cookies(self, *, name: str | None = None, domain: str | None = None) -> DeletedCookies:
        """Delete those of a name or a domain; without either, all."""
        return self._http.delete("/v1/browser/cookies", DeletedCookies, body(name=name, domain=domain))

    def storage(self, *, origins: Sequence[str] | None = None) -> StorageState:
        """Cookies, local storage and IndexedDB, to take along."""
        return self._http.get("/v1/browser/storage", StorageState, body(origins=origins))

    def restore_storage(self, state: StorageState | RestoreState) -> Restored:
        """Put back what `storage` gave, or what Playwright's `storageState` wrote."""
        return self._http.post("/v1/browser/storage", Restored, as_body(state))

    def contexts(self) -> ContextList:
        """Saved profiles."""
        return self._http.get("/v1/browser/contexts", ContextList)

    def create_context(self, name: str, *, copy_of: str | None = None) -> ContextInfo:
        """A saved profile to `start` with, empty or a copy of another."""
        return self._http.post("/v1/browser/contexts", ContextInfo, body(name=name, copy_of=copy_of))

    def delete_context(self, context_id: str) -> Ok:
        """Forget a saved profile and all in it."""
        return self._http.delete(f"/v1/browser/contexts/{context_id}", Ok)

    def partitions(self) -> PartitionList:
        """Sets of tabs that have cookies and storage of their own, in memory."""
        return self._http.get("/v1/browser/partitions", PartitionList)

    def put_partition(
        self,
        name: str,
        *,
        allowed_domains: Sequence[str] | None = None,
        viewport: ViewportSize | None = None,
        spare_tab: bool = False,
    ) -> PartitionInfo:
        """Make a partition; with `allowed_domains` its frames show documents of no other hosts.

        With `spare_tab` a blank tab is kept ready, so that `new_page` takes no time.
        """
        domains = None if allowed_domains is None else list(allowed_domains)
        asked = body(allowed_domains=domains, viewport=viewport, spare_tab=spare_tab)
        return self._http.put(f"/v1/browser/partitions/{name}", PartitionInfo, asked)

    def delete_partition(self, name: str) -> Ok:
        """Throw a partition away, with its tabs, cookies and storage."""
        return self._http.delete(f"/v1/browser/partitions/{name}", Ok)

    def downloads(self) -> DownloadList:
        """Files that pages had the browser save."""
        return self._http.get("/v1/browser/downloads", DownloadList)

    @contextmanager
    def download(self, download_id: str) -> Iterator[Download]:
        """A saved file, streamed: `with browser.download(id) as file: file.save(path)`."""
        with self._http.stream(f"/v1/browser/downloads/{download_id}") as file:
            yield file

    def delete_download(self, download_id: str) -> Ok:
        """Forget a saved file."""
        return self._http.delete(f"/v1/browser/downloads/{download_id}", Ok)
