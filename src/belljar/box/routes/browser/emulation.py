"""What pages are told about where and on what they run."""

from belljar.asgi.openapi import problems
from belljar.asgi.router import Router
from belljar.box.browser.emulation import Viewport
from belljar.box.parts import TheBox
from belljar.problems.browser import BrowserNotActive, BrowserTimeout
from belljar.wire.base import Ok
from belljar.wire.browser.emulation import EmulationFields
from belljar.wire.browser.lifecycle import ViewportSize

router = Router(prefix="/v1/browser", tags=["browser"])


@router.post("/emulation", responses=problems(BrowserNotActive, BrowserTimeout))
async def emulate(body: EmulationFields, box: TheBox) -> Ok:
    """Change locale, time zone, user agent and the like for every tab, those to come included.

    What is left out stays as it is.  Init scripts are added, and run from each page's next document on.
    """
    async with box.browser.using(timeout=box.browser.timeouts.action, doing="changing the emulation"):
        await box.browser.run.tabs.emulate(box.browser.run.tabs.emulation.with_fields(body))
    return Ok()


@router.post("/viewport", live="setViewport", responses=problems(BrowserNotActive, BrowserTimeout))
async def resize(body: ViewportSize, box: TheBox) -> Ok:
    """Set the size of every tab's page, headful and headless."""
    size = Viewport(body.width, body.height, body.device_scale_factor or 0)
    async with box.browser.using(timeout=box.browser.timeouts.action, doing="changing the viewport"):
        await box.browser.run.tabs.emulate(box.browser.run.tabs.emulation.with_viewport(size))
    return Ok()
