"""A session whose programs no jail keeps in is seen in red, wherever one looks; with a real box."""

from playwright.sync_api import Page, expect

from tests.plane.plane import running_plane
from tests.plane.test_web_admin import chromium, page, sign_in

__all__ = ["chromium", "page"]

RED = "element => getComputedStyle(element).color"
BAD = """() => {
  const probe = document.body.appendChild(document.createElement("i"));
  probe.style.color = "var(--bad)";
  const colour = getComputedStyle(probe).color;
  probe.remove();
  return colour;
}"""


def test_isolation_that_is_weaker_than_sessions_ask_for_is_red_and_says_what_mends_it(page: Page) -> None:
    with running_plane() as plane:
        session = plane.create()
        assert plane.get(session["id"])["isolation"]["jail"] is False, "the box says so itself"
        sign_in(page, plane)
        page.goto(plane.url)
        mark = page.locator(f'[data-id="{session["id"]}"] .lock')
        expect(mark).to_be_visible()
        bad = page.evaluate(BAD)
        assert mark.evaluate(RED) == bad and "No jail" in (mark.get_attribute("title") or "")
        page.goto(f"{plane.url}/admin/health")
        check = page.locator('[data-check="jail-off"][data-level="missing"]')
        expect(check).to_contain_text("belljar serve --jail require")
        assert check.get_by_role("img").evaluate(RED) == bad
        page.goto(f"{plane.url}/admin")
        health = page.locator('.figure[data-kind="bad"]', has_text="Health")
        expect(health).to_be_visible()
        assert health.locator(".figure-value").evaluate(RED) == bad
