"""Apps that people let in over MCP: an OAuth 2.1 server for the one resource `/mcp`, without the HTTP around it.

Codes, access and refresh tokens are random, kept as digests, and belong to one sign-in: whatever of them is shown a
second time where it is good once ends that sign-in, and with it all that came of it.
"""

import base64
import hashlib
import hmac
import re
import secrets
import time
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import SplitResult, urlencode, urlsplit

from belljar.limits import Bucket
from belljar.plane.access.secrets import digest
from belljar.plane.access.sign_ins import ACCESS_PREFIX, SignInKeeper, new_id, plain
from belljar.plane.addresses import Public
from belljar.plane.registry import (
    ClientRow,
    FoundSecret,
    KeyRow,
    OriginRevoked,
    Registry,
    SecretRow,
    SecretUse,
    SignInRow,
    TooManyClients,
)
from belljar.problems import TokenInvalid
from belljar.server.connections import counted_as
from belljar.wire.access import SignInKind, SignInVia
from belljar.wire.oauth import AppRequest, RegisteredApp
from belljar.wire.sessions import TokenRole

CODE_SECONDS = 60.0
ACCESS_SECONDS = 900.0
REFRESH_SECONDS = 30 * 86_400.0
SCOPES = (TokenRole.VIEW, TokenRole.DRIVE)
AUTH_METHODS = ("none", "client_secret_basic", "client_secret_post")
_MOST_CLIENTS = 1000
# Of one address, that nobody has let in: more than a person connects in a day, few enough to leave room to others.
_MOST_UNUSED_PER_ADDRESS = 50
_MOST_URIS = 10
_MOST_NAME = 100
# RFC 7636: 43 characters of a digest; a verifier has as many or more.
_CHALLENGE = re.compile(r"[A-Za-z0-9_-]{43}")
_VERIFIER = re.compile(r"[A-Za-z0-9._~-]{43,128}")
# Programs that are known to take people back by a scheme of their own; others have a name with a dot (RFC 8252, 7.1).
_KNOWN_SCHEMES = frozenset({"cursor", "vscode", "vscode-insiders"})
_PRIVATE_SCHEME = re.compile(r"[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+")
_LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})
_REGISTRATIONS_PER_SECOND, _REGISTRATIONS_AT_ONCE = 1.0, 60
_PER_ADDRESS_PER_SECOND, _PER_ADDRESS_AT_ONCE = 1 / 30, 10
_MOST_ADDRESSES = 1000


class Refusal(Exception):
    """What an app is told: `error` is one of OAuth's words, the message a sentence for who wrote it."""

    def __init__(self, error: str, description: str, status: int = 400, retry_after: int | None = None) -> None:
        super().__init__(description)
        self.error, self.description, self.status, self.retry_after = error, description, status, retry_after


@dataclass(frozen=True)
class Tokens:
    access: str
    refresh: str
    role: TokenRole


class Apps:
    def __init__(self, registry: Registry, sign_ins: SignInKeeper) -> None:
        self._registry = registry
        self._sign_ins = sign_ins
        self._registrations = Bucket(_REGISTRATIONS_PER_SECOND, _REGISTRATIONS_AT_ONCE)
        self._by_address: OrderedDict[str, Bucket] = OrderedDict()

    async def register(self, asked: Mapping[str, object], address: str) -> RegisteredApp:
        """An app of which nobody knows more than it says (RFC 7591).  Raises `Refusal`."""
        # Whoever has one address of IPv6 has as many as they like beside it.
        whose = counted_as(address) or address[:64]
        self._check_rate(whose)
        uris = redirect_uris(asked.get("redirect_uris"))
        method = asked.get("token_endpoint_auth_method", "none")
        if method not in AUTH_METHODS:
            raise Refusal("invalid_client_metadata", f"token_endpoint_auth_method is one of {', '.join(AUTH_METHODS)}.")
        _check_within(asked, "grant_types", {"authorization_code", "refresh_token"})
        _check_within(asked, "response_types", {"code"})
        given = asked.get("client_name", "")
        name = plain(given, _MOST_NAME) if isinstance(given, str) else ""
        secret = None if method == "none" else f"bjo_{secrets.token_urlsafe(32)}"
        row = ClientRow(
            f"app-{secrets.token_hex(12)}",
            name or place_of(uris[0]),
            uris,
            str(method),
            time.time(),
            None if secret is None else digest(secret),
            address=whose,
        )
        try:
            await self._registry.sign_ins.add_client(row, _MOST_CLIENTS, _MOST_UNUSED_PER_ADDRESS)
        except TooManyClients:
            raise Refusal("temporarily_unavailable", "Too many apps are registered here.", 429, 3600) from None
        return RegisteredApp(
            client_id=row.id,
            client_id_issued_at=int(row.created_at),
            client_name=row.name,
            redirect_uris=uris,
            token_endpoint_auth_method=row.auth_method,
            grant_types=["authorization_code", "refresh_token"],
            response_types=["code"],
            scope=" ".join(SCOPES),
            client_secret=secret,
            client_secret_expires_at=None if secret is None else 0,
        )

    async def check(self, asked: AppRequest, public: Public) -> tuple[ClientRow, Sequence[TokenRole]]:
        """Which app asks, and what it may be given.  Raises `Refusal`, which a person reads: nobody is sent anywhere.

        An app that anybody can register decides where a browser goes; only one that a person lets in, or refuses, may.
        """
        client = await self._registry.sign_ins.client(asked.client_id)
        if client is None:
            raise Refusal("invalid_client", "This app is not, or no longer, registered here: connect it anew.")
        if not any(is_same_redirect(asked.redirect_uri, uri) for uri in client.redirect_uris):
            raise Refusal("invalid_request", "The address to go back to is not one that the app registered.")
        if asked.response_type != "code":
            raise Refusal("unsupported_response_type", "Only response_type=code is taken.")
        if asked.code_challenge_method != "S256" or not _CHALLENGE.fullmatch(asked.code_challenge):
            raise Refusal("invalid_request", "The app must send a code_challenge of the method S256.")
        if not asked.state:
            raise Refusal("invalid_request", "The app sent no state, by which it would know its own request again.")
        if not _is_ours(asked.resource, public):
            raise Refusal("invalid_target", "The app asks for access to another server.")
        return client, _roles(asked.scope)

    async def allow(self, asked: AppRequest, role: TokenRole, key: KeyRow, public: Public, address: str) -> str:
        """Where the browser goes with the code, once a person has let the app in.  Raises `Refusal`, `TokenInvalid`."""
        client, roles = await self.check(asked, public)
        if role not in roles:
            raise Refusal("invalid_scope", "The app did not ask for that much.")
        now = time.time()
        code = f"bjc_{secrets.token_urlsafe(32)}"
        row = SignInRow(
            new_id(),
            SignInKind.APP,
            key.user_id,
            key.id,
            SignInVia.CONSENT,
            client.name,
            address[:64],
            now,
            now,
            now + CODE_SECONDS,
            role=role,
            client_id=client.id,
            resource=public.mcp,
            redirect_uri=asked.redirect_uri,
            challenge=asked.code_challenge,
        )
        shown = SecretRow(digest(code), row.id, SecretUse.CODE, row.expires_at)
        try:
            await self._registry.sign_ins.add(row, [shown])
        except OriginRevoked:
            raise TokenInvalid() from None
        return _with_answer(asked, public, code=code)

    async def deny(self, asked: AppRequest, public: Public) -> str:
        """Where the browser goes when a person has not let the app in.  Raises `Refusal`."""
        await self.check(asked, public)
        return _with_answer(asked, public, error="access_denied", error_description="The person did not let it in.")

    async def redeem(self, form: Mapping[str, str], client: ClientRow) -> Tokens:
        """The first tokens, for a code.  Raises `Refusal`."""
        found = await self._own(form.get("code", ""), SecretUse.CODE, client)
        sign_in = found.sign_in
        if form.get("redirect_uri", sign_in.redirect_uri) != sign_in.redirect_uri:
            raise _bad_grant("The redirect_uri is another than the one that was asked with.")
        verifier = form.get("code_verifier", "")
        if not _VERIFIER.fullmatch(verifier) or not hmac.compare_digest(_challenge(verifier), sign_in.challenge or ""):
            raise _bad_grant("The code_verifier does not fit.")
        return await self._exchange(found, form, sign_in.role or TokenRole.VIEW)

    async def refresh(self, form: Mapping[str, str], client: ClientRow) -> Tokens:
        """The next tokens, for a refresh token, which is good once.  Raises `Refusal`."""
        found = await self._own(form.get("refresh_token", ""), SecretUse.REFRESH, client)
        role = found.sign_in.role or TokenRole.VIEW
        if (scope := form.get("scope")) and role not in _roles(scope):
            raise Refusal("invalid_scope", f"It was let in for {role}, and stays so.")
        return await self._exchange(found, form, role)

    async def revoke(self, token: str, client: ClientRow) -> None:
        """End what a token belongs to (RFC 7009); what is no token of this app's is passed over."""
        for use in (SecretUse.REFRESH, SecretUse.ACCESS):
            found = await self._registry.sign_ins.by_secret(digest(token), use)
            if found is not None and found.sign_in.client_id == client.id:
                await self._sign_ins.end(found.sign_in.id, actor=client.id, why="revoked by the app")

    async def authenticate(self, id: str, secret: str | None, method: str) -> ClientRow:
        """The app that a request is of.  Raises `Refusal`."""
        client = await self._registry.sign_ins.client(id)
        refused = Refusal("invalid_client", "This app is not registered here, or its secret is wrong.", 401)
        if client is None or client.auth_method != method:
            raise refused
        if client.secret_digest is not None and not hmac.compare_digest(client.secret_digest, digest(secret or "")):
            raise refused
        return client

    async def _own(self, shown: str, use: SecretUse, client: ClientRow) -> FoundSecret:
        found = await self._registry.sign_ins.by_secret(digest(shown), use)
        if found is None or found.sign_in.client_id != client.id:
            raise _bad_grant("It is not, or no longer, good.")
        if found.secret.spent_at is not None:
            # Somebody has it who should not: whoever that is, neither goes on.
            await self._sign_ins.end(found.sign_in.id, actor=client.id, why=f"its {use} was shown twice")
        if found.secret.spent_at is not None or found.is_over or found.secret.expires_at <= time.time():
            raise _bad_grant("It is not, or no longer, good.")
        return found

    async def _exchange(self, found: FoundSecret, form: Mapping[str, str], role: TokenRole) -> Tokens:
        if form.get("resource", found.sign_in.resource or "").rstrip("/") != found.sign_in.resource:
            raise Refusal("invalid_target", "It is for another resource.")
        now = time.time()
        made = Tokens(f"{ACCESS_PREFIX}{secrets.token_urlsafe(32)}", f"bjr_{secrets.token_urlsafe(32)}", role)
        id = found.sign_in.id
        fresh = [
            SecretRow(digest(made.access), id, SecretUse.ACCESS, now + ACCESS_SECONDS),
            SecretRow(digest(made.refresh), id, SecretUse.REFRESH, now + REFRESH_SECONDS),
        ]
        if not await self._registry.sign_ins.exchange(
            found.secret, fresh, expires_at=now + REFRESH_SECONDS, seen_at=now
        ):
            # Of two that come at once with the same, one is not the app.
            await self._sign_ins.end(id, actor=found.sign_in.client_id or "", why=f"its {found.secret.use} came twice")
            raise _bad_grant("It is not, or no longer, good.")
        return made

    def _check_rate(self, address: str) -> None:
        own = self._by_address.setdefault(address, Bucket(_PER_ADDRESS_PER_SECOND, _PER_ADDRESS_AT_ONCE))
        self._by_address.move_to_end(address)
        if len(self._by_address) > _MOST_ADDRESSES:
            self._by_address.popitem(last=False)
        for bucket in (own, self._registrations):
            if not bucket.take():
                wait = int(bucket.seconds_until_next) + 1
                raise Refusal("temporarily_unavailable", "Too many apps register at once; wait.", 429, wait)


def is_same_redirect(asked: str, registered: str) -> bool:
    """Letter for letter; on this machine any port will do, since programs take one that is free (RFC 8252, 7.3)."""
    if asked == registered:
        return True
    here, there = _split(asked), _split(registered)
    if here is None or there is None or not _is_loopback(here) or not is_redirect(asked):
        return False
    return _without_port(here) == _without_port(there)


def is_redirect(uri: str) -> bool:
    """Whether a browser may be sent there: https, this machine, or a program with a scheme that is its own."""
    parts = _split(uri)
    if parts is None or not uri.isascii() or not uri.isprintable() or any(letter in uri for letter in ' "<>\\^`{|}#'):
        return False
    if len(uri) > 2048 or "@" in parts.netloc:
        return False
    if parts.scheme == "https":
        return bool(parts.hostname)
    if parts.scheme == "http":
        return _is_loopback(parts)
    return parts.scheme in _KNOWN_SCHEMES or _PRIVATE_SCHEME.fullmatch(parts.scheme) is not None


def _without_port(parts: SplitResult) -> SplitResult:
    host = parts.hostname or ""
    return parts._replace(netloc=f"[{host}]" if ":" in host else host)


def place_of(uri: str) -> str:
    """Where a browser is sent, as a person reads it."""
    parts = urlsplit(uri)
    if _is_loopback(parts):
        return "this computer"
    return parts.netloc.lower() if parts.scheme == "https" else f"a program ({parts.scheme}:)"


def _split(uri: str) -> SplitResult | None:
    try:
        parts = urlsplit(uri)
        parts.port  # noqa: B018
    except ValueError:
        return None
    return parts


def _is_loopback(parts: SplitResult) -> bool:
    return parts.scheme == "http" and parts.hostname in _LOOPBACK


def redirect_uris(given: object) -> list[str]:
    if not isinstance(given, list) or not 0 < len(given) <= _MOST_URIS:
        raise Refusal("invalid_redirect_uri", f"redirect_uris is a list of one to {_MOST_URIS} addresses.")
    uris = [uri for uri in given if isinstance(uri, str) and is_redirect(uri)]
    if len(uris) < len(given):
        said = "A redirect_uri is an https address, one of this machine by http, or of a scheme that is the app's own."
        raise Refusal("invalid_redirect_uri", said)
    return uris


def _check_within(asked: Mapping[str, object], name: str, known: set[str]) -> None:
    given = asked.get(name, [])
    if not isinstance(given, list) or not all(isinstance(one, str) for one in given) or not known >= set(given):
        raise Refusal("invalid_client_metadata", f"{name} may have {', '.join(sorted(known))}.")


def _roles(scope: str | None) -> Sequence[TokenRole]:
    """What was asked for, and what is less; both where nothing was: the person chooses."""
    if not scope:
        return SCOPES
    words = set(scope.split())
    if not words <= {*SCOPES}:
        raise Refusal("invalid_scope", f"There are the scopes {' and '.join(SCOPES)}.")
    return SCOPES if TokenRole.DRIVE in words else (TokenRole.VIEW,)


def _is_ours(resource: str | None, public: Public) -> bool:
    return resource is None or resource.rstrip("/") == public.mcp


def _with_answer(asked: AppRequest, public: Public, **said: str) -> str:
    joint = "&" if "?" in asked.redirect_uri else "?"
    return f"{asked.redirect_uri}{joint}{urlencode({**said, 'state': asked.state, 'iss': public.http})}"


def _challenge(verifier: str) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()


def _bad_grant(description: str) -> Refusal:
    return Refusal("invalid_grant", description)
