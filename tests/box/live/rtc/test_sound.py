"""Sound of a page: heard by WebRTC where it was asked for, and not even played where it was not."""

import math
from array import array
from collections.abc import Iterator, Sequence
from statistics import median
from typing import Any

import anyio
import anyio.to_thread
import httpx2 as httpx
import pytest

from tests.box.live.rtc.client import NekoClient, neko, on_loopback
from tests.servers import RunningBox, running_box

__all__ = ["on_loopback"]
pytestmark = pytest.mark.usefixtures("on_loopback")
TONE = 1000
PAGE = f"""data:text/html,<button id=play onclick="
    const context = new AudioContext(), tone = context.createOscillator();
    tone.frequency.value = {TONE}; tone.connect(context.destination); tone.start()">play</button>"""
RANGE = "59600-59639"


@pytest.fixture(scope="module")
def box() -> Iterator[RunningBox]:
    with running_box() as box:
        yield box


def start(api: httpx.Client, **more: Any) -> None:
    api.post("/v1/browser/stop").raise_for_status()
    api.post("/v1/browser/start", json={"webrtcPortRange": RANGE, **more}).raise_for_status()
    api.post("/v1/browser/navigate", json={"url": PAGE}).raise_for_status()


def strength(samples: Sequence[int], rate: float, frequency: float) -> float:
    """How much of the samples' power is at this frequency, of 1 (Goertzel's way)."""
    turn = 2 * math.cos(2 * math.pi * frequency / rate)
    before = last = 0.0
    for sample in samples:
        before, last = last, sample + turn * last - before
    power = before**2 + last**2 - turn * before * last
    whole = sum(sample**2 for sample in samples) * len(samples) / 2
    return power / whole if whole else 0.0


async def hears(viewer: NekoClient, frequency: float) -> None:
    """Until most pieces of half a second are that tone: on a busy machine some are cut."""
    right: list[float] = []
    wrong: list[float] = []
    with anyio.fail_after(20):
        while len(right) < 25 or median(right[-25:]) < 0.9:
            frame = await viewer.sound()
            channels = len(frame.layout.channels)
            samples = array("h", bytes(frame.planes[0])[: frame.samples * channels * 2])[::channels]
            right.append(strength(samples, frame.sample_rate, frequency))
            wrong.append(strength(samples, frame.sample_rate, frequency * 1.5))
    assert median(wrong[-25:]) < 0.05


@pytest.mark.parametrize("codec", ["opus", "g722"])
async def test_a_pages_tone_is_heard(box: RunningBox, codec: str) -> None:
    with box.client() as api:
        start(api, streamAudioCodec=codec)
        async with neko(box) as viewer:
            await viewer.watch()
            assert viewer.has_sound
            clicked = await anyio.to_thread.run_sync(
                lambda: api.post("/v1/browser/click", json={"selector": "button"}).status_code
            )
            assert clicked == 200
            await hears(viewer, TONE)
            await viewer.frame()


async def test_there_is_no_sound_unless_it_is_asked_for(box: RunningBox) -> None:
    with box.client() as api:
        start(api)
        processes = api.get("/v1/processes").json()["processes"]
        running = [one["command"] for one in processes if one["status"] == "running"]
        assert "Xvfb" in running and "pulseaudio" not in running
        async with neko(box) as viewer:
            await viewer.watch()
            assert not viewer.has_sound
            await viewer.frame()
        refused = api.post("/v1/desktop/start", json={"streamAudioCodec": "mp3"})
        assert refused.status_code == 422
