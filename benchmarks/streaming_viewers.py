"""Viewers in a real Chromium, one page each: ours (`/view`), one of stock aiortc, and noVNC.

Each page has a probe, which reads the clock in every picture that is shown and how long presses take.
"""

import asyncio
import os
import shutil
import socket
import sys
import tempfile
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import anyio
from playwright.async_api import Browser, Page, async_playwright

from belljar.dependencies import find_chromium
from benchmarks.harness import Unavailable
from benchmarks.live import rest
from tests.servers import RunningBox

PAGES = Path(__file__).parent / "streaming_pages"
# /view tells of each picture that it has drawn.
OURS = (
    """addEventListener("shown", ({ target }) => probe.look(target, target.width, target.height), { capture: true })"""
)


def text_of(name: str) -> str:
    return (PAGES / name).read_text()


@dataclass
class Viewer:
    """A page that watches; `others` are processes beside the box's that it needs, by name."""

    page: Page
    others: dict[int, str]


Watching = Callable[[RunningBox, Browser], AbstractAsyncContextManager[Viewer]]


@asynccontextmanager
async def a_browser() -> AsyncIterator[tuple[Browser, int]]:
    """The viewers' Chromium, and the process below which all of it runs."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=find_chromium(),
            args=[
                "--no-sandbox",
                "--allow-loopback-in-peer-connection",
                "--disable-features=WebRtcHideLocalIpsWithMdns,LocalNetworkAccessChecks",
            ],
        )
        try:
            yield browser, _driver()
        finally:
            await browser.close()


def _driver() -> int:
    """Playwright's process, of which the Chromium is a child."""
    for task in Path("/proc/self/task").glob("*/children"):
        for pid in map(int, task.read_text().split()):
            if b"playwright" in Path(f"/proc/{pid}/cmdline").read_bytes():
                return pid
    raise RuntimeError("playwright's process was not found")


@asynccontextmanager
async def a_page(browser: Browser, *scripts: str) -> AsyncIterator[Page]:
    context = await browser.new_context(viewport={"width": 1300, "height": 860}, bypass_csp=True)
    page = await context.new_page()
    for script in (text_of("probe.js"), *scripts):
        await page.add_init_script(script)
    try:
        yield page
    finally:
        await context.close()


def ours(transport: str, codec: str = "") -> Watching:
    """`/view`, held to one transport and, by WebRTC, to one codec."""

    @asynccontextmanager
    async def watch(box: RunningBox, browser: Browser) -> AsyncIterator[Viewer]:
        async with a_page(browser, OURS, *([text_of("only.js").replace("CODEC", codec)] if codec else [])) as page:
            link = rest(box, "/v1/live/links", {"role": "drive"})["link"]
            await page.goto(link.replace("/view", f"/view?transport={transport}", 1))
            await page.wait_for_selector(f"#stage[data-transport={transport}]")
            yield Viewer(page, {})
            # The presses have taken control, which scripts wait for.
            give_back = page.locator("#control", has_text="Give back")
            if await give_back.count():
                await give_back.click()
                await give_back.wait_for(state="detached")

    return watch


def stock(codec: str) -> Watching:
    """aiortc as its examples have it: its own grabber, and an encoder of its own for each peer."""

    @asynccontextmanager
    async def watch(box: RunningBox, browser: Browser) -> AsyncIterator[Viewer]:
        display = x_server(box)
        command = [sys.executable, "-m", "benchmarks.stock_aiortc", display.name]
        async with a_program(command, {"XAUTHORITY": display.authority}) as program:
            assert program.stdout is not None
            with anyio.fail_after(20):
                port = int(await program.stdout.readline())
            async with a_page(browser) as page:
                await page.route(
                    "http://stock.test/**",
                    lambda route: route.fulfill(body=text_of("stock.html"), content_type="text/html"),
                )
                await page.goto(f"http://stock.test/?codec={codec}&port={port}")
                yield Viewer(page, {program.pid: "aiortc"})

    return watch


@asynccontextmanager
async def novnc(box: RunningBox, browser: Browser) -> AsyncIterator[Viewer]:
    """x11vnc on the same display, websockify before it, and noVNC in the page, all as Debian has them."""
    await installed("x11vnc", "websockify")
    display = x_server(box)
    with tempfile.TemporaryDirectory(prefix="belljar-novnc-") as folder:
        lay_out(folder)
        # X servers take memory of their own user's alone, and x11vnc takes no other way.
        authority = shutil.copy(display.authority, folder)
        os.chown(authority, display.user, display.user)
        os.chmod(folder, 0o711)
        port, bridge = _free_port(), _free_port()
        server = ["x11vnc", "-display", display.name, "-auth", authority, "-rfbport", str(port), "-localhost"]
        proxy = ["websockify", "--web", folder, f"127.0.0.1:{bridge}", f"127.0.0.1:{port}"]
        server += ["-noipv6", "-forever", "-shared", "-nopw", "-quiet"]
        async with a_program(server, user=display.user) as vnc, a_program(proxy) as between:
            await _until_listening(port)
            await _until_listening(bridge)
            async with a_page(browser) as page:
                await page.goto(f"http://127.0.0.1:{bridge}/index.html")
                yield Viewer(page, {vnc.pid: "x11vnc", between.pid: "websockify"})


def lay_out(folder: str) -> None:
    """noVNC's modules, and a page that shows nothing but the screen."""
    for name in ("core", "vendor"):
        Path(folder, name).symlink_to(Path("/usr/share/novnc", name))
    Path(folder, "index.html").write_text(text_of("novnc.html"))


async def installed(*programs: str) -> None:
    """Debian's packages, brought where they are missing.  Raises `Unavailable`."""
    if any(shutil.which(program) is None for program in programs):
        if shutil.which("apt-get") is None:
            raise Unavailable("x11vnc and noVNC are missing, and there is no apt-get to bring them")
        command = ["apt-get", "install", "-y", "--no-install-recommends", "x11vnc", "novnc", "websockify"]
        with anyio.move_on_after(180):
            await anyio.run_process(command, check=False)
    missing = [program for program in programs if shutil.which(program) is None]
    if missing:
        raise Unavailable(f"apt-get did not bring {' and '.join(missing)}")


@dataclass(frozen=True)
class XServer:
    """The box's display: its name, the file with its secret, and whom it runs as."""

    name: str
    authority: str
    user: int


def x_server(box: RunningBox) -> XServer:
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = path.read_bytes().decode().split("\0")
            is_ours = words[0].endswith("Xvfb") and _is_below(int(path.parent.name), box.process.pid)
        except OSError:
            continue
        if is_ours:
            # Its folder may be mounted for the box alone.
            authority = f"{path.parent}/root{words[words.index('-auth') + 1]}"
            return XServer(words[1], authority, path.stat().st_uid)
    raise RuntimeError("the box has no display")


def _is_below(pid: int, ancestor: int) -> bool:
    while pid > 1:
        if pid == ancestor:
            return True
        pid = int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    return False


@asynccontextmanager
async def a_program(
    command: list[str], env: dict[str, str] | None = None, user: int | None = None
) -> AsyncIterator[asyncio.subprocess.Process]:
    process = await asyncio.create_subprocess_exec(  # noqa: TID251  # a contender's process, not one of the box
        *command,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        env=os.environ | (env or {}),
        user=user,
        group=user,
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.terminate()
        with anyio.move_on_after(5, shield=True) as scope:
            await process.wait()
        if scope.cancelled_caught:
            process.kill()
            await process.wait()


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


async def _until_listening(port: int) -> None:
    with anyio.fail_after(20):
        while True:
            try:
                stream = await anyio.connect_tcp("127.0.0.1", port)
            except OSError:
                await anyio.sleep(0.05)
                continue
            await stream.aclose()
            return
