"""Create, connect with Playwright, open a local page, end: a session beside a bare Chromium, one and ten at a time.

Sessions come from a warm pool of the size of the load, which is full again before each round; those "without a pool"
start a box each. The notes compare single journeys (p95 of all of them), the table whole rounds.
"""

import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import anyio
import httpx2 as httpx
from playwright.async_api import Playwright, async_playwright

from belljar.dependencies import find_chromium
from benchmarks.bench_session_create import until_full
from benchmarks.figures import percentile
from benchmarks.harness import Action, Benchmark, Contender, Took, run
from tests.plane.plane import running_plane

MANY = 10
BARE_MANY, SESSIONS_MANY = f"{MANY} bare Chromiums at once", f"{MANY} sessions at once"

# Seconds of each journey, by contender.
_journeys: dict[str, list[float]] = {}


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


async def _in_parallel(name: str, one: Callable[[], Awaitable[None]], count: int) -> Took:
    began = time.perf_counter()

    async def timed() -> None:
        own = time.perf_counter()
        await one()
        _journeys.setdefault(name, []).append(time.perf_counter() - own)

    async with anyio.create_task_group() as tasks:
        for _ in range(count):
            tasks.start_soon(timed)
    took = Took(time.perf_counter() - began)
    _note()
    return took


def _note() -> None:
    for name, taken in _journeys.items():
        BENCHMARK.notes[f"one journey of {name}"] = (
            f"p50 {percentile(taken, 0.5) * 1000:.0f} ms, p95 {percentile(taken, 0.95) * 1000:.0f} ms"
        )
    if BARE_MANY in _journeys and SESSIONS_MANY in _journeys:
        ratio = percentile(_journeys[SESSIONS_MANY], 0.95) / percentile(_journeys[BARE_MANY], 0.95)
        BENCHMARK.notes[f"p95 of {SESSIONS_MANY} / {BARE_MANY}"] = round(ratio, 2)


def bare(name: str, count: int) -> Contender:
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

                yield lambda: _in_parallel(name, one, count)

    return Contender(name, set_up)


def sessions(name: str, count: int, pool: int) -> Contender:
    @asynccontextmanager
    async def set_up() -> AsyncIterator[Action]:
        flags = ("--max-sessions-per-user", "50", "--egress", "open", "--headless", "--pool-size", str(pool))
        with _page() as url, running_plane(*flags) as plane:
            headers = {"Authorization": f"Bearer {plane.key}"}
            async with (
                async_playwright() as playwright,
                httpx.AsyncClient(base_url=plane.url, headers=headers, timeout=120) as api,
            ):

                async def round() -> Took:
                    await until_full(api, pool)
                    return await _in_parallel(name, lambda: _session(api, playwright, url), count)

                yield round

    return Contender(name, set_up)


async def _session(api: httpx.AsyncClient, playwright: Playwright, url: str) -> None:
    answer = await api.post("/api/sessions", json={"headless": True})
    assert answer.status_code == 201, answer.text
    session: dict[str, Any] = answer.json()
    browser = await playwright.chromium.connect_over_cdp(session["connect"]["cdpUrl"])
    await browser.contexts[0].pages[0].goto(url)
    await browser.close()
    await api.delete(f"/api/sessions/{session['id']}")


BENCHMARK = Benchmark(
    "session_journey",
    baseline=BARE_MANY,
    contenders=[
        bare("bare Chromium", 1),
        sessions("session", 1, pool=1),
        bare(BARE_MANY, MANY),
        sessions(SESSIONS_MANY, MANY, pool=MANY),
        sessions(f"{SESSIONS_MANY}, without a pool", MANY, pool=0),
    ],
    rounds=20,
    quick_rounds=4,
    warm_up=1,
    limit=600,
    action_limit=180,
)

if __name__ == "__main__":
    run(BENCHMARK)
