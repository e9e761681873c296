"""The desktop against the reference server: pictures, mouse, keyboard, windows, start.

Both show the same picture on the same screen with the same terminal open, and are asked in turns over a kept
connection and the standard library's HTTP client, whose part is the same for both.
"""

import json
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractContextManager, asynccontextmanager, contextmanager
from http.client import HTTPConnection, RemoteDisconnected
from pathlib import Path
from typing import Any

from PIL import Image, ImageDraw

from benchmarks.harness import Action, Benchmark, Contender, Took, Unavailable, run
from benchmarks.reference import running_reference
from tests.servers import TOKEN, running_box

TEXT = "The quick brown fox jumps over the lazy dog, 0123456789 times; and then it does so again and again.."
assert len(TEXT) == 100


class Server:
    """One of the two, by its port."""

    def __init__(self, port: int) -> None:
        self._connection = HTTPConnection("127.0.0.1", port, timeout=60)
        self._headers = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}

    def call(self, method: str, path: str, body: Any = None) -> bytes:
        content = None if body is None else json.dumps(body)
        try:
            self._connection.request(method, f"/v1/desktop/{path}", content, self._headers)
            answer = self._connection.getresponse()
        except (RemoteDisconnected, BrokenPipeError):
            # While the other took its turn, longer than a server keeps an idle connection.
            self._connection.close()
            self._connection.request(method, f"/v1/desktop/{path}", content, self._headers)
            answer = self._connection.getresponse()
        data = answer.read()
        if answer.status >= 300:
            raise RuntimeError(f"{method} {path}: {answer.status} {data[:300]!r}")
        return data

    def show(self, width: int, height: int, picture: Path) -> None:
        """A desktop with the picture as its background and a terminal that swallows what is typed."""
        self.call("POST", "start", {"width": width, "height": height, "displayNum": 300})
        # It paints, ends, and says nothing by its exit code.
        self.call("POST", "launch", {"app": "sh", "args": ["-c", f"display -window root {picture} || true"]})
        terminal = {"app": "xterm", "args": ["-geometry", "80x24+50+50", "-e", "cat"], "wait": True}
        launched = json.loads(self.call("POST", "launch", terminal))
        if "windowId" in launched:
            self.call("POST", f"windows/{launched['windowId']}/focus")
        self.call("POST", "mouse/click", {"x": 200, "y": 200})


@contextmanager
def ours() -> Iterator[int]:
    # Like with like: the reference has no jail, whose /tmp would not have the picture.
    with running_box("--log-level", "warning", "--jail", "off") as box:
        yield box.port


SERVERS: dict[str, Callable[[], AbstractContextManager[int]]] = {"reference": running_reference, "belljar": ours}


def paint(width: int, height: int, file: Path) -> None:
    """What a web page looks like to an encoder: gradients, text, a photograph's noise."""
    image = Image.linear_gradient("L").resize((width, height)).convert("RGB")
    draw = ImageDraw.Draw(image)
    for row in range(0, height, 16):
        draw.text((10 + row % 7, row), TEXT * 2, fill=(row * 3 % 256, row * 5 % 256, 40))
    noise = Image.effect_noise((width // 3, height // 3), 60).convert("RGB")
    image.paste(noise, (width // 2, height // 2))
    image.save(file)
    # The box's programs run under a uid of their own.
    file.parent.chmod(0o755)


def on_desktop(name: str, width: int, height: int, act: Callable[[Server], object]) -> Contender:
    @asynccontextmanager
    async def set_up() -> AsyncIterator[Action]:
        with tempfile.TemporaryDirectory(prefix="belljar-bench-") as folder, SERVERS[name]() as port:
            picture = Path(folder, "picture.png")
            paint(width, height, picture)
            server = Server(port)
            server.show(width, height, picture)
            yield lambda: act(server)

    return Contender(name, set_up)


def compared(name: str, act: Callable[[Server], object], width: int = 1280, height: int = 720) -> Benchmark:
    contenders = [on_desktop(server, width, height, act) for server in SERVERS]
    return Benchmark(f"desktop_{name}", "reference", contenders, rounds=40, quick_rounds=8, warm_up=1, limit=25.0)


def screenshots() -> Iterator[Benchmark]:
    for width, height in ((1280, 720), (1920, 1080)):
        for label, query in (
            ("png", ""),
            ("jpeg", "?format=jpeg"),
            ("webp", "?format=webp"),
            ("png_half", "?scale=0.5"),
            ("jpeg_half", "?format=jpeg&scale=0.5"),
        ):

            def act(server: Server, path: str = f"screenshot{query}") -> object:
                return server.call("GET", path)

            yield compared(f"{label}_{height}p", act, width, height)


def start_and_stop(name: str) -> Contender:
    """Only the start is timed."""

    @asynccontextmanager
    async def set_up() -> AsyncIterator[Action]:
        with SERVERS[name]() as port:
            server = Server(port)

            def action() -> Took:
                began = time.perf_counter()
                server.call("POST", "start", {"width": 1280, "height": 720, "displayNum": 300})
                took = time.perf_counter() - began
                server.call("POST", "stop")
                return Took(took)

            yield action

    return Contender(name, set_up)


ACTIONS = (
    compared("move", lambda server: server.call("POST", "mouse/move", {"x": 200, "y": 210})),
    compared("click", lambda server: server.call("POST", "mouse/click", {"x": 200, "y": 200})),
    compared("press", lambda server: server.call("POST", "keyboard/press", {"key": "a"})),
    compared("type_100", lambda server: server.call("POST", "keyboard/type", {"text": TEXT, "delayMs": 0})),
    compared("windows", lambda server: server.call("GET", "windows")),
)
START = Benchmark(
    "desktop_start", "reference", [start_and_stop(name) for name in SERVERS], rounds=8, quick_rounds=3, warm_up=1
)

if __name__ == "__main__":
    for benchmark in (*ACTIONS, *screenshots(), START):
        try:
            run(benchmark)
        except Unavailable as lacking:
            raise SystemExit(str(lacking)) from lacking
