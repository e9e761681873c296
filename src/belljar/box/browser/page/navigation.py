"""Going to an address, through history, or to the same page again, and knowing when it is there."""

from collections.abc import Callable
from dataclasses import dataclass

import anyio

from belljar.box.browser.cdp import CdpError, TargetCrashed
from belljar.box.browser.cdp.replies import NavigateReply, NavigationHistory
from belljar.box.browser.page.page import Page
from belljar.box.browser.page.recovery import end_before_leaving
from belljar.box.browser.reading.network import DENIED, proxy_error
from belljar.problems import InvalidRequest, Problem
from belljar.problems.box import EgressDenied
from belljar.problems.browser import NavigationFailed, TabCrashed
from belljar.wire.browser.common import WaitUntil

# CDP's names of the moments.
_LIFECYCLE = {
    WaitUntil.LOAD: "load",
    WaitUntil.DOMCONTENTLOADED: "DOMContentLoaded",
    WaitUntil.NETWORKIDLE: "networkIdle",
}
# What Chromium says when an answer has no body to show: the page it had stays (204, 205, downloads).
_ABORTED = "net::ERR_ABORTED"
_EMPTY = (204, 205)
_WANTS_CREDENTIALS = "net::ERR_INVALID_AUTH_CREDENTIALS"
# A 404 or 500 with an empty body, a 401 that nobody had credentials for: Chromium shows a page of its own, but there
# was an answer.
_ANSWERED = ("net::ERR_HTTP_RESPONSE_CODE_FAILURE", _WANTS_CREDENTIALS)
# A document that Stop cut off while it came is shown as far as it did.
_SHOWN = (*_ANSWERED, _ABORTED)
# How long Chromium may take to show its own page about an error.
_ERROR_PAGE_TIMEOUT = 3.0


@dataclass(frozen=True)
class Arrival:
    """What a navigation came to."""

    url: str
    title: str
    # 0 where no HTTP was involved.
    status: int
    has_moved: bool = True
    is_download: bool = False


async def navigate(page: Page, url: str, until: WaitUntil) -> Arrival:
    """Load `url` and wait until the page has come as far as `until`."""
    if url.strip().lower().startswith("javascript:"):
        raise InvalidRequest("A javascript: address is not a page. Use POST /v1/browser/execute.")
    before = page.main.loader_id
    with page.leaving():
        await end_before_leaving(page)
        try:
            return await _navigate(page, url, until)
        except (TargetCrashed, TabCrashed):
            if page.main.loader_id != before or page.is_closed:
                raise
            # What is left crashed, or had to be ended because it would not stop: a reason more to go.
            page.forget_crash()
            return await _navigate(page, url, until)


async def _navigate(page: Page, url: str, until: WaitUntil) -> Arrival:
    before, stops = page.main.loader_id, page.stops
    try:
        reply = await page.unless_dialog(page.session.send_as(NavigateReply, "Page.navigate", url=url))
    except CdpError as error:
        if "invalid URL" in error.message:
            raise InvalidRequest("The address is not valid; it must be absolute: https://example.com/") from error
        raise
    error_text, loader = reply.error_text, reply.loader_id
    if error_text == _ABORTED or reply.is_download:
        return await _without_document(page, url, loader, is_download=reply.is_download)
    if error_text and error_text not in _ANSWERED:
        await _error_page(page, before)
        raise NavigationFailed(url, error_text.removeprefix("net::"))
    if loader is not None:
        await page.until(lambda: _can_run(page) and page.main.loader_id not in (before, ""))
        await settle(page, until, stops)
    else:
        # Within the document: it tells of its new address before it answers anything else, and Chromium sooner.
        await page.main.evaluate("0", retry=True)
    return await arrival(page)


async def reload(page: Page, until: WaitUntil, *, ignore_cache: bool) -> Arrival:
    before, asked = page.main.loader_id, page.asked
    with page.leaving():
        await end_before_leaving(page)
        await page.unless_dialog(page.session.send("Page.reload", ignoreCache=ignore_cache))
        await _leave(page, asked, lambda: page.main.loader_id != before)
    if page.main.loader_id == before:
        return await _without_document(page, page.url, page.asked)
    await settle(page, until)
    return await arrival(page)


async def go(page: Page, delta: int, until: WaitUntil) -> Arrival:
    """Go back or forward in history; at its end the page stays."""
    history = await page.session.send_as(NavigationHistory, "Page.getNavigationHistory")
    index = history.current_index + delta
    if not 0 <= index < len(history.entries):
        return await _stayed(page, page.main.loader_id, is_download=False)
    entry, asked, moves = history.entries[index], page.asked, 0

    def moved(_: object) -> None:
        nonlocal moves
        moves += 1

    page.frames.on_navigated.append(lambda frame: moved(frame) if frame is page.main else None)
    listener = page.frames.on_navigated[-1]
    try:
        with page.leaving():
            await end_before_leaving(page)
            await page.unless_dialog(page.session.send("Page.navigateToHistoryEntry", entryId=entry.id))
            await _leave(page, asked, lambda: moves > 0)
    finally:
        page.frames.on_navigated.remove(listener)
    if not moves:
        return await _without_document(page, entry.url, page.asked)
    await settle(page, until)
    return await arrival(page)


async def settle(page: Page, until: WaitUntil, stops: int | None = None) -> None:
    """Wait until the document has come as far as `until`, or was stopped; a dialog on the way is raised.

    `stops` are those before it was asked for: one that came since counts, too.
    """
    event, before = _LIFECYCLE[until], page.stops if stops is None else stops
    await page.until(lambda: _can_run(page) and (event in page.main.lifecycle or page.stops != before))


async def arrival(page: Page) -> Arrival:
    """Where the page is now.  Raises `NavigationFailed` when what is there is Chromium's own page about an error."""
    response, failure = page.response_of(page.main.loader_id), page.failure_of(page.main.loader_id)
    if failure is not None and failure not in _SHOWN:
        raise NavigationFailed(page.url, failure.removeprefix("net::"))
    if response is not None and response.egress is not None:
        raise _egress_problem(page.url, response.egress)
    title = await page.read_title()
    nothing_seen = 401 if failure == _WANTS_CREDENTIALS else 0
    return Arrival(page.url, title, response.status if response is not None else nothing_seen)


def failure_of(page: Page) -> str | None:
    """Why what the page shows is Chromium's own page about an error, or the proxy's, in Chromium's words."""
    loader = page.main.loader_id
    response, failure = page.response_of(loader), page.failure_of(loader)
    if response is not None and response.egress is not None:
        return proxy_error(response.egress)
    return None if failure is None or failure in _SHOWN else failure.removeprefix("net::")


async def _error_page(page: Page, before: str) -> None:
    """Let Chromium put up its own page, so that the next call does not meet it half-way."""
    with anyio.move_on_after(_ERROR_PAGE_TIMEOUT):
        await page.until(lambda: page.main.loader_id != before and "load" in page.main.lifecycle)


async def _leave(page: Page, asked: str, has_left: Callable[[], bool]) -> None:
    """Wait until it has, or until what was asked for after `asked` turned out to be no document."""

    stops = page.stops

    def is_over() -> bool:
        return has_left() or page.stops != stops or (page.asked != asked and page.failure_of(page.asked) == _ABORTED)

    await page.until(lambda: _can_run(page) and is_over())


async def _without_document(page: Page, url: str, loader_id: str | None, *, is_download: bool | None = None) -> Arrival:
    """After an answer that the page stays for.  Whether it was a download can be told by its status."""
    response = page.response_of(loader_id or "")
    if is_download is None:
        is_download = response is not None and response.status not in _EMPTY
    if response is None and not is_download:
        # Nothing answered: it was led to what is no page, or something else was asked for meanwhile.
        raise NavigationFailed(url, _ABORTED.removeprefix("net::"))
    return await _stayed(page, loader_id, is_download=is_download)


async def _stayed(page: Page, loader_id: str | None, *, is_download: bool) -> Arrival:
    response = page.response_of(loader_id or "")
    title = await page.read_title()
    return Arrival(page.url, title, response.status if response else 0, has_moved=False, is_download=is_download)


def _egress_problem(url: str, note: str) -> Problem:
    """What the proxy said: the policy's refusal, or what Chromium would have said had it tried by itself."""
    denied = DENIED.match(note)
    if denied is None or denied[3] == "unresolved":
        return NavigationFailed(url, proxy_error(note))
    host, port, rule, reason = denied.groups()
    return EgressDenied(host, int(port), rule, reason)


def _can_run(page: Page) -> bool:
    page.check_can_run()
    return True
