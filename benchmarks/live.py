"""What the live view's benchmarks share: a box with an animated page, viewers, and Chromium's bare screencast."""

import json
import os
import struct
import tempfile
import time
from base64 import b64encode
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from io import BytesIO
from pathlib import Path
from typing import Any

import anyio
import httpx2 as httpx
from PIL import Image
from websockets.asyncio.client import ClientConnection, connect

from belljar.box.browser import open_browser
from belljar.box.browser.cdp.events import ScreencastFrame
from belljar.box.browser.page.page import Page
from belljar.box.display import open_display
from belljar.box.sandbox.folders import claim_user, make_folders
from belljar.wire.browser.lifecycle import StartRequest
from tests.processes import processes_as
from tests.servers import RunningBox, running_box

# 1280 by 720, scrolling text and a moving box; still until it is told to go.
_HTML = """<!doctype html><title>Moving</title>
<style>body { margin: 0; overflow: hidden; background: #fff } pre { margin: 0; font-size: 15px }
#box { position: absolute; width: 160px; height: 160px; background: #c33 }</style><pre id=text></pre><div id=box></div>
<script>
let frame = 0, going = false;
function step() {
  if (!going) return;
  frame++;
  box.style.transform = `translate(${(frame * 7) % 1120}px, ${(frame * 3) % 560}px)`;
  text.textContent = Array.from({ length: 36 }, (_, row) =>
    `${row + frame} the quick brown fox jumps over the lazy dog ${(row * frame) % 9973}`).join("\\n");
  requestAnimationFrame(step);
}
function go() { if (!going) { going = true; step() } return frame }
function halt() { going = false; return frame }
addEventListener("mousedown", () => { document.body.style.background = document.body.style.background ? "" : "#000" });
</script>"""
PAGE = "data:text/html;base64," + b64encode(_HTML.encode()).decode()
START = {"kiosk": True, "width": 1280, "height": 720}


class Watcher:
    """A viewer that acknowledges what it gets; `stalled` ones read nothing."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.frames = 0
        self.has_seen = anyio.Event()
        self.on_frame: Callable[[bytes], None] = lambda jpeg: None
        self._results: dict[int, Any] = {}
        self._came = anyio.Event()
        self._number = 0

    async def read(self) -> None:
        async for message in self.socket:
            if isinstance(message, bytes):
                self.frames += 1
                self.has_seen.set()
                self.on_frame(message[16:])
                (timestamp,) = struct.unpack(">d", message[8:16])
                await self.socket.send(json.dumps({"type": "ack", "timestamp": timestamp}))
                continue
            told = json.loads(message)
            if told["type"] == "result":
                self._results[told["id"]] = told
                self._came.set()
                self._came = anyio.Event()

    async def call(self, method: str, **params: Any) -> Any:
        self._number += 1
        id = self._number
        await self.socket.send(json.dumps({"id": id, "type": "cmd", "method": method, "params": params}))
        with anyio.fail_after(30):
            while id not in self._results:
                await self._came.wait()
        told = self._results.pop(id)
        assert told["ok"], told
        return told["result"]

    async def click(self) -> None:
        for action in ("down", "up"):
            event = {"type": "input", "device": "mouse", "action": action, "x": 1200, "y": 700, "button": "left"}
            await self.socket.send(json.dumps(event))


@asynccontextmanager
async def watching(box: RunningBox) -> AsyncIterator[Watcher]:
    address = box.url.replace("http", "ws") + "/v1/live"
    async with connect(
        address,
        additional_headers=box.headers,
        subprotocols=["belljar.binary"],  # type: ignore[list-item]  # plain strings
        max_size=None,
        compression=None,
    ) as socket:
        watcher = Watcher(socket)
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(watcher.read)
            yield watcher
            tasks.cancel_scope.cancel()


@asynccontextmanager
async def box_with_page(*flags: str) -> AsyncIterator[RunningBox]:
    with running_box("--live-command-rate", "100000", *flags) as box:
        rest(box, "/v1/browser/start", START)
        rest(box, "/v1/browser/navigate", {"url": PAGE})
        yield box


async def watch_frames(box: RunningBox, count: int, window: float) -> tuple[float, int]:
    """Seconds a frame at the slowest of so many viewers of the moving page, and how many frames it has drawn in all."""
    async with AsyncExitStack() as stack:
        watchers = [await stack.enter_async_context(watching(box)) for _ in range(count)]
        await watchers[0].call("evaluate", expression="go()")
        took = await seconds_per_frame(lambda: min(watcher.frames for watcher in watchers), window)
        drawn = await watchers[0].call("evaluate", expression="halt()")
    return took, drawn["result"]


def rest(box: RunningBox, path: str, body: object) -> Any:
    answer = httpx.post(box.url + path, json=body, headers=box.headers, timeout=60)
    assert answer.status_code == 200, answer.text
    return answer.json()


def script(box: RunningBox, expression: str) -> Any:
    return rest(box, "/v1/browser/execute", {"expression": expression})["result"]


@asynccontextmanager
async def bare_page() -> AsyncIterator[Page]:
    """A page of a Chromium that we drive by CDP, with no server between."""
    with (
        claim_user() as user,
        make_folders(user) as folders,
        tempfile.TemporaryDirectory(prefix="belljar-bench-", ignore_cleanup_errors=True) as folder,
    ):
        os.chmod(folder, 0o711)
        async with (
            processes_as(user) as processes,
            open_display(processes, user) as display,
            open_browser(processes, display, folders, Path(folder)) as browser,
        ):
            await browser.start(StartRequest.model_validate(START))
            page = browser.instance.tabs.active
            await page.session.send("Page.navigate", url=PAGE)
            await page.session.send("Runtime.evaluate", expression="1")
            yield page


@asynccontextmanager
async def bare_screencast(page: Page, on_frame: Callable[[str], None]) -> AsyncIterator[None]:
    """Chromium's screencast with every frame acknowledged at once: as fast as it gets."""

    def arrived(frame: ScreencastFrame) -> None:
        page.session.tell("Page.screencastFrameAck", sessionId=frame.session_id)
        on_frame(frame.data)

    off = page.session.on(ScreencastFrame, arrived)
    await page.session.send("Page.startScreencast", format="jpeg", quality=80, maxWidth=1920, maxHeight=1080)
    yield
    off()
    await page.session.send("Page.stopScreencast")


def is_dark(jpeg: bytes) -> bool:
    """Whether the page's ground is black, looked at in an eighth of its size."""
    image = Image.open(BytesIO(jpeg))
    image.draft("L", (160, 90))
    pixel = image.convert("L").getpixel((image.width - 20, image.height - 10))
    return isinstance(pixel, (int, float)) and pixel < 128


def cpu_seconds(pid: int) -> float:
    """User and system time of a process and all its children that live."""
    total = 0.0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(stat.parent.name) == pid or _is_below(int(fields[1]), pid):
            total += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return total


def _is_below(parent: int, ancestor: int) -> bool:
    while parent > 1:
        if parent == ancestor:
            return True
        try:
            parent = int(Path(f"/proc/{parent}/stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            return False
    return False


def resident_mb(pid: int) -> float:
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return round(pages * os.sysconf("SC_PAGE_SIZE") / 1e6, 1)


async def seconds_per_frame(count: Callable[[], int], seconds: float) -> float:
    """Watch for `seconds`; how long one frame took."""
    before, began = count(), time.perf_counter()
    await anyio.sleep(seconds)
    return (time.perf_counter() - began) / max(1, count() - before)
