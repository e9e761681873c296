"""Pages with more than one device pixel for each of theirs: viewers that are that large see each of them."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import httpx2 as httpx
import pytest
from PIL.Image import Image

from tests.box.live.client import Frame, LiveClient, watching
from tests.box.live.video import VideoClient
from tests.processes import eventually
from tests.servers import RunningBox, running_box

# At two device pixels a pixel each stripe is one of them wide.
STRIPES = (
    "data:text/html,<style>html,body{margin:0;height:100%25;"
    "background:repeating-linear-gradient(90deg,%23000 0 .5px,%23fff .5px 1px)}</style>"
    "<script>clicks = []; onmousedown = (event) => clicks.push([event.clientX, event.clientY])</script>"
)


@pytest.fixture(scope="module")
def box() -> Iterator[RunningBox]:
    with running_box() as box:
        yield box


@pytest.fixture
def api(box: RunningBox) -> Iterator[httpx.Client]:
    with box.client() as client:
        yield client
        client.post("/v1/browser/stop")


def start(api: httpx.Client, **asked: Any) -> dict[str, Any]:
    answer = api.post("/v1/browser/start", json=asked)
    assert answer.is_success, answer.text
    api.post("/v1/browser/navigate", json={"url": STRIPES}).raise_for_status()
    status: dict[str, Any] = answer.json()
    return status


def resolves(image: Image) -> bool:
    """Whether neighbours in the picture's middle are black and white by turns."""
    grey = image.convert("L")
    left, top = grey.width // 2, grey.height * 3 // 4
    row = grey.crop((left, top, left + 32, top + 1)).tobytes()
    return all(abs(one - other) > 120 for one, other in pairwise(row))


def wish(live: LiveClient, width: float, height: float) -> None:
    live.send({"type": "video", "codecs": ["h264"], "surface": {"w": width, "h": height}})


def test_pictures_have_a_pages_device_pixels_for_a_viewer_that_is_that_large(
    box: RunningBox, api: httpx.Client
) -> None:
    status = start(api, headless=True, viewport={"width": 1280, "height": 720, "deviceScaleFactor": 2})
    assert status["viewport"] == {"w": 1280, "h": 720, "dpr": 2.0}
    with watching(box, is_binary=True) as live:

        def has(scale: float, width: int) -> Frame:
            return live.frame(
                lambda frame: (frame.w, frame.h, frame.dpr, frame.picture_width) == (1280, 720, scale, width)
            )

        # As large as pictures are for who says nothing, and it says how large that is.
        assert not resolves(has(1.5, 1920).image)
        wish(live, 2560, 1440)
        assert resolves(has(2, 2560).image)
        # A window however large gets no more than there is.
        wish(live, 100_000, 100_000)
        live.call("evaluate", expression="document.body.append('more')")
        assert resolves(has(2, 2560).image)
        live.mouse("down", 600, 500, button="left", surface={"w": 2560, "h": 1440})
        live.mouse("up", 600, 500, button="left", surface={"w": 2560, "h": 1440})
        assert live.until_value("clicks", lambda clicks: len(clicks) > 0) == [[300, 250]]


def test_a_display_has_a_pages_device_pixels_and_video_shows_them(box: RunningBox, api: httpx.Client) -> None:
    status = start(api, viewport={"width": 640, "height": 400, "deviceScaleFactor": 2})
    assert status["viewport"] == {"w": 640, "h": 400, "dpr": 2.0}
    assert status["resolution"]["width"] == 1280
    with watching(box, is_binary=True) as live:
        viewer = VideoClient(live, "h264", crop="page")
        told = viewer.event(lambda data: data.get("crop", {}).get("h") == 800)
        assert told["viewport"] == {"w": 1280, "h": 800, "dpr": 1.0}
        viewer.picture(lambda image: image.size == (1280, 800) and resolves(image))
        for action in ("move", "down", "up"):
            live.mouse(action, 600, 500, button="left")
        eventually(lambda: live.value("clicks") == [[300, 250]], "the click")


def test_a_display_whose_size_was_given_has_fewer_pixels_and_its_frames_say_so(
    box: RunningBox, api: httpx.Client
) -> None:
    viewport = {"width": 640, "height": 400, "deviceScaleFactor": 2}
    status = start(api, width=800, height=600, viewport=viewport)
    assert (status["resolution"]["width"], status["viewport"]["dpr"]) == (800, 2.0)
    with watching(box, is_binary=True) as live:
        viewer = VideoClient(live, "h264")
        assert viewer.event(lambda data: data["format"] == "h264")["viewport"] == {"w": 800, "h": 600, "dpr": 1.0}


@pytest.mark.parametrize("extent", ["0", "-1", "1e9", "1e999", "NaN", "-Infinity", '"wide"', "null", "[]", "{}"])
def test_a_window_that_there_cannot_be_is_refused(box: RunningBox, api: httpx.Client, extent: str) -> None:
    with watching(box) as live:
        live.socket.send(f'{{"type": "video", "codecs": ["h264"], "surface": {{"w": {extent}, "h": 100}}}}')
        assert live.event("error")["code"] == "message_refused"
        live.socket.send(f'{{"type": "resize", "w": 100, "h": {extent}}}')
        assert live.event("error")["code"] == "message_refused"
        live.send({"type": "ping", "t": 1})
        assert live.wait(lambda message: message["type"] == "pong") == {"type": "pong", "t": 1}
