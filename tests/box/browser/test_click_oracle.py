"""Playwright as oracle: the same clicks on the same pages, and what the pages saw of both."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from playwright.async_api import Browser as OtherBrowser
from playwright.async_api import Error, async_playwright

from belljar.box.browser.actions.click import click
from belljar.box.browser.page import Page
from belljar.problems.browser import BrowserProblem
from tests.box.browser.acting import on, open_page, seen, soon
from tests.site import Site

CHROMIUM = "/usr/bin/chromium"
pytestmark = pytest.mark.skipif(not Path(CHROMIUM).exists(), reason=f"no {CHROMIUM} for Playwright to drive")
CASES = [
    ("buttons", "#plain"),
    ("buttons", "#late"),
    ("buttons", "#soon"),
    ("buttons", "#disabled"),
    ("buttons", "#in-fieldset"),
    ("buttons", "#around"),
    ("buttons", "#icon"),
    ("buttons", "#through"),
    ("buttons", "#zero"),
    ("buttons", "#hidden-twin"),
    ("buttons", "#bold"),
    ("buttons", "#rotated"),
    ("buttons", "#wrapped"),
    ("buttons", "text=Plain"),
    ("buttons", "role=button[name='Plain']"),
    ("covered", "#covered"),
    ("covered", "#uncovered-soon"),
    ("covered", "#under-footer"),
    ("covered", "#far-down"),
    ("moving", "#sliding"),
    ("moving", "#endless"),
    ("moving", "#in"),
    ("scrollers", "#deep"),
    ("scrollers", "#in-cut"),
    ("scrollers", "#bottom"),
    ("shadow", "outer-box.other button"),
    ("shadow", "#deep-link"),
    ("shadow", "#closed"),
]


@pytest.fixture(scope="module")
async def other_browser(anyio_backend: object) -> AsyncIterator[OtherBrowser]:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        await browser.close()


@pytest.mark.parametrize(("name", "selector"), CASES)
async def test_pages_see_the_same_of_us_and_of_playwright(
    page: Page, other_browser: OtherBrowser, site: Site, name: str, selector: str
) -> None:
    await open_page(page, site, name)
    try:
        await click(page, on(selector), deadline=soon(1.5))
        is_done = True
    except BrowserProblem:
        is_done = False
    ours = await seen(page)
    other = await other_browser.new_page()
    try:
        await other.goto(site.url(f"acting/{name}.html"))
        try:
            await other.locator(selector).first.click(timeout=1500)
            theirs_done = True
        except Error:
            theirs_done = False
        theirs = await other.evaluate("seen")
    finally:
        await other.close()
    assert (is_done, ours) == (theirs_done, theirs)
