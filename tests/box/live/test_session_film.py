"""A session's own film: all of it, or its last minutes when something fails or a mark asks for them."""

import os
import signal
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import av
import httpx2 as httpx
import pytest

from tests.box.desktop.conftest import on_host, until
from tests.film_clock import LIST, Shown, read_film
from tests.plane.plane import state_folder
from tests.servers import RunningBox, running_box
from tests.site import Site, running_site

MARKS = "/v1/events/marks"


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with running_site() as site:
        yield site


def show_clock(api: httpx.Client, site: Site, **start: Any) -> None:
    api.post("/v1/browser/start", json={"width": 640, "height": 480, **start}).raise_for_status()
    api.post("/v1/browser/navigate", json={"url": site.url("live/clock.html")}).raise_for_status()


def films(api: httpx.Client) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = api.get(LIST).json()["recordings"]
    return found


def shown(api: httpx.Client, id: str) -> list[Shown]:
    return read_film(api.get(f"{LIST}/{id}/download").content)


def ring_of(box: RunningBox) -> list[Path]:
    return sorted((box.log.parent / "state/desktop/recordings/ring").glob("piece-*.m4s"))


def let_pass(box: RunningBox, pieces: int) -> None:
    """Wait until so many more pieces of film were written."""
    seen = {*ring_of(box)}
    for _ in range(pieces):
        until(lambda: {*ring_of(box)} - seen, "another piece of film")
        seen.update(ring_of(box))


@pytest.mark.parametrize(
    "start",
    [{"headless": True}, pytest.param({"kiosk": True}, marks=pytest.mark.soak)],
    ids=["headless", "headful"],
)
def test_the_last_of_it_becomes_a_film_when_a_mark_asks_or_something_fails(site: Site, start: dict[str, Any]) -> None:
    with running_box("--film", "on_failure", "--film-minutes", "0.1") as box, box.client() as api:
        show_clock(api, site, **start)
        let_pass(box, 5)
        assert films(api) == [], "nothing has failed"
        before = api.post(MARKS, json={"text": "now"})
        assert "recordingId" not in before.json()
        marked = api.post(MARKS, json={"text": "keep this", "film": True}).json()
        [film] = films(api)
        assert (film["id"], film["status"]) == (marked["recordingId"], "completed")
        # Six seconds, what its first picture needs, and no more of the ten and more that were filmed.
        assert 4_000 < film["durationMs"] < 9_500, film
        seen = shown(api, film["id"])
        first = film["firstFrame"]["t"]
        assert all(abs(one.clock - (first + one.place * 1e6)) < 1e6 for one in seen[2:]), "it is in step"
        assert seen[-1].clock < marked["t"] + 3e6 and seen[-1].clock > marked["t"] - 1.5e6, "up to the mark"
        with av.open(BytesIO(api.get(f"{LIST}/{film['id']}/download").content)) as opened:
            assert [one["metadata"]["title"] for one in opened.chapters()][-2:] == ["now", "keep this"]
        told = api.get("/v1/events", params={"kinds": "film", "limit": 1000}).json()["events"]
        assert [one["name"] for one in told if one["data"]["recordingId"] == film["id"]][:2] == [
            "started",
            "first_frame",
        ]
        # It goes on, and a crash makes another.
        let_pass(box, 1)
        [chromium] = [one for one in api.get("/v1/browser/status").json()["processes"] if one["name"] == "chromium"]
        os.kill(on_host(box, chromium["pid"]), signal.SIGKILL)
        until(lambda: len(films(api)) == 2 and films(api)[1]["status"] == "completed", "the film of the crash")
        assert shown(api, films(api)[1]["id"])
        assert box.terminate() == 0
        assert not (box.log.parent / "state/desktop/recordings/ring").exists(), "the rest is nobody's"


def test_a_browser_that_does_not_start_leaves_a_film_of_its_screen() -> None:
    with state_folder() as folder:
        # Nothing that could be a browser, and it takes its time: the screen is there meanwhile.
        for name in ("chromium", "chrome"):
            (folder / name).write_text("#!/bin/sh\nexec sleep 4\n")
            (folder / name).chmod(0o755)
        path = {"PATH": f"{folder}:{os.environ['PATH']}"}
        with running_box("--film", "on_failure", "--jail", "off", env=path) as box, box.client() as api:
            failed = api.post("/v1/browser/start", json={"width": 640, "height": 480})
            assert (failed.status_code, failed.json()["code"]) == (500, "browser_start_failed"), failed.text
            until(lambda: films(api) and films(api)[0]["status"] == "completed", "the film of the failure")
            with av.open(BytesIO(api.get(f"{LIST}/{films(api)[0]['id']}/download").content), "r") as opened:
                assert [*opened.decode(video=0)][0].width == 640


def test_a_page_that_is_killed_for_memory_leaves_a_film_of_what_led_there(site: Site) -> None:
    with running_box("--film", "on_failure", "--max-memory", "700M") as box, box.client() as api:
        if api.get("/v1/health").json()["isolation"]["memoryLimit"] != "cgroup":
            pytest.skip("nothing holds the memory of programs on this host")
        show_clock(api, site, headless=True)
        let_pass(box, 1)
        hog = "setTimeout(() => { for (self.all = [];;) all.push(new Uint8Array(32 << 20).fill(1)) }, 0)"
        api.post("/v1/browser/execute", json={"expression": hog}).raise_for_status()
        until(lambda: films(api) and films(api)[0]["status"] == "completed", "the film of the killing")
        told = api.get("/v1/events", params={"kinds": "system,tab", "limit": 1000}).json()["events"]
        assert "limit.memory" in {one["name"] for one in told}
        seen = shown(api, films(api)[0]["id"])
        assert len(seen) > 3, "its clock before it was killed"


def test_all_of_it_is_filmed_beside_what_callers_film(site: Site) -> None:
    with running_box("--film", "on") as box, box.client() as api:
        show_clock(api, site, kiosk=True)
        until(lambda: films(api) and films(api)[0].get("firstFrame"), "the session's film")
        own = api.post("/v1/desktop/recording/start", json={"fps": 5})
        assert own.status_code == 200, own.text
        assert api.post("/v1/desktop/recording/stop").json()["id"] == own.json()["id"]
        assert [one["status"] for one in films(api)] == ["recording", "completed"]
        assert api.delete(f"{LIST}/{films(api)[0]['id']}").status_code == 409
        assert "recordingId" not in api.post(MARKS, json={"text": "x", "film": True}).json(), "it is filmed anyway"
        # Another size of the screen is another film.
        api.post("/v1/desktop/display/resize", json={"width": 480, "height": 360}).raise_for_status()
        until(lambda: len(films(api)) == 3 and films(api)[2]["width"] == 480, "a film of that size")
        api.post("/v1/browser/stop").raise_for_status()
        until(lambda: {one["status"] for one in films(api)} == {"completed"}, "all films whole")
        assert shown(api, films(api)[0]["id"])


def test_nothing_is_kept_where_nothing_is_filmed(site: Site) -> None:
    with running_box() as box, box.client() as api:
        refused = api.post(MARKS, json={"text": "x", "film": True})
        assert (refused.status_code, refused.json()["code"]) == (409, "conflict")
        assert api.post(MARKS, json={"text": "x", "film": "perhaps"}).status_code == 422
