"""One-time tickets: each opens one thing, once, on whichever control plane it is shown."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from typing import Any

import httpx2 as httpx
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from belljar.plane.gateway.box_routes import box_routes
from belljar.plane.registry import TicketUse
from tests.described import paths
from tests.plane.plane import PATIENCE, RunningPlane, running_plane, state_folder
from tests.plane.postgres import Postgres

SOCKET = {"type": "websocket"}
# Every HTTP request and socket that any ticket opens by its query.
OPENED = {
    (TicketUse.CDP, "websocket", "/v1/browser/cdp"),
    (TicketUse.CDP, "GET", "/v1/browser/cdp/json/version"),
    (TicketUse.CDP, "GET", "/v1/browser/cdp/json/version/"),
    (TicketUse.CDP, "GET", "/v1/browser/cdp/json/list"),
    (TicketUse.LIVE, "websocket", "/v1/live"),
    (TicketUse.LIVE, "websocket", "/ws"),
}
SOCKETS = ("/v1/browser/cdp", "/v1/live", "/ws", "/v1/processes/x/terminal/ws", "/v1/desktop/stream/signaling", "/new")


@pytest.mark.parametrize("use", TicketUse)
def test_a_ticket_opens_what_it_was_made_for_and_nothing_else(use: TicketUse) -> None:
    found = {(use, "websocket", path) for path in SOCKETS if box_routes().find(SOCKET, path).ticket == use}
    described = [(method.upper(), path) for path, methods in paths().items() for method in methods]
    extra = [("/mcp", "POST"), ("/view", "GET"), ("/view/session", "POST"), ("/v1/browser/cdp/json/version/", "GET")]
    extra += [("/v1/browser/cdp/json/list", "GET"), ("/v1/browser/cdp/json/version", "POST"), ("/json/version", "GET")]
    extra += [("/api/download/json/version", "GET"), ("/v1/browser/cdp", "GET"), ("/v1/browser/cdp/", "GET")]
    for method, path in [*described, *((method, path) for path, method in extra)]:
        if box_routes().find({"type": "http", "method": method}, path).ticket == use:
            found.add((use, method, path))
    assert found == {one for one in OPENED if one[0] is use}


# On PostgreSQL one plane hears of another's changes the same way, which `test_two_planes` has with every run.
@pytest.fixture(scope="module", params=["sqlite", pytest.param("postgresql", marks=pytest.mark.soak)])
def planes(request: pytest.FixtureRequest) -> Iterator[tuple[RunningPlane, RunningPlane]]:
    """Two control planes of one host, on one database."""
    with ExitStack() as stack:
        state = stack.enter_context(state_folder())
        url = f"sqlite:///{state}/control.db"
        if request.param == "postgresql":
            postgres: Postgres = request.getfixturevalue("postgres")
            url = postgres.new_database()
        shared = ("--database-url", url, "--master-key-file", str(state / "master.key"))
        one = stack.enter_context(running_plane(*shared, state_dir=state))
        yield one, stack.enter_context(running_plane(*shared, state_dir=state, key=one.key))


@pytest.fixture(scope="module")
def session(planes: tuple[RunningPlane, RunningPlane]) -> Iterator[dict[str, Any]]:
    made = planes[0].create()
    yield made
    with planes[0].client() as client:
        client.delete(f"/api/sessions/{made['id']}")


def new_tickets(plane: RunningPlane, session: dict[str, Any]) -> dict[str, str]:
    with plane.client() as client:
        made = client.post(f"/api/sessions/{session['id']}/tickets").raise_for_status().json()
    return {use: made[f"{use}Url"].partition("ticket=")[2] for use in ("cdp", "ws", "view")}


def socket_status(plane: RunningPlane, session: dict[str, Any], path: str, ticket: str) -> int:
    url = f"{plane.url.replace('http', 'ws')}/s/{session['id']}{path}?ticket={ticket}"
    try:
        with connect(url, proxy=None, open_timeout=PATIENCE):
            return 101
    except InvalidStatus as refused:
        return refused.response.status_code


def sign_in(plane: RunningPlane, session: dict[str, Any], ticket: str) -> int:
    url = f"{plane.url}/s/{session['id']}/view/session"
    return httpx.post(url, json={"ticket": ticket}, timeout=PATIENCE).status_code


def test_no_ticket_runs_programs_signs_in_or_opens_another_socket(
    planes: tuple[RunningPlane, RunningPlane], session: dict[str, Any]
) -> None:
    plane = planes[0]
    tickets = new_tickets(plane, session)
    with httpx.Client(base_url=f"{plane.url}/s/{session['id']}", timeout=PATIENCE) as anyone:
        at = "/v1/processes"
        started = anyone.post(
            at, json={"command": "cat", "tty": True}, headers={"Authorization": f"Bearer {session['token']}"}
        )
        terminal = f"{at}/{started.json()['id']}/terminal/ws"
        for use, ticket in tickets.items():
            by = {"ticket": ticket}
            for path in ("/v1/health", at, "/view", "/view/session", "/v1/browser/screenshot", "/api/download/json"):
                assert anyone.get(path, params=by).status_code == 401, (use, path)
            for path in ("/v1/processes/run", "/v1/live/links", "/mcp", "/view/session", "/v1/browser/navigate"):
                assert anyone.post(path, params=by, json={"command": "id"}).status_code == 401, (use, path)
            bearer = {"Authorization": f"Bearer {ticket}"}
            assert anyone.get("/v1/health", headers=bearer).status_code == 401
            assert anyone.post("/view/session", json={"token": ticket}).status_code == 401
            assert socket_status(plane, session, terminal, ticket) == 401
        for use in ("cdp", "ws"):
            assert anyone.post("/view/session", json={"ticket": tickets[use]}).status_code == 401
            link = httpx.get(f"{plane.url}/sign-in", params={"ticket": tickets[use]}, follow_redirects=False)
            assert link.status_code == 401
        for use in ("cdp", "view"):
            assert socket_status(plane, session, "/v1/live", tickets[use]) == 401
        for use in ("ws", "view"):
            assert anyone.get("/v1/browser/cdp/json/version", params={"ticket": tickets[use]}).status_code == 401
            assert socket_status(plane, session, "/v1/browser/cdp", tickets[use]) == 401
        # None of these tries has spent one.
        assert socket_status(plane, session, "/v1/live", tickets["ws"]) == 101
        assert socket_status(plane, session, "/v1/live", tickets["ws"]) == 401
        assert sign_in(plane, session, tickets["view"]) == 200
        assert sign_in(plane, session, tickets["view"]) == 401
        # There is no browser to speak CDP with: the box says so, to the one whom the ticket let in.
        assert anyone.get("/v1/browser/cdp/json/version", params={"ticket": tickets["cdp"]}).status_code == 409
        assert socket_status(plane, session, "/v1/browser/cdp", tickets["cdp"]) == 409
        assert socket_status(plane, session, "/v1/browser/cdp", tickets["cdp"]) == 401
        assert anyone.get("/v1/browser/cdp/json/version", params={"ticket": tickets["cdp"]}).status_code == 401


def test_of_many_that_show_one_ticket_to_two_planes_one_comes_in(
    planes: tuple[RunningPlane, RunningPlane], session: dict[str, Any]
) -> None:
    for _ in range(3):
        tickets = new_tickets(planes[0], session)

        def come_in(number: int, ticket: str = tickets["view"]) -> int:
            return sign_in(planes[number % 2], session, ticket)

        def watch(number: int, ticket: str = tickets["ws"]) -> int:
            return socket_status(planes[number % 2], session, "/v1/live", ticket)

        with ThreadPoolExecutor(8) as pool:
            assert sorted(pool.map(come_in, range(8))) == [200] + [401] * 7
            assert sorted(pool.map(watch, range(8))) == [101] + [401] * 7
