"""The browser tool, five calls of it: on a running box, without one, and what Playwright takes for the same.

Between calls there is a pause, as a model's is, which is not counted; "back to back" is without it.  The medians of
each call, in milliseconds, stand in the notes.
"""

import os
import tempfile
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import anyio

from belljar.agent.tool import BrowserTool
from benchmarks.figures import percentile
from benchmarks.harness import Action, Benchmark, Contender, SetUp, Took, Unavailable, run
from benchmarks.npm_tools import CHROMIUM
from tests.servers import running_box
from tests.site import running_site

PAUSE = 0.5
Call = Callable[[str, dict[str, Any]], Awaitable[object]]
_taken: dict[tuple[str, str], list[float]] = defaultdict(list)


def calls(url: str) -> dict[str, dict[str, Any]]:
    return {
        "navigate": {"url": url},
        "extract_text": {"url": url},
        "click": {"url": url, "selector": "#second"},
        "screenshot": {"url": url, "out_path": "shot.png"},
        "interact": {"url": url, "actions": [{"action": "click", "selector": "#second"}, {"action": "extract_text"}]},
    }


def five(name: str, call: Call, url: str, pause: float) -> Action:
    async def action() -> Took:
        whole = 0.0
        for operation, parameters in calls(url).items():
            await anyio.sleep(pause)
            began = time.perf_counter()
            await call(operation, parameters)
            took = time.perf_counter() - began
            _taken[name, operation].append(took)
            BENCHMARK.notes[f"{name}: {operation} ms"] = round(percentile(_taken[name, operation], 0.5) * 1000)
            whole += took
        return Took(whole)

    return action


def on_a_box(name: str, pause: float) -> SetUp:
    @asynccontextmanager
    async def set_up() -> AsyncIterator[Action]:
        with running_site() as site, running_box("--egress", "open", "--log-level", "warning") as box:
            yield five(name, asker(BrowserTool(box.url, box.token)), site.url("index.html"), pause)

    return set_up


@asynccontextmanager
async def one_shot() -> AsyncIterator[Action]:
    with running_site() as site, tempfile.TemporaryDirectory(prefix="belljar-bench-") as folder:
        os.chmod(folder, 0o711)
        workspace = f"{folder}/workspace"
        os.mkdir(workspace)
        os.environ.update(BELLJAR_STATE_DIR=f"{folder}/state", BELLJAR_EGRESS="open")
        yield five("one-shot", asker(BrowserTool(), workspace=workspace), site.url("index.html"), 0)


def asker(tool: BrowserTool, **more: str) -> Call:
    async def call(operation: str, parameters: dict[str, Any]) -> None:
        text = await tool.call_async({"operation": operation, **parameters, **more})
        assert "STATUS: OK" in text, text

    return call


@asynccontextmanager
async def playwright() -> AsyncIterator[Action]:
    """A new page in a running Chromium for each call, doing what the call does."""
    try:
        from playwright.async_api import async_playwright
    except ImportError as error:
        raise Unavailable("playwright is not installed") from error
    with running_site() as site:
        async with async_playwright() as library:
            browser = await library.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
            context = await browser.new_context()

            async def call(operation: str, parameters: dict[str, Any]) -> None:
                page = await context.new_page()
                await page.goto(parameters["url"])
                if operation in ("click", "interact"):
                    await page.click("#second")
                    await page.wait_for_load_state()
                if operation in ("extract_text", "interact"):
                    await page.inner_text("body")
                if operation == "screenshot":
                    await page.screenshot()
                await page.title()
                await page.close()

            yield five("Playwright", call, site.url("index.html"), PAUSE)
            await browser.close()


BENCHMARK = Benchmark(
    "tool",
    baseline="Playwright",
    contenders=[
        Contender("Playwright", playwright),
        Contender("running box", on_a_box("running box", PAUSE)),
        Contender("running box, back to back", on_a_box("back to back", 0)),
        Contender("one-shot", one_shot),
    ],
    rounds=12,
    quick_rounds=5,
    warm_up=1,
    limit=150.0,
    action_limit=120.0,
)

if __name__ == "__main__":
    run(BENCHMARK)
