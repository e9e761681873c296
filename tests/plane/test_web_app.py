"""The web app as a person uses it, in a real Chromium; what it did is asked of the control plane and the boxes."""

import re
from collections.abc import Iterator
from typing import Literal

import httpx2 as httpx
import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.axe import serious_findings
from tests.plane.plane import RunningPlane, running_plane, until
from tests.site import Site, running_site

EVIL = "<img src=x onerror=\"document.title='taken'\">"
# Of one thing on the screen, on a machine that is busy with other tests.
WAIT = 40_000
expect.set_options(timeout=WAIT)
SCREENS = ("", "?view=wall", "?peek={id}", "?new=1", "profiles", "access", "sessions/{id}", "sessions/{id}?panel=about")


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with running_site() as running:
        yield running


@pytest.fixture(scope="module")
def plane() -> Iterator[RunningPlane]:
    with running_plane("--egress", "open") as running:
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


def sign_in(page: Page, plane: RunningPlane) -> None:
    answer = page.request.post(f"{plane.url}/sign-in", data={"key": plane.key}, headers={"Origin": plane.url})
    assert answer.ok


def test_a_link_and_a_key_sign_in_and_signing_out_ends_it(plane: RunningPlane, page: Page) -> None:
    plane.create(id="known", tags={"name": EVIL})
    page.goto(f"{plane.url}/sign-in?ticket=spent")
    expect(page.get_by_role("alert")).to_have_text("This link was used already, or its time has passed.")
    page.get_by_label("API key").fill("bj_wrong")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).to_have_text("This is not, or no longer, good here.")
    page.goto(f"{plane.url}/sign-in?ticket={plane.ticket}")
    row = page.locator('[data-id="known"]')
    expect(row.locator(".first")).to_have_text(EVIL)
    assert page.title() == "Sessions – Belljar" and page.locator(".session-row img[src=x]").count() == 0
    page.get_by_role("button", name="Signed in as").click()
    page.get_by_role("button", name="Sign out").click()
    page.get_by_label("API key").fill(plane.key)
    page.get_by_role("button", name="Sign in").click()
    expect(row).to_be_visible()


def test_a_session_is_made_driven_extended_and_ended_with_an_undo(plane: RunningPlane, page: Page, site: Site) -> None:
    sign_in(page, plane)
    page.goto(plane.url)
    expect(page.get_by_role("button", name="New session")).to_be_visible()
    page.keyboard.press("n")
    page.get_by_label("Address").fill(site.url("index.html").removeprefix("http://"))
    page.get_by_label("Name", exact=True).fill("from the sheet")
    page.get_by_role("button", name="Life").click()
    page.get_by_label("Ends after (seconds)").fill("900000000")
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page.get_by_role("alert")).to_be_visible()
    page.get_by_label("Ends after (seconds)").fill("600")
    page.get_by_role("button", name="Start", exact=True).click()
    page.wait_for_url(re.compile("/sessions/"))
    id = page.url.split("/sessions/")[1].split("?")[0]
    expect(page.locator(".picture")).to_be_visible()
    made = plane.get(id)
    assert made["tags"] == {"name": "from the sheet"} and made["url"] == site.url("index.html")
    page.keyboard.press("t")
    expect(page.get_by_role("button", name="Give back")).to_be_visible()
    with plane.client() as client:
        control = client.get(f"/s/{id}/v1/control").json()
        assert control["holder"]["kind"] == "viewer" and control["holder"]["name"] == "admin"
        page.get_by_label("Address").fill("two words")
        page.get_by_label("Address").press("Enter")
        expect(page.get_by_role("alert")).to_contain_text("That is no address")
        # A host of this machine has http, not https.
        page.get_by_label("Address").fill(site.url("second.html").removeprefix("http://"))
        page.get_by_label("Address").press("Enter")
        until(
            lambda: client.get(f"/s/{id}/v1/browser/status").json()["url"] == site.url("second.html"),
            what="the other page",
        )
    expect(page.locator(".act-rows")).to_contain_text("Took control")
    page.get_by_role("button", name="extend by an hour").click()
    until(lambda: plane.get(id)["expiresAt"] > made["expiresAt"], what="a later end")
    page.get_by_role("button", name="End the session").click()
    page.get_by_role("button", name="Undo").click()
    page.wait_for_url(re.compile("/sessions/"))
    assert plane.get(id)["state"] == "running"
    page.get_by_role("button", name="End the session").click()
    until(lambda: plane.get(id).get("reason") == "released", what="its end")
    page.goto(f"{plane.url}/sessions/{id}")
    expect(page.get_by_role("button", name="Start again like this")).to_be_visible()
    expect(page.locator(".act-rows")).to_contain_text("Took control")


def test_a_link_to_watch_shows_what_may_be_watched_and_nothing_else(
    plane: RunningPlane, page: Page, site: Site
) -> None:
    made = plane.create(mode="browser", headless=True, url=site.url("index.html"))
    with plane.client() as client:
        view = client.post(f"/api/sessions/{made['id']}/tokens", json={"role": "view"}).json()["viewUrl"]
    page.goto(f"{plane.url}/sessions/{made['id']}#{view.partition('#')[2]}")
    expect(page.locator(".picture")).to_be_visible()
    assert "ticket" not in page.url
    for name in ("Take control", "Reload", "New tab", "Share", "End the session"):
        expect(page.get_by_role("button", name=name)).to_have_count(0)
    page.goto(plane.url)
    expect(page.get_by_label("API key")).to_be_visible()


@pytest.mark.parametrize(
    ("width", "scheme"), [(1440, "light"), pytest.param(1024, "light", marks=pytest.mark.soak), (390, "dark")]
)
def test_axe_finds_nothing_serious_on_any_screen(
    plane: RunningPlane, chromium: Browser, site: Site, width: int, scheme: Literal["light", "dark"]
) -> None:
    made = plane.create(mode="browser", headless=True, url=site.url("index.html"))
    context = chromium.new_context(viewport={"width": width, "height": 844}, color_scheme=scheme)
    page = context.new_page()
    sign_in(page, plane)
    for path in SCREENS:
        page.goto(f"{plane.url}/{path.format(id=made['id'])}")
        shown = ".picture" if path.startswith("sessions/") else ".session-row, .wall li, .profiles .empty, .access-row"
        expect(page.locator(shown).first).to_be_visible()
        assert serious_findings(page) == [], path
    context.close()


def test_an_idle_page_makes_no_request_but_its_stream(plane: RunningPlane, page: Page) -> None:
    sign_in(page, plane)
    with plane.client() as client:
        for one in client.get("/api/sessions?state=running").json()["sessions"]:
            client.delete(f"/api/sessions/{one['id']}")
    plane.create(id="idle-one")
    asked: list[str] = []
    page.goto(plane.url)
    expect(page.locator('[data-id="idle-one"]')).to_be_visible()
    page.on("request", lambda request: asked.append(request.url))
    # Something is told meanwhile, by the stream alone.
    plane.create(id="idle-two")
    expect(page.locator('[data-id="idle-two"]')).to_be_visible()
    with plane.client() as client:
        client.delete("/api/sessions/idle-two")
    expect(page.locator('[data-id="idle-two"]')).to_contain_text("Ended by its user")
    assert asked == []


def test_the_cookie_alone_changes_nothing_for_another_origin(plane: RunningPlane) -> None:
    plane.create(id="alone")
    with httpx.Client(base_url=plane.url) as client:
        cookie = client.post("/sign-in", json={"key": plane.key}).headers["set-cookie"]
        assert "HttpOnly" in cookie and "samesite=strict" in cookie.lower()
        assert client.get("/api/me").is_success
        assert client.post("/api/keys", json={"user": "eve"}).status_code == 403
        evil = {"Origin": "https://evil.example"}
        assert client.post("/api/keys", json={"user": "eve"}, headers=evil).status_code == 403
        assert client.get("/s/alone/v1/health").status_code == 401


def test_pages_and_assets_are_served_as_strictly_as_before(plane: RunningPlane) -> None:
    with httpx.Client(base_url=plane.url) as client:
        page = client.get("/sessions/any")
        policy = page.headers["content-security-policy"]
        assert "default-src 'none'" in policy and "unsafe" not in policy and "http" not in policy
        (script,) = re.findall(r'src="\.\./(assets/[^"]+\.js)"', page.text)
        asset = client.get(f"/{script}", headers={"Accept-Encoding": "gzip"})
        assert asset.headers["cache-control"].endswith("immutable") and asset.headers["content-encoding"] == "gzip"
        plain = client.get(f"/{script}", headers={"Accept-Encoding": "identity"})
        assert "content-encoding" not in plain.headers and plain.text == asset.text
        odd = ("/assets/none.js", "/assets/..%2findex.html", "/assets/.made-of", "/assets/index.html")
        assert [client.get(one).status_code for one in odd] == [404, 400, 404, 404]
