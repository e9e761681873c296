"""Where people are signed in: it is listed, ends by itself, and takes along what it opened."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest
from websockets.sync.client import ClientConnection, connect

from belljar.plane.access.apps import Apps, Refusal
from belljar.plane.access.sign_ins import SignInKeeper, Times, plain
from belljar.plane.registry import (
    ClientRow,
    OriginRevoked,
    Registry,
    SecretRow,
    SecretUse,
    SignInRow,
    TooManyClients,
)
from belljar.plane.routes.sign_ins import browser_name
from belljar.problems import TokenInvalid
from belljar.wire.access import CreateKey, KeyRole, SignInKind, SignInVia
from tests.plane.plane import PATIENCE, RunningPlane, close_of, running_plane, state_folder, until

WITHIN = 5.0
CHROME = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36"


class Browser:
    """A person's, signed in with a key."""

    def __init__(self, plane: RunningPlane, key: str | None = None) -> None:
        self.plane = plane
        headers = {"Origin": plane.url, "User-Agent": CHROME}
        self.http = httpx.Client(base_url=plane.url, headers=headers, timeout=PATIENCE)
        signed = self.http.post("/sign-in", json={"key": key or plane.key})
        assert signed.status_code == 200, signed.text
        self.set_cookie = signed.headers["set-cookie"]

    def status(self) -> int:
        return self.http.get("/api/me").status_code

    def own(self) -> dict[str, Any]:
        listed: list[dict[str, Any]] = self.http.get("/api/sign-ins").json()["signIns"]
        return next(one for one in listed if one["isCurrent"])

    @contextmanager
    def watching(self, session_id: str) -> Iterator[ClientConnection]:
        """As the app opens a session: by a ticket, for a cookie of that session."""
        tickets = self.http.post(f"/api/sessions/{session_id}/tickets", json={}).json()
        ticket = tickets["viewUrl"].partition("#ticket=")[2]
        signed = self.http.post(f"/s/{session_id}/view/session", json={"ticket": ticket})
        assert signed.status_code == 200, signed.text
        headers = {"Cookie": signed.headers["set-cookie"].partition(";")[0], "Origin": self.plane.url}
        at = self.plane.url.replace("http", "ws") + f"/s/{session_id}/v1/live"
        with connect(at, additional_headers=headers, proxy=None) as socket:
            yield socket

    @contextmanager
    def driving(self, session_id: str) -> Iterator[ClientConnection]:
        """By a ticket for a socket, with no token between."""
        tickets = self.http.post(f"/api/sessions/{session_id}/tickets", json={}).json()
        with connect(tickets["wsUrl"], additional_headers={"Origin": self.plane.url}, proxy=None) as socket:
            yield socket

    def __enter__(self) -> "Browser":
        return self

    def __exit__(self, *_: object) -> None:
        self.http.close()


@pytest.fixture(scope="module")
def plane() -> Iterator[RunningPlane]:
    with running_plane() as running:
        yield running


def test_a_browser_is_listed_with_what_one_knows_it_by(plane: RunningPlane) -> None:
    with Browser(plane, plane.new_key("lou")) as browser:
        own = browser.own()
        assert (own["name"], own["via"], own["kind"], own["user"]) == ("Chrome on Linux", "key", "browser", "lou")
        assert own["address"] == "127.0.0.1" and own["expiresAt"] > own["createdAt"]
        flags = browser.set_cookie.lower()
        assert "httponly" in flags and "samesite=strict" in flags and "max-age=43200" in flags
        assert "bj_" not in browser.set_cookie, "the key is not in it"


@pytest.mark.parametrize("by", ["signing out", "another browser", "the operator", "the key", "a new sign-in"])
def test_the_end_of_a_sign_in_closes_what_it_opened(plane: RunningPlane, by: str) -> None:
    user = by.replace(" ", "-")
    key = plane.new_key(user)
    session = plane.create(key)
    with Browser(plane, key) as browser, Browser(plane, key) as other:
        token = browser.http.post(f"/api/sessions/{session['id']}/tokens", json={"role": "view", "ttl": 600}).json()
        with (
            browser.watching(session["id"]) as watching,
            browser.driving(session["id"]) as driving,
            other.watching(session["id"]) as spared,
            browser.http.stream("GET", f"/api/sessions/{session['id']}/events") as stream,
        ):
            id = browser.own()["id"] if by != "signing out" else ""
            match by:
                case "signing out":
                    copy = browser.http.cookies.get("belljar_control")
                    assert browser.http.delete("/sign-in").json() == {"ok": True, "endAt": None}
                    assert httpx.get(f"{plane.url}/api/me", cookies={"belljar_control": copy or ""}).status_code == 401
                case "another browser":
                    assert other.http.delete(f"/api/sign-ins/{id}").json() == {"ok": True}
                    assert other.http.delete(f"/api/sign-ins/{id}").json() == {"ok": True}, "twice is fine"
                case "the operator":
                    with plane.client() as admin:
                        assert admin.delete(f"/api/sign-ins/{id}").status_code == 200
                case "the key":
                    with plane.client() as admin:
                        [row] = [row for row in admin.get("/api/keys").json()["keys"] if row["user"] == user]
                        admin.delete(f"/api/keys/{row['id']}")
                case _:
                    assert browser.http.post("/sign-in", json={"key": key}).status_code == 200
            for socket in (watching, driving):
                assert close_of(socket, within=WITHIN).reason == "credential over: revoked"
            if by == "the key":
                close_of(spared, within=WITHIN)
            else:
                spared.send('{"type": "ping"}')
                assert spared.recv(WITHIN)
                assert other.status() == 200
            try:
                for _ in stream.iter_raw():
                    pass
            except httpx.RemoteProtocolError:
                pass
        if by != "a new sign-in":
            assert browser.status() == 401
        shared = httpx.get(
            f"{plane.url}/s/{session['id']}/v1/health", headers={"Authorization": f"Bearer {token['token']}"}
        )
        assert shared.status_code == (401 if by == "the key" else 200), "what was handed on goes on"


def test_it_ends_by_its_time_and_by_idleness_and_not_while_somebody_watches() -> None:
    with running_plane("--sign-in-ttl", "6", "--sign-in-idle", "2") as plane:
        session = plane.create()
        with Browser(plane) as idle, Browser(plane) as watcher, Browser(plane) as busy:
            with watcher.watching(session["id"]) as socket:
                until(lambda: busy.status() == 200 and _is_over(plane, 1), what="the end of the idle one")
                assert idle.status() == 401
                assert watcher.status() == 200, "who watches is there"
                closed = close_of(socket)
                assert closed.code == 1008 and closed.reason.startswith("credential over")
            assert watcher.status() == 401 and busy.status() == 401
        with plane.client() as admin:
            assert admin.get("/api/sign-ins").json()["signIns"] == []
            kinds = [event["kind"] for event in admin.get("/api/audit").json()["events"]]
            assert kinds.count("signin.made") == 3
            until(lambda: _is_over(plane, 3), what="their end in the audit log")


def _is_over(plane: RunningPlane, count: int) -> bool:
    with plane.client() as admin:
        events = admin.get("/api/audit").json()["events"]
    return [event["kind"] for event in events].count("signin.ended") >= count


def test_it_ends_on_every_control_plane_of_the_database() -> None:
    with state_folder() as state:
        shared = ("--database-url", f"sqlite:///{state}/control.db", "--master-key-file", str(state / "master.key"))
        with (
            running_plane(*shared, state_dir=state) as one,
            running_plane(*shared, state_dir=state, key=one.key) as two,
        ):
            session = one.create()
            with Browser(two) as browser, browser.watching(session["id"]) as socket:
                with one.client() as admin:
                    [listed] = admin.get("/api/sign-ins").json()["signIns"]
                    assert admin.delete(f"/api/sign-ins/{listed['id']}").status_code == 200
                assert close_of(socket, within=WITHIN).reason == "credential over: revoked"
                assert browser.status() == 401


def test_a_forged_or_foreign_cookie_opens_nothing(plane: RunningPlane) -> None:
    with Browser(plane) as browser:
        good = browser.http.cookies.get("belljar_control") or ""
    for cookie in ("", "bjs_", good[:-1], good + "x", "bjs_" + "a" * 43, "a.b.c"):
        assert httpx.get(f"{plane.url}/api/me", cookies={"belljar_control": cookie}).status_code == 401
    headers = {"Origin": "https://evil.example"}
    assert httpx.post(f"{plane.url}/sign-in", json={"key": plane.key}, headers=headers).status_code == 403


def test_browsers_are_called_what_people_call_them() -> None:
    assert browser_name(CHROME) == "Chrome on Linux"
    assert browser_name("curl/8.0") == "curl/8.0" and browser_name("") == "unknown"
    assert plain("a\u202eb\x00c\n<b>", 256) == "a b c <b>" and len(plain("x" * 9000, 256)) == 256


class _Nothing:
    """No connections are open."""

    def tokens_revoked(self, session_id: str, token_ids: object) -> None: ...

    def opened_by(self) -> tuple[frozenset[str], frozenset[str]]:
        return frozenset(), frozenset()


async def test_at_rest_it_is_a_digest_and_goes_with_its_key(registry: Registry) -> None:
    wanted = CreateKey(user="ann", max_sessions=3)
    row = await registry.keys.add("k1", "digest", wanted, actor="test")
    keeper = SignInKeeper(registry, _Nothing(), Times(60, 30))
    cookie, made = await keeper.sign_in(row, SignInVia.KEY, name="a browser", address="")
    judged = await keeper.judge_cookie(cookie)
    assert judged is not None and judged[0].sign_in_id == made.id and judged[0].max_sessions == 3
    assert cookie not in repr(await registry.sign_ins.by_secret("x" * 64, SecretUse.COOKIE))
    assert [one.id for one in await registry.sign_ins.list("ann", SignInKind.BROWSER, 10)] == [made.id]
    assert await registry.sign_ins.list("bob", None, 10) == []
    await registry.keys.revoke("k1", actor="test")
    assert await keeper.judge_cookie(cookie) is None
    assert await registry.sign_ins.over({made.id}) == {made.id}
    with pytest.raises(TokenInvalid):
        await keeper.sign_in(row, SignInVia.KEY, name="", address="")
    await keeper.look()
    await registry.sign_ins.forget()


async def test_a_person_of_a_provider_is_made_once_kept_and_shut_out(registry: Registry) -> None:
    made = await registry.keys.put_person("p-1", CreateKey(user="ann"), may_share_name=False)
    assert made.is_person and made.role is KeyRole.USER
    promoted = CreateKey(user="another-name", role=KeyRole.ADMIN, max_ttl=60)
    again = await registry.keys.put_person("p-1", promoted, may_share_name=False)
    assert (again.user_id, again.role, again.max_ttl) == ("ann", KeyRole.ADMIN, 60)
    assert await registry.keys.first_admin() is None, "nobody holds it"
    keeper = SignInKeeper(registry, _Nothing(), Times(60, 30))
    cookie, _ = await keeper.sign_in(again, SignInVia.OIDC, name="a browser", address="")
    await registry.keys.revoke("p-1", actor="test")
    with pytest.raises(OriginRevoked):
        await registry.keys.put_person("p-1", promoted, may_share_name=False)
    for _ in range(2):
        await registry.keys.admit("p-1", actor="root")
    back = await registry.keys.put_person("p-1", promoted, may_share_name=False)
    assert back.user_id == "ann" and back.revoked_at is None
    assert await keeper.judge_cookie(cookie) is None, "what was ended stays so"
    kinds = [(event["kind"], event["actor"]) for event in await registry.events.list()]
    assert kinds.count(("person.admitted", "root")) == 1


async def test_a_revoked_key_is_not_let_in_again(registry: Registry) -> None:
    await registry.keys.add("k1", "digest", CreateKey(user="ann"), actor="test")
    await registry.keys.revoke("k1", actor="test")
    await registry.keys.admit("k1", actor="root")
    row = await registry.keys.get("k1")
    assert row is not None and row.revoked_at is not None


async def test_apps_that_nobody_let_in_make_room_and_one_that_somebody_did_never(registry: Registry) -> None:
    person = await registry.keys.add("k1", "digest", CreateKey(user="ann"), actor="test")

    def app(number: int, address: str) -> ClientRow:
        return ClientRow(f"app-{number}", "an app", ["https://app.example"], "none", float(number), address=address)

    async def left() -> list[int]:
        found = [number for number in range(30) if await registry.sign_ins.client(f"app-{number}") is not None]
        return found

    async def let_in(number: int) -> None:
        row = SignInRow(
            f"s-{number}", SignInKind.APP, "ann", person.id, SignInVia.CONSENT, "an app", "", 1.0, 1.0,
            time.time() + 60, client_id=f"app-{number}",
        )  # fmt: skip
        await registry.sign_ins.add(row, [SecretRow(f"d-{number}", row.id, SecretUse.CODE, row.expires_at)])

    await registry.sign_ins.add_client(app(0, "flood"), 6, 3)
    await let_in(0)
    await registry.sign_ins.add_client(app(1, "other"), 6, 3)
    for number in range(2, 9):
        await registry.sign_ins.add_client(app(number, "flood"), 6, 3)
    assert await left() == [0, 1, 6, 7, 8], "of one address the newest, beside what somebody let in and others'"
    for number in range(9, 14):
        await registry.sign_ins.add_client(app(number, f"address-{number}"), 6, 3)
    assert await left() == [0, 9, 10, 11, 12, 13], "of all the newest, where there is no more room"
    for number in range(9, 14):
        await let_in(number)
    with pytest.raises(TooManyClients):
        await registry.sign_ins.add_client(app(20, "last"), 6, 3)
    assert await left() == [0, 9, 10, 11, 12, 13]


def test_the_state_folder_has_no_cookie_in_it(plane: RunningPlane) -> None:
    with Browser(plane) as browser:
        cookie = browser.http.cookies.get("belljar_control") or "none"
        files = [path for path in Path(plane.state_dir).rglob("*") if path.is_file()]
        assert files and not any(cookie.encode() in path.read_bytes() for path in files)


async def test_addresses_that_one_client_has_many_of_are_one(registry: Registry) -> None:
    apps = Apps(registry, SignInKeeper(registry, _Nothing(), Times(60, 30)))
    asked = {"redirect_uris": ["https://app.example/back"]}
    made = [await apps.register(asked, f"2001:db8::{number:x}") for number in range(10)]
    with pytest.raises(Refusal, match="wait"):
        await apps.register(asked, "2001:db8::ffff:1")
    first = await registry.sign_ins.client(made[0].client_id)
    assert first is not None and first.address == "2001:db8::/64"
    await apps.register(asked, "2001:db8:0:1::1")
