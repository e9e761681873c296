"""Sessions in the web app: presets, connect lines, many at once, compared; and what hostile names do not do."""

import json
import re
import subprocess
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.axe import serious_findings
from tests.plane.plane import RunningPlane, running_plane, until
from tests.plane.test_web_app import EVIL, chromium, page, sign_in, site
from tests.site import Site

__all__ = ["chromium", "page", "site"]

CLIENTS = (
    *("curl", "Python", "TypeScript", "Playwright (Python)", "Playwright (Node)", "Puppeteer", "browser-use"),
    *("Claude Code", "MCP (JSON)", "WebSocket"),
)
# Overrides of the direction of writing, tags, marks on marks, and letters of several words each.
FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467 a\u0301\u0302\u0303"
HOSTILE = f"\u202e{EVIL}\u2066</script><script>document.title='taken'</script>{FAMILY}"


@pytest.fixture(scope="module")
def plane() -> Iterator[RunningPlane]:
    with running_plane("--egress", "open", "--record", "content", "--max-sessions-per-user", "20") as running:
        yield running


def test_connect_lines_of_ten_clients_are_masked_and_copied_with_a_key_that_works(
    plane: RunningPlane, page: Page, site: Site
) -> None:
    id = plane.create(mode="browser", headless=True, url=site.url("index.html"))["id"]
    sign_in(page, plane)
    page.goto(f"{plane.url}/sessions/{id}?panel=about")
    page.evaluate("navigator.clipboard.writeText = async (text) => { window.copied = text }")
    choice = page.get_by_label("Client")
    expect(choice.locator("option")).to_have_text(list(CLIENTS))
    for name in CLIENTS:
        choice.select_option(name)
        line = page.locator(".connect .code-block")
        expect(line).to_contain_text("••••••••")
        expect(line).to_contain_text(id)
    choice.select_option("curl")
    page.locator(".connect").get_by_role("button", name=re.compile("Copy")).click()
    expect(page.locator(".toast").last).to_contain_text("good for an hour")
    command: str = page.evaluate("window.copied")
    assert "••" not in command and "••••" in page.locator(".connect .code-block").inner_text()
    answer = subprocess.run(["bash", "-c", command], capture_output=True, timeout=30, check=True)
    assert json.loads(answer.stdout)["url"] == site.url("index.html")


def test_a_preset_and_a_draft_outlive_the_page_and_make_the_session_they_say(
    plane: RunningPlane, page: Page, site: Site
) -> None:
    sign_in(page, plane)
    page.goto(f"{plane.url}/?new=1")
    page.get_by_role("button", name="Browser", exact=True).click()
    page.get_by_label(re.compile("^Headless")).check()
    page.get_by_label("Width", exact=True).fill("800")
    page.get_by_label("Height", exact=True).fill("600")
    page.get_by_label("Name of a new preset").fill("small")
    page.get_by_label("Name of a new preset").press("Enter")
    page.get_by_label("Name", exact=True).fill("not yet sent")
    page.keyboard.press("Escape")
    page.reload()
    expect(page.get_by_role("button", name="New session")).to_be_visible()
    page.keyboard.press("n")
    expect(page.get_by_label("Name", exact=True)).to_have_value("not yet sent")
    page.get_by_role("button", name="Clear").click()
    page.get_by_label("Preset", exact=True).select_option("small")
    page.get_by_label("Address").fill(site.url("index.html"))
    # What the server refuses stands at its field, and nothing that was typed is gone.
    page.get_by_label("Width", exact=True).fill("9")
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page.get_by_label("Width", exact=True)).to_have_attribute("aria-invalid", "true")
    expect(page.get_by_label("Address")).to_have_value(site.url("index.html"))
    page.get_by_label("Width", exact=True).fill("800")
    page.get_by_role("button", name="Start", exact=True).click()
    page.wait_for_url(re.compile("/sessions/"))
    made = plane.get(page.url.split("/sessions/")[1].split("?")[0])
    assert made["headless"] and (made["viewport"]["width"], made["viewport"]["height"]) == (800, 600)


def test_many_are_chosen_compared_extended_and_ended_with_the_keyboard_alone(
    plane: RunningPlane, page: Page, site: Site
) -> None:
    one, two = (
        plane.create(mode="browser", headless=True, url=site.url("index.html"), tags={"name": f"pair {name}"})
        for name in "ab"
    )
    with plane.client() as client:
        for id in (one["id"], two["id"]):
            client.post(f"/s/{id}/v1/browser/navigate", json={"url": site.url("second.html")})
        client.post(f"/s/{two['id']}/v1/browser/click", json={"selector": "#nowhere", "timeout": 200})
    sign_in(page, plane)
    page.goto(f"{plane.url}/?q=pair")
    expect(page.locator(".session-row")).to_have_count(2)
    for key in ("j", "x", "j", "x"):
        page.keyboard.press(key)
    expect(page.get_by_role("toolbar", name="Chosen sessions")).to_contain_text("2 chosen")
    page.keyboard.press("c")
    expect(page.get_by_role("heading", name="Compare")).to_contain_text("1 of ")
    page.keyboard.press("Escape")
    page.keyboard.press("e")
    for made in (one, two):
        until(lambda made=made: plane.get(made["id"])["expiresAt"] > made["expiresAt"], what="a later end")  # type: ignore[misc]
    page.keyboard.press("Delete")
    page.get_by_role("button", name="Undo").press("Enter")
    assert {plane.get(made["id"])["state"] for made in (one, two)} == {"running"}
    for key in ("j", "Space"):
        page.keyboard.press(key)
    page.wait_for_url(re.compile("peek="))
    page.keyboard.press("Escape")
    expect(page).not_to_have_url(re.compile("peek="))
    for made in (one, two):
        with plane.client() as client:
            client.delete(f"/api/sessions/{made['id']}")
        expect(page.locator(f'[data-id="{made["id"]}"]')).to_contain_text("Ended by its user")


def test_the_network_gone_is_said_and_what_happened_meanwhile_comes_after(plane: RunningPlane, page: Page) -> None:
    sign_in(page, plane)
    page.goto(f"{plane.url}/?q=meanwhile")
    plane.create(id="meanwhile-a")
    expect(page.locator('[data-id="meanwhile-a"]')).to_be_visible()
    page.context.set_offline(True)
    expect(page.get_by_text("Offline", exact=True)).to_be_visible()
    plane.create(id="meanwhile-b")
    page.context.set_offline(False)
    expect(page.get_by_text("Offline", exact=True)).to_have_count(0)
    expect(page.locator('[data-id="meanwhile-b"]')).to_be_visible()


def test_hostile_names_titles_and_lines_are_text_and_move_nothing(plane: RunningPlane, page: Page, site: Site) -> None:
    made = plane.create(
        mode="browser", headless=True, url=site.url("index.html"), tags={"name": HOSTILE[:120], "x": EVIL}
    )
    write = f"""const text = {json.dumps(HOSTILE)}; document.title = text; console.log(text);
      console.error("W".repeat(1 << 20)); fetch("/missing?" + encodeURIComponent(text)).then(() => 1)"""
    with plane.client() as client:
        assert client.post(f"/s/{made['id']}/v1/browser/execute", json={"expression": write}).is_success
        client.post(f"/s/{made['id']}/v1/control", json={"action": "ask", "question": HOSTILE})
        client.post(f"/s/{made['id']}/v1/events/marks", json={"text": HOSTILE})
    sign_in(page, plane)
    for path in ("", "?view=wall", f"?peek={made['id']}"):
        page.goto(f"{plane.url}/{path}")
        expect(page.get_by_text(EVIL).first).to_be_visible()
        unharmed(page)
    for panel in ("activity", "console", "network", "page", "policy", "about"):
        page.goto(f"{plane.url}/sessions/{made['id']}?panel={panel}")
        expect(page.locator(".ask-bar")).to_contain_text(EVIL)
        expect(page.locator(".drawer .panel")).to_be_visible()
        if panel == "console":
            long = page.locator(".console-line").filter(has_text="WWWW")
            long.get_by_role("button").first.click()
            expect(long.locator("pre")).to_be_visible()
        unharmed(page)
    expect(page.get_by_role("button", name="Take control", exact=True)).to_be_in_viewport()


def unharmed(page: Page) -> None:
    assert page.title().endswith("– Belljar") and page.locator("img[src=x]").count() == 0
    # Once what slides in has come.
    still = "document.documentElement.scrollWidth <= innerWidth && scrollY === 0"
    until(lambda: page.evaluate(still), what="all in its place")


def test_contexts_are_made_used_and_deleted_and_programs_logs_are_followed(
    plane: RunningPlane, page: Page, site: Site
) -> None:
    id = plane.create(mode="browser", headless=True, url=site.url("index.html"))["id"]
    sign_in(page, plane)
    page.goto(f"{plane.url}/sessions/{id}?panel=about")
    page.get_by_label("Name of a new context").fill(EVIL)
    page.get_by_role("button", name="Make", exact=True).click()
    row = page.get_by_role("list", name="Contexts").get_by_role("listitem")
    expect(row).to_contain_text(EVIL)
    with plane.client() as client:
        path = f"/s/{id}/v1/browser/contexts"
        row.get_by_role("button", name="Use").click()
        until(lambda: [one["inUse"] for one in client.get(path).json()["contexts"]] == [True], what="its use")
        expect(row).to_contain_text("in use")
        programs = page.get_by_role("list", name="Programs of the box").get_by_role("listitem")
        expect(programs.filter(has_text="chrom").filter(has_text="pid").first).to_be_visible()
        programs.filter(has_text="pid").first.get_by_role("button", name="Log").click()
        expect(page.get_by_label("What it writes")).to_be_visible()
        page.locator(".about-part").filter(has_text="Log of its box").get_by_role("button", name="Show").click()
        log = page.get_by_label("Log of its box")
        expect(log).to_contain_text("browser")
        # It is followed: what is asked of the box next stands in it.
        client.get(f"/s/{id}/v1/browser/links?maxLinks=not-a-number")
        client.post(f"/s/{id}/v1/browser/navigate", json={"url": site.url("second.html")})
        expect(log).to_contain_text("/v1/browser/navigate")
        client.post(f"/s/{id}/v1/browser/stop")
        expect(row.get_by_role("button", name="Use")).to_be_visible()
        row.get_by_role("button", name="Delete").click()
        until(lambda: client.get(path).json()["contexts"] == [], what="its end")


def test_nothing_moves_for_who_wants_less_motion(plane: RunningPlane, chromium: Browser) -> None:
    context = chromium.new_context(viewport={"width": 1440, "height": 900}, reduced_motion="reduce")
    calm = context.new_page()
    sign_in(calm, plane)
    for path in ("?new=1", "profiles", ""):
        calm.goto(f"{plane.url}/{path}")
        expect(calm.get_by_role("button", name="Signed in as")).to_be_visible()
        calm.keyboard.press("?")
        expect(calm.get_by_role("dialog").first).to_be_visible()
        running = "document.getAnimations().filter((one) => one.effect.getComputedTiming().duration > 1).length"
        assert calm.evaluate(running) == 0, path
        assert serious_findings(calm) == [], path
    context.close()
