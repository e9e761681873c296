"""One page of a crawl, when what reads it fails."""

import os

import anyio

from belljar.box.browser import Browser
from belljar.box.browser.crawl.visit import Visitor
from belljar.box.browser.page.navigation import navigate
from belljar.box.browser.page.page import Page
from belljar.box.browser.reading.downloads import Download
from belljar.box.browser.reading.markdown import ConversionFailed, Converted, Converter
from belljar.wire.browser.common import WaitUntil
from belljar.wire.browser.crawl import Extract
from belljar.wire.browser.storage import DownloadState
from tests.site import Site


class BrokenConverter(Converter):
    """As one that a page has brought to its end."""

    def __init__(self) -> None:
        pass

    async def convert(self, html: str, url: str, mode: str) -> Converted:
        raise ConversionFailed("the converter gave up on this page")


async def test_a_page_that_cannot_be_converted_does_not_give_its_hidden_text(browser: Browser, site: Site) -> None:
    visitor = Visitor(browser, BrokenConverter(), extract=Extract.MARKDOWN, until=WaitUntil.LOAD, timeout=15.0)
    try:
        read = await visitor.visit(site.url("reading/tricks.html"))
    finally:
        await visitor.close()
    assert (read.status, read.content, read.error) == (200, "", "not convertible")
    assert site.url("second.html") in read.links


async def test_visits_save_nothing_and_leave_the_downloads_of_tabs_alone(
    browser: Browser, page: Page, site: Site
) -> None:
    visitor = Visitor(browser, BrokenConverter(), extract=Extract.TEXT, until=WaitUntil.LOAD, timeout=15.0)
    before = set(os.listdir(browser.folders.downloads))
    completed: dict[str, str] = {}
    both = anyio.Event()

    def moved(download: Download) -> None:
        if download.state is not DownloadState.IN_PROGRESS:
            completed[download.id] = f"{download.name} {download.state}"
            if list(completed.values()).count("wanted.bin completed") == 2:
                both.set()

    browser.downloads.on_change.append(moved)
    try:
        for size in (64, 50_000_000):
            read = await visitor.visit(site.url(f"_/download/unwanted.bin?size={size}"))
            assert read.content == ""
        await navigate(page, site.url("_/download/wanted.bin"), WaitUntil.LOAD)
    finally:
        await visitor.close()
    await navigate(page, site.url("_/download/wanted.bin"), WaitUntil.LOAD)
    with anyio.fail_after(10):
        await both.wait()
    browser.downloads.on_change.remove(moved)
    assert list(completed.values()) == ["wanted.bin completed", "wanted.bin completed"]
    assert set(os.listdir(browser.folders.downloads)) - before == set(completed)
