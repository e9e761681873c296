"""The live view through the gateway, as a person has it open in a browser, and what the control plane notes of it."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import anyio
import httpx2 as httpx
import pytest
from playwright.sync_api import Page, expect, sync_playwright

from tests.agent.mcp.clients import connected
from tests.plane.launched import LAUNCHERS, LauncherPlace, launcher_place
from tests.plane.plane import PATIENCE, RunningPlane, running_plane, until
from tests.site import Site, running_site

GREEN = [0, 128, 0]
# The colour at a point of the picture that is ground in the page shown.
COLOUR = """() => { const c = document.getElementById('picture');
  return [...c.getContext('2d').getImageData(c.width * .9, c.height * .9, 1, 1).data].slice(0, 3) }"""

# What `embedView` of belljar/live does.
EMBED = """([view, token]) => {
  const frame = document.body.appendChild(document.createElement("iframe")), { origin } = new URL(view);
  addEventListener("message", (event) => {
    if (event.source === frame.contentWindow && event.origin === origin && event.data.type === "belljar.token-wanted")
      frame.contentWindow.postMessage({ type: "belljar.token", token }, origin);
  });
  frame.src = view;
}"""


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with running_site() as site:
        yield site


@pytest.fixture(scope="module")
def screen() -> Iterator[Page]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        yield browser.new_page()
        browser.close()


def sees_the_page(screen: Page) -> bool:
    return all(abs(a - b) < 40 for a, b in zip(screen.evaluate(COLOUR), GREEN, strict=True))


def audited(plane: RunningPlane, session: dict[str, Any]) -> list[tuple[str, str]]:
    with plane.client() as api:
        rows = api.get("/api/audit", params={"session": session["id"]}).json()
    return [(row["kind"], row["actor"]) for row in rows["events"]]


def logged(plane: RunningPlane, event: str) -> list[dict[str, Any]]:
    lines = [json.loads(line) for line in plane.log.read_text().splitlines() if line.startswith("{")]
    return [line for line in lines if line["event"] == event]


def field(session: dict[str, Any], screen: Page) -> str:
    """What stands in the field of the page shown, asked by a tool of the person's own."""
    key = screen.evaluate("sessionStorage.getItem('belljar-viewer')")
    headers = {"Authorization": f"Bearer {session['token']}", "Belljar-Viewer": key}
    url = f"{session['httpUrl']}/v1/browser/execute"
    answer = httpx.post(url, json={"expression": "field.value"}, headers=headers, timeout=PATIENCE)
    return str(answer.raise_for_status().json()["result"])


@pytest.fixture(params=LAUNCHERS)
def place(request: pytest.FixtureRequest) -> Iterator[LauncherPlace]:
    with launcher_place(request) as made:
        yield made


def test_a_person_watches_takes_control_types_and_stays(place: LauncherPlace, site: Site, screen: Page) -> None:
    allowed = site.url("").removeprefix("http://").rstrip("/")
    with place.plane("--allow", allowed, "--keep-sessions") as plane:
        session = plane.create(mode="browser", headless=True, url=site.url("live/events.html"))
        screen.goto(session["connect"]["viewUrl"])
        until(lambda: sees_the_page(screen), what="the page's colour")
        box = screen.locator("#picture").bounding_box()
        assert box is not None
        screen.mouse.click(box["x"] + box["width"] * 0.12, box["y"] + box["height"] * 0.1)
        expect(screen.locator("#holder")).to_have_text("You have control")
        screen.keyboard.type("hello")
        until(lambda: field(session, screen) == "hello", what="what was typed")
        assert ("control.taken", session["userId"]) in audited(plane, session)

        screen.reload()
        expect(screen.locator("#holder")).to_have_text("You have control")
        until(lambda: sees_the_page(screen), what="the page's colour")
        left = until(lambda: logged(plane, "live.left"), what="a line about the stream")[0]
        assert (
            left["session_id"] == session["id"] and left["sandbox_id"] and left["user"] not in (None, session["userId"])
        )
        assert left["dropped_frames"] >= 0 and left["fps"] >= 0
        assert logged(plane, "live.command")[0]["duration_ms"] > 0

        screen.locator("#control").click()
        expect(screen.locator("#holder")).to_have_text("Nobody has control")
        until(lambda: ("control.left", session["userId"]) in audited(plane, session), what="the audit's line")

        # The control plane dies and comes back; the box lives on, and so does the page.
        port = plane.url.rpartition(":")[2]
        plane.kill()
        expect(screen.locator("#state")).not_to_have_attribute("data-state", "open")
        with place.plane("--allow", allowed, "--port", port, key=plane.key) as again:
            expect(screen.locator("#state")).to_have_attribute("data-state", "open", timeout=PATIENCE * 1000)
            until(lambda: sees_the_page(screen), what="the page's colour")
            with again.client() as api:
                api.delete(f"/api/sessions/{session['id']}").raise_for_status()
            expect(screen.locator("#note-text")).to_contain_text("over", timeout=PATIENCE * 1000)
            expect(screen.locator("#state")).to_have_attribute("data-state", "closed")


async def asked(url: str, token: str) -> str:
    """The link that an agent gets when it asks for a person."""
    async with connected(url, token) as agent:
        said = await agent.ok("ask_person", question="Which cake?")
    return next(word for word in said.split() if word.startswith("http://"))


def test_the_link_of_an_agent_that_asks_for_a_person_opens_the_view(
    place: LauncherPlace, site: Site, screen: Page
) -> None:
    allowed = site.url("").removeprefix("http://").rstrip("/")
    with place.plane("--allow", allowed) as plane, ThreadPoolExecutor(1) as elsewhere:
        session = plane.create(mode="browser", headless=True, url=site.url("live/events.html"))
        at = f"{plane.url}/s/{session['id']}"
        for url, secret in (
            (f"{at}/mcp", plane.key),
            (f"{at}/mcp", session["token"]),
            (f"{at}/mcp?token={session['token']}", ""),
        ):
            link = elsewhere.submit(anyio.run, asked, url, secret).result(PATIENCE)
            assert link.startswith(f"{at}/view#ticket=")
            screen.context.clear_cookies()
            screen.goto("about:blank")
            screen.goto(link)
            until(lambda: sees_the_page(screen), what="the page's colour")
            expect(screen.locator("body")).to_contain_text("Which cake?")
            again = httpx.post(
                f"{at}/view/session", json={"ticket": link.partition("#ticket=")[2]}, headers={"Origin": plane.url}
            )
            assert (again.status_code, again.json()["code"]) == (401, "token_invalid")


def test_a_page_of_an_allowed_origin_shows_a_sessions_view_in_a_frame(site: Site, screen: Page) -> None:
    """With a token for that session; `localhost` is another site than `127.0.0.1`, where the control plane is."""
    origin = site.origin().replace("127.0.0.1", "localhost")
    with running_plane("--embed-origin", origin) as plane:
        session = plane.create(mode="browser", headless=True)
        with plane.client() as api:
            made = api.post(f"/api/sessions/{session['id']}/tokens", json={"role": "view", "ttl": 60})
            token = made.raise_for_status().json()["token"]
        page = httpx.get(session["viewUrl"])
        assert f"frame-ancestors 'self' {origin}" in page.headers["content-security-policy"]
        # Of the app, a session's screen alone: the others take an API key, which no other page should have.
        app = {path: httpx.get(f"{plane.url}{path}") for path in ("/sessions/any", "/", "/profiles", "/admin/keys")}
        policies = [page.headers["content-security-policy"].rpartition("frame-ancestors ")[2] for page in app.values()]
        assert policies == [origin, "'none'", "'none'", "'none'"]
        assert [f'content="{origin}"' in page.text for page in app.values()] == [True, False, False, False]
        screen.goto(f"{origin}/second.html")
        screen.evaluate(EMBED, [session["viewUrl"], token])
        shown = screen.frame_locator("iframe")
        expect(shown.locator("#state")).to_have_attribute("data-state", "open", timeout=PATIENCE * 1000)
        expect(shown.locator("#holder")).to_have_text("Nobody has control · view only")
        screen.goto("about:blank")
