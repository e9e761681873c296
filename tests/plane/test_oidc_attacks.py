"""A provider that lies, or somebody in its place: what it signs or says wrongly, or answers too much, opens nothing."""

import base64
import hashlib
import hmac
import json
import threading
import time
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import anyio
import jwt
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa

from belljar.plane.access import oidc
from belljar.plane.access.oidc import Flow, Provider, open_provider
from belljar.plane.access.secrets import MasterKey
from belljar.plane.claims import ClaimRules, OidcSettings, Refused, person_of
from belljar.plane.settings import PlaneSettings
from belljar.wire.access import KeyRole

KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048)
OTHER = rsa.generate_private_key(public_exponent=65537, key_size=2048)
CURVE = ec.generate_private_key(ec.SECP256R1())
MASTER = MasterKey(b"m" * 32)
BACK = "http://127.0.0.1:1/sign-in/oidc/callback"


def jwk(key: Any, kid: str, **more: object) -> dict[str, object]:
    algorithm = jwt.algorithms.RSAAlgorithm if isinstance(key, rsa.RSAPrivateKey) else jwt.algorithms.ECAlgorithm
    return {**json.loads(algorithm.to_jwk(key.public_key())), "kid": kid, **more}


@dataclass
class Liar:
    """Says what it is told to."""

    url: str = ""
    metadata: dict[str, object] = field(default_factory=dict)
    keys: list[dict[str, object]] = field(default_factory=lambda: [jwk(KEY, "one")])
    id_token: str = ""
    raw: dict[str, tuple[int, bytes, dict[str, str]]] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    token_form: dict[str, list[str]] = field(default_factory=dict)
    userinfo: dict[str, object] = field(default_factory=dict)
    is_silent: bool = False
    is_over: threading.Event = field(default_factory=threading.Event)

    def answer(self, path: str) -> tuple[int, bytes, dict[str, str]]:
        self.asked.append(path)
        if path in self.raw:
            return self.raw[path]
        bodies: dict[str, object] = {
            "/.well-known/openid-configuration": {
                "issuer": self.url,
                "authorization_endpoint": f"{self.url}/auth",
                "token_endpoint": f"{self.url}/token",
                "jwks_uri": f"{self.url}/jwks",
                "userinfo_endpoint": f"{self.url}/me",
                "id_token_signing_alg_values_supported": ["RS256", "ES256", "HS256", "none"],
                **self.metadata,
            },
            "/jwks": {"keys": self.keys},
            "/token": {"access_token": "a", "token_type": "Bearer", "id_token": self.id_token},
            "/me": self.userinfo,
        }
        return (200, json.dumps(bodies[path]).encode(), {}) if path in bodies else (404, b"", {})


@pytest.fixture
def liar() -> Iterator[Liar]:
    said = Liar()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if length := int(self.headers.get("content-length", 0)):
                said.token_form = parse_qs(self.rfile.read(length).decode())
            status, body, headers = said.answer(urlsplit(self.path).path)
            if said.is_silent:
                said.is_over.wait(30)
                return
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            try:
                self.wfile.write(body)
            except (BrokenPipeError, ConnectionResetError):
                pass

        do_POST = do_GET

        def log_message(self, format: str, *args: object) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    said.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    yield said
    said.is_over.set()
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
async def provider(liar: Liar) -> AsyncIterator[Provider]:
    settings = OidcSettings(liar.url, "belljar", "", ("openid",), ClaimRules())
    async with open_provider(settings, MASTER) as opened:
        yield opened


async def begun(provider: Provider) -> Flow:
    address, _, cookie = await provider.begin(BACK, "/")
    state = parse_qs(urlsplit(address).query)["state"][0]
    return provider.flow(cookie, state)


def claims(liar: Liar, flow: Flow, **changes: object) -> dict[str, Any]:
    now = int(time.time())
    said = {"iss": liar.url, "sub": "1", "aud": "belljar", "exp": now + 60, "iat": now, "nonce": flow.nonce}
    said |= {"preferred_username": "ann", **changes}
    return {name: value for name, value in said.items() if value is not None}


def signed(said: dict[str, Any], key: Any = KEY, algorithm: str = "RS256", kid: str | None = "one") -> str:
    return jwt.encode(said, key, algorithm, headers={} if kid is None else {"kid": kid})


async def test_a_good_one_is_taken_and_was_asked_for_as_it_should_be(liar: Liar, provider: Provider) -> None:
    address, _, cookie = await provider.begin(BACK, "/profiles")
    asked = parse_qs(urlsplit(address).query)
    assert asked["code_challenge_method"] == ["S256"] and asked["redirect_uri"] == [BACK] and asked["nonce"]
    flow = provider.flow(cookie, asked["state"][0])
    challenge = base64.urlsafe_b64encode(hashlib.sha256(flow.verifier.encode()).digest()).rstrip(b"=").decode()
    assert asked["code_challenge"] == [challenge] and flow.to == "/profiles"
    liar.id_token = signed(claims(liar, flow))
    person = await provider.finish(flow, "code", BACK, None)
    assert person.wanted.user == "ann" and person.wanted.role is KeyRole.USER
    assert liar.token_form["code_verifier"] == [flow.verifier] and liar.token_form["client_id"] == ["belljar"]
    liar.id_token = signed(claims(liar, flow, aud=["belljar", "other"], azp="belljar"), kid=None)
    assert (await provider.finish(flow, "code", BACK, liar.url)).key_id == person.key_id


@pytest.mark.parametrize(
    "changes",
    [
        {"iss": "https://evil.example"},
        {"iss": None},
        {"aud": "another"},
        {"aud": ["belljar", "other"]},
        {"aud": ["belljar", "other"], "azp": "other"},
        {"azp": "other"},
        {"exp": 1_000_000_000},
        {"exp": None},
        {"iat": None},
        {"iat": 99_999_999_999},
        {"nonce": "of another browser"},
        {"nonce": None},
        {"sub": None},
        {"sub": ""},
        {"sub": "x" * 300},
        {"nonce": "\ud800"},
        {"exp": float("inf")},
        {"exp": [1]},
        {"aud": {}},
    ],
)
async def test_claims_that_are_not_for_us_now_and_here_open_nothing(
    liar: Liar, provider: Provider, changes: dict[str, object]
) -> None:
    flow = await begun(provider)
    liar.id_token = signed(claims(liar, flow, **changes))
    with pytest.raises(Refused) as refused:
        await provider.finish(flow, "code", BACK, None)
    assert refused.value.code == "not_trusted"


def _hmac_with_public_key(said: dict[str, Any]) -> str:
    """What a library that takes any algorithm would verify with the provider's public key."""
    public = KEY.public_key().public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
    parts = [json.dumps({"alg": "HS256", "kid": "one"}).encode(), json.dumps(said).encode()]
    text = b".".join(base64.urlsafe_b64encode(part).rstrip(b"=") for part in parts)
    mac = base64.urlsafe_b64encode(hmac.digest(public, text, "sha256")).rstrip(b"=")
    return (text + b"." + mac).decode()


@pytest.mark.parametrize(
    ("algorithm", "offered"),
    [(["RS256"], ["RS256"]), ({}, ["RS256"]), ("RS256", None), ("RS256", 5), ("RS256", "RS256")],
)
async def test_words_of_the_wrong_kind_are_no_algorithms(
    liar: Liar, provider: Provider, algorithm: object, offered: object
) -> None:
    liar.metadata = {"id_token_signing_alg_values_supported": offered}
    flow = await begun(provider)
    head = base64.urlsafe_b64encode(json.dumps({"alg": algorithm, "kid": "one"}).encode()).rstrip(b"=").decode()
    liar.id_token = f"{head}.{signed(claims(liar, flow)).partition('.')[2]}"
    with pytest.raises(Refused) as refused:
        await provider.finish(flow, "code", BACK, None)
    assert refused.value.code == "not_trusted"


async def test_half_a_character_in_the_subject_is_somebody(liar: Liar, provider: Provider) -> None:
    flow = await begun(provider)
    liar.id_token = signed(claims(liar, flow, sub="\ud800"))
    assert (await provider.finish(flow, "code", BACK, None)).wanted.user == "ann"


async def test_signatures_that_anybody_could_make_open_nothing(liar: Liar, provider: Provider) -> None:
    flow = await begun(provider)
    good = claims(liar, flow)
    of_good = signed(good)
    unsigned = jwt.encode(good, "", "none")
    forged = [
        unsigned,
        of_good.rpartition(".")[0] + ".",
        _hmac_with_public_key(good),
        signed(good, OTHER),
        signed(good, OTHER, kid="unknown"),
        signed(good, CURVE, "ES256"),
        signed(good, algorithm="RS512"),
        of_good[:-4] + "AAAA",
        "a.b.c",
        "",
    ]
    for token in forged:
        liar.id_token = token
        with pytest.raises(Refused) as refused:
            await provider.finish(flow, "code", BACK, None)
        assert refused.value.code == "not_trusted"


async def test_symmetric_and_encryption_keys_of_the_provider_are_no_keys(liar: Liar, provider: Provider) -> None:
    liar.keys = [
        {"kty": "oct", "k": base64.urlsafe_b64encode(b"x" * 32).decode(), "kid": "one"},
        jwk(KEY, "two", use="enc"),
        {"kty": "RSA", "kid": "broken"},
        {"kty": "of tomorrow"},
    ]
    flow = await begun(provider)
    for kid in ("one", "two", "broken"):
        liar.id_token = signed(claims(liar, flow), kid=kid)
        with pytest.raises(Refused):
            await provider.finish(flow, "code", BACK, None)


async def test_strange_keys_make_us_ask_no_oftener(liar: Liar, provider: Provider) -> None:
    flow = await begun(provider)
    for number in range(20):
        liar.id_token = signed(claims(liar, flow), OTHER, kid=f"strange {number}")
        with pytest.raises(Refused):
            await provider.finish(flow, "code", BACK, None)
    assert liar.asked.count("/jwks") == 1
    assert liar.asked.count("/.well-known/openid-configuration") == 1


@pytest.mark.parametrize(
    "metadata",
    [
        {"issuer": "https://evil.example"},
        {"issuer": None},
        {"token_endpoint": "http://198.51.100.1/token"},
        {"token_endpoint": None},
        {"jwks_uri": "file:///etc/passwd"},
        {"authorization_endpoint": "javascript:alert(1)"},
    ],
)
async def test_metadata_of_another_or_that_leads_astray_is_not_taken(
    liar: Liar, provider: Provider, metadata: dict[str, object]
) -> None:
    liar.metadata = metadata
    with pytest.raises(Refused) as refused:
        await provider.begin(BACK, "/")
    assert refused.value.code == "provider_away"


@pytest.mark.parametrize(
    "raw",
    [
        (302, b"", {"Location": "/elsewhere"}),
        (500, b"{}", {}),
        (200, b"[]", {}),
        (200, b"no json", {}),
        (200, b"x" * 2_000_000, {}),
        (200, b'{"a":' * 5000, {}),
    ],
)
async def test_answers_that_redirect_are_too_large_or_no_json_are_a_provider_that_is_away(
    liar: Liar, provider: Provider, raw: tuple[int, bytes, dict[str, str]]
) -> None:
    liar.raw["/.well-known/openid-configuration"] = raw
    with pytest.raises(Refused) as refused:
        await provider.begin(BACK, "/")
    assert refused.value.code == "provider_away" and "/elsewhere" not in liar.asked
    liar.raw.clear()
    assert await provider.begin(BACK, "/"), "the next one works"


async def test_one_that_never_answers_keeps_those_who_wait_no_longer_than_once(
    liar: Liar, provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(oidc, "_ANSWER_SECONDS", 0.5)
    liar.is_silent = True
    refused: list[str] = []

    async def begin() -> None:
        with pytest.raises(Refused) as one:
            await provider.begin(BACK, "/")
        refused.append(one.value.code)

    async with anyio.create_task_group() as tasks:
        for _ in range(8):
            tasks.start_soon(begin)
    assert refused == ["provider_away"] * 8 and len(liar.asked) == 1
    liar.is_silent = False


async def test_the_answer_of_another_provider_is_refused(liar: Liar, provider: Provider) -> None:
    """RFC 9207: mixed up on the way."""
    flow = await begun(provider)
    liar.id_token = signed(claims(liar, flow))
    with pytest.raises(Refused):
        await provider.finish(flow, "code", BACK, "https://evil.example")
    assert "/token" not in liar.asked, "the code went nowhere"


async def test_userinfo_is_asked_for_what_is_missing_and_only_of_the_same_person(
    liar: Liar, provider: Provider
) -> None:
    flow = await begun(provider)
    liar.id_token = signed(claims(liar, flow, preferred_username=None))
    liar.userinfo = {"sub": "1", "preferred_username": "lou"}
    assert (await provider.finish(flow, "code", BACK, None)).wanted.user == "lou"
    liar.userinfo = {"sub": "2", "preferred_username": "root"}
    with pytest.raises(Refused):
        await provider.finish(flow, "code", BACK, None)


async def test_what_the_browser_takes_along_is_ours_and_fits_its_state(provider: Provider, liar: Liar) -> None:
    address, _, cookie = await provider.begin(BACK, "/")
    state = parse_qs(urlsplit(address).query)["state"][0]
    forged = jwt.encode(
        {"state": state, "nonce": "n", "verifier": "v", "to": "//evil", "aud": "belljar:oidc"}, "k" * 32
    )
    for shown, said in ((cookie, "another"), (cookie, ""), (forged, state), ("", state), (cookie[:-3], state)):
        with pytest.raises(Refused) as refused:
            provider.flow(shown, said)
        assert refused.value.code == "not_begun"


@pytest.mark.parametrize(
    ("said", "rules", "outcome"),
    [
        ({}, {}, KeyRole.USER),
        ({}, {"role": "groups", "users": {"u"}}, "no_role"),
        ({"groups": ["u"]}, {"role": "groups", "users": {"u"}, "admins": {"a"}}, KeyRole.USER),
        ({"groups": ["u", "a"]}, {"role": "groups", "users": {"u"}, "admins": {"a"}}, KeyRole.ADMIN),
        ({"groups": "a"}, {"role": "groups", "admins": {"a"}}, KeyRole.ADMIN),
        ({"groups": "b"}, {"role": "groups", "admins": {"a"}}, KeyRole.USER),
        ({"groups": []}, {"role": "groups", "admins": {"a"}}, "no_role"),
        ({"groups": {"a": 1}}, {"role": "groups", "admins": {"a"}}, "no_role"),
        ({"groups": ["A"]}, {"role": "groups", "users": {"u"}, "admins": {"a"}}, "no_role"),
        ({"realm": {"roles": ["a"]}}, {"role": "realm.roles", "admins": {"a"}}, KeyRole.ADMIN),
        ({"https://x.example/roles": ["a"]}, {"role": "https://x.example/roles", "admins": {"a"}}, KeyRole.ADMIN),
        ({"preferred_username": "../x"}, {}, "no_name"),
        ({"preferred_username": 7}, {}, "no_name"),
        ({"preferred_username": "x" * 65}, {}, "no_name"),
        ({"email": "a@b.example"}, {"user": "email"}, "no_name"),
        ({"email": "a@b.example", "email_verified": "true"}, {"user": "email"}, "no_name"),
        ({"email": "a@b.example", "email_verified": True}, {"user": "email"}, KeyRole.USER),
        ({"quota": -1}, {"max_sessions": "quota"}, "bad_quota"),
        ({"quota": True}, {"max_sessions": "quota"}, "bad_quota"),
        ({"quota": 2**40}, {"max_sessions": "quota"}, "bad_quota"),
        ({"quota": "7"}, {"max_sessions": "quota"}, KeyRole.USER),
        ({"quota": 0}, {"max_ttl": "quota"}, "bad_quota"),
    ],
)
def test_claims_make_somebody_of_a_person_or_refuse_them(
    said: dict[str, object], rules: dict[str, Any], outcome: KeyRole | str
) -> None:
    given: dict[str, Any] = {
        name: frozenset(value) if isinstance(value, set) else value for name, value in rules.items()
    }
    wanted = {"preferred_username": "ann", **said}
    if isinstance(outcome, KeyRole):
        assert person_of(wanted, ClaimRules(**given), "https://p.example").role is outcome
    else:
        with pytest.raises(Refused) as refused:
            person_of(wanted, ClaimRules(**given), "https://p.example")
        assert refused.value.code == outcome


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"oidc_issuer": "http://login.example"}, "https"),
        ({"oidc_issuer": "ftp://login.example"}, "https"),
        ({"oidc_issuer": "https://user@login.example"}, "plain"),
        ({"oidc_issuer": "https://login.example", "oidc_client_id": ""}, "client-id"),
        ({"oidc_issuer": "https://login.example", "oidc_scopes": "profile"}, "openid"),
        ({"oidc_issuer": "https://login.example", "oidc_admins": "a"}, "role-claim"),
        ({"oidc_issuer": "https://login.example", "oidc_client_secret_file": "/nowhere"}, "cannot be read"),
        ({"oidc_issuer": "https://login.example", "host": "0.0.0.0"}, "public-url"),
    ],
)
def test_settings_that_do_not_go_together_are_said_at_the_start(given: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        PlaneSettings(**{"oidc_client_id": "belljar", **given})


def test_the_secret_comes_from_a_file_or_a_variable_and_is_in_no_text_of_the_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BELLJAR_OIDC_CLIENT_SECRET", "from the variable")
    given = {"oidc_issuer": "http://127.0.0.1:1", "oidc_client_id": "belljar"}
    settings = PlaneSettings(**given)
    assert settings.oidc is not None and settings.oidc.client_secret == "from the variable"
    (tmp_path / "secret").write_text("from the file\n")
    by_file = PlaneSettings(**given, oidc_client_secret_file=tmp_path / "secret")
    assert by_file.oidc is not None and by_file.oidc.client_secret == "from the file"
    for text in (repr(settings), str(settings.model_dump()), repr(settings.oidc), repr(by_file)):
        assert "from the" not in text
