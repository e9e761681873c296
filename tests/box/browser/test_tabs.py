"""Tabs as a client meets them."""

from typing import Any

import httpx2 as httpx

from tests.processes import eventually
from tests.servers import running_box
from tests.site import Site


def tabs(api: httpx.Client) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = api.get("/v1/browser/tabs").json()["tabs"]
    return found


def active(api: httpx.Client) -> str:
    (one,) = (tab["id"] for tab in tabs(api) if tab["active"])
    return str(one)


def run(api: httpx.Client, expression: str, **fields: Any) -> Any:
    return api.post("/v1/browser/execute", json={"expression": expression, **fields}).json().get("result")


def test_a_created_tab_is_active_and_at_its_address(api: httpx.Client, site: Site) -> None:
    created = api.post("/v1/browser/tabs", json={"url": site.url("second.html")})
    assert created.status_code == 201
    assert (created.json()["title"], created.json()["active"]) == ("The second page", True)
    assert active(api) == created.json()["id"]


def test_a_tab_is_used_without_activating_it(api: httpx.Client, site: Site) -> None:
    first = active(api)
    second = api.post("/v1/browser/tabs", json={}).json()["id"]
    api.post("/v1/browser/navigate", json={"url": site.url("index.html"), "tabId": first}).raise_for_status()
    assert run(api, "document.title", tabId=first) == "The test site"
    assert run(api, "document.visibilityState", tabId=first) == "visible"
    assert run(api, "new Promise(done => requestAnimationFrame(() => done('drawn')))", tabId=second) == "drawn"
    assert active(api) == second


def test_activating_moves_what_names_no_tab(api: httpx.Client, site: Site) -> None:
    first = active(api)
    api.post("/v1/browser/tabs", json={"url": site.url("second.html")}).raise_for_status()
    assert api.post(f"/v1/browser/tabs/{first}/activate").json()["active"]
    assert run(api, "location.href") == "about:blank"


def test_a_popup_becomes_active_and_knows_its_opener(api: httpx.Client, site: Site) -> None:
    opener = active(api)
    api.post("/v1/browser/navigate", json={"url": site.url("index.html")}).raise_for_status()
    run(api, f"window.open('{site.url('second.html')}') && 1")
    popup = next(tab for tab in tabs(api) if tab["active"])
    assert popup["openerId"] == opener
    assert run(api, "new Promise(done => document.readyState == 'complete' ? done(1) : (onload = () => done(1)))") == 1
    assert api.delete(f"/v1/browser/tabs/{popup['id']}").json() == {"ok": True}
    assert active(api) == opener


def test_closing_the_last_leaves_a_blank_one(api: httpx.Client) -> None:
    for tab in tabs(api):
        api.delete(f"/v1/browser/tabs/{tab['id']}").raise_for_status()
    (left,) = tabs(api)
    assert (left["url"], left["active"]) == ("about:blank", True)
    assert run(api, "1") == 1


def test_a_page_that_closes_itself_is_replaced(api: httpx.Client, site: Site) -> None:
    api.post("/v1/browser/navigate", json={"url": site.url("index.html")}).raise_for_status()
    run(api, f"window.popup = window.open('{site.url('second.html')}'); 1")
    gone = active(api)
    run(api, "setTimeout(() => window.close(), 0); 1")
    eventually(lambda: gone not in [tab["id"] for tab in api.get("/v1/browser/tabs").json()["tabs"]], "its end")
    assert active(api) != gone


def test_an_unknown_tab_is_404(api: httpx.Client) -> None:
    for answer in (
        api.delete("/v1/browser/tabs/nothing"),
        api.post("/v1/browser/tabs/nothing/activate"),
        api.post("/v1/browser/execute", json={"expression": "1", "tabId": "nothing"}),
    ):
        assert (answer.status_code, answer.json()["code"]) == (404, "tab_not_found")


def test_a_tab_that_does_not_come_in_time_is_a_timeout() -> None:
    with running_box("--action-timeout", "1") as box, box.client() as api:
        api.post("/v1/browser/start", json={"headless": True}).raise_for_status()
        late = api.post("/v1/browser/tabs", json={})
        assert (late.status_code, late.json()["code"]) == (504, "browser_timeout")
        assert "opening a tab" in late.json()["detail"]
        late = api.put("/v1/browser/partitions/apart", json={})
        assert (late.status_code, late.json()["code"]) == (504, "browser_timeout")
