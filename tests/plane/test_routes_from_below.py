"""Every operation of the API's document from below: by nobody, a neighbour, a session's token, an app's."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest

from tests.plane.app_client import App
from tests.plane.plane import RunningPlane, running_plane

DOCUMENT = Path(__file__).parents[2] / "openapi" / "control.json"
OPEN = {"getHealthz", "getReadyz"}
# What anybody with a key may ask about themselves; all else is an operator's, or somebody's.
OWN = {
    "answerAppRequest", "describeAppRequest", "getMe", "listProfiles", "createProfile", "getRecordKey", "listSessions",
    "deleteSessions", "createSession", "listSignIns", "getUsage", "getUsageCsv", "mcp",
}  # fmt: skip
# Of somebody's session, and yet an operator's alone.
OPERATORS = {"loosenSessionEgress"}
# With bodies that are fine, so that it is the role which is refused.
BODIES: dict[str, Any] = {
    "createKey": {"user": "eve", "role": "admin"},
    "createWebhook": {"url": "http://127.0.0.1:1/"},
    "loosenSessionEgress": {"hosts": ["example.com"]},
}


def _operations() -> dict[str, tuple[str, str, frozenset[str]]]:
    paths = json.loads(DOCUMENT.read_text())["paths"]
    return {
        said["operationId"]: (method.upper(), path, frozenset(said["responses"]))
        for path, operations in paths.items()
        for method, said in operations.items()
    }


OPERATIONS = _operations()


@pytest.fixture(scope="module")
def plane() -> Iterator[RunningPlane]:
    with running_plane() as running:
        yield running


@pytest.fixture(scope="module")
def anns(plane: RunningPlane) -> dict[str, str]:
    """What is Ann's, by the word in a path that names it; and her session's tokens, and her app's."""
    key = plane.new_key("ann")
    session = plane.create(key=key)
    with plane.client(key) as client:
        profile = client.post("/api/profiles", json={"name": "hers"}).json()["id"]
        view = client.post(f"/api/sessions/{session['id']}/tokens", json={"role": "view"}).json()["token"]
        [token, *_] = client.get(f"/api/sessions/{session['id']}/tokens").json()["tokens"]
    app = App(plane).connect(key)
    with plane.client() as client:
        [sign_in] = client.get("/api/sign-ins", params={"user": "ann"}).json()["signIns"]
        [own] = [one["id"] for one in client.get("/api/keys").json()["keys"] if one["user"] == "ann"]
        host = client.get("/api/hosts").json()["hosts"][0]["name"]
    return {
        "sessions": session["id"], "profiles": profile, "sign-ins": sign_in["id"], "keys": own, "hosts": host,
        "token_id": token["id"], "drive": session["token"], "view": view, "app": app.tokens["access_token"],
    }  # fmt: skip


def _path(path: str, anns: dict[str, str]) -> str:
    kind = path.split("/")[2] if path.count("/") > 2 else ""
    path = re.sub(r"\{(id|name)\}", anns.get(kind, "none"), path)
    path = path.replace("{token_id}", anns["token_id"]).replace("{sha256}", "0" * 64)
    return re.sub(r"\{\w+\}", "rec_1", path)


def _ask(plane: RunningPlane, name: str, anns: dict[str, str], token: str | None) -> httpx.Response:
    method, path, _ = OPERATIONS[name]
    body = BODIES.get(name, {}) if method in ("POST", "PATCH", "PUT") else None
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    return httpx.request(method, plane.url + _path(path, anns), json=body, headers=headers, timeout=30)


@pytest.mark.parametrize("name", sorted(OPERATIONS.keys() - OPEN))
def test_without_a_key_or_with_one_for_something_else_nothing_is_answered(
    plane: RunningPlane, anns: dict[str, str], name: str
) -> None:
    for token in (None, "bj_none_0", anns["view"], anns["drive"]):
        assert _ask(plane, name, anns, token).status_code == 401
    if name != "mcp":
        assert _ask(plane, name, anns, anns["app"]).status_code == 401, "an app has /mcp alone"


@pytest.fixture(scope="module")
def neighbour(plane: RunningPlane) -> str:
    return plane.new_key("bob")


@pytest.mark.parametrize("name", sorted(OPERATIONS.keys() - OPEN - OWN))
def test_a_neighbour_is_refused(plane: RunningPlane, anns: dict[str, str], neighbour: str, name: str) -> None:
    path, said = OPERATIONS[name][1:]
    # Of what is somebody else's it is not even said that it is there.
    is_somebodys = re.match(r"/api/(sessions|profiles|sign-ins)/", path) is not None and name not in OPERATORS
    assert is_somebodys or "403" in said, "the document says who may"
    answer = _ask(plane, name, anns, neighbour)
    assert answer.status_code == (404 if is_somebodys else 403), answer.text
    assert answer.headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize("name", sorted(name for name in OWN if OPERATIONS[name][0] == "GET"))
def test_a_neighbour_reads_nothing_of_hers(
    plane: RunningPlane, anns: dict[str, str], neighbour: str, name: str
) -> None:
    answer = _ask(plane, name, anns, neighbour)
    assert answer.status_code == 200, answer.text
    hers = (anns[one] for one in ("sessions", "profiles", "sign-ins", "keys"))
    assert not any(one in answer.text for one in hers)


def test_after_all_that_she_has_what_she_had(plane: RunningPlane, anns: dict[str, str]) -> None:
    with plane.client() as client:
        assert client.get(f"/api/sessions/{anns['sessions']}").json()["state"] == "running"
        assert client.get(f"/api/profiles/{anns['profiles']}").status_code == 200
        assert "revokedAt" not in client.get(f"/api/keys/{anns['keys']}").json()
        assert "drainedAt" not in client.get("/api/hosts").json()["hosts"][0]
        assert "eve" not in [user["userId"] for user in client.get("/api/users").json()["users"]]
        assert [one["id"] for one in client.get("/api/sign-ins", params={"user": "ann"}).json()["signIns"]] == [
            anns["sign-ins"]
        ]
