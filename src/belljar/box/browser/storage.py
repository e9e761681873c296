"""Storage state: what the profile knows of a site, taken out and put in again."""

import base64
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import urlsplit

import anyio

from belljar.box.browser import cookies
from belljar.box.browser.cdp import CdpError, CdpGone, Session
from belljar.box.browser.frames import Frame
from belljar.box.browser.navigation import navigate
from belljar.box.browser.page import Page
from belljar.box.browser.script import DocumentGone, JsError, library
from belljar.box.browser.tabs import Tabs
from belljar.problems import Problem
from belljar.wire.browser.navigation import WaitUntil
from belljar.wire.browser.storage import OriginState, Restored, RestoreState, StorageState

Params = dict[str, Any]
_STORAGE = library("storage")
# Seconds for one origin.
PATIENCE = 10.0
# What every address of an origin answers while its storage is reached for: nobody is asked anything.
_EMPTY = base64.b64encode(b"<!doctype html><title>belljar</title>").decode()


async def export_state(tabs: Tabs, page: Page, origins: Iterable[str]) -> StorageState:
    """Cookies of all sites; storage of the origins that open tabs show or showed, and of those that are named."""
    found: list[OriginState] = []
    skipped: list[str] = []
    for origin in sorted({*origins, *await _known_origins(tabs)}):
        try:
            async with _at(tabs, origin) as frame:
                held: Params = await frame.use(_STORAGE, "read")
        except (Problem, CdpError, CdpGone, DocumentGone, JsError, TimeoutError) as error:
            skipped.append(f"{origin}: {str(error)[:200] or 'timeout'}")
            continue
        skipped.extend(f"{origin}: {what}" for what in held["skipped"])
        if held["localStorage"] or held["indexedDB"]:
            found.append(OriginState.model_validate({"origin": origin, **held}))
    return StorageState(cookies=await cookies.read(page), origins=found, skipped=skipped or None)


async def import_state(tabs: Tabs, page: Page, state: RestoreState) -> Restored:
    """Add what `state` has to the profile.  Origins that cannot be written are named, not raised."""
    await cookies.write(page, state.cookies)
    skipped: list[str] = []
    for one in state.origins:
        held = one.model_dump(by_alias=True)
        try:
            async with _at(tabs, one.origin) as frame:
                failed: list[str] = await frame.use(_STORAGE, "write", held["localStorage"], held["indexedDB"])
        except (Problem, CdpError, CdpGone, DocumentGone, JsError, TimeoutError) as error:
            failed = [str(error)[:200] or "timeout"]
        skipped.extend(f"{one.origin}: {what}" for what in failed)
    return Restored(cookies=len(state.cookies), origins=len(state.origins), skipped=skipped or None)


async def _known_origins(tabs: Tabs) -> set[str]:
    addresses: list[str] = []
    for page in tabs.list():
        addresses.extend(frame.url for frame in page.frames.all())
        history = await page.session.send("Page.getNavigationHistory")
        addresses.extend(entry["url"] for entry in history["entries"])
    return {origin for address in addresses if (origin := origin_of(address)) is not None}


def origin_of(address: str) -> str | None:
    """None for what has no storage of its own: about:blank, data:, files."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return None
    return f"{parts.scheme}://{parts.netloc}" if parts.scheme in ("http", "https") and parts.netloc else None


@asynccontextmanager
async def _at(tabs: Tabs, origin: str) -> AsyncIterator[Frame]:
    """An empty page of the origin in a window off screen; the site itself is not asked."""
    page = await tabs.create(is_hidden=True)
    stop = page.session.on("Fetch.requestPaused", lambda params: _answer(page.session, params))
    try:
        with anyio.fail_after(PATIENCE):
            await page.session.send("Fetch.enable", patterns=[{"urlPattern": "*"}])
            await navigate(page, f"{origin}/", WaitUntil.DOMCONTENTLOADED)
            yield page.main
    finally:
        stop()
        with anyio.move_on_after(5, shield=True):
            if not page.is_closed:
                await tabs.close(page)


def _answer(session: Session, params: Params) -> None:
    session.tell(
        "Fetch.fulfillRequest",
        requestId=params["requestId"],
        responseCode=200,
        responseHeaders=[
            {"name": "Content-Type", "value": "text/html"},
            {"name": "Cache-Control", "value": "no-store"},
        ],
        body=_EMPTY,
    )
