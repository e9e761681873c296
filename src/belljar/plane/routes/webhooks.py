"""`/api/webhooks`: where the operator is told of sessions, and what was not taken there."""

from typing import Annotated

from belljar.plane.parts import TheAdmin, TheControl
from belljar.plane.registry import DeliveryRow, TooManyWebhooks, WebhookRow
from belljar.plane.views import maybe_time, time_at
from belljar.plane.webhooks import BadAddress, read_address
from belljar.problems import Conflict, Forbidden, InvalidRequest, NotFound
from belljar.server.openapi import problems
from belljar.server.router import Router
from belljar.server.signature import Query
from belljar.wire.base import Ok
from belljar.wire.webhooks import (
    CreateWebhook,
    DeliveryState,
    Webhook,
    WebhookDelivery,
    WebhookDeliveryList,
    WebhookList,
)

router = Router(prefix="/api/webhooks", tags=["webhooks"])


@router.post(
    "",
    status_code=201,
    operation_id="createWebhook",
    response_model_exclude_none=True,
    responses=problems(Forbidden, InvalidRequest, Conflict),
)
async def create_webhook(body: CreateWebhook, control: TheControl, admin: TheAdmin) -> Webhook:
    """Be told of sessions at an address.  The secret is shown in this answer and never again."""
    try:
        await control.webhook_rules.check(read_address(body.url))
    except BadAddress as error:
        raise InvalidRequest(str(error)) from error
    try:
        row = await control.registry.webhooks.add(body, actor=admin.user_id)
    except TooManyWebhooks:
        raise Conflict("there are as many webhooks as there may be") from None
    return _view(row, control.webhook_secrets.show(row))


@router.get("", operation_id="listWebhooks", response_model_exclude_none=True, responses=problems(Forbidden))
async def list_webhooks(control: TheControl, _: TheAdmin) -> WebhookList:
    """Every webhook, without its secret."""
    return WebhookList(webhooks=[_view(row) for row in await control.registry.webhooks.list()])


@router.delete("/{id}", operation_id="deleteWebhook", responses=problems(Forbidden, NotFound))
async def delete_webhook(id: str, control: TheControl, admin: TheAdmin) -> Ok:
    """Tell this address nothing more.  What was still to be sent is forgotten."""
    if not await control.registry.webhooks.remove(id, actor=admin.user_id):
        raise NotFound("webhook", id)
    return Ok()


@router.post(
    "/{id}/rotate",
    operation_id="rotateWebhookSecret",
    response_model_exclude_none=True,
    responses=problems(Forbidden, NotFound),
)
async def rotate_secret(id: str, control: TheControl, admin: TheAdmin) -> Webhook:
    """A new secret, shown in this answer alone.  For a day both sign.  Enables one whose receiver was gone."""
    row = await control.registry.webhooks.rotate(id, actor=admin.user_id)
    if row is None:
        raise NotFound("webhook", id)
    return _view(row, control.webhook_secrets.show(row))


@router.post(
    "/{id}/test",
    operation_id="testWebhook",
    status_code=202,
    response_model_exclude_none=True,
    responses=problems(Forbidden, NotFound),
)
async def send_test(id: str, control: TheControl, _: TheAdmin) -> WebhookDelivery:
    """Send a `webhook.test`, as anything else would be sent; the deliveries say what became of it."""
    row = await control.registry.webhooks.send_test(id)
    if row is None:
        raise NotFound("webhook that is not disabled", id)
    return _delivery_view(row)


@router.get(
    "/{id}/deliveries",
    operation_id="listWebhookDeliveries",
    response_model_exclude_none=True,
    responses=problems(Forbidden, NotFound),
)
async def list_deliveries(
    id: str,
    control: TheControl,
    _: TheAdmin,
    state: Annotated[DeliveryState | None, Query(description="`dead` for those that were given up.")] = None,
    after: Annotated[str | None, Query(max_length=48, description="A delivery's id.")] = None,
    limit: Annotated[int, Query(ge=1, le=1000)] = 200,
) -> WebhookDeliveryList:
    """What was sent and what is to be, newest first, for as long as `--retain` says."""
    if await control.registry.webhooks.get(id) is None:
        raise NotFound("webhook", id)
    rows = await control.registry.webhooks.deliveries(id, state=state, after=after, limit=limit)
    return WebhookDeliveryList(
        deliveries=[_delivery_view(row) for row in rows], next=rows[-1].id if len(rows) == limit else None
    )


@router.post(
    "/{id}/deliveries/{delivery_id}/redeliver",
    operation_id="redeliverWebhook",
    status_code=202,
    response_model_exclude_none=True,
    responses=problems(Forbidden, NotFound),
)
async def redeliver(id: str, delivery_id: str, control: TheControl, _: TheAdmin) -> WebhookDelivery:
    """Send one again that is over, delivered or dead, with all its attempts before it."""
    row = await control.registry.webhooks.redeliver(id, delivery_id)
    if row is None:
        raise NotFound("delivery that is over", delivery_id)
    return _delivery_view(row)


def _view(row: WebhookRow, secret: str | None = None) -> Webhook:
    return Webhook(
        id=row.id,
        url=row.url,
        kinds=list(row.kinds),
        name=row.name,
        created_at=time_at(row.created_at),
        disabled_at=maybe_time(row.disabled_at),
        secret=secret,
    )


def _delivery_view(row: DeliveryRow) -> WebhookDelivery:
    return WebhookDelivery(
        id=row.id,
        kind=row.kind,
        session_id=row.session_id,
        state=row.state,
        attempts=row.attempts,
        created_at=time_at(row.created_at),
        next_attempt_at=time_at(row.due_at) if row.state is DeliveryState.PENDING else None,
        finished_at=maybe_time(row.finished_at),
        status=row.status,
        error=row.error,
    )
