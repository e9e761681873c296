"""A key that is revoked ends all that goes back to it, on every control plane; and the audit names who did what."""

import json
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack, contextmanager
from typing import Any

import httpx2 as httpx
import pytest
from websockets.sync.client import ClientConnection, connect

from tests.plane.plane import PATIENCE, RunningPlane, close_of, running_plane, state_folder, until
from tests.plane.postgres import Postgres

# How long anything may outlive the key or token it goes back to.
WITHIN = 5.0
INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}},
}
MCP = {"Accept": "application/json, text/event-stream"}


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
        shared = ("--database-url", url, "--master-key-file", str(state / "master.key"), "--max-sessions-per-user", "9")
        one = stack.enter_context(running_plane(*shared, state_dir=state))
        yield one, stack.enter_context(running_plane(*shared, state_dir=state, key=one.key))


class Person:
    """A browser that has signed in to a session's viewer on one control plane."""

    def __init__(self, plane: RunningPlane, session_id: str, **sign_in: str) -> None:
        self._at = f"/s/{session_id}"
        self._plane = plane
        self.http = httpx.Client(base_url=plane.url + self._at, headers={"Origin": plane.url}, timeout=PATIENCE)
        signed = self.http.post("/view/session", json=sign_in)
        assert signed.status_code == 200, signed.text
        self.signed: dict[str, Any] = signed.json()
        self.cookie = signed.headers["set-cookie"].partition(";")[0]

    def status(self) -> int:
        return self.http.get("/v1/processes").status_code

    def link(self) -> str:
        answer = self.http.post("/v1/live/links", json={"role": "drive"})
        assert answer.status_code == 200, answer.text
        return str(answer.json()["link"]).partition("#ticket=")[2]

    @contextmanager
    def watch(self) -> Iterator[ClientConnection]:
        headers = {"Cookie": self.cookie, "Origin": self._plane.url}
        with connect(f"{ws(self._plane)}{self._at}/v1/live", additional_headers=headers, proxy=None) as socket:
            yield socket


def ws(plane: RunningPlane) -> str:
    return plane.url.replace("http", "ws")


def bearer(secret: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {secret}"}


def new_key(plane: RunningPlane, user: str) -> tuple[str, str]:
    with plane.client() as admin:
        made = admin.post("/api/keys", json={"user": user}).json()
    return made["id"], made["key"]


def until_closed(socket: ClientConnection) -> str:
    """Why it was closed."""
    closed = close_of(socket, within=WITHIN)
    assert closed.code == 1008
    return closed.reason


def until_refused(status: Callable[[], int], what: str) -> None:
    until(lambda: status() == 401, within=WITHIN, what=f"the end of {what}")


def until_ended(stream: httpx.Response) -> None:
    """A stream is read to its end, which is a clean one or a cut."""
    try:
        for _ in stream.iter_raw():
            pass
    except httpx.RemoteProtocolError:
        pass


def test_a_revoked_key_ends_all_that_goes_back_to_it_on_both_planes(planes: tuple[RunningPlane, RunningPlane]) -> None:
    one, two = planes
    id, key = new_key(one, "eve")
    session = one.create(key, mode="browser", headless=True)
    at, api = f"/s/{session['id']}", f"/api/sessions/{session['id']}"
    with ExitStack() as stack:
        client = stack.enter_context(two.client(key))
        token = client.post(f"{api}/tokens", json={"role": "view", "ttl": 600}).json()
        unopened = client.post(f"{api}/tokens", json={"role": "view", "ttl": 600}).json()
        tickets = client.post(f"{api}/tickets").json()
        linked = Person(two, session["id"], ticket=token["viewUrl"].partition("#ticket=")[2])
        pasted = Person(one, session["id"], token=key)
        invited = Person(two, session["id"], ticket=pasted.link())
        people = (linked, pasted, invited)
        links = [pasted.link(), invited.link(), unopened["viewUrl"].partition("#ticket=")[2]]
        links.append(tickets["viewUrl"].partition("#ticket=")[2])
        dashboard = stack.enter_context(httpx.Client(base_url=two.url, headers={"Origin": two.url}, timeout=PATIENCE))
        assert dashboard.post("/sign-in", json={"key": key}).is_success
        assert dashboard.get("/api/sessions").status_code == 200
        assert client.post("/mcp", json=INITIALIZE, headers=MCP).status_code == 200
        started = client.post(f"{at}/v1/processes", json={"command": "cat", "interactive": True}).json()

        live, cdp = f"{ws(two)}{at}/v1/live", f"{ws(two)}{at}/v1/browser/cdp"
        ways: list[AbstractContextManager[ClientConnection]] = [
            connect(live, additional_headers=bearer(key), proxy=None),
            connect(live, additional_headers=bearer(session["token"]), proxy=None),
            connect(live, additional_headers=bearer(token["token"]), proxy=None),
            connect(cdp, additional_headers=bearer(session["token"]), proxy=None),
            connect(f"{cdp}?{tickets['cdpUrl'].partition('?')[2]}", proxy=None),
            connect(f"{live}?{tickets['wsUrl'].partition('?')[2]}", proxy=None),
            *(person.watch() for person in people),
        ]
        sockets = [stack.enter_context(way) for way in ways]
        logs = f"{at}/v1/processes/{started['id']}/logs?follow=true"
        streams = [
            stack.enter_context(two_client.stream("GET", path, headers={"Accept": "text/event-stream"}))
            for path, two_client in (
                (f"{api}/events", client),
                (f"{api}/events", dashboard),
                (logs, client),
                (logs, stack.enter_context(two.client(session["token"]))),
            )
        ]
        assert {stream.status_code for stream in streams} == {200}

        with one.client() as admin:
            assert admin.delete(f"/api/keys/{id}").is_success
        with ThreadPoolExecutor(len(sockets) + len(streams)) as pool:
            ended = [pool.submit(until_ended, stream) for stream in streams]
            for reason in pool.map(until_closed, sockets):
                assert reason == "credential over: revoked"
            for stream in ended:
                stream.result(WITHIN)

        gone: dict[str, Callable[[], int]] = {
            "the key": lambda: client.get(f"{at}/v1/health").status_code,
            "the key at the API": lambda: client.get("/api/sessions").status_code,
            "the key over MCP": lambda: client.post("/mcp", json=INITIALIZE, headers=MCP).status_code,
            "the session's token": lambda: _get(two, at, session["token"]),
            "a token made for somebody": lambda: _get(two, at, token["token"]),
            "the dashboard": lambda: dashboard.get("/api/sessions").status_code,
            **{f"cookie {number}": person.status for number, person in enumerate(people)},
            **{f"link {number}": _opener(two, at, link) for number, link in enumerate(links)},
        }
        for what, status in gone.items():
            until_refused(status, what)
        with two.client() as admin:
            assert admin.get(f"{at}/v1/health").status_code == 200, "the session is its user's, who may have other keys"
            assert all(token["revoked"] for token in admin.get(f"{api}/tokens").json()["tokens"])
            admin.delete(api)
        for person in people:
            person.http.close()


def _get(plane: RunningPlane, at: str, secret: str) -> int:
    return httpx.get(f"{plane.url}{at}/v1/health", headers=bearer(secret), timeout=PATIENCE).status_code


def _opener(plane: RunningPlane, at: str, ticket: str) -> Callable[[], int]:
    url = f"{plane.url}{at}/view/session"
    return lambda: httpx.post(url, json={"ticket": ticket}, timeout=PATIENCE).status_code


def test_cookies_and_the_audit_name_who_signed_in(planes: tuple[RunningPlane, RunningPlane]) -> None:
    one, two = planes
    _, owner = new_key(one, "owner")
    session = one.create(owner)
    api = f"/api/sessions/{session['id']}"
    with one.client() as admin, one.client(owner) as own:
        made = admin.post(f"{api}/tokens", json={"role": "drive"}).json()
        people = {
            "admin": [Person(two, session["id"], token=one.key), Person(one, session["id"], token=made["token"])],
            "owner": [Person(two, session["id"], token=session["token"])],
        }
        people["admin"].append(Person(one, session["id"], ticket=people["admin"][0].link()))
        people["owner"].append(Person(one, session["id"], ticket=own.post(f"{api}/tickets").json()["viewUrl"][-32:]))
        for name, signed in people.items():
            assert [person.signed["name"] for person in signed] == [name] * len(signed)
            for person in signed:
                with person.watch() as socket:
                    assert json.loads(socket.recv(PATIENCE))["data"]["name"] == name
        with people["admin"][0].watch() as socket:
            socket.send(json.dumps({"type": "cmd", "id": 1, "method": "control.take", "params": {}}))
            taken = until(lambda: _audited(two, session, "control.taken"), what="a line of the audit")
        assert taken == ["admin"]
        signed_in = [*(["admin"] * 3), *(["owner"] * 2)]
        assert sorted(_audited(one, session, "token.made")) == sorted([*signed_in, "admin", "owner"])
        admin.delete(api)
        for person in (*people["admin"], *people["owner"]):
            person.http.close()


def _audited(plane: RunningPlane, session: dict[str, Any], kind: str) -> list[str]:
    """Who did such things to the session."""
    with plane.client() as admin:
        events = admin.get("/api/audit", params={"session": session["id"]}).json()["events"]
    return [event["actor"] for event in events if event["kind"] == kind]


def test_what_people_signed_in_to_with_a_token_ends_with_that_token(planes: tuple[RunningPlane, RunningPlane]) -> None:
    one, two = planes
    session = one.create()
    api = f"/api/sessions/{session['id']}/tokens"
    with one.client() as client:
        made = client.post(api, json={"role": "drive", "ttl": 600}).json()
        first = Person(two, session["id"], token=made["token"])
        second = Person(two, session["id"], ticket=first.link())
        unopened = second.link()
        with second.watch() as socket:
            assert client.delete(f"{api}/{made['id']}").is_success
            assert until_closed(socket) == "credential over: revoked"
        for person in (first, second):
            until_refused(person.status, "the cookie")
            person.http.close()
        assert _opener(two, f"/s/{session['id']}", unopened)() == 401
        client.delete(f"/api/sessions/{session['id']}")


def test_a_tokens_time_is_also_that_of_its_cookies_and_sockets(planes: tuple[RunningPlane, RunningPlane]) -> None:
    one, two = planes
    session = one.create()
    with one.client() as client:
        made = client.post(f"/api/sessions/{session['id']}/tokens", json={"role": "drive", "ttl": 4}).json()
        person = Person(two, session["id"], token=made["token"])
        link = person.link()
        at, header = f"/s/{session['id']}", bearer(made["token"])
        with ExitStack() as stack:
            shell = client.post(f"{at}/v1/processes", json={"command": "cat", "tty": True}).json()["id"]
            stream = stack.enter_context(client.stream("GET", f"{at}/v1/events?follow=true", headers=header))
            sockets = [
                stack.enter_context(connect(ws(two) + at + path, additional_headers=header, proxy=None))
                for path in ("/v1/live", f"/v1/processes/{shell}/terminal/ws")
            ]
            for socket in (stack.enter_context(person.watch()), *sockets):
                assert close_of(socket).reason == "credential over: expired"
            until_ended(stream)
        until_refused(person.status, "the cookie")
        late = httpx.post(f"{two.url}/s/{session['id']}/view/session", json={"ticket": link}, timeout=PATIENCE)
        assert late.status_code == 401
        person.http.close()
        client.delete(f"/api/sessions/{session['id']}")


def test_the_sessions_token_lives_as_long_as_the_session_is_made_to(planes: tuple[RunningPlane, RunningPlane]) -> None:
    one, two = planes
    first_end = time.time() + 6
    # Extended while its box comes up, so that however long that takes it is not too late.
    session = one.create(ttl=6, wait=False)
    api, at = f"/api/sessions/{session['id']}", f"/s/{session['id']}"
    with one.client() as client:
        longer = client.patch(api, json={"ttl": 600}).raise_for_status().json()
        listed = client.get(f"{api}/tokens").json()["tokens"]
        assert [token["expiresAt"] for token in listed] == [longer["expiresAt"]]
        until(lambda: one.get(session["id"])["state"] == "running", what="the session")
        made = client.post(f"{api}/tokens", json={"role": "drive", "ttl": 600}).json()
        person = Person(two, session["id"], token=session["token"])
        opened = connect(f"{ws(two)}{at}/v1/live", additional_headers=bearer(session["token"]), proxy=None)
        with opened as live:
            # The first end passes: that is what this is about.
            until(lambda: time.time() > first_end + 2, what="the session's first end")
            for plane in planes:
                assert _get(plane, at, session["token"]) == 200
                assert _get(plane, at, made["token"]) == 200
            assert person.status() == 200
            live.send(json.dumps({"type": "ping", "t": 1}))
            until(lambda: json.loads(live.recv(PATIENCE)).get("type") == "pong", what="an answer on the open socket")
        # And no longer than the session.
        client.patch(api, json={"ttl": 2})
        until(lambda: one.get(session["id"])["state"] == "stopped", what="the session's end")
        until(lambda: _get(two, at, session["token"]) == 409, within=WITHIN, what="its end on the other plane")
        person.http.close()
