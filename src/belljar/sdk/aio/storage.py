"""`cookies`, `storage`, saved contexts and downloads: what the browser keeps."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from belljar.sdk.aio.http import AsyncDownload, AsyncHttp
from belljar.sdk.encoding import as_body, body
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


class AsyncKeeping:
    """The part of `browser` that outlives a page."""

    _http: AsyncHttp

    async def cookies(self, *, url: str | None = None) -> Cookies:
        """All cookies, or those that `url` would be sent."""
        return await self._http.get("/v1/browser/cookies", Cookies, body(url=url))

    async def set_cookies(self, cookies: Sequence[SetCookie]) -> Ok:
        """Add cookies, or change them."""
        return await self._http.post("/v1/browser/cookies", Ok, body(cookies=list(cookies)))

    async def delete_cookies(self, *, name: str | None = None, domain: str | None = None) -> DeletedCookies:
        """Delete those of a name or a domain; without either, all."""
        return await self._http.delete("/v1/browser/cookies", DeletedCookies, body(name=name, domain=domain))

    async def storage(self, *, origins: Sequence[str] | None = None) -> StorageState:
        """Cookies, local storage and IndexedDB, to take along."""
        return await self._http.get("/v1/browser/storage", StorageState, body(origins=origins))

    async def restore_storage(self, state: StorageState | RestoreState) -> Restored:
        """Put back what `storage` gave, or what Playwright's `storageState` wrote."""
        return await self._http.post("/v1/browser/storage", Restored, as_body(state))

    async def contexts(self) -> ContextList:
        """Saved profiles."""
        return await self._http.get("/v1/browser/contexts", ContextList)

    async def create_context(self, name: str, *, copy_of: str | None = None) -> ContextInfo:
        """A saved profile to `start` with, empty or a copy of another."""
        return await self._http.post("/v1/browser/contexts", ContextInfo, body(name=name, copy_of=copy_of))

    async def delete_context(self, context_id: str) -> Ok:
        """Forget a saved profile and all in it."""
        return await self._http.delete(f"/v1/browser/contexts/{context_id}", Ok)

    async def partitions(self) -> PartitionList:
        """Sets of tabs that have cookies and storage of their own, in memory."""
        return await self._http.get("/v1/browser/partitions", PartitionList)

    async def put_partition(
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
        return await self._http.put(f"/v1/browser/partitions/{name}", PartitionInfo, asked)

    async def delete_partition(self, name: str) -> Ok:
        """Throw a partition away, with its tabs, cookies and storage."""
        return await self._http.delete(f"/v1/browser/partitions/{name}", Ok)

    async def downloads(self) -> DownloadList:
        """Files that pages had the browser save."""
        return await self._http.get("/v1/browser/downloads", DownloadList)

    @asynccontextmanager
    async def download(self, download_id: str) -> AsyncIterator[AsyncDownload]:
        """A saved file, streamed: `async with browser.download(id) as file: await file.save(path)`."""
        async with self._http.stream(f"/v1/browser/downloads/{download_id}") as file:
            yield file

    async def delete_download(self, download_id: str) -> Ok:
        """Forget a saved file."""
        return await self._http.delete(f"/v1/browser/downloads/{download_id}", Ok)
