"""Sockets and streams end with what their caller came with: a token's time, a cookie's, or a revoked token or key."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress

import httpx2 as httpx
import pytest
from websockets.sync.client import connect

from belljar.plane.access.credentials import COOKIE, KEY_PREFIX
from belljar.plane.access.secrets import load_master_key
from belljar.tokens import sign
from tests.plane.plane import close_of, running_plane
from tests.servers import PATIENCE, RunningBox, running_box


@pytest.fixture(scope="module")
def box() -> Iterator[RunningBox]:
    with running_box("--jail", "off") as running:
        yield running


def streams(url: str, token: str, paths: list[str], cookie: str | None = None) -> Callable[[], None]:
    """Open them all; each has begun.  Returns how to wait until each has ended, or was cut by a gateway."""
    headers = {"Authorization": f"Bearer {token}"} if cookie is None else {"Cookie": f"{COOKIE}={cookie}"}
    begun = threading.Barrier(len(paths) + 1)
    ended: list[str] = []

    def follow(path: str) -> None:
        with httpx.stream("GET", url + path, headers=headers, timeout=PATIENCE) as stream:
            assert stream.status_code == 200 and "text/event-stream" in stream.headers["content-type"]
            begun.wait(PATIENCE)
            with suppress(httpx.RemoteProtocolError):
                for _ in stream.iter_raw():
                    pass
            ended.append(path)

    followers = [threading.Thread(target=follow, args=(path,), daemon=True) for path in paths]
    for follower in followers:
        follower.start()
    begun.wait(PATIENCE)

    def wait() -> None:
        for follower in followers:
            follower.join(PATIENCE)
        assert sorted(ended) == sorted(paths)

    return wait


def test_a_boxs_streams_end_with_the_token(box: RunningBox) -> None:
    with box.client() as http:
        process = http.post("/v1/processes", json={"command": "sleep", "args": ["60"]}).json()
        token = http.post("/v1/tokens", json={"role": "drive", "ttl": 2}).json()["token"]
        mine = {"Authorization": f"Bearer {token}"}
        wait = streams(
            box.url,
            token,
            [
                "/v1/events?follow=true",
                "/v1/browser/events?follow=true",
                "/v1/egress/log?follow=true",
                f"/v1/processes/{process['id']}/logs?follow=true",
            ],
        )
        other = http.post("/v1/tokens", json={"role": "drive"}).json()["token"]
        with http.stream("GET", "/v1/events?follow=true", headers={"Authorization": f"Bearer {other}"}) as lasting:
            wait()
            assert httpx.get(f"{box.url}/v1/health", headers=mine).status_code == 401
            http.post("/v1/events/marks", json={"text": "after"})
            assert any('"after"' in line for line in lasting.iter_lines())


def test_a_boxs_sockets_end_with_the_token(box: RunningBox) -> None:
    with box.client() as http, ExitStack() as stack:
        http.post("/v1/browser/start", json={"headless": True}).raise_for_status()
        shell = http.post("/v1/processes", json={"command": "sh", "tty": True}).raise_for_status().json()["id"]
        tab = http.get("/v1/browser/tabs").json()["tabs"][0]["id"]
        token = http.post("/v1/tokens", json={"role": "drive", "ttl": 3}).json()["token"]
        paths = (
            "/v1/browser/cdp",
            f"/v1/browser/cdp/devtools/page/{tab}",
            f"/v1/processes/{shell}/terminal/ws",
            "/v1/live",
        )
        sockets = [
            stack.enter_context(connect(f"ws://127.0.0.1:{box.port}{path}?token={token}", proxy=None)) for path in paths
        ]
        for path, socket in zip(paths, sockets, strict=True):
            closed = close_of(socket)
            assert (closed.code, closed.reason) == (1008, "credential over: expired"), path
        # The program lives on, for those who may use it.
        assert http.get(f"/v1/processes/{shell}").json()["status"] == "running"
        http.post(f"/v1/processes/{shell}/kill").raise_for_status()


def test_what_is_no_stream_is_not_cut_short(box: RunningBox) -> None:
    with box.client() as http:
        token = http.post("/v1/tokens", json={"role": "drive", "ttl": 1}).json()["token"]
        slow = {"command": "sh", "args": ["-c", "sleep 3; echo done"]}
        ran = http.post("/v1/processes/run", json=slow, headers={"Authorization": f"Bearer {token}"})
    assert ran.json()["stdout"] == "done\n"


def test_a_control_planes_streams_end_with_cookie_token_and_key() -> None:
    with running_plane() as plane, plane.client() as http:
        session = plane.create()["id"]
        of_plane = [f"/api/sessions/{session}/record?follow=true", f"/api/sessions/{session}/events"]
        of_box = [f"/s/{session}/v1/events?follow=true", f"/s/{session}/v1/browser/events?follow=true"]
        key_id = plane.key.removeprefix(KEY_PREFIX).partition("_")[0]
        claims = {"key": key_id, "exp": int(time.time()) + 3, "aud": "belljar:dashboard"}
        cookie = sign(claims, load_master_key(plane.state_dir / "control.key").derive("dashboard"))
        wait = streams(plane.url, "", of_plane, cookie)
        wait()
        token = http.post(f"/api/sessions/{session}/tokens", json={"role": "drive"}).json()
        wait = streams(plane.url, token["token"], of_box)
        assert http.delete(f"/api/sessions/{session}/tokens/{token['id']}").status_code == 200
        wait()
        short = http.post(f"/api/sessions/{session}/tokens", json={"role": "drive", "ttl": 1}).json()
        streams(plane.url, short["token"], of_box)()
        made = http.post("/api/keys", json={"user": "admin", "role": "admin"}).json()
        wait = streams(plane.url, made["key"], of_plane)
        assert http.delete(f"/api/keys/{made['id']}").status_code == 200
        wait()
