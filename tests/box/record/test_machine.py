"""What CDP clients, programs, the network policy and the box itself do, as the record has it."""

from collections.abc import Iterator

import httpx2 as httpx
import pytest

from tests.box.browser.test_recovery import kill
from tests.box.live.test_cdp_control import cdp_client
from tests.box.record.recorded import Recorded
from tests.servers import RunningBox, running_box

CDP = {"kind": "agent", "via": "cdp", "id": "operator"}
AGENT = {"kind": "agent", "via": "rest", "id": "operator"}
SECRET = "hunter2-Zq9"


@pytest.fixture(scope="module")
def box() -> Iterator[RunningBox]:
    with running_box("--egress", "public") as box, box.client() as http:
        assert http.post("/v1/browser/start", json={"headless": True}).status_code == 200
        yield box


@pytest.fixture
def http(box: RunningBox) -> Iterator[httpx.Client]:
    with box.client() as client:
        yield client


def test_a_cdp_client_comes_commands_and_leaves(box: RunningBox, http: httpx.Client) -> None:
    tab = http.get("/v1/browser/tabs").json()["tabs"][0]["id"]
    seen = Recorded(http)
    with cdp_client(box) as client:
        client.call("Runtime.evaluate", expression=f"'{SECRET}'")
        client.call("Input.insertText", text=SECRET)
    left = seen.one("cdp", "left")
    found = seen.events("cdp")
    commands = [one for one in found if one["name"] == "command"]
    assert [found[0]["name"], found[-1]["name"]] == ["came", "left"]
    assert all(one["actor"] == CDP for one in found) and left["data"]["count"] == len(commands) == 4
    assert [one["data"]["method"] for one in commands] == [
        "Target.getTargets",
        "Target.attachToTarget",
        "Runtime.evaluate",
        "Input.insertText",
    ]
    assert [one.get("tabId") for one in commands] == [None, None, tab, tab]
    assert commands[2]["data"]["params"] == {"type": "object", "length": 1}
    assert SECRET not in str(seen.events())


def test_what_a_cdp_client_does_to_tabs_and_dialogs_is_its_own(box: RunningBox, http: httpx.Client) -> None:
    seen = Recorded(http)
    with cdp_client(box) as client:
        made = client.call("Target.createTarget", url="about:blank")["targetId"]
        client.call("Page.enable")
        client.send("Runtime.evaluate", expression="setTimeout(() => alert(1), 0)")
        seen.one("dialog", "opened")
        client.call("Page.handleJavaScriptDialog", accept=True)
        answered = seen.one("dialog", "answered")
        client.call("Target.closeTarget", targetId=made)
        closed = seen.one("tab", "closed")
    opened = seen.one("tab", "opened")
    assert [one["actor"] for one in (opened, answered, closed)] == [CDP] * 3
    assert opened["tabId"] == closed["tabId"] == made


def test_what_is_typed_by_cdp_is_told_at_no_level() -> None:
    with running_box("--record", "content") as box, box.client() as http:
        assert http.post("/v1/browser/start", json={"headless": True}).status_code == 200
        seen = Recorded(http)
        with cdp_client(box) as client:
            client.call("Input.insertText", text=SECRET)
            client.call("Page.navigate", url=f"about:blank?a={SECRET}")
            client.call("Runtime.evaluate", expression="document.title")
        found = seen.until("cdp", lambda events: events[-1:] != [] and events[-1]["name"] == "left")
        assert found[-2]["data"]["params"] == {"expression": "document.title"}
        assert SECRET not in str(seen.events())


def test_what_is_typed_by_rest_is_told_at_no_level_and_nor_are_cookies_headers_and_storage_by_cdp() -> None:
    with running_box("--record", "content") as box, box.client() as http:

        def post(path: str, body: dict[str, object]) -> None:
            answer = http.post(path, json=body)
            assert answer.status_code == 200, answer.text

        post("/v1/browser/start", {"headless": True})
        seen = Recorded(http)
        post("/v1/browser/execute", {"expression": "document.body.innerHTML = '<input id=p type=password>'"})
        post("/v1/browser/type", {"selector": "#p", "text": SECRET})
        post("/v1/browser/fill", {"selector": "#p", "value": SECRET})
        id = http.post("/v1/processes", json={"command": "cat"}).json()["id"]
        post(f"/v1/processes/{id}/input", {"data": SECRET, "encoding": "utf8"})
        post(f"/v1/processes/{id}/kill", {})
        with cdp_client(box) as client:
            client.call("Network.setCookie", name="a", value=SECRET, url="http://127.0.0.1/")
            client.call("Network.setExtraHTTPHeaders", headers={"X-Custom": SECRET})
        seen.until("cdp", lambda events: events[-1:] != [] and events[-1]["name"] == "left")
        told = {event["name"]: event["data"] for event in seen.events("call")}
        assert told["browserType.begin"] == {"selector": "#p", "text": {"length": len(SECRET)}}
        assert told["browserFill.begin"] == {"selector": "#p", "value": {"length": len(SECRET)}}
        assert SECRET not in str(seen.events())


def test_programs_say_when_they_start_and_how_they_end(http: httpx.Client) -> None:
    seen = Recorded(http)
    started = http.post("/v1/processes", json={"command": "sh", "args": ["-c", f"sleep 60; true {SECRET}"]})
    id = started.json()["id"]
    assert http.post(f"/v1/processes/{id}/kill").status_code == 200
    ran = http.post("/v1/processes/run", json={"command": "sh", "args": ["-c", f"exit 3 # {SECRET}"]})
    found = seen.until("process", lambda events: len(events) == 3)
    assert [(one["name"], one["actor"]["kind"]) for one in found] == [
        ("started", "agent"),
        ("exited", "system"),
        ("ran", "agent"),
    ]
    assert found[0]["data"]["processId"] == found[1]["data"]["processId"] == id
    assert found[0]["requestId"] == started.headers["x-request-id"] and found[0]["data"]["command"] == "sh"
    assert (found[1]["data"]["signal"], found[2]["data"]["exitCode"]) == ("SIGKILL", 3), found
    assert found[2]["requestId"] == ran.headers["x-request-id"]
    assert SECRET not in str(seen.events())


def test_each_refused_host_is_one_event_with_its_rule(http: httpx.Client) -> None:
    seen = Recorded(http)
    for host in ("10.0.0.7", "192.168.0.9"):
        refused = http.post("/v1/browser/navigate", json={"url": f"http://{host}/{SECRET}?a={SECRET}"})
        assert refused.json()["code"] == "egress_denied", refused.text
    found = seen.until("egress", lambda events: len(events) >= 2)
    assert [(one["name"], one["data"]["host"], one["data"]["port"]) for one in found] == [
        ("denied", "10.0.0.7", 80),
        ("denied", "192.168.0.9", 80),
    ]
    assert all(one["data"]["rule"] and one["actor"] == {"kind": "system"} for one in found)
    assert SECRET not in str(found)


def test_a_browser_that_dies_comes_back_and_both_are_told() -> None:
    with running_box("--jail", "off") as box, box.client() as http:
        seen = Recorded(http)
        started = http.post("/v1/browser/start", json={"headless": True})
        # Without a jail its pid is the host's, and `kill` looks whose it is.
        kill(http, "chromium")
        found = seen.until("system", lambda events: [one["name"] for one in events].count("browser.active") == 2)
    assert [one["name"] for one in found] == [
        "browser.starting",
        "browser.active",
        "browser.restarting",
        "browser.died",
        "browser.active",
    ]
    assert found[1]["requestId"] == started.headers["x-request-id"] and found[1]["actor"] == {"kind": "system"}
    assert "requestId" not in found[2] and found[3]["data"]["signal"] == "SIGKILL" and found[4]["data"]["restarts"] == 1
