"""All windows and what is known of them, in three round trips however many there are."""

from dataclasses import dataclass
from typing import Any

from belljar.box.desktop.windows.ewmh import has_manager
from belljar.box.display import Connection, XError
from belljar.box.display.x11.properties import asking_property, numbers, pids_of, raw, read_property, text
from belljar.box.display.x11.protocol import X, request
from belljar.wire.desktop import WindowInfo

_ON_ALL_DESKTOPS = 0xFFFFFFFF
_ICONIC = 3
_NAMES = (
    "_NET_WM_NAME",
    "WM_NAME",
    "WM_CLASS",
    "_NET_WM_PID",
    "_NET_WM_DESKTOP",
    "_NET_WM_STATE",
    "WM_STATE",
)


@dataclass(frozen=True)
class Window:
    id: int
    title: str
    x: int
    y: int
    width: int
    height: int
    is_active: bool
    pid: int | None
    class_name: str | None
    desktop: int | None
    is_minimized: bool
    is_maximized: bool

    def info(self) -> WindowInfo:
        return WindowInfo(
            id=str(self.id),
            title=self.title,
            x=self.x,
            y=self.y,
            width=self.width,
            height=self.height,
            is_active=self.is_active,
            pid=self.pid,
            class_name=self.class_name,
            desktop=self.desktop,
            is_minimized=self.is_minimized,
            is_maximized=self.is_maximized,
        )


class Survey:
    def __init__(self, server: Connection) -> None:
        self._server = server

    async def take(self) -> list[Window]:
        """From the bottom to the top.  A window that goes away meanwhile is left out."""
        server = self._server
        atoms = dict(zip(_NAMES, await server.atoms(*_NAMES), strict=True))
        maximized = set(await server.atoms("_NET_WM_STATE_MAXIMIZED_VERT", "_NET_WM_STATE_MAXIMIZED_HORZ"))
        is_managed = await has_manager(server)
        ids = await (self._managed() if is_managed else self._bare())
        active = await self._active(is_managed)
        questions = [
            future
            for window in ids
            for future in (
                server.asking(request.GetGeometry, drawable=window),
                server.asking(request.TranslateCoords, src_wid=window, dst_wid=server.root, src_x=0, src_y=0),
                server.asking(request.GetWindowAttributes, window=window),
                *(asking_property(server, window, atom) for atom in atoms.values()),
            )
        ]
        answers = await server.gather(questions)
        size = 3 + len(atoms)
        rows = [answers[start : start + size] for start in range(0, len(answers), size)]
        found = []
        for id, row in zip(ids, rows, strict=True):
            if any(isinstance(answer, XError) for answer in row):
                continue
            properties = dict(zip(_NAMES, row[3:], strict=True))
            if is_managed or _is_ours_to_show(row[2], properties):
                found.append(_window(id, row, properties, maximized, is_active=id == active))
        return await self._with_pids(found)

    async def _managed(self) -> list[int]:
        return numbers(await read_property(self._server, self._server.root, "_NET_CLIENT_LIST_STACKING"))

    async def _bare(self) -> list[int]:
        tree = await self._server.ask(request.QueryTree, window=self._server.root)
        return list(tree.children)

    async def _active(self, is_managed: bool) -> int:
        """The window that has the focus: as the window manager says, or the top-level one around the focus."""
        server = self._server
        if is_managed:
            named = numbers(await read_property(server, server.root, "_NET_ACTIVE_WINDOW"))
            return named[0] if named else 0
        window: int = (await server.ask(request.GetInputFocus)).focus
        while window > 1:
            (tree,) = await server.gather([server.asking(request.QueryTree, window=window)])
            if isinstance(tree, XError):
                return 0
            if tree.parent in (0, server.root):
                return window
            window = tree.parent
        return 0

    async def _with_pids(self, found: list[Window]) -> list[Window]:
        """Programs that do not say who they are: the X server knows who is connected to it."""
        silent = [window.id for window in found if window.pid is None]
        if not silent:
            return found
        pids = await pids_of(self._server, silent)
        from dataclasses import replace

        return [replace(window, pid=window.pid or pids.get(window.id)) for window in found]


def _is_ours_to_show(attributes: Any, properties: dict[str, Any]) -> bool:
    """Without a window manager: leave out menus, helpers, and what nobody has mapped or minimised."""
    if attributes.override_redirect or attributes.win_class == X.InputOnly:
        return False
    has_name = bool(raw(properties["_NET_WM_NAME"]) or raw(properties["WM_NAME"]) or raw(properties["WM_CLASS"]))
    return has_name and (attributes.map_state != X.IsUnmapped or numbers(properties["WM_STATE"])[:1] == [_ICONIC])


def _window(id: int, row: list[Any], properties: dict[str, Any], maximized: set[int], *, is_active: bool) -> Window:
    geometry, origin = row[0], row[1]
    pid = numbers(properties["_NET_WM_PID"])
    desktop = numbers(properties["_NET_WM_DESKTOP"])
    classes = raw(properties["WM_CLASS"]).split(b"\0")
    return Window(
        id=id,
        title=text(properties["_NET_WM_NAME"]) or text(properties["WM_NAME"]),
        x=origin.x,
        y=origin.y,
        width=geometry.width,
        height=geometry.height,
        is_active=is_active,
        pid=pid[0] if pid else None,
        class_name=classes[1].decode("latin-1") if len(classes) > 1 else None,
        desktop=(-1 if desktop[0] == _ON_ALL_DESKTOPS else desktop[0]) if desktop else None,
        is_minimized=numbers(properties["WM_STATE"])[:1] == [_ICONIC],
        is_maximized=maximized <= set(numbers(properties["_NET_WM_STATE"])),
    )
