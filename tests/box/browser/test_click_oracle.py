"""Playwright as oracle: the same clicks on the same pages, and what the pages saw of both."""

from collections.abc import AsyncIterator
from pathlib import Path

import anyio
import pytest
from playwright.async_api import Error, async_playwright
from playwright.async_api import Page as OtherPage

from belljar.box.browser.acting.click import click
from belljar.box.browser.page.page import Page
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
async def other(anyio_backend: object) -> AsyncIterator[OtherPage]:
    """A page of Playwright's own Chromium; each test opens another document in it."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        try:
            yield await browser.new_page()
        finally:
            await browser.close()


# What nobody can click costs both of them all of their time; the rest gets what a busy machine may need.
REFUSED = {"#disabled", "#in-fieldset", "#through", "#zero", "#hidden-twin", "#covered", "#endless", "#closed"}
# Clicked in `test_click.py` too; here in the long runs.
RARELY = {"#icon", "#bold"}


@pytest.mark.parametrize(
    ("name", "selector"), [pytest.param(*case, marks=[pytest.mark.soak] if case[1] in RARELY else []) for case in CASES]
)
async def test_pages_see_the_same_of_us_and_of_playwright(
    page: Page, other: OtherPage, site: Site, name: str, selector: str
) -> None:
    await open_page(page, site, name)
    await other.goto(site.url(f"acting/{name}.html"))
    done: dict[str, bool] = {}
    patience = 1.0 if selector in REFUSED else 20.0

    async def ours() -> None:
        try:
            await click(page, on(selector), deadline=soon(patience))
            done["ours"] = True
        except BrowserProblem:
            done["ours"] = False

    async def theirs() -> None:
        try:
            await other.locator(selector).first.click(timeout=patience * 1000)
            done["theirs"] = True
        except Error:
            done["theirs"] = False

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(ours)
        tasks.start_soon(theirs)
    assert done["theirs"] is (selector not in REFUSED)
    assert (done["ours"], await seen(page)) == (done["theirs"], await other.evaluate("seen"))
