"""Going somewhere: navigate, back, forward, reload."""

from contextlib import AbstractAsyncContextManager

from belljar.asgi.openapi import problems
from belljar.asgi.router import Router
from belljar.box.browser.acting.action import Action, again_after_restart
from belljar.box.browser.navigation import Arrival, go, navigate, reload
from belljar.box.parts import Box, TheBox
from belljar.problems.browser import BrowserNotActive, BrowserTimeout, DialogOpen, NavigationFailed, TabNotFound
from belljar.problems.egress import AddressDenied, EgressDenied
from belljar.wire.browser.navigation import HistoryRequest, NavigateRequest, PageInfo, ReloadRequest

router = Router(prefix="/v1/browser", tags=["browser"])
_PROBLEMS = problems(BrowserNotActive, DialogOpen, TabNotFound, BrowserTimeout, NavigationFailed)


@router.post(
    "/navigate",
    operation_id="browserNavigate",
    live="navigate",
    response_model_exclude_none=True,
    responses={**_PROBLEMS, **problems(EgressDenied, AddressDenied)},
)
@again_after_restart
async def navigate_to(body: NavigateRequest, box: TheBox) -> PageInfo:
    """Load an address and wait for it.  A download or a 204 leaves the page where it was, and says so."""
    async with box.addresses.visit(body.url) as visit, _going(box, body, is_leaving=True) as act:
        visit.arrival = await navigate(act.page, body.url, body.wait_until)
    return _page_info(act, visit.arrival)


@router.post("/back", operation_id="browserBack", live="back", response_model_exclude_none=True, responses=_PROBLEMS)
async def back(box: TheBox, body: HistoryRequest | None = None) -> PageInfo:
    """Go back in history; at its beginning the page stays and `moved` is false."""
    return await _go(box, body or HistoryRequest(), -1)


@router.post(
    "/forward", operation_id="browserForward", live="forward", response_model_exclude_none=True, responses=_PROBLEMS
)
async def forward(box: TheBox, body: HistoryRequest | None = None) -> PageInfo:
    """Go forward in history; at its end the page stays and `moved` is false."""
    return await _go(box, body or HistoryRequest(), 1)


@router.post(
    "/reload", operation_id="browserReload", live="reload", response_model_exclude_none=True, responses=_PROBLEMS
)
@again_after_restart
async def reload_page(box: TheBox, body: ReloadRequest | None = None) -> PageInfo:
    """Load the page again, with `ignoreCache` past the cache."""
    asked = body or ReloadRequest()
    arrival: Arrival | None = None
    async with _going(box, asked) as act:
        arrival = await reload(act.page, asked.wait_until, ignore_cache=asked.ignore_cache)
    return _page_info(act, arrival)


@again_after_restart
async def _go(box: Box, body: HistoryRequest, delta: int) -> PageInfo:
    arrival: Arrival | None = None
    async with _going(box, body) as act:
        arrival = await go(act.page, delta, body.wait_until)
    return _page_info(act, arrival)


def _going(
    box: Box, body: NavigateRequest | HistoryRequest, *, is_leaving: bool = False
) -> AbstractAsyncContextManager[Action]:
    doing = f"waiting for {body.wait_until} of the page"
    seconds = body.seconds or box.browser.timeouts.navigation
    return box.browser.action(body, doing, timeout=seconds, is_leaving=is_leaving, keeps_deadline=False)


def _page_info(act: Action, arrival: Arrival | None) -> PageInfo:
    page = act.page
    if arrival is None:
        return PageInfo(url=page.url, title=page.title, dialog=act.dialog_info, tab_id=page.id, popup=act.popup)
    return PageInfo(
        url=arrival.url,
        title=arrival.title,
        status=arrival.status,
        moved=arrival.has_moved,
        download=arrival.is_download or None,
        dialog=act.dialog_info,
        tab_id=page.id,
        popup=act.popup,
        report=act.report,
    )
