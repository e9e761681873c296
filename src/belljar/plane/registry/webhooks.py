"""Webhooks and their deliveries at rest: each is sent by whoever claims it, and tried again until it is given up."""

import secrets
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from typing import Any

from sqlalchemy import ColumnElement, Row, delete, func, insert, or_, select, update

from belljar.plane.registry.database import Database
from belljar.plane.registry.events import record, tell_webhooks
from belljar.plane.registry.schema import webhook_deliveries, webhooks
from belljar.wire.webhooks import CreateWebhook, DeliveryState, WebhookKind

# So long a claim holds: longer than an attempt may take, or two would be at it.
CLAIM_SECONDS = 60.0
MOST_WEBHOOKS = 20
# What may wait for one webhook; beyond that the oldest are given up.
MOST_WAITING = 10_000


class TooManyWebhooks(Exception):
    """There are as many as there may be."""


@dataclass(frozen=True)
class WebhookRow:
    id: str
    url: str
    name: str
    kinds: tuple[WebhookKind, ...]
    secret_number: int
    rotated_at: float | None
    created_at: float
    disabled_at: float | None


@dataclass(frozen=True)
class DeliveryRow:
    id: str
    webhook_id: str
    kind: WebhookKind
    session_id: str | None
    body: str
    state: DeliveryState
    attempts: int
    due_at: float
    created_at: float
    finished_at: float | None
    status: int | None
    error: str | None


_DELIVERY = [field.name for field in fields(DeliveryRow)]


class Webhooks:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, wanted: CreateWebhook, *, actor: str) -> WebhookRow:
        """Raises `TooManyWebhooks`."""
        kinds = tuple(dict.fromkeys(wanted.kinds or WebhookKind))
        row = WebhookRow(f"wh_{secrets.token_hex(8)}", wanted.url, wanted.name, kinds, 1, None, time.time(), None)
        async with self._database.admission() as connection:
            if int(await connection.scalar(select(func.count()).select_from(webhooks)) or 0) >= MOST_WEBHOOKS:
                raise TooManyWebhooks
            await connection.execute(insert(webhooks).values(**{**vars(row), "kinds": f",{','.join(kinds)},"}))
            await record(connection, "webhook.made", actor=actor, detail={"webhookId": row.id})
        return row

    async def get(self, id: str) -> WebhookRow | None:
        async with self._database.read() as connection:
            found = (await connection.execute(select(webhooks).where(webhooks.c.id == id))).first()
        return None if found is None else _webhook(found)

    async def list(self) -> Sequence[WebhookRow]:
        query = select(webhooks).order_by(webhooks.c.created_at, webhooks.c.id)
        async with self._database.read() as connection:
            return [_webhook(found) for found in await connection.execute(query)]

    async def rotate(self, id: str, *, actor: str) -> WebhookRow | None:
        """With its next secret, and wanted again if its receiver had said that it was gone; None: no such webhook."""
        changes = {"secret_number": webhooks.c.secret_number + 1, "rotated_at": time.time(), "disabled_at": None}
        async with self._database.write() as connection:
            done = update(webhooks).where(webhooks.c.id == id).values(**changes).returning(*webhooks.c)
            found = (await connection.execute(done)).first()
            if found is not None:
                await record(connection, "webhook.rotated", actor=actor, detail={"webhookId": id})
        return None if found is None else _webhook(found)

    async def remove(self, id: str, *, actor: str) -> bool:
        """With all that was to be sent to it."""
        async with self._database.write() as connection:
            gone = await connection.execute(delete(webhooks).where(webhooks.c.id == id))
            await connection.execute(delete(webhook_deliveries).where(webhook_deliveries.c.webhook_id == id))
            if gone.rowcount == 1:
                await record(connection, "webhook.removed", actor=actor, detail={"webhookId": id})
        return gone.rowcount == 1

    async def disable(self, id: str) -> None:
        """Nothing more is sent to it, nor put down for it."""
        async with self._database.write() as connection:
            await connection.execute(update(webhooks).where(webhooks.c.id == id).values(disabled_at=time.time()))
            await _give_up(connection, webhook_deliveries.c.webhook_id == id, "the receiver is gone (410)")
            await record(connection, "webhook.disabled", actor="control plane", detail={"webhookId": id})

    async def send_test(self, id: str) -> DeliveryRow | None:
        """None where there is no such webhook, or none that is sent anything."""
        async with self._database.write() as connection:
            made = await tell_webhooks(connection, WebhookKind.WEBHOOK_TEST, {}, at=time.time(), only=id)
            found = await connection.execute(select(webhook_deliveries).where(webhook_deliveries.c.id.in_(made)))
            return next(map(_delivery, found), None)

    async def is_wanted(self, kinds: Iterable[WebhookKind]) -> bool:
        """Whether anybody is told of one of these."""
        any_of = or_(*(webhooks.c.kinds.contains(f",{kind},") for kind in kinds))
        async with self._database.read() as connection:
            query = select(webhooks.c.id).where(any_of, webhooks.c.disabled_at.is_(None)).limit(1)
            return (await connection.scalar(query)) is not None

    async def waiting(self) -> Sequence[str]:
        """The webhooks for which something is due."""
        due = (webhook_deliveries.c.state == DeliveryState.PENDING) & (webhook_deliveries.c.due_at <= time.time())
        async with self._database.read() as connection:
            return (await connection.scalars(select(webhook_deliveries.c.webhook_id).where(due).distinct())).all()

    async def claim(self, webhook_id: str, most: int) -> Sequence[DeliveryRow]:
        """Deliveries that are this caller's to send until `CLAIM_SECONDS` are over, one attempt counted."""
        row, now = webhook_deliveries.c, time.time()
        is_due = (row.state == DeliveryState.PENDING) & (row.webhook_id == webhook_id) & (row.due_at <= now)
        claimed: list[DeliveryRow] = []
        async with self._database.write() as connection:
            chosen = select(row.id, row.attempts).where(is_due).order_by(row.due_at, row.created_at).limit(most)
            for id, attempts in (await connection.execute(chosen)).all():
                # Another may have been faster: then the attempts are not what they were.
                mine = update(webhook_deliveries).where(is_due, row.id == id, row.attempts == attempts)
                mine = mine.values(due_at=now + CLAIM_SECONDS, attempts=attempts + 1)
                found = (await connection.execute(mine.returning(*webhook_deliveries.c))).first()
                if found is not None:
                    claimed.append(_delivery(found))
        return claimed

    async def finish(
        self, delivery: DeliveryRow, state: DeliveryState, *, due_at: float, status: int | None, error: str | None
    ) -> None:
        """What became of an attempt, unless somebody else has begun another meanwhile."""
        row = webhook_deliveries.c
        changes = {"state": state, "due_at": due_at, "status": status, "error": error}
        changes["finished_at"] = None if state is DeliveryState.PENDING else time.time()
        still_ours = (row.id == delivery.id) & (row.attempts == delivery.attempts)
        async with self._database.write() as connection:
            is_pending = row.state == DeliveryState.PENDING
            await connection.execute(update(webhook_deliveries).where(still_ours, is_pending).values(**changes))

    async def deliveries(
        self, webhook_id: str, *, state: DeliveryState | None, after: str | None, limit: int
    ) -> Sequence[DeliveryRow]:
        """Newest first, from after the one with the id `after`."""
        row = webhook_deliveries.c
        query = select(webhook_deliveries).where(row.webhook_id == webhook_id)
        if state is not None:
            query = query.where(row.state == state)
        async with self._database.read() as connection:
            if after is not None:
                at = await connection.scalar(select(row.created_at).where(row.id == after))
                if at is None:
                    # One that is no longer kept: then none that is older is.
                    return []
                query = query.where((row.created_at < at) | ((row.created_at == at) & (row.id < after)))
            query = query.order_by(row.created_at.desc(), row.id.desc()).limit(limit)
            return [_delivery(found) for found in await connection.execute(query)]

    async def redeliver(self, webhook_id: str, id: str) -> DeliveryRow | None:
        """Pending again, as if it had never been tried; None where there is none that was given up or delivered."""
        row = webhook_deliveries.c
        over = (row.webhook_id == webhook_id) & (row.id == id) & (row.state != DeliveryState.PENDING)
        again = {"state": DeliveryState.PENDING, "attempts": 0, "due_at": time.time(), "finished_at": None}
        async with self._database.write() as connection:
            done = update(webhook_deliveries).where(over).values(**again, error=None, status=None)
            found = (await connection.execute(done.returning(*webhook_deliveries.c))).first()
        return None if found is None else _delivery(found)

    async def forget(self, before: float) -> None:
        """Remove what is over and older; give up what too much waits behind."""
        row = webhook_deliveries.c
        async with self._database.write() as connection:
            old = (row.created_at < before) & (row.state != DeliveryState.PENDING)
            await connection.execute(delete(webhook_deliveries).where(old))
            pending = row.state == DeliveryState.PENDING
            counts = select(row.webhook_id, func.count()).where(pending).group_by(row.webhook_id)
            for webhook_id, number in (await connection.execute(counts)).all():
                if number > MOST_WAITING:
                    waiting = select(row.created_at).where(pending, row.webhook_id == webhook_id)
                    newest_to_go = waiting.order_by(row.created_at).offset(number - MOST_WAITING - 1).limit(1)
                    which = (row.webhook_id == webhook_id) & (row.created_at <= newest_to_go.scalar_subquery())
                    await _give_up(connection, which, "too many wait for this webhook")


async def _give_up(connection: Any, which: ColumnElement[bool], error: str) -> None:
    pending = webhook_deliveries.c.state == DeliveryState.PENDING
    over = {"state": DeliveryState.DEAD, "finished_at": time.time(), "error": error}
    await connection.execute(update(webhook_deliveries).where(which, pending).values(**over))


def _webhook(found: Row[Any]) -> WebhookRow:
    named = set(found.kinds.split(","))
    return WebhookRow(**{**found._mapping, "kinds": tuple(kind for kind in WebhookKind if kind in named)})


def _delivery(found: Row[Any]) -> DeliveryRow:
    row = {name: found._mapping[name] for name in _DELIVERY}
    return DeliveryRow(**{**row, "kind": WebhookKind(row["kind"]), "state": DeliveryState(row["state"])})
