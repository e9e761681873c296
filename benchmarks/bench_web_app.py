"""The web app's lists scrolled, ten rows a frame: seconds of the page's main thread for each frame, beside a bare list.

It is the thread's own time, so that a busy machine shows in frames a second (in the notes) and not in the figures;
0.020 is what fifty frames a second leave room for.
"""

import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from playwright.async_api import Page, async_playwright

from benchmarks.harness import Action, Benchmark, Contender, Took, run
from tests.plane.plane import RunningPlane, running_plane
from tests.site import Site, running_site

LINES, REQUESTS = 10_000, 1000
SECONDS = 1.5
SCROLL = """async ([selector, ms]) => {
  const list = document.querySelector(selector);
  let [frames, step] = [0, 280];
  const begun = performance.now();
  await new Promise((done) => {
    const next = () => {
      frames++;
      const before = list.scrollTop;
      list.scrollTop += step;
      if (list.scrollTop === before) step = -step;
      if (performance.now() - begun < ms) requestAnimationFrame(next);
      else done();
    };
    requestAnimationFrame(next);
  });
  return [frames, performance.now() - begun];
}"""
BARE = """<style>#list { height: 700px; overflow: auto; font: 12px/28px monospace } p { margin: 0; height: 28px }
</style><div id=list></div><script>
const list = document.querySelector("#list");
for (let i = 0; i < 10000; i++) list.append(Object.assign(document.createElement("p"), { textContent: "line " + i }));
</script>"""
WRITE = """(async () => {{ for (let i = 0; i < {count}; i++) {{
  console.log('line', i, 'of what a page may well write, at some length');
  if (i % 200 === 199) await new Promise((done) => setTimeout(done, 40)); }} }})()"""
ASK = """(async () => {{
  const ask = (number) => fetch('/index.html?' + number).then((answer) => answer.text());
  for (let i = 0; i < {count}; i += 10) await Promise.all(Array.from({{ length: 10 }}, (_, more) => ask(i + more)));
}})()"""


@asynccontextmanager
async def opened_page(width: int = 1440) -> AsyncIterator[Page]:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        yield await browser.new_page(viewport={"width": width, "height": 900})
        await browser.close()


async def scrolled(page: Page, name: str, selector: str) -> Took:
    """Seconds of processor for each frame; the best frames a second are noted."""
    cdp = await page.context.new_cdp_session(page)
    await cdp.send("Performance.enable", {"timeDomain": "threadTicks"})

    async def spent() -> float:
        metrics = (await cdp.send("Performance.getMetrics"))["metrics"]
        return float(next(one["value"] for one in metrics if one["name"] == "TaskDuration"))

    before = await spent()
    frames, took_ms = await page.evaluate(SCROLL, [selector, SECONDS * 1000])
    took = (await spent() - before) / frames
    await cdp.detach()
    note = f"{name}, best frames a second"
    BENCHMARK.notes[note] = max(float(BENCHMARK.notes.get(note, 0)), round(frames / took_ms * 1000, 1))
    return Took(took)


@asynccontextmanager
async def bare() -> AsyncIterator[Action]:
    with tempfile.NamedTemporaryFile("w", suffix=".html") as file:
        file.write(BARE)
        file.flush()
        async with opened_page() as page:
            await page.goto(Path(file.name).as_uri())
            yield lambda: scrolled(page, "bare", "#list")


@asynccontextmanager
async def session_page(panel: str) -> AsyncIterator[tuple[Page, RunningPlane, Site, str]]:
    with running_site() as site, running_plane("--egress", "open") as plane:
        id: str = plane.create(mode="browser", headless=True, url=site.url("index.html"))["id"]
        async with opened_page() as page:
            await page.request.post(f"{plane.url}/sign-in", data={"key": plane.key}, headers={"Origin": plane.url})
            await page.goto(f"{plane.url}/sessions/{id}?panel={panel}")
            await page.locator(".picture").wait_for()
            yield page, plane, site, id


def filled(name: str, panel: str, rows: str, script: str, newest: str) -> Contender:
    @asynccontextmanager
    async def set_up() -> AsyncIterator[Action]:
        async with session_page(panel) as (page, plane, _, id):
            with plane.client() as client:
                done = client.post(
                    f"/s/{id}/v1/browser/execute", json={"expression": script, "timeout": 60_000}, timeout=90
                )
                assert done.is_success, done.text
            await page.locator(rows).get_by_text(newest).first.wait_for(timeout=60_000)
            yield lambda: scrolled(page, name, rows)

    return Contender(name, set_up)


BENCHMARK = Benchmark(
    "web_app",
    baseline="bare",
    contenders=[
        Contender("bare", bare),
        filled(
            f"console, {LINES} lines", "console", ".console-rows", WRITE.format(count=LINES), f"line {LINES - 1} of"
        ),
        filled(
            f"network, {REQUESTS} requests", "network", ".network-rows", ASK.format(count=REQUESTS), f"?{REQUESTS - 1}"
        ),
    ],
    rounds=10,
    quick_rounds=3,
    warm_up=1,
    limit=180,
)

if __name__ == "__main__":
    run(BENCHMARK)
