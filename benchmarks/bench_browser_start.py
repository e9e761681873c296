"""`POST /v1/browser/start` to its first usable page, against bare Chromium on bare Xvfb with the same flags."""

import os
import subprocess
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import anyio

from belljar.box.browser.cdp import Connection
from belljar.box.browser.cdp.replies import SessionMade, Targets
from belljar.box.browser.chromium.flags import ChromiumOptions, command_line
from belljar.box.process import User
from belljar.box.sandbox.folders import claim_user
from belljar.dependencies import find_chromium
from benchmarks.harness import Action, Benchmark, Contender, SetUp, Took, Unavailable, run
from tests.servers import running_box


def over_http(*, headless: bool) -> SetUp:
    @asynccontextmanager
    async def set_up() -> AsyncIterator[Action]:
        with running_box("--log-level", "warning") as box, box.client() as client:

            def start() -> Took:
                began = time.perf_counter()
                client.post("/v1/browser/start", json={"headless": headless}).raise_for_status()
                took = Took(time.perf_counter() - began)
                client.post("/v1/browser/stop").raise_for_status()
                return took

            yield lambda: anyio.to_thread.run_sync(start)

    return set_up


def bare(*, headless: bool) -> SetUp:
    @asynccontextmanager
    async def set_up() -> AsyncIterator[Action]:
        executable = find_chromium()
        if executable is None:
            raise Unavailable("Chromium is not installed")
        with claim_user() as user:
            yield lambda: _start_bare(executable, user, headless=headless)

    return set_up


async def _start_bare(executable: Path, user: User | None, *, headless: bool) -> Took:
    """Xvfb until it says its number, Chromium until its first page runs script."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        if user is not None:
            os.chown(folder, user.uid, user.gid)
        began = time.perf_counter()
        display, xvfb = ("", None) if headless else await anyio.to_thread.run_sync(_xvfb)
        options = ChromiumOptions(executable, Path(folder), 1280, 720, is_headless=headless)
        chromium, connection = _chromium(options, display, user)
        try:
            browser = connection.browser
            targets = await browser.send_as(Targets, "Target.getTargets", filter=[{"type": "page"}])
            target = targets.target_infos[0]
            made = await browser.send_as(SessionMade, "Target.attachToTarget", targetId=target.target_id, flatten=True)
            page = connection.adopt(made.session_id, target, browser)
            await page.send("Runtime.evaluate", expression="1")
            return Took(time.perf_counter() - began)
        finally:
            connection.close()
            for process in filter(None, (chromium, xvfb)):
                process.kill()
                process.wait()


def _xvfb() -> tuple[str, subprocess.Popen[bytes]]:
    read, write = os.pipe()
    command = ["Xvfb", "-displayfd", str(write), "-screen", "0", "1280x720x24", "-nolisten", "tcp"]
    process = subprocess.Popen(command, pass_fds=[write], stderr=subprocess.DEVNULL)
    os.close(write)
    with os.fdopen(read) as announced:
        return f":{announced.readline().strip()}", process


def _chromium(options: ChromiumOptions, display: str, user: User | None) -> tuple[subprocess.Popen[bytes], Connection]:
    """The shell puts the pipes where Chromium wants them."""
    their_read, our_write = os.pipe()
    our_read, their_write = os.pipe()
    script = f'exec "$@" 3<&{their_read} 4>&{their_write}'
    process = subprocess.Popen(
        ["bash", "-c", script, "bash", str(options.executable), *command_line(options)],
        pass_fds=[their_read, their_write],
        stderr=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        env={"HOME": str(options.profile), "PATH": os.environ["PATH"], "DISPLAY": display},
        user=user.uid if user else None,
        group=user.gid if user else None,
        extra_groups=[] if user else None,
    )
    os.close(their_read)
    os.close(their_write)
    return process, Connection(our_read, our_write)


BENCHMARK = Benchmark(
    "browser_start",
    baseline="bare Chromium + Xvfb",
    contenders=[
        Contender("bare Chromium + Xvfb", bare(headless=False)),
        Contender("POST /v1/browser/start", over_http(headless=False)),
        Contender("bare Chromium, headless", bare(headless=True)),
        Contender("start {headless: true}", over_http(headless=True)),
    ],
    rounds=12,
    quick_rounds=3,
    warm_up=1,
    limit=300.0,
)

if __name__ == "__main__":
    run(BENCHMARK)
