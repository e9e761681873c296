"""How a person gets to a session's viewer: a ticket or token becomes a cookie for that session's paths alone.

The viewer page does the same with a box of its own; behind the gateway only the gateway judges, so it answers instead.
"""

import time
from datetime import UTC, datetime
from typing import TypeVar

import msgspec
from pydantic import ValidationError
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import Receive, Scope, Send

from belljar.plane.access.credentials import TICKET_SECONDS, Credentials, Origin
from belljar.plane.addresses import Addresses
from belljar.plane.gateway.authorize import Authorizer, Grant, check_state
from belljar.plane.registry import TicketUse
from belljar.plane.sessions.directory import SessionEntry
from belljar.problems import Forbidden, InvalidRequest, MethodNotAllowed, TokenInvalid
from belljar.tokens import Role, cookie_name
from belljar.wire.access import MakeLink, SignedIn, SignIn, ViewLink
from belljar.wire.base import Model
from belljar.wire.neko import Login, Who, described

Wanted = TypeVar("Wanted", bound=Model)

_MAX_BODY = 16 * 1024


class SignIns:
    def __init__(self, judge: Authorizer, credentials: Credentials, addresses: Addresses) -> None:
        self._judge = judge
        self._credentials = credentials
        self._addresses = addresses

    async def __call__(self, entry: SessionEntry, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        if request.method == "POST":
            response = await self._sign_in(entry, request)
        elif request.method == "DELETE":
            response = JSONResponse({"ok": True})
            self._set_cookie(response, scope, entry, "", 0)
        else:
            raise MethodNotAllowed("This endpoint takes POST and DELETE.", headers={"Allow": "POST, DELETE"})
        response.headers["cache-control"] = "no-store"
        await response(scope, receive, send)

    async def link(self, admitted: Grant, scope: Scope, receive: Receive, send: Send) -> None:
        """A one-time link to the session's viewer, with no more rights than whoever asks has."""
        request = Request(scope, receive)
        wanted = await _read(request, MakeLink)
        if admitted.role is None or admitted.role < Role.DRIVE:
            raise Forbidden("This needs the role drive.")
        id = admitted.entry.row.id
        ticket = await self._credentials.add_link(wanted.role, id, _origin(admitted))
        body = ViewLink(
            link=f"{self._addresses.of(scope).http}/s/{id}/view#ticket={ticket}",
            role=wanted.role,
            expires_at=datetime.fromtimestamp(time.time() + TICKET_SECONDS, UTC),
        )
        await JSONResponse(body.model_dump(mode="json", by_alias=True))(scope, receive, send)

    async def neko(self, entry: SessionEntry, scope: Scope, receive: Receive, send: Send) -> None:
        """Neko's client asks with a password, which is a token or a key; it is good for what follows, as it is."""
        wanted = await _read(Request(scope, receive), Login)
        if not wanted.password:
            raise TokenInvalid("The password is a token of this session.")
        admitted = await self._judge.by_secret(wanted.password, entry)
        check_state(entry)
        who = Who(admitted.caller, admitted.caller, admitted.role is not None and admitted.role >= Role.DRIVE)
        body = described(who, is_watching=False) | {"token": wanted.password}
        await JSONResponse(body, headers={"cache-control": "no-store"})(scope, receive, send)

    async def _sign_in(self, entry: SessionEntry, request: Request) -> Response:
        admitted = await self._pass(entry, await _read(request, SignIn))
        check_state(entry)
        token, said = await self._credentials.sign_in(entry.row, _origin(admitted), admitted.role)
        at = datetime.fromtimestamp(min(said.expires_at, entry.row.expires_at), UTC)
        body = SignedIn(role=said.role, name=said.user_id, expires_at=at).model_dump(mode="json", by_alias=True)
        response = JSONResponse(body)
        self._set_cookie(response, request.scope, entry, token, round(said.expires_at - time.time()))
        return response

    async def _pass(self, entry: SessionEntry, wanted: SignIn) -> Grant:
        if wanted.ticket:
            admitted = await self._judge.by_ticket(wanted.ticket, entry, lambda use: use is TicketUse.VIEW)
            await self._judge.spend(admitted)
            return admitted
        if wanted.token:
            return await self._judge.by_secret(wanted.token, entry)
        raise TokenInvalid()

    def _set_cookie(self, response: Response, scope: Scope, entry: SessionEntry, value: str, age: int) -> None:
        public = self._addresses.of(scope)
        response.set_cookie(
            cookie_name(entry.row.id),
            value,
            max_age=age,
            path=f"{public.prefix}/s/{entry.row.id}/",
            secure=public.scheme == "https",
            httponly=True,
            samesite="strict",
        )


def _origin(admitted: Grant) -> Origin:
    return Origin(admitted.caller, admitted.key_id, admitted.token_id, admitted.sign_in_id)


async def _read(request: Request, wanted: type[Wanted]) -> Wanted:
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > _MAX_BODY:
            raise InvalidRequest("The request body is too large.")
    try:
        return wanted.model_validate(msgspec.json.decode(body or b"{}"))
    except (msgspec.DecodeError, RecursionError, UnicodeError, ValidationError) as error:
        fields = ", ".join(wanted.model_fields)
        raise InvalidRequest(f"Send JSON with these members: {fields}.") from error
