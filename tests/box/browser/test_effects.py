"""What actions cause: the answer says it, and the next call meets the page that came of it."""

import re
from typing import Any

import httpx2 as httpx
import pytest

from tests.site import Site


def open_leaving(api: httpx.Client, site: Site) -> None:
    api.post("/v1/browser/navigate", json={"url": site.url("acting/leaving.html")}).raise_for_status()


def click(api: httpx.Client, selector: str) -> dict[str, object]:
    answer = api.post("/v1/browser/click", json={"selector": selector})
    assert answer.status_code == 200, answer.text
    body: dict[str, object] = answer.json()
    return body


def script(api: httpx.Client, expression: str) -> object:
    answer = api.post("/v1/browser/execute", json={"expression": expression})
    return answer.json()["result"]


@pytest.mark.parametrize("id", ["link", "assign", "submit"])
def test_the_call_after_a_click_that_navigates_meets_the_new_page(api: httpx.Client, site: Site, id: str) -> None:
    open_leaving(api, site)
    body = click(api, f"#{id}")
    assert str(body["navigated"]).partition("?")[0] == site.url("second.html")
    assert script(api, "document.title") == "The second page"


def test_a_slow_page_is_waited_for(api: httpx.Client, site: Site) -> None:
    open_leaving(api, site)
    assert click(api, "#slow")["navigated"] == site.url("_/slow/0.5")
    assert script(api, "document.title") == "slow"


@pytest.mark.parametrize("id", ["nothing", "save", "mail", "local", "script"])
def test_a_link_that_leads_nowhere_leaves_the_page(api: httpx.Client, site: Site, id: str) -> None:
    open_leaving(api, site)
    assert "navigated" not in click(api, f"#{id}")
    assert script(api, "document.title") == "Leaving"


def test_a_move_within_the_page_is_told(api: httpx.Client, site: Site) -> None:
    open_leaving(api, site)
    assert click(api, "#hash")["navigated"] == site.url("acting/leaving.html#there")


@pytest.mark.parametrize("id", ["open", "blank"])
def test_a_popup_is_told_and_is_the_active_tab(api: httpx.Client, site: Site, id: str) -> None:
    open_leaving(api, site)
    popup = click(api, f"#{id}")["popup"]
    assert isinstance(popup, dict)
    tabs = api.get("/v1/browser/tabs").json()["tabs"]
    assert [tab["id"] for tab in tabs if tab["active"]] == [popup["tabId"]]


@pytest.mark.parametrize(("id", "type"), [("alert", "alert"), ("confirm", "confirm"), ("down-alert", "alert")])
def test_a_dialog_is_the_answer_of_the_click_that_opened_it(api: httpx.Client, site: Site, id: str, type: str) -> None:
    open_leaving(api, site)
    dialog = click(api, f"#{id}")["dialog"]
    assert isinstance(dialog, dict)
    assert dialog["type"] == type
    refused = api.post("/v1/browser/click", json={"selector": "#link"})
    assert (refused.status_code, refused.json()["code"]) == (409, "dialog_open")


def test_a_tab_behind_another_is_acted_on(api: httpx.Client, site: Site) -> None:
    open_leaving(api, site)
    tab = api.get("/v1/browser/tabs").json()["tabs"][-1]["id"]
    api.post("/v1/browser/navigate", json={"url": site.url("acting/buttons.html"), "tabId": tab}).raise_for_status()
    api.post("/v1/browser/tabs", json={}).raise_for_status()
    for selector in ("#plain", "#late", "#soon"):
        answer = api.post("/v1/browser/click", json={"selector": selector, "tabId": tab})
        assert answer.json() == {"ok": True}
    answer = api.post("/v1/browser/execute", json={"expression": "seen", "tabId": tab})
    clicks = [event for event in answer.json()["result"] if event.startswith("click")]
    assert clicks == ["click:plain", "click:late", "click:soon"]


def test_problems_over_http(api: httpx.Client, site: Site) -> None:
    api.post("/v1/browser/navigate", json={"url": site.url("acting/covered.html")}).raise_for_status()

    def refused(**body: object) -> tuple[int, str, object]:
        answer = api.post("/v1/browser/click", json=body)
        return answer.status_code, answer.json()["code"], answer.json().get("reason")

    assert refused(selector="#covered", timeout=200) == (504, "element_not_ready", "obscured")
    assert refused(selector="#covered", failFast=True) == (409, "element_not_ready", "obscured")
    assert refused(selector="#none", timeout=200) == (404, "element_not_found", None)
    assert refused(selector="a[") == (400, "browser_invalid_selector", None)
    assert refused(ref="e99") == (409, "stale_ref", None)
    assert refused(selector="a", frame="#none", timeout=200) == (404, "frame_not_found", None)
    assert refused() == (422, "validation_failed", None)
    assert refused(selector="a", ref="e1")[0] == 422


def test_a_report_says_what_changed_once_the_page_is_quiet(api: httpx.Client, site: Site) -> None:
    api.post("/v1/browser/navigate", json={"url": site.url("acting/report.html")}).raise_for_status()
    before = api.get("/v1/browser/snapshot").json()
    body = api.post("/v1/browser/click", json={"selector": "#fetch", "report": True}).json()
    report = body["report"]
    assert report["quiet"]
    assert report["consoleErrors"] == ["went wrong"]
    assert "The words that came" in report["snapshot"]
    assert "Unchanged words" not in report["snapshot"]
    assert report["revision"] > before["revision"]
    nothing = api.post("/v1/browser/click", json={"selector": "#idle", "report": True}).json()["report"]
    assert nothing["revision"] >= report["revision"]
    assert nothing["consoleErrors"] == []


def test_a_report_of_a_click_that_navigates_is_of_the_new_page(api: httpx.Client, site: Site) -> None:
    open_leaving(api, site)
    body = api.post("/v1/browser/click", json={"selector": "#link", "report": True}).json()
    assert body["report"]["url"] == body["navigated"] == site.url("second.html")
    assert body["report"]["whole"] or "Leaving" not in body["report"]["snapshot"]


@pytest.mark.parametrize(
    ("id", "last"),
    [
        ("now", "now"),
        ("timer", "a little later"),
        ("only-timer", "after 30 ms"),
        ("chain", "three"),
        ("frames", "drawn twice"),
        ("tasks", "task done"),
        ("fetch", "got 0.05"),
        ("slow-fetch", "got 0.3"),
        ("unread", "answered"),
        ("two", "twice"),
        ("worker", "worked out"),
        ("beacon", "counted"),
        ("later", "soon"),
    ],
)
def test_an_eager_report_waits_for_what_the_page_has_planned(api: httpx.Client, site: Site, id: str, last: str) -> None:
    told = _on_plans(api, site, "click", selector=f"#{id}")
    assert f'listitem "{last}"' in told["snapshot"]
    assert told["quiet"]


def test_an_eager_report_of_typing_waits_for_the_search(api: httpx.Client, site: Site) -> None:
    assert 'listitem "found plums"' in _on_plans(api, site, "type", selector="#search", text="plums")["snapshot"]


def _on_plans(api: httpx.Client, site: Site, action: str, **body: str) -> dict[str, Any]:
    """What an action did on the page of that name, as MCP asks for it."""
    wish = {"still": 40, "eager": True, "sinceLast": True}
    address = site.url("acting/plans.html")
    api.post("/v1/browser/navigate", json={"url": address, "report": wish}).raise_for_status()
    report: dict[str, Any] = api.post(f"/v1/browser/{action}", json={**body, "report": wish}).json()["report"]
    return report


def test_a_page_that_never_rests_is_reported_all_the_same(api: httpx.Client, site: Site) -> None:
    api.post("/v1/browser/navigate", json={"url": site.url("acting/restless.html")}).raise_for_status()
    body = api.post("/v1/browser/click", json={"selector": "#again", "report": True}).json()
    assert body["report"]["quiet"] is False


def test_a_download_is_told(api: httpx.Client, site: Site) -> None:
    open_leaving(api, site)
    download = click(api, "#save")["download"]
    assert isinstance(download, dict)
    assert download["name"] == "file.txt"


def test_a_download_without_a_navigation_is_told_in_a_report(api: httpx.Client, site: Site) -> None:
    open_leaving(api, site)
    told = api.post("/v1/browser/click", json={"selector": "#save-as", "report": True}).json()
    assert told["download"]["name"] == "page.html"


def test_a_navigation_is_reported(api: httpx.Client, site: Site) -> None:
    open_leaving(api, site)
    gone = api.post("/v1/browser/navigate", json={"url": site.url("second.html"), "report": True}).json()
    assert (gone["status"], gone["report"]["url"]) == (200, site.url("second.html"))
    assert gone["report"]["whole"] or "second page" in gone["report"]["snapshot"]
    for path in ("back", "forward", "reload"):
        moved = api.post(f"/v1/browser/{path}", json={"report": True}).json()
        assert moved["report"]["url"] == moved["url"]
    assert "report" not in api.post("/v1/browser/reload", json={}).json()


def test_a_script_is_reported(api: httpx.Client, site: Site) -> None:
    def execute(expression: str) -> dict[str, Any]:
        told: dict[str, Any] = api.post("/v1/browser/execute", json={"expression": expression, "report": True}).json()
        return told

    open_leaving(api, site)
    told = execute("document.body.append('Words of a script'); console.error('oh'); 7")
    assert (told["result"], told["type"]) == (7, "number")
    assert "Words of a script" in told["report"]["snapshot"]
    assert told["report"]["consoleErrors"] == ["oh"]
    assert execute("document.querySelector('#save').click()")["download"]["name"] == "file.txt"
    assert execute("location.assign('/second.html')")["navigated"] == site.url("second.html")
    popup = execute("open('/index.html') && 1")["popup"]
    api.delete(f"/v1/browser/tabs/{popup['tabId']}").raise_for_status()


def test_an_answered_dialog_is_reported(api: httpx.Client, site: Site) -> None:
    open_leaving(api, site)
    script = "onclick = () => { const said = confirm('sure?'); document.body.append(`said ${said}`); alert('then') }"
    api.post("/v1/browser/execute", json={"expression": script})
    api.get("/v1/browser/snapshot").raise_for_status()
    assert click(api, "body")["dialog"] == {"type": "confirm", "message": "sure?"}
    told = api.post("/v1/browser/dialog", json={"accept": True, "report": True}).json()
    assert told["dialog"]["type"] == "confirm"
    assert told["next"] == {"type": "alert", "message": "then"}
    told = api.post("/v1/browser/dialog", json={"accept": True, "report": True}).json()
    assert "said true" in told["report"]["snapshot"]
    assert "next" not in told


def test_refs_of_a_snapshot_are_acted_on_in_every_frame(api: httpx.Client, site: Site) -> None:
    api.post("/v1/browser/navigate", json={"url": site.url("acting/framed.html")}).raise_for_status()
    text = api.get("/v1/browser/snapshot").json()["snapshot"]
    tops = re.findall(r'button "Top" \[(\w+)\]', text)
    fields = re.findall(r'textbox "in the frame" \[(\w+)\]', text)
    # One of the frames lies under a shade.
    assert (len(tops), len(fields)) == (5, 5)
    for ref in tops[:4]:
        assert api.post("/v1/browser/click", json={"ref": ref}).json() == {"ok": True}
    assert api.post("/v1/browser/click", json={"ref": tops[4], "failFast": True}).status_code == 409
    typed = api.post("/v1/browser/type", json={"ref": fields[3], "text": "by ref"})
    assert typed.json() == {"ok": True}
    assert '= "by ref"' in api.get("/v1/browser/snapshot").json()["snapshot"]
    api.post("/v1/browser/reload", json={}).raise_for_status()
    stale = api.post("/v1/browser/click", json={"ref": tops[0]})
    assert (stale.status_code, stale.json()["code"]) == (409, "stale_ref")


def test_a_page_that_asks_before_it_is_left_is_the_answer_of_the_click(api: httpx.Client, site: Site) -> None:
    api.post("/v1/browser/navigate", json={"url": site.url("acting/staying.html")}).raise_for_status()
    dialog = click(api, "#link")["dialog"]
    assert isinstance(dialog, dict)
    assert dialog["type"] == "beforeunload"
    # With it open the tab could stay, for others to stumble over.
    api.post("/v1/browser/dialog", json={"accept": True}).raise_for_status()
