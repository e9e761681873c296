"""What happens in tabs, as the record has it: where they go, what they ask, save, write and fetch, and who did it."""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import httpx2 as httpx
import pytest

from tests.box.live.client import token_for, watching
from tests.box.live.test_cdp_control import cdp_client
from tests.box.record.recorded import Event, Recorded
from tests.servers import RunningBox, running_box
from tests.site import Site, running_site

AGENT = {"kind": "agent", "via": "rest", "id": "operator"}
PAGE = {"kind": "page"}
ANN = {"kind": "viewer", "via": "live", "id": "ann"}
SECRET = "hunter2-Zq9"


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with running_site() as site:
        yield site


@pytest.fixture(scope="module")
def box() -> Iterator[RunningBox]:
    with running_box() as box, box.client() as http:
        assert http.post("/v1/browser/start", json={"headless": True}).status_code == 200
        yield box


@pytest.fixture
def http(box: RunningBox) -> Iterator[httpx.Client]:
    """Each test begins with one blank tab."""
    with box.client() as client:
        old = [tab["id"] for tab in client.get("/v1/browser/tabs").json()["tabs"]]
        client.post("/v1/browser/tabs", json={}).raise_for_status()
        for id in old:
            client.delete(f"/v1/browser/tabs/{id}").raise_for_status()
        yield client


def post(http: httpx.Client, path: str, **body: object) -> httpx.Response:
    answer = http.post(f"/v1/browser/{path}", json=body)
    assert answer.status_code == 200, answer.text
    return answer


def show(http: httpx.Client, html: str) -> None:
    post(http, "navigate", url="data:text/html," + quote(html))


def tab_of(http: httpx.Client) -> str:
    return str(next(tab["id"] for tab in http.get("/v1/browser/tabs").json()["tabs"] if tab["active"]))


def test_a_navigation_says_where_why_and_by_which_call(http: httpx.Client, site: Site) -> None:
    seen = Recorded(http)
    gone = post(http, "navigate", url=site.url(f"second.html?q={SECRET}").replace("http://", f"http://me:{SECRET}@"))
    within = post(http, "execute", expression="location.hash = 'part'")
    reloaded = post(http, "reload")
    back = post(http, "back")
    found = seen.events("nav")
    assert [(one["name"], one["data"].get("reason")) for one in found] == [
        ("committed", "differentDocument"),
        ("within", None),
        ("committed", "reload"),
        ("within", None),
    ]
    assert [one["requestId"] for one in found] == [
        answer.headers["x-request-id"] for answer in (gone, within, reloaded, back)
    ]
    assert all(one["actor"] == AGENT and one["tabId"] == tab_of(http) for one in found)
    assert found[0]["data"]["url"] == site.url("second.html?q=…")
    assert found[0]["data"]["status"] == 200 and found[0]["data"]["mimeType"] == "text/html"
    assert SECRET not in str(seen.events())


def test_what_a_page_does_by_itself_is_the_pages(http: httpx.Client, site: Site) -> None:
    show(http, f"<script>setTimeout(() => location = '{site.url('second.html')}', 600)</script>")
    seen = Recorded(http)
    moved = seen.one("nav", "committed")
    assert moved["actor"] == PAGE and "requestId" not in moved
    assert moved["data"]["reason"] == "scriptInitiated" and moved["data"]["url"] == site.url("second.html")


def test_a_click_that_leads_elsewhere_is_its_calls(http: httpx.Client, site: Site) -> None:
    show(http, f"<a id=go href='{site.url('second.html')}'>go</a>")
    seen = Recorded(http)
    clicked = post(http, "click", selector="#go")
    moved = seen.one("nav", "committed")
    assert moved["actor"] == AGENT and moved["requestId"] == clicked.headers["x-request-id"]
    assert moved["data"]["reason"] == "anchorClick"


def test_a_navigation_that_fails_says_how(http: httpx.Client) -> None:
    seen = Recorded(http)
    answer = http.post("/v1/browser/navigate", json={"url": "http://127.0.0.1:1/"})
    assert answer.status_code == 502
    failed = seen.one("nav", "failed")
    assert failed["data"]["netError"].startswith("ERR_") and failed["data"]["url"] == "http://127.0.0.1:1/"


def test_tabs_say_who_opened_activated_and_closed_them(http: httpx.Client, site: Site) -> None:
    first = tab_of(http)
    seen = Recorded(http)
    opened = http.post("/v1/browser/tabs", json={"url": site.url("second.html")})
    second = opened.json()["id"]
    shown = http.post(f"/v1/browser/tabs/{first}/activate")
    assert shown.status_code == 200
    show(http, "<button onclick='window.open(\"about:blank\")'>pop</button>")
    clicked = post(http, "click", selector="button")
    third = clicked.json()["popup"]["tabId"]
    closed = http.delete(f"/v1/browser/tabs/{second}")
    post(http, "execute", expression="setTimeout(close, 200)", tabId=third)
    seen.until("tab", lambda events: [one["tabId"] for one in events if one["name"] == "closed"] == [second, third])
    found = seen.until("tab", lambda events: events[-1]["name"] == "activated" and events[-1]["tabId"] == first)
    assert [(one["name"], one["tabId"], one["actor"]) for one in found] == [
        ("opened", second, AGENT),
        ("activated", first, AGENT),
        ("opened", third, AGENT),
        ("closed", second, AGENT),
        ("closed", third, PAGE),
        ("activated", first, {"kind": "system"}),
    ]
    ids = [answer.headers["x-request-id"] for answer in (opened, shown, clicked, closed)]
    assert [one.get("requestId") for one in found] == [*ids, None, None]
    assert found[2]["data"]["openerTabId"] == first


def test_a_crash_is_the_tabs(box: RunningBox, http: httpx.Client) -> None:
    seen = Recorded(http)
    with cdp_client(box) as client:
        client.send("Page.crash")
    crashed = seen.one("tab", "crashed")
    assert crashed["tabId"] == tab_of(http) and crashed["data"] == {"count": 1}


def test_a_dialog_that_nobody_answers_asks_for_it_and_says_nothing_of_its_words(
    box: RunningBox, http: httpx.Client
) -> None:
    seen = Recorded(http)
    show(http, f"<button onclick=\"confirm('{SECRET}')\">b</button>")
    post(http, "click", selector="button")
    post(http, "dialog", accept=True)
    post(http, "click", selector="button")
    asked = seen.one("ask", "dialog")
    assert (asked["data"], asked["actor"], asked["tabId"]) == ({"type": "confirm"}, PAGE, tab_of(http))
    post(http, "dialog", accept=True)
    assert seen.names("ask") == ["dialog", "dialog.over"], "the first one waited for nobody"
    token = token_for(box, "view")
    watched = http.get("/v1/events", params={"since": seen.since}, headers={"Authorization": f"Bearer {token}"}).json()
    assert {one["kind"] for one in watched["events"]} <= {"ask", "control", "viewer", "system"}
    assert [one["name"] for one in watched["events"] if one["kind"] == "ask"] == ["dialog", "dialog.over"]


def test_a_dialog_says_who_answered_it(box: RunningBox, http: httpx.Client) -> None:
    show(http, f"<button onclick='confirm(\"{SECRET}?\")'>ask</button>")
    token = token_for(box, "drive", name="ann")
    seen = Recorded(http)
    clicked = post(http, "click", selector="button")
    answered = post(http, "dialog", accept=True)
    post(http, "click", selector="button")
    with watching(box, token=token) as ann:
        ann.event("ready")
        ann.call("dialog", accept=False)
    found = seen.until("dialog", lambda events: len(events) == 4)
    assert [(one["name"], one["actor"], one["data"].get("accepted")) for one in found] == [
        ("opened", AGENT, None),
        ("answered", AGENT, True),
        ("opened", AGENT, None),
        ("answered", ANN, False),
    ]
    assert found[0]["data"] == {"type": "confirm", "message": {"length": len(f"{SECRET}?")}}
    assert found[0]["requestId"] == clicked.headers["x-request-id"]
    assert found[1]["requestId"] == answered.headers["x-request-id"]
    assert SECRET not in str(seen.events())


def test_a_download_begins_and_is_done(http: httpx.Client, site: Site) -> None:
    show(http, f"<a id=save href='{site.url(f'_/download/{SECRET}.txt?size=5')}'>save</a>")
    seen = Recorded(http)
    clicked = post(http, "click", selector="#save")
    done = seen.one("download", "completed")
    begun = seen.one("download", "begun")
    assert begun["data"]["downloadId"] == done["data"]["downloadId"] == clicked.json()["download"]["id"]
    assert begun["data"]["file"] == {"length": len(SECRET) + 4, "extension": "txt"} and done["data"]["bytes"] == 5
    assert begun["tabId"] == tab_of(http) and begun["requestId"] == clicked.headers["x-request-id"]


def test_an_upload_says_how_many_and_of_what_kind(http: httpx.Client, tmp_path: Path) -> None:
    show(http, "<input type=file multiple>")
    files = [("file", (f"{SECRET}-{n}.csv", b"a,b")) for n in range(2)]
    seen = Recorded(http)
    answer = http.post("/v1/browser/upload", data={"selector": "input"}, files=files)
    assert answer.status_code == 200, answer.text
    given = seen.one("upload", "given")
    assert given["data"] == {"count": 2, "files": [{"length": len(SECRET) + 6, "extension": "csv"}] * 2}
    assert given["actor"] == AGENT and given["requestId"] == answer.headers["x-request-id"]
    assert SECRET not in str(seen.events())


def test_the_console_is_told_by_level_and_length(http: httpx.Client) -> None:
    seen = Recorded(http)
    show(http, f"<title>{SECRET}</title><script>console.error('{SECRET}'); console.log('two')</script>")
    first, second = seen.until("console", lambda events: len(events) == 2)
    assert (first["name"], first["data"]["text"]) == ("error", {"length": len(SECRET)})
    assert (second["name"], second["actor"], second["tabId"]) == ("log", PAGE, tab_of(http))
    # Told as of when it was written, within the call that it belongs to.
    begin = next(one for one in seen.events("call") if one["name"] == "browserNavigate.begin")
    end = next(one for one in seen.events("call") if one["name"] == "browserNavigate.end")
    assert first["requestId"] == begin["requestId"] and begin["t"] <= first["t"] <= second["t"] <= end["t"] + 5000
    assert SECRET not in str(seen.events())


def test_each_request_of_a_page_is_one_event_when_it_is_over(http: httpx.Client, site: Site) -> None:
    post(http, "navigate", url=site.url("second.html"))
    seen = Recorded(http)
    script = (
        f"fetch('?key={SECRET}').then(answer => answer.text()).then(() => fetch('http://127.0.0.1:1/')).catch(() => 0)"
    )
    asked = post(http, "execute", expression=script)

    def fetched(events: list[Event]) -> list[Event]:
        """Without the page's icon, which Chromium asks for in its own time."""
        return [one for one in events if one["data"]["resourceType"] == "fetch"]

    good, bad = fetched(seen.until("network", lambda events: len(fetched(events)) == 2))
    assert (good["name"], good["data"]["status"], good["data"]["url"]) == (
        "finished",
        200,
        site.url("second.html?key=…"),
    )
    assert good["data"]["resourceType"] == "fetch" and good["data"]["method"] == "GET" and good["data"]["ms"] >= 0
    assert good["data"]["bodyBytes"] > 0 and good["data"]["wireBytes"] > 0
    assert (bad["name"], bad["data"]["netError"].startswith("ERR_")) == ("failed", True)
    assert good["requestId"] == bad["requestId"] == asked.headers["x-request-id"]
    assert http.get(f"/v1/browser/network/{good['data']['id']}").status_code == 200
    assert SECRET not in str(seen.events())


def _counted(events: list[Event], kind: str) -> tuple[int, int]:
    """How many of a kind there are, and how many were lost."""
    lost = sum(one["data"].get(kind, 0) for one in events if one["name"] == "lost")
    return len([one for one in events if one["kind"] == kind]), lost


@pytest.mark.parametrize(
    ("kind", "total", "script"),
    [
        ("console", 2500, "for (let n = 0; n < 2500; n++) console.log(n); 0"),
        # Refused by Chromium at once, and more at a time than are followed.
        (
            "network",
            3000,
            "Promise.allSettled([...Array(3000)].map((_, n) => fetch('http://127.0.0.1:1/' + n))).then(() => 0)",
        ),
    ],
)
def test_what_comes_too_fast_is_counted(http: httpx.Client, site: Site, kind: str, total: int, script: str) -> None:
    post(http, "navigate", url=site.url("second.html"))
    seen = Recorded(http)
    post(http, "execute", expression=script, timeout=60_000)
    events = seen.until(f"{kind},system", lambda events: sum(_counted(events, kind)) >= total)
    told, lost = _counted(events, kind)
    assert told + lost == total and told >= 100
