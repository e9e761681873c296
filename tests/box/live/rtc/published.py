"""The published viewers, unchanged, in a real Chromium and a network of the test's own: what their tests share."""

import ctypes
import functools
import http.server
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2 as httpx
from playwright.sync_api import Page, sync_playwright

from belljar.dependencies import find_chromium
from tests.servers import RunningBox, running_box

_CLONE_NEWNET = 0x40000000
_NETWORK = (
    "ip link set lo up",
    "ip link add d0 type veth peer name d1",
    "ip link set d1 up",
    "ip addr add 10.77.0.2/24 dev d0",
    "ip link set d0 up",
)
RED = [255, 0, 0]


def in_own_network(run: Callable[[], None]) -> None:
    """Run it in a thread that has a network of its own, as has all that it starts."""
    failed: list[BaseException] = []

    def body() -> None:
        try:
            assert ctypes.CDLL(None, use_errno=True).unshare(_CLONE_NEWNET) == 0
            for command in _NETWORK:
                subprocess.run(command.split(), check=True, timeout=20)
            run()
        except BaseException as error:  # noqa: BLE001  # raised again where it is seen
            failed.append(error)

    thread = threading.Thread(target=body)
    thread.start()
    thread.join()
    if failed:
        raise failed[0]


@contextmanager
def serving(folder: Path) -> Iterator[str]:
    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, format: str, *args: Any) -> None:
            return

    handler = functools.partial(Quiet, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


@contextmanager
def viewer_page(folder: Path, *flags: str, **start: Any) -> Iterator[tuple[RunningBox, httpx.Client, Page]]:
    with (
        serving(folder) as origin,
        running_box("--cors-origin", origin, *flags) as box,
        box.client() as api,
        sync_playwright() as playwright,
    ):
        started = api.post("/v1/desktop/start", json={"width": 800, "height": 600, **start})
        assert started.status_code == 200, started.text
        chromium = playwright.chromium.launch(executable_path=find_chromium(), args=["--no-sandbox"])
        page = chromium.new_page()
        page.goto(f"{origin}/index.html")
        page.wait_for_function("() => globalThis.stream !== undefined")
        yield box, api, page
        chromium.close()


def show_red(api: httpx.Client) -> None:
    args = ["-geometry", "60x20+0+0", "-bg", "rgb:ff/00/00"]
    assert api.post("/v1/desktop/launch", json={"app": "xterm", "args": args}).status_code == 200


def until(is_true: Callable[[], Any], what: str) -> Any:
    end = time.monotonic() + 30
    while not (found := is_true()):
        assert time.monotonic() < end, f"never happened: {what}"
        time.sleep(0.02)
    return found


def sees(page: Page, x: int, y: int, colour: list[int]) -> None:
    def is_near() -> bool:
        seen = page.evaluate(f"colour({x}, {y})")
        return seen is not None and all(abs(a - b) < 40 for a, b in zip(seen, colour, strict=True))

    until(is_near, f"{colour} in the video")


def pointer(api: httpx.Client) -> tuple[int, int]:
    at = api.get("/v1/desktop/mouse/position").json()
    return at["x"], at["y"]
