"""The browser's window: as large as its display, or around a page of the size asked for."""

from belljar.box.browser.emulation import Viewport
from belljar.box.browser.page import Page
from belljar.wire.browser.lifecycle import StartRequest

# The window may be about to take its size.
_BECOMES = """new Promise(done => {{
  const fits = () => innerWidth === {width} && innerHeight === {height};
  if (fits()) return done(true);
  addEventListener("resize", () => fits() && done(true));
  setTimeout(() => done(fits()), 500);
}})"""


def first_viewport(request: StartRequest) -> Viewport | None:
    """The size that pages are told, where it is not simply what the window leaves them."""
    if request.viewport is not None:
        size = request.viewport
        return Viewport(size.width, size.height, size.device_scale_factor or 0)
    if request.kiosk and not request.headless:
        # Its window is one pixel larger than the screen: see flags.py.
        return Viewport(*request.screen)
    return None


async def leaves_room(page: Page, request: StartRequest) -> bool:
    """Whether the window leaves its page just what was asked for, so that the page need not be told another size."""
    wanted = request.viewport
    if request.headless or request.kiosk or wanted is None or wanted.device_scale_factor is not None:
        return False
    return bool(await page.main.evaluate(_BECOMES.format(width=wanted.width, height=wanted.height)))


async def fit_window(page: Page, request: StartRequest) -> None:
    """A headless window's bars are nobody's to see: its page gets the whole size asked for."""
    if request.headless and request.viewport is None:
        window = (await page.session.send("Browser.getWindowForTarget"))["windowId"]
        size = {"width": request.width, "height": request.height}
        await page.session.send("Browser.setContentsSize", windowId=window, **size)
