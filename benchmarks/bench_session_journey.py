"""Create, connect with Playwright, open a local page, end: a session beside a bare Chromium, one and ten at a time."""

import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import anyio
import httpx2 as httpx
from playwright.async_api import Playwright, async_playwright

from belljar.dependencies import find_chromium
from benchmarks.harness import Action, Benchmark, Contender, run
from tests.control.plane import running_plane

MANY = 10
POOL = 3


@contextmanager
def _page() -> Iterator[str]:
    class Page(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(b"<!doctype html><title>local</title><p>here")

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Page) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        thread.join()


async def _in_parallel(one: Callable[[], Awaitable[None]], count: int) -> None:
    async with anyio.create_task_group() as tasks:
        for _ in range(count):
            tasks.start_soon(one)  # type: ignore[arg-type]  # any awaitable will do


def bare(count: int) -> Callable[[], Any]:
    @asynccontextmanager
    async def set_up() -> AsyncIterator[Action]:
        chromium = find_chromium()
        with _page() as url:
            async with async_playwright() as playwright:

                async def one() -> None:
                    browser = await playwright.chromium.launch(
                        executable_path=str(chromium), headless=True, chromium_sandbox=False
                    )
                    page = await browser.new_page()
                    await page.goto(url)
                    await browser.close()

                yield lambda: _in_parallel(one, count)

    return set_up


def sessions(count: int) -> Callable[[], Any]:
    @asynccontextmanager
    async def set_up() -> AsyncIterator[Action]:
        flags = ("--max-sessions-per-user", "50", "--egress", "open", "--headless", "--pool-size", str(POOL))
        with _page() as url, running_plane(*flags) as plane:
            headers = {"Authorization": f"Bearer {plane.key}"}
            async with (
                async_playwright() as playwright,
                httpx.AsyncClient(base_url=plane.url, headers=headers, timeout=120) as api,
            ):
                yield lambda: _in_parallel(lambda: _session(api, playwright, url), count)

    return set_up


async def _session(api: httpx.AsyncClient, playwright: Playwright, url: str) -> None:
    answer = await api.post("/api/sessions", json={"headless": True})
    assert answer.status_code == 201, answer.text
    session = answer.json()
    browser = await playwright.chromium.connect_over_cdp(session["connect"]["cdpUrl"])
    await browser.contexts[0].pages[0].goto(url)
    await browser.close()
    await api.delete(f"/api/sessions/{session['id']}")


BENCHMARK = Benchmark(
    "session_journey",
    baseline="bare Chromium",
    contenders=[
        Contender("bare Chromium", bare(1)),
        Contender("session", sessions(1)),
        Contender(f"{MANY} bare Chromiums at once", bare(MANY)),
        Contender(f"{MANY} sessions at once", sessions(MANY)),
    ],
    rounds=20,
    quick_rounds=3,
    warm_up=1,
    limit=600,
    action_limit=180,
)

if __name__ == "__main__":
    run(BENCHMARK)
