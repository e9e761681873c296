"""Going somewhere: navigate, back, forward, reload."""

from belljar.asgi.openapi import problems
from belljar.asgi.router import Router
from belljar.box.browser.acting import Performed, perform_plain
from belljar.box.browser.navigation import Arrival, go, navigate, reload
from belljar.box.parts import Box, TheBox
from belljar.box.routes.browser.reporting import popup_of, report_of
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
async def navigate_to(body: NavigateRequest, box: TheBox) -> PageInfo:
    """Load an address and wait for it.  A download or a 204 leaves the page where it was, and says so."""
    outcome = await box.addresses.visit(
        body.url,
        lambda: perform_plain(
            box.browser,
            body.tab_id,
            lambda page: navigate(page, body.url, body.wait_until),
            timeout=body.seconds or box.browser.timeouts.navigation,
            doing=f"waiting for {body.wait_until} of the page",
            report=body.wish,
            is_leaving=True,
        ),
    )
    return _page_info(outcome)


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
async def reload_page(box: TheBox, body: ReloadRequest | None = None) -> PageInfo:
    """Load the page again, with `ignoreCache` past the cache."""
    asked = body or ReloadRequest()
    outcome = await perform_plain(
        box.browser,
        asked.tab_id,
        lambda page: reload(page, asked.wait_until, ignore_cache=asked.ignore_cache),
        timeout=asked.seconds or box.browser.timeouts.navigation,
        doing=f"waiting for {asked.wait_until} of the page",
        report=asked.wish,
    )
    return _page_info(outcome)


async def _go(box: Box, body: HistoryRequest, delta: int) -> PageInfo:
    outcome = await perform_plain(
        box.browser,
        body.tab_id,
        lambda page: go(page, delta, body.wait_until),
        timeout=body.seconds or box.browser.timeouts.navigation,
        doing=f"waiting for {body.wait_until} of the page",
        report=body.wish,
    )
    return _page_info(outcome)


def _page_info(outcome: Performed[Arrival]) -> PageInfo:
    page, arrival = outcome.page, outcome.value
    popup = popup_of(outcome.effects)
    if arrival is None:
        return PageInfo(url=page.url, title=page.title, dialog=outcome.dialog_info, tab_id=page.id, popup=popup)
    return PageInfo(
        url=arrival.url,
        title=arrival.title,
        status=arrival.status,
        moved=arrival.has_moved,
        download=arrival.is_download or None,
        dialog=outcome.dialog_info,
        tab_id=page.id,
        popup=popup,
        report=report_of(outcome),
    )
