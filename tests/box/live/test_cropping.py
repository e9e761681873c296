"""What of the display a viewer of video sees, how large it is coded, and the display in a viewer's size."""

from collections.abc import Iterator
from functools import partial
from typing import Any

import httpx2 as httpx
import pytest

from tests.box.live.client import LiveClient, token_for, watching
from tests.box.live.video import VideoClient, is_near
from tests.processes import eventually
from tests.servers import RunningBox, running_box

RED = (255, 0, 0)
PAGE = (
    "data:text/html,<body style='background:red;margin:0'><script>clicks = [];"
    "onmousedown = (event) => clicks.push([event.clientX, event.clientY])</script>"
)


@pytest.fixture(scope="module")
def box() -> Iterator[RunningBox]:
    with running_box("--live-resize", "1600x900") as box:
        yield box


@pytest.fixture
def api(box: RunningBox) -> Iterator[httpx.Client]:
    with box.client() as client:
        client.post("/v1/browser/start", json={"width": 1280, "height": 720}).raise_for_status()
        client.post("/v1/browser/navigate", json={"url": PAGE}).raise_for_status()
        yield client
        client.post("/v1/browser/stop")


@pytest.fixture
def live(box: RunningBox, api: httpx.Client) -> Iterator[LiveClient]:
    with watching(box) as client:
        yield client


def in_page(api: httpx.Client, expression: str) -> Any:
    return api.post("/v1/browser/execute", json={"expression": expression}).json().get("result")


def test_a_page_alone_is_seen_and_clicked_where_it_is(api: httpx.Client, live: LiveClient) -> None:
    viewer = VideoClient(live, "h264", crop="page")
    told = viewer.event(lambda data: "crop" in data)
    height = in_page(api, "innerHeight")
    assert told["crop"] == {"x": 0, "y": 720 - height, "w": 1280, "h": height & ~1}
    assert told["viewport"] == {"w": 1280, "h": height & ~1, "dpr": 1.0}
    corners = [(4, 4), (1270, 4), (4, height - 8), (1270, height - 8)]
    whole = viewer.picture(
        lambda image: image.height == height & ~1 and all(is_near(image.getpixel(at), RED) for at in corners)
    )
    assert whole.width == 1280
    for action in ("move", "down", "up"):
        live.send({"type": "input", "device": "mouse", "action": action, "x": 300, "y": 40, "button": "left"})
    eventually(lambda: in_page(api, "clicks") == [[300, 40]], "the click")
    # All of the display again: Chromium's bars are no page's red.
    live.send({"type": "video", "codecs": ["h264"]})
    viewer.event(lambda data: "crop" not in data)
    seen = viewer.picture(lambda image: image.height == 720)
    assert not is_near(seen.getpixel((4, 4)), RED)


def test_a_kiosks_page_that_was_told_another_size_is_seen_where_it_is(box: RunningBox, api: httpx.Client) -> None:
    api.post("/v1/browser/stop").raise_for_status()
    api.post("/v1/browser/start", json={"width": 1280, "height": 720, "kiosk": True}).raise_for_status()
    api.post("/v1/browser/navigate", json={"url": PAGE}).raise_for_status()
    with watching(box) as live:
        live.call("setViewport", width=640, height=360, deviceScaleFactor=2)
        viewer = VideoClient(live, "h264", crop="page")
        viewer.event(lambda data: data.get("crop") == {"x": 0, "y": 0, "w": 640, "h": 360})
        # A display has no more pixels for a page of two to the point than for another, and the frame says so.
        viewer.picture(partial(is_filled, 640, 360))
        frame = viewer.frames[-1]
        assert (frame.w, frame.h, frame.scale) == (640, 360, 1)


def test_a_viewer_is_sent_no_more_pixels_than_it_shows(live: LiveClient) -> None:
    viewer = VideoClient(live, "h264", surface={"w": 640, "h": 360})
    assert viewer.event()["viewport"] == {"w": 1280, "h": 720, "dpr": 0.5}
    image = viewer.picture()
    frame = viewer.frames[-1]
    assert (image.width, image.height) == (640, 360)
    assert (frame.w, frame.h, frame.scale, frame.is_small) == (1280, 720, 0.5, True)
    live.send({"type": "video", "codecs": ["h264"], "surface": {"w": 1920, "h": 1080}})
    viewer.picture(lambda image: image.width == 1280)
    assert viewer.frames[-1].scale == 1
    assert viewer.event()["viewport"] == {"w": 1280, "h": 720, "dpr": 1.0}


def is_of(width: int, height: int, told: dict[str, Any]) -> bool:
    return (told["viewport"]["w"], told["viewport"]["h"]) == (width, height)


def is_filled(width: int, height: int, image: Any) -> bool:
    """Of that size, and with the page down to its corner."""
    return image.size == (width, height) and is_near(image.getpixel((width - 10, height - 10)), RED)


def assert_page_becomes(api: httpx.Client, width: int) -> None:
    eventually(lambda: in_page(api, "innerWidth") == width, "the page's size")


@pytest.mark.parametrize("kiosk", [False, True])
def test_the_display_takes_a_viewers_size(box: RunningBox, api: httpx.Client, live: LiveClient, kiosk: bool) -> None:
    if kiosk:
        api.post("/v1/browser/stop").raise_for_status()
        api.post("/v1/browser/start", json={"width": 1280, "height": 720, "kiosk": True}).raise_for_status()
        api.post("/v1/browser/navigate", json={"url": PAGE}).raise_for_status()
    viewer = VideoClient(live, "h264")
    viewer.event()
    for asked, given in [((1001, 601), (1000, 600)), ((1500, 860), (1500, 860)), ((9000, 500), (1600, 500))]:
        live.send({"type": "resize", "w": asked[0], "h": asked[1]})
        viewer.event(partial(is_of, *given))
        assert_page_becomes(api, given[0])
        viewer.picture(partial(is_filled, *given))
    # Of a storm the last one stays.
    for width in range(400, 1300, 10):
        live.send({"type": "resize", "w": width, "h": 700})
    viewer.event(lambda data: data["viewport"] == {"w": 1290, "h": 700, "dpr": 1.0})
    viewer.picture(lambda image: image.size == (1290, 700))


def test_who_may_not_act_may_not_resize(box: RunningBox, api: httpx.Client, live: LiveClient) -> None:
    api.post("/v1/control", json={"action": "take"}).raise_for_status()
    live.send({"type": "resize", "w": 800, "h": 600})
    assert live.event("error")["code"] == "control_held"
    api.post("/v1/control", json={"action": "release"}).raise_for_status()
    with watching(box, token=token_for(box, "view")) as guest:
        guest.send({"type": "resize", "w": 800, "h": 600})
        assert guest.event("error")["code"] == "forbidden"
    assert api.get("/v1/desktop/display/info").json()["resolution"]["width"] == 1280


def test_without_the_setting_nobody_resizes() -> None:
    with running_box() as box, box.client() as client:
        client.post("/v1/desktop/start", json={"width": 640, "height": 480}).raise_for_status()
        with watching(box) as viewer:
            viewer.send({"type": "resize", "w": 400, "h": 300})
            refused = viewer.event("error")
            assert (refused["code"], "--live-resize" in refused["message"]) == ("conflict", True)
