"""Sessions with a browser, as agents use them: through the gateway, by REST and by Playwright."""

import base64
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import httpx2 as httpx
import pytest
from playwright.sync_api import sync_playwright

from belljar.plane import kernel
from belljar.wire.browser.lifecycle import BARS_HEIGHT
from tests.plane.launched import LAUNCHERS, launched_plane
from tests.plane.plane import PATIENCE, USUAL, RunningPlane, box_process, until

PAGE = b"<!doctype html><title>A page</title><h1>Under glass</h1>"


@pytest.fixture(scope="module")
def page() -> Iterator[str]:
    class Page(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(PAGE)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Page) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        thread.join()


@pytest.fixture(scope="module", params=LAUNCHERS)
def plane(page: str, request: pytest.FixtureRequest) -> Iterator[RunningPlane]:
    """With the jail, as it is by default, and with the test's own page let through."""
    allowed = page.removeprefix("http://").rstrip("/")
    usual = tuple(flag for flag in USUAL if flag not in ("--jail", "off"))
    pool = ("--pool-size", "1", "--allow", allowed)
    with launched_plane(request, *pool, usual=usual) as running:
        yield running


def browser(session: dict[str, Any]) -> httpx.Client:
    headers = {"Authorization": f"Bearer {session['token']}"}
    return httpx.Client(base_url=session["httpUrl"] + "/v1/browser", headers=headers, timeout=60)


def until_warm(plane: RunningPlane) -> None:
    with plane.client() as client:
        until(lambda: "belljar_pool_warm 1.0" in client.get("/metrics").text, within=60, what="a warm box")


def test_a_warm_box_opens_the_page_that_was_asked_for(plane: RunningPlane, page: str) -> None:
    until_warm(plane)
    session = plane.create(mode="browser", url=page)
    assert session["viewport"] == {"width": 1280, "height": 720}
    assert session["screen"] == {"width": 1280, "height": 720 + BARS_HEIGHT}
    with browser(session) as client, plane.client() as api:
        status = client.get("/status").json()
        assert status["viewport"] == {"w": 1280, "h": 720, "dpr": 1.0}
        assert status["resolution"] == {**session["screen"], "dpi": 96}
        status = client.get("/status").json()
        assert (status["state"], status["title"], status["url"]) == ("active", "A page", page)
        assert status["cdpUrl"] == session["cdpUrl"]
        assert 'belljar_pool_takes_total{outcome="hit"}' in api.get("/metrics").text
        picture = client.get("/screenshot")
        assert picture.headers["content-type"] == "image/png" and len(picture.content) > 1000
        api.delete(f"/api/sessions/{session['id']}")


def test_playwright_by_ticket_and_by_http_address(plane: RunningPlane, page: str) -> None:
    session = plane.create(mode="browser", headless=True)
    with plane.client() as api, sync_playwright() as playwright:
        http = f"{session['httpUrl']}/v1/browser/cdp"
        ticket = session["connect"]["cdpUrl"].partition("ticket=")[2]
        found = httpx.get(f"{http}/json/version/?ticket={ticket}").json()
        assert found["webSocketDebuggerUrl"] == session["connect"]["cdpUrl"]
        key = {"Authorization": f"Bearer {session['token']}"}
        plain = httpx.get(f"{http}/json/version", headers=key).json()
        assert plain["webSocketDebuggerUrl"] == session["cdpUrl"], "the box's own token stays with us"
        for address, headers in (
            (session["connect"]["cdpUrl"], {}),
            (f"{http}?ticket={_ticket(api, session)}", {}),
            (http, key),
        ):
            connected = playwright.chromium.connect_over_cdp(address, headers=headers)
            tab = connected.contexts[0].pages[0]
            tab.goto(page)
            assert tab.inner_text("h1") == "Under glass"
            connected.close()
        with pytest.raises(Exception, match="401"):
            playwright.chromium.connect_over_cdp(session["connect"]["cdpUrl"])
        api.delete(f"/api/sessions/{session['id']}")


def test_a_killed_chromium_comes_back_in_the_same_session(plane: RunningPlane, page: str) -> None:
    session = plane.create(mode="browser", headless=True)
    pid = min(_chromiums(session["sandboxId"]))
    os.kill(pid, signal.SIGKILL)
    with browser(session) as client, plane.client() as api:

        def works() -> bool:
            return client.post("/navigate", json={"url": page}).is_success

        until(works, within=60, what="the browser's return")
        assert plane.get(session["id"])["state"] == "running"
        api.delete(f"/api/sessions/{session['id']}")


def test_what_a_session_may_reach_can_only_shrink(plane: RunningPlane, page: str) -> None:
    session = plane.create(mode="browser", headless=True, policy={"egress": "none"})
    with browser(session) as client, plane.client() as api:
        assert not client.post("/navigate", json={"url": page}).is_success
        wider = httpx.put(
            f"{session['httpUrl']}/v1/egress/policy",
            json={"policy": "open", "allow": []},
            headers={"Authorization": f"Bearer {session['token']}"},
            timeout=PATIENCE,
        )
        assert wider.status_code == 403
        api.delete(f"/api/sessions/{session['id']}")


def test_a_session_reaches_only_what_it_asked_for(plane: RunningPlane, page: str) -> None:
    allowed = page.removeprefix("http://").rstrip("/")
    session = plane.create(policy={"only": ["127.0.0.1"], "deny": ["ads.example"]})
    headers = {"Authorization": f"Bearer {session['token']}"}
    shown = httpx.get(f"{session['httpUrl']}/v1/egress/policy", headers=headers, timeout=PATIENCE).json()
    assert shown["policy"] == f"deny ads.example\ndeny * except 127.0.0.1\nallow {allowed}\nuse public"
    with plane.client() as api:
        api.delete(f"/api/sessions/{session['id']}")


def test_a_proxy_of_its_own_carries_everything_and_what_is_denied_stays_denied(plane: RunningPlane) -> None:
    with recording_proxy() as (port, asked), plane.client() as api:
        proxy = f"http://ann:open-sesame@127.0.0.1:{port}"
        wanted: dict[str, Any] = {"headless": True, "proxy": proxy, "policy": {"deny": ["denied.example"]}}
        with plane.client(plane.new_key("ann")) as ann:
            assert ann.post("/api/sessions", json=wanted).status_code == 403
        session = plane.create(mode="browser", **wanted)
        with browser(session) as client:
            assert client.post("/navigate", json={"url": "http://shop.example/offers"}).is_success
            assert client.get("/status").json()["title"] == "By proxy"
            refused = client.post("/navigate", json={"url": "http://denied.example/"})
            assert refused.status_code == 403 and refused.json()["code"] == "egress_denied"
            shown = httpx.get(f"{session['httpUrl']}/v1/egress/policy", headers=client.headers, timeout=PATIENCE).text
        assert ("http://shop.example/offers", "ann:open-sesame") in asked
        assert not any("denied" in url for url, _ in asked)
        assert "open-sesame" not in shown + api.get(f"/api/sessions/{session['id']}").text + plane.log.read_text()
        assert b"open-sesame" not in (plane.state_dir / "control.db").read_bytes()
        api.delete(f"/api/sessions/{session['id']}")


@contextmanager
def recording_proxy() -> Iterator[tuple[int, list[tuple[str, str]]]]:
    """An HTTP proxy that goes nowhere: it answers by itself, and remembers who asked for what."""
    asked: list[tuple[str, str]] = []

    class Proxy(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            given = self.headers.get("Proxy-Authorization", "").removeprefix("Basic ")
            asked.append((self.path, base64.b64decode(given).decode()))
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(b"<!doctype html><title>By proxy</title>")

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Proxy) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield server.server_port, asked
        finally:
            server.shutdown()
            thread.join()


def _ticket(api: httpx.Client, session: dict[str, Any]) -> str:
    made: str = api.post(f"/api/sessions/{session['id']}/tickets").json()["cdpUrl"]
    return made.partition("ticket=")[2]


def _chromiums(box_id: str) -> list[int]:
    """The browser processes, not their children, of one box."""
    found = []
    for process in kernel.tree([box_process(box_id)]):
        # Those that wait to be told apart have none.
        arguments = kernel.arguments(process.pid) or [""]
        is_browser = "chrom" in arguments[0] and not any(one.startswith("--type=") for one in arguments)
        if is_browser:
            found.append(process.pid)
    return found


def test_what_was_used_is_counted(plane: RunningPlane, page: str) -> None:
    session = plane.create(mode="browser", headless=True, url=page)
    with plane.client() as api:
        api.delete(f"/api/sessions/{session['id']}")
        usage = api.get("/api/usage", params={"sessions": True}).json()
    [counted] = [one for one in usage["sessions"] if one["sessionId"] == session["id"]]
    assert counted["egressBytes"] > 0
