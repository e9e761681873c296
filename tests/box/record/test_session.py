"""A scripted session: an agent by REST, MCP and Playwright, a person who takes over; all is there, once, in order."""

import sys
import time
from collections.abc import AsyncIterator
from urllib.parse import quote

import httpx2 as httpx
import pytest
from playwright.async_api import async_playwright

from tests.agent.mcp.clients import connected
from tests.box.live.client import LiveClient, token_for, watching
from tests.box.live.test_cdp_control import cdp_client
from tests.box.record.recorded import Event, Recorded
from tests.servers import PATIENCE, RunningBox, running_box
from tests.site import Site, running_site

pytestmark = pytest.mark.anyio

# Kind and name of an event, and who did it: kind, via, id.
Act = tuple[str, str, tuple[str, ...]]
AGENT, MCP, CDP = ("agent", "rest", "operator"), ("agent", "mcp", "operator"), ("agent", "cdp", "operator")
ANN, SYSTEM, PAGE = ("viewer", "live", "ann"), ("system",), ("page",)
# By a CDP client of our own, of a kind that Playwright does not send.
COMMAND, COMMANDS = "Page.getNavigationHistory", 20
HTML = (
    "<input id=i style='position:fixed;left:0;top:0;width:400px;height:200px'>"
    "<button id=b style='position:fixed;left:0;top:300px' onclick='alert(1)'>ask</button>"
)


class Script:
    """What was done, and when each call was made and each key pressed: microseconds since 1970, just before."""

    def __init__(self) -> None:
        self.acts: list[Act] = []
        self.times: list[int] = []

    def did(self, kind: str, name: str, who: tuple[str, ...]) -> None:
        if kind == "input" or name.endswith(".begin"):
            self.times.append(time.time_ns() // 1000)
        self.acts.append((kind, name, who))


def actor_of(event: Event) -> tuple[str, ...]:
    return tuple(event["actor"][part] for part in ("kind", "via", "id") if part in event["actor"])


@pytest.fixture
async def http() -> AsyncIterator[tuple[RunningBox, httpx.Client, Site]]:
    with (
        running_site() as site,
        running_box("--egress", "open", "--live-input-rate", "1000") as box,
        box.client() as http,
    ):
        assert http.post("/v1/browser/start", json={"headless": True}).status_code == 200
        yield box, http, site


def by_rest(http: httpx.Client, script: Script, path: str, operation: str, **body: object) -> httpx.Response:
    script.did("call", f"{operation}.begin", AGENT)
    answer = http.post(f"/v1/{path}", json=body)
    script.did("call", f"{operation}.end", AGENT)
    return answer


def takes_over(ann: LiveClient, script: Script) -> None:
    script.did("control", "taken", ANN)
    ann.call("control.take")
    for n in range(20):
        for action, name in (("down", "mouse.down"), ("up", "mouse.up")):
            script.did("input", name, ANN)
            ann.mouse(action, 20 + n, 20, button="left")
            ann.socket.ping().wait(PATIENCE)
        for action, name in (("keydown", "key.down"), ("keyup", "key.up")):
            script.did("input", name, ANN)
            ann.key(action, "a", "KeyA", text="a")
            ann.socket.ping().wait(PATIENCE)
    script.did("control", "released", ANN)
    ann.call("control.release")


async def test_each_act_is_there_once_with_its_actor_and_in_order(
    http: tuple[RunningBox, httpx.Client, Site],
) -> None:
    box, rest, site = http
    token = token_for(box, "drive", name="ann")
    script, seen = Script(), Recorded(rest)
    by_rest(rest, script, "browser/navigate", "browserNavigate", url="data:text/html," + quote(HTML))
    for _ in range(50):
        by_rest(rest, script, "browser/execute", "executeBrowserScript", expression="1")
    # A person takes over; the agent is refused meanwhile.
    script.did("viewer", "came", ANN)
    with watching(box, token=token) as ann:
        ann.event("ready")
        ann.frame()
        takes_over(ann, script)
    script.did("viewer", "left", ANN)
    seen.one("viewer", "left")
    # A dialog, and two refused hosts.
    by_rest(rest, script, "browser/click", "browserClick", selector="#b")
    script.acts.insert(-1, ("dialog", "opened", AGENT))
    by_rest(rest, script, "browser/dialog", "browserDialog", accept=True)
    script.acts.insert(-1, ("dialog", "answered", AGENT))
    assert (
        by_rest(rest, script, "egress/restrict", "restrictEgress", deny=["127.0.0.2", "127.0.0.3"]).status_code == 200
    )
    for host in (1, 2):
        refused = by_rest(rest, script, "browser/navigate", "browserNavigate", url=site.url("second.html", host=host))
        assert refused.json()["code"] == "egress_denied"
        script.acts[-1:-1] = [("egress", "denied", SYSTEM), ("nav", "failed", AGENT)]
    # By MCP and by Playwright.
    async with connected(f"{box.url}/mcp", box.token) as agent:
        for _ in range(3):
            await agent.ok("navigate", url="about:blank")
    async with async_playwright() as playwright:
        browser = await playwright.chromium.connect_over_cdp(
            f"{box.url.replace('http', 'ws')}/v1/browser/cdp", headers=box.headers
        )
        page = await browser.contexts[0].new_page()
        for _ in range(10):
            await page.evaluate("1")
        await page.close()
        await browser.close()
    with cdp_client(box) as client:
        for _ in range(COMMANDS):
            script.did("cdp", "command", CDP)
            client.send(COMMAND)
    # A download, and a crash.
    link = f"<a id=s href='{site.url('_/download/a.txt?size=5')}'>s</a>"
    by_rest(rest, script, "browser/navigate", "browserNavigate", url="data:text/html," + quote(link))
    by_rest(rest, script, "browser/click", "browserClick", selector="#s")
    seen.one("download", "completed")
    script.acts += [("download", "begun", PAGE), ("download", "completed", PAGE)]
    with cdp_client(box) as client:
        client.send("Page.crash")
        seen.one("tab", "crashed")
    script.did("tab", "crashed", PAGE)

    found = seen.events()
    assert [one["seq"] for one in found] == list(range(seen.since + 1, seen.since + 1 + len(found)))
    known = {act[:2] for act in script.acts}
    told: list[Act] = [
        (one["kind"], one["name"], actor_of(one))
        for one in found
        if (one["kind"], one["name"]) in known and actor_of(one) != MCP and one["kind"] not in ("egress", "cdp")
    ]
    told += [
        ("cdp", "command", actor_of(one))
        for one in found
        if one["kind"] == "cdp" and one.get("data", {}).get("method") == COMMAND
    ]
    assert len(script.acts) >= 200
    for kind in ("call", "input", "control", "viewer", "dialog", "nav", "download", "tab", "cdp"):
        assert [one for one in told if one[0] == kind] == [one for one in script.acts if one[0] == kind]
    denied = [one["data"]["host"] for one in found if (one["kind"], one["name"]) == ("egress", "denied")]
    # Chromium may ask a refused host once more, for an icon, and others for itself.
    assert list(dict.fromkeys(host for host in denied if host.startswith("127."))) == ["127.0.0.2", "127.0.0.3"]
    assert any(actor_of(one) == MCP for one in found if one["kind"] == "call")
    commands = [one for one in found if one["kind"] == "cdp"]
    assert len(commands) > 40 and all(actor_of(one) == CDP for one in commands)
    assert [one["name"] for one in commands].count("came") == 3
    _print_error(script, found)


def _print_error(script: Script, found: list[Event]) -> None:
    """How far from when it was done each call and each press stands in the record."""
    told = [
        one["t"]
        for one in found
        if (one["kind"] == "input" and one["name"] != "mouse.move")
        or (one["kind"] == "call" and one["name"].endswith(".begin") and actor_of(one) == AGENT)
    ]
    errors = sorted(abs(b - a) for a, b in zip(script.times, told, strict=True))
    middle, late = errors[len(errors) // 2], errors[len(errors) * 95 // 100]
    assert middle < 1_000_000
    sys.stderr.write(f"t's error over {len(errors)} acts: p50 {middle} µs, p95 {late} µs\n")
