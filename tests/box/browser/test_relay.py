"""`/v1/browser/cdp`: published clients connect unmodified, several at a time, beside REST calls."""

import json
from collections.abc import AsyncIterator, Iterator
from typing import Any

import anyio
import httpx2 as httpx
import pytest
from playwright.async_api import Browser, async_playwright
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from tests.box.browser.conftest import running_box_with_browser
from tests.npm_clients import NodeClients
from tests.servers import RunningBox
from tests.site import Site


def address(box: RunningBox, *, token: str | None = None) -> str:
    return f"{box.url.replace('http', 'ws')}/v1/browser/cdp?token={token or box.token}"


@pytest.fixture(scope="module")
def box_with_browser() -> Iterator[RunningBox]:
    """Of its own: published clients attach to every page there is, and wait for it."""
    with running_box_with_browser() as box:
        yield box


@pytest.fixture
def rest(box_with_browser: RunningBox) -> Iterator[httpx.Client]:
    with box_with_browser.client() as client:
        yield client


@pytest.fixture
async def playwright_browser(box_with_browser: RunningBox) -> AsyncIterator[Browser]:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.connect_over_cdp(address(box_with_browser))
        yield browser
        await browser.close()


class Raw:
    """CDP by hand."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.last = 0

    async def ask(self, method: str, session: str | None = None, **params: Any) -> dict[str, Any]:
        self.last += 1
        message = {"id": self.last, "method": method, "params": params} | ({"sessionId": session} if session else {})
        await self.socket.send(json.dumps(message))
        with anyio.fail_after(20):
            while (answer := json.loads(await self.socket.recv())).get("id") != self.last:
                pass
        return dict(answer)


async def test_playwright_for_python_drives_the_browser(playwright_browser: Browser, site: Site) -> None:
    page = await playwright_browser.contexts[0].new_page()
    await page.goto(site.url("index.html"))
    await page.click("#count")
    assert await page.inner_text("#count") == "1"
    async with page.expect_popup() as opening:
        await page.click("#popup")
    popup = await opening.value
    await popup.wait_for_load_state()
    assert await popup.title() == "The second page"
    await popup.close()
    async with page.expect_download() as saving:
        await page.evaluate("address => { location = address }", site.url("_/download/seen.bin"))
    assert (await saving.value).suggested_filename == "seen.bin"
    await page.close()


async def test_playwright_finds_the_socket_from_the_plain_address(box_with_browser: RunningBox, site: Site) -> None:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.connect_over_cdp(
            f"{box_with_browser.url}/v1/browser/cdp", headers=box_with_browser.headers
        )
        assert browser.is_connected() and len(browser.contexts) == 1
        await browser.close()


async def test_rest_and_a_client_share_a_tab(playwright_browser: Browser, rest: httpx.Client, site: Site) -> None:
    page = await playwright_browser.contexts[0].new_page()
    await page.goto(site.url("index.html"))

    def over_rest(path: str, body: dict[str, Any]) -> Any:
        return rest.post(f"/v1/browser/{path}", json=body).json()

    seen = await anyio.to_thread.run_sync(over_rest, "execute", {"expression": "document.title"})
    assert seen["result"] == "The test site"
    async with anyio.create_task_group() as tasks:
        for _ in range(10):
            tasks.start_soon(page.evaluate, "new Promise(done => setTimeout(done, 5))")
            tasks.start_soon(anyio.to_thread.run_sync, over_rest, "execute", {"expression": "1"})
    await page.close()


async def test_a_picture_of_a_page_behind_another_comes(playwright_browser: Browser, site: Site) -> None:
    behind = await playwright_browser.contexts[0].new_page()
    await behind.goto(site.url("index.html"))
    front = await playwright_browser.contexts[0].new_page()
    for _ in range(3):
        assert (await behind.screenshot(timeout=10_000))[:4] == b"\x89PNG"
    await front.close()
    await behind.close()


@pytest.mark.npm
def test_playwright_and_puppeteer_for_node(box_with_browser: RunningBox, site: Site, node_clients: NodeClients) -> None:
    printed = node_clients.run("cdp.mjs", box_with_browser, seconds=120, SITE=site.origin())
    assert printed.strip().endswith("fine")


async def test_a_client_cannot_end_the_browser(box_with_browser: RunningBox, rest: httpx.Client) -> None:
    for method in ("Browser.close", "Browser.crash"):
        async with connect(address(box_with_browser)) as socket:
            client = Raw(socket)
            assert "result" in await client.ask(method)
            with pytest.raises(ConnectionClosed), anyio.fail_after(5):
                await socket.recv()
    status = await anyio.to_thread.run_sync(rest.get, "/v1/browser/status")
    assert status.json()["state"] == "active"


async def test_a_client_cannot_use_anothers_session(box_with_browser: RunningBox) -> None:
    async with connect(address(box_with_browser)) as one, connect(address(box_with_browser)) as two:
        first, second = Raw(one), Raw(two)
        made = await first.ask("Target.createTarget", url="about:blank")
        target = made["result"]["targetId"]
        attached = await first.ask("Target.attachToTarget", targetId=target, flatten=True)
        session = attached["result"]["sessionId"]
        found = await first.ask("Runtime.evaluate", session=session, expression="6 * 7")
        assert found["result"]["result"]["value"] == 42
        refused = await second.ask("Runtime.evaluate", session=session, expression="6 * 7")
        assert refused["error"]["code"] == -32001
        await first.ask("Target.closeTarget", targetId=target)


async def test_what_a_client_made_goes_with_it(box_with_browser: RunningBox) -> None:
    async with connect(address(box_with_browser)) as socket:
        made = await Raw(socket).ask("Target.createBrowserContext")
        context = made["result"]["browserContextId"]
    async with connect(address(box_with_browser)) as socket:
        with anyio.fail_after(10):
            while context in (await Raw(socket).ask("Target.getBrowserContexts"))["result"]["browserContextIds"]:
                pass


async def test_nonsense_is_answered_and_the_client_stays(box_with_browser: RunningBox) -> None:
    async with connect(address(box_with_browser)) as socket:
        await socket.send("nonsense")
        assert json.loads(await socket.recv())["error"]["code"] == -32700
        assert "result" in await Raw(socket).ask("Browser.getVersion")
        assert "error" in await Raw(socket).ask("No.such")
        # Parameters that Chromium refuses, and bytes that are no text: both are told to the record, too.
        assert "error" in await Raw(socket).ask("Target.closeTarget", targetId=7)
        await socket.send(b'{"id": 1, "method": "\xff"}')
        assert json.loads(await socket.recv())["error"]["code"] == -32700
        await socket.send(b'{"id": 8, "method": "Browser.getVersion", "params": {"x": "\xff"}}')
        assert json.loads(await socket.recv())["error"]["code"] == -32700
        async with httpx.AsyncClient(base_url=box_with_browser.url, headers=box_with_browser.headers) as rest:
            assert (await rest.get("/v1/events", params={"kinds": "cdp"})).status_code == 200
        assert "result" in await Raw(socket).ask("Browser.getVersion")


async def test_without_a_token_it_is_refused(box_with_browser: RunningBox) -> None:
    with pytest.raises(InvalidStatus) as refused:
        async with connect(address(box_with_browser, token="wrong")):
            pass
    assert refused.value.response.status_code == 401


@pytest.mark.parametrize("path", ["/v1/browser/cdp/json/version", "/v1/browser/cdp/json/version/"])
def test_the_version_carries_the_callers_credential(
    rest: httpx.Client, box_with_browser: RunningBox, path: str
) -> None:
    answer = rest.get(path, follow_redirects=False)
    assert answer.status_code == 200
    assert answer.json()["webSocketDebuggerUrl"] == address(box_with_browser)
    assert answer.json()["Browser"].startswith("Chrome/")


@pytest.mark.parametrize("name", ["token", "access_token"])
def test_a_client_that_sets_no_headers_finds_the_socket_by_a_token_in_the_query(
    box_with_browser: RunningBox, name: str
) -> None:
    for path in ("json/version", "json/version/", "json/list", "json"):
        url = f"{box_with_browser.url}/v1/browser/cdp/{path}"
        answer = httpx.get(url, params={name: box_with_browser.token})
        assert answer.status_code == 200
        found = answer.json()
        for one in found if isinstance(found, list) else [found]:
            assert one["webSocketDebuggerUrl"].endswith(f"?token={box_with_browser.token}")
        assert httpx.get(url, params={name: "wrong"}).status_code == 401
    elsewhere = f"{box_with_browser.url}/v1/browser/status"
    assert httpx.get(elsewhere, params={name: box_with_browser.token}).status_code == 401


async def test_each_tab_has_a_socket_of_its_own(rest: httpx.Client, box_with_browser: RunningBox) -> None:
    opened = rest.post("/v1/browser/tabs", json={"url": "data:text/html,<title>Mine</title>"}).json()
    listed = rest.get("/v1/browser/cdp/json/list").json()
    mine = next(one for one in listed if one["id"] == opened["id"])
    assert (mine["type"], mine["title"]) == ("page", "Mine")
    async with connect(mine["webSocketDebuggerUrl"]) as socket:
        raw = Raw(socket)
        await socket.send(json.dumps({"id": 1, "method": "Page.getFrameTree"}))
        assert json.loads(await socket.recv())["result"]["frameTree"]["frame"]["id"] == opened["id"]
        assert "result" in await raw.ask("Runtime.enable")
        answer = await raw.ask("Runtime.evaluate", expression="document.title")
        assert answer["result"]["result"]["value"] == "Mine" and "sessionId" not in answer
        assert rest.delete(f"/v1/browser/tabs/{opened['id']}").status_code == 200
        with anyio.fail_after(10), pytest.raises(ConnectionClosed):
            while True:
                heard = json.loads(await socket.recv())
                assert not heard["method"].startswith("Target.attached")
    with pytest.raises(InvalidStatus) as refused:
        async with connect(mine["webSocketDebuggerUrl"]):
            pass
    assert refused.value.response.status_code == 404
    assert rest.get("/v1/browser/status").json()["state"] == "active"


def test_a_plain_request_is_told_to_use_a_websocket(rest: httpx.Client) -> None:
    answer = rest.get("/v1/browser/cdp")
    assert (answer.status_code, answer.json()["code"]) == (400, "websocket_required")
