"""The published `sandbox-agent` 0.4.2 and `@sandbox-agent/react` 0.4.2, unchanged, in a real Chromium.

All of it runs in a network namespace of the test's own: on a host with loopback alone Chromium would find no address to
come from, and on another it would tell the neighbours its names.
"""

import os
import random
import shutil
from pathlib import Path

import pytest

from tests.box.live.rtc.published import RED, in_own_network, pointer, sees, show_red, until, viewer_page
from tests.box.live.video import streamers
from tests.npm_clients import built_viewer

pytestmark = [
    pytest.mark.npm,
    pytest.mark.timeout(300),
    pytest.mark.skipif(os.geteuid() != 0 or shutil.which("ip") is None, reason="needs root, and ip, for a network"),
]


@pytest.mark.parametrize("codec", ["vp8", "h264"])
def test_connect_desktop_stream(tmp_path: Path, codec: str) -> None:
    built_viewer(tmp_path)

    def run() -> None:
        with viewer_page(tmp_path, streamVideoCodec=codec) as (box, api, page):
            page.evaluate(
                "([url, token]) => stream(url, token).then((s) => { globalThis.s = s })", [box.url, box.token]
            )
            show_red(api)
            sees(page, 200, 250, RED)
            until(lambda: page.evaluate("heard.connected") == 1, "onConnect")
            chosen = random.Random(17)
            for _ in range(100):
                x, y = chosen.randrange(800), chosen.randrange(600)
                page.evaluate("([x, y]) => { s.moveMouse(x, y) }", [x, y])
                until(lambda x=x, y=y: pointer(api) == (x, y), f"the pointer at {x}, {y}")  # type: ignore[misc]
            page.evaluate("() => { s.mouseDown('left', 200, 200); s.mouseUp('left', 200, 200) }")
            for character in "printf '\\033[?5h'":
                page.evaluate("(key) => { s.keyDown(key); s.keyUp(key) }", character)
            page.evaluate("() => { s.keyDown('Enter'); s.keyUp('Enter') }")
            sees(page, 300, 250, [0, 0, 0])
            assert page.evaluate("heard.errors") == []
            page.evaluate("s.close()")
            until(lambda: api.get("/health").json()["viewers"] == 0, "the viewer has gone")

    in_own_network(run)


def test_desktop_viewer_mounts_and_leaves_nothing(tmp_path: Path) -> None:
    built_viewer(tmp_path)

    def run() -> None:
        with viewer_page(tmp_path) as (box, api, page):
            show_red(api)
            for number in range(20):
                page.evaluate(
                    "([url, token]) => mount(url, token).then((end) => { globalThis.end = end })", [box.url, box.token]
                )
                until(lambda number=number: page.evaluate("heard.connected") == number + 1, "onConnect")  # type: ignore[misc]
                if number == 0:
                    sees(page, 200, 250, RED)
                    until(lambda: page.evaluate("document.querySelector('video').videoWidth") == 800, "the video")
                    shown = page.locator("video").bounding_box()
                    assert shown is not None
                    # In the middle of the video is the middle of the screen.
                    page.mouse.move(shown["x"] + shown["width"] / 2, shown["y"] + shown["height"] / 2)
                    until(lambda: max(abs(pointer(api)[0] - 400), abs(pointer(api)[1] - 300)) <= 1, "the pointer")
                page.evaluate("end()")
                until(lambda: api.get("/health").json()["viewers"] == 0, "the viewer has gone")
            assert page.evaluate("heard.errors") == []
            until(lambda: not streamers(box), "the streamer ends")

    in_own_network(run)
