"""The official MCP client's own OAuth flow against a real control plane; a person lets it in, in a real Chromium."""

import re
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from queue import Queue
from urllib.parse import parse_qs, urlencode, urlsplit

import anyio
import httpx2 as httpx
import pytest
from mcp.client.auth import OAuthClientProvider
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import AuthorizationCodeResult, OAuthClientInformationFull, OAuthClientMetadata, OAuthToken
from playwright.async_api import Page, async_playwright, expect
from pydantic import AnyUrl

from tests.agent.mcp.clients import Agent
from tests.plane.app_client import App
from tests.plane.plane import RunningPlane, running_plane

EVIL = "<img src=x onerror=\"document.title='taken'\"> \u202emoc.elgoog"
SECONDS = 60


@dataclass
class Kept:
    """What a client keeps between two runs."""

    tokens: OAuthToken | None = None
    client: OAuthClientInformationFull | None = None

    async def get_tokens(self) -> OAuthToken | None:
        return self.tokens

    async def set_tokens(self, tokens: OAuthToken) -> None:
        self.tokens = tokens

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        return self.client

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        self.client = client_info


@dataclass
class Listener:
    """Where the browser is sent back to: a program's own port on this machine."""

    port: int = 0
    came: Queue[dict[str, list[str]]] = field(default_factory=Queue)


@pytest.fixture
def listener() -> Iterator[Listener]:
    heard = Listener()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"You can close this page.")
            if self.path.startswith("/back"):
                heard.came.put(parse_qs(urlsplit(self.path).query))

        def log_message(self, format: str, *args: object) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    heard.port = server.server_port
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    yield heard
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture(scope="module")
def plane() -> Iterator[RunningPlane]:
    with running_plane() as running:
        yield running


@asynccontextmanager
async def chromium_page(*arguments: str, ignore_https_errors: bool = False) -> AsyncIterator[Page]:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox", *arguments]
        )
        context = await browser.new_context(
            viewport={"width": 1200, "height": 800}, ignore_https_errors=ignore_https_errors
        )
        context.set_default_timeout(20_000)
        yield await context.new_page()
        await browser.close()


@asynccontextmanager
async def connecting(
    url: str, kept: Kept, listener: Listener, person: "Person", transport: httpx.AsyncBaseTransport | None = None
) -> AsyncIterator[tuple[Agent, OAuthClientProvider]]:
    async def answered() -> AuthorizationCodeResult:
        said = await anyio.to_thread.run_sync(lambda: listener.came.get(timeout=SECONDS))
        return AuthorizationCodeResult(code=said["code"][0], state=said["state"][0], iss=said["iss"][0])

    metadata = OAuthClientMetadata(
        client_name=EVIL,
        redirect_uris=[AnyUrl(f"http://127.0.0.1:{listener.port}/back")],
        token_endpoint_auth_method="none",
    )
    auth = OAuthClientProvider(url, metadata, kept, redirect_handler=person.opens, callback_handler=answered)
    async with httpx.AsyncClient(auth=auth, timeout=SECONDS, transport=transport) as http:
        async with Client(streamable_http_client(url, http_client=http)) as client:
            yield Agent(client), auth


@dataclass
class Person:
    page: Page
    key: str
    role: str
    asked: int = 0

    async def opens(self, address: str) -> None:
        self.asked += 1
        page = self.page
        await page.goto(address)
        await page.get_by_label("API key").fill(self.key)
        await page.get_by_role("button", name="Sign in").click()
        await expect(page.get_by_role("heading", name="Let an app in?")).to_be_visible()
        await expect(page.locator(".app-name")).to_contain_text("<img src=x onerror=")
        text = await page.locator("main").inner_text()
        assert "\u202e" not in text and "this computer" in text and "/mcp" in text
        assert await page.title() == "Let an app in? – Belljar"
        await page.get_by_label(self.role, exact=False).check()
        await page.get_by_role("button", name="Let it in").click()
        await page.wait_for_url(re.compile("/back"))


@pytest.mark.timeout(180)
async def test_the_official_client_is_let_in_by_a_person_drives_refreshes_and_is_shut_out(
    plane: RunningPlane, listener: Listener
) -> None:
    async with chromium_page() as page:
        await check_the_official_client(plane.url, Person(page, plane.new_key("mia"), "Watch and drive"), listener)


async def check_the_official_client(
    root: str,
    person: Person,
    listener: Listener,
    transport: Callable[[], httpx.AsyncBaseTransport | None] = lambda: None,
) -> None:
    """At the control plane whose address is `root`, from its first request to the end that the person makes of it."""
    url, kept, page = f"{root}/mcp", Kept(), person.page
    async with connecting(url, kept, listener, person, transport()) as (agent, auth):
        assert len((await agent.client.list_tools()).tools) > 20
        assert "about:blank" in await agent.ok("tabs", do="new", url="about:blank")
        before = kept.tokens
        assert before is not None and before.scope == "drive" and before.refresh_token
        # One whose time has passed is renewed without the person.
        auth.context.token_expiry_time = 1.0
        await agent.ok("tabs")
        assert kept.tokens is not None and kept.tokens.refresh_token != before.refresh_token
    async with connecting(url, kept, listener, person, transport()) as (agent, _):
        await agent.ok("tabs")
    assert person.asked == 1

    await page.goto(f"{root}/access")
    row = page.get_by_role("list", name="Connected apps").or_(page.get_by_label("Connected apps"))
    await expect(row).to_contain_text("may drive · sent back to this computer")
    assert await page.locator("img[src=x]").count() == 0
    await page.get_by_role("button", name=re.compile("^Shut .* out$")).click()
    await expect(page.get_by_text("No apps yet")).to_be_visible()
    async with httpx.AsyncClient(transport=transport(), timeout=SECONDS) as http:
        answer = await http.post(url, json={}, headers={"Authorization": f"Bearer {kept.tokens.access_token}"})
    assert answer.status_code == 401


@pytest.mark.timeout(120)
async def test_a_person_refuses_and_a_request_that_is_wrong_sends_them_nowhere(
    plane: RunningPlane, listener: Listener
) -> None:
    app = App(plane, redirect_uri=f"http://127.0.0.1:{listener.port}/back")
    words = {"clientId": "client_id", "redirectUri": "redirect_uri", "responseType": "response_type"}
    words |= {"codeChallenge": "code_challenge", "codeChallengeMethod": "code_challenge_method"}
    good = {words.get(name, name): value for name, value in app.request.items()}
    async with chromium_page() as page:
        await page.goto(f"{plane.url}/sign-in?ticket={plane.ticket}")
        await expect(page.get_by_role("button", name="Signed in as")).to_be_visible()
        for wrong in ({"redirect_uri": "https://evil.example/"}, {"code_challenge_method": "plain"}, {"state": ""}):
            await page.goto(f"{plane.url}/oauth/authorize?{urlencode({**good, **wrong})}")
            await expect(page.get_by_role("alert")).to_be_visible()
            await expect(page.get_by_role("button", name="Let it in")).to_have_count(0)
            assert page.url.startswith(plane.url)
        await page.goto(f"{plane.url}/oauth/authorize?{urlencode(good)}")
        await expect(page.get_by_text("though you are an admin")).to_be_visible()
        await page.get_by_role("button", name="Refuse").click()
        await page.wait_for_url(re.compile("/back"))
        said = listener.came.get(timeout=SECONDS)
        assert said["error"] == ["access_denied"] and said["iss"] == [plane.url] and "code" not in said

        # No other page can have this one in a frame, where a click would be somebody else's.
        await page.goto(f"http://127.0.0.1:{listener.port}/framing")
        await page.set_content(f'<iframe src="{plane.url}/oauth/authorize?{urlencode(good)}"></iframe>')
        frame = page.frames[-1]
        await frame.wait_for_load_state()
        assert await frame.get_by_role("button").count() == 0
