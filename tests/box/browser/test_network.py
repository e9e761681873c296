"""A tab's network over HTTP."""

import json
import socket
from typing import Any

import httpx2 as httpx

from tests.processes import eventually
from tests.site import Site


def go(api: httpx.Client, url: str) -> None:
    api.post("/v1/browser/navigate", json={"url": url}).raise_for_status()


def fetch(api: httpx.Client, *urls: str) -> None:
    """Make the page fetch these, and wait for the answers."""
    script = f"Promise.allSettled({json.dumps(urls)}.map((url) => fetch(url).then((answer) => answer.text())))"
    api.post("/v1/browser/execute", json={"expression": f"{script}.then(() => 0)"}).raise_for_status()


def requests(api: httpx.Client, **params: Any) -> list[dict[str, Any]]:
    answer = api.get("/v1/browser/network", params=params)
    answer.raise_for_status()
    found: list[dict[str, Any]] = answer.json()["requests"]
    return found


def closed_port() -> int:
    """A port of the loopback interface on which nobody listens."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
    return port


def the(api: httpx.Client, part: str) -> dict[str, Any]:
    """The last request whose address has this part, once it has ended."""
    for _ in range(200):
        found = [one for one in requests(api, limit=1000) if part in one["url"] and "pending" not in one]
        if found:
            return found[-1]
        api.post("/v1/browser/execute", json={"expression": "new Promise((done) => setTimeout(done, 10))"})
    raise AssertionError(f"no request to {part}: {requests(api)}")


def test_a_page_and_what_it_loads_are_listed_from_the_start(api: httpx.Client, site: Site) -> None:
    go(api, site.url("reading/listing.html"))
    document = the(api, "listing.html")
    assert (document["method"], document["status"], document["type"]) == ("GET", 200, "document")
    assert document["mimeType"] == "text/html" and document["duration"] > 0
    assert document["decodedSize"] > 300 and document["responseSize"] > document["decodedSize"]
    assert the(api, "second.html")["status"] == 200


def test_sizes_are_those_on_the_wire_and_decoded(api: httpx.Client, site: Site) -> None:
    go(api, site.url("index.html"))
    fetch(api, "/_/gzip?size=100000")
    packed = the(api, "gzip")
    assert packed["decodedSize"] == 100_000
    assert 0 < packed["responseSize"] < 5_000


def test_failed_requests_have_status_0_and_say_why(api: httpx.Client, site: Site) -> None:
    go(api, site.url("index.html"))
    fetch(api, "http://127.0.0.1:1/unsafe", "/_/status/404", f"{site.origin(1)}/index.html")
    assert the(api, "unsafe")["error"] == "ERR_UNSAFE_PORT"
    assert (the(api, "unsafe")["status"], the(api, "unsafe")["responseSize"]) == (0, 0)
    assert the(api, "status/404")["status"] == 404 and "error" not in the(api, "status/404")
    foreign = the(api, f"{site.origin(1)}/index.html")
    assert foreign["status"] == 0 and foreign["error"]


def test_a_refused_connection_has_no_status_whoever_asked(api: httpx.Client, site: Site) -> None:
    """Where a proxy makes the connections, its own page about one is nobody's answer."""
    refused = f"http://127.0.0.1:{closed_port()}"
    failed = api.post("/v1/browser/navigate", json={"url": f"{refused}/document"})
    assert (failed.status_code, failed.json()["code"]) == (502, "navigation_failed")
    go(api, site.url("index.html"))
    fetch(api, f"{refused}/foreign")
    script = f"fetch('{refused}/opaque', {{mode: 'no-cors'}}).then(() => 'answered', () => 'failed')"
    answer = api.post("/v1/browser/execute", json={"expression": script}).json()
    assert answer["result"] == "failed"
    for part in ("document", "foreign", "opaque"):
        found = the(api, f"{refused}/{part}")
        assert (found["status"], found["error"]) == (0, "ERR_CONNECTION_REFUSED"), found
        assert (found["responseSize"], found["decodedSize"], found["mimeType"]) == (0, 0, "")


def test_a_failed_request_has_no_size(api: httpx.Client) -> None:
    """Chromium's own page about the failure is not what came."""
    assert api.post("/v1/browser/navigate", json={"url": "http://127.0.0.1:1/unsafe"}).status_code == 502
    found = the(api, ":1/unsafe")
    assert (found["status"], found["error"], found["responseSize"]) == (0, "ERR_UNSAFE_PORT", 0)


def test_interrupted_requests_end(api: httpx.Client, site: Site) -> None:
    go(api, site.url("index.html"))
    begin = "for (let i = 0; i < 8; i++) fetch('/_/slow/30?' + i).catch(() => 0); new WebSocket('ws://127.0.0.1:1'); 0"
    api.post("/v1/browser/execute", json={"expression": begin}).raise_for_status()
    frame = "f = document.createElement('iframe'); f.src = '/_/slow/30?frame'; document.body.append(f); 0"
    api.post("/v1/browser/execute", json={"expression": frame}).raise_for_status()
    eventually(lambda: len([one for one in requests(api) if "slow" in one["url"]]) == 9, "nine requests")
    # Another site: the process that asked goes with its page.
    go(api, site.url("index.html", host=1))
    left = eventually(lambda: [one for one in requests(api, limit=1000) if "slow" in one["url"]], "they are listed")
    assert [one.get("pending") for one in left] == [None] * 9
    assert {(one["status"], one["error"]) for one in left} == {(0, "ERR_ABORTED")}


def test_a_navigation_that_timed_out_is_not_pending_for_ever(api: httpx.Client, site: Site) -> None:
    late = api.post("/v1/browser/navigate", json={"url": site.url("_/slow/30?late"), "timeout": 300})
    assert (late.status_code, late.json()["code"]) == (504, "browser_timeout")
    go(api, site.url("index.html", host=1))
    assert the(api, "slow/30?late")["error"] == "ERR_ABORTED"


def test_every_hop_of_a_redirect_is_listed(api: httpx.Client, site: Site) -> None:
    go(api, site.url("_/redirect?to=/_/redirect?to=/second.html"))
    hops = [(one["url"].removeprefix(site.origin()), one["status"]) for one in requests(api)]
    assert ("/_/redirect?to=/_/redirect?to=/second.html", 302) in hops
    assert ("/_/redirect?to=/second.html", 302) in hops and ("/second.html", 200) in hops


def test_a_running_request_is_pending(api: httpx.Client, site: Site) -> None:
    go(api, site.url("index.html"))
    api.post("/v1/browser/execute", json={"expression": "fetch('/_/slow/1'); 0"})
    pending = [one for one in requests(api) if "slow" in one["url"]]
    assert pending and pending[0]["pending"] is True and pending[0]["status"] == 0
    cursor = api.get("/v1/browser/network").json()["cursor"]
    done = the(api, "slow")
    assert done["id"] == pending[0]["id"] and done["duration"] >= 900
    # Beside it may be the page's icon, which Chromium asks for when it likes.
    assert [one["id"] for one in requests(api, since=cursor) if "slow" in one["url"]] == [done["id"]]


def test_bodies_come_on_request(api: httpx.Client, site: Site) -> None:
    go(api, site.url("index.html"))
    fetch(api, "/_/gzip?size=1000")
    id = the(api, "gzip")["id"]
    answer = api.get(f"/v1/browser/network/{id}/body")
    assert answer.content == b"x" * 1000 and answer.headers["content-disposition"] == "attachment"
    unknown = api.get("/v1/browser/network/none/body")
    assert (unknown.status_code, unknown.json()["code"]) == (404, "request_not_found")
    fetch(api, "http://127.0.0.1:1/refused")
    gone = api.get(f"/v1/browser/network/{the(api, 'refused')['id']}/body")
    assert (gone.status_code, gone.json()["code"]) == (410, "response_body_gone")


def test_a_pattern_filters_and_cannot_stall(api: httpx.Client, site: Site) -> None:
    go(api, site.url("index.html"))
    fetch(api, "/_/echo?" + "a" * 2000, "/_/status/200")
    the(api, "status/200")
    assert len(requests(api, urlPattern=r"/_/status/\d+$")) == 1
    assert requests(api, urlPattern=r"(a+)+b$") == []
    assert api.get("/v1/browser/network", params={"urlPattern": "["}).status_code == 400


def test_at_most_a_thousand_are_kept(api: httpx.Client, site: Site) -> None:
    go(api, site.url("index.html"))
    script = "(async () => { for (let i = 0; i < 1100; i++) await fetch('/_/status/200?' + i); return 0 })()"
    api.post("/v1/browser/execute", json={"expression": script, "timeout": 60_000}, timeout=60).raise_for_status()
    kept = eventually(lambda: (r := requests(api, limit=1000))[-1]["url"].endswith("?1099") and r, "the last one")
    assert len(kept) == 1000


def test_requests_are_pushed_as_events(api: httpx.Client, site: Site) -> None:
    go(api, site.url("index.html"))
    cursor = api.get("/v1/browser/network").json()["cursor"]
    with api.stream("GET", "/v1/browser/network", params={"follow": True, "since": cursor}) as stream:
        fetch(api, "/_/status/418")
        for line in stream.iter_lines():
            if line.startswith("data: ") and json.loads(line[6:])["status"] == 418:
                break
        else:
            raise AssertionError("the stream ended")
