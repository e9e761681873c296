"""The browser's window: as large as its display, or around a page of the size asked for."""

from belljar.box.browser.emulation import Viewport
from belljar.box.browser.page import Page
from belljar.wire.browser.lifecycle import StartRequest


def first_viewport(request: StartRequest) -> Viewport | None:
    """The size that pages are told, where it is not simply what the window leaves them."""
    if request.viewport is not None:
        size = request.viewport
        return Viewport(size.width, size.height, size.device_scale_factor or 0)
    if request.kiosk and not request.headless:
        # Its window is one pixel larger than the screen: see flags.py.
        return Viewport(request.width, request.height)
    return None


async def fit_window(page: Page, request: StartRequest) -> None:
    """A headless window's bars are nobody's to see: its page gets the whole size asked for."""
    if request.headless and request.viewport is None:
        window = (await page.session.send("Browser.getWindowForTarget"))["windowId"]
        size = {"width": request.width, "height": request.height}
        await page.session.send("Browser.setContentsSize", windowId=window, **size)
