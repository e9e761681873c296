"""The sessions that this control plane is bringing up: who waits for one, who wants it stopped, who waits for room."""

from collections.abc import Iterator
from dataclasses import dataclass, field

import anyio

from belljar.plane.registry import SessionRow
from belljar.wire.sessions import SessionState


@dataclass(eq=False)
class Start:
    """A session being brought up by this control plane; its outcome is the session's row, or why there is none."""

    # As it is now, as far as who brings it up knows.
    row: SessionRow
    scope: anyio.CancelScope = field(default_factory=anyio.CancelScope)
    _is_done: anyio.Event = field(default_factory=anyio.Event)
    _outcome: SessionRow | Exception | None = None

    def finish(self, outcome: SessionRow | Exception) -> None:
        self._outcome = outcome
        self._is_done.set()

    async def wait(self) -> SessionRow:
        """The running session.  Raises the problem that it has not come to that."""
        await self._is_done.wait()
        if isinstance(self._outcome, SessionRow):
            return self._outcome
        assert self._outcome is not None
        raise self._outcome

    async def stop(self) -> None:
        """Returns when nobody brings the session up any more."""
        self.scope.cancel()
        await self._is_done.wait()


class StartsInProgress:
    """The starts of this control plane, by session."""

    def __init__(self) -> None:
        self._starts: dict[str, Start] = {}
        # Set and replaced whenever a session of this control plane has ended.
        self._room_freed = anyio.Event()

    def __iter__(self) -> Iterator[str]:
        return iter(self._starts)

    def __contains__(self, id: str) -> bool:
        return id in self._starts

    def get(self, id: str) -> Start | None:
        return self._starts.get(id)

    def begin(self, row: SessionRow) -> Start:
        """Before its row can be read: one that is not here when it is was lost."""
        start = self._starts[row.id] = Start(row)
        return start

    def forget(self, id: str) -> None:
        """It will finish, but has nothing left that somebody could stop."""
        self._starts.pop(id, None)

    def count_starting(self, *, but: str) -> int:
        """How many others have been let in, whose memory is not used yet."""
        return sum(1 for id, start in self._starts.items() if id != but and start.row.state is SessionState.STARTING)

    async def stop(self, id: str) -> None:
        """Returns when nobody brings the session up any more."""
        if start := self._starts.get(id):
            await start.stop()

    async def stop_all(self) -> None:
        async with anyio.create_task_group() as tasks:
            for id in list(self._starts):
                tasks.start_soon(self.stop, id)

    def room_freed(self) -> None:
        """Tell those that wait for room that a session left."""
        self._room_freed.set()
        self._room_freed = anyio.Event()

    async def wait_for_freed_room(self, seconds: float) -> None:
        with anyio.move_on_after(seconds):
            await self._room_freed.wait()
