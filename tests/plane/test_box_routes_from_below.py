"""Every route of a box through the gateway from below: by nobody, neighbours, others' tokens, and who only watches."""

import json
import re
from collections.abc import Iterator
from typing import Any

import httpx2 as httpx
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from belljar.server.router import WEBSOCKET
from belljar.tokens import Role
from tests.box.test_access import GRANTED, OPEN
from tests.described import application
from tests.plane.app_client import App
from tests.plane.plane import PATIENCE, RunningPlane, running_plane

ROUTES = sorted(
    (method, route.path)
    for route in application().routes
    for method in route.methods
    if method != "HEAD" and not route.facts.gateway.is_page
)
# Whoever watches reads these, with Neko's words for a few, and opens these sockets; and is refused all else.
NEKOS = {("GET", "/api/room/screen/cast.jpg"), ("GET", "/api/whoami"), ("POST", "/api/logout")}
WATCHES = (
    NEKOS
    | {("GET", path) for path in ["/", *GRANTED, *OPEN]}
    | {
        (WEBSOCKET, route.path)
        for route in application().routes
        if WEBSOCKET in route.methods and route.facts.needs is Role.VIEW
    }
)
# What only the control plane, or the operator of a box, may.
SHUT = {
    (method, route.path)
    for route in application().routes
    for method in route.methods
    if route.facts.gateway.is_shut or route.path == "/v1/tokens"
}


@pytest.fixture(scope="module")
def plane() -> Iterator[RunningPlane]:
    with running_plane() as running:
        yield running


@pytest.fixture(scope="module")
def anns(plane: RunningPlane) -> dict[str, str]:
    key = plane.new_key("ann")
    session, other = plane.create(key=key), plane.create(key=key)
    with plane.client(key) as client:
        view = client.post(f"/api/sessions/{session['id']}/tokens", json={"role": "view"}).json()["token"]
    app = App(plane).connect(key)
    return {
        "session": session["id"], "drive": session["token"], "view": view, "other": other["token"],
        "app": app.access, "bob": plane.new_key("bob"),
    }  # fmt: skip


def _asked(plane: RunningPlane, anns: dict[str, str], method: str, path: str, token: str | None) -> tuple[int, Any]:
    """The status, and what is said in a refusal."""
    at = f"{plane.url}/s/{anns['session']}" + re.sub(r"\{[^}]+\}", "x", path)
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    if method == WEBSOCKET:
        try:
            with connect(at.replace("http", "ws", 1), additional_headers=headers, open_timeout=PATIENCE):
                return 101, None
        except InvalidStatus as refused:
            return refused.response.status_code, json.loads(refused.response.body or b"null")
    with httpx.Client(headers=headers, timeout=PATIENCE) as client:
        with client.stream(method, at, json={} if method in ("POST", "PUT", "PATCH") else None) as answer:
            return answer.status_code, answer.read() and answer.json() if answer.is_error else None


@pytest.mark.parametrize(("method", "path"), ROUTES)
def test_nobody_else_is_answered(plane: RunningPlane, anns: dict[str, str], method: str, path: str) -> None:
    for token in (None, "bj_none_0", anns["other"], anns["app"]):
        assert _asked(plane, anns, method, path, token)[0] == 401
    # Not even that the session is there.
    assert _asked(plane, anns, method, path, anns["bob"])[0] == 404


@pytest.mark.parametrize(("method", "path"), sorted({*ROUTES} - WATCHES))
def test_who_may_only_watch_is_refused(plane: RunningPlane, anns: dict[str, str], method: str, path: str) -> None:
    status, said = _asked(plane, anns, method, path, anns["view"])
    assert (status, said["code"]) == (403, "forbidden")


@pytest.mark.parametrize(("method", "path"), sorted(SHUT))
def test_who_drives_is_no_operator(plane: RunningPlane, anns: dict[str, str], method: str, path: str) -> None:
    status, said = _asked(plane, anns, method, path, anns["drive"])
    assert (status, said["code"]) == (403, "forbidden")


def test_after_all_that_the_session_is_as_it_was(plane: RunningPlane, anns: dict[str, str]) -> None:
    assert plane.get(anns["session"])["state"] == "running"
    with plane.client(anns["drive"]) as client:
        assert client.get(f"/s/{anns['session']}/v1/processes").json()["processes"] == []
