"""The provider of OpenID Connect: discovered, asked with a code and PKCE, and believed in what it signed for us alone.

It is reached directly, at addresses that the operator named or that it named itself under TLS; every answer is bounded
in time and size, and no redirect is followed.
"""

import base64
import hashlib
import secrets
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlencode

import anyio
import httpx2 as httpx
import jwt
import msgspec

from belljar.plane.access.secrets import MasterKey
from belljar.plane.claims import OidcSettings, Refused, check_address, person_of
from belljar.tokens import read_signed, sign
from belljar.wire.access import CreateKey

FLOW_SECONDS = 600
# Asymmetric ones alone: with the others whoever knows the public key, or nothing, could sign.
ALGORITHMS = frozenset({"RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"})
_ANSWER_SECONDS = 10.0
_MOST_BYTES = 512 * 1024
_BELIEVED_SECONDS = 3600.0
# Between two looks at the keys for one that is not among them: whoever sends strange tokens makes us ask no oftener.
_LOOK_AGAIN_SECONDS = 10.0
# How long one that did not answer in time is taken to be away.
_SILENT_SECONDS = 5.0
_LEEWAY_SECONDS = 60
_MOST_KEYS = 100
_AUDIENCE = "belljar:oidc"


@dataclass(frozen=True)
class Flow:
    """What a browser takes along to the provider and back, in a cookie that we signed."""

    state: str
    nonce: str
    verifier: str
    to: str


@dataclass(frozen=True)
class SignedInPerson:
    # The same for the same person at the same provider, whatever they are called.
    key_id: str
    wanted: CreateKey
    id_token: str


@asynccontextmanager
async def open_provider(settings: OidcSettings, master: MasterKey) -> AsyncIterator["Provider"]:
    """Nothing is asked of it before somebody signs in: a provider that is away keeps nobody else from working."""
    timeout = httpx.Timeout(_ANSWER_SECONDS)
    async with httpx.AsyncClient(timeout=timeout, follow_redirects=False, trust_env=False) as client:
        yield Provider(settings, master, client)


class Provider:
    def __init__(self, settings: OidcSettings, master: MasterKey, client: httpx.AsyncClient) -> None:
        self.settings = settings
        self._flow_key = master.derive("oidc flow")
        self._client = client
        self._asking = anyio.Lock()
        self._metadata: Mapping[str, Any] = {}
        self._read_at = self._keys_read_at = self._silent_until = 0.0
        self._keys: Mapping[str, jwt.PyJWK] = {}

    async def begin(self, redirect_uri: str, to: str) -> tuple[str, str, str]:
        """Where the browser goes, and the name's end and value of the cookie that it takes along.  Raises `Refused`."""
        metadata = await self._discover()
        flow = Flow(secrets.token_urlsafe(24), secrets.token_urlsafe(24), secrets.token_urlsafe(48), to)
        challenge = base64.urlsafe_b64encode(hashlib.sha256(flow.verifier.encode()).digest()).rstrip(b"=")
        asked = {
            "response_type": "code",
            "client_id": self.settings.client_id,
            "redirect_uri": redirect_uri,
            "scope": " ".join(self.settings.scopes),
            "state": flow.state,
            "nonce": flow.nonce,
            "code_challenge": challenge.decode(),
            "code_challenge_method": "S256",
        }
        claims = {**vars(flow), "exp": int(time.time()) + FLOW_SECONDS, "aud": _AUDIENCE}
        at = metadata["authorization_endpoint"]
        address = f"{at}{'&' if '?' in at else '?'}{urlencode(asked)}"
        return address, flow_name(flow.state), sign(claims, self._flow_key)

    def flow(self, cookie: str, state: str) -> Flow:
        """What the browser took along, if it is the one that began.  Raises `Refused`."""
        said = read_signed(cookie, self._flow_key, _AUDIENCE)
        if said is None or not secrets.compare_digest(str(said["state"]).encode(), state.encode()):
            raise Refused("not_begun", "this browser began no such sign-in, or too long ago")
        return Flow(said["state"], said["nonce"], said["verifier"], said["to"])

    async def finish(self, flow: Flow, code: str, redirect_uri: str, issuer: str | None) -> SignedInPerson:
        """Who has signed in.  `issuer` is what the answer named (RFC 9207).  Raises `Refused`."""
        metadata = await self._discover()
        is_named = metadata.get("authorization_response_iss_parameter_supported") is True
        if issuer != self.settings.issuer and (issuer is not None or is_named):
            raise Refused("not_trusted", "the answer is of another provider")
        tokens = await self._redeem(metadata, flow, code, redirect_uri)
        id_token = tokens.get("id_token")
        if not isinstance(id_token, str):
            raise Refused("not_trusted", "the provider gave no id_token")
        claims = await self._verify(metadata, id_token, flow.nonce)
        claims = await self._more(metadata, claims, tokens.get("access_token"))
        named = hashlib.sha256(_bytes(f"{self.settings.issuer}\0{claims['sub']}")).hexdigest()[:24]
        wanted = person_of(claims, self.settings.claims, self.settings.issuer)
        return SignedInPerson(f"p-{named}", wanted, id_token)

    async def end_address(self, id_token: str | None, back_to: str) -> str | None:
        """Where a browser goes to sign out at the provider too; None where it has no such place."""
        try:
            at = (await self._discover()).get("end_session_endpoint")
            check_address(str(at), "end_session_endpoint")
        except (Refused, ValueError):
            return None
        said = {"client_id": self.settings.client_id, "post_logout_redirect_uri": back_to}
        hint = {} if id_token is None else {"id_token_hint": id_token}
        return f"{at}?{urlencode(said | hint)}"

    async def _discover(self) -> Mapping[str, Any]:
        async with self._asking:
            if time.monotonic() - self._read_at < _BELIEVED_SECONDS and self._metadata:
                return self._metadata
            if time.monotonic() < self._silent_until:
                raise Refused("provider_away", "the provider did not answer a moment ago")
            at = self.settings.issuer.rstrip("/") + "/.well-known/openid-configuration"
            began = time.monotonic()
            try:
                metadata = await self._ask("GET", at)
            except Refused:
                # Of those who wait here meanwhile each would wait as long again.
                if time.monotonic() - began > _ANSWER_SECONDS / 2:
                    self._silent_until = time.monotonic() + _SILENT_SECONDS
                raise
            if metadata.get("issuer") != self.settings.issuer:
                raise Refused("provider_away", f"{at} is of another issuer")
            for name in ("authorization_endpoint", "token_endpoint", "jwks_uri"):
                try:
                    # It may have a query, which an operator's address has not.
                    check_address(str(metadata.get(name)).partition("?")[0], name)
                except ValueError as error:
                    raise Refused("provider_away", str(error)) from None
            self._metadata, self._read_at = metadata, time.monotonic()
            return metadata

    async def _redeem(self, metadata: Mapping[str, Any], flow: Flow, code: str, redirect_uri: str) -> Mapping[str, Any]:
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": redirect_uri,
            "code_verifier": flow.verifier,
        }
        headers: dict[str, str] = {}
        id, secret = self.settings.client_id, self.settings.client_secret
        methods = metadata.get("token_endpoint_auth_methods_supported") or ["client_secret_basic"]
        if secret and isinstance(methods, list) and "client_secret_basic" in methods:
            pair = f"{quote(id, safe='')}:{quote(secret, safe='')}".encode()
            headers["Authorization"] = f"Basic {base64.b64encode(pair).decode()}"
        else:
            form |= {"client_id": id} | ({"client_secret": secret} if secret else {})
        return await self._ask("POST", metadata["token_endpoint"], headers, form)

    async def _verify(self, metadata: Mapping[str, Any], id_token: str, nonce: str) -> Mapping[str, Any]:
        try:
            head = jwt.get_unverified_header(id_token)
            algorithm = head.get("alg")
            offered = metadata.get("id_token_signing_alg_values_supported", ["RS256"])
            is_offered = isinstance(offered, list) and algorithm in offered
            if not isinstance(algorithm, str) or algorithm not in ALGORITHMS or not is_offered:
                raise Refused("not_trusted", "the id_token is signed in a way that is not taken")
            key = await self._key(metadata, head.get("kid"), algorithm)
            claims: Mapping[str, Any] = jwt.decode(
                id_token,
                key.key,
                [algorithm],
                audience=self.settings.client_id,
                issuer=self.settings.issuer,
                leeway=_LEEWAY_SECONDS,
                options={"require": ["iss", "sub", "aud", "exp", "iat"]},
            )
        except jwt.PyJWTError as error:
            raise Refused("not_trusted", f"the id_token is not good: {type(error).__name__}") from error
        audience = claims["aud"]
        azp = claims.get("azp")
        if (isinstance(audience, list) and len(audience) > 1 and azp is None) or azp not in (
            None,
            self.settings.client_id,
        ):
            raise Refused("not_trusted", "the id_token is for another")
        if not secrets.compare_digest(_bytes(str(claims.get("nonce", ""))), nonce.encode()):
            raise Refused("not_trusted", "the id_token was not asked for by this browser")
        if not isinstance(claims["sub"], str) or not 0 < len(claims["sub"]) <= 255:
            raise Refused("not_trusted", "the id_token names nobody")
        return claims

    async def _key(self, metadata: Mapping[str, Any], kid: object, algorithm: str) -> jwt.PyJWK:
        """One that the provider signs with now; read again where it is not known, and not too often."""
        async with self._asking:
            found = self._known_key(kid, algorithm)
            age = time.monotonic() - self._keys_read_at
            if (found is None and age > _LOOK_AGAIN_SECONDS) or age > _BELIEVED_SECONDS or not self._keys:
                self._keys_read_at = time.monotonic()
                self._keys = _usable(await self._ask("GET", metadata["jwks_uri"]))
                found = self._known_key(kid, algorithm)
        if found is None:
            raise Refused("not_trusted", "the id_token is signed with no key of the provider")
        return found

    def _known_key(self, kid: object, algorithm: str) -> jwt.PyJWK | None:
        fitting = [key for id, key in self._keys.items() if (kid is None or id == kid) and _fits(key, algorithm)]
        # Without a name only one can be meant.
        return fitting[0] if len(fitting) == 1 else None

    async def _more(
        self, metadata: Mapping[str, Any], claims: Mapping[str, Any], access_token: object
    ) -> Mapping[str, Any]:
        """With what the provider tells of the person apart from the id_token, where that lacks something we ask for."""
        at = metadata.get("userinfo_endpoint")
        wanted = {name.partition(".")[0] for name in self.settings.claims.names}
        if wanted <= claims.keys() or not isinstance(at, str) or not isinstance(access_token, str):
            return claims
        try:
            check_address(at, "userinfo_endpoint")
        except ValueError as error:
            raise Refused("provider_away", str(error)) from None
        told = await self._ask("GET", at, {"Authorization": f"Bearer {access_token}"})
        if told.get("sub") != claims["sub"]:
            raise Refused("not_trusted", "the provider told of another person")
        return {**told, **claims}

    async def _ask(
        self, method: str, at: str, headers: Mapping[str, str] | None = None, form: Mapping[str, str] | None = None
    ) -> Mapping[str, Any]:
        body = bytearray()
        accepted = {"Accept": "application/json", **(headers or {})}
        try:
            with anyio.fail_after(_ANSWER_SECONDS):
                async with self._client.stream(method, at, headers=accepted, data=form) as answer:
                    async for piece in answer.aiter_bytes():
                        body += piece
                        if len(body) > _MOST_BYTES:
                            raise Refused("provider_away", "the provider answered with too much")
            said = msgspec.json.decode(bytes(body)) if answer.status_code == 200 else None
        except (httpx.HTTPError, TimeoutError, msgspec.DecodeError, UnicodeError, RecursionError) as error:
            raise Refused("provider_away", f"the provider does not answer: {type(error).__name__}") from error
        if not isinstance(said, dict):
            refused = "not_trusted" if form is not None else "provider_away"
            raise Refused(refused, f"the provider answered with status {answer.status_code}")
        return said


def flow_name(state: str) -> str:
    """Of the cookie, so that two tabs that sign in at a time do not undo each other."""
    return f"belljar_oidc_{hashlib.sha256(state.encode()).hexdigest()[:8]}"


def _bytes(text: str) -> bytes:
    """Also of half a surrogate pair, which JSON can hold and UTF-8 cannot."""
    return text.encode(errors="surrogatepass")


def _usable(answer: Mapping[str, Any]) -> dict[str, jwt.PyJWK]:
    found: dict[str, jwt.PyJWK] = {}
    given = answer.get("keys")
    for number, one in enumerate(given[:_MOST_KEYS] if isinstance(given, list) else ()):
        if not isinstance(one, dict) or one.get("use", "sig") != "sig" or one.get("kty") == "oct":
            continue
        try:
            found[str(one.get("kid", f"unnamed {number}"))] = jwt.PyJWK(one)
        except (jwt.PyJWTError, ValueError, TypeError):
            # A kind that we do not know is not for us.
            continue
    return found


def _fits(key: jwt.PyJWK, algorithm: str) -> bool:
    family = {"R": "RSA", "P": "RSA", "E": "OKP" if algorithm == "EdDSA" else "EC"}[algorithm[0]]
    return key.key_type == family
