"""Administration with 10,000 events and 500 people: the longest time without a frame, opened, scrolled and searched.

Beside a bare list of as many rows, scrolled.  The longest tasks of the page's thread are in the notes (0: none above 50
ms, which is what browsers call long).
"""

import re
import sqlite3
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, closing
from pathlib import Path

from playwright.async_api import Page, expect

from benchmarks.bench_web_app import BARE, SCROLL, opened_page
from benchmarks.harness import Action, Benchmark, Contender, Took, run
from tests.plane.plane import RunningPlane, running_plane
from tests.plane.test_web_admin import EVENTS, USERS, fill

SCROLL_MS = 1500
WATCH = """(() => {
  let last;
  window.watched = { gap: 0, task: 0 };
  const beat = (now) => {
    if (last !== undefined) watched.gap = Math.max(watched.gap, now - last);
    last = now;
    requestAnimationFrame(beat);
  };
  requestAnimationFrame(beat);
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) watched.task = Math.max(watched.task, duration);
  }).observe({ type: "longtask", buffered: true });
})()"""
END = "rows => { rows.scrollTop = rows.scrollHeight }"


async def pause(page: Page, name: str, act: Callable[[], Awaitable[object]]) -> float:
    """Milliseconds without a frame, the most while `act` runs."""
    await page.evaluate("watched.gap = watched.task = 0")
    await act()
    gap, task = await page.evaluate(
        "new Promise(told => requestAnimationFrame(() => told([watched.gap, watched.task])))"
    )
    for what, value in (("longest ms without a frame", gap), ("longest task in ms", task)):
        note = f"{name}, {what}"
        BENCHMARK.notes[note] = max(float(BENCHMARK.notes.get(note, 0)), round(value))
    return float(gap)


@asynccontextmanager
async def bare() -> AsyncIterator[Action]:
    with tempfile.NamedTemporaryFile("w", suffix=".html") as file:
        file.write(BARE)
        file.flush()
        async with opened_page() as page:
            await page.add_init_script(WATCH)
            await page.goto(Path(file.name).as_uri())

            async def scroll() -> Took:
                return Took(await pause(page, "bare", lambda: page.evaluate(SCROLL, ["#list", SCROLL_MS])) / 1000)

            yield scroll


def section(name: str, path: str, rows: str, visit: Callable[[Page, RunningPlane, str], Awaitable[float]]) -> Contender:
    @asynccontextmanager
    async def set_up() -> AsyncIterator[Action]:
        with running_plane() as plane:
            with closing(sqlite3.connect(plane.state_dir / "control.db", timeout=30)) as database, database:
                fill(database)
            async with opened_page() as page:
                await page.add_init_script(WATCH)
                await page.request.post(f"{plane.url}/sign-in", data={"key": plane.key}, headers={"Origin": plane.url})
                await page.goto(plane.url)

                async def act() -> Took:
                    await page.goto(f"{plane.url}{path}")
                    return Took(await visit(page, plane, rows) / 1000)

                yield act

    return Contender(name, set_up)


async def audit(page: Page, plane: RunningPlane, rows: str) -> float:
    total = page.get_by_text(re.compile(r"^10,0\d\d events$"))
    found = page.get_by_label("Find text in events")

    async def to_the_end() -> None:
        """As fast as pages of events come."""
        while await page.locator('[data-event="1"]').count() == 0:
            await page.locator(rows).evaluate(END)

    async def search() -> None:
        await found.press_sequentially('"number": 4321,', delay=30)
        await expect(page.get_by_text("1 events", exact=True)).to_be_visible()
        await found.fill("")
        await expect(total).to_be_visible()

    return max(
        await pause(page, "audit opened", lambda: expect(total).to_be_visible()),
        await pause(page, "audit scrolled", lambda: page.evaluate(SCROLL, [rows, SCROLL_MS])),
        await pause(page, f"audit read to the first of {EVENTS}", to_the_end),
        await pause(page, "audit searched", search),
    )


async def people(page: Page, plane: RunningPlane, rows: str) -> float:
    async def search() -> None:
        await page.keyboard.press("/")
        await page.keyboard.type("user-317", delay=30)
        await expect(page.locator(".user-row[data-user]")).to_have_count(1)

    return max(
        await pause(page, "people opened", lambda: expect(page.get_by_role("tab", name="People 501")).to_be_visible()),
        await pause(page, "people scrolled", lambda: page.evaluate(SCROLL, [rows, SCROLL_MS])),
        await pause(page, "people searched", search),
    )


BENCHMARK = Benchmark(
    "web_admin",
    baseline="bare",
    contenders=[
        Contender("bare", bare),
        section(f"audit, {EVENTS} events", "/admin/audit", ".rows", audit),
        section(f"people, {USERS}", "/admin/people", ".rows", people),
    ],
    rounds=8,
    quick_rounds=3,
    warm_up=1,
    limit=180,
)

if __name__ == "__main__":
    run(BENCHMARK)
