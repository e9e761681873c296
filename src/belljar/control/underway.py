"""The sessions that this control plane is bringing up: who waits for one, and who wants it stopped."""

from collections.abc import Iterator
from dataclasses import dataclass, field

import anyio


@dataclass(eq=False)
class Birth:
    """A session being brought up by this control plane."""

    scope: anyio.CancelScope = field(default_factory=anyio.CancelScope)
    done: anyio.Event = field(default_factory=anyio.Event)
    problem: Exception | None = None

    async def wait(self) -> None:
        """Until it runs.  Raises the problem that it has not come to that."""
        await self.done.wait()
        if self.problem is not None:
            raise self.problem


class Underway:
    """The births of this control plane, by session."""

    def __init__(self) -> None:
        self._births: dict[str, Birth] = {}

    def __iter__(self) -> Iterator[str]:
        return iter(self._births)

    def __contains__(self, id: str) -> bool:
        return id in self._births

    def get(self, id: str) -> Birth | None:
        return self._births.get(id)

    def begin(self, id: str) -> Birth:
        """Before its row can be read: one that is not here when it is was lost."""
        birth = self._births[id] = Birth()
        return birth

    def forget(self, id: str) -> None:
        self._births.pop(id, None)

    def over(self, id: str) -> None:
        """Nobody brings it up any more, or ever began to."""
        if birth := self._births.pop(id, None):
            birth.done.set()

    async def stop(self, id: str) -> None:
        """Returns when nobody brings the session up any more."""
        if birth := self._births.get(id):
            birth.scope.cancel()
            await birth.done.wait()
