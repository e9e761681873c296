"""Films in step with the record: a page draws its clock, and the film's frame at an event's time shows that time."""

import os
import signal
import sys
from collections.abc import Iterator
from statistics import median
from typing import Any

import httpx2 as httpx
import pytest

from tests.box.desktop.conftest import on_host, until
from tests.film_clock import LIST, make_events, milliseconds_off
from tests.servers import RunningBox, running_box
from tests.site import Site, running_site

START, STOP = "/v1/desktop/recording/start", "/v1/desktop/recording/stop"
FPS = 30
TAB_FPS = 8
# What a page takes from its clock to the screen, in milliseconds: with the machine for itself, and with many others.
PAINT = 60
PAINT_UNDER_LOAD = 600


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with running_site() as site:
        yield site


@pytest.fixture
def box() -> Iterator[RunningBox]:
    with running_box("--egress", "open") as box:
        yield box


@pytest.fixture
def api(box: RunningBox) -> Iterator[httpx.Client]:
    with box.client() as client:
        yield client


def show_clock(api: httpx.Client, site: Site, **start: Any) -> None:
    api.post("/v1/browser/start", json={"width": 640, "height": 480, **start}).raise_for_status()
    api.post("/v1/browser/navigate", json={"url": site.url("live/clock.html")}).raise_for_status()


def begin(api: httpx.Client) -> str:
    id: str = api.post(START, json={"fps": FPS}).json()["id"]
    until(lambda: api.get(f"{LIST}/{id}").json().get("firstFrame"), "the first frame")
    return id


def restart_display(api: httpx.Client, box: RunningBox, id: str) -> None:
    """And wait until the page is filmed again."""
    (xvfb,) = [one for one in api.get("/v1/browser/status").json()["processes"] if one["name"] == "Xvfb"]
    os.kill(on_host(box, xvfb["pid"]), signal.SIGKILL)
    until(lambda: "to" in api.get(f"{LIST}/{id}").json().get("gaps", [{}])[0], "the display again")
    script = "document.title == 'Clock' && new Promise((done) => setTimeout(() => done(presses), 500))"

    def is_back() -> bool:
        answer = api.post("/v1/browser/execute", json={"expression": script})
        return answer.status_code == 200 and answer.json().get("result") == 0

    until(is_back, "the page again")


def off_on_a_display(api: httpx.Client, box: RunningBox, site: Site, count: int) -> list[float]:
    show_clock(api, site, kiosk=True)
    id = begin(api)
    events = make_events(api, count // 2, 0.2)
    restart_display(api, box, id)
    events += make_events(api, count - count // 2, 0.2)
    stopped = api.post(STOP).json()
    assert stopped["status"] == "completed" and len(stopped["gaps"]) == 1
    return milliseconds_off(api, stopped, events, (0, 0))


def off_without_one(api: httpx.Client, site: Site, count: int) -> list[float]:
    show_clock(api, site, headless=True)
    begin(api)
    events = make_events(api, count, 0.2)
    stopped = api.post(STOP).json()
    assert stopped["status"] == "completed"
    return milliseconds_off(api, stopped, events, (0, 0))


def test_the_frame_at_an_events_time_shows_it_before_and_after_the_display_was_restarted(
    api: httpx.Client, box: RunningBox, site: Site
) -> None:
    off = off_on_a_display(api, box, site, 10)
    # Each half by itself; one picture alone may be long in being painted.
    late = max(median(off[:5]), median(off[5:]))
    assert -1000 / FPS <= min(off) and late <= 1000 / FPS + PAINT_UNDER_LOAD, off


def test_the_frame_at_an_events_time_shows_it_headless(api: httpx.Client, site: Site) -> None:
    off = off_without_one(api, site, 10)
    assert -1000 / TAB_FPS <= min(off) and median(off) <= 1000 / TAB_FPS + PAINT_UNDER_LOAD, off


@pytest.mark.soak
@pytest.mark.parametrize("kind", ["display", "headless"])
def test_fifty_events_are_off_by_a_frame_and_a_paint(api: httpx.Client, box: RunningBox, site: Site, kind: str) -> None:
    """With the machine for itself: a time is told here, not only an order."""
    frame = 1000 / (FPS if kind == "display" else TAB_FPS)
    off = sorted(off_on_a_display(api, box, site, 50) if kind == "display" else off_without_one(api, site, 50))
    told = (
        f"{kind}: p50 {off[25]:.0f} ms, p95 {off[47]:.0f} ms, {off[0]:.0f} to {off[-1]:.0f}; a frame is {frame:.0f}\n"
    )
    sys.stderr.write(told)
    assert -frame <= off[0] and off[-1] <= frame + PAINT, off
