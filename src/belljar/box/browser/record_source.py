"""What happens in tabs, told to the record: where they go, what they ask, save, write and fetch.

A page's own doing is the page's, unless a call acts on its tab meanwhile: then it belongs to that call.
"""

import asyncio
from collections.abc import Callable, Mapping
from typing import Any

from belljar.box.browser.cdp import Session
from belljar.box.browser.cdp.events import FrameRequestedNavigation, FrameStartedNavigating
from belljar.box.browser.page.dialogs import Dialog
from belljar.box.browser.page.frames import Frame
from belljar.box.browser.page.page import Page, Part
from belljar.box.browser.page.tabs import Tabs
from belljar.box.browser.reading.console import Console, Message
from belljar.box.browser.reading.downloads import Download
from belljar.box.browser.reading.network import Exchange, Network, proxy_error
from belljar.box.record.bus import PAGE, SYSTEM, Bus, Cause, current_cause
from belljar.wire.browser.storage import DownloadState
from belljar.wire.record import EventKind

# Seconds after which a dialog that is still open is said to wait for somebody.
_DIALOG_WAITS = 2.0
# Of a longer address only the beginning is told.
_MOST_URL = 2000
_DOWNLOADS = {
    DownloadState.IN_PROGRESS: "begun",
    DownloadState.COMPLETED: "completed",
    DownloadState.CANCELED: "canceled",
}


class PageSource:
    """Listens to one page from its first moment on.  Hidden pages are nobody's doing."""

    def __init__(self, page: Page, console: Console, network: Network, bus: Bus) -> None:
        self._page = page
        self._bus = bus
        self._shown = ""
        # Why the page itself asked to go elsewhere, and why Chromium does.
        self._asked_for: str | None = None
        self._reason: str | None = None
        # Tells of a dialog that nobody answers, and whether it did.
        self._waiting: asyncio.TimerHandle | None = None
        self._has_asked = False
        page.frames.on_navigated.append(self._navigated)
        page.on_dialog.append(self._dialog_opened)
        page.on_dialog_closed.append(self._dialog_closed)
        page.on_crash.append(lambda _: self._tell(EventKind.TAB, "crashed", _of_crash(page)))
        console.on_message.append(self._wrote)
        network.on_end.append(self._fetched)

    def attach(self, session: Session, part: Part) -> None:
        if part is Part.PAGE:
            session.on(FrameRequestedNavigation, self._wants_to_go)
            session.on(FrameStartedNavigating, self._goes)

    def _wants_to_go(self, event: FrameRequestedNavigation) -> None:
        if event.frame_id == self._page.id:
            self._asked_for = event.reason

    def _goes(self, event: FrameStartedNavigating) -> None:
        if event.frame_id == self._page.id:
            self._reason, self._asked_for = self._asked_for or event.navigation_type, None

    def _navigated(self, frame: Frame) -> None:
        page = self._page
        if frame is not page.main:
            return
        loader, reason = frame.loader_id, self._reason
        is_within, self._shown, self._reason = loader == self._shown, loader, None
        url = frame.url[:_MOST_URL]
        if is_within:
            self._tell(EventKind.NAV, "within", {"url": url})
            return
        response, failure = page.response_of(loader), page.failure_of(loader)
        if response is not None and response.egress is not None:
            failure = proxy_error(response.egress)
        data: dict[str, Any] = {"url": url, "reason": reason}
        if failure is not None:
            data["netError"] = failure.removeprefix("net::")
        elif response is not None:
            data |= {"status": response.status, "mimeType": response.mime_type}
        self._tell(EventKind.NAV, "failed" if failure is not None else "committed", data)

    def _dialog_opened(self, dialog: Dialog) -> None:
        self._tell(EventKind.DIALOG, "opened", {"type": dialog.type.value, "message": dialog.message})
        if self._waiting is None and not self._page.is_hidden:
            loop = asyncio.get_running_loop()
            self._waiting = loop.call_later(_DIALOG_WAITS, self._ask_for_answer, dialog)

    def _ask_for_answer(self, dialog: Dialog) -> None:
        """Whoever watches over the session is told, once, that it goes no further; not what the page says."""
        if self._page.dialog is not dialog:
            return
        self._has_asked = True
        self._bus.tell(EventKind.ASK, "dialog", actor=PAGE, tab=self._page.id, data={"type": dialog.type.value})

    def _stop_asking(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
        if self._has_asked:
            self._bus.tell(EventKind.ASK, "dialog.over", actor=PAGE, tab=self._page.id)
        self._waiting, self._has_asked = None, False

    def _dialog_closed(self, dialog: Dialog, is_accepted: bool) -> None:
        """By whoever answered, as far as that was asked of us; a dialog goes with its page, too."""
        by, self._page.answered_by = self._page.answered_by, None
        self._stop_asking()
        data = {"type": dialog.type.value, "accepted": is_accepted}
        if by is None or self._page.is_hidden:
            self._tell(EventKind.DIALOG, "closed", data)
        else:
            self._bus.tell(
                EventKind.DIALOG, "answered", actor=by.actor, request_id=by.request_id, tab=self._page.id, data=data
            )

    def _wrote(self, message: Message) -> None:
        if self._page.is_hidden or not self._bus.wants(EventKind.CONSOLE):
            return

        def data() -> Mapping[str, Any]:
            return {"level": message.level.value, "text": message.text, "url": message.url, "line": message.line}

        self._bus.tell(
            EventKind.CONSOLE,
            message.level.value,
            actor=PAGE,
            tab=self._page.id,
            data=data,
            mono=self._bus.clock.lately_at_wall(message.at),
            held_bytes=len(message.text),
        )

    def _fetched(self, exchange: Exchange, ended: float | None) -> None:
        if self._page.is_hidden or not self._bus.wants(EventKind.NETWORK):
            return
        if exchange.is_pending:
            self._bus.lose(EventKind.NETWORK)
            return
        self._bus.tell(
            EventKind.NETWORK,
            "finished" if exchange.error is None else "failed",
            actor=PAGE,
            tab=self._page.id,
            data=lambda: _exchange_data(exchange),
            mono=None if ended is None else self._bus.clock.lately_at_monotonic(ended),
            held_bytes=len(exchange.url),
        )

    def _tell(self, kind: EventKind, name: str, data: Mapping[str, Any]) -> None:
        if not self._page.is_hidden:
            cause = self._bus.act_on(self._page.id)
            self._bus.tell(kind, name, actor=PAGE if cause is None else cause.actor, tab=self._page.id, data=data)


def _exchange_data(one: Exchange) -> Mapping[str, Any]:
    data: dict[str, Any] = {
        "id": one.id,
        "method": one.method,
        "url": one.url[:_MOST_URL],
        "resourceType": one.type,
        "status": one.status,
        "mimeType": one.mime_type,
        "wireBytes": one.wire_size,
        "bodyBytes": one.decoded_size,
        "ms": one.duration,
        "fromCache": one.is_cached,
    }
    if one.error is not None:
        # Chromium's own codes; what a socket's failure says may have a server's words in it.
        data["netError" if one.error.startswith("ERR_") else "error"] = one.error
    return data


class TabSource:
    """Tells which tabs come and go, and which one is active; by whom is known of those that were asked of us."""

    def __init__(self, bus: Bus, tabs: Tabs) -> None:
        self._bus = bus
        self._tabs = tabs
        self._open: set[str] = set()
        self._active: str | None = None
        # How many were asked for and are not known by id; and those that came meanwhile, with their time.
        self._asked = 0
        self._unclaimed: dict[str, tuple[Page, int]] = {}
        for page in tabs.list():
            self._opened(page, SYSTEM, None)
        tabs.on_opened.append(self._came)
        tabs.on_closed.append(self._closed)
        tabs.on_activated.append(self._activated)
        tabs.on_asked.append(self._has_asked)

    def _has_asked(self) -> Callable[[str | None, Cause], None]:
        """Returns how to say which tab it is, or that there is none, and who wanted it."""
        self._asked += 1

        def made(id: str | None, by: Cause) -> None:
            self._asked -= 1
            page, mono = self._unclaimed.pop(id or "", (None, 0))
            if page is not None:
                self._bus.tell(EventKind.TAB, "opened", **_by(by), tab=page.id, data=_tab_data(page), mono=mono)
            if not self._asked:
                unclaimed, self._unclaimed = self._unclaimed, {}
                for other, at in unclaimed.values():
                    self._bus.tell(EventKind.TAB, "opened", actor=PAGE, tab=other.id, data=_tab_data(other), mono=at)

        return made

    def _came(self, page: Page) -> None:
        self._open.add(page.id)
        self._active = page.id
        if page.opener_id is None and self._asked:
            self._unclaimed[page.id] = page, self._bus.clock.now()
            return
        cause = self._bus.act_on(page.opener_id or "")
        self._opened(page, PAGE if cause is None else cause.actor, None if cause is None else cause.request_id)

    def _opened(self, page: Page, actor: Any, request_id: str | None) -> None:
        self._open.add(page.id)
        self._active = page.id
        self._bus.tell(EventKind.TAB, "opened", actor=actor, request_id=request_id, tab=page.id, data=_tab_data(page))

    def _closed(self, page: Page) -> None:
        if page.id not in self._open:
            return
        self._open.discard(page.id)
        by = page.closed_by
        self._bus.tell(EventKind.TAB, "closed", **_by(by), tab=page.id)
        now = self._tabs.active_or_none
        if now is not None:
            self._activated(now)

    def _activated(self, page: Page) -> None:
        if page.id in self._open and page.id != self._active:
            self._active = page.id
            cause = current_cause()
            self._bus.tell(EventKind.TAB, "activated", **_by(cause), tab=page.id)


def _by(cause: Cause | None) -> dict[str, Any]:
    return {"actor": PAGE} if cause is None else {"actor": cause.actor, "request_id": cause.request_id}


def _of_crash(page: Page) -> Mapping[str, Any]:
    return {"count": page.crashes, **({"reason": "oom"} if page.is_out_of_memory else {})}


def _tab_data(page: Page) -> Mapping[str, Any]:
    return {"url": page.url[:_MOST_URL], "openerTabId": page.opener_id}


def tell_download(bus: Bus, tabs: Tabs | None, download: Download) -> None:
    """One began, or ended."""
    pages = () if tabs is None else tabs.pages.values()
    tab = next((page.id for page in pages if page.frames.get(download.frame_id) is not None), None)
    data: dict[str, Any] = {"downloadId": download.id, "url": download.url[:_MOST_URL], "file": download.name}
    if download.state is not DownloadState.IN_PROGRESS:
        data |= {"bytes": download.received, "reason": download.reason}
    bus.tell(EventKind.DOWNLOAD, _DOWNLOADS[download.state], actor=PAGE, tab=tab, data=data)
