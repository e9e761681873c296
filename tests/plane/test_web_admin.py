"""Administration and the first run in the web app, in a real Chromium; what was done is asked of database and boxes."""

import csv
import json
import re
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright
from websockets.sync.client import connect

from tests.axe import serious_findings
from tests.plane.plane import RunningPlane, close_of, running_plane, until
from tests.plane.test_web_app import EVIL, WAIT

USERS, EVENTS = 500, 10_000
SECTIONS = (
    "", "/people", "/people?show=keys", "/limits", "/usage", "/usage?by=day", "/usage?by=tag&measure=received",
    "/usage?by=session", "/audit", "/hosts", "/settings", "/settings?show=boxes", "/health",
)  # fmt: skip


@pytest.fixture(scope="module")
def plane() -> Iterator[RunningPlane]:
    with running_plane() as running:
        yield running


@pytest.fixture(scope="module")
def full() -> Iterator[RunningPlane]:
    """One that has been used for a while, by people with hostile tags."""
    with running_plane() as running:
        with closing(sqlite3.connect(running.state_dir / "control.db", timeout=30)) as database, database:
            fill(database)
        yield running


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    context = chromium.new_context(viewport={"width": 1440, "height": 900})
    context.set_default_timeout(WAIT)
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda line: faults.append(line.text) if "Content Security Policy" in line.text else None)
    yield page
    context.close()
    assert not faults


def fill(database: sqlite3.Connection) -> None:
    now = time.time()
    tags = ["shop", "=1+1", EVIL]
    for number in range(USERS):
        user = f"user-{number:03}"
        database.execute(
            "insert into keys (id, user_id, name, role, digest, created_at) values (?, ?, ?, 'user', ?, ?)",
            (f"k{number}", user, EVIL, "x" * 64, now - number),
        )
        began = now - number * 1000
        values: dict[str, Any] = {
            "id": f"x-{number}", "user_id": user, "state": "stopped", "host": "h", "place": "h", "plane_id": "p",
            "spec": "{}", "tags": json.dumps({"team": tags[number % 3]}), "metadata": "{}", "revoked": 0,
            "created_at": began, "moved_at": began, "started_at": began, "ended_at": began + 60, "expires_at": began,
            "idle_timeout": 0, "peak_memory": 10**8, "cpu_seconds": 1.0, "egress_bytes": 3000, "egress_sent": 1000,
            "egress_received": 2000,
        }  # fmt: skip
        names, marks = ", ".join(values), ", ".join("?" * len(values))
        database.execute(f"insert into sessions ({names}) values ({marks})", tuple(values.values()))
    database.executemany(
        "insert into events (at, kind, actor, user_id, detail) values (?, 'token.made', ?, ?, ?)",
        (
            (now - EVENTS + number, f"user-{number % USERS:03}", "admin", json.dumps({"number": number, "note": EVIL}))
            for number in range(EVENTS)
        ),
    )


def sign_in(page: Page, plane: RunningPlane, key: str | None = None) -> None:
    answer = page.request.post(f"{plane.url}/sign-in", data={"key": key or plane.key}, headers={"Origin": plane.url})
    assert answer.ok


def rows_of(plane: RunningPlane, query: str, *values: object) -> list[Any]:
    path = f"file:{plane.state_dir / 'control.db'}?mode=ro"
    with closing(sqlite3.connect(path, uri=True, timeout=30)) as database:
        return database.execute(query, values).fetchall()


def test_the_printed_link_leads_to_a_demo_that_shows_what_it_does(page: Page) -> None:
    with running_plane() as plane:
        assert f"/sign-in?ticket={plane.ticket}" in plane.said
        page.goto(f"{plane.url}/sign-in?ticket={plane.ticket}")
        expect(page.locator(".first-checks")).to_contain_text("programs of sessions are not kept in")
        expect(page.locator(".first-checks")).to_contain_text("belljar serve --jail require")
        expect(page.locator(".first-lines pre")).to_have_count(3)
        page.get_by_role("button", name="Start a demo").click()
        page.wait_for_url(re.compile("/sessions/"))
        id = page.url.split("/sessions/")[1].split("?")[0]
        acts = page.locator(".act-rows")
        expect(acts).to_contain_text("Get markdown", timeout=60_000)
        expect(acts).to_contain_text("#keep")
        with plane.client() as client:
            said = client.get(f"/s/{id}/v1/browser/markdown").json()["markdown"]
            assert "A way out that a policy guards" in said and "Done. Press t" in said
            calls = client.get(f"/api/sessions/{id}/record", params={"kinds": "call", "limit": 1000}).json()["events"]
            names = [event["name"] for event in calls if event["actor"]["kind"] == "agent"]
            assert names.count("browserClick.end") == 3
            left = client.get(f"/api/sessions/{id}/record", params={"kinds": "egress"}).json()["events"]
            assert left == [], "nothing left the host"
            marks = client.get(f"/api/sessions/{id}/record", params={"kinds": "mark"}).json()["events"]
            assert len(marks) == 2


def test_nobody_else_sees_the_administration(plane: RunningPlane, page: Page) -> None:
    sign_in(page, plane, plane.new_key("plain"))
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{plane.url}/admin/people")
    expect(page.get_by_role("heading", name="There is nothing here")).to_be_visible()
    assert page.get_by_role("link", name="Admin").count() == 0
    page.goto(plane.url)
    expect(page.get_by_role("button", name="Start a demo")).to_be_visible()
    assert page.locator(".first-checks").count() == 0
    operators = ("/api/users", "/api/keys", "/api/checks", "/api/settings", "/api/hosts", "/api/limits", "/api/audit")
    assert not [url for url in asked if any(path in url for path in operators)]


def test_a_key_is_made_shown_once_and_revoked_with_what_it_ends(plane: RunningPlane, page: Page) -> None:
    sign_in(page, plane)
    page.goto(f"{plane.url}/admin/people")
    expect(page.locator('[data-user="admin"]')).to_be_visible()
    page.keyboard.press("n")
    page.get_by_label("User", exact=True).fill("not a name")
    page.get_by_role("button", name="Make the key").click()
    expect(page.get_by_role("alert")).to_contain_text("Letters, digits")
    page.get_by_label("User", exact=True).fill("ann")
    page.get_by_label("For", exact=True).fill(EVIL)
    page.get_by_label("Most sessions at a time").fill("3")
    page.get_by_role("button", name="Make the key").click()
    key = page.get_by_label("The key").inner_text()
    [(id, limit, name)] = rows_of(plane, "select id, max_sessions, name from keys where user_id = 'ann'")
    assert key.startswith(f"bj_{id}_") and limit == 3 and name == EVIL
    page.get_by_role("button", name="I have it").click()
    assert key not in page.content()
    session = plane.create(key=key)
    headers = {"Authorization": f"Bearer {key}"}
    with connect(plane.url.replace("http", "ws") + f"/s/{session['id']}/v1/live", additional_headers=headers) as socket:
        page.get_by_role("button", name="Read again").click()
        expect(page.locator('[data-user="ann"]').get_by_role("link", name="1 keys of ann")).to_be_visible()
        page.locator('[data-user="ann"]').get_by_role("link", name="1 keys of ann").click()
        row = page.locator(f'[data-key="{id}"]')
        expect(row).to_contain_text(EVIL)
        expect(page.locator(".key-row[data-key]")).to_have_count(1)
        expect(row).not_to_contain_text("never")
        row.get_by_role("button", name="Revoke").click()
        sheet = page.get_by_role("dialog")
        expect(sheet.locator(".facts")).to_contain_text("Connections that are open by it1")
        expect(sheet).to_contain_text(session["id"])
        sheet.get_by_label("End this session too").check()
        sheet.get_by_role("button", name="Revoke it").click()
        expect(page.locator(".toast")).to_contain_text("1 connection closed, 1 session ended")
        close_of(socket)
    assert rows_of(plane, "select revoked_at is not null from keys where id = ?", id) == [(1,)]
    assert plane.get(session["id"])["state"] == "stopped"
    expect(row).to_have_count(0)
    page.get_by_label("Find keys").fill("user:ann")
    expect(row).to_contain_text("revoked")


def test_a_host_is_drained_and_taken_back(plane: RunningPlane, page: Page) -> None:
    running = plane.create()
    sign_in(page, plane)
    page.goto(f"{plane.url}/admin/hosts")
    page.get_by_role("button", name="Drain").click()
    expect(page.locator(".host")).to_contain_text("Takes no more sessions since")
    assert len(rows_of(plane, "select name from drained_hosts")) == 1
    with plane.client() as client:
        assert client.post("/api/sessions", json={"mode": "none"}).json()["code"] == "draining"
        assert plane.get(running["id"])["state"] == "running"
    page.get_by_role("button", name="Take sessions again").click()
    expect(page.get_by_role("button", name="Drain")).to_be_visible()
    assert rows_of(plane, "select name from drained_hosts") == []
    page.locator(".host .facts").get_by_role("link").first.click()
    page.wait_for_url(re.compile(r"\?q="))
    expect(page.locator(f'[data-id="{running["id"]}"]')).to_be_visible()
    with plane.client() as client:
        client.delete(f"/api/sessions/{running['id']}")


def test_ten_thousand_events_are_searched_and_scrolled(full: RunningPlane, page: Page) -> None:
    sign_in(page, full)
    page.goto(f"{full.url}/admin/audit")
    expect(page.get_by_text(re.compile(r"^10,0\d\d events$"))).to_be_visible()
    rows = page.locator(".rows")
    first = rows.locator("[data-event]").first
    expect(first).to_be_visible()
    assert rows.locator("[data-event]").count() < 100, "only those that can be seen are in the page"
    oldest = rows_of(full, "select min(id) from events")[0][0]

    def reach_the_end() -> bool:
        rows.evaluate("rows => { rows.scrollTop = rows.scrollHeight }")
        return page.locator(f'[data-event="{oldest}"]').count() > 0

    until(reach_the_end, what="the oldest event")
    assert rows.locator("[data-event]").count() < 100
    page.get_by_label("Find text in events").fill('"number": 4321,')
    expect(page.get_by_text("1 events", exact=True)).to_be_visible()
    expect(first).to_contain_text("4321")
    first.get_by_title("All of this event").click()
    expect(page.get_by_role("dialog")).to_contain_text("<img src=x onerror")
    page.keyboard.press("Escape")
    page.get_by_label("Find text in events").fill("")
    expect(page.get_by_text(re.compile(r"^10,0\d\d events$"))).to_be_visible()
    page.get_by_title("Only what user-499 did").first.click()
    expect(page.get_by_text("20 events", exact=True)).to_be_visible()
    assert "actor=user-499" in page.url and page.title() == "Audit – Administration – Belljar"


def test_five_hundred_people_are_found_and_their_figures_lead_on(full: RunningPlane, page: Page) -> None:
    sign_in(page, full)
    page.goto(f"{full.url}/admin/people")
    expect(page.get_by_role("tab", name="People 501")).to_be_visible()
    assert page.locator(".user-row[data-user]").count() < 100
    page.keyboard.press("/")
    page.keyboard.type("user-317")
    row = page.locator('[data-user="user-317"]')
    expect(page.locator(".user-row[data-user]")).to_have_count(1)
    row.get_by_role("link", name="1 sessions of user-317").click()
    expect(page.locator('[data-id="x-317"]')).to_be_visible()
    page.go_back()
    row.get_by_role("link", name="1.0 minutes of user-317").click()
    expect(page.locator(".usage-row")).to_contain_text(["", "x-317"])


def test_usage_is_drawn_listed_and_saved_as_it_is_in_the_database(full: RunningPlane, page: Page) -> None:
    sign_in(page, full)
    page.goto(f"{full.url}/admin/usage?by=tag&measure=sent")
    total, sent = rows_of(full, "select count(*), sum(egress_sent) from sessions")[0]
    figures = page.locator(".figure")
    expect(figures.first).to_contain_text(f"{total:,}")
    expect(figures.filter(has_text="Bytes out")).to_contain_text(f"{sent:,} B")
    expect(page.locator(".bars a")).to_have_count(3)
    expect(page.locator(".usage-row").filter(has_text=EVIL)).to_be_visible()
    with page.expect_download() as saved:
        page.get_by_role("link", name="CSV").click()
    with open(saved.value.path(), newline="", encoding="utf-8") as file:
        lines = {line["value"]: line for line in csv.DictReader(file)}
    assert set(lines) == {"shop", "'=1+1", EVIL}
    assert sum(int(line["egressSent"]) for line in lines.values()) == sent
    assert page.title().startswith("Usage")


@pytest.mark.parametrize(
    ("scheme", "width"),
    [
        ("light", 1440),
        ("dark", 390),
        *(pytest.param(*rare, marks=pytest.mark.soak) for rare in [("light", 390), ("dark", 1440)]),
        *(pytest.param(scheme, 1024, marks=pytest.mark.soak) for scheme in ("light", "dark")),
    ],
)
def test_no_section_has_an_access_fault_or_is_wider_than_the_screen(
    full: RunningPlane, page: Page, scheme: Literal["light", "dark"], width: int
) -> None:
    sign_in(page, full)
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": 900})
    findings: list[str] = []
    for section in SECTIONS:
        page.goto(f"{full.url}/admin{section}")
        expect(page.locator(".admin-section[aria-busy=false]")).to_be_visible()
        expect(page.locator(".admin-tools h1")).to_be_visible()
        findings += [f"{section}: {one}" for one in serious_findings(page)]
        if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            findings.append(f"{section}: too wide")
    assert findings == []


def test_keys_lead_from_section_to_section(plane: RunningPlane, page: Page) -> None:
    sign_in(page, plane)
    page.goto(plane.url)
    expect(page.get_by_role("link", name="Admin")).to_be_visible()
    page.keyboard.press("g")
    page.keyboard.press("a")
    expect(page.get_by_role("heading", name="Overview")).to_be_visible()
    for key, heading in zip(
        "2345678", ("People and keys", "Limits", "Usage", "Audit", "Hosts and pool", "Settings", "Health"), strict=True
    ):
        page.keyboard.press(key)
        expect(page.get_by_role("heading", name=heading, level=1)).to_be_visible()
    expect(page.locator('[data-check="jail-off"][data-level="missing"]')).to_contain_text(
        "belljar serve --jail require"
    )
    page.keyboard.press("1")
    page.locator(".figure", has_text="Health").click()
    page.wait_for_url(re.compile("/admin/health"))
    page.keyboard.press("7")
    page.get_by_label("Find settings").fill("jail")
    expect(page.locator('[data-setting="jail"]')).to_contain_text("off")
    expect(page.locator('[data-setting="jail"]')).to_contain_text("flag")
