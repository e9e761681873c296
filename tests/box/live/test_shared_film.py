"""Watching and filming are one encode: a film is made of the video that a viewer is sent, and goes on without it."""

import os
import signal
from collections.abc import Iterator
from io import BytesIO
from typing import Any

import av
import httpx2 as httpx
import pytest

from tests.box.live.client import watching
from tests.box.live.video import VideoClient, VideoFrame, is_near, streamers
from tests.processes import freeze
from tests.servers import RunningBox, running_box

START, STOP, LIST = "/v1/desktop/recording/start", "/v1/desktop/recording/stop", "/v1/desktop/recordings"
COLOURS = {"red": (255, 0, 0), "green": (0, 255, 0), "blue": (0, 0, 255), "white": (255, 255, 255)}
AT = (200, 250)


@pytest.fixture(scope="module")
def box() -> Iterator[RunningBox]:
    with running_box() as box, box.client() as client:
        client.post("/v1/desktop/start", json={"width": 800, "height": 600}).raise_for_status()
        yield box


@pytest.fixture
def api(box: RunningBox) -> Iterator[httpx.Client]:
    with box.client() as client:
        yield client
        client.post(STOP)
        for window in client.get("/v1/desktop/windows").json()["windows"]:
            client.post(f"/v1/desktop/windows/{window['id']}/close")


def show(api: httpx.Client, name: str) -> None:
    args = ["-geometry", "60x20+0+0", "-bg", f"rgb:{'/'.join(f'{part:02x}' for part in COLOURS[name])}"]
    api.post("/v1/desktop/launch", json={"app": "xterm", "args": args}).raise_for_status()


def film_shows(api: httpx.Client, name: str) -> None:
    """Until a picture of the screen has the colour there: then the film has, or will in a moment."""
    for _ in range(200):
        picture = api.get("/v1/desktop/screenshot", params={"format": "png"}).content
        with av.open(BytesIO(picture), "r") as file:
            image: Any = next(file.decode(video=0))
        if is_near(image.to_image().convert("RGB").getpixel(AT), COLOURS[name]):
            return
    raise AssertionError(f"the screen is not {name}")


def slices(annex_b: bytes) -> list[bytes]:
    """The pictures of an access unit, without what is said about them."""
    units = annex_b.replace(b"\0\0\0\1", b"\0\0\1").split(b"\0\0\1")[1:]
    return [unit for unit in units if unit[0] & 0x1F in (1, 5)]


def samples(film: bytes) -> set[bytes]:
    found: set[bytes] = set()
    with av.open(BytesIO(film), "r") as file:
        for packet in file.demux(video=0):
            data, place = bytes(packet), 0
            while place + 4 <= len(data):
                end = place + 4 + int.from_bytes(data[place : place + 4], "big")
                found.add(data[place + 4 : end])
                place = end
    return found


def colours_of(film: bytes) -> list[str]:
    """Which of them were seen at that place, in order.  Every frame decodes."""
    seen: list[str] = []
    with av.open(BytesIO(film), "r") as file:
        decoder: Any = file.streams.video[0].codec_context
        decoder.options = {"err_detect": "explode"}
        for frame in file.decode(video=0):
            shown: Any = frame
            image = shown.to_image()
            for name, colour in COLOURS.items():
                if is_near(image.getpixel(AT), colour) and seen[-1:] != [name]:
                    seen.append(name)
    return seen


def whole(api: httpx.Client) -> bytes:
    stopped = api.post(STOP).json()
    assert stopped["status"] == "completed", stopped
    film: bytes = api.get(f"{LIST}/{stopped['id']}/download").content
    return film


def in_film(film: bytes, frames: list[VideoFrame]) -> int:
    """How many of a viewer's frames are in the film, bit for bit."""
    kept = samples(film)
    return sum(all(one in kept for one in slices(frame.data)) for frame in frames)


def test_a_film_is_what_a_viewer_was_sent_and_goes_on_before_and_after(box: RunningBox, api: httpx.Client) -> None:
    api.post(START, json={"fps": 30}).raise_for_status()
    show(api, "red")
    film_shows(api, "red")
    with watching(box) as live:
        viewer = VideoClient(live, "h264")
        viewer.sees(*AT, COLOURS["red"])
        show(api, "blue")
        viewer.sees(*AT, COLOURS["blue"])
        for _ in range(4):
            # A still screen is sent to a film once a second.
            viewer.frame()
    show(api, "green")
    film_shows(api, "green")
    film = whole(api)
    assert colours_of(film) == ["red", "blue", "green"]
    # The first may have come before the film had the key frame it waited for.
    assert in_film(film, viewer.frames) >= len(viewer.frames) // 2 > 1


@pytest.mark.parametrize("how", ["killed", "paused"])
def test_a_film_outlives_the_video_it_is_made_of(box: RunningBox, api: httpx.Client, how: str) -> None:
    with watching(box) as live:
        viewer = VideoClient(live, "h264")
        viewer.picture()
        api.post(START, json={"fps": 30}).raise_for_status()
        show(api, "red")
        viewer.sees(*AT, COLOURS["red"])
        (streamer,) = streamers(box)
        if how == "killed":
            os.kill(streamer, signal.SIGKILL)
        else:
            freeze(streamer)
        show(api, "white")
        viewer.sees(*AT, COLOURS["white"])
        show(api, "green")
        viewer.sees(*AT, COLOURS["green"])
        film = whole(api)
    assert colours_of(film) == ["red", "white", "green"]
    assert in_film(film, viewer.frames) > 2
