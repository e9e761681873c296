"""A person takes over a session, in the web app and in /view: asked what no picture shows; the page gets it."""

import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.plane.plane import RunningPlane, running_plane
from tests.plane.test_web_app import AXE, FINDINGS, chromium, page, sign_in, site
from tests.site import Site

__all__ = ["chromium", "page", "site"]
WIDTH, HEIGHT = 800, 600
# Asked as the viewer that this page is, who has control.
ASK = """async ([expression, address]) => {
  const name = Object.keys(sessionStorage).find((one) => one.startsWith("belljar-viewer"));
  const headers = {"Content-Type": "application/json", "Belljar-Viewer": sessionStorage.getItem(name)};
  const body = JSON.stringify({expression});
  const answer = await fetch(address + "v1/browser/execute", {method: "POST", headers, body});
  return (await answer.json()).result;
}"""


@pytest.fixture(scope="module")
def plane() -> Iterator[RunningPlane]:
    with running_plane("--egress", "open") as running:
        yield running


@pytest.fixture(scope="module")
def session(plane: RunningPlane) -> str:
    id: str = plane.create(mode="browser", headless=True, viewport={"width": WIDTH, "height": HEIGHT})["id"]
    return id


class Person:
    def __init__(self, page: Page, address: str, picture: str) -> None:
        self.page = page
        self.address = address
        self.picture = page.locator(picture)
        self.is_app = picture == ".picture"

    def sees(self, expression: str) -> Any:
        return self.page.evaluate(ASK, [expression, self.address])

    def until(self, expression: str, wanted: Any) -> None:
        end = time.monotonic() + 20
        while (seen := self.sees(expression)) != wanted:
            assert time.monotonic() < end, f"{expression} stayed {seen!r}: {self.form.all_inner_texts()}"

    def closes(self) -> None:
        """The form goes, and the picture has its place back."""
        expect(self.form).to_have_count(0)

    def click(self, id: str, button: Literal["left", "right"] = "left") -> None:
        box = self.sees(f"{id}.getBoundingClientRect().toJSON()")
        self.click_at(box["x"] + min(box["width"] / 2, 120), box["y"] + 12, button)

    def click_at(self, x: float, y: float, button: Literal["left", "right"] = "left") -> None:
        shown = self.picture.bounding_box()
        assert shown is not None
        scale = min(shown["width"] / WIDTH, shown["height"] / HEIGHT)
        left = shown["x"] + (shown["width"] - WIDTH * scale) / 2
        top = shown["y"] + (shown["height"] - HEIGHT * scale) / 2
        self.page.mouse.click(left + x * scale, top + y * scale, button=button)

    @property
    def form(self) -> Locator:
        return self.page.locator(".belljar-ask")


@pytest.fixture(params=["app", "view"])
def person(
    request: pytest.FixtureRequest, plane: RunningPlane, page: Page, session: str, site: Site
) -> Iterator[Callable[[str], Person]]:
    """Somebody at the session's screen in the app, or at its viewer page, with control and the page before them."""
    is_app = request.param == "app"
    sign_in(page, plane)
    address = f"{plane.url}/s/{session}/"

    def come(path: str) -> Person:
        with plane.client() as client:
            # Whoever was here before and left keeps control for a moment.
            asked = {"Belljar-Control-Wait": "20000"}
            where = {"url": site.url(path)}
            client.post(f"/s/{session}/v1/browser/navigate", json=where, headers=asked, timeout=40).raise_for_status()
        if is_app:
            page.goto(f"{plane.url}/sessions/{session}?panel=none")
        else:
            with plane.client() as client:
                made = client.post(f"/s/{session}/v1/live/links", json={"role": "drive"})
            page.goto(made.json()["link"])
        somebody = Person(page, address, ".picture" if is_app else "#picture")
        expect(somebody.picture).to_be_visible()
        page.get_by_role("button", name="Take control").click()
        expect(page.get_by_role("button", name="Give back")).to_be_visible()
        return somebody

    yield come
    page.get_by_role("button", name="Give back").click()


def test_options_dates_colours_and_suggestions(person: Callable[[str], Person]) -> None:
    somebody = person("live/fields.html")
    somebody.click("one")
    expect(somebody.form).to_contain_text("The page offers a choice: Fruit")
    assert somebody.form.locator("option").all_inner_texts()[-1] == "Elderberry <b>ripe</b>"
    expect(somebody.form.locator("optgroup[label=Sour] option")).to_be_disabled()
    somebody.form.locator("option", has_text="Banana").click()
    expect(somebody.form).to_have_count(0)
    somebody.until(
        "[one.value, seen.filter((e) => e.id === 'one').map((e) => e.type).slice(-2)]", ["b", ["input", "change"]]
    )
    # By keys alone: the form has the keyboard, and gives it back.
    somebody.click("one")
    expect(somebody.form.locator("select")).to_be_focused()
    somebody.page.keyboard.press("ArrowUp")
    somebody.page.keyboard.press("Enter")
    somebody.until("one.value", "a")
    somebody.closes()
    somebody.click("many")
    somebody.form.locator("select").select_option(label=["red", "blue"])
    somebody.form.get_by_role("button", name="Choose").click()
    somebody.until("[...many.selectedOptions].map((o) => o.value)", ["red", "blue"])
    somebody.closes()
    for id, value in (("date", "2025-03-01"), ("time", "13:45"), ("colour", "#00ff80")):
        somebody.click(id)
        somebody.form.locator("input").fill(value)
        somebody.form.get_by_role("button", name="Set").click()
        somebody.until(f"{id}.value", value)
        somebody.closes()
    somebody.click("town")
    somebody.form.get_by_role("button", name="Bern (CH)").click()
    somebody.until("town.value", "Bern")
    somebody.closes()
    somebody.click("date")
    somebody.form.locator("input").fill("2031-01-01")
    somebody.page.keyboard.press("Escape")
    expect(somebody.form).to_have_count(0)
    assert somebody.sees("date.value") == "2025-03-01"


def test_a_file_of_ones_own_machine(person: Callable[[str], Person], tmp_path: Path) -> None:
    (tmp_path / "me.txt").write_text("a face")
    somebody = person("live/files.html")
    somebody.click("pretty")
    expect(somebody.form).to_contain_text("The page asks for a file")
    somebody.form.locator("input[type=file]").set_input_files(tmp_path / "me.txt")
    somebody.until("seen.map((e) => [e.type, e.files])[1]", ["change", [["me.txt", "a face"]]])
    expect(somebody.form).to_have_count(0)
    somebody.click("pretty")
    somebody.form.get_by_role("button", name="Cancel").click()
    somebody.until("seen.at(-1).type", "cancel")


def test_a_form_has_no_serious_finding(person: Callable[[str], Person]) -> None:
    somebody = person("live/fields.html")
    for id in ("one", "date", "town"):
        somebody.click(id)
        expect(somebody.form).to_be_visible()
        somebody.page.evaluate(AXE.read_text())
        assert somebody.page.evaluate(FINDINGS.replace("document", "'.belljar-ask'")) == []


def test_words_are_found_and_the_page_is_saved_as_pdf(person: Callable[[str], Person]) -> None:
    somebody = person("live/words.html")
    somebody.click("first")
    somebody.page.keyboard.press("Control+f")
    finding = somebody.page.get_by_role("search", name="Find on the page")
    finding.get_by_label("Words to find").fill("apple")
    expect(finding.locator("output")).to_have_text("1 of 5")
    somebody.page.keyboard.press("Shift+Enter")
    expect(finding.locator("output")).to_have_text("5 of 5")
    assert somebody.sees("CSS.highlights.get('belljar-find').size") == 4
    somebody.page.keyboard.press("Escape")
    expect(finding).to_have_count(0)
    somebody.until("CSS.highlights.has('belljar-find')", False)
    with somebody.page.expect_download() as saving:
        somebody.page.keyboard.press("Control+p")
    assert saving.value.suggested_filename == "Words.pdf"
    assert Path(saving.value.path()).read_bytes().startswith(b"%PDF")


def test_what_is_selected_comes_to_ones_own_clipboard(person: Callable[[str], Person]) -> None:
    somebody = person("live/words.html")
    somebody.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    somebody.click("first")
    somebody.sees("getSelection().selectAllChildren(last)")
    somebody.page.keyboard.press("Control+c")
    somebody.page.wait_for_function("navigator.clipboard.readText().then((text) => text === 'the last (apple) $1')")


def test_a_right_click_has_a_menu(person: Callable[[str], Person], site: Site) -> None:
    somebody = person("live/words.html")
    somebody.click("link", button="right")
    somebody.form.get_by_role("button", name="Open in a new tab").click()
    expect(somebody.form).to_have_count(0)
    somebody.until("location.href", site.url("live/second.html"))
    somebody.sees("close()")


def test_a_password_and_a_download(person: Callable[[str], Person], plane: RunningPlane, site: Site) -> None:
    somebody = person("live/words.html")
    somebody.click("first")
    # Chromium remembers what one host was told.
    host = 0 if somebody.is_app else 1
    somebody.sees(f"void (location.href = {site.url('_/auth', host)!r})")
    expect(somebody.form).to_contain_text("asks for a name and a password")
    somebody.form.get_by_label("Name").fill("user")
    somebody.form.get_by_label("Password").fill("secret")
    somebody.form.get_by_role("button", name="Sign in").click()
    somebody.until("document.title", "inside")
    somebody.sees(f"void (location.href = {site.url('_/download/report.txt')!r})")
    with somebody.page.expect_download() as saving:
        somebody.page.get_by_role("button", name=re.compile("^Save")).click()
    assert saving.value.suggested_filename == "report.txt"
    assert len(Path(saving.value.path()).read_bytes()) == 64


def test_two_fingers_zoom_the_picture_and_a_tap_still_hits(person: Callable[[str], Person]) -> None:
    somebody = person("live/fields.html")
    cdp = somebody.page.context.new_cdp_session(somebody.page)
    shown = somebody.picture.bounding_box()
    assert shown is not None
    x, y = shown["x"] + shown["width"] / 2, shown["y"] + shown["height"] / 2
    for kind, apart in (("touchStart", 40), ("touchMove", 60), ("touchMove", 80)):
        points = [{"x": x - apart, "y": y, "id": 0}, {"x": x + apart, "y": y, "id": 1}]
        cdp.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    cdp.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    grown = somebody.picture.bounding_box()
    assert grown is not None and grown["width"] == pytest.approx(shown["width"] * 2, rel=0.1)
    # Near the middle, which is still in sight.
    somebody.click_at(230, 245)
    somebody.until("document.activeElement.id", "time")
