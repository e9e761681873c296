"""The profile's cookies."""

from typing import Annotated

from belljar.asgi.facts import Kind
from belljar.asgi.openapi import problems
from belljar.asgi.router import Router
from belljar.asgi.signature import Query
from belljar.box.browser import cookies
from belljar.box.browser.acting.action import again_after_restart
from belljar.box.parts import TheBox
from belljar.problems.browser import BrowserNotActive, BrowserTimeout
from belljar.wire.base import Ok
from belljar.wire.browser.common import OnTab
from belljar.wire.browser.cookies import Cookies, DeletedCookies, SetCookies

router = Router(prefix="/v1/browser", tags=["browser"])
_PROBLEMS = problems(BrowserNotActive, BrowserTimeout)
Url = Annotated[str | None, Query(max_length=20_000, description="Only those that a request there would carry.")]
Domain = Annotated[str | None, Query(max_length=1_000, description="Only those of this domain and below it.")]
Name = Annotated[str | None, Query(max_length=4_096, description="Only those of this name.")]


@router.get(
    "/cookies",
    operation_id="getBrowserCookies",
    tells=Kind.STORAGE,
    response_model_exclude_none=True,
    responses=_PROBLEMS,
)
@again_after_restart
async def get_cookies(box: TheBox, url: Url = None) -> Cookies:
    """The cookies of all sites, or those for one address; `httpOnly` and partitioned ones too."""
    async with box.browser.use_page(OnTab(), "reading cookies") as page:
        return Cookies(cookies=await cookies.read(page, url))


@router.post("/cookies", operation_id="setBrowserCookies", responses=_PROBLEMS)
@again_after_restart
async def set_cookies(body: SetCookies, box: TheBox) -> Ok:
    """Set cookies: all of them, or none when one cannot be set."""
    async with box.browser.use_page(OnTab(), "setting cookies") as page:
        await cookies.write(page, body.cookies)
    return Ok()


@router.delete("/cookies", operation_id="deleteBrowserCookies", responses=_PROBLEMS)
@again_after_restart
async def delete_cookies(box: TheBox, name: Name = None, domain: Domain = None) -> DeletedCookies:
    """Delete cookies by name, by domain, by both; all of them when neither is given."""
    async with box.browser.use_page(OnTab(), "deleting cookies") as page:
        return DeletedCookies(deleted=await cookies.delete(page, name, domain))
