"""Many callers on one page: actions one after another in the order they came; stuck pages and silent ones."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx2 as httpx

from tests.servers import RunningBox
from tests.site import Site


def post(box: RunningBox, path: str, body: dict[str, Any]) -> httpx.Response:
    with box.client() as client:
        return client.post(f"/v1/browser/{path}", json=body)


def test_actions_of_many_callers_do_not_mix(api: httpx.Client, box_with_browser: RunningBox, site: Site) -> None:
    api.post("/v1/browser/navigate", json={"url": site.url("acting/fields.html")}).raise_for_status()
    words = [f"<{letter * 30}>" for letter in "abcdefgh"]
    with ThreadPoolExecutor(8) as callers:
        answers = list(
            callers.map(
                lambda word: post(box_with_browser, "type", {"selector": "#next", "text": word, "delay": 1}), words
            )
        )
    assert [answer.status_code for answer in answers] == [200] * 8
    typed = api.post("/v1/browser/execute", json={"expression": "document.querySelector('#next').value"}).json()
    assert sorted(typed["result"].replace("><", "> <").split()) == sorted(words)


def test_a_click_that_never_ends_is_ended_and_the_tab_lives_on(api: httpx.Client, site: Site) -> None:
    api.post("/v1/browser/navigate", json={"url": site.url("acting/leaving.html")}).raise_for_status()
    stuck = api.post("/v1/browser/click", json={"selector": "#stuck", "timeout": 500})
    assert (stuck.status_code, stuck.json()["code"]) == (504, "browser_timeout")
    answer = api.post("/v1/browser/click", json={"selector": "#hash"})
    assert answer.status_code == 200, answer.text


def test_a_page_that_is_stuck_already_is_freed(api: httpx.Client, site: Site) -> None:
    api.post("/v1/browser/navigate", json={"url": site.url("acting/leaving.html")}).raise_for_status()
    api.post("/v1/browser/execute", json={"expression": "setTimeout(() => { while (true) {} }, 0); 1"})
    stuck = api.post("/v1/browser/click", json={"selector": "#hash", "timeout": 500})
    assert (stuck.status_code, stuck.json()["code"]) == (504, "browser_timeout")
    answer = api.post("/v1/browser/click", json={"selector": "#hash"})
    assert answer.status_code == 200, answer.text
