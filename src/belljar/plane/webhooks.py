"""Sends webhooks: signed, to addresses that the egress rules would let a box reach, again until they are taken.

Each attempt looks the name up anew, has every address it leads to judged, and connects to those addresses and no
others.  Of the answer only the head is read.
"""

import base64
import hmac
import random
import re
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from ipaddress import ip_network
from urllib.parse import urlsplit

import anyio
import msgspec
from anyio.abc import TaskGroup

from belljar import __version__
from belljar.egress.policy.addresses import Address, Host, Network, split_authority
from belljar.egress.policy.policy import Policy, Request, Rule, Scheme
from belljar.egress.proxy.dial import DialError, dial, resolve
from belljar.egress.proxy.http1 import BadMessage, parse_head, status_of
from belljar.egress.proxy.wires import HeadTooLarge, TlsWire, Wire, WireClosed
from belljar.logs import log
from belljar.plane.access.secrets import MasterKey
from belljar.plane.registry import DeliveryRow, Registry, WebhookRow
from belljar.plane.supervision import ControlMetrics, repeat
from belljar.problems.plane import DatabaseUnavailable
from belljar.server.telemetry.spans import Span, session_trace
from belljar.wire.webhooks import DeliveryState

# Of one attempt, the lookup and the answer included; a claim holds longer.
ATTEMPT_SECONDS = 15.0
# So long the secret before the present one signs too, for receivers that learn of the change later.
OLD_SECRET_SECONDS = 24 * 3600.0
_LOOK_SECONDS = 1.0
# To one webhook at a time: one that is slow to answer holds up itself alone.
_AT_ONCE = 4
_MAX_HEAD = 16 * 1024
_MAX_INTERIM = 8
_GONE = 410
_TARGET = re.compile(r"[!-~]*")

Resolve = Callable[[str], Awaitable[tuple[Address, ...]]]


class BadAddress(ValueError):
    """Nothing is sent there; a sentence for people."""


class NotTaken(Exception):
    """An attempt failed; a few words for people, with nothing of the address or the answer in them."""

    def __init__(self, why: str, status: int | None = None) -> None:
        super().__init__(why)
        self.status = status


@dataclass(frozen=True)
class Target:
    is_tls: bool
    host: Host
    port: int
    # As they go over the wire.
    authority: str
    path: str


def read_address(url: str) -> Target:
    """Raises `BadAddress`."""
    try:
        parts = urlsplit(url)
        if not _TARGET.fullmatch(url) or parts.scheme not in ("http", "https"):
            raise BadAddress("A webhook's address begins with https:// and has no spaces in it.")
        host, port = split_authority(parts.netloc, 443 if parts.scheme == "https" else 80)
    except BadAddress:
        raise
    except ValueError as error:
        raise BadAddress(f"A webhook's address needs a host that can be read: {error}.") from error
    if parts.fragment:
        raise BadAddress("A webhook's address has no #fragment.")
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Target(parts.scheme == "https", host, port, parts.netloc, path)


def read_networks(texts: Sequence[str]) -> tuple[Network, ...]:
    """Raises ValueError."""
    return tuple(ip_network(text) for text in texts)


class AddressRules:
    """The public internet over TLS, and beside it what the operator names, with TLS or without."""

    def __init__(self, networks: tuple[Network, ...], resolve: Resolve = resolve) -> None:
        named = (Rule(allows=True, text="--webhook-network", networks=networks),) if networks else ()
        self._plain = Policy(named)
        self._tls = Policy((Rule(allows=True, text="the public internet"), *named))
        self._resolve = resolve

    async def check(self, target: Target) -> tuple[Address, ...]:
        """The addresses to connect to.  Raises `BadAddress`, also where there are none."""
        is_name = isinstance(target.host, str)
        addresses = await self._resolve(str(target.host)) if is_name else ()
        if is_name and not addresses:
            raise BadAddress(f"{target.host} has no address.")
        request = Request(Scheme.TUNNEL if target.is_tls else Scheme.HTTP, target.host, target.port)
        decision = (self._tls if target.is_tls else self._plain).decide(request, addresses)
        if decision.is_allowed:
            return addresses if isinstance(target.host, str) else (target.host,)
        if decision.rule == "default":
            raise BadAddress("Without TLS webhooks go only where --webhook-network allows: use https://.")
        raise BadAddress(f"Webhooks do not go to {target.host} ({decision.rule}) unless --webhook-network allows it.")


class Secrets:
    """Derived from the master key, so that none is stored: a copy of the database signs nothing."""

    def __init__(self, master: MasterKey) -> None:
        self._master = master

    def show(self, webhook: WebhookRow) -> str:
        return "whsec_" + base64.b64encode(self._secret(webhook.id, webhook.secret_number)).decode()

    def sign(self, webhook: WebhookRow, message: bytes, now: float) -> str:
        """As Standard Webhooks has it: one signature, or two for a while after a change."""
        numbers = [webhook.secret_number]
        if webhook.rotated_at is not None and now - webhook.rotated_at < OLD_SECRET_SECONDS:
            numbers.append(webhook.secret_number - 1)
        made = (hmac.digest(self._secret(webhook.id, number), message, "sha256") for number in numbers)
        return " ".join("v1," + base64.b64encode(signature).decode() for signature in made)

    def _secret(self, webhook_id: str, number: int) -> bytes:
        return self._master.derive("webhook", f"{webhook_id}/{number}")


async def post(target: Target, addresses: tuple[Address, ...], headers: dict[str, str], body: bytes) -> None:
    """Raises `NotTaken` for everything but a 2xx.  A redirect is not followed: nobody has judged where it leads."""
    lines = [f"POST {target.path} HTTP/1.1", f"Host: {target.authority}", "Connection: close"]
    lines += [f"Content-Length: {len(body)}", "Content-Type: application/json"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    head = "\r\n".join(lines).encode("ascii") + b"\r\n\r\n"
    wire: Wire | None = None
    try:
        with anyio.fail_after(ATTEMPT_SECONDS):
            wire, _ = await dial(addresses, target.port)
            if target.is_tls:
                wire = tls = TlsWire(wire.sock, str(target.host))
                await tls.shake_hands()
            await wire.send(head + body)
            status = await _read_status(wire)
    except TimeoutError:
        raise NotTaken("no answer in time") from None
    except DialError as error:
        raise NotTaken(error.reason) from error
    except (WireClosed, HeadTooLarge, BadMessage, OSError) as error:
        raise NotTaken("the connection or its answer could not be used") from error
    finally:
        if wire is not None:
            wire.close()
    if 300 <= status < 400:
        raise NotTaken("a redirect, which is not followed", status)
    if not 200 <= status < 300:
        raise NotTaken("refused", status)


def trace_of(delivery: DeliveryRow) -> str | None:
    """A session's trace, or that of the call which an event in it belongs to."""
    if delivery.session_id is None:
        return None
    trace_id, span_id = session_trace(delivery.session_id)
    with suppress(msgspec.MsgspecError):
        trace_id = msgspec.json.decode(delivery.body, type=_Told).data.trace_id or trace_id
    return Span(trace_id, span_id).header


class _OfEvent(msgspec.Struct, rename="camel"):
    trace_id: str | None = None


class _Told(msgspec.Struct):
    data: _OfEvent


async def _read_status(wire: Wire) -> int:
    for _ in range(_MAX_INTERIM):
        status = status_of(parse_head(await wire.read_head(_MAX_HEAD)))
        if status >= 200:
            return status
    raise BadMessage("nothing but interim answers")


class WebhookSender:
    """Every control plane of a database sends; each delivery is sent by the one that claims it."""

    def __init__(
        self,
        registry: Registry,
        rules: AddressRules,
        secrets: Secrets,
        retries: tuple[float, ...],
        metrics: ControlMetrics,
    ) -> None:
        self._registry = registry
        self._rules = rules
        self._secrets = secrets
        self._retries = retries
        self._metrics = metrics
        # Attempts under way, by webhook.
        self._under_way: Counter[str] = Counter()

    async def send_all(self) -> None:
        """Runs as long as the control plane."""
        async with anyio.create_task_group() as tasks:
            await repeat("webhooks", partial(self._round, tasks), every=_LOOK_SECONDS)

    async def _round(self, tasks: TaskGroup) -> None:
        for id in await self._registry.webhooks.waiting():
            webhook = await self._registry.webhooks.get(id)
            free = _AT_ONCE - self._under_way[id]
            if webhook is None or free <= 0:
                continue
            for delivery in await self._registry.webhooks.claim(id, free):
                self._under_way[id] += 1
                tasks.start_soon(self._send, webhook, delivery, name=f"webhook {delivery.id}")

    async def _send(self, webhook: WebhookRow, delivery: DeliveryRow) -> None:
        try:
            await self._attempt(webhook, delivery)
        except DatabaseUnavailable:
            # The claim ends by itself, and it is sent again: better twice than never.
            return
        except Exception:  # one delivery's trouble is not the others', and its claim ends by itself
            log.exception("webhook.attempt_failed", webhook_id=webhook.id, delivery_id=delivery.id)
        finally:
            self._under_way[webhook.id] -= 1

    async def _attempt(self, webhook: WebhookRow, delivery: DeliveryRow) -> None:
        body, now = delivery.body.encode(), int(time.time())
        message = f"{delivery.id}.{now}.".encode() + body
        headers = {
            "User-Agent": f"belljar/{__version__}",
            "webhook-id": delivery.id,
            "webhook-timestamp": str(now),
            "webhook-signature": self._secrets.sign(webhook, message, now),
        }
        if (traceparent := trace_of(delivery)) is not None:
            headers["traceparent"] = traceparent
        failure: NotTaken | None = None
        try:
            target = read_address(webhook.url)
            await post(target, await self._rules.check(target), headers, body)
        except BadAddress as error:
            failure = NotTaken(str(error))
        except NotTaken as error:
            failure = error
        await self._note(webhook, delivery, failure)

    async def _note(self, webhook: WebhookRow, delivery: DeliveryRow, failure: NotTaken | None) -> None:
        now = time.time()
        if failure is None:
            state, due_at = DeliveryState.DELIVERED, now
        elif delivery.attempts > len(self._retries) or failure.status == _GONE:
            state, due_at = DeliveryState.DEAD, now
        else:
            # A little apart, so that what failed together does not come back together.
            state, due_at = DeliveryState.PENDING, now + self._retries[delivery.attempts - 1] * random.uniform(1, 1.1)
        status, error = (None, None) if failure is None else (failure.status, str(failure)[:256])
        await self._registry.webhooks.finish(delivery, state, due_at=due_at, status=status, error=error)
        self._metrics.sent_webhook("retried" if state is DeliveryState.PENDING else state)
        if failure is not None:
            about = {"webhook_id": webhook.id, "delivery_id": delivery.id, "attempts": delivery.attempts}
            log.warning("webhook.not_taken", **about, state=state, status=failure.status, error=error)
        if failure is not None and failure.status == _GONE:
            await self._registry.webhooks.disable(webhook.id)
