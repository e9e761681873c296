"""Control: while a person holds it the agent waits, and everyone is told."""

import threading

import httpx2 as httpx
import pytest
from playwright.sync_api import expect, sync_playwright

from belljar.box.access.lease import needs_control
from belljar.dependencies import find_chromium
from belljar.server.router import WEBSOCKET
from tests.box.live.client import LiveClient, token_for, watching
from tests.described import application
from tests.plane.plane import until
from tests.servers import RunningBox, running_box
from tests.site import Site

MUTATING = [
    (method.lower(), route.path_format)
    for route in application().routes
    for method in route.methods
    if method != WEBSOCKET and needs_control(method, route.facts)
]
# Of browser and desktop, what changes neither what a person sees nor what they work on: crawls have pages of their own,
# `scrape` asks for control itself before it goes anywhere.
HARMLESS = {
    "/v1/browser/contexts",
    "/v1/browser/contexts/{context_id}",
    "/v1/browser/crawl",
    "/v1/browser/crawls",
    "/v1/browser/crawls/{id}",
    "/v1/browser/downloads/{download_id}",
    "/v1/browser/scrape",
    "/v1/browser/wait",
    "/v1/desktop/recording/start",
    "/v1/desktop/recording/stop",
    "/v1/desktop/recordings/{id}",
    "/v1/desktop/stream/start",
    "/v1/desktop/stream/stop",
}


def test_every_call_that_can_change_the_page_needs_control() -> None:
    changing = {path for _, path in MUTATING}
    assert {"/v1/browser/navigate", "/v1/browser/execute", "/v1/browser/tabs", "/v1/desktop/mouse/click"} <= changing
    assert all(method != "get" for method, _ in MUTATING)
    assert all(path.startswith(("/v1/browser/", "/v1/desktop/")) for path in changing)
    others = {
        route.path_format
        for route in application().routes
        if route.path.startswith(("/v1/browser/", "/v1/desktop/")) and set(route.methods) & {"POST", "PUT", "DELETE"}
    }
    assert others - changing == HARMLESS


def test_while_a_person_holds_control_the_agent_is_refused(api: httpx.Client, live: LiveClient) -> None:
    live.call("control.take")
    for method, path in MUTATING:
        answer = api.request(method, path.replace("{", "").replace("}", ""), json={})
        assert (answer.status_code, answer.json()["code"]) == (409, "control_held"), path
        body = answer.json()
        assert body["holder"]["kind"] == "viewer" and body["holder"]["name"] == "operator"
        assert 0 < body["retryAfterMs"] <= 60_000


def test_reading_is_never_refused_and_the_holder_goes_on(
    box: RunningBox, api: httpx.Client, live: LiveClient, site: Site
) -> None:
    live.call("control.take")
    assert api.get("/v1/browser/status").status_code == 200
    assert api.get("/v1/browser/tabs").status_code == 200
    for path in ("screenshot", "snapshot", "content", "text", "links"):
        assert api.get(f"/v1/browser/{path}").status_code == 200, path
    wanted = {"selectors": {"all": "p"}}
    assert api.post("/v1/browser/scrape", json=wanted).status_code == 200
    going = api.post("/v1/browser/scrape", json={**wanted, "url": "about:blank"})
    assert (going.status_code, going.json()["code"]) == (409, "control_held")
    assert live.call("navigate", url=site.url("index.html"))["title"] == "The test site"


def test_only_the_viewer_itself_and_its_own_tools_act_as_it(
    box: RunningBox, api: httpx.Client, live: LiveClient
) -> None:
    ready = live.event("ready")
    live.call("control.take")
    mine = {"Belljar-Viewer": ready["key"]}
    assert api.post("/v1/browser/reload", json={}, headers=mine).status_code == 200
    # The same token and the id that everybody sees, and the key with another's token.
    seen = {"Belljar-Viewer": api.get("/v1/control").json()["holder"]["viewer"]}
    another = {"Authorization": f"Bearer {token_for(box, 'drive', name='Eve')}", **mine}
    for headers in (seen, another, {}):
        assert api.post("/v1/browser/reload", json={}, headers=headers).json()["code"] == "control_held"
    with watching(box, viewer=ready["viewer"] * 2) as thief, watching(box, viewer=ready["key"]) as copy:
        for other in (thief, copy):
            assert other.event("ready")["viewer"] != ready["viewer"]
            assert other.refused("reload")["code"] == "control_held"


@pytest.mark.parametrize("way", ["header", "query"])
def test_an_agent_may_ask_to_wait(api: httpx.Client, live: LiveClient, way: str) -> None:
    live.call("control.take")
    headers = {"Belljar-Control-Wait": "10000"} if way == "header" else {}
    params = {"controlWait": "10000"} if way == "query" else {}
    answers: list[httpx.Response] = []

    def act() -> None:
        body = {"expression": "1 + 1"}
        answers.append(api.post("/v1/browser/execute", json=body, headers=headers, params=params))

    agent = threading.Thread(target=act)
    agent.start()
    live.call("control.release")
    agent.join(15)
    assert answers[0].json()["result"] == 2
    assert api.post("/v1/browser/reload", params={"controlWait": "soon"}).status_code == 400


def test_control_moves_between_people_and_everyone_is_told(box: RunningBox, live: LiveClient) -> None:
    with watching(box, token=token_for(box, "drive", name="Ann")) as ann:
        mine, hers = live.event("ready")["viewer"], ann.event("ready")["viewer"]
        live.call("control.take")
        assert ann.event("control")["holder"]["viewer"] == mine
        refused = ann.refused("navigate", url="about:blank")
        assert (refused["code"], refused["holder"]["viewer"]) == ("control_held", mine)
        ann.mouse("move", 1, 1)
        assert ann.event("error")["code"] == "control_held"
        asked = ann.call("control.request")
        assert asked["holder"]["viewer"] == mine
        assert live.event("control", lambda data: data["requests"])["requests"][0]["name"] == "Ann"
        live.call("control.give", to=hers)
        assert live.event("control", lambda data: data["holder"].get("viewer") == hers)["holder"]["name"] == "Ann"
        assert live.refused("control.release")["code"] == "control_held"
        assert live.call("control.take")["holder"]["viewer"] == mine
        live.call("control.release")
        assert ann.event("control", lambda data: data["holder"]["kind"] == "none")


def test_an_agent_asks_and_is_given_it_and_people_wait_then(api: httpx.Client, live: LiveClient) -> None:
    live.call("control.take")
    held = api.post("/v1/control", json={"action": "take"})
    assert (held.status_code, held.json()["code"]) == (409, "control_held")
    assert api.post("/v1/control", json={"action": "request"}).json()["requests"] == [{"kind": "agent"}]
    live.call("control.give", to="agent")
    assert api.get("/v1/control").json()["holder"] == {"kind": "agent"}
    assert live.refused("reload")["code"] == "control_held"
    assert api.post("/v1/browser/reload", json={}).status_code == 200
    # A person may always take it.
    assert live.call("control.take")["holder"]["kind"] == "viewer"


def test_an_agent_hands_over_to_a_person(api: httpx.Client, live: LiveClient) -> None:
    viewer = live.event("ready")["viewer"]
    given = api.post("/v1/control", json={"action": "give", "to": viewer}).json()
    assert given["holder"]["viewer"] == viewer
    assert api.post("/v1/browser/reload", json={}).status_code == 409


def test_who_only_watches_cannot_be_given_control(box: RunningBox, api: httpx.Client) -> None:
    with watching(box, token=token_for(box, "view")) as watcher:
        viewer = watcher.event("ready")["viewer"]
        given = api.post("/v1/control", json={"action": "give", "to": viewer})
        assert (given.status_code, given.json()["code"]) == (404, "viewer_not_found")


def test_a_viewer_that_comes_back_is_the_same_one(box: RunningBox, api: httpx.Client) -> None:
    with watching(box) as first:
        ready = first.event("ready")
        id, key = ready["viewer"], ready["key"]
        first.call("control.take")
    with watching(box, viewer=id) as thief:
        assert thief.event("ready")["viewer"] != id
    with watching(box, viewer=key) as again, watching(box, viewer=key) as copy:
        assert again.event("ready")["viewer"] == id
        assert copy.event("ready")["viewer"] != id
        assert api.get("/v1/control").json()["holder"]["viewer"] == id
        again.call("control.renew")


def test_a_silent_holder_loses_control() -> None:
    with running_box("--control-ttl", "0.5") as box, watching(box) as viewer:
        viewer.call("control.take")
        viewer.event("control", lambda data: data["holder"]["kind"] == "viewer")
        viewer.event("control", lambda data: data["holder"]["kind"] == "none")


def test_control_given_back_with_a_viewers_last_words_is_given_back(api: httpx.Client, box: RunningBox) -> None:
    """Also where another of its commands still ran, which ends with it."""
    with watching(box) as person:
        person.call("control.take")
        person.ask("waitForSelector", selector="#never", timeout=30_000)
        person.ask("control.release")
    until(lambda: api.get("/health").json()["viewers"] == 0, what="the viewer to be gone")
    assert api.get("/v1/control").json()["holder"]["kind"] == "none"
    # Who goes without a word keeps it for a while: a page that is loaded anew.
    with watching(box) as person:
        person.call("control.take")
    until(lambda: api.get("/health").json()["viewers"] == 0, what="the viewer to be gone")
    assert api.get("/v1/control").json()["holder"]["kind"] == "viewer"


def test_the_app_says_each_time_that_control_ran_out() -> None:
    with running_box("--control-ttl", "1") as box, box.client() as api, sync_playwright() as playwright:
        assert api.post("/v1/browser/start", json={"headless": True}).is_success
        chromium = playwright.chromium.launch(executable_path=find_chromium(), args=["--no-sandbox"])
        page = chromium.new_page()
        page.goto(api.post("/v1/live/links", json={"role": "drive"}).json()["link"])
        page.locator("#picture").wait_for()
        page.goto(f"{box.url}/ui/")
        told = page.locator(".ask-bar").filter(has_text="Control was given back")
        page.get_by_role("button", name="Take control").click()
        expect(told).to_be_visible()
        told.get_by_role("button", name="Hide").click()
        expect(told).to_have_count(0)
        # Another time is told of again.
        page.get_by_role("button", name="Take control").click()
        expect(told).to_be_visible()
        chromium.close()
