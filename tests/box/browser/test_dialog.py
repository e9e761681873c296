"""Dialogs and whatever else would wait for a person never hang a request."""

from typing import Any

import httpx2 as httpx
import pytest

from tests.processes import eventually
from tests.site import Site


def run(api: httpx.Client, expression: str, **fields: Any) -> dict[str, Any]:
    answer: dict[str, Any] = api.post("/v1/browser/execute", json={"expression": expression, **fields}).json()
    return answer


def answer(api: httpx.Client, **fields: Any) -> httpx.Response:
    return api.post("/v1/browser/dialog", json=fields)


def test_no_dialog_is_404(api: httpx.Client) -> None:
    refused = answer(api, accept=True)
    assert (refused.status_code, refused.json()["code"]) == (404, "dialog_not_found")
    assert "dialog" not in api.get("/v1/browser/dialog").json()


@pytest.mark.parametrize(
    ("script", "fields", "result"),
    [
        ("alert('hi')", {"accept": True}, None),
        ("confirm('sure?')", {"accept": True}, True),
        ("confirm('sure?')", {"accept": False}, False),
        ("prompt('name?', 'nobody')", {"accept": True}, "nobody"),
        ("prompt('name?', 'nobody')", {"accept": True, "text": "somebody"}, "somebody"),
        ("prompt('name?', 'nobody')", {"accept": True, "text": ""}, ""),
        ("prompt('name?', 'nobody')", {"accept": False}, None),
    ],
)
def test_the_page_gets_the_answer(api: httpx.Client, script: str, fields: dict[str, Any], result: object) -> None:
    assert "dialog" in run(api, f"window.answer = {script}")
    shown = api.get("/v1/browser/dialog").json()["dialog"]
    assert answer(api, **fields).json() == {"ok": True, "dialog": shown}
    assert run(api, "window.answer === undefined ? null : window.answer")["result"] == result


def test_while_it_is_open_calls_are_refused_at_once_and_named(api: httpx.Client, site: Site) -> None:
    run(api, "setTimeout(() => alert('later'), 0); 1")
    run(api, "new Promise(done => setTimeout(done, 200))")
    for path, body in (("execute", {"expression": "1"}), ("navigate", {"url": site.url()}), ("reload", {})):
        refused = api.post(f"/v1/browser/{path}", json=body)
        assert (refused.status_code, refused.json()["code"]) == (409, "dialog_open"), path
        assert refused.json()["dialog"]["message"] == "later"
    assert api.get("/v1/browser/status").json()["state"] == "active"
    answer(api, accept=True).raise_for_status()
    assert run(api, "1")["result"] == 1


def test_another_tab_works_while_one_has_a_dialog(api: httpx.Client) -> None:
    stuck = api.get("/v1/browser/status").json()["tabId"]
    run(api, "alert('here')")
    api.post("/v1/browser/tabs", json={}).raise_for_status()
    assert run(api, "2")["result"] == 2
    assert answer(api, accept=True, tabId=stuck).status_code == 200


def test_a_tab_in_the_process_of_one_with_a_dialog_says_whose_it_is(api: httpx.Client, site: Site) -> None:
    api.post("/v1/browser/navigate", json={"url": site.url("index.html")}).raise_for_status()
    opener = api.get("/v1/browser/status").json()["tabId"]
    run(api, "open('/second.html') && 1")
    popup = api.get("/v1/browser/status").json()["tabId"]
    assert popup != opener
    api.post("/v1/browser/wait", json={"state": "load"})
    # What opened it is answered with it, though it is another tab's.
    assert run(api, "opener.alert('both'); 5")["dialog"]["message"] == "both"
    refused = api.get("/v1/browser/snapshot", params={"tabId": popup})
    assert (refused.status_code, refused.json()["code"], refused.json()["tabId"]) == (409, "dialog_open", opener)
    answer(api, accept=True).raise_for_status()
    assert run(api, "6", tabId=popup)["result"] == 6


def test_beforeunload_is_a_dialog_too(api: httpx.Client, site: Site) -> None:
    api.post("/v1/browser/navigate", json={"url": site.url("index.html")})
    run(api, "onbeforeunload = event => event.preventDefault(); 1")
    asked = api.post("/v1/browser/navigate", json={"url": site.url("second.html")}).json()
    assert asked["dialog"]["type"] == "beforeunload"
    answer(api, accept=False).raise_for_status()
    assert run(api, "document.title")["result"] == "The test site"
    api.post("/v1/browser/navigate", json={"url": site.url("second.html")})
    answer(api, accept=True).raise_for_status()
    # Meanwhile the document may be replaced under a script, which is then refused.
    eventually(lambda: run(api, "onbeforeunload === null").get("type") == "boolean", "the next page")


@pytest.mark.parametrize(
    "script",
    [
        "print()",
        "new Promise(done => navigator.geolocation.getCurrentPosition(() => done('yes'), () => done('no')))",
        "navigator.clipboard.readText().catch(() => 'no')",
        "navigator.mediaDevices.getUserMedia({video: true}).catch(() => 'no')",
        "Notification.requestPermission()",
        "const file = document.createElement('input'); file.type = 'file'; document.body.append(file); file.click()",
    ],
)
def test_nothing_waits_for_a_person(api: httpx.Client, site: Site, script: str) -> None:
    api.post("/v1/browser/navigate", json={"url": site.url("index.html")}).raise_for_status()
    assert "type" in run(api, script)
    assert run(api, "1 + 1")["result"] == 2
