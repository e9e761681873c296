"""Tabs: list, create, activate, close."""

from typing import Annotated

from belljar.asgi.facts import Kind
from belljar.asgi.openapi import problems
from belljar.asgi.router import Router
from belljar.asgi.signature import Query
from belljar.box.browser.acting.action import again_after_restart
from belljar.box.browser.navigation import navigate
from belljar.box.browser.page import Page
from belljar.box.browser.tabs import Tabs
from belljar.box.parts import Box, TheBox
from belljar.problems.browser import BrowserNotActive, BrowserTimeout, NavigationFailed, PartitionNotFound, TabNotFound
from belljar.problems.egress import AddressDenied, EgressDenied
from belljar.wire.browser.common import OnTab
from belljar.wire.browser.navigation import WaitUntil
from belljar.wire.browser.tabs import CloseResult, CreateTab, TabInfo, TabList

router = Router(prefix="/v1/browser", tags=["browser"])


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
    return TabList(tabs=[_info(tabs, page) for page in tabs.list()])


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
    return _info((await box.browser.running()).tabs, page)


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
        tabs = box.browser.run.tabs
        await tabs.activate(page)
        return _info(tabs, page)


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
            await box.browser.run.tabs.close(page)
        else:
            box.browser.run.tabs.close_soon(page)
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


def _info(tabs: Tabs, page: Page) -> TabInfo:
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
