"""What sessions show and who drives them, asked of their boxes for as long as somebody looks at a list."""

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import anyio
from pydantic import ValidationError

from belljar.plane.boxes.calls import BoxCalls, BoxRefused
from belljar.plane.boxes.upstream import UpstreamError
from belljar.plane.sessions.directory import Directory, SessionEntry
from belljar.plane.supervision import repeat
from belljar.wire.live import Glance
from belljar.wire.sessions import SessionState

_LOOK_SECONDS = 1.0
_BOX_SECONDS = 4.0
# Boxes that are asked side by side; and of a box that did not answer, how long it is left alone.
_AT_ONCE = 8
_LEFT_ALONE_SECONDS = 15.0


class Glances:
    def __init__(self, directory: Directory, calls: BoxCalls, place: str) -> None:
        self._directory = directory
        self._calls = calls
        self._place = place
        self._followers = 0
        self._known: dict[str, Glance] = {}
        self._silent_until: dict[str, float] = {}

    @property
    def known(self) -> Mapping[str, Glance]:
        """As of about a second ago, of sessions that run here."""
        return self._known

    @contextmanager
    def followed(self) -> Iterator[None]:
        """Boxes are asked while such a block is open, and not otherwise."""
        self._followers += 1
        try:
            yield
        finally:
            self._followers -= 1

    async def keep_looking(self) -> None:
        """Runs as long as the control plane."""
        await repeat("glances", self._round, every=_LOOK_SECONDS)

    async def _round(self) -> None:
        if not self._followers:
            self._known.clear()
            return
        running = [one for one in self._directory.entries.values() if self._is_here(one)]
        ids = {entry.row.id for entry in running}
        for known in (self._known, self._silent_until):
            for id in [id for id in known if id not in ids]:
                del known[id]
        turns = anyio.CapacityLimiter(_AT_ONCE)
        async with anyio.create_task_group() as tasks:
            for entry in running:
                tasks.start_soon(self._look, entry, turns)

    def _is_here(self, entry: SessionEntry) -> bool:
        row = entry.row
        return row.state is SessionState.RUNNING and row.place == self._place and entry.address is not None

    async def _look(self, entry: SessionEntry, turns: anyio.CapacityLimiter) -> None:
        row = entry.row
        if entry.address is None or row.box_id is None or time.monotonic() < self._silent_until.get(row.id, 0.0):
            return
        async with turns:
            try:
                path = "/v1/live/glance"
                answer = await self._calls.call(entry.address, row.box_id, "GET", path, within=_BOX_SECONDS)
                self._known[row.id] = Glance.model_validate_json(answer.body)
            except (BoxRefused, UpstreamError, TimeoutError, ValidationError):
                # Its session says what became of it; a list is not worth waiting for it again and again.
                self._silent_until[row.id] = time.monotonic() + _LEFT_ALONE_SECONDS
