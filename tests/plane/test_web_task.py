"""What somebody who has never seen the web app does in it, by what is written there alone; and what that costs."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from scripts.screenshots.places import running_shop
from tests.plane.plane import RunningPlane, running_plane, until
from tests.plane.test_web_app import chromium, page, sign_in

__all__ = ["chromium", "page"]
WIDTH, HEIGHT = 1280, 720
# The first screen, compressed, with all that it asks for.
MOST_AT_FIRST = 200 * 1024
# Long enough for whatever would ask again every second or two.
IDLE_MS = 4000
# The record's pictures come a moment after what they show: until they have, the screen is not idle.
SETTLED_MS = 2500


@pytest.fixture(scope="module")
def plane() -> Iterator[RunningPlane]:
    with running_plane("--egress", "open", "--record", "content", "--max-sessions-per-user", "20") as running:
        yield running


@pytest.fixture(scope="module")
def shop() -> Iterator[str]:
    with running_shop() as address:
        yield address


class Shown:
    """The picture of a session's page, and where in it something is."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def click(self, x: float, y: float) -> None:
        shown = self.page.locator(".picture").bounding_box()
        assert shown is not None
        scale = min(shown["width"] / WIDTH, shown["height"] / HEIGHT)
        left = shown["x"] + (shown["width"] - WIDTH * scale) / 2
        top = shown["y"] + (shown["height"] - HEIGHT * scale) / 2
        self.page.mouse.click(left + x * scale, top + y * scale)


def places(plane: RunningPlane, id: str) -> dict[str, tuple[float, float]]:
    """Where the page's fields are, as eyes would see."""
    script = """Object.fromEntries([...document.querySelectorAll("[id]")].map((one) => {
      const {x, y, width, height} = one.getBoundingClientRect();
      return [one.id, [x + Math.min(width / 2, 60), y + height / 2]];
    }))"""
    with plane.client() as client:
        answer = client.post(f"/s/{id}/v1/browser/execute", json={"expression": script})
    found: dict[str, tuple[float, float]] = answer.json()["result"]
    return found


def test_from_the_address_alone_to_a_link_to_the_failed_request(
    plane: RunningPlane, page: Page, shop: str, tmp_path: Path
) -> None:
    voucher = tmp_path / "voucher.png"
    voucher.write_bytes(b"a picture")
    page.goto(f"{plane.url}/sign-in?ticket={plane.ticket}")
    page.get_by_role("button", name="New session").click()
    page.get_by_label("Address").fill(shop)
    page.get_by_role("button", name="Browser", exact=True).click()
    page.get_by_label(re.compile("^Headless")).check()
    page.get_by_role("button", name="Start", exact=True).click()
    page.wait_for_url(re.compile("/sessions/"))
    id = page.url.split("/sessions/")[1].split("?")[0]
    expect(page.locator(".picture")).to_be_visible()
    at = until(lambda: places(plane, id) if "pay-now" in places(plane, id) else None, what="the shop")
    page.get_by_role("button", name="Take control", exact=True).click()
    expect(page.get_by_role("button", name="Give back")).to_be_visible()
    shown = Shown(page)
    shown.click(*at["colour"])
    form = page.locator(".belljar-ask")
    form.locator("option", has_text="Black").click()
    expect(form).to_have_count(0)
    shown.click(*at["voucher"])
    form.locator("input[type=file]").set_input_files(voucher)
    expect(form).to_have_count(0)
    shown.click(*at["pay-now"])
    page.get_by_role("button", name=re.compile("^Network")).click()
    row = page.locator(".drawer").get_by_text("502").first
    expect(row).to_be_visible()
    row.click()
    page.evaluate("navigator.clipboard.writeText = async (text) => { window.copied = text }")
    page.locator(".drawer").get_by_role("button", name=re.compile("link", re.I)).click()
    link = str(until(lambda: page.evaluate("window.copied"), what="the link"))
    page.get_by_role("button", name="Give back").click()
    with plane.client() as client:
        wanted = "[document.querySelector('#colour').value, document.querySelector('#voucher').files[0].name]"
        asked = {"Belljar-Control-Wait": "20000"}
        chosen = client.post(
            f"/s/{id}/v1/browser/execute", json={"expression": wanted}, headers=asked, timeout=40
        ).json()["result"]
    assert chosen == ["Black", "voucher.png"]
    # Whoever gets the link sees that moment, and the request.
    other = page.context.new_page()
    other.goto(link)
    expect(other.locator(".then-bar")).to_be_visible()
    expect(other.locator(".drawer")).to_contain_text("502")
    assert re.search(r"#.*t=\d+", link)


def test_the_first_screen_loads_little_and_terminal_and_replay_come_when_they_are_opened(
    plane: RunningPlane, page: Page, shop: str
) -> None:
    id = plane.create(mode="browser", headless=True, url=shop)["id"]
    sign_in(page, plane)
    sizes: dict[str, int] = {}
    page.on("requestfinished", lambda one: sizes.update({one.url: one.sizes()["responseBodySize"]}))
    page.goto(plane.url)
    expect(page.locator(f'[data-id="{id}"]')).to_be_visible()
    assert 0 < sum(size for url, size in sizes.items() if "/api/" not in url) <= MOST_AT_FIRST

    def has(name: str) -> bool:
        return any(re.search(rf"/assets/{name}-[^/]*\.js$", url) for url in sizes)

    page.goto(f"{plane.url}/sessions/{id}?panel=processes")
    expect(page.locator(".picture")).to_be_visible()
    assert not has("Terminal") and not has("Replay")
    page.locator(".drawer").get_by_role("button", name="Start", exact=True).click()
    expect(page.locator(".drawer .xterm")).to_be_visible()
    assert has("Terminal") and not has("Replay")
    page.keyboard.press("Shift+Escape")
    page.goto(f"{plane.url}/sessions/{id}?panel=activity")
    page.locator(".act-time").first.click()
    expect(page.locator(".then-bar")).to_be_visible()
    until(lambda: has("Replay"), what="the replay")


def test_an_idle_session_on_screen_makes_no_request_but_its_streams(plane: RunningPlane, page: Page, shop: str) -> None:
    id = plane.create(mode="browser", headless=True, url=shop)["id"]
    sign_in(page, plane)
    asked: list[str] = []
    page.context.on("request", lambda request: asked.append(request.url))
    # All at once, each on a page of its own: they are waited for together.
    for panel in ("activity", "network", "processes", "about"):
        shown = page.context.new_page()
        shown.goto(f"{plane.url}/sessions/{id}?panel={panel}")
        expect(shown.locator(".picture")).to_be_visible()
    until(lambda: asked_within(page, asked, SETTLED_MS) == [], what="all that the screens need")
    assert asked_within(page, asked, IDLE_MS) == []


def asked_within(page: Page, asked: list[str], milliseconds: int) -> list[str]:
    """What these pages asked for while another one waited."""
    asked.clear()
    page.evaluate("(ms) => new Promise((done) => setTimeout(done, ms))", milliseconds)
    return list(asked)


def test_a_session_is_made_driven_and_left_with_the_keyboard_alone(plane: RunningPlane, page: Page, shop: str) -> None:
    sign_in(page, plane)
    page.goto(plane.url)
    expect(page.get_by_role("button", name="New session")).to_be_visible()
    page.keyboard.press("n")
    expect(page.get_by_label("Address")).to_be_focused()
    page.keyboard.type(shop)
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("/sessions/"))
    id = page.url.split("/sessions/")[1].split("?")[0]
    expect(page.locator(".picture")).to_be_visible()
    page.keyboard.press("t")
    expect(page.get_by_role("button", name="Give back")).to_be_visible()
    page.keyboard.press("o")
    page.keyboard.press("Control+a")
    page.keyboard.type(shop + "?again")
    page.keyboard.press("Enter")
    with plane.client() as client:
        status = f"/s/{id}/v1/browser/status"
        until(lambda: client.get(status).json()["url"] == shop + "?again", what="the other address")
        page.keyboard.press("Shift+Escape")
        page.keyboard.press("4")
        expect(page.locator(".drawer").get_by_role("heading", name="Network")).to_be_visible()
        page.keyboard.press("t")
        expect(page.get_by_role("button", name="Take control", exact=True)).to_be_visible()
        page.keyboard.press("g")
        page.keyboard.press("s")
        expect(page.locator(f'[data-id="{id}"]')).to_be_visible()


def test_a_list_that_cannot_be_read_says_so_and_comes_by_itself(plane: RunningPlane, page: Page) -> None:
    plane.create(id="behind-the-fault")
    sign_in(page, plane)

    def cut(route: Route) -> None:
        route.abort("connectionreset")

    page.route("**/api/sessions**", cut)
    page.goto(plane.url)
    expect(page.get_by_role("heading", name="The sessions could not be read")).to_be_visible()
    expect(page.get_by_role("alert")).not_to_be_empty()
    page.unroute("**/api/sessions**", cut)
    expect(page.locator('[data-id="behind-the-fault"]')).to_be_visible()


def test_a_session_that_is_not_there_is_told_from_one_that_cannot_be_read(plane: RunningPlane, page: Page) -> None:
    made = plane.create()
    sign_in(page, plane)
    page.goto(f"{plane.url}/sessions/never-was")
    expect(page.get_by_role("heading", name="There is no such session")).to_be_visible()
    page.get_by_role("button", name="All sessions").click()
    expect(page.locator(f'[data-id="{made["id"]}"]')).to_be_visible()
    page.route("**/api/sessions/**", lambda route: route.abort("connectionreset"))
    page.goto(f"{plane.url}/sessions/{made['id']}")
    expect(page.get_by_role("heading", name="The session could not be read")).to_be_visible()
    page.unroute_all()
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("heading", name=made["id"])).to_be_visible()


# Playwright has every tab believe that it is looked at; so a browser says that it no longer is, or is again.
LOOKED_AT = """(isHidden) => {
  Object.defineProperty(document, "hidden", { configurable: true, get: () => isHidden });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


def test_tabs_that_nobody_looks_at_hold_no_connection_and_go_on_when_they_are_shown(
    plane: RunningPlane, page: Page
) -> None:
    """A browser opens six connections to a host, for all tabs: each of these has two streams while it is looked at."""
    session = plane.create(mode="browser", headless=True)["id"]
    sign_in(page, plane)
    for tab in (page, *(page.context.new_page() for _ in range(4))):
        tab.goto(f"{plane.url}/sessions/{session}?panel=console")
        expect(tab.locator(".drawer").get_by_role("heading", name="Console").first).to_be_visible()
        expect(tab.locator(".timeline")).to_be_visible()
        tab.evaluate(LOOKED_AT, True)
    with plane.client() as client:
        words = {"expression": "console.log('while nobody looked')"}
        client.post(f"/s/{session}/v1/browser/execute", json=words).raise_for_status()
    page.evaluate(LOOKED_AT, False)
    expect(page.locator(".console-line").filter(has_text="while nobody looked")).to_be_visible()
    expect(page.locator(".timeline")).to_be_visible()
