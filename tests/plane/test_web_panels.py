"""The panels of the web app's drawer, used in a real Chromium; what came of it is asked of the session's box."""

import json
import re
import shlex
from collections.abc import Callable, Iterator
from typing import Any

import httpx2 as httpx
import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.axe import serious_findings
from tests.plane.plane import RunningPlane, running_plane, until
from tests.plane.test_web_app import EVIL, chromium, page, sign_in, site
from tests.site import Site

__all__ = ["chromium", "page", "site"]
# Opened in the page of a session: lines that would harm a page that took them for more than text.
WRITES = f"""console.log("plain words"); console.warn("a warning"); console.error({EVIL!r});
console.info("for information"); fetch("/missing?one=1").catch(() => 0); document.title = {EVIL!r}"""
# Of a host of this machine, which is all that tests may reach.
ADMINS = ("--admin-egress", "any")
PANELS = ("page", "console", "network", "policy", "files", "desktop", "processes", "try")


@pytest.fixture(scope="module")
def plane(site: Site) -> Iterator[RunningPlane]:
    with running_plane("--egress", "none", "--allow", address_of(site), "--record", "content", *ADMINS) as running:
        yield running


@pytest.fixture(scope="module")
def shop(plane: RunningPlane, site: Site) -> str:
    """A session whose page has written, asked and failed."""
    id: str = plane.create(mode="browser", headless=True, url=site.url("index.html"), tags={"name": EVIL})["id"]
    with box(plane, id) as client:
        for script in (WRITES, "fetch('http://refused.example/').catch(() => 0).then(() => 1)"):
            assert client.post("v1/browser/execute", json={"expression": script}).is_success
    return id


def address_of(site: Site) -> str:
    return site.origin().removeprefix("http://")


def box(plane: RunningPlane, id: str) -> httpx.Client:
    headers = {"Authorization": f"Bearer {plane.key}"}
    return httpx.Client(base_url=f"{plane.url}/s/{id}/", headers=headers, timeout=30)


@pytest.fixture
def open_panel(plane: RunningPlane, page: Page) -> Callable[..., Locator]:
    sign_in(page, plane)

    def open(id: str, name: str) -> Locator:
        page.goto(f"{plane.url}/sessions/{id}?panel={name}")
        drawer = page.locator(".drawer")
        expect(drawer.get_by_role("heading", name=re.compile(name, re.I)).first).to_be_visible()
        return drawer

    return open


def test_console_lines_are_text_and_are_filtered_cleared_and_followed(
    plane: RunningPlane, page: Page, shop: str, open_panel: Callable[..., Locator]
) -> None:
    drawer = open_panel(shop, "console")
    lines = drawer.locator(".console-line")
    expect(lines.filter(has_text="plain words")).to_be_visible()
    expect(lines.filter(has_text=EVIL)).to_have_attribute("data-level", "error")
    assert page.locator("img[src=x]").count() == 0 and page.title() != "taken"
    drawer.get_by_role("tab", name="Warn").click()
    expect(lines).to_have_count(1)
    drawer.get_by_role("tab", name="All").click()
    drawer.get_by_label("Filter the console").fill("INFORM")
    expect(lines).to_have_count(1)
    assert "console=INFORM" in page.url
    drawer.get_by_label("Filter the console").fill("")
    drawer.get_by_role("button", name="Clear the console").click()
    expect(drawer.get_by_text("No line is like that")).to_be_visible()
    with box(plane, shop) as client:
        client.post("v1/browser/execute", json={"expression": "for (let i = 0; i < 900; i++) console.log('row', i)"})
    # Of so many only those are in the page that can be seen, and the newest are.
    expect(lines.filter(has_text="row 899")).to_be_visible()
    assert 10 < lines.count() < 100
    drawer.get_by_role("group", name="Console").evaluate("(rows) => rows.scrollTo(0, 0)")
    expect(lines.filter(has_text=re.compile("row 0$"))).to_be_visible()


def test_requests_show_headers_timing_and_body_and_are_found_by_words(
    page: Page, shop: str, open_panel: Callable[..., Locator]
) -> None:
    drawer = open_panel(shop, "network")
    rows = drawer.locator(".request")
    expect(rows.filter(has_text="missing?one=1")).to_have_attribute("data-failed", "true")
    drawer.get_by_label("Filter the requests").fill("status:404 -domain:other")
    expect(rows.filter(has_text="index.html")).to_have_count(0)
    drawer.get_by_label("Filter the requests").fill("index.html")
    expect(rows).to_have_count(1)
    rows.get_by_role("button").first.click()
    detail = drawer.locator(".data-detail")
    expect(detail.locator(".headers").first).to_contain_text(re.compile("content-type", re.I))
    detail.get_by_role("tab", name="Timing").click()
    expect(detail.locator(".timing")).to_contain_text("Waited for the answer")
    detail.get_by_role("tab", name="Body").click()
    expect(detail.get_by_label("The body")).to_contain_text("<!doctype html>", ignore_case=True)
    page.evaluate("navigator.clipboard.writeText = async (text) => { window.copied = text }")
    detail.get_by_role("button", name="curl").click()
    expect(page.locator(".toast")).to_contain_text("Copied as curl")
    assert re.match(r"curl 'http://[^']+/index\.html' \\\n  -H '", page.evaluate("window.copied"))
    detail.get_by_role("button", name="link", exact=True).click()
    expect(page.locator(".toast").last).to_contain_text("a link to this moment")
    assert re.search(r"/sessions/[^/]+\?.*panel=network.*#t=\d{16}$", page.evaluate("window.copied"))


def test_failed_requests_are_found_from_the_acts_and_look_as_ever_after_another_screen(
    plane: RunningPlane, page: Page, shop: str, open_panel: Callable[..., Locator]
) -> None:
    drawer = open_panel(shop, "activity")
    page.goto(f"{plane.url}/admin/hosts")
    expect(page.locator(".host")).to_be_visible()
    # Without loading the page anew: the style sheet of that screen stays.
    page.evaluate(
        f"history.pushState(null, '', '/sessions/{shop}?panel=activity'); dispatchEvent(new Event('popstate'))"
    )
    drawer.get_by_role("tab", name="Failed").click()
    drawer.get_by_role("button", name="See in Network").click()
    assert "requests=failed" in page.url
    request = drawer.locator(".request").filter(has_text="missing?one=1")
    expect(request).to_be_visible()
    expect(request.locator(".host")).to_have_css("border-bottom-width", "0px")
    # What is said covers neither the play button nor the time.
    page.get_by_role("button", name="Share", exact=True).click()
    page.get_by_role("button", name="Copy a link to this moment").click()
    toast, timeline = page.locator(".toast").last.bounding_box(), page.locator(".timeline").bounding_box()
    assert toast and timeline and toast["y"] + toast["height"] <= timeline["y"]


def test_the_page_is_photographed_read_and_given_tabs(
    plane: RunningPlane, page: Page, site: Site, shop: str, open_panel: Callable[..., Locator]
) -> None:
    drawer = open_panel(shop, "page")
    drawer.get_by_label("Address of a new tab").fill("two words")
    drawer.get_by_role("button", name="Open", exact=True).click()
    expect(drawer.get_by_role("alert")).to_contain_text("no address")
    drawer.get_by_label("Address of a new tab").fill(site.url("second.html"))
    drawer.get_by_role("button", name="Open", exact=True).click()
    with box(plane, shop) as client:
        until(lambda: site.url("second.html") in [tab["url"] for tab in tabs(client)], what="the new tab")
        drawer.get_by_label("Format").select_option("jpeg")
        drawer.get_by_label("Full page").check()
        drawer.get_by_role("button", name="Take", exact=True).click()
        expect(drawer.get_by_alt_text("The screenshot")).to_be_visible()
        assert drawer.get_by_alt_text("The screenshot").evaluate("(image) => image.naturalWidth") > 100
        drawer.get_by_label("Selector").fill("#nowhere")
        drawer.get_by_role("button", name="Take", exact=True).click()
        expect(drawer.get_by_role("alert")).to_be_visible()
        for name, words in (("HTML", "<html"), ("Snapshot", "heading"), ("Links", "http"), ("Markdown", "#")):
            drawer.get_by_role("button", name=name, exact=True).click()
            expect(drawer.get_by_label(re.compile("^The page as", re.I))).to_contain_text(words)
        drawer.locator(".page-tabs li").nth(1).get_by_role("button", name="Close").click()
        until(lambda: len(tabs(client)) == 1, what="the tab closed")


def tabs(client: httpx.Client) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = client.get("v1/browser/tabs").json()["tabs"]
    return found


def test_decisions_of_the_policy_come_as_they_fall_and_a_host_is_refused_from_there(
    plane: RunningPlane, page: Page, site: Site, shop: str, open_panel: Callable[..., Locator]
) -> None:
    drawer = open_panel(shop, "policy")
    expect(drawer.get_by_label("The policy in force")).to_contain_text(f"allow {address_of(site)}")
    decisions = drawer.locator(".decision")
    expect(decisions.filter(has_text="refused.example").first).to_have_attribute("data-decision", "deny")
    with box(plane, shop) as client:
        client.post("v1/browser/execute", json={"expression": "fetch('http://later.example/').catch(() => 0)"})
        later = decisions.filter(has_text="later.example").first
        expect(later).to_be_visible()
        later.get_by_role("button").click()
        later.get_by_role("button", name="Allow this host").click()
        policy = drawer.get_by_label("The policy in force")
        expect(policy).to_contain_text("allow later.example")
        assert client.get("v1/egress/policy").json()["policy"].startswith("allow later.example\n")
        with plane.client() as admin:
            kinds = [
                (event["kind"], event.get("detail"))
                for event in admin.get(f"/api/audit?session={shop}").json()["events"]
            ]
        assert ("egress.loosened", {"allow": ["later.example"]}) in kinds
        drawer.get_by_role("button", name="Learn", exact=True).click()
        expect(drawer.get_by_text("It learns")).to_be_visible()
        until(lambda: client.get("v1/egress/policy").json()["policy"].endswith("learn"), what="learning")
        drawer.get_by_role("button", name="Learn no more").click()
        expect(drawer.get_by_text("It learns:")).to_have_count(0)
        assert "learn" not in client.get("v1/egress/policy").json()["policy"]
        drawer.get_by_role("tab", name="Allowed").click()
        decisions.last.get_by_role("button").first.click()
        drawer.get_by_role("button", name="Refuse this host").click()
        until(lambda: "deny 127.0.0.1" in client.get("v1/egress/policy").json()["policy"], what="the refusal")
        expect(drawer.get_by_label("The policy in force")).to_contain_text("deny 127.0.0.1")


def test_programs_are_started_followed_typed_into_and_ended(
    plane: RunningPlane, page: Page, shop: str, open_panel: Callable[..., Locator]
) -> None:
    drawer = open_panel(shop, "processes")
    drawer.get_by_label("Command").fill(f"echo {shlex.quote(EVIL)}; sleep 600")
    drawer.get_by_label("Terminal").uncheck()
    drawer.get_by_role("button", name="Start", exact=True).click()
    expect(drawer.get_by_label("What it writes")).to_contain_text(EVIL)
    assert page.locator("img[src=x]").count() == 0
    with box(plane, shop) as client:
        (made,) = client.get("v1/processes?owner=user").json()["processes"]
        drawer.get_by_role("button", name="End", exact=True).click()
        until(lambda: client.get(f"v1/processes/{made['id']}").json()["status"] == "exited", what="its end")
        # One that somebody else starts comes by itself.
        client.post("v1/processes", json={"command": "sleep", "args": ["601"]})
        expect(drawer.locator(".process").filter(has_text="sleep 601")).to_be_visible()
        drawer.get_by_label("Terminal").check()
        drawer.get_by_role("button", name="Start", exact=True).click()
        expect(drawer.locator(".belljar-status")).to_contain_text("connected")
        drawer.locator(".xterm").click()
        page.keyboard.type("echo $((40 + 2))$((3 + 4))\n")
        expect(drawer.locator(".xterm-rows")).to_contain_text("427")
        # Its styles hold although the page's policy forbids those in the page: letters stand in cells of one width.
        assert drawer.locator(".xterm-rows").evaluate("(rows) => getComputedStyle(rows).fontFamily").count("mono")


def test_files_are_put_edited_deleted_and_films_made(
    plane: RunningPlane, page: Page, shop: str, open_panel: Callable[..., Locator]
) -> None:
    drawer = open_panel(shop, "files")
    drawer.get_by_label("Files to put here").set_input_files({"name": EVIL, "mimeType": "", "buffer": b"one\n"})
    drawer.get_by_role("button", name=EVIL).first.click()
    text = drawer.get_by_role("textbox", name="Content of")
    expect(text).to_have_value("one\n")
    text.fill("two\n")
    text.press("Control+s")
    expect(page.locator(".toast").filter(has_text="Saved.")).to_be_visible()
    with box(plane, shop) as client:
        assert client.get("v1/fs/file", params={"path": f"~/{EVIL}"}).text == "two\n"
        drawer.get_by_role("button", name="Back to the folder").click()
        drawer.get_by_role("button", name=f"Delete {EVIL}").click()
        expect(drawer.locator(".file-row").filter(has_text=EVIL)).to_have_count(0)
        page.get_by_role("button", name="Undo").click()
        expect(drawer.locator(".file-row").filter(has_text=EVIL)).to_be_visible()
        assert client.get("v1/fs/stat", params={"path": f"~/{EVIL}"}).is_success
        drawer.get_by_role("textbox", name="Folder").fill("/etc")
        drawer.get_by_role("textbox", name="Folder").press("Enter")
        expect(drawer.get_by_role("alert")).to_be_visible()
        drawer.get_by_role("tab", name="Films").click()
        drawer.get_by_role("button", name="Film", exact=True).click()
        drawer.get_by_role("button", name="Stop filming").click()
        expect(drawer.get_by_role("link", name=re.compile("^Download rec"))).to_be_visible()
        assert len(client.get("v1/desktop/recordings").json()["recordings"]) == 1


def test_the_display_shows_windows_takes_text_and_another_size(
    plane: RunningPlane, site: Site, open_panel: Callable[..., Locator]
) -> None:
    id = plane.create(mode="browser", url=site.url("index.html"))["id"]
    drawer = open_panel(id, "desktop")
    expect(drawer.get_by_role("list", name="Windows").get_by_role("listitem").first).to_contain_text("The test site")
    drawer.get_by_label("Clipboard of the box").fill("to be pasted")
    drawer.get_by_role("button", name="Write").click()
    with box(plane, id) as client:
        until(lambda: client.get("v1/desktop/clipboard").json()["text"] == "to be pasted", what="the text")
        drawer.get_by_label("Width", exact=True).fill("1000")
        drawer.get_by_label("Height", exact=True).fill("700")
        drawer.get_by_role("button", name="Resize").click()
        wanted = {"width": 1000, "height": 700}
        until(
            lambda: wanted.items() <= client.get("v1/desktop/display/info").json()["resolution"].items(),
            what="the other size",
        )
    expect(drawer.get_by_text("1000 × 700 of at most")).to_be_visible()


def test_a_tool_and_a_call_are_tried_and_answered_as_for_an_agent(
    plane: RunningPlane, page: Page, site: Site, shop: str, open_panel: Callable[..., Locator]
) -> None:
    drawer = open_panel(shop, "try")
    drawer.get_by_label("Tool").select_option("navigate")
    drawer.get_by_label("Arguments").fill("{no json")
    drawer.get_by_role("button", name="Call it").click()
    expect(drawer.get_by_role("alert")).to_be_visible()
    drawer.get_by_label("Arguments").fill(json.dumps({"url": site.url("second.html", host=1)}))
    drawer.get_by_role("button", name="Call it").click()
    expect(drawer.get_by_label("The answer")).to_contain_text("egress_denied")
    drawer.get_by_role("tab", name="API call").click()
    drawer.get_by_label("Operation").select_option("getBrowserNetworkRequest")
    drawer.get_by_role("button", name="Send").click()
    expect(drawer.get_by_role("alert")).to_contain_text('The path needs "id"')
    drawer.get_by_label("Operation").select_option("executeBrowserScript")
    drawer.get_by_label("Path and body").fill('{"expression": "6 * 7"}')
    drawer.get_by_role("button", name="Send").click()
    expect(drawer.get_by_label("The answer")).to_contain_text("42")


def test_guests_see_less_and_the_end_leaves_what_was_recorded(
    plane: RunningPlane, chromium: Browser, page: Page, site: Site, open_panel: Callable[..., Locator]
) -> None:
    id = plane.create(mode="browser", headless=True, url=site.url("index.html"))["id"]
    with plane.client() as client:
        view = client.post(f"/api/sessions/{id}/tokens", json={"role": "view"}).json()["viewUrl"]
        context = chromium.new_context()
        guest = context.new_page()
        guest.goto(f"{plane.url}/sessions/{id}?panel=page#{view.partition('#')[2]}")
        expect(guest.get_by_role("button", name="Snapshot")).to_be_visible()
        rail = guest.get_by_role("navigation", name="Panels").get_by_role("button")
        # Activity, page, desktop and about.
        expect(rail).to_have_count(4)
        expect(guest.get_by_role("button", name="HTML", exact=True)).to_have_count(0)
        expect(guest.get_by_label("Address of a new tab")).to_have_count(0)
        context.close()
        client.post(f"/s/{id}/v1/browser/execute", json={"expression": WRITES})
        client.delete(f"/api/sessions/{id}")
    drawer = open_panel(id, "console")
    expect(drawer.locator(".console-line").filter(has_text="plain words")).to_be_visible()
    page.keyboard.press("4")
    expect(drawer.locator(".request").filter(has_text="index.html")).to_be_visible()
    for name in ("Page", "Desktop", "Try"):
        expect(page.get_by_role("navigation", name="Panels").get_by_role("button", name=name)).to_have_count(0)


@pytest.mark.parametrize(("width", "scheme"), [pytest.param(1440, "light", marks=pytest.mark.soak), (390, "dark")])
def test_axe_finds_nothing_serious_in_any_panel(
    plane: RunningPlane, chromium: Browser, shop: str, width: int, scheme: Any
) -> None:
    context = chromium.new_context(viewport={"width": width, "height": 844}, color_scheme=scheme)
    shown = context.new_page()
    sign_in(shown, plane)
    for name in PANELS:
        shown.goto(f"{plane.url}/sessions/{shop}?panel={name}")
        expect(shown.locator(f".drawer[aria-label={name.capitalize()}] .panel")).to_be_visible()
        assert serious_findings(shown) == [], name
    context.close()
