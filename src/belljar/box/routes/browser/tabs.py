"""Tabs: list, create, activate, close."""

from typing import Annotated

from belljar.asgi.facts import Kind
from belljar.asgi.openapi import problems
from belljar.asgi.router import Router
from belljar.asgi.signature import Query
from belljar.box.browser.calls import within
from belljar.box.browser.navigation import navigate
from belljar.box.browser.page import Page
from belljar.box.parts import Box, TheBox
from belljar.problems.browser import BrowserNotActive, BrowserTimeout, NavigationFailed, PartitionNotFound, TabNotFound
from belljar.problems.egress import AddressDenied, EgressDenied
from belljar.wire.browser.navigation import WaitUntil
from belljar.wire.browser.tabs import CloseResult, CreateTab, TabInfo, TabList

router = Router(prefix="/v1/browser", tags=["browser"])


@router.get(
    "/tabs",
    tells=Kind.TEXT,
    live="tabs.list",
    response_model_exclude_none=True,
    responses=problems(BrowserNotActive),
)
async def list_tabs(box: TheBox) -> TabList:
    """Every open tab, in the order they were opened."""
    return TabList(tabs=[_info(box, page) for page in box.browser.run.tabs.list()])


@router.post(
    "/tabs",
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
        url = asked.url
        await box.addresses.visit(
            url,
            lambda: box.browser.act(
                page.id, lambda page: navigate(page, url, WaitUntil.LOAD), timeout=timeout, doing="loading the new tab"
            ),
        )
    return _info(box, page)


@router.post(
    "/tabs/{tab_id}/activate",
    live="tabs.activate",
    response_model_exclude_none=True,
    responses=problems(BrowserNotActive, TabNotFound),
)
async def activate_tab(tab_id: str, box: TheBox) -> TabInfo:
    """Bring a tab to the front; it is the active one from now on."""
    async with box.browser.using(tab_id, timeout=box.browser.timeouts.action, doing="activating the tab") as page:
        await box.browser.run.tabs.activate(page)
    return _info(box, page)


@router.delete(
    "/tabs/{tab_id}",
    live="tabs.close",
    response_model_exclude_none=True,
    responses=problems(BrowserNotActive, TabNotFound),
)
async def close_tab(
    tab_id: str,
    box: TheBox,
    wait: Annotated[bool, Query(description="Whether to answer when it is closed, or when that has begun.")] = True,
) -> CloseResult:
    """Close a tab.  Another one becomes active; closing the last one leaves a blank one."""
    async with box.browser.using(
        tab_id, timeout=box.browser.timeouts.action, doing="closing the tab", is_leaving=True
    ) as page:
        if wait:
            await box.browser.run.tabs.close(page)
        else:
            box.browser.run.tabs.close_soon(page)
    return CloseResult(dialog=page.dialog.info() if page.dialog is not None else None)


async def _create(box: Box, partition: str | None) -> Page:
    tabs = box.browser.run.tabs
    asked = None if partition is None else tabs.partitions.get(partition)
    with box.browser.waiting(), within(box.browser.timeouts.action, tabs.active, doing="opening a tab"):
        return await tabs.create(partition=asked)


def _info(box: Box, page: Page) -> TabInfo:
    partition = box.browser.run.tabs.partitions.of(page.context_id)
    return TabInfo(
        id=page.id,
        url=page.url,
        title=page.title,
        active=page is box.browser.run.tabs.active,
        partition=partition.name if partition is not None else None,
        opener_id=page.opener_id,
        dialog=page.dialog.info() if page.dialog is not None else None,
        crashed=page.is_crashed or None,
    )
