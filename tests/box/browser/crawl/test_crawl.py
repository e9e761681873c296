"""Crawls of a site with everything that can go wrong."""

import json
import socket
import time
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

import httpx2 as httpx

from tests.servers import RunningBox
from tests.site import Site

FAST = {"delay": 0, "pageTimeout": 15_000}


def crawl(api: httpx.Client, site: Site, **options: Any) -> dict[str, Any]:
    body = {"url": site.url("crawl/index.html"), **FAST, **options}
    answer = api.post("/v1/browser/crawl", json=body, timeout=100)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def test_a_whole_site_is_visited_once_and_every_trouble_is_told(api: httpx.Client, site: Site) -> None:
    before = api.get("/v1/browser/tabs").json()
    # One page never answers in time; the others must, on a busy host too.
    result = crawl(api, site, maxPages=100, maxDepth=1, extract="text", pageTimeout=5000)
    pages = {page["url"].removeprefix(site.origin()): page for page in result["pages"]}
    assert result["truncated"] is False and result["totalPages"] == len(result["pages"])
    assert result["pages"][0]["title"] == "Crawl" and "Start" in result["pages"][0]["content"]
    assert f"{site.origin(1)}/index.html" in result["pages"][0]["links"]
    titles = [page["title"] for page in result["pages"]]
    assert titles.count("a") == 1 and titles.count("b") == 1 and "canonical" not in titles
    assert pages["/crawl/moved.html"]["requestedUrl"] == site.url("_/redirect?to=/crawl/moved.html")
    assert (pages["/_/status/500"]["status"], pages["/_/status/404"]["status"]) == (500, 404)
    assert pages["/_/slow/20"] | {"error": "timeout", "status": 0} == pages["/_/slow/20"]
    assert pages["/_/download/file.bin"]["error"] == "download"
    assert pages["/crawl/note.txt"]["mimeType"] == "text/plain" and pages["/crawl/note.txt"]["content"] == ""
    assert pages["/crawl/dialog.html"]["title"] == "answered"
    assert pages["/crawl/private/open.html"]["title"] == "open"
    assert "secret" not in titles
    assert result["skipped"] == [{"url": site.url("crawl/private/secret.html"), "reason": "robots.txt"}]
    assert not any(page["url"].startswith(site.origin(1)) for page in result["pages"])
    assert {page["depth"] for page in result["pages"]} == {0, 1}
    assert api.get("/v1/browser/tabs").json() == before


def test_depth_and_pages_are_limits_and_truncated_says_which(api: httpx.Client, site: Site) -> None:
    chain = crawl(api, site, url=site.url("crawl/deep1.html"), maxPages=2)
    assert [page["title"] for page in chain["pages"]] == ["deep1", "deep2"] and chain["truncated"] is False
    cut = crawl(api, site, url=site.url("crawl/deep1.html"), maxPages=1)
    assert cut["totalPages"] == 1 and cut["truncated"] is True
    shallow = crawl(api, site, url=site.url("crawl/deep1.html"), maxDepth=0)
    assert shallow["totalPages"] == 1 and shallow["truncated"] is False


def test_contents_come_in_each_form(api: httpx.Client, site: Site) -> None:
    def content(extract: str | None) -> str:
        options = {"extract": extract} if extract else {}
        return str(crawl(api, site, url=site.url("crawl/a.html"), maxDepth=0, **options)["pages"][0]["content"])

    assert "# Page a" in content(None)
    assert "<h1>Page a</h1>" in content("html")
    assert content("text").startswith("Page a")
    assert content("links").split("\n") == [site.url("crawl/index.html"), site.url("crawl/deep1.html")]


def test_robots_and_domains_are_the_callers_choice(api: httpx.Client, site: Site) -> None:
    secret = site.url("crawl/private/secret.html")
    assert crawl(api, site, url=secret)["totalPages"] == 0
    assert crawl(api, site, url=secret, robots=False)["pages"][0]["title"] == "secret"
    outside = crawl(api, site, url=site.url("_/redirect?to=" + site.url("index.html", host=1)))
    assert outside["pages"] == []
    (skipped,) = outside["skipped"]
    assert "redirect?to=" in skipped["url"] and skipped["reason"] == "redirected outside allowedDomains"
    refused = api.post("/v1/browser/crawl", json={"url": secret, "allowedDomains": ["elsewhere.example"]})
    assert (refused.status_code, refused.json()["code"]) == (400, "invalid_request")
    assert "allowedDomains" in refused.json()["detail"]


def test_a_site_that_does_not_answer_is_told(api: httpx.Client, site: Site) -> None:
    closed = crawl(api, site, url="http://127.0.0.1:9/closed")["pages"][0]
    assert closed["status"] == 0 and closed["error"].startswith("ERR_")


def test_bad_requests_are_told(api: httpx.Client) -> None:
    for body in ({"url": "http://a.de", "maxPages": 101}, {"url": "about:blank"}, {"url": "nonsense"}):
        answer = api.post("/v1/browser/crawl", json=body)
        assert (answer.status_code, answer.json()["code"]) == (400, "invalid_request")


def test_a_job_tells_its_progress_and_its_end(api: httpx.Client, site: Site) -> None:
    body = {"url": site.url("crawl/deep1.html"), **FAST}
    started = api.post("/v1/browser/crawls", json=body)
    assert started.status_code == 202
    id = started.json()["id"]
    events: list[tuple[str, dict[str, Any]]] = []
    with api.stream("GET", f"/v1/browser/crawls/{id}/events") as stream:
        name = ""
        for line in stream.iter_lines():
            name = line.removeprefix("event: ") if line.startswith("event: ") else name
            if line.startswith("data: "):
                events.append((name, json.loads(line[6:])))
    assert [event[1].get("title") for event in events[:-1]] == ["deep1", "deep2"]
    assert events[-1][0] == "end" and events[-1][1]["state"] == "done"
    job = api.get(f"/v1/browser/crawls/{id}").json()
    assert job["state"] == "done" and job["visited"] == 2 and job["result"]["totalPages"] == 2
    assert id in [one["id"] for one in api.get("/v1/browser/crawls").json()["crawls"]]
    unknown = api.get("/v1/browser/crawls/none")
    assert (unknown.status_code, unknown.json()["code"]) == (404, "crawl_not_found")


def test_a_job_is_cancelled_and_keeps_what_it_found(api: httpx.Client, site: Site) -> None:
    body = {"url": site.url("crawl/index.html"), "maxPages": 100, "delay": 0, "pageTimeout": 60_000}
    id = api.post("/v1/browser/crawls", json=body).json()["id"]
    with api.stream("GET", f"/v1/browser/crawls/{id}/events") as stream:
        next(line for line in stream.iter_lines() if line.startswith("data: "))
    job = api.delete(f"/v1/browser/crawls/{id}").json()
    assert job["state"] == "cancelled" and job["visited"] >= 1
    assert api.delete(f"/v1/browser/crawls/{id}").json()["state"] == "cancelled"


def test_clients_that_hang_up_end_their_crawls(api: httpx.Client, site: Site, box_with_browser: RunningBox) -> None:
    body = json.dumps({"url": site.url("_/slow/20"), "robots": False, "pageTimeout": 60_000}).encode()
    head = (
        f"POST /v1/browser/crawl HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {box_with_browser.token}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    )

    def one_more() -> int:
        return api.post("/v1/browser/crawl", json={"url": site.url("crawl/deep2.html"), **FAST}).status_code

    with ExitStack() as clients:

        def is_full() -> bool:
            client = clients.enter_context(socket.create_connection(("127.0.0.1", box_with_browser.port)))
            client.sendall(head.encode() + body)
            return one_more() == 409

        _until(is_full)
    _until(lambda: one_more() == 200)


def _until(is_true: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not is_true():
        assert time.monotonic() < end
