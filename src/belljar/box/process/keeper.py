"""Keeps a starter running: when one is killed its children are ended and the next one takes over."""

import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from typing import Any

import anyio

from belljar.box.process.kernel import adopt_orphans, end_orphans, let_orphans_go
from belljar.box.process.link import Child, Link, RunStarter, StarterLost
from belljar.box.process.program import Program
from belljar.logs import log
from belljar.tasks import background

OnLink = Callable[[Link], Awaitable[None]]

# How long a start waits for a new starter after the old one was lost.
REPLACE_TIMEOUT = 10.0
# Between two starters that die at once.
PAUSE = 0.2
LONG_PAUSE = 1.0

# Pids of all starters of this process, whoever keeps them: what a dead one left is told from the living by them.
_STARTERS: set[int] = set()


class Keeper:
    """Whoever wants to start or signal asks here; which starter does it is of no concern to them."""

    def __init__(self, run_starter: RunStarter | None, on_link: OnLink | None) -> None:
        self._run_starter = run_starter
        self._on_link = on_link
        self._link = self._new_link()
        self._replaced = anyio.Event()

    @property
    def starter_pid(self) -> int:
        return self._link.pid

    async def start(
        self,
        program: Program,
        environment: Mapping[str, str],
        descriptors: Mapping[int, int],
        meanwhile: Callable[[], None] = lambda: None,
    ) -> "Started":
        """Start `program`, calling `meanwhile` while the starter is at it.  Raises `StartFailed` or `StarterLost`.

        Once more where the starter is lost meanwhile: whatever it had started died with it.
        """
        try:
            return await self._start(program, environment, descriptors, meanwhile)
        except StarterLost:
            return await self._start(program, environment, descriptors, meanwhile)

    async def _start(
        self,
        program: Program,
        environment: Mapping[str, str],
        descriptors: Mapping[int, int],
        meanwhile: Callable[[], None],
    ) -> "Started":
        if self._link.lost.is_set():
            with anyio.move_on_after(REPLACE_TIMEOUT):
                await self._replaced.wait()
        link = self._link
        return Started(link, await link.start(program, environment, descriptors, meanwhile))

    async def open_socket(self, kind: str, **where: Any) -> socket.socket:
        """As `Link.open_socket`."""
        return await self._link.open_socket(kind, **where)

    async def look(self, **what: int | str) -> list[int]:
        """As `Link.look`."""
        return await self._link.look(**what)

    def _new_link(self) -> Link:
        link = Link(self._run_starter)
        _STARTERS.add(link.pid)
        return link

    async def greet(self) -> None:
        """What is to be done with each new starter before others use it."""
        if self._on_link is not None:
            await self._on_link(self._link)

    async def keep(self) -> None:
        """Replace the starter whenever it is lost; runs as long as the runtime does."""
        while True:
            await self._link.lost.wait()
            log.warning("starter.lost", pid=self._link.pid)
            await self._link.close()
            _STARTERS.discard(self._link.pid)
            await anyio.to_thread.run_sync(end_orphans, frozenset(_STARTERS))
            self._link.fail()
            try:
                self._link = self._new_link()
                await self.greet()
            except OSError as error:
                # No process or descriptor to be had just now: `lost` stays set, and the next round tries again.
                log.error("starter.cannot_start", reason=error.strerror)
                await anyio.sleep(LONG_PAUSE)
                continue
            except StarterLost as error:
                log.error("starter.cannot_start", reason=str(error))
            self._replaced.set()
            self._replaced = anyio.Event()
            await anyio.sleep(PAUSE)

    async def close(self) -> None:
        await self._link.close()
        _STARTERS.discard(self._link.pid)
        self._link.fail()


class Started:
    """A child together with the starter that made it: after that starter's end there is nobody left to signal."""

    def __init__(self, link: Link, child: Child) -> None:
        self._link = link
        self.child = child

    def signal(self, number: int, *, tree: bool = False) -> None:
        """To its process group, as long as anyone is in it; nobody being left is fine."""
        with suppress(StarterLost):
            self._link.signal(self.child, number, tree=tree)

    def forget(self) -> None:
        with suppress(StarterLost):
            self._link.forget(self.child)


@asynccontextmanager
async def open_keeper(run_starter: RunStarter | None = None, on_link: OnLink | None = None) -> AsyncIterator[Keeper]:
    """A starter for as long as the block; leaving it kills everything that was started and is still there."""
    adopt_orphans()
    keeper = Keeper(run_starter, on_link)
    try:
        await keeper.greet()
        async with background(keeper.keep, name="starter keeper"):
            yield keeper
    finally:
        with anyio.CancelScope(shield=True):
            await keeper.close()
        if not _STARTERS:
            let_orphans_go()
