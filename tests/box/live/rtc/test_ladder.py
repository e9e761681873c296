"""The viewer page in a real Chromium while its network comes and goes: by WebRTC, over the socket, and by WebRTC again.

In a network of the test's own: viewers reach the stream at an address that can be taken away, and the page on loopback.
"""

import os
import shutil
import subprocess

import httpx2 as httpx
import pytest
from playwright.sync_api import Page, sync_playwright

from belljar.dependencies import find_chromium
from tests.box.live.rtc.published import in_own_network, show_red, until
from tests.servers import running_box

pytestmark = [
    pytest.mark.timeout(180),
    pytest.mark.skipif(os.geteuid() != 0 or shutil.which("ip") is None, reason="needs root, and ip, for a network"),
]
ADDRESS = "10.77.0.2"
# How the picture comes, as the page tells it.
WATCH = """() => {
  const stage = document.getElementById("stage"), picture = document.getElementById("picture");
  globalThis.ways = [stage.dataset.transport];
  const note = () => ways.push(stage.dataset.transport);
  new MutationObserver(note).observe(stage, { attributeFilter: ["data-transport"] });
  globalThis.colour = (x, y) => [...picture.getContext("2d").getImageData(x, y, 1, 1).data].slice(0, 3);
}"""


def ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, timeout=20)


def way(page: Page) -> str:
    return str(page.evaluate("ways.at(-1)"))


def sees(page: Page, colour: list[int]) -> None:
    def is_near() -> bool:
        return all(abs(a - b) < 60 for a, b in zip(page.evaluate("colour(300, 250)"), colour, strict=True))

    until(is_near, f"{colour} on the page")


def turn_over(api: httpx.Client, code: str) -> None:
    """The terminal's colours, by what is typed into it."""
    api.post("/v1/desktop/mouse/click", json={"x": 200, "y": 200})
    api.post("/v1/desktop/keyboard/type", json={"text": f"printf '\\033[?5{code}'\n"})


def test_udp_comes_and_goes_and_there_is_always_a_picture() -> None:
    def run() -> None:
        with (
            running_box("--webrtc", "public", "--webrtc-address", ADDRESS) as box,
            box.client() as api,
            sync_playwright() as playwright,
        ):
            assert api.post("/v1/desktop/start", json={"width": 800, "height": 600}).status_code == 200
            show_red(api)
            chromium = playwright.chromium.launch(executable_path=find_chromium(), args=["--no-sandbox"])
            page = chromium.new_page()
            page.goto(api.post("/v1/live/links", json={"role": "view"}).json()["link"])
            page.evaluate(WATCH)
            until(lambda: way(page) == "webrtc", "video by WebRTC")
            sees(page, [255, 0, 0])
            ip("addr", "del", f"{ADDRESS}/24", "dev", "d0")
            until(lambda: way(page) == "webcodecs", "video over the socket")
            turn_over(api, "h")
            sees(page, [0, 0, 0])
            ip("addr", "add", f"{ADDRESS}/24", "dev", "d0")
            until(lambda: way(page) == "webrtc", "WebRTC again")
            turn_over(api, "l")
            sees(page, [255, 0, 0])
            assert api.get("/health").json()["viewers"] == 1
            chromium.close()

    in_own_network(run)
