"""Records of sessions: read from their boxes while these run and after, vouched for, and their marks told.

The record's last head goes into the database each minute and at the session's end: whoever could change a host's files
would have to change that too.
"""

import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import msgspec

from belljar.egress.policy.addresses import OWN_LOOPBACK
from belljar.logs import log
from belljar.plane.access.secrets import MasterKey
from belljar.plane.boxes.artifacts.artifacts import SessionArtifacts
from belljar.plane.boxes.calls import BoxCalls, BoxRefused
from belljar.plane.boxes.launchers.base import Launcher
from belljar.plane.boxes.upstream import UpstreamError
from belljar.plane.registry import BoxRow, Registry, SessionRow
from belljar.plane.supervision import repeat
from belljar.problems.plane import DatabaseUnavailable
from belljar.record.export import RecordSource
from belljar.record.segments import Reader
from belljar.record.selection import Selection, find
from belljar.record.signing import HEADS, Head, PublicKey, SigningKey, box_seed
from belljar.safe_files import open_plain
from belljar.wire.record import EventKind
from belljar.wire.sessions import SessionState
from belljar.wire.webhooks import WebhookKind

_LOOK_SECONDS = 2.0
_HEADS_EVERY = 60.0
_BOX_SECONDS = 5.0
# Marks of one session that are told in one round.
_MOST_AT_ONCE = 100
_TOLD: Mapping[str, WebhookKind] = {
    EventKind.MARK: WebhookKind.SESSION_MARK,
    EventKind.ASK: WebhookKind.SESSION_ASK,
}
# Several times what a box lets its heads grow to.
_MOST_OF_HEADS = 4 << 20
_MARKS = Selection(frozenset(_TOLD))
_EGRESS = Selection(frozenset({EventKind.EGRESS}))
_AT_A_TIME = 1000


class SessionRecords:
    def __init__(
        self,
        registry: Registry,
        launcher: Launcher,
        artifacts: SessionArtifacts,
        calls: BoxCalls,
        master: MasterKey,
        plane_id: str,
    ) -> None:
        self._registry = registry
        self._launcher = launcher
        self._artifacts = artifacts
        self._calls = calls
        self._master = master
        self._plane_id = plane_id
        self._heads_at = -_HEADS_EVERY
        # Up to which event each session's record was looked through for marks.
        self._looked: dict[str, int] = {}
        self.installation_key = SigningKey(master.derive("record installation"))

    def key_of(self, box_id: str) -> PublicKey:
        """The public half of a box's key, with our word for it; the box need not be there any more."""
        return self.installation_key.certify(box_id, SigningKey(box_seed(self._master.box_key(box_id))))

    @asynccontextmanager
    async def open(self, row: SessionRow, *, films: bool = False) -> AsyncIterator[RecordSource | None]:
        """The session's record, with all that happened until now, as long as the block; None where there is none.

        With its films, if they are asked for: they may have to be brought here first.
        """
        if row.box_id is None:
            yield None
            return
        await self.flush(row)
        async with self._artifacts.record(row.box_id, films=films) as found:
            if found is None:
                yield None
            else:
                yield RecordSource(found.folder, tuple(found.films), self.key_of(row.box_id))

    async def flush(self, row: SessionRow) -> Head | None:
        """Have a box that runs write down what it has; its head, where it gives one."""
        if row.state is not SessionState.RUNNING or row.box_id is None:
            return None
        box = await self._registry.boxes.get(row.box_id)
        return None if box is None else await self._ask_head(box)

    async def keep_noting(self) -> None:
        """Runs as long as the control plane."""
        await repeat("records", self._round, every=_LOOK_SECONDS)

    async def note_end(self, row: SessionRow) -> None:
        """Once its box is gone: the last head, and the marks that nobody was told of yet."""
        if row.box_id is None:
            return
        try:
            async with self._launcher.record(row.box_id) as found:
                if found is not None:
                    head = await anyio.to_thread.run_sync(last_head, found.folder / HEADS)
                    if head is not None:
                        await self._registry.records.note(row.id, head)
                    await self._tell_marks(row, Reader(found.folder))
        except (OSError, DatabaseUnavailable) as error:
            # The end of a session matters more than what is remembered of it.
            log.warning("record.end_not_noted", session_id=row.id, error=type(error).__name__)

    async def egress_of(self, row: SessionRow) -> dict[str, int]:
        """What went out and in of a session whose box is gone without a last word, as far as its record says."""
        if row.box_id is None:
            return {}
        try:
            async with self._launcher.record(row.box_id) as found:
                if found is None:
                    return {}
                sent, received = await anyio.to_thread.run_sync(_sum_egress, Reader(found.folder))
        except OSError as error:
            log.warning("record.egress_not_read", session_id=row.id, error=type(error).__name__)
            return {}
        sent, received = max(sent, row.egress_sent), max(received, row.egress_received)
        total = max(sent + received, row.egress_bytes)
        return {"egress_bytes": total, "egress_sent": sent, "egress_received": received}

    async def _round(self) -> None:
        is_time = time.monotonic() - self._heads_at >= _HEADS_EVERY
        wants_marks = await self._registry.webhooks.is_wanted(_TOLD.values())
        if not is_time and not wants_marks:
            return
        place = self._launcher.place
        rows = await self._registry.sessions.list(states=[SessionState.RUNNING], place=place, limit=100_000)
        boxes = {box.id: box for box in await self._registry.boxes.list(place=place)}
        self._looked = {row.id: self._looked[row.id] for row in rows if row.id in self._looked}
        async with anyio.create_task_group() as tasks:
            for row in rows:
                # Its own control plane does; of one that is gone another does, once it has adopted the session.
                box = boxes.get(row.box_id or "")
                if row.plane_id == self._plane_id and box is not None:
                    tasks.start_soon(partial(self._look, row, box, notes_head=is_time, tells=wants_marks))
        if is_time:
            self._heads_at = time.monotonic()

    async def _look(self, row: SessionRow, box: BoxRow, *, notes_head: bool, tells: bool) -> None:
        head = await self._ask_head(box)
        with suppress(DatabaseUnavailable):
            if head is not None and notes_head:
                await self._registry.records.note(row.id, head)
            if head is not None and tells:
                async with self._launcher.record(box.id) as found:
                    if found is not None:
                        await self._tell_marks(row, Reader(found.folder))

    async def _tell_marks(self, row: SessionRow, reader: Reader) -> None:
        """What somebody marked or asked for since the last time; each is told once, whoever tells it."""
        told = await self._registry.records.told(row.id)
        since = max(told, self._looked.get(row.id, 0))
        found = await anyio.to_thread.run_sync(find, reader, _MARKS, since, _MOST_AT_ONCE)
        if found.lines:
            events = [msgspec.json.decode(line) for line in found.lines]
            about = [(_TOLD[event["kind"]], _about(event)) for event in events]
            await self._registry.records.tell(row, about, since=told, told=found.cursor)
        self._looked[row.id] = found.cursor

    async def _ask_head(self, box: BoxRow) -> Head | None:
        if box.handle is None:
            return None
        try:
            address = self._launcher.address(box.handle)
            answer = await self._calls.call(address, box.id, "GET", "/v1/events/proof", within=_BOX_SECONDS)
            return msgspec.json.decode(answer.body, type=_Proof).head
        except (BoxRefused, UpstreamError, TimeoutError, msgspec.MsgspecError, UnicodeError):
            return None


class _Proof(msgspec.Struct):
    head: Head | None = None


def last_head(path: Path) -> Head | None:
    """The last one that is whole.  Blocks."""
    try:
        with open_plain(path) as file:
            lines = file.read(_MOST_OF_HEADS).splitlines(keepends=True)
    except FileNotFoundError:
        return None
    for line in reversed(lines):
        if line.endswith(b"\n"):
            with suppress(msgspec.MsgspecError, UnicodeError):
                return msgspec.json.decode(line, type=Head)
    return None


def _sum_egress(reader: Reader) -> tuple[int, int]:
    """Bytes out and in, of connections whose end was written down.  Blocks."""
    sent = received = cursor = 0
    while True:
        found = find(reader, _EGRESS, cursor, _AT_A_TIME)
        for line in found.lines:
            data = msgspec.json.decode(line, type=_EgressEvent).data
            # What went to the box's own loopback did not leave it.
            if data.rule != OWN_LOOPBACK:
                sent, received = sent + data.sent, received + data.received
        if not found.more:
            return sent, received
        cursor = found.cursor


class _EgressData(msgspec.Struct):
    rule: str = ""
    sent: int = 0
    received: int = 0


class _EgressEvent(msgspec.Struct):
    data: _EgressData


def _about(event: Mapping[str, Any]) -> dict[str, Any]:
    """What a webhook is told of an event: what the record says, which is redacted already."""
    return {name: event[name] for name in ("seq", "t", "name", "actor", "traceId", "data") if name in event}
