"""Films of tabs, with and without a screen: what they show, when, and what they go through."""

import os
import resource
import signal
from collections.abc import Iterator
from io import BytesIO
from statistics import median
from typing import Any

import av
import httpx2 as httpx
import pytest

from tests.box.desktop.conftest import on_host, until
from tests.box.desktop.test_recording import encoder_of
from tests.film_clock import LIST, image_of, make_events, milliseconds_off, read_film
from tests.servers import RunningBox, running_box
from tests.site import Site, running_site

START, STOP = "/v1/desktop/recording/start", "/v1/desktop/recording/stop"


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with running_site() as site:
        yield site


@pytest.fixture(scope="module")
def box() -> Iterator[RunningBox]:
    with running_box("--egress", "open") as box:
        yield box


@pytest.fixture
def api(box: RunningBox, site: Site) -> Iterator[httpx.Client]:
    """A headless browser that shows the clock."""
    with box.client() as client:
        client.post("/v1/browser/start", json={"headless": True, "width": 640, "height": 480}).raise_for_status()
        client.post("/v1/browser/navigate", json={"url": site.url("live/clock.html")}).raise_for_status()
        yield client
        client.post(STOP)
        client.post("/v1/browser/stop")


def recording(api: httpx.Client, id: str) -> dict[str, Any]:
    found: dict[str, Any] = api.get(f"{LIST}/{id}").json()
    return found


def begin(api: httpx.Client, **wanted: Any) -> dict[str, Any]:
    """Start a film and wait for its first frame."""
    started = api.post(START, json=wanted)
    assert started.status_code == 200, started.text
    id = started.json()["id"]
    return until(lambda: (one := recording(api, id)).get("firstFrame") and one, "the first frame")  # type: ignore[no-any-return]


def resize_in_film(api: httpx.Client, id: str, width: int, height: int) -> None:
    so_far = recording(api, id)["bytes"]
    api.post("/v1/browser/viewport", json={"width": width, "height": height}).raise_for_status()
    until(lambda: recording(api, id)["bytes"] > so_far, "a picture of that size")


def film_of(api: httpx.Client, id: str) -> bytes:
    return api.get(f"{LIST}/{id}/download").content


def frames(film: bytes) -> list[av.VideoFrame]:
    with av.open(BytesIO(film), "r") as file:
        return list(file.decode(video=0))


def pixel(frame: av.VideoFrame, x: int, y: int) -> tuple[int, ...]:
    found = image_of(frame).getpixel((x, y))
    assert isinstance(found, tuple)
    return found


def is_red(frame: av.VideoFrame) -> bool:
    red, green, blue = pixel(frame, 400, 400)
    return red > 200 and green < 60 and blue < 60


def test_a_headless_session_is_filmed_in_step_with_the_record(api: httpx.Client) -> None:
    started = begin(api)
    assert (started["source"], started["fps"]) == ("tab", 8)
    assert (started["width"], started["height"]) == (640, 480)
    events = make_events(api, 10, 0.3)
    stopped = api.post(STOP).json()
    assert stopped["status"] == "completed" and "gaps" not in stopped
    off = milliseconds_off(api, stopped, events, (0, 0))
    # A frame at eight a second, and what a machine under load takes to paint (one picture may take it long); never
    # ahead by more than a frame.
    assert median(off) <= 125 + 400 and min(off) >= -125, off


def test_each_frame_stands_where_its_clock_says(api: httpx.Client) -> None:
    id = begin(api)["id"]
    make_events(api, 5, 0.2)
    stopped = api.post(STOP).json()
    shown = read_film(film_of(api, id))
    assert len(shown) >= 3
    late = [stopped["firstFrame"]["t"] / 1000 + one.place * 1000 - one.clock / 1000 for one in shown[:-1]]
    assert min(late) >= -5 and sorted(late)[len(late) // 2] <= 200, late
    gaps = [after.place - before.place for before, after in zip(shown, shown[1:], strict=False)]
    # At most eight a second: what comes faster is left out.
    assert sum(gaps) / len(gaps) >= 0.1, gaps


def test_the_end_of_a_film_shows_what_was_there_at_the_end(api: httpx.Client) -> None:
    id = begin(api)["id"]
    api.post("/v1/browser/press", json={"key": "a"}).raise_for_status()
    stopped = api.post(STOP).json()
    assert read_film(film_of(api, id))[-1].presses == 1
    assert stopped["durationMs"] > 0


def test_a_film_of_one_tab_stands_still_behind_others_and_ends_with_it(api: httpx.Client) -> None:
    tab = api.get("/v1/browser/status").json()["tabId"]
    id = begin(api, tabId=tab)["id"]
    other = api.post("/v1/browser/tabs", json={"url": "data:text/html,<body style='background:red'>"}).json()["id"]
    until(lambda: recording(api, id).get("gaps"), "a gap")
    api.post(f"/v1/browser/tabs/{tab}/activate").raise_for_status()
    until(lambda: "to" in recording(api, id)["gaps"][0], "the gap's end")
    api.delete(f"/v1/browser/tabs/{tab}").raise_for_status()
    ended = until(lambda: (one := recording(api, id))["status"] != "recording" and one, "the film's end")
    assert (ended["status"], ended["source"], ended["tabId"]) == ("completed", "tab", tab)
    assert ended["gaps"][0]["reason"] == "the tab was in the background"
    film = frames(film_of(api, id))
    assert film and not any(is_red(one) for one in film)
    assert api.get("/v1/browser/status").json()["tabId"] == other


def test_a_film_without_a_tab_follows_the_active_one(api: httpx.Client) -> None:
    id = begin(api, source="tab")["id"]
    api.post("/v1/browser/tabs", json={"url": "data:text/html,<body style='background:red'>"}).raise_for_status()
    # What was drawn before the end is in the film, however soon that is.
    api.post(STOP).raise_for_status()
    film = frames(film_of(api, id))
    assert is_red(film[-1]) and not is_red(film[0])


def test_a_film_goes_on_when_chromium_was_killed(api: httpx.Client, box: RunningBox) -> None:
    id = begin(api)["id"]
    (chromium,) = [one for one in api.get("/v1/browser/status").json()["processes"] if one["name"] == "chromium"]
    os.kill(on_host(box, chromium["pid"]), signal.SIGKILL)
    until(lambda: "to" in recording(api, id).get("gaps", [{}])[0], "the gap's end")
    script = {"expression": "document.title + typeof presses"}
    until(lambda: api.post("/v1/browser/execute", json=script).json().get("result") == "Clocknumber", "the page again")
    stopped = api.post(STOP).json()
    assert stopped["status"] == "completed"
    assert [gap["reason"] for gap in stopped["gaps"]] == ["the browser did not run"]
    shown = read_film(film_of(api, id))
    gap = stopped["gaps"][0]
    # The page is as large as before: its clock is where it was.
    assert shown[0].clock < gap["from"]["t"] < shown[-1].clock


def test_stopping_the_browser_completes_the_film(api: httpx.Client) -> None:
    id = begin(api)["id"]
    api.post("/v1/browser/stop").raise_for_status()
    ended = until(lambda: (one := recording(api, id))["status"] != "recording" and one, "the film's end")
    assert ended["status"] == "completed" and read_film(film_of(api, id))


@pytest.mark.parametrize("size", [(641, 403), (321, 240)])
def test_pages_of_odd_and_of_changing_sizes_are_filmed_whole(api: httpx.Client, size: tuple[int, int]) -> None:
    api.post("/v1/browser/viewport", json={"width": size[0], "height": size[1]}).raise_for_status()
    id = begin(api)["id"]
    width, height = (side + side % 2 for side in size)
    resize_in_film(api, id, 900, 300)
    resize_in_film(api, id, 300, 200)
    assert api.post(STOP).json()["status"] == "completed"
    film = frames(film_of(api, id))
    assert {(one.width, one.height) for one in film} == {(width, height)}
    corner = pixel(film[-1], 1, height - 2)
    assert max(corner) < 30, corner


def test_a_killed_encoder_fails_the_film_and_the_next_works(api: httpx.Client, box: RunningBox) -> None:
    id = begin(api)["id"]
    until(lambda: recording(api, id)["bytes"] > 1000, "some of the film")
    os.kill(encoder_of(box), signal.SIGKILL)
    ended = until(lambda: (one := recording(api, id))["status"] == "failed" and one, "the film's end")
    assert ended["error"] == "the encoder has ended" and ended["firstFrame"]
    assert frames(film_of(api, id))
    next = begin(api)["id"]
    assert api.post(STOP).json()["status"] == "completed" and read_film(film_of(api, next))


def test_a_full_disk_fails_the_film_and_keeps_what_is_there(api: httpx.Client, box: RunningBox) -> None:
    id = begin(api)["id"]
    # The head alone is a thousand bytes; after it a fragment is written each second.
    size = until(lambda: (so_far := recording(api, id)["bytes"]) > 4000 and so_far, "a fragment of the film")
    pid = encoder_of(box)
    # To a writer a file that may not grow is a disk that is full.
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (size + 100, size + 100))
    ended = until(lambda: (one := recording(api, id))["status"] != "recording" and one, "the film's end")
    assert (ended["status"], ended["error"]) == ("failed", "the disk is full")
    assert frames(film_of(api, id))
    os.kill(pid, signal.SIGKILL)


def test_what_cannot_be_filmed_is_refused(api: httpx.Client) -> None:
    both = api.post(START, json={"source": "display", "tabId": "x"})
    assert (both.status_code, both.json()["code"]) == (400, "invalid_request")
    unknown = api.post(START, json={"tabId": "none"})
    assert (unknown.status_code, unknown.json()["code"]) == (404, "tab_not_found")
    none = api.post(START, json={"source": "display"})
    assert (none.status_code, none.json()["code"]) == (409, "conflict")
    api.post("/v1/browser/stop")
    stopped = api.post(START, json={"source": "tab"})
    assert (stopped.status_code, stopped.json()["code"]) == (409, "browser_not_active")
