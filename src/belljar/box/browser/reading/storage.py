"""Cookies of the profile, and storage state: what it knows of a site, taken out and put in again."""

import base64
import re
import time
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import urlsplit

import anyio
import msgspec

from belljar.box.browser.cdp import CdpError, CdpGone, Session
from belljar.box.browser.cdp.events import RequestPaused
from belljar.box.browser.cdp.replies import CdpCookie, CookieParam, CookiePartitionKey, Cookies, NavigationHistory, Part
from belljar.box.browser.page.frames import DocumentGone, JsError, library
from belljar.box.browser.page.navigation import navigate
from belljar.box.browser.page.page import Page
from belljar.box.browser.page.tabs import Tabs
from belljar.problems import InvalidRequest, Problem
from belljar.wire.browser.common import WaitUntil
from belljar.wire.browser.storage import (
    Cookie,
    OriginState,
    PartitionKey,
    Restored,
    RestoreState,
    SameSite,
    SetCookie,
    StorageState,
)


class _Held(Part):
    """What an origin has stored; its records are checked where they are put into the answer."""

    local_storage: list[object]
    indexed_db: list[object] = msgspec.field(name="indexedDB")
    skipped: list[str]


async def read(page: Page, url: str | None = None) -> list[Cookie]:
    """All of them, or those that a request to `url` would carry, whatever their path and partition."""
    if url is None:
        found = await _browser(page).send_as(Cookies, "Storage.getCookies", **_context(page))
    else:
        if urlsplit(url).scheme not in ("http", "https", "ws", "wss"):
            raise InvalidRequest("url must be absolute: https://example.com/")
        found = await page.session.send_as(Cookies, "Network.getCookies", urls=[url])
    return [_cookie(one) for one in found.cookies]


async def write(page: Page, cookies: list[SetCookie]) -> None:
    """Set all of them, or none.  Raises `InvalidRequest`."""
    wanted = [_parameters(cookie, page) for cookie in cookies]
    before = await read(page)
    try:
        refused = await _put(page, wanted)
    except CdpError as error:
        known = next((f"{one.name!r}: {rule}" for one in wanted if (rule := _broken_rule(one))), error.message)
        raise InvalidRequest(f"Chromium does not take these cookies. {known}. None was set.") from error
    if refused:
        await _put_back(page, before)
        names = ", ".join(repr(one.name) for one in refused[:5])
        why = _broken_rule(refused[0]) or "its domain is not one that can have cookies, or the like"
        raise InvalidRequest(f"Chromium refused the cookie {names}: {why}. None was set.")


async def write_most(page: Page, cookies: list[SetCookie]) -> list[str]:
    """Set those that Chromium takes; the names of the others."""
    wanted = [_parameters(cookie, page) for cookie in cookies]
    try:
        return [one.name for one in await _put(page, wanted)]
    except CdpError:
        # One that it cannot even parse: then nothing was set.
        refused: list[str] = []
        for one in wanted:
            try:
                refused += [found.name for found in await _put(page, [one])]
            except CdpError:
                refused.append(one.name)
        return refused


async def _put(page: Page, wanted: list[CookieParam]) -> list[CookieParam]:
    """Set cookies; those that are not there afterwards.  Chromium answers as if it had taken them all."""
    await _browser(page).send("Storage.setCookies", cookies=wanted, **_context(page))
    there = {(one.name, one.domain.lstrip("."), one.value) for one in await read(page)}
    now = time.time()
    return [
        one
        for one in wanted
        if (one.name, _host(one), one.value.strip()) not in there and (one.expires is None or one.expires > now)
    ]


async def _put_back(page: Page, before: list[Cookie]) -> None:
    """Make the cookies what they were."""
    known = {_identity(cookie): cookie for cookie in before}
    for cookie in await read(page):
        if known.get(_identity(cookie)) == cookie:
            del known[_identity(cookie)]
        elif _identity(cookie) not in known:
            await _delete(page.session, cookie)
    if known:
        given = [SetCookie.model_validate(cookie.model_dump()) for cookie in known.values()]
        await _put(page, [_parameters(cookie, page) for cookie in given])


def _identity(cookie: Cookie) -> tuple[str, str, str, str]:
    partition = cookie.partition_key.top_level_site if cookie.partition_key is not None else ""
    return cookie.name, cookie.domain, cookie.path, partition


def _host(wanted: CookieParam) -> str:
    """Whose cookie it is to be."""
    given = wanted.domain or urlsplit(wanted.url or "").hostname or ""
    return given.lower().lstrip(".")


def _broken_rule(wanted: CookieParam) -> str | None:
    """The rule for cookies that it breaks, as far as it can be told from outside."""
    name, is_secure = wanted.name, bool(wanted.secure) or (wanted.url or "").startswith("https:")
    if name.startswith("__Host-") and (wanted.domain or wanted.path not in (None, "/") or not is_secure):
        return "a name that begins with __Host- needs secure, the path / and a url instead of a domain"
    if name.startswith("__Secure-") and not is_secure:
        return "a name that begins with __Secure- needs secure"
    if wanted.same_site == SameSite.NONE and not is_secure:
        return "sameSite None needs secure"
    return None


async def delete(page: Page, name: str | None, domain: str | None) -> int:
    """Those with this name, of this domain or below it; how many.  Without either all."""
    found = [cookie for cookie in await read(page) if _matches(cookie, name, domain)]
    if name is None and domain is None:
        await _browser(page).send("Storage.clearCookies", **_context(page))
        return len(found)
    for cookie in found:
        await _delete(page.session, cookie)
    return len(found)


async def _delete(session: Session, cookie: Cookie) -> None:
    partition = {"partitionKey": _partition(cookie.partition_key)} if cookie.partition_key is not None else {}
    await session.send("Network.deleteCookies", name=cookie.name, domain=cookie.domain, path=cookie.path, **partition)


def _matches(cookie: Cookie, name: str | None, domain: str | None) -> bool:
    if name is not None and cookie.name != name:
        return False
    if domain is None:
        return True
    wanted, has = domain.lower().lstrip("."), cookie.domain.lower().lstrip(".")
    return has == wanted or has.endswith("." + wanted)


def _browser(page: Page) -> Session:
    """The session that may name a context."""
    return page.session.connection.browser


def _context(page: Page) -> dict[str, object]:
    return {"browserContextId": page.context_id} if page.context_id is not None else {}


def _cookie(found: CdpCookie) -> Cookie:
    return Cookie(
        name=found.name,
        value=found.value,
        domain=found.domain,
        path=found.path,
        expires=found.expires,
        http_only=found.http_only,
        secure=found.secure,
        same_site=SameSite(found.same_site or SameSite.LAX),
        partition_key=_partition_key(found.partition_key),
    )


def _partition_key(found: CookiePartitionKey | str | None) -> PartitionKey | None:
    if not isinstance(found, CookiePartitionKey):
        return None
    return PartitionKey(top_level_site=found.top_level_site, has_cross_site_ancestor=found.has_cross_site_ancestor)


def _parameters(cookie: SetCookie, page: Page) -> CookieParam:
    url = cookie.url
    if url is None and cookie.domain is None:
        if not page.url.startswith(("http://", "https://")):
            raise InvalidRequest(f"The cookie {cookie.name!r} needs a url or a domain: the active tab has no website.")
        url = page.url
    return CookieParam(
        name=cookie.name,
        value=cookie.value,
        url=url,
        domain=cookie.domain,
        path=cookie.path,
        secure=cookie.secure,
        http_only=cookie.http_only,
        same_site=cookie.same_site,
        # Below nought it is one for the browser's life, as without.
        expires=cookie.expires if cookie.expires is not None and cookie.expires >= 0 else None,
        partition_key=_partition(cookie.partition_key) if cookie.partition_key is not None else None,
    )


def _partition(key: PartitionKey) -> CookiePartitionKey:
    return CookiePartitionKey(key.top_level_site, key.has_cross_site_ancestor)


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
    known = await read(page)
    databases = await anyio.to_thread.run_sync(_origins_with_databases, profile)
    named = {origin.rstrip("/") for origin in origins}
    everywhere = sorted({*named, *await _known_origins(tabs), *_origins_of_cookies(known), *databases})
    async with _empty_page(tabs) as reading:
        for origin in everywhere:
            try:
                with anyio.fail_after(PATIENCE):
                    await navigate(reading, f"{origin}/", WaitUntil.DOMCONTENTLOADED)
                    held = await reading.main.use(_STORAGE, "read", kind=_Held)
            except _REFUSALS as error:
                skipped.append(f"{origin}: {str(error)[:200] or 'timeout'}")
                continue
            skipped.extend(f"{origin}: {what}" for what in held.skipped)
            if held.local_storage or held.indexed_db:
                stored = {"localStorage": held.local_storage, "indexedDB": held.indexed_db}
                found.append(OriginState.model_validate({"origin": origin, **stored}))
    return StorageState(cookies=known, origins=found, skipped=skipped or None)


async def import_state(tabs: Tabs, page: Page, state: RestoreState) -> Restored:
    """Add what `state` has to the profile.  Origins that cannot be written are named, not raised."""
    refused = await write_most(page, state.cookies)
    skipped = [f"cookie {name}: refused by Chromium" for name in refused]
    async with _empty_page(tabs) as writing:
        for one in state.origins:
            held = one.model_dump(by_alias=True)
            try:
                with anyio.fail_after(PATIENCE):
                    await navigate(writing, f"{one.origin.rstrip('/')}/", WaitUntil.DOMCONTENTLOADED)
                    failed = await writing.main.use(
                        _STORAGE, "write", held["localStorage"], held["indexedDB"], kind=list[str]
                    )
            except _REFUSALS as error:
                failed = [str(error)[:200] or "timeout"]
            skipped.extend(f"{one.origin}: {what}" for what in failed)
    return Restored(cookies=len(state.cookies) - len(refused), origins=len(state.origins), skipped=skipped or None)


async def _known_origins(tabs: Tabs) -> set[str]:
    addresses = list(tabs.visited)
    for page in tabs.list():
        addresses.extend(frame.url for frame in page.frames.all())
        history = await page.session.send_as(NavigationHistory, "Page.getNavigationHistory")
        addresses.extend(entry.url for entry in history.entries)
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
    stop = page.session.on(RequestPaused, lambda event: _answer(page.session, event))
    try:
        await page.session.send("Fetch.enable", patterns=[{"urlPattern": "*"}])
        yield page
    finally:
        stop()
        with anyio.move_on_after(5, shield=True):
            if not page.is_closed:
                await tabs.close(page)


def _answer(session: Session, event: RequestPaused) -> None:
    session.tell(
        "Fetch.fulfillRequest",
        requestId=event.request_id,
        responseCode=200,
        responseHeaders=[
            {"name": "Content-Type", "value": "text/html"},
            {"name": "Cache-Control", "value": "no-store"},
        ],
        body=_EMPTY,
    )
