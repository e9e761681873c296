"""Chromium's window on the display: made to fill it, and asked which tab a person has brought to the front."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import anyio

from belljar.box.browser.cdp import CdpError, CdpGone
from belljar.box.browser.cdp.replies import WindowForTarget
from belljar.box.browser.page.page import Page
from belljar.box.browser.page.tabs import Tabs
from belljar.box.display import Connection, XClosed, XError
from belljar.box.display.x11.properties import read_property, text
from belljar.box.display.x11.protocol import Event, X, request
from belljar.logs import log
from belljar.tasks import Signal

_TITLE = "_NET_WM_NAME"
# Between a page's title and the program's name.
_DASH = " - "
# Seconds that Chromium's window may take to show, after its first page did.
PATIENCE = 1.0
# Seconds until CDP has told what the window's title already shows: a new title, or a tab that a call brought forward.
SETTLING = 0.3


async def find_window(server: Connection) -> int | None:
    """The window of the tabs, which may be about to come; None where it did not."""
    happened = Signal()
    stop = server.listen(lambda _: happened.fire())
    try:
        with anyio.move_on_after(PATIENCE):
            while (window := await _window_now(server)) is None:
                await happened.changed()
            return window
    finally:
        stop()
    return None


async def _window_now(server: Connection) -> int | None:
    tree = await server.ask(request.QueryTree, window=server.root)
    for window in tree.children:
        try:
            attributes = await server.ask(request.GetWindowAttributes, window=window)
            if attributes.map_state == X.IsUnmapped or attributes.override_redirect:
                continue
            if _DASH in text(await read_property(server, window, _TITLE)):
                return int(window)
        except XError:
            # Gone since the list was made.
            continue
    return None


@contextmanager
def filling_display(server: Connection, width: int, height: int) -> Iterator[None]:
    """Give the window that Chromium opens in the block the display's size, as a window manager would.

    Without one, what is to be exactly as large as the screen Chromium makes a pixel smaller.  It is done the moment the
    window is mapped: once something is drawn, a window of another size may stay blank for seconds.
    """
    smaller: set[int] = set()

    def see(happened: Event) -> None:
        if happened.type == X.CreateNotify and (happened.width, happened.height) == (width - 1, height - 1):
            smaller.add(happened.window)
        elif happened.type == X.MapNotify and happened.window in smaller:
            size = {"width": width, "height": height}
            server.post(request.ConfigureWindow, window=happened.window, attrs=size)

    stop = server.listen(see)
    try:
        yield
    finally:
        stop()


async def follow_front(server: Connection, window: int, tabs: Tabs) -> None:
    """Make the tab active that a person chose in Chromium's own tab strip, for as long as Chromium runs.

    CDP does not tell of it, and pages cannot, since all of them are told that they are in front.  But the window bears
    the title of its front tab.  Where several tabs have that title the active one stays.
    """
    renamed = Signal()
    with anyio.CancelScope() as scope:
        tabs.connection.on_closed.append(scope.cancel)
        try:
            title_atom = await server.atom(_TITLE)
            stop = server.listen(lambda happened: renamed.fire() if _is_title(happened, window, title_atom) else None)
            try:
                watch = {"event_mask": X.PropertyChangeMask}
                await server.do(request.ChangeWindowAttributes, window=window, attrs=watch)
                while True:
                    await renamed.changed()
                    await anyio.sleep(SETTLING)
                    await _follow(server, window, tabs)
            finally:
                stop()
        except (XClosed, XError) as error:
            log.info("tab.front_not_followed", error=str(error))


async def _follow(server: Connection, window: int, tabs: Tabs) -> None:
    """Unless the active tab has a window of its own: the title of the one behind it may change by itself."""
    chosen = await _named_by(server, window, tabs)
    if chosen is None:
        return
    active, browser = tabs.active, tabs.connection.browser
    try:
        ask = "Browser.getWindowForTarget"
        windows = [await browser.send_as(WindowForTarget, ask, targetId=page.id) for page in (active, chosen)]
    except (CdpError, CdpGone):
        # One of the two has just been closed.
        return
    # Once more: Chromium, which has answered since, may be slow to rename the window for a tab that a call activated.
    if windows[0].window_id == windows[1].window_id and await _named_by(server, window, tabs) is chosen:
        if tabs.active is active and not chosen.is_closed:
            log.info("tab.chosen_by_person", tab=chosen.id)
            tabs.chosen(chosen)


async def _named_by(server: Connection, window: int, tabs: Tabs) -> Page | None:
    """The tab that the window's title names; None where that may be the active one."""
    title = text(await read_property(server, window, _TITLE))
    if not (pages := tabs.list()):
        return None
    found = in_front(title, pages, tabs.active)
    return None if found is tabs.active else found


def in_front(title: str, pages: Iterable[Page], active: Page) -> Page:
    """The tab that a window of this title shows, as far as can be told."""
    shown = title.rpartition(_DASH)[0]
    if shown in (active.title, active.url):
        return active
    fitting = [page for page in pages if shown in (page.title, page.url)]
    return fitting[0] if len(fitting) == 1 else active


def _is_title(happened: Event, window: int, atom: int) -> bool:
    return bool(happened.type == X.PropertyNotify and happened.window == window and happened.atom == atom)
