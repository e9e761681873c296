"""The web app of a box by itself, at `/ui/`: who drives it, and what its operator alone may do there."""

from collections.abc import Iterator

import httpx2 as httpx
import pytest
from playwright.sync_api import Page, expect, sync_playwright

from belljar.dependencies import find_chromium
from tests.axe import serious_findings
from tests.plane.plane import until
from tests.servers import RunningBox, running_box

# As the page itself would, with its cookie.
LOOSEN = """() => fetch("../v1/egress/loosen", {
  method: "POST", headers: {"Content-Type": "application/json"}, body: '{"allow": ["other.example"]}',
}).then((answer) => answer.status)"""


@pytest.fixture
def box() -> Iterator[RunningBox]:
    with running_box("--egress", "none") as box, box.client() as api:
        assert api.post("/v1/browser/start", json={"headless": True}).is_success
        script = "fetch('http://refused.example/').catch(() => 0).then(() => 1)"
        assert api.post("/v1/browser/execute", json={"expression": script}).is_success
        yield box


@pytest.fixture
def page() -> Iterator[Page]:
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=find_chromium(), args=["--no-sandbox"])
        yield chromium.new_page()
        chromium.close()


def policy_of(api: httpx.Client) -> str:
    text: str = api.get("/v1/egress/policy").json()["policy"]
    return text


def test_the_operators_token_allows_a_host_and_has_it_learn_and_nothing_else_does(box: RunningBox, page: Page) -> None:
    with box.client() as api:
        made = api.post("/v1/tokens", json={"role": "drive", "name": "Ann"}).json()
        page.goto(f"{box.url}/ui/?panel=policy#{made['link'].partition('#')[2]}")
        drawer = page.locator(".drawer")
        refused = drawer.locator(".decision").filter(has_text="refused.example")
        refused.get_by_role("button").first.click()
        refused.get_by_role("button", name="Allow this host").click()
        form = drawer.get_by_role("form", name="As the operator")
        token = form.get_by_label("Operator’s token")
        expect(token).to_be_focused()
        # Who drives may not: neither with their own token nor with the page's cookie.
        token.fill(made["token"])
        form.get_by_role("button", name="Allow", exact=True).click()
        expect(form.get_by_role("alert")).to_have_text("That is not the operator’s token of this box.")
        expect(token).to_have_value("")
        assert page.evaluate(LOOSEN) == 403 and policy_of(api) == "none"
        assert serious_findings(page, ".drawer") == []
        token.fill(box.token)
        token.press("Enter")
        expect(form).to_have_count(0)
        expect(drawer.get_by_label("The policy in force")).to_contain_text("allow refused.example")
        assert policy_of(api).startswith("allow refused.example\n")
        # It was for that one time.
        drawer.get_by_role("button", name="Learn", exact=True).click()
        token.press("Escape")
        expect(form).to_have_count(0)
        assert "learn" not in policy_of(api)
        drawer.get_by_role("button", name="Learn", exact=True).click()
        token.fill(box.token)
        token.press("Enter")
        expect(drawer.get_by_text("It learns:")).to_be_visible()
        until(lambda: policy_of(api).endswith("learn"), what="learning")
        assert page.evaluate(LOOSEN) == 403
        assert box.token not in page.content() and box.token not in page.evaluate("JSON.stringify({...sessionStorage})")
