"""Webhooks: where a control plane tells of sessions, what it sends, and what became of it."""

from datetime import datetime
from enum import StrEnum

from pydantic import Field

from belljar.wire.base import Model, Request


class WebhookKind(StrEnum):
    """What can be told of."""

    SESSION_CREATED = "session.created"  # asked for, and not refused
    SESSION_RUNNING = "session.running"  # its box answers
    SESSION_STOPPED = "session.stopped"  # over; `reason` says why
    SESSION_FAILED = "session.failed"  # over without having run, or by a fault
    CONTROL_TAKEN = "control.taken"  # a person works in it
    CONTROL_LEFT = "control.left"  # and has given it back
    SESSION_MARK = "session.mark"  # somebody marked a moment in its record
    SESSION_ASK = "session.ask"  # its agent asks a person, or waits for one
    WEBHOOK_TEST = "webhook.test"  # somebody asked for a try


class DeliveryState(StrEnum):
    PENDING = "pending"  # to be sent, for the first time or again
    DELIVERED = "delivered"  # the receiver answered 2xx
    DEAD = "dead"  # given up: it can be sent again by hand


class CreateWebhook(Request):
    url: str = Field(max_length=2048, description="https://…; http:// only to what --webhook-network names.")
    kinds: list[WebhookKind] | None = Field(
        None, min_length=1, max_length=len(WebhookKind), description="What to tell of; everything when not given."
    )
    name: str = Field("", max_length=128)


class Webhook(Model):
    id: str
    url: str
    kinds: list[WebhookKind]
    name: str
    created_at: datetime
    disabled_at: datetime | None = Field(None, description="Since when its receiver says that it is gone (410).")
    secret: str | None = Field(None, description="`whsec_…`; only in the answer that makes it.")


class WebhookList(Model):
    webhooks: list[Webhook]


class WebhookDelivery(Model):
    """`id` is what the receiver gets as `webhook-id`, the same at each attempt."""

    id: str
    kind: WebhookKind
    session_id: str | None = None
    state: DeliveryState
    attempts: int
    created_at: datetime
    next_attempt_at: datetime | None = Field(None, description="While it is pending.")
    finished_at: datetime | None = None
    status: int | None = Field(None, description="What the receiver answered last.")
    error: str | None = Field(None, description="Why the last attempt failed.")


class WebhookDeliveryList(Model):
    deliveries: list[WebhookDelivery]
    next: str | None = Field(None, description="As `after`, for those that came before.")
