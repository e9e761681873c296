"""A person and an agent: control held, the link, and waiting for it to be given back."""

import re
from urllib.parse import urlsplit

import anyio
import httpx2 as httpx
import pytest

from tests.agent.mcp.clients import Agent, connected
from tests.box.live.client import LiveClient, watching
from tests.servers import RunningBox
from tests.site import Site

LINK = re.compile(r"(http://\S+/view)#ticket=(\S+)")


@pytest.fixture
async def page(agent: Agent, site: Site) -> Agent:
    await agent.ok("navigate", url=site.url("agent/order.html"))
    return agent


def sign_in(text: str) -> httpx.Response:
    """What the viewer page does with a link."""
    found = LINK.search(text)
    assert found, text
    at = urlsplit(found[1])
    origin = f"{at.scheme}://{at.netloc}"
    url = found[1] + "/session"
    return httpx.post(url, json={"ticket": found[2]}, headers={"Origin": origin})


async def test_while_a_person_has_control_tools_say_so_with_a_link(page: Agent, box: RunningBox) -> None:
    with watching(box) as live:
        live.call("control.take")
        heard = await page.call("click", target="#ask")
        assert heard.is_error
        assert heard.text.startswith("control_held (retry: later): A person has control.")
        assert sign_in(heard.text).json()["role"] == "drive"
        # Looking is free.
        assert "Order a cake" in await page.ok("snapshot")
        live.call("control.release")
    assert "Clicked." in await page.ok("click", target="#later")


async def test_a_person_is_asked_and_waited_for(page: Agent, box: RunningBox, http: httpx.Client) -> None:
    text = await page.ok("ask_person", question="Sign in, please")
    assert http.get("/v1/control").json()["question"] == "Sign in, please"
    assert sign_in(text).status_code == 200
    assert sign_in(text).status_code == 401
    with watching(box) as live:
        waited: list[str] = []

        async def wait() -> None:
            waited.append(await page.ok("ask_person", wait=30))

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(wait)
            await anyio.to_thread.run_sync(_help, live)
    assert waited[0].startswith("The person gave control back.")
    assert "helped by a person" in waited[0]
    assert "checkbox" not in waited[0]
    # Done is done.
    assert "question" not in http.get("/v1/control").json()


def _help(live: LiveClient) -> None:
    live.call("control.take")
    live.call("evaluate", expression="said.textContent = 'helped by a person'; 0")
    live.call("control.release")


async def test_nobody_coming_is_said_in_time(page: Agent) -> None:
    heard = await page.call("ask_person", wait=0.2)
    assert heard.is_error
    assert heard.text.startswith("nobody_came (retry: yes)")


async def test_who_may_only_watch_can_look_and_nothing_else(page: Agent, box: RunningBox, http: httpx.Client) -> None:
    token = http.post("/v1/tokens", json={"role": "view"}).json()["token"]
    async with connected(f"{box.url}/mcp", token) as watcher:
        assert "Order a cake" in await watcher.ok("snapshot")
        for name, arguments in (("click", {"target": "#ask"}), ("ask_person", {}), ("evaluate", {"expression": "1"})):
            heard = await watcher.call(name, **arguments)
            assert heard.is_error
            assert heard.text.startswith("forbidden (retry: no)")


async def test_without_a_token_nothing_is_answered(box: RunningBox) -> None:
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    async with httpx.AsyncClient(base_url=box.url) as client:
        assert (await client.post("/mcp", json=body)).status_code == 401
        foreign = {"Authorization": f"Bearer {box.token}", "Origin": "https://evil.example"}
        assert (await client.post("/mcp", json=body, headers=foreign)).status_code == 403
