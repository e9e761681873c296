"""What operators see and do: users, keys, limits, hosts, settings, checks, the audit log; and nobody else does."""

import re
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, closing
from typing import Any

import httpx2 as httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from belljar.plane.administration.settings_in_force import MASK, masked
from belljar.plane.app import routers
from belljar.plane.parts import _admin
from belljar.sdk import Belljar
from belljar.server.signature import Depends
from tests.plane.plane import PATIENCE, RunningPlane, close_of, running_plane, state_folder, until
from tests.plane.postgres import Postgres

# Who may ask for what, beside an admin; a new route has to be placed.
EVERYBODYS = {
    "POST /api/sessions", "GET /api/sessions", "DELETE /api/sessions", "GET /api/sessions/{id}",
    "PATCH /api/sessions/{id}", "DELETE /api/sessions/{id}", "POST /api/sessions/{id}/revoke",
    "POST /api/sessions/{id}/tickets", "POST /api/sessions/{id}/tokens", "GET /api/sessions/{id}/tokens",
    "DELETE /api/sessions/{id}/tokens/{token_id}", "GET /api/sessions/{id}/events",
    "GET /api/sessions/{id}/thumbnail", "GET /api/sessions/{id}/logs", "GET /api/sessions/{id}/recordings",
    "GET /api/sessions/{id}/recordings/{recording_id}", "GET /api/sessions/{id}/record",
    "GET /api/sessions/{id}/record/export", "GET /api/sessions/{id}/record/proof",
    "GET /api/sessions/{id}/record/pictures/{sha256}", "GET /api/me", "GET /api/profiles", "POST /api/profiles",
    "GET /api/profiles/{id}", "DELETE /api/profiles/{id}", "GET /api/usage", "GET /api/usage.csv",
    "GET /api/record/key", "GET /api/sign-ins", "DELETE /api/sign-ins/{id}", "POST /api/apps/question",
    "POST /api/apps/consent",
}  # fmt: skip
ADMINS = {
    "POST /api/keys", "GET /api/keys", "GET /api/keys/{id}", "DELETE /api/keys/{id}", "GET /api/users",
    "GET /api/limits", "GET /api/hosts", "POST /api/hosts/{name}/drain", "POST /api/hosts/{name}/undrain",
    "GET /api/settings", "GET /api/checks", "GET /api/audit", "GET /metrics", "POST /api/webhooks",
    "GET /api/webhooks", "DELETE /api/webhooks/{id}", "POST /api/webhooks/{id}/rotate",
    "POST /api/webhooks/{id}/test", "GET /api/webhooks/{id}/deliveries",
    "POST /api/webhooks/{id}/deliveries/{delivery_id}/redeliver",
}  # fmt: skip


@pytest.fixture(scope="module")
def plane() -> Iterator[RunningPlane]:
    with running_plane(
        "--max-sessions-per-user", "2", "--max-memory-per-user", "8G", environment={"BELLJAR_QUEUE_LENGTH": "7"}
    ) as running:
        yield running


@pytest.fixture
def http(plane: RunningPlane) -> Iterator[httpx.Client]:
    with plane.client() as client:
        yield client


def _is_admins(route: Any) -> bool:
    marks = [mark for hint in route.endpoint.__annotations__.values() for mark in getattr(hint, "__metadata__", ())]
    return any(isinstance(mark, Depends) and mark.make is _admin for mark in marks)


def _routes() -> dict[str, Any]:
    found = [route for router in routers() for route in router.routes if route.include_in_schema]
    return {f"{method} {route.path}": route for route in found for method in route.methods if method != "HEAD"}


def test_every_route_is_placed_by_who_may_ask() -> None:
    routes = {name: route for name, route in _routes().items() if not route.facts.is_open}
    unplaced = [name for name in routes if name not in ADMINS | EVERYBODYS and not _is_admins(routes[name])]
    assert unplaced == []
    assert ADMINS <= {name for name in routes if _is_admins(routes[name])}


@pytest.mark.parametrize("name", sorted({name for name, route in _routes().items() if _is_admins(route)} | ADMINS))
def test_from_below_an_operators_route_is_refused(plane: RunningPlane, ann: str, name: str) -> None:
    method, path = name.split()
    path = re.sub(r"\{\w+\}", "x", path)
    bodies = {"POST /api/keys": {"user": "eve", "role": "admin"}, "POST /api/webhooks": {"url": "http://127.0.0.1/"}}
    # With a body that is fine, so that it is the role which is refused.
    body = bodies.get(name, {}) if method in ("POST", "PUT") else None
    with plane.client(ann) as below:
        refused = below.request(method, path, json=body)
    assert refused.status_code == 403, refused.text
    assert refused.json()["code"] == "forbidden"
    assert httpx.request(method, plane.url + path, json=body).status_code == 401
    session_token = _a_session(plane, ann)["token"]
    with plane.client(session_token) as below:
        assert below.request(method, path, json=body).status_code == 401


@pytest.fixture(scope="module")
def ann(plane: RunningPlane) -> str:
    return plane.new_key("ann")


_made: dict[str, dict[str, Any]] = {}


def _a_session(plane: RunningPlane, key: str) -> dict[str, Any]:
    """One for all of those who only want its token."""
    if key not in _made:
        _made[key] = plane.create(key=key)
    return _made[key]


def test_a_page_of_another_origin_does_nothing_by_an_operators_cookie(plane: RunningPlane, http: httpx.Client) -> None:
    host = http.get("/api/hosts").json()["hosts"][0]["name"]
    cookie = _cookie_of(plane, plane.key)
    assert httpx.get(f"{plane.url}/api/hosts", headers=cookie).status_code == 200
    evil = {**cookie, "Origin": "http://evil.example"}
    assert httpx.post(f"{plane.url}/api/hosts/{host}/drain", headers=evil).status_code == 403
    assert httpx.get(f"{plane.url}/api/settings", headers=evil).status_code == 403
    assert "drainedAt" not in http.get("/api/hosts").json()["hosts"][0]


def _cookie_of(plane: RunningPlane, key: str) -> dict[str, str]:
    signed_in = httpx.post(f"{plane.url}/sign-in", json={"key": key})
    return {"Cookie": signed_in.headers["set-cookie"].partition(";")[0]}


def test_users_are_listed_with_roles_and_what_they_use(plane: RunningPlane, http: httpx.Client) -> None:
    bob = plane.new_key("bob", role="admin")
    plane.new_key("bob")
    session = plane.create(key=bob, tags={"team": "x"})
    found = {user["userId"]: user for user in http.get("/api/users").json()["users"]}
    assert found["bob"]["role"] == "admin" and found["bob"]["keys"] == 2 and found["bob"]["live"] == 1
    assert found["bob"]["used"]["sessions"] == found["bob"]["used"]["running"] == 1
    assert found["bob"]["lastUsedAt"]
    http.delete(f"/api/sessions/{session['id']}")
    for key in http.get("/api/keys").json()["keys"]:
        if key["user"] == "bob":
            http.delete(f"/api/keys/{key['id']}")
    gone = {user["userId"]: user for user in http.get("/api/users").json()["users"]}["bob"]
    assert "role" not in gone and gone["keys"] == 0 and gone["used"]["sessions"] == 1


def test_users_are_paged_and_found_by_name(plane: RunningPlane, http: httpx.Client) -> None:
    for number in range(7):
        plane.new_key(f"paged-{number}")
    names: list[str] = []
    after = ""
    while True:
        page = http.get("/api/users", params={"q": "PAGED", "limit": 3, "after": after}).json()
        names += [user["userId"] for user in page["users"]]
        if "next" not in page:
            break
        after = page["next"]
    assert names == [f"paged-{number}" for number in range(7)]
    assert http.get("/api/users", params={"limit": 0}).status_code == 400
    assert http.get("/api/users", params={"limit": 100_000}).status_code == 400
    assert http.get("/api/users", params={"after": "zzzz"}).json() == {"users": []}


def test_who_is_near_a_limit_comes_first(plane: RunningPlane, http: httpx.Client) -> None:
    carol = plane.new_key("carol")
    two = [plane.create(key=carol, limits={"memoryMb": 2048}) for _ in range(2)]
    found = http.get("/api/limits").json()
    assert found["perUser"]["sessions"] == 2 and found["perUser"]["memoryMb"] == 8192
    assert found["sessions"]["used"] >= 2 and found["waiting"]["limit"] == 7
    nearest = found["users"][0]
    assert nearest["userId"] == "carol" and nearest["share"] == 1.0
    assert {one["name"]: (one["used"], one["limit"]) for one in nearest["limits"]} == {
        "sessions": (2, 2),
        "memory_mb": (4096, 8192),
    }
    with plane.client(carol) as client:
        assert client.post("/api/sessions", json={"mode": "none"}).json()["code"] == "too_many_sessions"
    for session in two:
        http.delete(f"/api/sessions/{session['id']}")
    assert "carol" not in [user["userId"] for user in http.get("/api/limits").json()["users"]]


def test_a_key_says_when_it_was_used_and_what_ends_with_it(plane: RunningPlane, http: httpx.Client) -> None:
    made = http.post("/api/keys", json={"user": "dora"}).json()
    assert "lastUsedAt" not in http.get(f"/api/keys/{made['id']}").json()
    session = plane.create(key=made["key"])
    address = plane.url.replace("http", "ws") + f"/s/{session['id']}/v1/live"
    with (
        connect(address, additional_headers={"Authorization": f"Bearer {made['key']}"}) as by_key,
        connect(address, additional_headers={"Authorization": f"Bearer {session['token']}"}) as by_token,
    ):
        until(lambda: http.get(f"/api/keys/{made['id']}").json()["sockets"] == 2, what="two sockets")
        reach = http.get(f"/api/keys/{made['id']}").json()
        assert reach["sessions"] == [session["id"]] and reach["tokens"] == 1 and reach["lastUsedAt"]
        cookie = _cookie_of(plane, made["key"])
        assert http.get(f"/api/keys/{made['id']}").json()["signIns"] == 1
        revoked = http.delete(f"/api/keys/{made['id']}", params={"endSessions": "true"}).json()
        assert revoked == {"ok": True, "tokens": 1, "sockets": 2, "sessions": [session["id"]]}
        assert close_of(by_key).code == close_of(by_token).code
    assert plane.get(session["id"])["state"] == "stopped"
    assert httpx.get(f"{plane.url}/api/me", headers=cookie).status_code == 401
    again = http.delete(f"/api/keys/{made['id']}", params={"endSessions": "true"}).json()
    assert again == {"ok": True, "tokens": 0, "sockets": 0, "sessions": []}


def test_the_use_of_a_key_outlives_the_control_plane() -> None:
    with state_folder() as state:
        with running_plane(state_dir=state) as first, first.client() as client:
            id = client.get("/api/me").json()["keyId"]
            key = first.key
            database = state / "control.db"
            until(lambda: _last_used(database, id), what="the use written down")
        with running_plane(state_dir=state, key=key) as second, second.client() as client:
            assert client.get(f"/api/keys/{id}").json()["lastUsedAt"]


def _last_used(database: Any, id: str) -> object:
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
        return connection.execute("select last_used_at from keys where id = ?", [id]).fetchone()[0]


def test_sockets_that_race_with_a_revocation_are_all_closed(plane: RunningPlane, http: httpx.Client) -> None:
    """Whoever comes in while the key is revoked is cut all the same, and nobody gets in after."""
    made = http.post("/api/keys", json={"user": "race"}).json()
    session = plane.create(key=made["key"])
    address = plane.url.replace("http", "ws") + f"/s/{session['id']}/v1/live"
    by_key = {"Authorization": f"Bearer {made['key']}"}
    opened: list[Any] = []
    refused: list[int] = []
    begun = threading.Barrier(9)

    def open_some() -> None:
        begun.wait(PATIENCE)
        for _ in range(5):
            try:
                opened.append(stack.enter_context(connect(address, additional_headers=by_key)))
            except (InvalidStatus, ConnectionClosed, OSError):
                # Refused: it was revoked before.
                refused.append(1)

    threads = [threading.Thread(target=open_some) for _ in range(8)]
    with ExitStack() as stack:
        for thread in threads:
            thread.start()
        begun.wait(PATIENCE)
        http.delete(f"/api/keys/{made['id']}")
        for thread in threads:
            thread.join(PATIENCE)
        assert len(opened) + len(refused) == 40
        for socket in opened:
            assert "revoked" in close_of(socket).reason, "every one of them is cut"
    assert http.get(f"/api/keys/{made['id']}").json()["sockets"] == 0
    http.delete(f"/api/sessions/{session['id']}")


def test_settings_say_where_they_come_from_and_mask_secrets() -> None:
    environment = {"BELLJAR_MAX_TTL": "7200", "BELLJAR_PEER_URL": "http://someone:hunter2@127.0.0.1:1"}
    with running_plane("--ttl", "60", environment=environment) as plane, plane.client() as client:
        answer = client.get("/api/settings")
        found = {one["name"]: one for one in answer.json()["settings"]}
        flags = {one["flag"]: one["value"] for one in answer.json()["boxes"]}
    assert (found["ttl"]["value"], found["ttl"]["source"], found["ttl"]["default"]) == ("60", "flag", "3600")
    assert (found["max_ttl"]["value"], found["max_ttl"]["source"]) == ("7200", "variable")
    assert found["queue_wait"]["source"] == "default" and found["queue_wait"]["mayBe"] == "a number, at least 0"
    assert found["jail"]["mayBe"] == "require or off" and found["cors_origins"]["flag"] == "--cors-origin"
    assert "hunter2" not in answer.text and found["peer_url"]["value"] == "http://someone:••••••••@127.0.0.1:1"
    assert flags["--jail"] == "off" and flags["--max-memory"] == "4096M"


@pytest.mark.parametrize(
    "given",
    [
        "postgresql://ann:hunter2@db/belljar",
        "postgresql://ann:hunter2/more@db/belljar",
        "postgresql://ann:hunter2@hunter2@db/belljar",
        "postgresql://:hunter2 hunter2@db/belljar",
        "postgresql://db/belljar?user=ann&password=hunter2",
        "https://db/belljar?api_key=hunter2&x=1",
    ],
)
def test_no_way_to_write_a_password_shows_it(given: str) -> None:
    shown = masked("database_url", given)
    assert "hunter2" not in shown and "more" not in shown and "db/belljar" in shown and MASK in shown


def test_checks_say_in_words_what_is_weaker_and_what_mends_it(http: httpx.Client) -> None:
    found = http.get("/api/checks").json()
    checks = {check["id"]: check for check in found["checks"]}
    assert not found["ok"] and checks["jail-off"]["level"] == "missing"
    assert checks["jail-off"]["fix"] == "belljar serve --jail require"
    assert checks["chromium"]["level"] == "ok" and checks["memory"]["detail"]
    assert "port" not in checks, "the server itself has it"
    assert http.get("/api/checks").json()["checkedAt"] == found["checkedAt"], "tried now and then, not each time"


def test_the_audit_log_is_searched_and_read_from_its_end(plane: RunningPlane, http: httpx.Client) -> None:
    check_search(plane, http)


def test_so_it_is_in_postgresql(postgres: Postgres) -> None:
    with running_plane("--database-url", postgres.new_database()) as plane, plane.client() as http:
        check_search(plane, http)
        check_pages(plane, http)


def check_search(plane: RunningPlane, http: httpx.Client) -> None:
    made = http.post("/api/keys", json={"user": "searched", "name": "Ünïcode 100% _x_"}).json()
    session = plane.create(key=made["key"], tags={"team": "audit"})
    http.delete(f"/api/sessions/{session['id']}")

    def search(**query: Any) -> list[dict[str, Any]]:
        answer = http.get("/api/audit", params={"newest": "true", **query})
        assert answer.status_code == 200, answer.text
        found: list[dict[str, Any]] = answer.json()["events"]
        return found

    life = [event["kind"] for event in search(session=session["id"], action="session.")]
    assert life == [f"session.{one}" for one in ("stopped", "stopping", "running", "starting", "pending")]
    assert [event["kind"] for event in search(action="key.made", user="searched")] == ["key.made"]
    for text in ("ünïcode", "100% _X_", made["id"]):
        assert made["id"] in [event["detail"].get("keyId") for event in search(q=text)] or text == "ünïcode"
    assert search(q="Ünïcode")[0]["detail"]["keyId"] == made["id"]
    assert search(q="1%%0") == [] and search(q="_____") == [], "what is looked for is no pattern"
    assert {event["actor"] for event in search(actor="searched")} == {"searched"}
    [running] = search(session=session["id"], action="session.running")
    after = search(session=session["id"], since=running["at"])
    assert [event["kind"] for event in after][-1] == "session.running"
    assert search(until="2001-01-01", count="true") == []
    counted = http.get("/api/audit", params={"count": "true", "session": session["id"], "limit": 1}).json()
    assert counted["total"] >= 5 and counted["next"]


@pytest.mark.parametrize(
    "query",
    ["after=-1", "before=x", "limit=1001", "limit=0", "since=yesterday", "q=%00", "actor=a%00b", "q=" + "x" * 201,
     "after=99999999999999999999", "session=" + "s" * 49],
)  # fmt: skip
def test_what_cannot_be_looked_for_is_refused(http: httpx.Client, query: str) -> None:
    refused = http.get(f"/api/audit?{query}")
    assert refused.status_code == 400, refused.text
    assert refused.headers["content-type"] == "application/problem+json"


def test_pages_of_the_audit_log_have_each_event_once_while_more_come(plane: RunningPlane, http: httpx.Client) -> None:
    check_pages(plane, http)


def check_pages(plane: RunningPlane, http: httpx.Client) -> None:
    seen: list[int] = []
    before = None
    while True:
        query: dict[str, Any] = {"newest": "true", "limit": 7} | ({} if before is None else {"before": before})
        page = http.get("/api/audit", params=query).json()
        seen += [event["id"] for event in page["events"]]
        plane.new_key("meanwhile")
        if "next" not in page:
            break
        before = page["next"]
    assert seen == sorted(set(seen), reverse=True) and seen[-1] == 1
    assert seen == list(range(seen[0], 0, -1))


def test_a_drained_host_takes_no_more_ends_nothing_and_stays_so_over_a_restart() -> None:
    with state_folder() as state:
        flags = ("--host-name", "node 3-ä", "--keep-sessions")
        with running_plane(*flags, state_dir=state) as first, first.client() as client:
            key = first.key
            before = first.create()
            at = "/api/hosts/node%203-%C3%A4"
            drained = client.post(f"{at}/drain")
            assert drained.status_code == 200, drained.text
            assert drained.json()["drainedBy"] == "admin" and drained.json()["sessions"] == 1
            assert client.post(f"{at}/drain").json()["drainedAt"] == drained.json()["drainedAt"]
            refused = client.post("/api/sessions", json={"mode": "none"})
            assert refused.status_code == 503 and refused.json()["code"] == "draining"
            assert client.get("/readyz").status_code == 503
            assert first.get(before["id"])["state"] == "running"
        with running_plane(*flags, state_dir=state, key=key) as second, second.client() as client:
            assert client.post("/api/sessions", json={"mode": "none"}).json()["code"] == "draining"
            assert second.get(before["id"])["state"] == "running"
            assert "drainedAt" not in client.post(f"{at}/undrain").json()
            assert client.post(f"{at}/undrain").status_code == 200
            until(lambda: client.get("/readyz").status_code == 200, what="ready again")
            after = second.create()
            for session in (before, after):
                client.delete(f"/api/sessions/{session['id']}")
            kinds = [event["kind"] for event in client.get("/api/audit").json()["events"]]
            assert kinds.count("host.drained") == kinds.count("host.undrained") == 1
            assert client.post("/api/hosts/elsewhere/drain").status_code == 404


def test_a_drained_host_keeps_no_box_warm() -> None:
    usual = ("--pool-size", "1", "--pool-mode", "none")
    with running_plane(*usual) as plane, plane.client() as client:

        def host() -> dict[str, Any]:
            found: dict[str, Any] = client.get("/api/hosts").json()["hosts"][0]
            return found

        until(lambda: host()["warm"] == 1, what="a warm box")
        until(lambda: host()["warmWanted"] == 1, what="its report")
        client.post(f"/api/hosts/{host()['name']}/drain")
        until(lambda: host()["warm"] == 0 and host()["warmWanted"] == 0, what="no warm box")
        client.post(f"/api/hosts/{host()['name']}/undrain")
        until(lambda: host()["warm"] == 1, what="a warm box again")


def test_hosts_are_drained_from_the_command_line_and_by_the_sdk(plane: RunningPlane) -> None:
    environment = {"BELLJAR_TOKEN": plane.key, "BELLJAR_URL": plane.url, "PATH": "/usr/bin:/bin"}

    def belljar(*words: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "belljar", *words]
        return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, env=environment)

    with Belljar(plane.url, plane.key) as jar:
        [host] = jar.administration.hosts().hosts
        said = belljar("hosts", "drain", host.name)
        assert said.returncode == 0 and "takes no more sessions" in said.stdout, said.stderr
        assert "drained" in belljar("hosts", "ls").stdout
        assert jar.administration.hosts().hosts[0].drained_by == "admin"
        assert jar.administration.undrain(host.name).drained_at is None
        assert belljar("hosts", "undrain", host.name).returncode == 0
        missing = belljar("hosts", "drain", "nowhere")
        assert missing.returncode == 1 and "not found: host nowhere" in missing.stderr
        assert jar.administration.users(q="admin").users[0].user_id == "admin"
        assert jar.administration.limits().per_user.sessions == 2
        assert {one.name: one.source for one in jar.administration.settings().settings}["port"] == "flag"
        assert not jar.administration.checks().ok
        assert jar.records.audit(newest=True, limit=1, count=True).total
        key = jar.keys.create("eve")
        assert jar.keys.get(key.id).tokens == 0 and jar.keys.revoke(key.id, end_sessions=True).sessions == []
