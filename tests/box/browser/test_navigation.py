"""Navigation as a client meets it: statuses, failures, history, and everything that is not a page."""

import socket
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import httpx2 as httpx
import pytest

from tests.servers import running_box
from tests.site import Site


def navigate(api: httpx.Client, url: str, **fields: Any) -> httpx.Response:
    return api.post("/v1/browser/navigate", json={"url": url, **fields})


@pytest.fixture
def closed_port() -> Iterator[int]:
    """A port that nobody listens on, and nobody else gets."""
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        yield bound.getsockname()[1]


def test_it_reports_address_title_and_status(api: httpx.Client, site: Site) -> None:
    answer = navigate(api, site.url("index.html"))
    assert answer.status_code == 200
    body = answer.json()
    assert (body["url"], body["title"], body["status"]) == (site.url("index.html"), "The test site", 200)
    assert body["moved"]


@pytest.mark.parametrize("until", ["load", "domcontentloaded", "networkidle"])
def test_it_waits_as_long_as_asked(api: httpx.Client, site: Site, until: str) -> None:
    assert navigate(api, site.url("frames.html"), waitUntil=until).json()["title"] == "Frames"


NO_PAGES = ["ftp://127.0.0.1/x", "ssh://127.0.0.1", "intent://x#Intent;end", "externalfile:x", "mailto:a@b.example"]


@pytest.mark.parametrize("url", [*NO_PAGES, "localhost:3000", " FTP://127.0.0.1/"])
def test_addresses_of_no_page_are_refused(api: httpx.Client, site: Site, url: str) -> None:
    navigate(api, site.url("index.html")).raise_for_status()
    for path in ("navigate", "tabs", "crawl"):
        refused = api.post(f"/v1/browser/{path}", json={"url": url})
        assert (refused.status_code, refused.json()["code"]) == (400, "invalid_request")
        assert "https://example.com/" in refused.json()["detail"]
    assert api.get("/v1/browser/status").json()["url"] == site.url("index.html")


@pytest.mark.parametrize("url", NO_PAGES)
def test_a_redirect_to_no_page_is_a_failure(api: httpx.Client, site: Site, url: str) -> None:
    failed = navigate(api, site.url("_/redirect?to=" + quote(url, safe="")))
    assert (failed.status_code, failed.json()["code"]) == (502, "navigation_failed")


def test_redirects_are_followed(api: httpx.Client, site: Site) -> None:
    body = navigate(api, site.url("_/redirect?to=/second.html")).json()
    assert (body["url"], body["status"]) == (site.url("second.html"), 200)


@pytest.mark.parametrize("path", ["_/status/404", "_/status/404?empty=1", "_/status/500", "_/status/503?empty=1"])
def test_an_error_status_is_a_page_too(api: httpx.Client, site: Site, path: str) -> None:
    answer = navigate(api, site.url(path))
    assert (answer.status_code, answer.json()["status"]) == (200, int(path.split("/")[2][:3]))


def test_what_is_not_http_has_status_0_or_its_own(api: httpx.Client) -> None:
    assert navigate(api, "about:blank").json()["status"] == 0


def test_a_hash_stays_in_the_document(api: httpx.Client, site: Site) -> None:
    navigate(api, site.url("index.html"))
    api.post("/v1/browser/execute", json={"expression": "window.mark = 1"})
    assert navigate(api, site.url("index.html#there")).json()["url"].endswith("#there")
    assert api.post("/v1/browser/execute", json={"expression": "window.mark"}).json()["result"] == 1


def test_no_content_leaves_the_page_where_it_was(api: httpx.Client, site: Site) -> None:
    navigate(api, site.url("index.html"))
    body = navigate(api, site.url("_/status/204")).json()
    assert (body["url"], body["status"], body["moved"]) == (site.url("index.html"), 204, False)


def test_a_download_leaves_the_page_where_it_was(api: httpx.Client, site: Site) -> None:
    navigate(api, site.url("index.html"))
    body = navigate(api, site.url("_/download/a.bin")).json()
    assert (body["url"], body["moved"], body["download"]) == (site.url("index.html"), False, True)


@pytest.mark.parametrize("how", ["reload", "back"])
@pytest.mark.parametrize(
    ("then", "status", "download"), [("/_/status/204", 204, None), ("/_/download/a.bin", 200, True)]
)
def test_a_document_that_is_none_any_more_leaves_the_page_where_it_was(
    api: httpx.Client, site: Site, how: str, then: str, status: int, download: bool | None
) -> None:
    url = site.url(f"_/once?then={then}&for={how}")
    assert navigate(api, url).json()["title"] == "once"
    if how == "back":
        navigate(api, site.url("index.html"))
    body = api.post(f"/v1/browser/{how}").json()
    stayed = url if how == "reload" else site.url("index.html")
    assert (body["url"], body["status"], body["moved"], body.get("download")) == (stayed, status, False, download)
    assert navigate(api, site.url("second.html")).json()["title"] == "The second page"


def test_what_waits_for_a_server_says_so(api: httpx.Client, site: Site) -> None:
    navigate(api, site.url("index.html"))
    api.post("/v1/browser/execute", json={"expression": "location = '/_/slow/5'; 0"}).raise_for_status()
    answer = api.get("/v1/browser/text", params={"timeout": 1000})
    assert answer.status_code == 504
    assert answer.json()["detail"].endswith("The tab waits for a server to answer with its next document.")
    assert navigate(api, site.url("second.html")).json()["title"] == "The second page"


def test_a_refused_connection_names_chromiums_code(api: httpx.Client, closed_port: int) -> None:
    answer = navigate(api, f"http://127.0.0.1:{closed_port}/")
    assert (answer.status_code, answer.json()["code"]) == (502, "navigation_failed")
    assert answer.json()["netError"] in ("ERR_CONNECTION_REFUSED", "ERR_TUNNEL_CONNECTION_FAILED")


def test_a_server_without_tls_is_named_too(api: httpx.Client, site: Site) -> None:
    answer = navigate(api, site.url().replace("http:", "https:"))
    assert (answer.status_code, answer.json()["netError"]) == (502, "ERR_SSL_PROTOCOL_ERROR")


@pytest.mark.parametrize("url", ["not an address", "javascript:alert(1)"])
def test_what_is_no_address_is_refused(api: httpx.Client, url: str) -> None:
    assert navigate(api, url).status_code == 400


def test_a_slow_server_times_out_and_the_tab_still_works(api: httpx.Client, site: Site) -> None:
    answer = navigate(api, site.url("_/slow/5"), timeout=300)
    assert (answer.status_code, answer.json()["code"]) == (504, "browser_timeout")
    assert navigate(api, site.url("second.html")).json()["title"] == "The second page"


def test_history_goes_both_ways_and_ends(api: httpx.Client, site: Site) -> None:
    navigate(api, site.url("index.html"))
    navigate(api, site.url("second.html"))
    back = api.post("/v1/browser/back").json()
    assert (back["title"], back["moved"]) == ("The test site", True)
    assert api.post("/v1/browser/forward").json()["title"] == "The second page"
    edge = api.post("/v1/browser/forward").json()
    assert (edge["title"], edge["moved"]) == ("The second page", False)


def test_history_within_one_document_moves_too(api: httpx.Client, site: Site) -> None:
    navigate(api, site.url("index.html"))
    navigate(api, site.url("index.html#a"))
    assert api.post("/v1/browser/back").json()["url"] == site.url("index.html")


def test_a_title_is_the_documents_own(api: httpx.Client, site: Site) -> None:
    navigate(api, site.url("index.html"))
    change = "history.pushState(0, '', '#b'); document.title = 'changed'; 0"
    api.post("/v1/browser/execute", json={"expression": change}).raise_for_status()
    # Chromium remembers what it was when the entry was left; the document has another one now.
    assert api.post("/v1/browser/back").json()["title"] == "changed"
    assert api.get("/v1/browser/text").json()["title"] == "changed"
    navigate(api, site.url("_/html?body=<script>document.title = 'x'.repeat(100000)</script>"))
    assert api.get("/v1/browser/text").json()["title"] == "x" * 100_000
    lie = "document.title = 'true'; Object.defineProperty(document, 'title', { get: () => 'a lie' })"
    assert navigate(api, site.url(f"_/html?body=<script>{lie}</script>")).json()["title"] == "true"


def test_reload_makes_a_new_document(api: httpx.Client, site: Site) -> None:
    navigate(api, site.url("index.html"))
    api.post("/v1/browser/execute", json={"expression": "window.mark = 1"})
    assert api.post("/v1/browser/reload", json={"ignoreCache": True}).json()["title"] == "The test site"
    assert api.post("/v1/browser/execute", json={"expression": "typeof window.mark"}).json()["result"] == "undefined"


def test_a_page_that_asks_for_credentials_answers_401_until_they_are_set(api: httpx.Client, site: Site) -> None:
    assert navigate(api, site.url("_/auth")).json()["status"] == 401
    wrong = {"username": "user", "password": "wrong"}
    assert api.post("/v1/browser/emulation", json={"httpCredentials": wrong}).status_code == 200
    assert navigate(api, site.url("_/auth?2")).json()["status"] == 401
    right = {"username": "user", "password": "secret"}
    api.post("/v1/browser/emulation", json={"httpCredentials": right}).raise_for_status()
    body = navigate(api, site.url("_/auth?3")).json()
    assert (body["status"], body["title"]) == (200, "inside")
    assert navigate(api, site.url("index.html")).json()["status"] == 200
    api.post("/v1/browser/emulation", json={"httpCredentials": None}).raise_for_status()
    assert navigate(api, site.url("_/auth", host=1)).json()["status"] == 401


def test_a_dialog_on_the_way_ends_the_wait(api: httpx.Client, site: Site) -> None:
    body = navigate(api, site.url("_/html?body=<script>alert('stop')</script>")).json()
    assert body["dialog"] == {"type": "alert", "message": "stop"}
    api.post("/v1/browser/dialog", json={"accept": True}).raise_for_status()


def test_a_page_that_moves_on_by_itself_is_followed(api: httpx.Client, site: Site) -> None:
    body = navigate(api, site.url("_/html?body=<script>location.replace('/second.html')</script>")).json()
    assert body["title"] in ("made up", "The second page")


def test_what_the_network_policy_denies_says_so(site: Site) -> None:
    with running_box("--egress", "public") as box, box.client() as client:
        client.post("/v1/browser/start", json={"headless": True}).raise_for_status()
        answer = navigate(client, site.url("index.html"))
        assert (answer.status_code, answer.json()["code"]) == (403, "egress_denied")
