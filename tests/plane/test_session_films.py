"""Films of sessions: chosen up to the operator's ceiling, and kept of those that failed, their box alive or killed."""

import os
import signal
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from pathlib import Path
from typing import Any

import av
import httpx2 as httpx
import pytest

from tests.plane.plane import PATIENCE, RunningPlane, running_plane, until


@pytest.fixture(scope="module")
def plane() -> Iterator[RunningPlane]:
    with running_plane("--pool-size", "1", "--headless", "--egress", "open") as running:
        yield running


def films(plane: RunningPlane, session: dict[str, Any]) -> list[dict[str, Any]]:
    with plane.client() as client:
        found: list[dict[str, Any]] = client.get(f"/api/sessions/{session['id']}/recordings").json()["recordings"]
    return found


def frames(plane: RunningPlane, film: dict[str, Any]) -> int:
    with plane.client() as client, av.open(BytesIO(client.get(film["url"]).content), "r") as opened:
        return len(list(opened.decode(video=0)))


def filmed(plane: RunningPlane, *, headless: bool = True) -> dict[str, Any]:
    """A session of which something is in the ring."""
    session = plane.create(mode="browser", headless=headless, film="on_failure")
    assert session["limits"]["film"] == "on_failure"
    ring = plane.state_dir / "boxes" / session["sandboxId"] / "state/desktop/recordings/ring"
    with httpx.Client(
        base_url=session["httpUrl"], headers={"Authorization": f"Bearer {session['token']}"}, timeout=PATIENCE
    ) as box:
        moving = (
            "document.body.innerHTML = '<h1>0</h1>'; setInterval(() => document.querySelector('h1').innerText++, 50)"
        )
        box.post("/v1/browser/execute", json={"expression": moving}).raise_for_status()
        until(lambda: any(ring.glob("piece-*.m4s")), what="a piece of film")
    return session


def box_of(plane: RunningPlane, session: dict[str, Any]) -> int:
    name = f"/boxes/{session['sandboxId']}/".encode()
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/cmdline", "rb") as file:
                words = file.read().split(b"\0")
        except OSError:
            continue
        if b"box" in words and any(name in word for word in words):
            return int(pid)
    raise AssertionError("the box's process is not there")


def warm_is_there(plane: RunningPlane) -> bool:
    with plane.client() as client:
        metrics = client.get("/metrics").text
    return any(
        line.startswith("belljar_") and "pool" in line and line.endswith(" 1.0") for line in metrics.splitlines()
    )


def test_a_warm_box_that_is_killed_leaves_a_film_and_one_that_ends_well_none(plane: RunningPlane) -> None:
    until(lambda: warm_is_there(plane), what="a warm box")
    killed = filmed(plane)
    until(lambda: warm_is_there(plane), what="another warm box")
    ended = filmed(plane)
    os.kill(box_of(plane, killed), signal.SIGKILL)
    until(lambda: plane.get(killed["id"])["state"] == "failed", what="the end of the session")
    [film] = films(plane, killed)
    assert frames(plane, film) > 3
    with plane.client() as client:
        assert client.delete(f"/api/sessions/{ended['id']}").json()["state"] == "stopped"
    assert films(plane, ended) == []


def test_a_warm_box_with_a_window_that_is_killed_leaves_a_film() -> None:
    flags = ("--pool-size", "1", "--egress", "open", "--film-minutes", "0.1")
    with running_plane(*flags) as plane:
        until(lambda: warm_is_there(plane), what="a warm box")
        session = filmed(plane, headless=False)
        pid = box_of(plane, session)
        words = Path(f"/proc/{pid}/cmdline").read_text().split("\0")
        assert words[words.index("--film-minutes") + 1] == "0.1"
        assert words[words.index("--film") + 1] == "off", "it was warm: nobody's, and not filmed"
        os.kill(pid, signal.SIGKILL)
        until(lambda: plane.get(session["id"])["state"] == "failed", what="the end of the session")
        [film] = films(plane, session)
        assert frames(plane, film) > 3


@pytest.mark.parametrize("headless", [True, pytest.param(False, marks=pytest.mark.soak)], ids=["headless", "headful"])
def test_a_session_that_fails_though_its_box_lives_leaves_a_film(plane: RunningPlane, headless: bool) -> None:
    """Its first page never comes: what was shown until then is worth seeing."""
    boxes = plane.state_dir / "boxes"

    def beginnings() -> list[Path]:
        """There once a first picture was filmed; of a page that stands still no more may come."""
        return list(boxes.glob("*/state/desktop/recordings/ring/*"))

    with socket.create_server(("127.0.0.1", 0)) as server, plane.client() as client, ThreadPoolExecutor(1) as pool:
        server.settimeout(PATIENCE)
        url = f"http://127.0.0.1:{server.getsockname()[1]}/"
        size = {"width": 640, "height": 480}
        wanted = {"mode": "browser", "headless": headless, "film": "on_failure", "url": url, "viewport": size}
        asked = pool.submit(client.post, "/api/sessions", json=wanted)
        with server.accept()[0]:
            until(beginnings, what="a film's beginning")
            # Nobody else answers there either.
            server.close()
        refused = asked.result(PATIENCE)
        assert (refused.status_code, refused.json()["code"]) == (503, "launch_failed"), refused.text
        session = client.get(f"/api/sessions/{refused.json()['sessionId']}").json()
    assert (session["state"], session["reason"]) == ("failed", "failed")
    [film] = films(plane, session)
    assert frames(plane, film) > 0
    with plane.client() as client:
        told = client.get(f"/api/sessions/{session['id']}/record", params={"kinds": "mark,film"}).json()["events"]
    assert "the session failed: failed" in [one["data"].get("mark") for one in told]
    assert {one["data"]["recordingId"] for one in told if one["kind"] == "film"} == {film["id"]}


def test_a_session_asks_for_no_more_than_the_operator_allows() -> None:
    with running_plane("--film", "on_failure", "--max-film", "on_failure") as plane, plane.client() as client:
        assert plane.create()["limits"]["film"] == "on_failure"
        assert plane.create(film="off")["limits"]["film"] == "off"
        refused = client.post("/api/sessions", json={"mode": "none", "film": "on"})
        assert (refused.status_code, refused.json()["ceilings"]) == (422, {"film": "on_failure"}), refused.text
        assert client.post("/api/sessions", json={"mode": "none", "film": "always"}).status_code == 422
