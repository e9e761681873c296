"""A person takes over a session, in the web app and in /view: asked what no picture shows; the page gets it."""

import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Literal, Protocol

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.axe import serious_findings
from tests.plane.plane import RunningPlane, running_plane
from tests.plane.test_web_app import WAIT, chromium, page, sign_in, site
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


# Something done in the session as its agent does: `act("browser/click", selector="#go")`.
Act = Callable[..., Any]


class Person:
    def __init__(self, page: Page, address: str, picture: str) -> None:
        self.page = page
        self.address = address
        self.picture = page.locator(picture)
        self.is_app = picture == ".picture"

    def sees(self, expression: str) -> Any:
        return self.page.evaluate(ASK, [expression, self.address])

    def until(self, expression: str, wanted: Any) -> None:
        end = time.monotonic() + WAIT / 1000
        while (seen := self.sees(expression)) != wanted:
            assert time.monotonic() < end, f"{expression} stayed {seen!r}: {self.form.all_inner_texts()}"

    def closes(self) -> None:
        """The form goes, and the picture has its place back."""
        expect(self.form).to_have_count(0)

    def click(self, id: str, button: Literal["left", "right"] = "left") -> None:
        box = self.sees(f"{id}.getBoundingClientRect().toJSON()")
        self.click_at(box["x"] + min(box["width"] / 2, 120), box["y"] + 12, button)

    def click_at(self, x: float, y: float, button: Literal["left", "right"] = "left") -> None:
        self.page.mouse.click(*self.point(x, y), button=button)

    def point(self, x: float, y: float) -> tuple[float, float]:
        """Where a point of the page is on this screen."""
        shown = self.picture.bounding_box()
        assert shown is not None
        scale = min(shown["width"] / WIDTH, shown["height"] / HEIGHT)
        left = shown["x"] + (shown["width"] - WIDTH * scale) / 2
        top = shown["y"] + (shown["height"] - HEIGHT * scale) / 2
        return left + x * scale, top + y * scale

    @property
    def form(self) -> Locator:
        return self.page.locator(".belljar-ask")


class Coming(Protocol):
    """Somebody comes to the session when its tab shows a page of the site, and `before` was done there."""

    def __call__(self, path: str, before: Callable[[Act], object] = ...) -> Person: ...


def coming(plane: RunningPlane, page: Page, session: str, site: Site, *, is_app: bool) -> Coming:
    def come(path: str, before: Callable[[Act], object] = lambda act: None) -> Person:
        with plane.client() as client:

            def act(name: str, **body: object) -> Any:
                # Whoever was here before and left keeps control for a moment.
                asked = {"Belljar-Control-Wait": "20000"}
                answer = client.post(f"/s/{session}/v1/{name}", json=body, headers=asked, timeout=40)
                return answer.raise_for_status().json()

            act("browser/navigate", url=site.url(path))
            before(act)
            link = act("live/links", role="drive")["link"]
        page.goto(f"{plane.url}/sessions/{session}?panel=none" if is_app else link)
        somebody = Person(page, f"{plane.url}/s/{session}/", ".picture" if is_app else "#picture")
        expect(somebody.picture).to_be_visible()
        page.get_by_role("button", name="Take control", exact=True).click()
        expect(page.get_by_role("button", name="Give back", exact=True)).to_be_visible()
        return somebody

    return come


@pytest.fixture(params=["app", "view"])
def person(
    request: pytest.FixtureRequest, plane: RunningPlane, page: Page, session: str, site: Site
) -> Iterator[Coming]:
    """Somebody at the session's screen in the app, or at its viewer page, with control and the page before them."""
    sign_in(page, plane)
    yield coming(plane, page, session, site, is_app=request.param == "app")
    page.get_by_role("button", name="Give back", exact=True).click()


def test_options_dates_colours_and_suggestions(person: Coming) -> None:
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


def test_a_file_of_ones_own_machine(person: Coming, tmp_path: Path) -> None:
    (tmp_path / "me.txt").write_text("a face")
    somebody = person("live/files.html")
    somebody.click("pretty")
    expect(somebody.form).to_contain_text("The page asks for a file")
    somebody.form.locator("input[type=file]").set_input_files(tmp_path / "me.txt")
    somebody.until("seen.map((e) => [e.type, e.files])[1]", ["change", [["me.txt", "a face"]]])
    somebody.closes()
    somebody.click("pretty")
    somebody.form.get_by_role("button", name="Cancel").click()
    somebody.until("seen.at(-1).type", "cancel")


def test_a_form_has_no_serious_finding(person: Coming) -> None:
    somebody = person("live/fields.html")
    for id, kind in (("one", "select"), ("date", "date"), ("town", "datalist")):
        somebody.click(id)
        # Not that of the field before, which is still there.
        expect(somebody.page.locator(f".belljar-ask[data-kind={kind}]")).to_be_visible()
        assert serious_findings(somebody.page, ".belljar-ask") == []


def test_words_are_found_and_the_page_is_saved_as_pdf(person: Coming) -> None:
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


def test_what_is_selected_comes_to_ones_own_clipboard(person: Coming) -> None:
    somebody = person("live/words.html")
    somebody.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    somebody.click("first")
    somebody.sees("getSelection().selectAllChildren(last)")
    somebody.page.keyboard.press("Control+c")
    somebody.page.wait_for_function("navigator.clipboard.readText().then((text) => text === 'the last (apple) $1')")


def test_a_right_click_has_a_menu(person: Coming, site: Site) -> None:
    somebody = person("live/words.html")
    somebody.click("link", button="right")
    somebody.form.get_by_role("button", name="Open in a new tab").click()
    expect(somebody.form).to_have_count(0)
    somebody.until("location.href", site.url("live/second.html"))
    somebody.sees("close()")


def save_of(somebody: Person, name: str) -> Locator:
    """Downloads of earlier tests are offered, too."""
    offered = somebody.page.locator(".ask-bar" if somebody.is_app else ".toast").filter(has_text=name)
    return offered.get_by_role("button", name=re.compile("^Save"))


def test_a_password_and_a_download(person: Coming, plane: RunningPlane, site: Site) -> None:
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
        save_of(somebody, "report.txt").click()
    assert saving.value.suggested_filename == "report.txt"
    assert len(Path(saving.value.path()).read_bytes()) == 64


def test_two_fingers_zoom_the_picture_and_a_tap_still_hits(person: Coming) -> None:
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
    # Both fingers to one side take the picture along.
    held = [(x - 40, x + 40), (x - 70, x + 10)]
    for kind, (one, other) in zip(("touchStart", "touchMove"), held, strict=True):
        points = [{"x": one, "y": y, "id": 0}, {"x": other, "y": y, "id": 1}]
        cdp.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    cdp.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    moved = somebody.picture.bounding_box()
    assert moved is not None and moved["x"] == pytest.approx(grown["x"] - 30, abs=1)


def test_what_was_there_before_they_came_is_shown_and_answered(person: Coming, plane: RunningPlane, site: Site) -> None:
    def before(act: Act) -> None:
        act("browser/execute", expression=f"void (location.href = {site.url('_/download/early.txt')!r})")
        act("control", action="ask", question="Who are you?")
        act(
            "browser/execute",
            expression="void setTimeout(() => { window.name_given = prompt('Your name?', 'nobody') })",
        )

    somebody = person("live/words.html", before)
    page = somebody.page
    dialog = page.locator(".ask-bar form" if somebody.is_app else "#ask")
    expect(dialog).to_contain_text("Your name?")
    field = dialog.locator("input")
    expect(field).to_have_value("nobody")
    field.fill("Ann")
    dialog.get_by_role("button", name="OK").click()
    expect(dialog).to_be_hidden()
    somebody.until("window.name_given", "Ann")
    question = page.locator(".ask-bar" if somebody.is_app else "#question").filter(has_text="Who are you?")
    expect(question).to_be_visible()
    question.get_by_role("button", name="Hide").click()
    with page.expect_download() as saving:
        save_of(somebody, "early.txt").click()
    assert saving.value.suggested_filename == "early.txt"


def test_a_page_is_allowed_something_and_printed(person: Coming, site: Site) -> None:
    # Each at a host of their own: Chromium remembers what a site was told.
    somebody = person("live/permissions.html")
    somebody.sees("where()")
    expect(somebody.form).to_contain_text(f"{site.origin()} asks to know where it is")
    somebody.form.get_by_label("Latitude").fill("52.5")
    somebody.form.get_by_label("Longitude").fill("13.25")
    somebody.form.get_by_role("button", name="Allow once").click()
    somebody.until("seen", [["geolocation", 52.5, 13.25]])
    somebody.closes()
    somebody.sees("print()")
    expect(somebody.form).to_contain_text("wants to be printed")
    with somebody.page.expect_download() as saving:
        somebody.form.get_by_role("button", name="Save as PDF").click()
    assert Path(saving.value.path()).read_bytes().startswith(b"%PDF")
    somebody.closes()


def test_ones_own_clipboard_goes_into_the_page(person: Coming) -> None:
    somebody = person("live/words.html")
    somebody.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    somebody.page.evaluate("navigator.clipboard.writeText('from here: 日本 $1')")
    somebody.click("field")
    somebody.until("document.activeElement.id", "field")
    somebody.sees("field.select()")
    somebody.page.keyboard.press("Control+v")
    somebody.until("field.value", "from here: 日本 $1")


def test_nobody_waits_for_a_page_and_its_failure_is_told(person: Coming, site: Site) -> None:
    somebody = person("live/words.html")
    page = somebody.page
    address = page.get_by_label("Address", exact=True)

    def go(to: str) -> None:
        address.fill(to)
        address.press("Enter")

    go(site.url("_/slow/30"))
    expect(page.get_by_role("progressbar", name="Loading")).to_be_visible()
    page.get_by_role("button", name="Stop", exact=True).click()
    expect(page.get_by_role("button", name="Reload", exact=True)).to_be_visible()
    expect(page.get_by_role("progressbar", name="Loading")).to_be_hidden()
    # A new address overtakes one that does not come.
    go(site.url("_/slow/30"))
    expect(page.get_by_role("progressbar", name="Loading")).to_be_visible()
    go(site.url("live/second.html"))
    somebody.until("location.href", site.url("live/second.html"))
    # Not only what was typed here: a link of the page's own that leads nowhere is told of, too.
    somebody.sees("void (location.href = 'http://127.0.0.1:2/')")
    expect(page.get_by_text("The server takes no connections there")).to_be_visible()
    go(site.url("live/words.html"))
    somebody.until("location.href", site.url("live/words.html"))


def test_a_phones_keyboard_comes_when_it_is_asked_for(
    plane: RunningPlane, chromium: Browser, session: str, site: Site
) -> None:
    context = chromium.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page = context.new_page()
    sign_in(page, plane)
    somebody = coming(plane, page, session, site, is_app=True)("live/words.html")
    place = somebody.sees("field.getBoundingClientRect().toJSON()")
    page.touchscreen.tap(*somebody.point(place["x"] + 20, place["y"] + 10))
    somebody.until("document.activeElement.id", "field")
    somebody.sees("field.select()")
    keys = page.locator(".stage-keys")
    expect(keys).to_have_js_property("inputMode", "none")
    page.get_by_role("button", name="Keyboard").tap()
    expect(keys).to_be_focused()
    expect(keys).to_have_js_property("inputMode", "text")
    page.keyboard.insert_text("cats")
    somebody.until("field.value", "cats")
    # Such keyboards name no key, and edit what is there.
    key = {"type": "rawKeyDown", "key": "Unidentified", "windowsVirtualKeyCode": 229, "commands": ["deleteBackward"]}
    context.new_cdp_session(page).send("Input.dispatchKeyEvent", key)
    somebody.until("field.value", "cat")
    page.get_by_role("button", name="Give back", exact=True).click()
    context.close()


@pytest.fixture
def person_at_a_window(plane: RunningPlane, page: Page, site: Site) -> Iterator[Coming]:
    """Somebody who sees a browser with a window, which is video."""
    size = {"width": WIDTH, "height": HEIGHT}
    id = plane.create(mode="browser", headless=False, viewport=size, url=site.url("live/fields.html"))["id"]
    sign_in(page, plane)
    yield coming(plane, page, id, site, is_app=True)
    with plane.client() as client:
        client.delete(f"/api/sessions/{id}")


def test_a_browser_with_a_window_is_taken_over_as_one_without(person_at_a_window: Coming, tmp_path: Path) -> None:
    (tmp_path / "me.txt").write_text("a face")
    somebody = person_at_a_window("live/fields.html")
    expect(somebody.page.locator(".stage .figures")).to_contain_text("WebRTC")
    # Chromium shows its own list, which the video has, and takes keys there.
    somebody.click("one")
    somebody.page.keyboard.press("ArrowDown")
    somebody.page.keyboard.press("Enter")
    somebody.until("one.value", "a")
    somebody.click("date")
    somebody.page.keyboard.type("03012025")
    somebody.until("date.value", "2025-03-01")
    # What it would ask for in a window of the box is asked for here.
    somebody.sees("void setTimeout(() => { window.agreed = confirm('Really?') })")
    somebody.page.get_by_role("alertdialog").get_by_role("button", name="OK").click()
    somebody.until("window.agreed", True)
    somebody.sees(
        "void (document.body.innerHTML = '<input type=file id=given style=\"position:absolute;left:20px;top:40px\">')"
    )
    somebody.click("given")
    somebody.form.locator("input[type=file]").set_input_files(tmp_path / "me.txt")
    somebody.until("given.files[0]?.name", "me.txt")
    somebody.closes()
