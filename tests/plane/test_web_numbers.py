"""Every number of the administration leads to the list that it counts, which has as many; in a real Chromium."""

import json
import re
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.plane.plane import RunningPlane, running_plane
from tests.plane.test_web_admin import SECTIONS, chromium, page, sign_in

__all__ = ["chromium", "page"]

# A text that is a figure, where no link is around it.  Not meant are: counts of the very list below (tabs, the line of
# status), times, ids, drawings, and what a setting or check says.
UNLINKED = """() => {
  const elsewhere =
    "a, h2, time, svg, input, select, .mono, [role=status], [role=tab], .bar-names, .setting-row, .checks";
  const figure = /^[0-9][0-9.,]*(\\s*(%|B|[kKMGT]i?B|s|min|h|d|running|sessions|wanted|starting))?$/;
  const walk = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  const found = [];
  for (let node = walk.nextNode(); node; node = walk.nextNode())
    if (figure.test(node.data.trim()) && !node.parentElement.closest(elsewhere))
      found.push(node.parentElement.outerHTML);
  return found;
}"""
# What a link says first, and where it leads.
LINKED = """() => [...document.querySelectorAll("main a")].flatMap((link) => {
  const shown = (link.querySelector(".figure-value") ?? link).textContent.trim();
  return link.closest("svg") === null && /^[0-9]/.test(shown) ? [[shown, link.href]] : [];
})"""
FIGURES = {"minutes": "Minutes", "sent": "Bytes out", "received": "Bytes in", "memory": "Peak memory"}
# Whose sessions are all over.
OVER = ("ann", "anna")


@pytest.fixture(scope="module")
def plane() -> Iterator[RunningPlane]:
    """Users one of whom is called as another begins, tags with spaces, days, and a session that runs."""
    with running_plane() as running:
        for user in OVER:
            running.new_key(user)
        with running.client() as client:
            made = client.post("/api/keys", json={"user": "ann"}).json()
            client.delete(f"/api/keys/{made['id']}")
        with closing(sqlite3.connect(running.state_dir / "control.db", timeout=30)) as database, database:
            for number in range(9):
                _add_session(database, number)
        running.create(tags={"team": "now"})
        yield running


def _add_session(database: sqlite3.Connection, number: int) -> None:
    # The last ones are older than what the overview shows.
    began = time.time() - number * 2 * 86_400 - 7200
    values: dict[str, Any] = {
        "id": f"x-{number}", "user_id": OVER[number % 2], "state": "stopped", "host": "h", "place": "h",
        "plane_id": "p", "spec": "{}", "tags": json.dumps({"team": ("the shop", "a=b", "=1+1")[number % 3]}),
        "metadata": "{}", "revoked": 0, "created_at": began, "moved_at": began, "started_at": began,
        "ended_at": began + 60 + number, "expires_at": began, "idle_timeout": 0, "peak_memory": 10**8 + number * 10**7,
        "cpu_seconds": 1.0, "egress_bytes": 3000, "egress_sent": 1000 + number, "egress_received": 2000 - number,
    }  # fmt: skip
    names, marks = ", ".join(values), ", ".join("?" * len(values))
    database.execute(f"insert into sessions ({names}) values ({marks})", tuple(values.values()))


# Another screen of the same page, as a click on a link of its leads there.
GO = """(to) => { history.pushState(null, "", to); dispatchEvent(new PopStateEvent("popstate")); }"""
# Of one list: nothing else is asked while it comes.
SOON = 10_000


def open_section(page: Page, address: str) -> None:
    page.evaluate(GO, address)
    expect(page.locator(".admin-section[aria-busy=false] .admin-tools h1")).to_be_visible()
    # Parts of it that are read by themselves.
    expect(page.locator("[aria-busy=true]")).to_have_count(0)


@pytest.mark.timeout(120)
def test_every_number_leads_to_a_list_that_has_as_many(plane: RunningPlane, page: Page) -> None:
    sign_in(page, plane)
    links: dict[tuple[str, str], str] = {}
    wrong: list[str] = []
    page.goto(f"{plane.url}/profiles")
    expect(page.get_by_role("heading", name="Profiles", exact=True)).to_be_visible()
    assert page.evaluate(UNLINKED) == []
    for section in SECTIONS:
        open_section(page, f"{plane.url}/admin{section}")
        wrong += [f"{section}: no link: {one}" for one in page.evaluate(UNLINKED)]
        for shown, address in page.evaluate(LINKED):
            links.setdefault((shown, address), section)
    # Those that lead to one list are looked at together.
    for (shown, address), section in sorted(links.items(), key=lambda item: item[0][1]):
        if said := _difference(page, shown, address):
            wrong.append(f"{section}: {shown} at {address}: {said}")
    assert wrong == []
    assert len(links) > 60, "the walk saw the figures"


def _difference(page: Page, shown: str, address: str) -> str:
    """How what a link says differs from the list it leads to; nothing where it does not."""
    parts = urlsplit(address)
    query = {name: values[0] for name, values in parse_qs(parts.query).items()}
    first = re.match(r"[\d,.]+", shown)
    number = first.group().replace(",", "") if first else ""
    if parts.path == "/":
        page.evaluate(GO, address)
        expect(page.locator(".rows, .empty").first).to_be_visible()
        return _count(page.locator(".rows [data-id]"), number) if "%" not in shown and "MiB" not in shown else ""
    if "/sessions/" in parts.path:
        page.evaluate(GO, address)
        expect(page.locator("main").first).to_be_visible()
        return ""
    open_section(page, address)
    if parts.path.endswith("/usage"):
        measure = query.get("measure", "minutes")
        if measure == "sessions":
            return _count(page.locator(".usage-row[data-line]"), number)
        said = page.locator(".figure", has_text=FIGURES[measure]).locator(".figure-value").inner_text()
        # What runs grows: of its minutes and memory it is only seen that they lead to a list of them.
        is_over = query.get("user") in OVER or "tag" in query and query["tag"] != "team:now"
        if measure in ("minutes", "memory") and not is_over:
            return "" if re.match(r"[\d,.]+", said) else f"the list says {said}"
        return "" if shown.removesuffix(" min") == said else f"the list says {said}"
    if query.get("show") == "keys":
        return _count(page.locator(".key-row[data-key]"), number)
    if parts.path.endswith("/settings"):
        return "" if page.locator("[data-setting]").count() else "there is no such setting"
    return ""


def _count(rows: Locator, number: str) -> str:
    try:
        expect(rows).to_have_count(int(number), timeout=SOON)
    except AssertionError:
        return f"the list has {rows.count()}"
    return ""
