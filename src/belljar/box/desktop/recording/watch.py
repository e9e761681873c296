"""Whether the screen or the pointer has changed since the last look."""

from types import TracebackType

from belljar.box.desktop.cursor import Cursor, read_cursor
from belljar.box.display import Connection, damage, xfixes
from belljar.box.display.events import Event
from belljar.box.display.protocol import request


class Watch:
    """Between `async with` and its end the X server tells us of damage to the screen and of new pointer pictures."""

    def __init__(self, server: Connection) -> None:
        self._server = server
        self._damage = server.new_id()
        self._is_damaged = True
        self._has_new_cursor = True
        self.x = 0
        self.y = 0

    async def __aenter__(self) -> "Watch":
        server = self._server
        self._opcode = await damage.opcode(server)
        self._codes = server.event_code(damage.DamageNotify), await xfixes.watch_cursor(server)
        self._off = server.listen(self._on_event)
        await server.do(
            damage.DamageCreate, opcode=self._opcode, damage=self._damage, drawable=server.root, level=damage.NON_EMPTY
        )
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._off()
        if not self._server.closed.is_set():
            self._server.post(damage.DamageDestroy, opcode=self._opcode, damage=self._damage)

    async def has_changed(self) -> bool:
        """Whether to film: asked once for each frame, as it also takes note of where the pointer is."""
        pointer = await self._server.ask(request.QueryPointer, window=self._server.root)
        has_moved = (pointer.root_x, pointer.root_y) != (self.x, self.y)
        self.x, self.y = pointer.root_x, pointer.root_y
        has_changed = has_moved or self._is_damaged or self._has_new_cursor
        if self._is_damaged:
            # From here on changes are told of again; what changes before the grab is in it.
            self._is_damaged = False
            self._server.post(damage.DamageSubtract, opcode=self._opcode, damage=self._damage, repair=0, parts=0)
        return has_changed

    async def new_cursor(self) -> Cursor | None:
        """The pointer's picture, where it is another one than last time."""
        if not self._has_new_cursor:
            return None
        self._has_new_cursor = False
        cursor = await read_cursor(self._server)
        self.x, self.y = cursor.x + cursor.hot_x, cursor.y + cursor.hot_y
        return cursor

    def _on_event(self, happened: Event) -> None:
        damaged, cursor = self._codes
        if happened.type == damaged:
            self._is_damaged = True
        elif happened.type == cursor:
            self._has_new_cursor = True
