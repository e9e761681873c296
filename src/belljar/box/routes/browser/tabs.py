"""Tabs, and going somewhere in them: navigation, dialogs, partitions."""

from contextlib import AbstractAsyncContextManager
from typing import Annotated

from pydantic import Field

from belljar.box.browser.acting.action import Action, again_after_restart
from belljar.box.browser.page.dialogs import answer
from belljar.box.browser.page.emulation import Viewport
from belljar.box.browser.page.navigation import Arrival, go, navigate, reload
from belljar.box.browser.page.page import Page
from belljar.box.browser.page.partitions import MOST_PARTITIONS, Partition, Spare
from belljar.box.browser.page.tabs import Tabs
from belljar.box.parts import Box, TheBox
from belljar.problems import InvalidRequest
from belljar.problems.box import AddressDenied, EgressDenied
from belljar.problems.browser import (
    BrowserNotActive,
    BrowserTimeout,
    DialogNotFound,
    DialogOpen,
    NavigationFailed,
    PartitionNotFound,
    TabNotFound,
)
from belljar.server.openapi import problems
from belljar.server.router import Kind, Router
from belljar.server.signature import Query
from belljar.wire.base import Ok
from belljar.wire.browser.common import (
    DialogRequest,
    DialogResult,
    HistoryRequest,
    NavigateRequest,
    OnTab,
    OpenDialog,
    PageInfo,
    ReloadRequest,
    WaitUntil,
)
from belljar.wire.browser.lifecycle import (
    PARTITION_NAME,
    CloseResult,
    CreateTab,
    PartitionInfo,
    PartitionList,
    PutPartition,
    TabInfo,
    TabList,
    ViewportSize,
)

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


@router.post(
    "/stop-loading",
    operation_id="browserStopLoading",
    live="stop",
    responses=problems(BrowserNotActive, TabNotFound),
)
async def stop_loading(box: TheBox, body: OnTab | None = None) -> Ok:
    """Stop what is on its way, as a browser's Stop does; whoever waits for it goes on with what has come."""
    tabs = (await box.browser.running()).tabs
    tabs.get(None if body is None else body.tab_id).stop_loading()
    return Ok()


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


@router.get(
    "/tabs",
    operation_id="getBrowserTabs",
    tells=Kind.TEXT,
    live="tabs.list",
    response_model_exclude_none=True,
    responses=problems(BrowserNotActive),
)
async def list_tabs(box: TheBox) -> TabList:
    """Every open tab, in the order they were opened."""
    tabs = (await box.browser.running()).tabs
    return TabList(tabs=[_tab_info(tabs, page) for page in tabs.list()])


@router.post(
    "/tabs",
    operation_id="createBrowserTab",
    live="tabs.create",
    status_code=201,
    response_model_exclude_none=True,
    responses=problems(
        BrowserNotActive, NavigationFailed, BrowserTimeout, EgressDenied, AddressDenied, PartitionNotFound
    ),
)
async def create_tab(box: TheBox, body: CreateTab | None = None) -> TabInfo:
    """Open a tab, which becomes the active one unless it is a partition's, and load its address."""
    asked = body or CreateTab()
    timeout = asked.timeout / 1000 if asked.timeout else box.browser.timeouts.navigation
    if asked.url is not None:
        box.addresses.check(asked.url)
    page = await _create(box, asked.partition)
    page.dismisses_dialogs = asked.dismiss_dialogs
    if asked.url is not None:
        page = await _load(box, page.id, asked.url, timeout)
    return _tab_info((await box.browser.running()).tabs, page)


@router.post(
    "/tabs/{tab_id}/activate",
    operation_id="activateBrowserTab",
    live="tabs.activate",
    response_model_exclude_none=True,
    responses=problems(BrowserNotActive, TabNotFound),
)
@again_after_restart
async def activate_tab(tab_id: str, box: TheBox) -> TabInfo:
    """Bring a tab to the front; it is the active one from now on."""
    async with box.browser.use_page(OnTab(tab_id=tab_id), "activating the tab") as page:
        tabs = box.browser.instance.tabs
        await tabs.activate(page)
        return _tab_info(tabs, page)


@router.delete(
    "/tabs/{tab_id}",
    operation_id="closeBrowserTab",
    live="tabs.close",
    response_model_exclude_none=True,
    responses=problems(BrowserNotActive, TabNotFound),
)
@again_after_restart
async def close_tab(
    tab_id: str,
    box: TheBox,
    wait: Annotated[bool, Query(description="Whether to answer when it is closed, or when that has begun.")] = True,
) -> CloseResult:
    """Close a tab.  Another one becomes active; closing the last one leaves a blank one."""
    async with box.browser.use_page(OnTab(tab_id=tab_id), "closing the tab", is_leaving=True) as page:
        if wait:
            await box.browser.instance.tabs.close(page)
        else:
            box.browser.instance.tabs.close_soon(page)
        return CloseResult(dialog=page.dialog.info() if page.dialog is not None else None)


@again_after_restart
async def _create(box: Box, partition: str | None) -> Page:
    async with box.browser.use_chromium("opening a tab") as run:
        return await run.tabs.create(partition=None if partition is None else run.tabs.partitions.get(partition))


@again_after_restart
async def _load(box: Box, tab_id: str, url: str, timeout: float) -> Page:
    tab = OnTab(tab_id=tab_id)
    async with (
        box.addresses.visit(url) as visit,
        box.browser.action(tab, "loading the new tab", timeout=timeout, keeps_deadline=False) as act,
    ):
        visit.arrival = await navigate(act.page, url, WaitUntil.LOAD)
    return act.page


def _tab_info(tabs: Tabs, page: Page) -> TabInfo:
    partition = tabs.partitions.of(page.context_id)
    return TabInfo(
        id=page.id,
        url=page.url,
        title=page.title,
        active=page is tabs.active,
        partition=partition.name if partition is not None else None,
        opener_id=page.opener_id,
        dialog=page.dialog.info() if page.dialog is not None else None,
        crashed=page.is_crashed or None,
    )


@router.get(
    "/dialog",
    operation_id="getBrowserDialog",
    tells=Kind.TEXT,
    response_model_exclude_none=True,
    responses=problems(BrowserNotActive, TabNotFound),
)
async def open_dialog(box: TheBox, tab_id: Annotated[str | None, Query(alias="tabId")] = None) -> OpenDialog:
    """The dialog that is open, if one is."""
    page = await _page_with_dialog(box, tab_id)
    return OpenDialog(dialog=page.dialog.info() if page.dialog is not None else None, tab_id=page.id)


@router.post(
    "/dialog",
    operation_id="browserDialog",
    live="dialog",
    typed=("text",),
    response_model_exclude_none=True,
    responses=problems(BrowserNotActive, TabNotFound, DialogNotFound, BrowserTimeout),
)
@again_after_restart
async def answer_dialog(body: DialogRequest, box: TheBox) -> DialogResult:
    """Answer the open dialog; the page goes on."""
    asking = await _page_with_dialog(box, body.tab_id)
    asked, wish = body.model_copy(update={"tab_id": asking.id}), body.wish
    if wish is None:
        async with box.browser.use_page(asked, "closing the dialog") as page:
            answered = await answer(page, accept=body.accept, text=body.text)
        return DialogResult(dialog=answered.info())
    async with box.browser.answering(asked, wish) as act:
        answered = await answer(act.page, accept=body.accept, text=body.text)
    return DialogResult(dialog=answered.info(), next=act.dialog_info, **act.effects_info())


async def _page_with_dialog(box: Box, tab_id: str | None) -> Page:
    """Without an id the active tab, unless it has no dialog and another one has."""
    page = await box.browser.page(tab_id)
    if tab_id is None and page.dialog is None:
        return next((other for other in (await box.browser.running()).tabs.list() if other.dialog is not None), page)
    return page


@router.get(
    "/partitions",
    operation_id="getBrowserPartitions",
    tells=Kind.STORAGE,
    response_model_exclude_none=True,
    responses=problems(BrowserNotActive),
)
async def list_partitions(box: TheBox) -> PartitionList:
    """Every partition, in the order they were made."""
    tabs = (await box.browser.running()).tabs
    return PartitionList(partitions=[_partition_info(tabs, partition) for partition in tabs.partitions])


@router.put(
    "/partitions/{name}",
    operation_id="putBrowserPartition",
    response_model_exclude_none=True,
    responses=problems(BrowserNotActive, BrowserTimeout),
)
@again_after_restart
async def put_partition(
    box: TheBox, name: Annotated[str, Field(pattern=PARTITION_NAME)], body: PutPartition | None = None
) -> PartitionInfo:
    """Make a partition, or say what holds for tabs that one will have.

    Its tabs share cookies and storage with each other and with no other tab.  They are never listed among the others
    nor active, so nobody who watches sees them; name them by id.  All of it is gone when the browser stops.
    """
    asked = body or PutPartition()
    domains = None if asked.allowed_domains is None else tuple(map(_domain, asked.allowed_domains))
    size = asked.viewport
    viewport = None if size is None else Viewport(size.width, size.height, size.device_scale_factor or 0)
    async with box.browser.use_chromium("making the partition") as run:
        tabs = run.tabs
        known = tabs.partitions.find(name)
        if known is None:
            if len(tabs.partitions) >= MOST_PARTITIONS:
                raise InvalidRequest(f"There are {MOST_PARTITIONS} partitions already. Delete one first.")
            known = await tabs.partitions.create(name)
        elif known.domains != domains and tabs.in_partition(known):
            raise InvalidRequest("The domains of a partition that has tabs cannot be changed. Close them first.")
        known.domains, known.viewport = domains, viewport
        if asked.spare_tab:
            known.spare = known.spare or Spare()
        elif known.spare is not None:
            await tabs.drop_spare(known)
            known.spare = None
        return _partition_info(tabs, known)


@router.delete(
    "/partitions/{name}",
    operation_id="deleteBrowserPartition",
    responses=problems(BrowserNotActive, BrowserTimeout, PartitionNotFound),
)
@again_after_restart
async def delete_partition(name: str, box: TheBox) -> Ok:
    """Throw a partition away, with its tabs, cookies and storage."""
    async with box.browser.use_chromium("deleting the partition") as run:
        await run.tabs.partitions.delete(run.tabs.partitions.get(name))
    return Ok()


def _domain(text: str) -> str:
    """A plain host name or address, in small letters; what browsers write in punycode is written so here."""
    host = text.strip().lower().removeprefix("*.").strip(".")
    try:
        plain = host if host.isascii() else host.encode("idna").decode("ascii")
    except UnicodeError:
        plain = ""
    if not plain or any(character in plain for character in "/:@ *?#\\"):
        raise InvalidRequest(f"{text!r} is not a domain: give names such as example.com.")
    return plain


def _partition_info(tabs: Tabs, partition: Partition) -> PartitionInfo:
    size = partition.viewport
    return PartitionInfo(
        name=partition.name,
        allowed_domains=None if partition.domains is None else list(partition.domains),
        viewport=None
        if size is None
        else ViewportSize(width=size.width, height=size.height, device_scale_factor=size.scale or None),
        spare_tab=partition.spare is not None,
        tabs=[page.id for page in tabs.in_partition(partition)],
    )
