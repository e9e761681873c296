"""The web app opened: seconds to its first paint beside a bare page, and from the answer to 500 sessions listed."""

import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from playwright.async_api import BrowserContext, async_playwright

from benchmarks.harness import Action, Benchmark, Contender, Took, run
from tests.plane.plane import RunningPlane, running_plane, until

SESSIONS = 500
PAINTED = """new Promise((told) => new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (entry.name === "first-contentful-paint") told(entry.startTime);
}).observe({ type: "paint", buffered: true }))"""
# When the list was answered, and when so many were listed.
WATCH = """
const own = window.fetch;
window.fetch = async (...asked) => {
  const answer = await own(...asked);
  if (String(asked[0]?.url ?? asked[0]).includes("/api/sessions")) window.answeredAt ??= performance.now();
  return answer;
};
window.listed = new Promise((told) => new MutationObserver(() => {
  const row = document.querySelector(".session-rows [aria-setsize]");
  if (Number(row?.getAttribute("aria-setsize")) > COUNT) told(performance.now() - window.answeredAt);
}).observe(document, { childList: true, subtree: true, attributes: true }));
""".replace("COUNT", str(SESSIONS))


@asynccontextmanager
async def signed_in(plane: RunningPlane) -> AsyncIterator[BrowserContext]:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        context = await browser.new_context(viewport={"width": 1440, "height": 900})
        await context.request.post(f"{plane.url}/sign-in", data={"key": plane.key}, headers={"Origin": plane.url})
        yield context
        await browser.close()


def fill(plane: RunningPlane) -> None:
    """Sessions that are over, as many as are listed: copies of one that was."""
    id = plane.create()["id"]
    with plane.client() as client:
        client.delete(f"/api/sessions/{id}")
    until(lambda: plane.get(id)["state"] == "stopped", what="its end")
    with sqlite3.connect(plane.state_dir / "control.db") as database:
        columns = [row[1] for row in database.execute("pragma table_info(sessions)") if row[1] != "id"]
        names = ", ".join(columns)
        for number in range(SESSIONS):
            database.execute(
                f"insert into sessions (id, {names}) select ?, {names} from sessions where id = ?",
                (f"copy-{number}", id),
            )


def painted(name: str, path: str) -> Contender:
    @asynccontextmanager
    async def set_up() -> AsyncIterator[Action]:
        with running_plane() as plane:
            async with signed_in(plane) as context:

                async def open() -> Took:
                    page = await context.new_page()
                    await page.goto(f"{plane.url}{path}")
                    took: float = await page.evaluate(PAINTED)
                    await page.close()
                    return Took(took / 1000)

                yield open

    return Contender(name, set_up)


@asynccontextmanager
async def listed() -> AsyncIterator[Action]:
    with running_plane() as plane:
        fill(plane)
        async with signed_in(plane) as context:
            await context.add_init_script(WATCH)

            async def open() -> Took:
                page = await context.new_page()
                await page.goto(plane.url)
                took: float = await page.evaluate("window.listed")
                await page.close()
                return Took(took / 1000)

            yield open


BENCHMARK = Benchmark(
    "web_app_open",
    baseline="bare page",
    contenders=[
        painted("bare page", "/healthz"),
        painted("sessions, first paint", "/"),
        Contender(f"{SESSIONS} sessions, after the answer", listed),
    ],
    rounds=20,
    quick_rounds=4,
    warm_up=1,
)

if __name__ == "__main__":
    run(BENCHMARK)
