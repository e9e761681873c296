"""What a `view` token may read, as the routes say: walked over REST, MCP and the live socket with a real token."""

import json
import re
from collections.abc import Iterator
from typing import Any

import httpx2 as httpx
import pytest

from belljar.agent.mcp.server import TOOLS
from belljar.box.live.viewer import EVENT_KINDS
from belljar.server.guard import role_needed
from belljar.server.router import VIEW_KINDS, WEBSOCKET, Kind, facts_of, may_be_told
from belljar.tokens import Role
from belljar.wire.live import EventName
from tests.agent.mcp.clients import connected
from tests.box.live.client import token_for, watching
from tests.described import paths, routes, scope_of
from tests.servers import RunningBox, running_box
from tests.site import Site, running_site

SECRET = re.compile(r"[a-z]+-secret")
READS = sorted(path for path, methods in paths().items() if "get" in methods)
OPEN = ("/healthz", "/readyz")
# All that whoever may only watch may read.
GRANTED = {
    "/health",
    "/metrics",
    "/openapi.json",
    "/v1/browser/asks",
    "/v1/browser/dialog",
    "/v1/browser/elements",
    "/v1/browser/screenshot",
    "/v1/browser/snapshot",
    "/v1/browser/status",
    "/v1/browser/tabs",
    "/v1/browser/text",
    "/v1/control",
    "/v1/desktop/display/info",
    "/v1/desktop/mouse/position",
    "/v1/desktop/screenshot",
    "/v1/desktop/screenshot/region",
    "/v1/desktop/status",
    "/v1/desktop/stream/status",
    "/v1/desktop/windows",
    "/v1/desktop/windows/focused",
    # Of the record who watches and who holds control; the rest is left out of what they read.
    "/v1/events",
    "/v1/events/proof",
    "/v1/health",
    # What is shown and who drives it, as the live view tells its viewers.
    "/v1/live/glance",
}
# By tool, what a call of it needs; what is not here acts, or tells what is not for everyone.
LOOKING: dict[str, dict[str, Any]] = {"snapshot": {}, "find": {"text": "Visible"}, "screenshot": {}, "tabs": {}}
ARGUMENTS: dict[str, dict[str, Any]] = {
    "ask_person": {},
    "click": {"target": "h1"},
    "console": {},
    "crawl": {"url": "http://127.0.0.1:9/"},
    "desktop": {"do": "click", "x": 1, "y": 1},
    "dialog": {"accept": True},
    "downloads": {},
    "drag": {"start": "h1", "end": "a"},
    "evaluate": {"expression": "document.cookie"},
    "fill": {"fields": [{"target": "#password", "value": "x"}]},
    "hover": {"target": "h1"},
    "navigate": {"url": "about:blank"},
    "network": {},
    "press": {"key": "a"},
    "read": {},
    "scroll": {"y": 10},
    "select": {"target": "select", "values": ["a"]},
    "type": {"target": "#password", "text": "x"},
    "upload": {"target": "input", "paths": ["/etc/hosts"]},
    "wait": {"text": "Visible"},
}


def test_every_route_that_reads_says_what_and_nothing_else_does() -> None:
    unsaid = {route.path for route in routes("GET") if route.facts.tells is None and not route.facts.is_open}
    # It only tells that it takes another method.
    assert unsaid == {"/v1/processes/run"}
    others = [route.path for method in ("POST", "PUT", "PATCH", "DELETE", WEBSOCKET) for route in routes(method)]
    assert {path for path in others if facts_of(scope_of(path, method="POST")).tells is not None} == set()
    assert sorted(EVENT_KINDS) == sorted(EventName)


def test_watching_is_pixels_what_can_be_read_and_how_things_are() -> None:
    assert VIEW_KINDS == {Kind.STATE, Kind.PIXELS, Kind.TEXT}
    told = {path for path in [*READS, "/openapi.json"] if role_needed(scope_of(path)) is Role.VIEW}
    assert told == GRANTED | set(OPEN)
    assert {name for name, kind in EVENT_KINDS.items() if not may_be_told(Role.VIEW, kind)} == {EventName.CONSOLE}
    watching = {route.path for route in routes(WEBSOCKET) if route.facts.needs is Role.VIEW}
    streams = {"/v1/desktop/stream/signaling", "/v1/desktop/stream/ws", "/api/ws"}
    assert watching == {"/v1/live", "/ws"} | streams


@pytest.mark.parametrize("path", ["/v1/browser/new", "/v1/browser/tabs/", "/v1/browser/tabs/x", "/v1/new"])
def test_a_route_that_nobody_has_made_is_not_for_watching(path: str) -> None:
    assert facts_of(scope_of(path)).tells is None
    assert role_needed(scope_of(path)) is Role.DRIVE


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"])
def test_only_reading_is_watching(method: str) -> None:
    assert all(role_needed(scope_of(path, method=method)) is Role.DRIVE for path in READS)


def test_what_is_open_to_anybody_is_the_viewers_page_signing_in_and_probes() -> None:
    found = {route.path for method in ("GET", "POST", "DELETE") for route in routes(method) if route.facts.is_open}
    # The app asks who somebody is once it is there.
    files = {"/view/style.css", "/view/main.js", "/ui", "/ui/", "/ui/assets/{name}"}
    # Neko's clients sign in with a token, too.
    assert found == {"/", "/view", "/view/session", "/api/login", "/healthz", "/readyz"} | files
    assert all(facts_of(scope_of(path, method="PATCH")).is_open for path in found)


@pytest.mark.parametrize("path", ["screenshot", "snapshot", "text"])
@pytest.mark.parametrize(
    ("query", "needed"),
    [
        ("selector=%23csrf", Role.DRIVE),
        ("selector=", Role.DRIVE),
        ("tabId=1&selector=script", Role.DRIVE),
        ("frame=iframe", Role.DRIVE),
        ("urls=true", Role.DRIVE),
        ("urls=1", Role.DRIVE),
        ("urls=false&urls=true", Role.DRIVE),
        ("urls=false", Role.VIEW),
        ("tabId=1&maxChars=100", Role.VIEW),
    ],
)
def test_what_a_selector_finds_is_markup(path: str, query: str, needed: Role) -> None:
    """Whether `input[value^=a]` is found tells a hidden value letter by letter."""
    assert role_needed(scope_of(f"/v1/browser/{path}", query)) is needed


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with running_site() as site:
        yield site


@pytest.fixture(scope="module")
def box(site: Site) -> Iterator[RunningBox]:
    """With a page in its browser that holds a secret of every kind."""
    with running_box("--egress", "open") as box, box.client() as client:
        assert client.post("/v1/browser/start", json={"headless": False}).status_code == 200
        show(client, site)
        yield box


def show(client: httpx.Client, site: Site) -> None:
    answer = client.post(
        "/v1/browser/navigate", json={"url": site.url("live/secrets.html"), "waitUntil": "networkidle"}
    )
    assert answer.status_code == 200, answer.text


@pytest.fixture(scope="module")
def watcher(box: RunningBox) -> Iterator[httpx.Client]:
    headers = {"Authorization": f"Bearer {token_for(box, 'view')}"}
    with httpx.Client(base_url=box.url, headers=headers, timeout=20) as client:
        yield client


@pytest.mark.parametrize("path", [path for path in READS if path not in OPEN])
def test_over_rest_a_view_token_gets_what_the_table_grants(watcher: httpx.Client, path: str) -> None:
    answer = watcher.get(re.sub(r"\{[^}]+\}", "no-such-id", path), params={"x": 0, "y": 0, "width": 9, "height": 9})
    if path not in GRANTED:
        assert (answer.status_code, answer.json()["code"]) == (403, "forbidden")
        return
    assert answer.status_code == 200, answer.text
    assert not SECRET.search(answer.text)


def test_the_secrets_are_there_for_those_who_drive(box: RunningBox, watcher: httpx.Client) -> None:
    """Otherwise nothing would be shown by their absence."""
    with box.client() as client:
        told = " ".join(
            client.get(f"/v1/browser/{path}").text for path in ("content", "console", "cookies", "storage", "network")
        )
        one = client.get("/v1/browser/text", params={"selector": "#unseen"})
    assert set(SECRET.findall(told)) == {
        f"{name}-secret"
        for name in "comment console cookie csrf header hidden href inline storage typed unseen".split()
    }
    assert one.json()["text"] == "unseen-secret"
    assert watcher.get("/v1/browser/text", params={"selector": "#unseen"}).status_code == 403
    for guess in ("a", "c"):
        selector = f"input[name=csrf][value^={guess}]"
        for path in ("text", "snapshot", "screenshot"):
            assert watcher.get(f"/v1/browser/{path}", params={"selector": selector}).status_code == 403
    assert "Visible words" in watcher.get("/v1/browser/text").json()["text"]
    assert "Visible words" in watcher.get("/v1/browser/snapshot").json()["snapshot"]
    assert watcher.get("/v1/browser/screenshot").content.startswith(b"\x89PNG")


async def test_over_mcp_a_view_token_gets_no_more(box: RunningBox) -> None:
    assert LOOKING.keys() | ARGUMENTS.keys() == TOOLS.keys()
    async with connected(f"{box.url}/mcp", token_for(box, "view")) as agent:
        for name in TOOLS:
            heard = await agent.call(name, **LOOKING.get(name, ARGUMENTS.get(name, {})))
            assert not SECRET.search(heard.text), name
            if name in LOOKING:
                assert not heard.is_error, heard.text
            else:
                assert heard.is_error and heard.text.startswith("forbidden (retry: no)"), (name, heard.text)
        for arguments in ({"urls": True}, {"target": "input[name=csrf][value^=c]"}):
            heard = await agent.call("snapshot", **arguments)
            assert heard.is_error and heard.text.startswith("forbidden (retry: no)")


def test_over_the_live_socket_a_view_token_gets_no_more(box: RunningBox, site: Site) -> None:
    with (
        watching(box, token=token_for(box, "view")) as watcher,
        watching(box) as driver,
        box.client() as client,
    ):
        show(client, site)
        assert "console-secret" in driver.event("console")["text"]
        # Told to both after what the page logged, so that all that came before has arrived.
        client.post("/v1/browser/navigate", json={"url": site.url("live/events.html")}).raise_for_status()
        seen: list[dict[str, object]] = []

        def has_arrived(message: dict[str, object]) -> bool:
            seen.append({name: value for name, value in message.items() if name != "frame"})
            return message.get("name") == "navigated" and "events.html" in json.dumps(message["data"])

        watcher.wait(has_arrived)
        assert any("secrets.html" in json.dumps(message) for message in seen)
        assert not SECRET.search(json.dumps(seen)) and not any(one.get("name") == "console" for one in seen)
        known = driver.refused("none")["message"].partition("Known are: ")[2].rstrip(".").split(", ")
        assert {"evaluate", "screenshot", "tabs.list"} < set(known)
        for method in (*known, "control.take", "control.request", "control.release", "cookies", "content"):
            assert watcher.refused(method)["code"] == "forbidden"


def test_who_only_watches_takes_nothing_from_those_who_drive(
    box: RunningBox, watcher: httpx.Client, site: Site
) -> None:
    """What changed since the last snapshot is told to the agent, whoever looked at the page in between."""
    with box.client() as agent:
        show(agent, site)
        assert agent.get("/v1/browser/snapshot").status_code == 200
        script = "document.body.append(Object.assign(document.createElement('button'), {textContent: 'Brand new'})), 0"
        assert agent.post("/v1/browser/execute", json={"expression": script}).status_code == 200
        assert "Brand new" in watcher.get("/v1/browser/snapshot").json()["snapshot"]
        again = watcher.get("/v1/browser/snapshot?sinceLast=true").json()
        assert again["unchanged"] is True
        told = agent.get("/v1/browser/snapshot?sinceLast=true").json()
        assert "Brand new" in told["snapshot"], told
        assert agent.get("/v1/browser/snapshot?sinceLast=true").json()["unchanged"] is True
