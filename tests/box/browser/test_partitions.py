"""Partitions: tabs with cookies of their own, kept to their domains, that nobody else meets."""

import re
from typing import Any

import httpx2 as httpx
import pytest

from tests.site import Site

HOST_ONE, HOST_TWO = "127.0.0.1", "127.0.0.2"


@pytest.fixture
def name(api: httpx.Client, request: pytest.FixtureRequest) -> str:
    """A partition of the test's own."""
    name = re.sub(r"[^A-Za-z0-9]", "-", request.node.name)[:60]
    api.put(f"/v1/browser/partitions/{name}", json={}).raise_for_status()
    return name


def tab_in(api: httpx.Client, name: str, **fields: Any) -> str:
    created = api.post("/v1/browser/tabs", json={"partition": name, **fields})
    assert created.status_code == 201, created.text
    return str(created.json()["id"])


def run(api: httpx.Client, expression: str, tab: str | None = None) -> Any:
    answer = api.post("/v1/browser/execute", json={"expression": expression, "tabId": tab})
    assert answer.status_code == 200, answer.text
    return answer.json()["result"]


def keep_to(api: httpx.Client, name: str, *domains: str) -> None:
    api.put(f"/v1/browser/partitions/{name}", json={"allowedDomains": list(domains)}).raise_for_status()


def test_its_tabs_have_cookies_of_their_own_and_share_them(api: httpx.Client, site: Site, name: str) -> None:
    first = tab_in(api, name, url=site.url("index.html"))
    run(api, "document.cookie = 'who=tool'", first)
    assert run(api, "document.cookie", tab_in(api, name, url=site.url("second.html"))) == "who=tool"
    api.post("/v1/browser/navigate", json={"url": site.url("index.html")}).raise_for_status()
    assert run(api, "document.cookie") == ""


def test_its_tabs_are_neither_listed_nor_active(api: httpx.Client, site: Site, name: str) -> None:
    before = api.get("/v1/browser/tabs").json()
    tab = tab_in(api, name, url=site.url("second.html"))
    assert api.get("/v1/browser/tabs").json() == before
    (listed,) = (one for one in api.get("/v1/browser/partitions").json()["partitions"] if one["name"] == name)
    assert listed["tabs"] == [tab]


def test_it_is_gone_with_everything(api: httpx.Client, site: Site, name: str) -> None:
    tab = tab_in(api, name, url=site.url("index.html"))
    run(api, "document.cookie = 'who=tool; max-age=9999'", tab)
    assert api.delete(f"/v1/browser/partitions/{name}").json() == {"ok": True}
    assert api.delete(f"/v1/browser/partitions/{name}").json()["code"] == "partition_not_found"
    assert api.post("/v1/browser/tabs", json={"partition": name}).json()["code"] == "partition_not_found"
    api.put(f"/v1/browser/partitions/{name}").raise_for_status()
    assert run(api, "document.cookie", tab_in(api, name, url=site.url("index.html"))) == ""


def test_a_tab_takes_along_what_it_opened(api: httpx.Client, site: Site, name: str) -> None:
    tab = tab_in(api, name, url=site.url("index.html"))
    api.post("/v1/browser/click", json={"selector": "#popup", "tabId": tab, "report": True}).raise_for_status()
    api.delete(f"/v1/browser/tabs/{tab}").raise_for_status()
    # A new one asks Chromium, which has then heard of the closing.
    last = tab_in(api, name)
    (listed,) = (one for one in api.get("/v1/browser/partitions").json()["partitions"] if one["name"] == name)
    assert listed["tabs"] == [last]


def test_a_spare_tab_is_what_a_new_one_would_be(api: httpx.Client, site: Site, name: str) -> None:
    def put(**asked: Any) -> dict[str, Any]:
        answer = api.put(f"/v1/browser/partitions/{name}", json={"spareTab": True, **asked})
        return dict(answer.raise_for_status().json())

    def reopened(tab: str) -> str:
        api.delete(f"/v1/browser/tabs/{tab}").raise_for_status()
        assert put()["tabs"] == []
        return tab_in(api, name)

    put()
    tab = tab_in(api, name, url=site.url("index.html"), dismissDialogs=True)
    run(api, "document.cookie = 'who=tool'; sessionStorage.seen = 1; name = 'window'; 1", tab)
    tab = reopened(tab)
    assert run(api, "[location.href, history.length, name]", tab) == ["about:blank", 1, ""]
    api.post("/v1/browser/navigate", json={"url": site.url("second.html"), "tabId": tab}).raise_for_status()
    assert run(api, "[document.cookie, sessionStorage.length]", tab) == ["who=tool", 0]
    assert api.get("/v1/browser/screenshot", params={"tabId": tab}).content.startswith(b"\x89PNG")
    api.delete(f"/v1/browser/tabs/{tab}").raise_for_status()
    # What the partition was told meanwhile holds for it too.
    assert put(allowedDomains=[HOST_TWO], viewport={"width": 400, "height": 300})["spareTab"] is True
    tab = tab_in(api, name)
    assert run(api, "[innerWidth, innerHeight]", tab) == [400, 300]
    refused = api.post("/v1/browser/navigate", json={"url": site.url("second.html"), "tabId": tab}).json()
    assert refused["netError"] == "ERR_BLOCKED_BY_CLIENT"


def test_closing_a_tab_need_not_be_waited_for(api: httpx.Client, name: str) -> None:
    tab = tab_in(api, name)
    assert api.delete(f"/v1/browser/tabs/{tab}", params={"wait": False}).json() == {"ok": True}
    for _ in range(200):
        (listed,) = (one for one in api.get("/v1/browser/partitions").json()["partitions"] if one["name"] == name)
        if not listed["tabs"]:
            return
        run(api, "new Promise(done => setTimeout(done, 20))")
    raise AssertionError("it is still there")


def test_dialogs_are_cancelled_where_asked(api: httpx.Client, site: Site, name: str) -> None:
    tab = tab_in(api, name, dismissDialogs=True, url=site.url("index.html"))
    assert run(api, "[confirm('sure?'), prompt('name?', 'x'), alert('hello') ?? 'went on']", tab) == [
        False,
        None,
        "went on",
    ]


def test_pictures_are_taken_off_screen(api: httpx.Client, site: Site, name: str) -> None:
    api.put(f"/v1/browser/partitions/{name}", json={"viewport": {"width": 400, "height": 300}}).raise_for_status()
    tab = tab_in(api, name, url=site.url("index.html"))
    assert run(api, "[innerWidth, innerHeight]", tab) == [400, 300]
    assert api.get("/v1/browser/screenshot", params={"tabId": tab}).content.startswith(b"\x89PNG")


def test_a_document_of_another_domain_is_refused(api: httpx.Client, site: Site, name: str) -> None:
    keep_to(api, name, HOST_ONE)
    tab = tab_in(api, name, url=site.url("index.html"))
    elsewhere = f"partition.html?{name}"
    refused = api.post("/v1/browser/navigate", json={"url": site.url(elsewhere, host=1), "tabId": tab}).json()
    assert (refused["code"], refused["netError"]) == ("navigation_failed", "ERR_BLOCKED_BY_CLIENT")
    redirected = site.url(f"_/redirect?to={site.url(elsewhere, host=1)}")
    refused = api.post("/v1/browser/navigate", json={"url": redirected, "tabId": tab}).json()
    assert refused["netError"] == "ERR_BLOCKED_BY_CLIENT"
    assert not [path for _, path, _ in site.requests if name in path and path.startswith("/partition")]


@pytest.mark.parametrize(
    "script",
    [
        "location = {url}",
        "document.body.append(Object.assign(document.createElement('iframe'), {{src: {url}}}))",
        "document.body.append(Object.assign(document.createElement('iframe'), "
        "{{srcdoc: '<script>location = ' + JSON.stringify({url}) + '</' + 'script>'}}))",
        "open({url})",
        "open('about:blank').location = {url}",
        "document.body.append(Object.assign(document.createElement('meta'), "
        "{{httpEquiv: 'refresh', content: '0;url=' + {url}}}))",
    ],
    ids=["script", "frame", "frame in a frame", "window", "blank window", "refresh"],
)
def test_no_frame_gets_there_by_itself(api: httpx.Client, site: Site, name: str, script: str) -> None:
    keep_to(api, name, HOST_ONE)
    tab = tab_in(api, name, url=site.url("index.html"))
    mark = f"/second.html?escaped-{abs(hash(script))}"
    run(api, f"setTimeout(() => {{ {script.format(url=repr(site.url(mark, host=1)))} }}); 1", tab)
    # Something else that the page asks for afterwards is what tells that it had its chance.
    probe = tab_in(api, name, url=site.url("second.html"))
    for _ in range(3):
        run(api, "new Promise(done => setTimeout(done, 100))", probe)
    assert not [path for _, path, _ in site.requests if mark in path]


def test_a_frame_of_an_allowed_domain_in_another_process_is_kept_too(api: httpx.Client, site: Site, name: str) -> None:
    keep_to(api, name, HOST_ONE, HOST_TWO)
    tab = tab_in(api, name, url=site.url("index.html"))
    mark = "escaped-from-a-frame"
    inner = site.url("second.html", host=1)
    run(
        api,
        "new Promise(done => { const f = document.createElement('iframe'); f.onload = () => done(1);"
        f" f.src = {inner!r}; document.body.append(f) }})",
        tab,
    )
    frame = {"expression": f"location = {site.url(f'second.html?{mark}', host=2)!r}; 1", "frame": "iframe"}
    assert api.post("/v1/browser/execute", json={**frame, "tabId": tab}).status_code == 200
    for _ in range(3):
        run(api, "new Promise(done => setTimeout(done, 100))", tab)
    assert [path for _, path, _ in site.requests if path == "/second.html"]
    assert not [path for _, path, _ in site.requests if mark in path]


def test_what_is_no_domain_is_refused(api: httpx.Client, name: str) -> None:
    for domain in ("https://example.com", "example.com/x", "a b", "*"):
        refused = api.put(f"/v1/browser/partitions/{name}", json={"allowedDomains": [domain]})
        assert refused.status_code == 400, domain


def test_elements_are_listed_with_refs_that_work(api: httpx.Client, site: Site) -> None:
    api.post("/v1/browser/navigate", json={"url": site.url("index.html")}).raise_for_status()
    found = api.get("/v1/browser/elements").json()
    assert [(one["tag"], one["name"]) for one in found["elements"]] == [
        ("a", "Second page"),
        ("a", "Second page in a new tab"),
        ("button", "0"),
    ]
    api.post("/v1/browser/click", json={"ref": found["elements"][2]["ref"]}).raise_for_status()
    assert run(api, "clicks") == 1
    assert api.get("/v1/browser/elements", params={"limit": 1}).json()["truncated"] is True
