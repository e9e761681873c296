"""Windows: what is open, and what a person would do with it through a window manager.

With a window manager its lists and messages are used (EWMH); without one, as in browser mode, the windows are the
root window's children, and we do to them what a window manager would.
"""

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

import anyio

from belljar.box.desktop.display_access import Reach
from belljar.box.desktop.windows.ewmh import EwmhWindows, Unconfirmed, has_manager
from belljar.box.desktop.windows.window_list import Survey, Window
from belljar.box.display import Connection
from belljar.box.display.x11.properties import message_to_window, numbers, read_property
from belljar.box.display.x11.protocol import X, request
from belljar.problems.box import DesktopFailed, DesktopInvalidAction, NoFocusedWindow, WindowNotFound
from belljar.wire.desktop import WindowInfo

if TYPE_CHECKING:
    from belljar.box.desktop.windows.window_list import Window


_NORMAL, _ICONIC = 1, 3


class Bare:
    def __init__(self, server: Connection) -> None:
        self._server = server

    async def focus(self, window: "Window") -> None:
        server = self._server
        if window.is_minimized:
            await self._note_state(window, _NORMAL)
        await server.do(request.MapWindow, window=window.id)
        await server.do(request.ConfigureWindow, window=window.id, attrs={"stack_mode": X.Above})
        await server.do(request.SetInputFocus, revert_to=X.RevertToPointerRoot, focus=window.id, time=X.CurrentTime)

    async def move(self, window: "Window", x: int, y: int) -> None:
        await self._server.do(request.ConfigureWindow, window=window.id, attrs={"x": x, "y": y})

    async def resize(self, window: "Window", width: int, height: int) -> None:
        await self._server.do(request.ConfigureWindow, window=window.id, attrs={"width": width, "height": height})

    async def minimize(self, window: "Window") -> None:
        await self._note_state(window, _ICONIC)
        await self._server.do(request.UnmapWindow, window=window.id)

    async def maximize(self, window: "Window") -> None:
        server = self._server
        screen = await server.ask(request.GetGeometry, drawable=server.root)
        place = {"x": 0, "y": 0, "width": screen.width, "height": screen.height}
        await server.do(request.ConfigureWindow, window=window.id, attrs=place)
        states = await server.atoms("_NET_WM_STATE_MAXIMIZED_VERT", "_NET_WM_STATE_MAXIMIZED_HORZ")
        await self._write(window, "_NET_WM_STATE", await server.atom("ATOM"), states)

    async def close(self, window: "Window") -> None:
        """Ask politely where the program understands it; otherwise cut its connection, as window managers do."""
        server = self._server
        protocols, delete = await server.atoms("WM_PROTOCOLS", "WM_DELETE_WINDOW")
        if delete in numbers(await read_property(server, window.id, "WM_PROTOCOLS")):
            await server.sync([message_to_window(server, window.id, protocols, [delete, X.CurrentTime])])
        else:
            await server.do(request.KillClient, resource=window.id)

    async def _note_state(self, window: "Window", state: int) -> None:
        await self._write(window, "WM_STATE", await self._server.atom("WM_STATE"), [state, 0])

    async def _write(self, window: "Window", name: str, kind: int, values: list[int]) -> None:
        await self._server.do(
            request.ChangeProperty,
            mode=X.PropModeReplace,
            window=window.id,
            property=await self._server.atom(name),
            type=kind,
            data=(32, values),
        )


# How long a program or window manager may take to do as it was asked; then the answer is what there is.
PATIENCE = 2.0
_LARGEST = 32767


class Windows:
    def __init__(self, reach: Reach) -> None:
        self._reach = reach

    async def list(self) -> list[WindowInfo]:
        async with self._reach.connection(DesktopFailed) as server:
            return [window.info() for window in await Survey(server).take()]

    async def focused(self) -> WindowInfo:
        async with self._reach.connection(DesktopFailed) as server:
            found = next((window for window in await Survey(server).take() if window.is_active), None)
            if found is None:
                raise NoFocusedWindow("No window has the focus.")
            return found.info()

    async def focus(self, id: str) -> WindowInfo:
        return await self._change(id, lambda hand, w: hand.focus(w), lambda w: w.is_active)

    async def move(self, id: str, x: int, y: int) -> WindowInfo:
        if not (-_LARGEST <= x <= _LARGEST and -_LARGEST <= y <= _LARGEST):
            raise DesktopInvalidAction(f"x and y must be within {_LARGEST} pixels.")
        return await self._change(id, lambda hand, w: hand.move(w, x, y))

    async def resize(self, id: str, width: int, height: int) -> WindowInfo:
        if not (1 <= width <= _LARGEST and 1 <= height <= _LARGEST):
            raise DesktopInvalidAction(f"width and height must be between 1 and {_LARGEST} pixels.")
        return await self._change(id, lambda hand, w: hand.resize(w, width, height))

    async def minimize(self, id: str) -> WindowInfo:
        return await self._change(id, lambda hand, w: hand.minimize(w), lambda w: w.is_minimized)

    async def maximize(self, id: str) -> WindowInfo:
        return await self._change(id, lambda hand, w: hand.maximize(w), lambda w: w.is_maximized)

    async def close(self, id: str) -> bool:
        """Ask the window to close.  Whether it has: a program may put up a question instead."""
        async with self._reach.connection(DesktopFailed) as server:
            window = await _find(server, id)
            gone = _Changes(server)
            with gone:
                await _confirmed((await _hand(server)).close(window))
                with anyio.move_on_after(PATIENCE):
                    while any(one.id == window.id for one in await Survey(server).take()):
                        await gone.next()
                    return True
            return False

    async def _change(
        self,
        id: str,
        do: Callable[["Hand", Window], Awaitable[None]],
        is_done: Callable[[Window], bool] | None = None,
    ) -> WindowInfo:
        """Do something to a window; the window afterwards, as it then is, whether or not that was wished for."""
        async with self._reach.connection(DesktopFailed) as server:
            window = await _find(server, id)
            changes = _Changes(server)
            with changes:
                await _confirmed(do(await _hand(server), window))
                window = await _find(server, id)
                if is_done is not None:
                    with anyio.move_on_after(PATIENCE):
                        while not is_done(window):
                            await changes.next()
                            window = await _find(server, id)
            return window.info()


Hand = EwmhWindows | Bare


class _Changes:
    """Something about windows changed: wakes whoever waits to look again."""

    def __init__(self, server: Connection) -> None:
        self._server = server
        self._changed = anyio.Event()

    def __enter__(self) -> None:
        self._off = self._server.listen_for_change(self._wake)

    def __exit__(self, *_: object) -> None:
        self._off()

    async def next(self) -> None:
        await self._changed.wait()
        self._changed = anyio.Event()

    def _wake(self) -> None:
        self._changed.set()


async def _confirmed(asking: Awaitable[None]) -> None:
    try:
        await asking
    except Unconfirmed as error:
        raise DesktopFailed("The window manager did not confirm this in time; see GET /v1/desktop/windows.") from error


async def _hand(server: Connection) -> Hand:
    return EwmhWindows(server) if await has_manager(server) else Bare(server)


async def _find(server: Connection, id: str) -> Window:
    number = int(id) if id.isascii() and id.isdecimal() and len(id) <= 10 else 0
    for window in await Survey(server).take():
        if window.id == number:
            return window
    raise WindowNotFound(f"No window has the id {id[:40]!r}.")
