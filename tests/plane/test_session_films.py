"""Films of sessions: chosen up to the operator's ceiling, and kept of those that failed, their box alive or killed."""

import os
import signal
from collections.abc import Iterator
from io import BytesIO
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


def filmed(plane: RunningPlane, **wanted: Any) -> dict[str, Any]:
    """A session of which something is in the ring."""
    session = plane.create(mode="browser", headless=True, film="on_failure", **wanted)
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


def test_a_session_asks_for_no_more_than_the_operator_allows() -> None:
    with running_plane("--film", "on_failure", "--max-film", "on_failure") as plane, plane.client() as client:
        assert plane.create()["limits"]["film"] == "on_failure"
        assert plane.create(film="off")["limits"]["film"] == "off"
        refused = client.post("/api/sessions", json={"mode": "none", "film": "on"})
        assert (refused.status_code, refused.json()["ceilings"]) == (422, {"film": "on_failure"}), refused.text
        assert client.post("/api/sessions", json={"mode": "none", "film": "always"}).status_code == 422
