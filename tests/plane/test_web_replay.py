"""Time in the web app: lanes, films in step with the record, pictures where there is none, marks, exports."""

import re
from collections.abc import Iterator
from typing import Any

import httpx2 as httpx
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.axe import serious_findings
from tests.plane.plane import RunningPlane, running_plane, until
from tests.plane.test_web_app import EVIL, chromium, page, sign_in, site
from tests.site import Site

__all__ = ["chromium", "page", "site"]

FORMATS = {
    "Markdown": b"# ",
    "JSON Lines": b'{"seq"',
    "HAR": b'{"log"',
    "Playwright trace": b"PK",
    "ZIP": b"PK",
}


@pytest.fixture(scope="module")
def plane() -> Iterator[RunningPlane]:
    with running_plane("--egress", "open", "--record", "content") as running:
        yield running


def run(plane: RunningPlane, site: Site, **wanted: Any) -> str:
    """A session in which an agent went to two pages, missed a button, and the page wrote and asked for something."""
    id: str = plane.create(mode="browser", headless=True, url=site.url("index.html"), **wanted)["id"]
    with plane.client() as client:

        def act(name: str, **body: object) -> httpx.Response:
            return client.post(f"/s/{id}/v1/browser/{name}", json=body)

        def is_pictured() -> bool:
            act("navigate", url=site.url("second.html")).raise_for_status()
            return bool(events(plane, id, "screen"))

        # No act waits for its picture, which is of a frame that has come: the first may take a while.
        until(is_pictured, what="a picture of an act")
        act("navigate", url=site.url("index.html")).raise_for_status()
        assert act("click", selector="#nowhere", timeout=300).status_code == 404
        act("execute", expression="console.error('went wrong'); fetch('/missing').then(() => 1)").raise_for_status()
    return id


def events(plane: RunningPlane, id: str, kind: str) -> list[dict[str, Any]]:
    with plane.client() as client:
        found: list[dict[str, Any]] = client.get(f"/api/sessions/{id}/record?limit=1000&kind={kind}").json()["events"]
    return [event for event in found if event["kind"] == kind]


def moment(page: Page) -> int:
    # Asked of the page itself: what Playwright knows of its address comes a little later.
    found = re.search(r"[#&]t=(\d+)", page.evaluate("location.hash"))
    return int(found[1]) if found else 0


def test_a_film_is_scrubbed_in_step_with_the_record_and_everything_is_taken_along(
    plane: RunningPlane, page: Page, site: Site
) -> None:
    id = run(plane, site, film="on")
    sign_in(page, plane)
    page.goto(f"{plane.url}/sessions/{id}")
    expect(page.locator(".picture")).to_be_visible()
    page.keyboard.press("m")
    page.get_by_label("Mark", exact=True).fill(EVIL)
    page.keyboard.press("Enter")
    expect(page.locator(".flag")).to_have_attribute("title", EVIL)
    (mark,) = events(plane, id, "mark")
    assert mark["data"]["mark"] == EVIL
    with plane.client() as client:
        client.delete(f"/api/sessions/{id}")
    until(lambda: [one["name"] for one in events(plane, id, "film")][-1:] == ["ended"], what="the film's end")
    (began,) = [event["t"] for event in events(plane, id, "film") if event["name"] == "first_frame"]
    page.goto(f"{plane.url}/?peek={id}")
    last = page.locator(".peek-picture img")
    expect(last).to_be_visible()
    assert last.evaluate("(image) => image.decode().then(() => image.naturalWidth)") > 100
    page.goto(f"{plane.url}/sessions/{id}")
    # A click on the mark leads to its moment, and the film stands there.
    page.get_by_role("button", name="Mark: <img").click()
    assert moment(page) == mark["t"]
    film = page.locator("video.film[data-ready]")
    expect(film).to_be_visible()
    shown = "(video) => [video.currentTime, video.videoWidth]"
    until(lambda: film.evaluate(shown) == [pytest.approx((mark["t"] - began) / 1e6, abs=0.01), 1280], what="the frame")
    # Another frame is an eighth of a second away: tabs are filmed eight times a second.
    page.keyboard.press("Shift+,")
    assert mark["t"] - moment(page) == 125_000
    until(lambda: film.evaluate(shown)[0] == pytest.approx((moment(page) - began) / 1e6, abs=0.01), what="that frame")
    page.keyboard.press("Space")
    until(lambda: film.evaluate("(video) => !video.paused"), what="the film playing")
    page.keyboard.press("Space")
    until(lambda: film.evaluate("(video) => video.paused"), what="the film standing")
    page.keyboard.press("l")
    expect(page.locator(".then")).to_have_count(0)
    page.get_by_role("button", name="Export").click()
    for name, beginning in FORMATS.items():
        with page.expect_download() as download:
            page.get_by_role("link", name=re.compile(f"^{name}")).click()
        assert download.value.path().read_bytes().startswith(beginning), name
        page.get_by_role("button", name="Export").click()
    with page.expect_download() as download:
        page.get_by_role("link", name="Film rec_1").click()
    assert download.value.path().read_bytes()[4:8] == b"ftyp"


def test_lanes_a_range_and_a_moment_are_shared_and_work_without_a_film(
    plane: RunningPlane, page: Page, site: Site
) -> None:
    id = run(plane, site)
    sign_in(page, plane)
    page.goto(f"{plane.url}/sessions/{id}")
    page.get_by_role("button", name="Open the lanes").click()
    lanes = page.locator(".lanes")
    expect(lanes).to_have_attribute(
        "data-lanes", re.compile(r"agent:\d+ person:1 page:[1-9]\d* network:[1-9]\d* policy:")
    )
    (failed,) = [one for one in events(plane, id, "call") if one["data"].get("selector") == "#nowhere"]
    page.get_by_role("tab", name="Failed").click()
    page.locator(".act").filter(has_text="#nowhere").get_by_title("Look at this moment").click()
    assert moment(page) == failed["t"]
    picture = page.locator(".then > img")
    expect(picture).to_be_visible()
    before = picture.get_attribute("src")
    assert before and picture.evaluate("(image) => image.decode().then(() => image.naturalWidth)") > 100
    page.get_by_role("group", name="Of this act").get_by_role("button", name="After").click()
    assert moment(page) > failed["t"]
    expect(page.locator(".then-bar")).to_contain_text("#nowhere")
    page.get_by_role("group", name="Of this act").get_by_role("button", name="Before").click()
    assert moment(page) == failed["t"]
    # A part of the time: acts, console and requests are those of it alone, for whoever opens the address too.
    track = page.locator(".timeline-track").bounding_box()
    assert track is not None
    y = track["y"] + track["height"] / 2
    page.mouse.move(track["x"] + 2, y)
    page.mouse.down()
    page.mouse.move(track["x"] + track["width"] * 0.05, y, steps=4)
    page.mouse.up()
    page.wait_for_url(re.compile(r"range=\d+-\d+"))
    page.get_by_role("tab", name="All").click()
    expect(page.get_by_text("No act is like that")).to_be_visible()
    for key, words in (
        ("3", "No line is like that"),
        ("4", "No request is like that"),
        ("5", "No decision is like that"),
    ):
        page.keyboard.press(key)
        expect(page.locator(".drawer").get_by_text(words)).to_be_visible()
    other = page.context.new_page()
    other.goto(page.url)
    expect(other.get_by_role("button", name=re.compile("chosen: clear"))).to_be_visible()
    expect(other.locator(".then-bar")).to_contain_text("Click")
    other.get_by_role("button", name=re.compile("chosen: clear")).click()
    expect(other.locator(".drawer .decision").first).to_be_visible()
    other.close()
    # Lanes are pressed, too.
    box = lanes.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + 2, box["y"] + 30)
    assert moment(page) < failed["t"]


def test_keys_copy_an_act_as_code_and_every_key_is_told(plane: RunningPlane, page: Page, site: Site) -> None:
    id = run(plane, site)
    sign_in(page, plane)
    page.goto(f"{plane.url}/sessions/{id}")
    expect(page.locator(".act").filter(has_text="#nowhere")).to_be_visible()
    page.evaluate("navigator.clipboard.writeText = async (text) => { window.copied = text }")
    page.keyboard.press(",")
    page.keyboard.press(",")
    for words, begins in (("curl", "curl -X POST"), ("TypeScript", "await fetch("), ("All acts as Markdown", "- ")):
        page.keyboard.press("y")
        page.locator(".menu").get_by_role("button", name=words, exact=True).click()
        page.wait_for_function("(begins) => window.copied?.startsWith(begins)", arg=begins)
    assert "#nowhere" in page.evaluate("window.copied")
    page.keyboard.press("s")
    until(lambda: f"/sessions/{id}#t=" in page.evaluate("window.copied"), what="the link")
    page.keyboard.press("?")
    told = page.get_by_role("dialog", name="Keys")
    for key in (
        "Ctrl+K",
        "?",
        "Esc",
        "g",
        "t",
        "Enter",
        "Space",
        ",",
        ".",
        "Shift+,",
        "Shift+.",
        "l",
        "1",
        "0",
        "\\",
        "f",
    ):
        expect(told.locator("kbd").filter(has_text=re.compile(f"^{re.escape(key)}$")).first).to_be_visible()
    for key in ("o", "m", "s", "y"):
        expect(told.locator("kbd").filter(has_text=re.compile(f"^{key}$")).first).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("Control+k")
    for words in ("Mark this moment", "Copy as", "The frame before", "Stage alone", "Copy a link"):
        page.get_by_label("What do you want to do?").fill(words)
        expect(page.get_by_role("option").first).to_contain_text(words)


def test_a_drawer_over_the_stage_covers_nothing_that_is_pressed(plane: RunningPlane, page: Page, site: Site) -> None:
    id = run(plane, site)
    sign_in(page, plane)
    with plane.client() as client:
        client.post(f"/s/{id}/v1/control", json={"action": "ask", "question": "Which colour, brass or black?"})
        for width in (1024, 768):
            page.set_viewport_size({"width": width, "height": 768})
            page.goto(f"{plane.url}/sessions/{id}?panel=activity")
            expect(page.locator(".picture")).to_be_visible()
            for name in ("Help: take control", "Hide", "New tab"):
                page.locator(".stage-side").get_by_role("button", name=name, exact=True).click(trial=True)
            page.locator(".act-time").last.click()
            page.get_by_role("button", name="Back to live").click()
            expect(page.locator(".then-bar")).to_have_count(0)
        client.delete(f"/api/sessions/{id}")
    page.goto(f"{plane.url}/sessions/{id}?panel=activity")
    page.get_by_role("button", name="Start again like this").click(trial=True)


@pytest.mark.parametrize(
    ("width", "scheme"), [(1440, "dark"), pytest.param(1024, "light", marks=pytest.mark.soak), (390, "light")]
)
def test_axe_finds_nothing_serious_in_what_is_over_and_in_its_moments(
    plane: RunningPlane, chromium: Browser, site: Site, width: int, scheme: Any
) -> None:
    id = run(plane, site)
    with plane.client() as client:
        client.delete(f"/api/sessions/{id}")
    context = chromium.new_context(viewport={"width": width, "height": 844}, color_scheme=scheme)
    shown = context.new_page()
    sign_in(shown, plane)
    shown.goto(f"{plane.url}/sessions/{id}")
    expect(shown.locator(".ended")).to_be_visible()
    assert serious_findings(shown) == []
    shown.get_by_role("button", name="Open the lanes").click()
    (failed,) = [one for one in events(plane, id, "call") if one["data"].get("selector") == "#nowhere"]
    shown.evaluate(f"location.hash = 't={failed['t']}'")
    expect(shown.locator(".then > img")).to_be_visible()
    shown.get_by_role("button", name="Copy as").click()
    assert serious_findings(shown) == []
    context.close()
