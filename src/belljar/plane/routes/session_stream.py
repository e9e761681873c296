"""Lists of sessions that go on: all that match, then each when it changes."""

import time
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import anyio
from pydantic import BaseModel

from belljar.plane.addresses import Public
from belljar.plane.parts import Plane
from belljar.plane.registry import KeyRow, SessionRow
from belljar.plane.views import session_view
from belljar.problems.plane import DatabaseUnavailable
from belljar.wire.live import Glance
from belljar.wire.sessions import SessionGone, SessionsListed, SessionState

# How often it is looked for what changed, here or by another control plane.
_LOOK_SECONDS = 0.5
_KEEP_ALIVE_SECONDS = 15.0
# A session is told anew when it uses so many bytes more or less.
_MEMORY_STEP = 8_000_000


@dataclass(frozen=True)
class SessionFilter:
    user_id: str | None
    states: Collection[SessionState] | None
    tags: Mapping[str, str | None]
    limit: int


@dataclass(frozen=True)
class _Seen:
    """What a session looked like when it was told: it is told again when this is another."""

    row: SessionRow
    memory_steps: int
    glance: Glance | None


async def follow_sessions(control: Plane, key: KeyRow, wanted: SessionFilter, public: Public) -> AsyncIterator[bytes]:
    """Ends when the key is revoked, or the server stops."""
    told: dict[str, _Seen] = {}
    rows: Sequence[SessionRow] = ()
    # The newest event that the rows are as new as: while there is none after it, no session has changed.
    as_of, is_listed, silent = -1, False, time.monotonic()
    with control.glances.followed():
        yield b":\n\n"
        while not control.stopping.is_set():
            try:
                if await control.registry.keys.revoked([key.id]):
                    return
                newest = await control.registry.events.newest()
                if newest != as_of:
                    rows = await control.registry.sessions.list(
                        user_id=wanted.user_id, states=wanted.states, tags=wanted.tags, limit=wanted.limit
                    )
                    as_of = newest
            except DatabaseUnavailable:
                # What was told stays so until there is more to know.
                pass
            pieces = [*_changed(control, rows, told, public), *_gone(rows, told)]
            if not is_listed:
                is_listed = True
                pieces.append(_event("listed", SessionsListed(ids=[row.id for row in rows])))
            if pieces:
                yield b"".join(pieces)
                silent = time.monotonic()
            elif time.monotonic() - silent > _KEEP_ALIVE_SECONDS:
                yield b":\n\n"
                silent = time.monotonic()
            with anyio.move_on_after(_LOOK_SECONDS):
                await control.stopping.wait()


def _changed(control: Plane, rows: Sequence[SessionRow], told: dict[str, _Seen], public: Public) -> list[bytes]:
    pieces = []
    # Oldest first, so that the newest is told last, as those that come later are.
    for row in reversed(rows):
        entry = control.directory.entries.get(row.id)
        memory = row.peak_memory if entry is None else entry.memory
        glance = control.glances.known.get(row.id) if row.state is SessionState.RUNNING else None
        # What is measured and noted by the way is no change.
        still = replace(
            row, last_activity=None, peak_memory=0, cpu_seconds=0.0, egress_bytes=0, egress_sent=0, egress_received=0
        )
        seen = _Seen(still, memory // _MEMORY_STEP, glance)
        if told.get(row.id) != seen:
            told[row.id] = seen
            view = session_view(row, public, control.directory, glance=glance)
            pieces.append(_event("session", view))
    return pieces


def _gone(rows: Sequence[SessionRow], told: dict[str, _Seen]) -> list[bytes]:
    gone = told.keys() - {row.id for row in rows}
    for id in gone:
        del told[id]
    return [_event("gone", SessionGone(id=id)) for id in sorted(gone)]


def _event(name: str, data: BaseModel) -> bytes:
    return b"event: %b\ndata: %b\n\n" % (name.encode(), data.model_dump_json(by_alias=True, exclude_none=True).encode())
