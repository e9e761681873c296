"""Windows without a window manager: we do what one would."""

from typing import TYPE_CHECKING

from belljar.box.display import Connection
from belljar.box.display.properties import message_to_window, numbers, read_property
from belljar.box.display.protocol import X, request

if TYPE_CHECKING:
    from belljar.box.desktop.survey import Window

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
