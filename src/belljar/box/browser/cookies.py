"""The profile's cookies."""

from typing import Any
from urllib.parse import urlsplit

from belljar.box.browser.cdp import CdpError, Session
from belljar.box.browser.page import Page
from belljar.problems import InvalidRequest
from belljar.wire.browser.cookies import Cookie, PartitionKey, SetCookie

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
    try:
        await _browser(page).send("Storage.setCookies", cookies=wanted, **_context(page))
    except CdpError as error:
        raise InvalidRequest(f"Chromium does not take these cookies: {error.message}") from error


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
        same_site=found.get("sameSite"),
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
