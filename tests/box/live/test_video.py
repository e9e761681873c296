"""The display as video over the live socket: one encoder for all, nothing encoded in vain, and back after a kill."""

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import httpx2 as httpx
import pytest

from tests.box.live.client import LiveClient, token_for, watching
from tests.box.live.video import VideoClient, is_near, streamers
from tests.processes import eventually, freeze
from tests.servers import RunningBox, running_box
from tests.site import running_site

RED, BLUE = (255, 0, 0), (0, 0, 255)
FORMATS = ["h264", "vp8"]


@pytest.fixture(scope="module")
def box() -> Iterator[RunningBox]:
    with running_box() as box, box.client() as client:
        started = client.post("/v1/desktop/start", json={"width": 800, "height": 600})
        assert started.status_code == 200, started.text
        yield box


@pytest.fixture
def api(box: RunningBox) -> Iterator[httpx.Client]:
    with box.client() as client:
        yield client
        for window in client.get("/v1/desktop/windows").json()["windows"]:
            client.post(f"/v1/desktop/windows/{window['id']}/close")


@pytest.fixture
def live(box: RunningBox) -> Iterator[LiveClient]:
    with watching(box) as client:
        yield client


def show(api: httpx.Client, colour: str) -> None:
    """A terminal of that colour in the upper left corner."""
    args = ["-geometry", "60x20+0+0", "-bg", colour]
    launched = api.post("/v1/desktop/launch", json={"app": "xterm", "args": args})
    assert launched.status_code == 200, launched.text


@pytest.mark.parametrize("format", FORMATS)
def test_the_display_is_seen_as_video(api: httpx.Client, live: LiveClient, format: str) -> None:
    viewer = VideoClient(live, "av2", format)
    told = viewer.event()
    codec = {"h264": "avc1.42e01f", "vp8": "vp8"}[format]
    assert told == {"format": format, "codec": codec, "viewport": {"w": 800, "h": 600, "dpr": 1.0}}
    viewer.picture()
    first = viewer.frames[0]
    assert (first.kind, first.is_key, first.is_small, first.w, first.h) == (format, True, False, 800, 600)
    show(api, "rgb:ff/00/00")
    viewer.sees(200, 250, RED)
    stamps = [frame.timestamp for frame in viewer.frames]
    assert stamps == sorted(set(stamps))
    # Pictures again.
    live.send({"type": "video", "codecs": []})
    assert viewer.event(lambda data: data["format"] == "jpeg") == {"format": "jpeg"}
    while viewer.read() is not None or not live.has_frame:
        pass
    assert live.frame().is_near(200, 250, RED)


def test_all_viewers_share_one_encoder_and_each_begins_with_a_key_frame(
    box: RunningBox, api: httpx.Client, live: LiveClient
) -> None:
    first = VideoClient(live, "h264")
    assert first.frame().is_key
    with watching(box) as another:
        second = VideoClient(another, "h264", "vp8")
        second.picture()
        assert second.frames[0].is_key
        assert len(streamers(box)) == 1
        show(api, "rgb:00/00/ff")
        second.sees(200, 250, BLUE)
        # What one has, the other has to the byte.
        last = second.frames[-1]
        while (seen := first.frame()).timestamp < last.timestamp:
            pass
        assert (seen.timestamp, seen.data) == (last.timestamp, last.data)


def test_nothing_is_sent_while_nothing_moves_and_no_key_frame_comes_by_the_clock(live: LiveClient) -> None:
    viewer = VideoClient(live, "h264")
    viewer.frame()
    with pytest.raises(TimeoutError):
        # What sharpens the picture comes first, and events come on.
        while len(viewer.frames) < 50:
            viewer.frame(timeout=3)
    assert len(viewer.frames) <= 6, [frame.is_key for frame in viewer.frames]


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGSTOP])
def test_the_picture_is_back_after_its_process_was_killed_or_stopped(
    box: RunningBox, api: httpx.Client, live: LiveClient, how: signal.Signals
) -> None:
    viewer = VideoClient(live, "h264")
    viewer.picture()
    (pid,) = streamers(box)
    if how is signal.SIGSTOP:
        freeze(pid)
    else:
        os.kill(pid, how)
    show(api, "rgb:ff/00/00")
    before = len(viewer.frames)
    viewer.sees(200, 250, RED)
    assert any(frame.is_key for frame in viewer.frames[before:])
    assert streamers(box) and pid not in streamers(box)


def test_who_may_only_watch_has_video_and_cannot_act(box: RunningBox, api: httpx.Client) -> None:
    with watching(box, token=token_for(box, "view")) as live:
        viewer = VideoClient(live, "vp8")
        assert viewer.frame().is_key
        api.post("/v1/desktop/mouse/move", json={"x": 10, "y": 20})
        live.mouse("move", 300, 300)
        assert live.event("error")["code"] == "forbidden"
        position = api.get("/v1/desktop/mouse/position").json()
        assert (position["x"], position["y"]) == (10, 20)


@pytest.mark.parametrize(
    ("is_binary", "codecs", "reason"),
    [
        (True, ["av1", "h265"], "of the codecs asked for none is made here; there are h264, vp8"),
        (False, ["h264"], "video needs the subprotocol belljar.binary"),
    ],
)
def test_where_there_is_no_video_it_says_why_and_pictures_go_on(
    box: RunningBox, is_binary: bool, codecs: list[str], reason: str
) -> None:
    with watching(box, is_binary=is_binary) as live:
        live.send({"type": "video", "codecs": codecs})
        assert live.event("video") == {"format": "jpeg", "reason": reason}
        frame = live.frame()
        assert (frame.w, frame.h) == (800, 600)


def test_a_resized_display_goes_on_in_its_new_size(api: httpx.Client, live: LiveClient) -> None:
    viewer = VideoClient(live, "h264")
    viewer.picture()
    assert api.post("/v1/desktop/display/resize", json={"width": 641, "height": 480}).status_code == 200
    try:
        # Video has even sides.
        assert viewer.picture(lambda image: image.size == (640, 480)).size == (640, 480)
        assert viewer.event(lambda data: data["viewport"]["w"] == 640)["codec"] == "avc1.42e01e"
        assert (viewer.frames[-1].w, viewer.frames[-1].h) == (640, 480)
    finally:
        assert api.post("/v1/desktop/display/resize", json={"width": 800, "height": 600}).status_code == 200
    viewer.picture(lambda image: image.size == (800, 600))


def test_its_process_ends_when_nobody_has_watched_for_a_while_and_the_server_is_small_again(box: RunningBox) -> None:
    for format in ("h264", "vp8"):
        with watching(box) as live, watching(box) as other:
            live.frame()
            assert VideoClient(live, format).frame().is_key
            assert VideoClient(other, format, surface={"w": 200, "h": 150}).frame().is_key
            assert streamers(box)
    eventually(lambda: not streamers(box), "the streamer ends")
    lines = Path(f"/proc/{box.process.pid}/smaps_rollup").read_text().splitlines()
    # As DESIGN has it of a server that has been used.
    assert sum(int(line.split()[1]) for line in lines if line.startswith("Private_")) <= 75_000


def test_a_headless_browser_is_shown_in_pictures_and_a_headful_one_as_video_without_asking_again() -> None:
    with running_box() as box, box.client() as api, watching(box) as live:
        viewer = VideoClient(live, "h264")
        assert viewer.event() == {"format": "jpeg", "reason": "nothing is running"}
        assert api.post("/v1/browser/start", json={"headless": True}).status_code == 200
        told = viewer.event()
        assert told == {"format": "jpeg", "reason": "there is no display: a headless browser has none"}
        assert live.frame().dpr == 1
        assert not streamers(box)
        assert api.post("/v1/browser/stop").status_code == 200
        assert api.post("/v1/browser/start", json={"width": 800, "height": 600}).status_code == 200
        assert viewer.event(lambda data: data["format"] == "h264")["viewport"] == {"w": 800, "h": 600, "dpr": 1.0}
        page = (
            "data:text/html,<body style='background:red;margin:0;height:100vh' "
            'onclick="document.body.style.background=\'blue\'" onkeydown="document.title = event.key">'
        )
        assert api.post("/v1/browser/navigate", json={"url": page}).status_code == 200
        viewer.sees(400, 400, RED)
        # Chromium's own tabs and buttons are seen too, and input goes to the display.
        top = viewer.picture().getpixel((400, 5))
        assert not is_near(top, RED)
        live.mouse("move", 400, 400)
        live.mouse("down", 400, 400, button="left")
        live.mouse("up", 400, 400, button="left")
        # Beside the pointer, which is drawn in.
        viewer.sees(300, 300, BLUE)
        live.key("keydown", "q", "KeyQ")
        live.key("keyup", "q", "KeyQ")
        live.until_value("document.title", lambda title: title == "q")


@pytest.mark.timeout(90)
def test_who_cannot_keep_up_gets_a_smaller_rendition_and_never_old_frames() -> None:
    with running_box() as box, box.client() as api, running_site() as site, watching(box) as live:
        assert api.post("/v1/browser/start", json={"width": 800, "height": 600}).status_code == 200
        assert api.post("/v1/browser/navigate", json={"url": site.url("live/moving.html")}).status_code == 200
        viewer = VideoClient(live, "h264")
        viewer.picture()
        # A viewer that says every fifth of a second that it has decoded one more.
        viewer.acks_every = 0.2
        viewer.picture(lambda image: image.size == (400, 300))
        first = next(frame for frame in viewer.frames if frame.is_small)
        assert (first.is_key, first.w, first.h) == (True, 800, 600)
        # The server has dropped what waited; what comes is as new as the connection allows.
        assert time.time() * 1000 - viewer.frames[-1].timestamp < 5000
        assert viewer.event(lambda data: data["rendition"] == "small", "stats")["droppedFrames"] > 0
