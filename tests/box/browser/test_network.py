"""A tab's network over HTTP."""

import json
import socket
from typing import Any

import httpx2 as httpx
import pytest

from belljar.box.browser.cdp.events import Initiator, ResponseHead
from belljar.box.browser.reading.request_details import DetailStore, redact_address, redact_header
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
    # To a port that Chromium asks nothing of: they are told of like others, and no server need answer a thousand times.
    each = "await fetch('http://localhost:1/?' + i).catch(() => 0)"
    script = f"(async () => {{ for (let i = 0; i < 1100; i++) {each}; return 0 }})()"
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


def details(api: httpx.Client, part: str) -> dict[str, Any]:
    """Of the last request whose address has this part, once it has ended."""
    answer = api.get(f"/v1/browser/network/{the(api, part)['id']}")
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def headers(found: dict[str, Any], which: str) -> dict[str, list[str]]:
    """By name in small letters."""
    names: dict[str, list[str]] = {}
    for one in found[f"{which}Headers"]:
        names.setdefault(one["name"].lower(), []).append(one["value"])
    return names


def test_details_have_the_headers_on_the_wire_timing_and_what_began_it(api: httpx.Client, site: Site) -> None:
    go(api, site.url("index.html"))
    fetch(api, "/_/headers?X-Colour=blue&here=1")
    found = details(api, "_/headers")
    assert (found["status"], found["statusText"], found["protocol"]) == (200, "OK", "http/1.1")
    assert "provisional" not in found and "cut" not in found
    asked, answered = headers(found, "request"), headers(found, "response")
    # `Host` is the network's own: the page did not ask for it.
    assert asked["host"] == [site.origin().removeprefix("http://")]
    assert answered["x-colour"] == ["blue"] and answered["content-length"] == ["2"]
    assert found["timing"]["wait"] > 0 and found["timing"]["receive"] >= 0
    assert sum(found["timing"].values()) <= found["duration"] + 1
    assert found["initiator"]["type"] == "script" and found["initiator"]["stack"]
    document = details(api, "index.html")
    assert document["initiator"]["type"] == "other" and document["timing"]["wait"] > 0


def test_details_of_an_element_name_the_line_it_stands_in(api: httpx.Client, site: Site) -> None:
    go(api, site.url("_/html?body=%0A%0A<iframe src=/_/status/404?framed></iframe>"))
    found = details(api, "404?framed")
    assert (found["initiator"]["type"], found["initiator"]["line"]) == ("parser", 3)
    assert found["initiator"]["url"].endswith("/_/html?body=[redacted]")


def test_details_tell_no_cookie_credential_token_or_query_value(api: httpx.Client, site: Site) -> None:
    go(api, site.url("index.html"))
    api.post("/v1/browser/execute", json={"expression": "document.cookie = 'sid=planted-1'; 0"})
    answered = (
        "Set-Cookie=a=planted-2; Path=/planted-cookies&X-Auth-Token=planted-3&X-Note=Bearer%20planted-4"
        "&Link=<https://u:planted-5@example.org/a?key%3Dplanted-6>; rel=x"
    )
    script = f"""fetch({json.dumps("/_/headers?" + answered)}, {{headers: {{
        Authorization: 'Basic planted-7', 'X-Api-Key': 'planted-8', 'X-CSRF': 'planted-9', 'X-Plain': 'stays'}}}})
        .then((answer) => answer.text())"""
    api.post("/v1/browser/execute", json={"expression": script}).raise_for_status()
    found = details(api, "_/headers")
    assert "planted" not in json.dumps(found), found
    asked, came = headers(found, "request"), headers(found, "response")
    for name in ("authorization", "cookie", "x-api-key", "x-csrf"):
        assert asked[name] == ["[redacted]"], name
    assert asked["x-plain"] == ["stays"]
    assert came["set-cookie"] == ["[redacted]", "[redacted]"]
    assert came["link"] == ["<https://example.org/a?key=[redacted]>; rel=x"]
    assert "X-Note=[redacted]" in found["url"]


def test_every_hop_of_a_redirect_has_its_own_headers(api: httpx.Client, site: Site) -> None:
    go(api, site.url("_/redirect?to=/_/redirect?to=/second.html"))
    hops = [one for one in requests(api) if "redirect" in one["url"] or "second.html" in one["url"]]
    found = [api.get(f"/v1/browser/network/{one['id']}").json() for one in hops]
    assert [one["status"] for one in found] == [302, 302, 200]
    places = [headers(one, "response").get("location") for one in found]
    assert places == [["/_/redirect?to=[redacted]"], ["/second.html"], None]
    assert all(headers(one, "request")["host"] for one in found)


def test_details_of_what_failed_and_of_what_nobody_knows(api: httpx.Client, site: Site) -> None:
    go(api, site.url("index.html"))
    refused = f"http://127.0.0.1:{closed_port()}"
    fetch(api, f"{refused}/nobody?secret=planted")
    found = details(api, f"{refused}/nobody")
    assert (found["error"], found["responseHeaders"]) == ("ERR_CONNECTION_REFUSED", [])
    assert "planted" not in json.dumps(found)
    unknown = api.get("/v1/browser/network/none")
    assert (unknown.status_code, unknown.json()["code"]) == (404, "request_not_found")


def test_details_of_a_socket_are_those_of_its_handshake(api: httpx.Client, site: Site) -> None:
    go(api, site.url("index.html"))
    address = site.url("index.html").replace("http:", "ws:")
    script = f"new Promise((done) => {{ new WebSocket('{address}').onerror = () => done(0) }})"
    api.post("/v1/browser/execute", json={"expression": script}).raise_for_status()
    found = details(api, "ws:")
    assert headers(found, "request")["upgrade"] == ["websocket"]
    assert found["initiator"]["type"] == "script"


def test_details_are_bounded_in_memory() -> None:
    store = DetailStore(most_bytes=50_000)
    for number in range(1_000):
        store.sent(f"{number}", {"Accept": "*/*"}, Initiator())
        store.answered(f"{number}", ResponseHead(200, headers={"Server": "x" * 100}), has_extra=False)
    assert store.size <= 50_000
    assert store.read("0").is_cut and store.read("0").request_headers == []
    assert store.read("999").response_headers == [("Server", "x" * 100)] and not store.read("999").is_cut
    known = len(store)
    for number in range(1_000):
        store.answered(f"never asked for {number}", ResponseHead(200), has_extra=False)
    assert len(store) == known
    store.sent("long", {}, Initiator())
    store.sent_on_the_wire("long", {"X-Long": "v" * 100_000})
    assert store.read("long").is_cut and len(store.read("long").request_headers[0][1]) == 1_000
    assert store.size <= 50_000


@pytest.mark.timeout(30)
@pytest.mark.parametrize(
    "piece", ["?", "?a", "&", "#", "&a", "://", "eyJ", "eyJaaaaaa", "bearer ", "-----BEGIN ", "sk-"]
)
def test_no_header_and_no_address_holds_up_the_box(piece: str) -> None:
    """Looked at once for each piece of it, this would take an hour."""
    long = piece * 300_000
    assert "planted" not in redact_header("X-Long", f"{long}?key=planted")
    assert "planted" not in redact_address(f"{long}?key=planted")
