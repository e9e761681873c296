"""Windows under a window manager: it is asked, by EWMH messages, and does it."""

from typing import TYPE_CHECKING

import anyio

from belljar.box.display import Connection
from belljar.box.display.x11.properties import message_to_root, numbers, read_property
from belljar.box.display.x11.protocol import X, request

if TYPE_CHECKING:
    from belljar.box.desktop.windows.window_list import Window

# We speak as a pager does, so a window manager does not suspect an application of stealing the focus.
_PAGER = 2
_NORTH_WEST = 1
_HAS_X, _HAS_Y, _HAS_WIDTH, _HAS_HEIGHT = 1 << 8, 1 << 9, 1 << 10, 1 << 11
_ADD = 1
_ICONIC = 3
# How long the window manager may take to do what it was asked and to confirm it.
_CONFIRM_TIMEOUT = 10.0
# One that is just starting may have missed the question.
_RETRY = 0.05


async def has_manager(server: Connection) -> bool:
    """Whether a window manager runs: it leaves its own window's id on the root window, and on that window too."""
    named = numbers(await read_property(server, server.root, "_NET_SUPPORTING_WM_CHECK"))
    if not named:
        return False
    return numbers(await read_property(server, named[0], "_NET_SUPPORTING_WM_CHECK")) == named


class Unconfirmed(Exception):
    """The window manager does not answer, so nobody knows what became of a request."""


class EwmhWindows:
    """Every call returns when the window manager has confirmed it; raises `Unconfirmed` when it does not."""

    def __init__(self, server: Connection) -> None:
        self._server = server

    async def focus(self, window: "Window") -> None:
        await self._tell(window, "_NET_ACTIVE_WINDOW", [_PAGER, 0, 0])

    async def move(self, window: "Window", x: int, y: int) -> None:
        await self._place(window, _HAS_X | _HAS_Y, (x, y, 0, 0))

    async def resize(self, window: "Window", width: int, height: int) -> None:
        await self._place(window, _HAS_WIDTH | _HAS_HEIGHT, (0, 0, width, height))

    async def minimize(self, window: "Window") -> None:
        await self._tell(window, "WM_CHANGE_STATE", [_ICONIC])

    async def maximize(self, window: "Window") -> None:
        states = await self._server.atoms("_NET_WM_STATE_MAXIMIZED_VERT", "_NET_WM_STATE_MAXIMIZED_HORZ")
        await self._tell(window, "_NET_WM_STATE", [_ADD, *states, _PAGER])

    async def close(self, window: "Window") -> None:
        await self._tell(window, "_NET_CLOSE_WINDOW", [0, _PAGER])

    async def _place(self, window: "Window", fields: int, values: tuple[int, int, int, int]) -> None:
        unsigned = [value & 0xFFFFFFFF for value in values]
        await self._tell(window, "_NET_MOVERESIZE_WINDOW", [_NORTH_WEST | fields | _PAGER << 12, *unsigned])

    async def _tell(self, window: "Window", kind: str, data: list[int]) -> None:
        """Send the message and wait until the window manager has dealt with it."""
        await self._server.sync([message_to_root(self._server, window.id, await self._server.atom(kind), data)])
        if not await answers(self._server, within=_CONFIRM_TIMEOUT):
            raise Unconfirmed


async def wait_for_manager(server: Connection, *, timeout: float) -> None:
    """Wait until a window manager takes requests.

    Its mark on the root window comes early in its start, and what is mapped between the two can be forgotten.
    An X server that goes away meanwhile is raised as `XClosed`, at once.
    """
    changed = anyio.Event()

    def wake() -> None:
        changed.set()

    off = server.listen_for_change(wake)
    try:
        with anyio.fail_after(timeout):
            while not await has_manager(server):
                await changed.wait()
                changed = anyio.Event()
            while not await answers(server, within=_RETRY):
                continue
    finally:
        off()


async def answers(server: Connection, *, within: float) -> bool:
    """Whether the window manager answers a question in time: it then has dealt with all it was sent before.

    It takes messages in order, and this one it answers by writing a property on the window it is asked about.
    """
    question, answer = await server.atoms("_NET_REQUEST_FRAME_EXTENTS", "_NET_FRAME_EXTENTS")
    probe = server.new_id()
    seen = anyio.Event()

    def look(happened: object) -> None:
        if getattr(happened, "window", None) == probe and getattr(happened, "atom", None) == answer:
            seen.set()

    off = server.listen(look)
    try:
        _create_probe(server, probe)
        await server.sync([message_to_root(server, probe, question, [])])
        with anyio.move_on_after(within):
            await seen.wait()
    finally:
        off()
        if not server.closed.is_set():
            server.post(request.DestroyWindow, window=probe)
    return seen.is_set()


def _create_probe(server: Connection, id: int) -> None:
    """A window that is never shown, for the window manager to write its answer on."""
    server.post(
        request.CreateWindow,
        depth=0,
        wid=id,
        parent=server.root,
        x=0,
        y=0,
        width=1,
        height=1,
        border_width=0,
        window_class=X.InputOnly,
        visual=X.CopyFromParent,
        attrs={"event_mask": X.PropertyChangeMask},
    )
