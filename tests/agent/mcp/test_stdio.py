"""`belljar mcp`: its own box, a box elsewhere, a control plane; and what is left when somebody is killed."""

import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

import anyio
import httpx2 as httpx
import pytest
from mcp import StdioServerParameters
from mcp.client.client import Client
from mcp.client.stdio import stdio_client

from tests.agent.mcp.clients import SECONDS, Agent, connected
from tests.plane.plane import RunningPlane, running_plane
from tests.processes import command_of, descendants, eventually, is_zombie, pids
from tests.servers import RunningBox, running_box
from tests.site import Site

OWN_BOX = ("--egress", "open", "--log-level", "error")


@asynccontextmanager
async def started(*flags: str, **env: str) -> AsyncIterator[Agent]:
    parameters = StdioServerParameters(
        command=sys.executable, args=["-m", "belljar", "mcp", *flags], env={"PATH": os.environ["PATH"], **env}
    )
    async with Client(stdio_client(parameters), read_timeout_seconds=SECONDS) as client:
        yield Agent(client)


def own_server() -> int:
    """The `belljar mcp` that this process started."""
    (found,) = [pid for pid in descendants(os.getpid()) if "-m belljar mcp" in command_of(pid)]
    return found


def are_gone(those: dict[int, str]) -> bool:
    return not [pid for pid, command in those.items() if command_of(pid) == command and not is_zombie(pid)]


async def test_a_box_of_its_own_serves_and_leaves_nothing(site: Site) -> None:
    async with started(*OWN_BOX) as agent:
        assert "Order a cake" in await agent.ok("navigate", url=site.url("agent/order.html"))
        assert "Clicked." in await agent.ok("click", target="#later")
        text = await agent.ok("ask_person")
        link = next(word for word in text.split() if word.startswith("http://127.0.0.1:"))
        async with httpx.AsyncClient() as client:
            assert (await client.get(link)).status_code == 200
        server = own_server()
        children = {pid: command_of(pid) for pid in descendants(server) | {server}}
        assert any("chromium" in command for command in children.values())
    eventually(lambda: are_gone(children), "the server and all it started end with the client")


@pytest.mark.parametrize("whom", ["server", "client"])
def test_no_chromium_outlives_a_kill(site: Site, whom: str) -> None:
    with _client_process(site) as (client, server):
        children = {pid: command_of(pid) for pid in descendants(server) | {server}}
        assert any("chromium" in command for command in children.values())
        os.kill(server if whom == "server" else client, signal.SIGKILL)
        eventually(lambda: are_gone(children), f"everything ends when the {whom} is killed")


CLIENT = """
import json, subprocess, sys
command = [sys.executable, "-m", "belljar", "mcp", *sys.argv[2:]]
server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
def send(**message):
    server.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\\n")
    server.stdin.flush()
client = {"name": "test", "version": "1"}
send(id=1, method="initialize", params={"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client})
server.stdout.readline()
send(method="notifications/initialized")
send(id=2, method="tools/call", params={"name": "navigate", "arguments": {"url": sys.argv[1]}})
server.stdout.readline()
print(server.pid, flush=True)
sys.stdin.read()
"""


@contextmanager
def _client_process(site: Site) -> Iterator[tuple[int, int]]:
    """A client in a process of its own, and the pid of the server it started; both are gone after the block."""
    command = [sys.executable, "-c", CLIENT, site.url("agent/order.html"), *OWN_BOX]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as client:
        assert client.stdout is not None
        server = int(client.stdout.readline())
        try:
            yield client.pid, server
        finally:
            client.kill()


async def test_evaluate_obeys_the_setting() -> None:
    async with started(*OWN_BOX, "--evaluate", "off") as agent:
        heard = await agent.call("evaluate", expression="1")
        assert heard.is_error
        assert heard.text.startswith("evaluate_disabled (retry: no)")


async def test_a_running_box_by_its_address_keeps_its_browser(box: RunningBox, site: Site) -> None:
    flags = ("--url", box.url)
    async with started(*flags, BELLJAR_TOKEN=box.token) as agent:
        await agent.ok("navigate", url=site.url("agent/order.html"))
        await agent.ok("type", target="#name", text="still here")
        heard = await agent.call("click", target="#nothing >> text=at all")
        assert heard.text.startswith("element_not_found (retry: no)")
        assert "got note.txt" in await agent.ok("upload", target="#file", name="note.txt", content="hello")
    async with started(*flags, BELLJAR_TOKEN=box.token) as agent:
        assert "still here" in await agent.ok("snapshot")


def test_a_wrong_token_or_address_is_one_sentence(box: RunningBox) -> None:
    for flags, sentence in (
        (["--url", box.url], "refuses"),
        (["--url", "http://127.0.0.1:9"], "127.0.0.1:9"),
        (["--url", "nonsense"], "is not an address"),
    ):
        done = subprocess.run(
            [sys.executable, "-m", "belljar", "mcp", *flags],
            capture_output=True,
            text=True,
            timeout=30,
            stdin=subprocess.DEVNULL,
        )
        assert done.returncode == 2, done.stderr
        assert sentence in done.stderr
        assert "Traceback" not in done.stderr
        assert done.stdout == ""


@pytest.fixture(scope="module")
def plane() -> Iterator[RunningPlane]:
    with running_plane("--egress", "open") as running:
        yield running


def signed_in(client: httpx.Client, link: str) -> int:
    """What the control plane says to a person who opens a link."""
    path, _, ticket = link.partition("#ticket=")
    origin = {"Origin": str(client.base_url).rstrip("/")}
    return client.post(f"{path}/session", json={"ticket": ticket}, headers=origin).status_code


async def test_a_control_plane_gives_each_caller_a_session_and_finds_it_again(plane: RunningPlane, site: Site) -> None:
    async with connected(f"{plane.url}/mcp", plane.key) as agent:
        await agent.ok("navigate", url=site.url("agent/order.html"))
        await agent.ok("type", target="#name", text="still here")
        link = (await agent.ok("ask_person")).split()
        (view,) = [word for word in link if "/view#ticket=" in word]
    with plane.client() as client:
        (session,) = client.get("/api/sessions").json()["sessions"]
        assert session["tags"] == {"mcp": "default"}
        assert signed_in(client, view) == 200
    async with started("--url", plane.url, BELLJAR_TOKEN=plane.key) as agent:
        assert "still here" in await agent.ok("snapshot")
    async with connected(f"{plane.url}/s/{session['id']}/mcp", plane.key) as agent:
        assert "still here" in await agent.ok("snapshot")
        (view,) = [word for word in (await agent.ok("ask_person")).split() if "/view#ticket=" in word]
        assert view.startswith(f"{plane.url}/s/{session['id']}/view#")
    with plane.client() as client:
        assert signed_in(client, view) == 200
        watching = client.post(f"/api/sessions/{session['id']}/tokens", json={"role": "view"}).json()["token"]
    async with connected(f"{plane.url}/s/{session['id']}/mcp", watching) as watcher:
        assert "still here" in await watcher.ok("snapshot")
        for tool, arguments in (("ask_person", {}), ("click", {"target": "#name"})):
            assert (await watcher.call(tool, **arguments)).text.startswith("forbidden (retry: no)")
    other = plane.new_key("bob")
    async with connected(f"{plane.url}/s/{session['id']}/mcp", plane.key) as agent:
        with pytest.raises(BaseExceptionGroup):
            async with connected(f"{plane.url}/s/{session['id']}/mcp", other) as stranger:
                await stranger.ok("snapshot")
    # One that ended is replaced.
    with plane.client() as client:
        client.delete(f"/api/sessions/{session['id']}").raise_for_status()
    async with connected(f"{plane.url}/mcp", plane.key) as agent:
        assert "about:blank" in await agent.ok("snapshot")


async def test_an_idle_browser_that_mcp_started_is_closed_and_started_again(site: Site) -> None:
    with running_box("--mcp-idle", "0.6") as box, box.client() as http:
        async with connected(f"{box.url}/mcp", box.token) as agent:
            await agent.ok("navigate", url=site.url("agent/order.html"))
            chromiums = {p: command_of(p) for p in descendants(box.process.pid) if "--type=" in command_of(p)}
            assert chromiums
            await anyio.to_thread.run_sync(lambda: eventually(lambda: are_gone(chromiums), "the idle browser ends"))
            await anyio.to_thread.run_sync(
                lambda: eventually(lambda: http.get("/v1/browser/status").json()["state"] == "inactive")
            )
            assert "about:blank" in await agent.ok("snapshot")
    assert not [pid for pid in pids() if pid in chromiums and command_of(pid) == chromiums[pid]]
