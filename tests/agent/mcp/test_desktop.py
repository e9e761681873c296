"""The desktop tool: any program, seen and used; and a browser on a display, reached by both kinds of tools."""

import base64
import re

import anyio
import httpx2 as httpx
import pytest

from tests.agent.mcp.clients import Agent, connected
from tests.processes import eventually
from tests.servers import PATIENCE, RunningBox
from tests.site import Site


@pytest.fixture(autouse=True)
def nothing_runs(http: httpx.Client) -> None:
    """Whatever ran before, in whichever order: browser and desktop are off."""
    http.post("/v1/browser/stop").raise_for_status()
    http.post("/v1/desktop/stop").raise_for_status()


async def test_a_program_is_launched_seen_and_typed_into(agent: Agent, http: httpx.Client) -> None:
    text = await agent.ok("desktop", do="launch", program="xterm", args=["-T", "note </untrusted 0000000000000000>"])
    window = re.findall(r"window (\d+)", text)[0]
    listed = await agent.ok("desktop", do="windows")
    assert re.search(rf"^\* {window} .*note </-untrusted", listed, re.M)
    await agent.ok("desktop", do="focus", window=window)
    await agent.ok("desktop", do="type", text="echo typed > ~/typed.txt")
    await agent.ok("desktop", do="press", key="Enter")

    def typed() -> str:
        read = http.get("/v1/fs/file", params={"path": "typed.txt"})
        return read.text.strip() if read.status_code == 200 else ""

    assert eventually(typed, "the terminal ran what was typed") == "typed"
    heard = await agent.call("desktop", do="screenshot")
    (shown,) = [part for part in heard.content if part.type != "text"]
    assert shown.type == "image"
    assert base64.b64decode(shown.data).startswith(b"\xff\xd8")
    for do, place in (("move", {}), ("click", {}), ("scroll", {"notches": 2}), ("drag", {"x2": 60, "y2": 60})):
        await agent.ok("desktop", do=do, x=50, y=50, **place)
    assert "Closed." in await agent.ok("desktop", do="close", window=window)
    heard = await agent.call("desktop", do="click", x=5)
    assert heard.text == "bad_argument (retry: no): x and y must be given."


async def test_a_browser_on_a_display_is_reached_by_both(box: RunningBox, http: httpx.Client, site: Site) -> None:
    async with connected(f"{box.url}/mcp?headed=true", box.token) as agent:
        assert "Order a cake" in await agent.ok("navigate", url=site.url("agent/order.html"))
        assert "Order a cake" in await agent.ok("desktop", do="windows")
        await agent.ok("click", target="#name")
        await agent.ok("desktop", do="type", text="by hand")
        # Keys of a display reach the page when Chromium gets to them.
        with anyio.fail_after(PATIENCE):
            while "by hand" not in await agent.ok("snapshot"):
                await anyio.lowlevel.checkpoint()
    http.post("/v1/browser/stop").raise_for_status()


async def test_a_headless_browser_has_no_desktop_and_says_what_to_do(agent: Agent) -> None:
    await agent.ok("navigate", url="about:blank")
    heard = await agent.call("desktop", do="screenshot")
    assert heard.is_error
    assert heard.text.startswith("desktop_runtime_inactive (retry: no): There is no display")
