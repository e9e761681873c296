"""Waiting over HTTP: for elements, text, addresses, scripts and the page itself."""

from typing import Any

import httpx2 as httpx
import pytest

from belljar.box.browser.acting.wait import matches_url
from tests.site import Site


def open_page(api: httpx.Client, site: Site, path: str) -> None:
    api.post("/v1/browser/navigate", json={"url": site.url(path), "waitUntil": "domcontentloaded"}).raise_for_status()


def wait(api: httpx.Client, **body: Any) -> bool:
    answer = api.post("/v1/browser/wait", json=body)
    assert answer.status_code == 200, answer.text
    found: bool = answer.json()["found"]
    return found


@pytest.mark.parametrize(
    "body",
    [
        {"selector": "#late"},
        {"selector": "#late", "state": "attached"},
        {"selector": "#hidden-twin", "state": "hidden"},
        {"selector": "#hidden-twin", "state": "attached"},
        {"selector": "#nowhere", "state": "detached"},
        {"selector": "#soon:not([disabled])"},
        {"text": "Late"},
        {"url": "**/acting/buttons.html"},
        {"function": "document.querySelector('#late')"},
        {"function": "() => !document.querySelector('#soon').disabled"},
        {"function": "async () => window.late?.is?.deep ?? 1"},
        {"state": "networkidle"},
        {"state": "load", "text": "Late", "selector": "#plain"},
        {"ref": "e99", "state": "detached"},
    ],
)
def test_what_comes_true_is_found(api: httpx.Client, site: Site, body: dict[str, Any]) -> None:
    open_page(api, site, "acting/buttons.html")
    if body.get("text") and body.get("state"):
        body = {**body, "state": "visible"}
    assert wait(api, **body)


@pytest.mark.parametrize(
    "body",
    [
        {"selector": "#nowhere"},
        {"selector": "#hidden-twin"},
        {"selector": "#plain", "state": "hidden"},
        {"selector": "#plain", "state": "detached"},
        {"text": "Not on this page"},
        {"url": "**/second.html"},
        {"function": "window.nothing.at.all"},
        {"selector": "#plain", "frame": "#none"},
    ],
)
def test_what_does_not_is_not_an_error(api: httpx.Client, site: Site, body: dict[str, Any]) -> None:
    open_page(api, site, "acting/buttons.html")
    assert wait(api, timeout=300, **body) is False


def test_frames_are_waited_in(api: httpx.Client, site: Site) -> None:
    open_page(api, site, "acting/framed.html")
    assert wait(api, selector="#nested >> iframe >> #low")
    assert wait(api, selector="#low", frame="#cross")
    assert wait(api, function="location.pathname.endsWith('inner.html')", frame="#same")


def test_a_wait_goes_on_across_a_navigation(api: httpx.Client, site: Site) -> None:
    open_page(api, site, "acting/leaving.html")
    url = site.url("acting/buttons.html")
    api.post("/v1/browser/execute", json={"expression": f"setTimeout(() => location = '{url}', 200)"})
    assert wait(api, selector="#late")
    assert wait(api, url=url)


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"ref": "e99"}, 409),
        ({"selector": "a["}, 400),
        ({"function": "}{"}, 400),
        ({}, 422),
        ({"selector": "a", "ref": "e1"}, 422),
    ],
)
def test_what_can_never_be_true_is_refused_at_once(
    api: httpx.Client, site: Site, body: dict[str, Any], status: int
) -> None:
    open_page(api, site, "index.html")
    # The client gives up long before the wait would.
    assert api.post("/v1/browser/wait", json={**body, "timeout": 600_000}).status_code == status


@pytest.mark.parametrize(
    ("pattern", "url", "is_match"),
    [
        ("http://a/b", "http://a/b", True),
        ("/b?c", "http://a/b?c", True),
        ("/b", "http://a/b?c", False),
        ("http://a/*", "http://a/b", True),
        ("http://a/*", "http://a/b/c", False),
        ("http://a/**", "http://a/b/c", True),
        ("**/c*", "http://a/b/c?x", True),
        ("*done*", "http://a/x-done-y", True),
        ("http://a.b/*", "http://aXb/c", False),
    ],
)
def test_addresses_are_compared(pattern: str, url: str, is_match: bool) -> None:
    assert matches_url(pattern, url) is is_match
