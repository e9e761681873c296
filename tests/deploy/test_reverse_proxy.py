"""A control plane behind Debian's nginx and Caddy with TLS, at the root and below a path, as the guide has it."""

import json
import socket
from collections.abc import Iterator

import httpx2 as httpx
import pytest
from playwright.sync_api import expect, sync_playwright
from websockets.sync.client import connect

from tests.deploy.reverse_proxies import NAME, Before, before_a_plane
from tests.plane.plane import PATIENCE
from tests.plane.test_oauth_in_a_browser import Listener, Person, check_the_official_client, chromium_page, listener

__all__ = ["listener"]

pytestmark = [pytest.mark.engines, pytest.mark.timeout(180)]


@pytest.fixture(
    scope="module",
    params=[
        "nginx /belljar",
        "caddy",
        *(pytest.param(it, marks=pytest.mark.soak) for it in ("nginx", "caddy /belljar")),
    ],
)
def before(request: pytest.FixtureRequest) -> Iterator[Before]:
    with before_a_plane(*request.param.split()) as running:
        yield running


def test_answers_name_the_public_address_whatever_a_caller_claims(before: Before) -> None:
    claims = {"X-Forwarded-Host": "evil.example", "X-Forwarded-Proto": "http", "X-Forwarded-Prefix": "/evil"}
    with before.client(before.plane.key) as client:
        session = client.post("/api/sessions", json={"mode": "none"}, headers=claims).json()
        assert session["httpUrl"] == f"{before.url}/s/{session['id']}"
        assert session["connect"]["wsUrl"].startswith(before.url.replace("https", "wss"))
    with before.client(session["token"]) as client:
        files = f"{session['httpUrl']}/v1/fs"
        large = bytes(range(256)) * 20_000
        assert client.put(f"{files}/file", params={"path": "large.bin"}, content=large).is_success
        assert client.get(f"{files}/file", params={"path": "large.bin"}).content == large


def test_events_come_as_they_happen_and_sockets_pass(before: Before) -> None:
    with before.client(before.plane.key) as client:
        session = client.post("/api/sessions", json={"mode": "browser", "headless": True}).json()
    events = f"{session['httpUrl']}/v1/events"
    with before.client(session["token"]) as client, client.stream("GET", events, params={"follow": "true"}) as stream:
        # Its head is here, so it follows: what is marked from now on must come while the stream goes on.
        with before.client(session["token"]) as other:
            assert other.post(f"{events}/marks", json={"text": "seen"}).is_success
        assert any('"seen"' in line for line in stream.iter_lines() if line.startswith("data:"))
    raw = socket.create_connection(("127.0.0.1", before.port), timeout=PATIENCE)
    with connect(session["connect"]["wsUrl"], sock=raw, ssl=before.tls(), server_hostname=NAME) as live:
        assert json.loads(live.recv(PATIENCE))["name"] == "ready"


def test_a_person_signs_in_and_sees_a_session(before: Before) -> None:
    with before.client(before.plane.key) as client:
        session = client.post("/api/sessions", json={"mode": "browser", "headless": True}).json()
    arguments = ["--no-sandbox", f"--host-resolver-rules=MAP {NAME} 127.0.0.1"]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=arguments)
        context = browser.new_context(ignore_https_errors=True)
        page = context.new_page()
        faults: list[str] = []
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on(
            "requestfailed",
            lambda request: faults.append(request.url) if not request.url.startswith(before.url) else None,
        )
        page.goto(f"{before.url}/")
        page.get_by_label("API key").fill(before.plane.key)
        page.get_by_role("button", name="Sign in").click()
        page.locator(f'[data-id="{session["id"]}"]').wait_for()
        assert all(cookie["secure"] and cookie["httpOnly"] for cookie in context.cookies())
        page.goto(f"{before.url}/sessions/{session['id']}")
        expect(page.locator(".stage canvas.picture")).to_be_visible(timeout=PATIENCE * 1000)
        browser.close()
    assert not faults


async def test_the_official_mcp_client_is_let_in_by_a_person(before: Before, listener: Listener) -> None:
    with before.client(before.plane.key) as client:
        key = client.post("/api/keys", json={"user": "mia"}).json()["key"]
    async with chromium_page(f"--host-resolver-rules=MAP {NAME} 127.0.0.1", ignore_https_errors=True) as page:
        person = Person(page, key, "Watch and drive")
        await check_the_official_client(before.url, person, listener, before.async_transport)


def test_plain_http_is_led_to_tls() -> None:
    with before_a_plane("nginx") as before:
        answer = httpx.get(f"http://127.0.0.1:{before.plain_port}/api/sessions", headers={"Host": NAME})
        assert (answer.status_code, answer.headers["location"]) == (308, f"https://{NAME}/api/sessions")
