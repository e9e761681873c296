"""Odd input at every operation of the API, with SQLite and PostgreSQL: refused in words or taken, and never a 500."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import httpx2 as httpx
import pytest

from belljar.plane.access.oidc import flow_name
from tests.plane.plane import PATIENCE, RunningPlane, running_plane
from tests.plane.postgres import Postgres

DOCUMENT = json.loads((Path(__file__).parents[2] / "openapi" / "control.json").read_text())
# A session that is not over takes the only place: others are written down and wait, and cost no box.
ROOM = ("--max-sessions", "1", "--queue-length", "10000", "--max-sessions-per-user", "10000")
# Nobody is there: what comes back from a provider is judged before it is asked.
PROVIDER = ("--oidc-issuer", "http://127.0.0.1:1", "--oidc-client-id", "belljar")
FLAGS = (*ROOM, *PROVIDER, "--webhook-network", "127.0.0.0/8", "--webhook-retries", "3600")

# As they stand in an address, already quoted.
IN_ADDRESSES = (
    "%00", "a%00b", "%ED%A0%80", "%FF%FE", "%F0%9F%92%A9", "%0D%0AX:%20y", "-1", "9" * 30, "1e400", "NaN", "null",
    "%5B%5D", "%25", "'%22;--", "x" * 4000, "0001-01-01T00:00:00%2B23:59", "9999-12-31T23:59:59-23:59", "99999999999",
    "a:%00", "",
)  # fmt: skip
IN_HEADERS = (b"\xff", b"\xc3\x28", b"-1", b"9" * 30, b"9" * 5000, b"x" * 5000, b"1, 2", b"NaN", b'"')
# As JSON has them: half of a surrogate pair, numbers that are none, and none that a database could hold.
AS_JSON = (
    "null", "true", "-1", "1.5", "1e400", "9" * 30, "9" * 5000, "NaN", '""', '"a\\u0000b"', '"\\ud800"',
    json.dumps("x" * 100_000), "[]", '["\\u0000"]', '["\\ud800"]', "{}", '{"\\u0000": "\\u0000"}', '{"a": "\\u0000"}',
    '{"a": "\\ud800"}', '{"\\ud800": "a"}', '{"a": {"b": "\\u0000"}}', '{"a": 1, "a": 2}', "[" * 2000 + "]" * 2000,
)  # fmt: skip
BODIES = ("", " ", "{", "nul", "\x00", '"x"', "[]", "1", "null", "\ufeff{}", "[" * 100_000, '{"a":' * 50_000)
ASKED = {
    "clientId": "a", "redirectUri": "b", "responseType": "code", "codeChallenge": "c", "codeChallengeMethod": "S256"
}  # fmt: skip
# What makes the rest of a body good, so that it is the odd part which is looked at.
REST: dict[str, dict[str, Any]] = {
    "createKey": {"user": "eve"},
    "createSession": {"mode": "none", "wait": False},
    "createWebhook": {"url": "http://127.0.0.1:1/"},
    "createSessionToken": {"role": "view"},
    "loosenSessionEgress": {"hosts": ["example.com"]},
    "describeAppRequest": ASKED,
    "answerAppRequest": ASKED | {"allow": True},
}  # fmt: skip
# The one tries the host for some seconds, the other waits for room.
SLOW = {"fresh", "wait"}


def _operations() -> dict[str, tuple[str, str, dict[str, Any]]]:
    return {
        said["operationId"]: (method.upper(), path, said)
        for path, operations in DOCUMENT["paths"].items()
        for method, said in operations.items()
        if said["operationId"] != "mcp"
    }


OPERATIONS = _operations()


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def plane(request: pytest.FixtureRequest) -> Iterator[RunningPlane]:
    flags: tuple[str, ...] = FLAGS
    if request.param == "postgresql":
        postgres: Postgres = request.getfixturevalue("postgres")
        flags += ("--database-url", postgres.new_database())
    with running_plane(*flags) as running:
        yield running


@pytest.fixture(scope="module")
def ids(plane: RunningPlane) -> dict[str, str]:
    """Of what is there, by the word in a path that names its kind."""
    session = plane.create()["id"]
    with plane.client() as client:
        profile = client.post("/api/profiles", json={"name": "p"}).json()["id"]
        webhook = client.post("/api/webhooks", json={"url": "http://127.0.0.1:1/"}).json()["id"]
    return {"sessions": session, "profiles": profile, "webhooks": webhook}


@pytest.fixture(autouse=True)
def no_trace(plane: RunningPlane) -> Iterator[None]:
    """Nobody fills the log with faults of ours."""
    size = plane.log.stat().st_size
    yield
    assert "http.failed" not in plane.log.read_bytes()[size:].decode()


@pytest.fixture(scope="module")
def http(plane: RunningPlane) -> Iterator[httpx.Client]:
    with plane.client() as client:
        yield client


def _ask(http: httpx.Client, method: str, target: str, **more: Any) -> None:
    with http.stream(method, target, **more) as answer:
        if answer.is_error:
            answer.read()
            assert answer.status_code != 500, (method, target[:300], str(more)[:300])
            assert answer.headers["content-type"].startswith("application/problem+json"), answer.text


def _path(path: str, ids: dict[str, str]) -> str:
    kind = path.split("/")[2] if path.count("/") > 2 else ""
    return re.sub(r"\{\w+\}", "none", path.replace("{id}", ids.get(kind, "none")))


def _properties(said: dict[str, Any]) -> list[str]:
    schema = said.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
    options = [schema, *schema.get("anyOf", ())]
    named = [option["$ref"].rsplit("/", 1)[1] for option in options if "$ref" in option]
    found = (name for one in named for name in DOCUMENT["components"]["schemas"][one].get("properties", {}))
    return [name for name in found if name not in SLOW]


@pytest.mark.timeout(240)
@pytest.mark.parametrize("name", sorted(OPERATIONS))
def test_in_addresses(http: httpx.Client, ids: dict[str, str], name: str) -> None:
    method, path, said = OPERATIONS[name]
    body = {"content": json.dumps(REST.get(name, {})), "headers": {"Content-Type": "application/json"}}
    more: dict[str, Any] = body if method in ("POST", "PUT", "PATCH") else {}
    for odd in IN_ADDRESSES:
        for parameter in re.findall(r"\{\w+\}", path):
            _ask(http, method, _path(path.replace(parameter, odd), ids), **more)
    if method == "DELETE" and "{" in path:
        # What it ends is of use to the others.
        path = re.sub(r"\{\w+\}", "none", path)
    for parameter in said.get("parameters", ()):
        if parameter["in"] == "query" and parameter["name"] not in SLOW:
            for odd in IN_ADDRESSES:
                _ask(http, method, f"{_path(path, ids)}?{parameter['name']}={odd}", **more)
            _ask(http, method, f"{_path(path, ids)}?{parameter['name']}=1&{parameter['name']}=x", **more)
            _ask(http, method, f"{_path(path, ids)}?{'&'.join([parameter['name']] * 500)}", **more)
        elif parameter["in"] == "header":
            for value in IN_HEADERS:
                sent = {**more.get("headers", {}), parameter["name"]: value}
                _ask(http, method, _path(path, ids), **{**more, "headers": sent})


@pytest.mark.timeout(240)
@pytest.mark.parametrize("name", sorted(name for name, (_, _, said) in OPERATIONS.items() if "requestBody" in said))
def test_in_bodies(http: httpx.Client, ids: dict[str, str], name: str) -> None:
    method, path, said = OPERATIONS[name]
    at, rest = _path(path, ids), REST.get(name, {})
    if name == "createSession":
        at += "?wait=false"
    headers = {"Content-Type": "application/json"}
    for body in BODIES:
        _ask(http, method, at, content=body.encode(), headers=headers)
    for kind in ("text/plain", "application/json; charset=utf-16", "application/x-www-form-urlencoded", "\xff"):
        _ask(http, method, at, content=b"{}", headers={"Content-Type": kind.encode("latin-1")})
    for odd in AS_JSON:
        for field in _properties(said):
            good = "".join(f"{json.dumps(key)}: {json.dumps(value)}, " for key, value in rest.items() if key != field)
            _ask(http, method, at, content=f'{{{good}"{field}": {odd}}}', headers=headers)


FORMS = (
    "",
    "a",
    "a=b&a=c",
    "grant_type=%00",
    "grant_type=refresh_token&client_id=%ED%A0%80&refresh_token=%00",
    "&" * 5000,
    "%",
    "=",
)
PAGES = (
    "/sign-in?ticket={}", "/sign-in/oidc?to={}", "/sign-in/oidc/callback?state={}&code={}",
    "/.well-known/oauth-protected-resource/{}", "/.well-known/oauth-authorization-server/{}",
    "/oauth/authorize?client_id={}", "/admin/{}", "/sessions/{}", "/assets/{}", "/s/{}/v1/health",
    "/s/{}", "/{}",
)  # fmt: skip


def test_where_no_key_is_asked_for(plane: RunningPlane) -> None:
    with httpx.Client(base_url=plane.url, timeout=PATIENCE) as http:
        for page in PAGES:
            for odd in IN_ADDRESSES:
                assert http.get(page.replace("{}", odd)).status_code != 500, (page, odd)
        for path in ("/oauth/register", "/oauth/token", "/oauth/revoke", "/sign-in"):
            for kind in ("application/json", "application/x-www-form-urlencoded"):
                for body in (*FORMS, *BODIES):
                    answer = http.post(path, content=body.encode(), headers={"Content-Type": kind})
                    assert answer.status_code != 500, (path, kind, body[:100])
            for field in (
                "key",
                "redirect_uris",
                "client_name",
                "grant_types",
                "response_types",
                "token_endpoint_auth_method",
            ):
                for odd in AS_JSON:
                    body = f'{{"redirect_uris": ["https://a.example/"], "{field}": {odd}}}'
                    assert (
                        http.post(path, content=body, headers={"Content-Type": "application/json"}).status_code != 500
                    )


CREDENTIALS = (
    b"",
    b"\xff",
    b"bj_",
    b"bj__",
    b"bj_\xff_\xfe",
    b"bja_\xff",
    b"bjs_\xe9",
    b"x" * 7000,
    b"a.b.c",
    b"bj_x_" + b"\xc3" * 100,
)


def test_in_what_a_browser_brings_back_from_a_provider(plane: RunningPlane) -> None:
    with httpx.Client(base_url=plane.url, timeout=PATIENCE) as http:
        for state in IN_ADDRESSES:
            name = flow_name(unquote(state, errors="replace")).encode()
            for value in CREDENTIALS:
                headers = {b"Cookie": name + b"=" + value[:4000]}
                answer = http.get(f"/sign-in/oidc/callback?code=x&state={state}", headers=headers)
                assert "set-cookie" not in answer.headers or "belljar_control=" not in answer.headers["set-cookie"]
                assert answer.status_code == (400 if len(state) > 256 else 303), answer.text
                assert answer.status_code == 400 or answer.headers["location"] == "/#refused=not_begun"


def test_in_credentials(plane: RunningPlane, ids: dict[str, str]) -> None:
    paths = ("/api/me", "/mcp", f"/s/{ids['sessions']}/v1/health", "/metrics", "/api/sessions?follow=true")
    with httpx.Client(base_url=plane.url, timeout=PATIENCE) as http:
        for secret in CREDENTIALS:
            for headers in (
                {b"Authorization": b"Bearer x" + secret},
                {b"Authorization": b"Bearer " + (secret or b"x")},
                {b"Authorization": secret},
                {b"Authorization": b"Basic x" + secret},
                {b"Cookie": b"belljar_control=" + secret},
                {b"Cookie": secret},
                {b"Cookie": b"belljar_control=; " * 100 + b"a=" + secret[:1000]},
            ):
                for path in paths:
                    assert http.get(path, headers=headers).status_code == 401, (
                        path,
                        headers,
                    )
