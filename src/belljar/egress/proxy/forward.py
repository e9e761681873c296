"""Plain HTTP of one client carried to its hosts, tunnels that nobody reads, and the proxy's own pages."""

from dataclasses import dataclass
from html import escape

import anyio

from belljar.egress.policy.addresses import show_authority
from belljar.egress.policy.policy import Decision, Request, Scheme, quoted
from belljar.egress.proxy.dial import DialError, proxy_authorization
from belljar.egress.proxy.gate import Denied, Gate, OverLimit, Passage
from belljar.egress.proxy.http1 import (
    MAX_HEAD,
    BadMessage,
    Body,
    Head,
    NoBody,
    RequestHead,
    answer_body,
    parse_head,
    request_body,
    status_of,
    write_head,
)
from belljar.egress.proxy.wires import HeadTooLarge, Wire, WireClosed, move
from belljar.tasks import the_only_one

_PHRASES = {
    302: "Found",
    400: "Bad Request",
    403: "Forbidden",
    431: "Request Header Fields Too Large",
    501: "Not Implemented",
    502: "Bad Gateway",
    503: "Service Unavailable",
    505: "HTTP Version Not Supported",
}

_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>body{{font:16px/1.5 system-ui,sans-serif;max-width:36rem;margin:12vh auto;padding:0 1rem;color:#222}}
code{{background:#eee;padding:.1em .3em;border-radius:3px}}
@media(prefers-color-scheme:dark){{body{{background:#1b1b1f;color:#ddd}}code{{background:#333}}}}</style>
</head><body><h1>{title}</h1><p>{sentence}</p><p>{more}</p></body></html>
"""


def denial(request: Request, decision: Decision) -> bytes:
    """403, with the host, the rule and the reason in `X-Belljar-Egress` too."""
    page = _PAGE.format(
        title="This address is not allowed",
        sentence=f"This browser may not open <code>{escape(str(request))}</code>: {escape(decision.reason)}.",
        more=f"The network policy of this sandbox decided so, by its rule <code>{escape(decision.rule)}</code>. "
        "Whoever runs the sandbox can change the policy.",
    )
    note = f'denied; host="{quoted(str(request.host))}"; port={request.port}; rule="{quoted(decision.rule)}"; '
    note += f'reason="{quoted(decision.reason)}"'
    return _answer(403, page, note)


def failure(status: int, request: Request | None, reason: str, *, is_for_a_script: bool = False) -> bytes:
    """The request was fine with the policy, but could not be carried out; or it was no request at all.

    A script that asks for data would take a page for the host's answer.  It is sent where no browser follows, so that
    its `fetch` fails as it does without a proxy.
    """
    note = f'failed; reason="{quoted(reason)}"'
    if is_for_a_script:
        return _answer(302, "", note, "Location: data:,\r\n")
    sentence = f"<code>{escape(str(request))}</code>: {escape(reason)}." if request else f"{escape(reason)}."
    page = _PAGE.format(
        title="The page cannot be reached", sentence=sentence, more="The proxy of this sandbox says so."
    )
    return _answer(status, page, note)


def _answer(status: int, page: str, note: str, more: str = "") -> bytes:
    body = page.encode()
    head = (
        f"HTTP/1.1 {status} {_PHRASES[status]}\r\nContent-Type: text/html; charset=utf-8\r\n"
        f"Content-Length: {len(body)}\r\nX-Belljar-Egress: {note}\r\nCache-Control: no-store\r\n"
        f"Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'\r\nConnection: close\r\n{more}\r\n"
    )
    return head.encode("latin-1", "replace") + body


async def tunnel(client: Wire, passage: Passage, greeting: bytes) -> None:
    """Greet, then copy until both sides have ended, one has broken off, or the gate cuts it."""
    try:
        async with anyio.create_task_group() as tasks:
            passage.scope = tasks.cancel_scope
            await client.send(greeting)
            tasks.start_soon(_send, client, passage, tasks.cancel_scope)
            await move(passage.wire, client, passage.count_received)
            client.end_sending()
    except* (WireClosed, OverLimit):
        pass
    finally:
        passage.close()


async def _send(client: Wire, passage: Passage, scope: anyio.CancelScope) -> None:
    try:
        await move(client, passage.wire, passage.count_sent)
    except (WireClosed, OverLimit):
        scope.cancel()
    else:
        passage.wire.end_sending()


# How long a host may take to begin its answer.
ANSWER_TIMEOUT = 300.0
_SAFE = frozenset({b"GET", b"HEAD", b"OPTIONS"})


class Forward:
    """Keeps the last passage for the next request, since browsers send many to one host."""

    def __init__(self, client: Wire, gate: Gate) -> None:
        self._client = client
        self._gate = gate
        self._passage: Passage | None = None

    def close(self) -> None:
        if self._passage is not None:
            self._passage.close()
            self._passage = None

    async def carry(self, head: RequestHead) -> bool:
        """Carry one request and its answer; whether the client may send another."""
        request = Request(Scheme.HTTP, head.host, head.port)
        try:
            body = request_body(head)
            passage, is_used = await self._passage_to(request)
            if is_used and isinstance(body, NoBody) and head.method in _SAFE:
                try:
                    return await self._exchange(head, body, passage)
                except _NoAnswer:
                    # The host closed an idle connection just as we wrote to it.
                    self.close()
                    passage, _ = await self._passage_to(request)
            return await self._exchange(head, body, passage)
        except Denied as error:
            return await self._answer(denial(request, error.decision))
        except (DialError, _NoAnswer) as error:
            reason = error.reason if isinstance(error, DialError) else "it closed the connection without an answer"
            return await self._answer(failure(502, request, reason, is_for_a_script=head.is_for_a_script))
        except BadMessage as error:
            return await self._answer(failure(error.status, request, str(error)))

    async def _answer(self, page: bytes) -> bool:
        self.close()
        await self._client.send(page)
        return False

    async def _passage_to(self, request: Request) -> tuple[Passage, bool]:
        """A passage, and whether it has carried something before."""
        kept = self._passage
        if kept is not None and kept.request == request and self._gate.is_open(kept) and not kept.wire.is_stale():
            kept.record.requests += 1
            return kept, True
        self.close()
        self._passage = await self._gate.open(request)
        return self._passage, False

    async def _exchange(self, head: RequestHead, body: Body, passage: Passage) -> bool:
        """Send the request and bring the answer back; a client that leaves meanwhile ends both."""
        outcome = _Outcome(keeps=False)
        try:
            if isinstance(body, NoBody):
                with anyio.CancelScope() as scope:
                    passage.scope = scope
                    await self._send(passage, self._request_head(head, passage))
                    with self._client.watched(scope.cancel):
                        outcome = await self._bring_answer(head, body, passage)
            else:
                outcome = await self._exchange_bodies(head, body, passage)
        finally:
            passage.scope = None
            if not outcome.keeps and outcome.upgrade is None:
                self.close()
        if outcome.upgrade is not None:
            await tunnel(self._client, passage, outcome.upgrade)
        return outcome.keeps

    async def _exchange_bodies(self, head: RequestHead, body: Body, passage: Passage) -> "_Outcome":
        """The answer may begin, and even end, before the request's body does."""
        outcome = _Outcome(keeps=False)
        try:
            async with anyio.create_task_group() as tasks:
                passage.scope = tasks.cancel_scope
                await self._send(passage, self._request_head(head, passage))
                tasks.start_soon(self._send_body, body, passage, tasks.cancel_scope)
                outcome = await self._bring_answer(head, body, passage)
                tasks.cancel_scope.cancel()
        except BaseExceptionGroup as group:
            raise the_only_one(group) from None
        return outcome

    async def _send(self, passage: Passage, data: bytes) -> None:
        passage.count_sent(len(data))
        try:
            await passage.wire.send(data)
        except WireClosed:
            raise _NoAnswer from None

    async def _send_body(self, body: Body, passage: Passage, scope: anyio.CancelScope) -> None:
        try:
            is_whole = await move(self._client, passage.wire, passage.count_sent, body)
        except WireClosed:
            # The host stopped listening; it may have answered all the same.
            return
        except (BadMessage, OverLimit):
            is_whole = False
        if is_whole and not self._client.ahead:
            # From here on the client only waits: what becomes readable is its leaving, or its next request.
            await anyio.wait_readable(self._client.sock)
            is_whole = not self._client.is_ended()
        if not is_whole:
            scope.cancel()

    async def _bring_answer(self, request: RequestHead, body: Body, passage: Passage) -> "_Outcome":
        head, status = await self._answer_head(passage)
        while status < 200 and status != 101:
            await self._client.send(write_head(head.first, head, b"keep-alive"))
            head, status = await self._answer_head(passage)
        if status == 101:
            return _Outcome(keeps=False, upgrade=write_head(head.first, head, b"Upgrade"))
        answer = answer_body(head, request.method, status)
        host_keeps = not head.has_word(b"connection", b"close") and head.first.startswith(b"HTTP/1.1")
        keeps = request.keeps_alive and not answer.ends_with_connection and body.is_complete
        lead = write_head(head.first, head, b"keep-alive" if keeps else b"close")
        is_whole = await move(passage.wire, self._client, passage.count_received, answer, lead)
        if not host_keeps:
            self.close()
        return _Outcome(keeps=keeps and is_whole)

    async def _answer_head(self, passage: Passage) -> tuple[Head, int]:
        try:
            with anyio.fail_after(ANSWER_TIMEOUT):
                data = await passage.wire.read_head(MAX_HEAD)
        except (WireClosed, TimeoutError, HeadTooLarge):
            raise _NoAnswer from None
        if not data:
            raise _NoAnswer
        passage.count_received(len(data) + 4)
        head = parse_head(data)
        return head, status_of(head)

    def _request_head(self, head: RequestHead, passage: Passage) -> bytes:
        authority = show_authority(head.host, head.port) if head.port != 80 else _bare(head)
        target, extra = head.target, b""
        if passage.wants_url:
            target = b"http://" + authority.encode() + head.target
            upstream = self._gate.policy.upstreams.get(passage.record.upstream or "")
            extra = proxy_authorization(upstream) if upstream else b""
        connection = b"Upgrade" if head.is_upgrade else b"keep-alive"
        first = head.method + b" " + target + b" " + head.version
        return write_head(first, head.head, connection, host=authority.encode(), extra=extra)


@dataclass(frozen=True)
class _Outcome:
    """Whether the client may send another request; or the head of an answer that makes this a tunnel."""

    keeps: bool
    upgrade: bytes | None = None


class _NoAnswer(Exception):
    """The host ended the connection before it answered."""


def _bare(head: RequestHead) -> str:
    return show_authority(head.host, head.port).rpartition(":")[0]
