"""The profile's cookies."""

import time
from typing import Any
from urllib.parse import urlsplit

from belljar.box.browser.cdp import CdpError, Session
from belljar.box.browser.page import Page
from belljar.problems import InvalidRequest
from belljar.wire.browser.cookies import Cookie, PartitionKey, SameSite, SetCookie

Params = dict[str, Any]


async def read(page: Page, url: str | None = None) -> list[Cookie]:
    """All of them, or those that a request to `url` would carry, whatever their path and partition."""
    if url is None:
        reply = await _browser(page).send("Storage.getCookies", **_context(page))
    else:
        if urlsplit(url).scheme not in ("http", "https", "ws", "wss"):
            raise InvalidRequest("url must be absolute: https://example.com/")
        reply = await page.session.send("Network.getCookies", urls=[url])
    return [_cookie(found) for found in reply["cookies"]]


async def write(page: Page, cookies: list[SetCookie]) -> None:
    """Set all of them, or none.  Raises `InvalidRequest`."""
    wanted = [_parameters(cookie, page) for cookie in cookies]
    before = await read(page)
    try:
        refused = await _put(page, wanted)
    except CdpError as error:
        known = next((f"{one['name']!r}: {rule}" for one in wanted if (rule := _broken_rule(one))), error.message)
        raise InvalidRequest(f"Chromium does not take these cookies. {known}. None was set.") from error
    if refused:
        await _put_back(page, before)
        names = ", ".join(repr(one["name"]) for one in refused[:5])
        why = _broken_rule(refused[0]) or "its domain is not one that can have cookies, or the like"
        raise InvalidRequest(f"Chromium refused the cookie {names}: {why}. None was set.")


async def write_most(page: Page, cookies: list[SetCookie]) -> list[str]:
    """Set those that Chromium takes; the names of the others."""
    wanted = [_parameters(cookie, page) for cookie in cookies]
    try:
        return [one["name"] for one in await _put(page, wanted)]
    except CdpError:
        # One that it cannot even parse: then nothing was set.
        refused: list[str] = []
        for one in wanted:
            try:
                refused += [found["name"] for found in await _put(page, [one])]
            except CdpError:
                refused.append(one["name"])
        return refused


async def _put(page: Page, wanted: list[Params]) -> list[Params]:
    """Set cookies; those that are not there afterwards.  Chromium answers as if it had taken them all."""
    await _browser(page).send("Storage.setCookies", cookies=wanted, **_context(page))
    there = {(one.name, one.domain.lstrip("."), one.value) for one in await read(page)}
    now = time.time()
    return [
        one
        for one in wanted
        if (one["name"], _host(one), one["value"].strip()) not in there and one.get("expires", now + 1) > now
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


def _host(wanted: Params) -> str:
    """Whose cookie it is to be."""
    given: str = wanted.get("domain") or urlsplit(wanted["url"]).hostname or ""
    return given.lower().lstrip(".")


def _broken_rule(wanted: Params) -> str | None:
    """The rule for cookies that it breaks, as far as it can be told from outside."""
    name, is_secure = wanted["name"], bool(wanted.get("secure")) or str(wanted.get("url", "")).startswith("https:")
    if name.startswith("__Host-") and (wanted.get("domain") or wanted.get("path", "/") != "/" or not is_secure):
        return "a name that begins with __Host- needs secure, the path / and a url instead of a domain"
    if name.startswith("__Secure-") and not is_secure:
        return "a name that begins with __Secure- needs secure"
    if wanted.get("sameSite") == SameSite.NONE and not is_secure:
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


def _context(page: Page) -> Params:
    return {"browserContextId": page.context_id} if page.context_id is not None else {}


def _cookie(found: Params) -> Cookie:
    partition = found.get("partitionKey")
    key = PartitionKey.model_validate(partition) if isinstance(partition, dict) else None
    return Cookie(
        name=found["name"],
        value=found["value"],
        domain=found["domain"],
        path=found["path"],
        expires=found["expires"],
        http_only=found["httpOnly"],
        secure=found["secure"],
        same_site=SameSite(found.get("sameSite", SameSite.LAX)),
        partition_key=key,
    )


def _parameters(cookie: SetCookie, page: Page) -> Params:
    given = cookie.model_dump(mode="json", by_alias=True, exclude_none=True)
    if given.get("expires", 0) < 0:
        del given["expires"]
    if cookie.partition_key is not None:
        given["partitionKey"] = _partition(cookie.partition_key)
    if cookie.url is None and cookie.domain is None:
        if not page.url.startswith(("http://", "https://")):
            raise InvalidRequest(f"The cookie {cookie.name!r} needs a url or a domain: the active tab has no website.")
        given["url"] = page.url
    return given


def _partition(key: PartitionKey) -> Params:
    return {"topLevelSite": key.top_level_site, "hasCrossSiteAncestor": key.has_cross_site_ancestor}
