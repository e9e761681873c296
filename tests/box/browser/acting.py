"""What tests of actions share: an opened page of the battery, and what it saw."""

from typing import Any

import anyio

from belljar.box.browser.acting.locate import Target
from belljar.box.browser.page.frames import Frame, World
from belljar.box.browser.page.navigation import navigate
from belljar.box.browser.page.page import Page
from belljar.wire.browser.common import WaitUntil
from tests.site import Site


async def open_page(page: Page, site: Site, name: str) -> None:
    await navigate(page, site.url(f"acting/{name}.html"), WaitUntil.LOAD)


def on(selector: str | None = None, **others: str) -> Target:
    return Target(selector, **others)


def soon(seconds: float = 10.0) -> float:
    """A deadline."""
    return anyio.current_time() + seconds


async def seen(where: Page | Frame) -> list[Any]:
    """What the page's own scripts noted."""
    frame = where if isinstance(where, Frame) else where.main
    return await frame.evaluate("seen", list[Any], world=World.MAIN)


async def value(page: Page, css: str) -> Any:
    return await page.main.call(
        "(css) => { const e = document.querySelector(css); return e.value ?? e.innerText }", css
    )
