"""One page of a crawl, when what reads it fails."""

from belljar.box.browser import Browser
from belljar.box.browser.crawl.visit import Visitor
from belljar.box.browser.markdown import ConversionFailed, Converted, Converter
from belljar.wire.browser.crawl import Extract
from belljar.wire.browser.navigation import WaitUntil
from tests.site import Site


class BrokenConverter(Converter):
    """As one that a page has brought to its end."""

    def __init__(self) -> None:
        pass

    async def convert(self, html: str, url: str, mode: str) -> Converted:
        raise ConversionFailed("the converter gave up on this page")


async def test_a_page_that_cannot_be_converted_does_not_give_its_hidden_text(browser: Browser, site: Site) -> None:
    visitor = Visitor(browser.run.tabs, BrokenConverter(), extract=Extract.MARKDOWN, until=WaitUntil.LOAD, timeout=15.0)
    try:
        read = await visitor.visit(site.url("reading/tricks.html"))
    finally:
        await visitor.close()
    assert (read.status, read.content, read.error) == (200, "", "not convertible")
    assert site.url("second.html") in read.links
