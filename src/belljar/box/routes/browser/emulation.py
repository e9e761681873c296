"""What pages are told about where and on what they run."""

from collections.abc import Callable

from belljar.asgi.openapi import problems
from belljar.asgi.router import Router
from belljar.box.browser.acting.action import again_after_restart
from belljar.box.browser.emulation import Emulation, Viewport
from belljar.box.parts import Box, TheBox
from belljar.problems.browser import BrowserNotActive, BrowserTimeout
from belljar.wire.base import Ok
from belljar.wire.browser.common import OnTab
from belljar.wire.browser.emulation import EmulationFields
from belljar.wire.browser.lifecycle import ViewportSize

router = Router(prefix="/v1/browser", tags=["browser"])


@router.post("/emulation", operation_id="emulateBrowser", responses=problems(BrowserNotActive, BrowserTimeout))
async def emulate(body: EmulationFields, box: TheBox) -> Ok:
    """Change locale, time zone, user agent and the like for every tab, those to come included.

    What is left out stays as it is.  Init scripts are added, and run from each page's next document on.
    """
    await _change(box, lambda now: now.with_fields(body), "changing the emulation")
    return Ok()


@router.post(
    "/viewport",
    operation_id="setBrowserViewport",
    live="setViewport",
    responses=problems(BrowserNotActive, BrowserTimeout),
)
async def resize(body: ViewportSize, box: TheBox) -> Ok:
    """Set the size of every tab's page, headful and headless."""
    size = Viewport(body.width, body.height, body.device_scale_factor or 0)
    await _change(box, lambda now: now.with_viewport(size), "changing the viewport")
    return Ok()


@again_after_restart
async def _change(box: Box, changed: Callable[[Emulation], Emulation], doing: str) -> None:
    async with box.browser.use_page(OnTab(), doing):
        tabs = box.browser.run.tabs
        await tabs.emulate(changed(tabs.emulation))
