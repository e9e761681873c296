"""Video over the live socket in a real Chromium: decoded by WebCodecs as the reference says, and seen to move."""

from collections.abc import AsyncIterator, Iterator
from typing import Any

import anyio
import httpx2 as httpx
import pytest

from belljar.box.browser import Browser
from belljar.box.browser.page.frames import World
from belljar.box.browser.page.navigation import navigate
from belljar.box.browser.page.page import Page
from belljar.wire.browser.common import WaitUntil
from belljar.wire.browser.lifecycle import StartRequest
from tests.box.browser.conftest import running_browser
from tests.box.live.client import PATIENCE
from tests.servers import RunningBox, running_box
from tests.site import Site, running_site

# A viewer in thirty lines: what docs/reference/live.md says of decoding, and nothing else.
VIEWER = """
(token, codecs) => {
  const seen = globalThis.seen = { events: [], drawn: 0, keys: 0, bytes: 0, errors: [], late: 0 };
  const canvas = globalThis.canvas = new OffscreenCanvas(1, 1);
  const context = canvas.getContext("2d", { willReadFrequently: true });
  const socket = new WebSocket(`ws://${location.host}/v1/live`, ["belljar.binary", `belljar.bearer.${token}`]);
  socket.binaryType = "arraybuffer";
  let decoder;
  socket.onopen = () => socket.send(JSON.stringify({ type: "video", codecs }));
  socket.onmessage = ({ data }) => {
    if (typeof data === "string") {
      const { name, data: said } = JSON.parse(data);
      if (name !== "video") return;
      seen.events.push(said);
      decoder?.close();
      decoder = new VideoDecoder({
        output: (frame) => {
          [canvas.width, canvas.height] = [frame.displayWidth, frame.displayHeight];
          context.drawImage(frame, 0, 0);
          frame.close();
          seen.drawn++;
        },
        error: (error) => seen.errors.push(String(error)),
      });
      decoder.configure({ codec: said.codec, optimizeForLatency: true });
      return;
    }
    const head = new DataView(data);
    if (head.getUint8(0) < 2 || decoder === undefined) return;
    const isKey = (head.getUint8(1) & 2) !== 0, timestamp = head.getFloat64(8);
    seen.keys += isKey;
    seen.bytes += data.byteLength;
    decoder.decode(new EncodedVideoChunk({
      type: isKey ? "key" : "delta", timestamp: Math.round(timestamp * 1000), data: new Uint8Array(data, 16),
    }));
    socket.send(JSON.stringify({ type: "ack", timestamp }));
  };
}
"""


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with running_site() as site:
        yield site


@pytest.fixture(scope="module")
def box() -> Iterator[RunningBox]:
    with running_box() as box, box.client() as client:
        assert client.post("/v1/browser/start", json={"width": 800, "height": 600}).status_code == 200
        yield box


@pytest.fixture
async def screen(anyio_backend: object) -> AsyncIterator[Page]:
    """A page of the Chromium that a person would sit at."""
    async with running_browser() as browser:
        await browser.start(StartRequest(headless=True))
        yield await _page(browser)


async def _page(browser: Browser) -> Page:
    return await browser.instance.tabs.create()


async def ask(page: Page, expression: str) -> Any:
    return await page.main.evaluate(expression, world=World.MAIN)


async def until(page: Page, expression: str, what: str) -> Any:
    with anyio.move_on_after(PATIENCE):
        while not (found := await ask(page, expression)):
            pass
        return found
    raise AssertionError(f"never happened: {what}; {await ask(page, 'JSON.stringify(seen)')}")


AREA = "canvas.getContext('2d').getImageData(50, 150, 500, 300).data"


def pixel(x: int, y: int) -> str:
    return f"[...canvas.getContext('2d').getImageData({x}, {y}, 1, 1).data].slice(0, 3)"


def is_near(x: int, y: int, colour: tuple[int, int, int]) -> str:
    """Not exactly: encoders blur."""
    return f"{pixel(x, y)}.every((value, i) => Math.abs(value - {list(colour)}[i]) < 30)"


@pytest.mark.parametrize("codec", ["h264", pytest.param("vp8", marks=pytest.mark.soak)])
async def test_a_page_decodes_it_and_sees_what_moves(box: RunningBox, site: Site, screen: Page, codec: str) -> None:
    await navigate(screen, f"{box.url}/healthz", WaitUntil.LOAD)
    with box.client() as api:
        _show(api, "data:text/html,<body style='background:rgb(200,40,40);margin:0;height:100vh'>")
        await ask(screen, f"({VIEWER})({box.token!r}, [{codec!r}])")
        # The colours are those of the page, not nearly those.
        await until(screen, is_near(400, 400, (200, 40, 40)), "the page's colour")
        _show(api, "data:text/html,<body style='background:rgb(20,90,220);margin:0;height:100vh'>")
        await until(screen, is_near(400, 400, (20, 90, 220)), "the next page's colour")
        _show(api, site.url("live/moving.html"))
        drawn = await ask(screen, "seen.drawn")
        await until(screen, f"seen.drawn > {drawn} + 40", "frames of what moves")
        await ask(screen, f"globalThis.first = {AREA}")
        await until(screen, f"{AREA}.some((value, i) => Math.abs(value - first[i]) > 60)", "another picture")
        said = await ask(screen, "seen")
    assert (said["errors"], said["events"][0]["format"]) == ([], codec)
    # One to begin with; a key frame for each of the others would be pictures again.
    assert said["keys"] < said["drawn"] / 10


def _show(api: httpx.Client, url: str) -> None:
    assert api.post("/v1/browser/navigate", json={"url": url}).status_code == 200
