"""Files that pages had the browser save: known by id, bounded in size and number, handed out safely."""

import os
import re
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import IO

import msgspec

from belljar.box.browser.cdp import Session
from belljar.box.browser.cdp.events import DownloadProgress, DownloadWillBegin
from belljar.box.sandbox.folders import Folders
from belljar.logs import log
from belljar.problems.browser import DownloadNotFound, DownloadNotReady
from belljar.safe_files import open_regular, opened_folder
from belljar.wire.browser.storage import DownloadState

# Downloads that are remembered; the oldest go first, with their files.
MOST_DOWNLOADS = 100
_GUID = re.compile(r"[A-Za-z0-9-]{1,64}")


@dataclass
class Download:
    """`id` is Chromium's guid, which is also the file's name in the downloads folder."""

    id: str
    url: str
    name: str
    frame_id: str
    state: DownloadState = DownloadState.IN_PROGRESS
    received: int = 0
    total: int | None = None
    # Why it was ended by us.
    reason: str | None = None
    started_at: float = field(default_factory=time.time)


class Downloads:
    """Lives as long as the box: what one run of Chromium saved is there for the next."""

    def __init__(self, folders: Folders, max_bytes: int) -> None:
        self._folders = folders
        self._max_bytes = max_bytes
        self._by_id: dict[str, Download] = {}
        # Of hidden pages, until they have ended.
        self._unwanted: set[str] = set()
        # Called when one begins, and when one ends.
        self.on_change: list[Callable[[Download], None]] = []

    def follow(self, browser: Session, is_hidden: Callable[[str], bool]) -> None:
        """Have Chromium save into our folder under names of its own, and tell of it.

        Frames of hidden pages save nothing.  One page cannot be forbidden it in Chromium, which takes such a word for
        all pages of the profile.
        """

        def began(event: DownloadWillBegin) -> None:
            if is_hidden(event.frame_id):
                self._unwanted.add(event.guid)
                browser.tell("Browser.cancelDownload", guid=event.guid)
            else:
                self._began(event)

        browser.on(DownloadWillBegin, began)
        browser.on(DownloadProgress, lambda event: self._progressed(browser, event))
        browser.on_gone.append(self._ended)
        self.save_to_our_folder(browser)

    def save_to_our_folder(self, browser: Session) -> None:
        browser.tell(
            "Browser.setDownloadBehavior",
            behavior="allowAndName",
            downloadPath=str(self._folders.downloads),
            eventsEnabled=True,
        )

    def redirected(self, params: msgspec.Raw) -> msgspec.Raw:
        """An outside client's `Browser.setDownloadBehavior`, with our folder: it names one on its own machine."""
        asked = msgspec.json.decode(params, type=dict[str, object])
        asked |= {"behavior": "allowAndName", "downloadPath": str(self._folders.downloads)}
        return msgspec.Raw(msgspec.json.encode(asked))

    def list(self) -> list[Download]:
        """In the order they began."""
        return list(self._by_id.values())

    def get(self, id: str) -> Download:
        try:
            return self._by_id[id]
        except KeyError:
            raise DownloadNotFound(id) from None

    def open(self, download: Download) -> IO[bytes]:
        """The file of a finished download.  Blocks.

        The folder is writable by programs that are not trusted, and we may be root: only a plain file of theirs is
        opened, never what a link of theirs points to.
        """
        if download.state is not DownloadState.COMPLETED:
            raise DownloadNotReady(download.id, download.state)
        try:
            with opened_folder(self._folders.downloads) as top:
                file = open_regular(top, download.id)
        except OSError as error:
            raise DownloadNotFound(download.id, "The file of this download is gone.") from error
        found = os.fstat(file.fileno())
        owner = self._folders.user.uid if self._folders.user is not None else os.geteuid()
        if found.st_nlink != 1 or found.st_uid != owner:
            file.close()
            raise DownloadNotFound(download.id, "The file of this download was replaced by something else.")
        return file

    def delete(self, download: Download) -> None:
        """Forget it, with its file."""
        self._by_id.pop(download.id, None)
        self._remove_file(download.id)

    def _remove_file(self, id: str) -> None:
        with suppress(OSError), opened_folder(self._folders.downloads) as top:
            os.unlink(id, dir_fd=top)

    def _began(self, event: DownloadWillBegin) -> None:
        # Chromium's word, which a page may have put into its mouth: it names our file.
        if not _GUID.fullmatch(event.guid):
            return
        download = Download(event.guid, event.url, event.suggested_filename, event.frame_id)
        self._by_id[download.id] = download
        while len(self._by_id) > MOST_DOWNLOADS:
            self.delete(next(iter(self._by_id.values())))
        self._tell(download)

    def _progressed(self, browser: Session, event: DownloadProgress) -> None:
        if event.guid in self._unwanted and event.state != "inProgress":
            self._unwanted.discard(event.guid)
            # A small one is whole before it can be cancelled.
            if _GUID.fullmatch(event.guid):
                self._remove_file(event.guid)
        download = self._by_id.get(event.guid)
        if download is None or download.state is not DownloadState.IN_PROGRESS:
            return
        download.received = int(event.received_bytes)
        download.total = int(event.total_bytes) or None
        if max(download.received, download.total or 0) > self._max_bytes:
            browser.tell("Browser.cancelDownload", guid=download.id)
            self._move(download, DownloadState.CANCELED, "It is larger than the limit.")
        elif event.state == "completed":
            self._move(download, DownloadState.COMPLETED)
        elif event.state == "canceled":
            self._move(download, DownloadState.CANCELED)

    def _ended(self) -> None:
        self._unwanted.clear()
        for download in self._by_id.values():
            if download.state is DownloadState.IN_PROGRESS:
                self._move(download, DownloadState.CANCELED, "The browser ended.")

    def _move(self, download: Download, to: DownloadState, reason: str | None = None) -> None:
        download.state, download.reason = to, reason
        log.info("download.moved", id=download.id, state=to, size=download.received)
        self._tell(download)

    def _tell(self, download: Download) -> None:
        for callback in tuple(self.on_change):
            callback(download)
