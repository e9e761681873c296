"""Storage state: what the profile knows of a site, taken out and put in again."""

import base64
import re
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import anyio

from belljar.box.browser import cookies
from belljar.box.browser.cdp import CdpError, CdpGone, Session
from belljar.box.browser.navigation import navigate
from belljar.box.browser.page import Page
from belljar.box.browser.script import DocumentGone, JsError, library
from belljar.box.browser.tabs import Tabs
from belljar.problems import Problem
from belljar.wire.browser.cookies import Cookie
from belljar.wire.browser.navigation import WaitUntil
from belljar.wire.browser.storage import OriginState, Restored, RestoreState, StorageState

Params = dict[str, Any]
_STORAGE = library("storage")
_DATABASE = re.compile(r"(?P<scheme>https?)_(?P<host>[^_]+)_(?P<port>\d+)\.indexeddb\.leveldb")
# Seconds for one origin.
PATIENCE = 10.0
_REFUSALS = (Problem, CdpError, CdpGone, DocumentGone, JsError, TimeoutError)
# What every address of an origin answers while its storage is reached for: nobody is asked anything.
_EMPTY = base64.b64encode(b"<!doctype html><title>belljar</title>").decode()


async def export_state(tabs: Tabs, page: Page, origins: Iterable[str], profile: Path) -> StorageState:
    """Cookies of all sites; storage of the origins that are named, were visited, have cookies or databases."""
    found: list[OriginState] = []
    skipped: list[str] = []
    known = await cookies.read(page)
    databases = await anyio.to_thread.run_sync(_origins_with_databases, profile)
    named = {origin.rstrip("/") for origin in origins}
    everywhere = sorted({*named, *await _known_origins(tabs), *_origins_of_cookies(known), *databases})
    async with _empty_page(tabs) as reading:
        for origin in everywhere:
            try:
                with anyio.fail_after(PATIENCE):
                    await navigate(reading, f"{origin}/", WaitUntil.DOMCONTENTLOADED)
                    held: Params = await reading.main.use(_STORAGE, "read")
            except _REFUSALS as error:
                skipped.append(f"{origin}: {str(error)[:200] or 'timeout'}")
                continue
            skipped.extend(f"{origin}: {what}" for what in held["skipped"])
            if held["localStorage"] or held["indexedDB"]:
                found.append(OriginState.model_validate({"origin": origin, **held}))
    return StorageState(cookies=known, origins=found, skipped=skipped or None)


async def import_state(tabs: Tabs, page: Page, state: RestoreState) -> Restored:
    """Add what `state` has to the profile.  Origins that cannot be written are named, not raised."""
    refused = await cookies.write_most(page, state.cookies)
    skipped = [f"cookie {name}: refused by Chromium" for name in refused]
    async with _empty_page(tabs) as writing:
        for one in state.origins:
            held = one.model_dump(by_alias=True)
            try:
                with anyio.fail_after(PATIENCE):
                    await navigate(writing, f"{one.origin.rstrip('/')}/", WaitUntil.DOMCONTENTLOADED)
                    failed: list[str] = await writing.main.use(
                        _STORAGE, "write", held["localStorage"], held["indexedDB"]
                    )
            except _REFUSALS as error:
                failed = [str(error)[:200] or "timeout"]
            skipped.extend(f"{one.origin}: {what}" for what in failed)
    return Restored(cookies=len(state.cookies) - len(refused), origins=len(state.origins), skipped=skipped or None)


async def _known_origins(tabs: Tabs) -> set[str]:
    addresses = list(tabs.visited)
    for page in tabs.list():
        addresses.extend(frame.url for frame in page.frames.all())
        history = await page.session.send("Page.getNavigationHistory")
        addresses.extend(entry["url"] for entry in history["entries"])
    return {origin for address in addresses if (origin := origin_of(address)) is not None}


def _origins_of_cookies(known: Iterable[Cookie]) -> set[str]:
    hosts = {(one.secure, one.domain.lstrip(".")) for one in known}
    return {f"{'https' if is_secure else 'http'}://{host}" for is_secure, host in hosts if host}


def _origins_with_databases(profile: Path) -> set[str]:
    """Those that had databases when the profile was last used, as Chromium names their folders.  Blocks."""
    found = (_DATABASE.fullmatch(path.name) for path in (profile / "Default" / "IndexedDB").glob("http*.leveldb"))
    return {
        f"{match['scheme']}://{match['host']}{'' if match['port'] == '0' else ':' + match['port']}"
        for match in found
        if match is not None
    }


def origin_of(address: str) -> str | None:
    """None for what has no storage of its own: about:blank, data:, files."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return None
    return f"{parts.scheme}://{parts.netloc}" if parts.scheme in ("http", "https") and parts.netloc else None


@asynccontextmanager
async def _empty_page(tabs: Tabs) -> AsyncIterator[Page]:
    """A page in a window off screen that is empty wherever it goes; no site is asked anything."""
    page = await tabs.create(is_hidden=True)
    stop = page.session.on("Fetch.requestPaused", lambda params: _answer(page.session, params))
    try:
        await page.session.send("Fetch.enable", patterns=[{"urlPattern": "*"}])
        yield page
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
