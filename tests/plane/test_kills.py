"""A control plane that is killed whenever a launcher keeps a handle: no session is lost, and no box is left."""

import itertools
import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import httpx2 as httpx
import pytest

from tests.plane.launched import LAUNCHERS, LauncherPlace, launcher_place
from tests.plane.plane import PATIENCE, until

# Beyond what any launcher keeps in one launch: then nobody is killed, and the session comes to be.
POINTS = list(itertools.product(["1", "2", "3", "4"], ["before", "after"]))
DEADLY = (sys.executable, str(Path(__file__).with_name("killed_at_keep.py")))
ROUNDS = int(os.environ.get("KILL_ROUNDS", "200"))


@pytest.fixture(params=LAUNCHERS)
def place(request: pytest.FixtureRequest) -> Iterator[LauncherPlace]:
    with launcher_place(request) as made:
        yield made


@pytest.mark.timeout(3600)
@pytest.mark.parametrize("rounds", [len(POINTS), pytest.param(ROUNDS, marks=pytest.mark.soak)])
def test_killed_at_every_keep_it_loses_no_session_and_leaves_no_box(place: LauncherPlace, rounds: int) -> None:
    more = ("--max-sessions-per-user", "1000", "--max-sessions", "1000")
    with place.plane(*more) as first:
        session = first.create(idleTimeout=0, ttl=7200)
        first.kill()
    killed = 0
    for _, point in zip(range(rounds), itertools.cycle(POINTS), strict=False):
        with place.plane(*more, key=first.key, inside=(*DEADLY, *point)) as plane, plane.client() as client:
            assert plane.get(session["id"])["state"] == "running", point
            assert client.get(f"/s/{session['id']}/v1/health").is_success, point
            until(lambda: place.box_ids() == {session["sandboxId"]}, what=f"no box of a round before {point}")
            with suppress(httpx.TransportError):
                made = client.post("/api/sessions", json={"mode": "none"})
                assert made.status_code == 201, made.text
                assert client.delete(f"/api/sessions/{made.json()['id']}").json()["state"] == "stopped"
                plane.kill()
                continue
            assert plane.process.wait(PATIENCE) == -9
            killed += 1
    # Every launcher keeps one when there is nothing yet, and one more.
    assert killed >= rounds // 2
    with place.plane(key=first.key) as last, last.client() as client:
        until(lambda: place.box_ids() == {session["sandboxId"]}, what="no box of the last round")
        assert client.get(f"/s/{session['id']}/v1/health").is_success
    assert place.box_ids() == set()
