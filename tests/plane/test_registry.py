"""The registry, on SQLite and on PostgreSQL."""

import json
import os
import time
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

import anyio
import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, inspect, text

from belljar.plane import kernel
from belljar.plane.access.secrets import MasterKey
from belljar.plane.bootstrap import CannotUseDatabase, prepare
from belljar.plane.boxes.launchers.base import Handle
from belljar.plane.peers import Peers
from belljar.plane.registry import (
    BoxState,
    HostNameTaken,
    OriginRevoked,
    OtherProtocol,
    Registry,
    TicketRow,
    TicketUse,
    TokenRow,
    open_registry,
)
from belljar.plane.registry.database import migrations
from belljar.plane.registry.events import EventSearch
from belljar.plane.registry.schema import metadata
from belljar.plane.registry.sessions import Taken
from belljar.plane.settings import PlaneSettings
from belljar.wire.access import CreateKey, KeyRole
from belljar.wire.sessions import EndReason
from belljar.wire.sessions import SessionState as S


def new_row(id: str = "one", **changes: Any) -> dict[str, Any]:
    now = time.time()
    row: dict[str, Any] = {
        "id": id,
        "user_id": "ann",
        "state": S.PENDING,
        "host": "here",
        "place": "here",
        "plane_id": "plane",
        "spec": {},
        "tags": {},
        "metadata": {},
        "revoked": False,
        "created_at": now,
        "moved_at": now,
        "expires_at": now + 60,
        "idle_timeout": 600,
        "peak_memory": 0,
        "cpu_seconds": 0,
        "egress_bytes": 0,
    }
    return row | changes


async def add(registry: Registry, id: str = "one", **changes: Any) -> None:
    async with registry.database.admission() as connection:
        await registry.sessions.add(new_row(id, **changes), connection)


async def lend(registry: Registry, box: str, session: str) -> bool:
    async with registry.database.write() as connection:
        return await registry.boxes.lend(box, session, connection)


def a_token(id: str, now: float, **more: Any) -> TokenRow:
    return TokenRow(id, "one", "ann", "view", "", now, now + 60, **more)


def a_ticket(digest: str, **more: Any) -> TicketRow:
    values = {"use": TicketUse.LIVE, "user_id": "ann", "role": "drive", "expires_at": time.time() + 60}
    return TicketRow(digest, session_id="one", **{**values, **more})


async def test_the_migrations_make_the_schema_the_code_has(registry: Registry) -> None:
    def differences(connection: Connection) -> list[object]:
        return list(compare_metadata(MigrationContext.configure(connection), metadata))

    async with registry.database.read() as connection:
        assert await connection.run_sync(differences) == []


async def test_opening_twice_finds_the_same_installation(registry: Registry, database_url: str) -> None:
    async with open_registry(database_url) as again:
        assert again.installation == registry.installation


async def test_two_that_open_a_fresh_database_at_once_agree(database_url: str) -> None:
    found: set[str] = set()

    async def open_it() -> None:
        async with open_registry(database_url) as opened:
            found.add(opened.installation)

    async with anyio.create_task_group() as tasks:
        for _ in range(3):
            tasks.start_soon(open_it)
    assert len(found) == 1


async def test_of_many_who_move_a_session_one_wins(registry: Registry) -> None:
    await add(registry)
    won: list[int] = []

    async def try_to(number: int) -> None:
        if await registry.sessions.move("one", S.PENDING, S.STARTING, actor=str(number), box_id=f"box{number}"):
            won.append(number)

    async with anyio.create_task_group() as tasks:
        for number in range(8):
            tasks.start_soon(try_to, number)
    row = await registry.sessions.get("one")
    assert row is not None and row.state is S.STARTING
    assert [row.box_id] == [f"box{number}" for number in won]
    kinds = [event["kind"] for event in await registry.events.list(session_id="one")]
    assert kinds == ["session.pending", "session.starting"]


async def test_an_id_is_taken_once(registry: Registry) -> None:
    await add(registry)
    with pytest.raises(Taken):
        await add(registry)
    with pytest.raises(Taken):
        await add(registry, "two", idempotency_key="k")
        await add(registry, "three", idempotency_key="k")
    await add(registry, "four", idempotency_key="k", user_id="bob")


async def test_list_filters_and_pages(registry: Registry) -> None:
    for number in range(5):
        await add(registry, f"s{number}", created_at=float(number), tags={"team": "a" if number % 2 else "b"})
    await add(registry, "bobs", user_id="bob", tags={"other.name": "x"})
    ids = [row.id for row in await registry.sessions.list(user_id="ann")]
    assert ids == ["s4", "s3", "s2", "s1", "s0"]
    assert [row.id for row in await registry.sessions.list(tags={"team": "a"})] == ["s3", "s1"]
    assert [row.id for row in await registry.sessions.list(tags={"other.name": None})] == ["bobs"]
    page = await registry.sessions.list(user_id="ann", limit=2, before=(3.0, "s3"))
    assert [row.id for row in page] == ["s2", "s1"]
    assert await registry.sessions.list(states=[S.RUNNING]) == []


async def test_counting_and_the_line(registry: Registry) -> None:
    await add(registry, "a", created_at=1.0)
    await add(registry, "b", created_at=2.0, user_id="bob")
    async with registry.database.admission() as connection:
        assert await registry.sessions.counts(connection, "ann") == (1, 0, 2)
        assert await registry.sessions.is_first_in_line(connection, "a")
        assert not await registry.sessions.is_first_in_line(connection, "b")
        await registry.sessions.move("a", S.PENDING, S.STARTING, actor="test", connection=connection)
        assert await registry.sessions.counts(connection, "ann") == (1, 1, 1)
        assert await registry.sessions.is_first_in_line(connection, "b")


async def test_a_warm_box_is_lent_once(registry: Registry) -> None:
    await registry.boxes.add("box", host="here", place="here", plane_id="p", state=BoxState.STARTING, kind="k")
    assert not await lend(registry, "box", "s1")
    await registry.boxes.keep("box", Handle({"pid": 7}))
    await registry.boxes.warm("box")
    got: list[str] = []

    async def take(session: str) -> None:
        if await lend(registry, "box", session):
            got.append(session)

    async with anyio.create_task_group() as tasks:
        for number in range(5):
            tasks.start_soon(take, f"s{number}")
    row = await registry.boxes.get("box")
    assert row is not None and [row.session_id] == got and row.handle == Handle({"pid": 7})
    await registry.boxes.remove("box")
    assert await registry.boxes.list(place="here") == []


async def test_a_ticket_is_spent_once_and_not_after_its_time(registry: Registry) -> None:
    later, past = time.time() + 60, time.time() - 1
    rows = [a_ticket(digest, expires_at=at) for digest, at in (("good", later), ("old", past))]
    await registry.tokens.add([], rows, actor="test")
    assert (await registry.tokens.ticket("good")) is not None
    outcomes: list[bool] = []

    async def spend() -> None:
        outcomes.append(await registry.tokens.spend("good"))

    async with anyio.create_task_group() as tasks:
        for _ in range(5):
            tasks.start_soon(spend)
    assert sum(outcomes) == 1
    assert not await registry.tokens.spend("old")
    assert await registry.tokens.ticket("good") is None


async def test_a_revoked_token_is_listed_as_such_and_takes_its_tickets_along(registry: Registry) -> None:
    now = time.time()
    await registry.tokens.add([a_token("t1", now)], [a_ticket("d", token_id="t1")], actor="test")
    assert await registry.tokens.revoke("one", "t1", actor="ann") == frozenset({"t1"})
    assert await registry.tokens.revoke("one", "t1", actor="ann") == frozenset({"t1"})
    assert await registry.tokens.revoke("one", "other", actor="ann") is None
    assert await registry.tokens.revoked(["one", "two"]) == {"one": {"t1"}}
    assert not await registry.tokens.spend("d")


async def test_a_revoked_token_takes_along_all_that_goes_back_to_it(registry: Registry) -> None:
    """A link that somebody made who had signed in by a link, and so on."""
    now = time.time()
    await registry.tokens.add([a_token("t1", now), a_token("other", now)], actor="test")
    for before, after in (("t1", "t2"), ("t2", "t3"), ("t3", "t4")):
        await registry.tokens.add([a_token(after, now, parent_id=before)], actor="test")
        await registry.tokens.add([], [a_ticket(f"of-{after}", token_id=after)], actor="test")
    assert await registry.tokens.revoke("one", "t2", actor="ann") == frozenset({"t2", "t3", "t4"})
    assert await registry.tokens.revoked(["one"]) == {"one": {"t2", "t3", "t4"}}
    assert [await registry.tokens.spend(f"of-t{number}") for number in (2, 3, 4)] == [False] * 3
    assert await registry.tokens.revoke("one", "t1", actor="ann") == frozenset({"t1"})
    for late in (a_token("t5", now, parent_id="t4"), a_token("t6", now, parent_id="never-made")):
        with pytest.raises(OriginRevoked):
            await registry.tokens.add([late], actor="test")


async def test_a_revoked_key_takes_along_its_tokens_and_tickets(registry: Registry) -> None:
    now = time.time()
    for id in ("k1", "k2"):
        await registry.keys.add(id, "digest", CreateKey(user="ann"), actor="cli")
    of_key = [a_token("t1", now, key_id="k1"), a_token("t2", now, key_id="k1"), a_token("t3", now, key_id="k2")]
    await registry.tokens.add(of_key, [a_ticket("d1", key_id="k1"), a_ticket("d2", key_id="k2")], actor="test")
    gone = await registry.keys.revoke("k1", actor="admin")
    assert gone is not None and sorted(gone) == [("one", "t1"), ("one", "t2")]
    assert await registry.tokens.revoked(["one"]) == {"one": {"t1", "t2"}}
    assert await registry.keys.revoked(["k1", "k2", "k3"]) == {"k1"}
    assert not await registry.tokens.spend("d1") and await registry.tokens.spend("d2")
    with pytest.raises(OriginRevoked):
        await registry.tokens.add([a_token("late", now, key_id="k1")], actor="test")
    assert await registry.tokens.get("late") is None
    assert await registry.keys.revoke("k1", actor="admin") == ()
    assert [event["kind"] for event in await registry.events.list()].count("key.revoked") == 1


async def test_nothing_made_while_its_key_is_revoked_stays_good(registry: Registry) -> None:
    """Whoever comes second sees the first: the token is refused, or revoked with the key."""
    now = time.time()
    for round in range(20):
        key = f"k{round}"
        await registry.keys.add(key, "digest", CreateKey(user="ann"), actor="cli")

        async def make(key: str = key) -> None:
            with suppress(OriginRevoked):
                await registry.tokens.add(
                    [a_token(f"of-{key}", now, key_id=key)], [a_ticket(f"d-{key}", key_id=key)], actor="test"
                )

        async def revoke(key: str = key) -> None:
            await registry.keys.revoke(key, actor="admin")

        async with anyio.create_task_group() as tasks:
            for work in (make, revoke) if round % 2 else (revoke, make):
                tasks.start_soon(work)
        made = await registry.tokens.get(f"of-{key}")
        assert made is None or made.revoked_at is not None
        assert not await registry.tokens.spend(f"d-{key}")


async def test_tokens_from_before_tickets_had_a_use_are_kept(database_url: str) -> None:
    """The schema of an earlier release, with a token and a ticket in it, is brought up to date."""
    async with open_registry(database_url) as registry:
        await add(registry)
        await registry.tokens.add([a_token("t1", 5.0)], [a_ticket("d")], actor="test")
        async with registry.database.write() as connection:
            await connection.run_sync(lambda sync: command.downgrade(migrations(sync), "0001"))
            columns = await connection.run_sync(
                lambda sync: {one["name"] for one in inspect(sync).get_columns("tokens")}
            )
            assert "key_id" not in columns
    async with open_registry(database_url) as registry:
        [kept] = await registry.tokens.list("one")
        assert (kept.id, kept.user_id, kept.key_id, kept.expires_at) == ("t1", "ann", None, 65.0)
        assert await registry.tokens.ticket("d") is None, "nothing says what it was for"


async def test_keys(registry: Registry) -> None:
    assert await registry.keys.first_admin() is None
    await registry.keys.add("k1", "digest", CreateKey(user="ann", role=KeyRole.ADMIN, max_ttl=5), actor="cli")
    first = await registry.keys.first_admin()
    assert first is not None and first.user_id == "ann" and first.is_admin and first.max_ttl == 5
    assert await registry.keys.revoke("k1", actor="cli") == []
    assert await registry.keys.revoke("k2", actor="cli") is None
    assert await registry.keys.first_admin() is None
    assert [event["kind"] for event in await registry.events.list()] == ["key.made", "key.revoked"]


async def test_a_profile_is_one_sessions_at_a_time(registry: Registry) -> None:
    await registry.profiles.add("p", user_id="ann", name="shop", host="here", actor="ann")
    assert await registry.profiles.take("p", "one")
    assert not await registry.profiles.take("p", "two")
    assert not await registry.profiles.remove("p", actor="ann")
    await registry.profiles.give_back("one")
    assert await registry.profiles.take("p", "two")
    await registry.profiles.give_back("two")
    assert await registry.profiles.remove("p", actor="ann")
    assert await registry.profiles.list("ann") == []


async def test_what_is_long_over_is_forgotten_with_all_that_hung_on_it(registry: Registry) -> None:
    now = time.time()
    await add(registry)
    await add(registry, "young")
    await registry.tokens.add([a_token("t1", now)], actor="test")
    for id, at in (("one", 10.0), ("young", now)):
        await registry.sessions.move(id, S.PENDING, S.FAILED, actor="test", reason=EndReason.FAILED, ended_at=at)
    assert await registry.sessions.forget(now - 60) == ["one"]
    assert await registry.sessions.get("one") is None
    assert await registry.tokens.list("one") == []
    assert await registry.events.list(session_id="one") == []
    assert (await registry.sessions.get("young")) is not None


async def _older_plane(url: str, process: dict[str, Any], seen_at: float) -> None:
    """As a control plane of the release before left it."""
    async with open_registry(url) as registry:
        async with registry.database.write() as connection:
            await connection.run_sync(lambda sync: command.downgrade(migrations(sync), "0003"))
            values = {"process": json.dumps(process), "seen_at": seen_at}
            await connection.execute(
                text("insert into planes values ('p-old', 'there', null, cast(:process as json), 0, :seen_at)")
                if not registry.database.is_sqlite
                else text("insert into planes values ('p-old', 'there', null, :process, 0, :seen_at)"),
                values,
            )


async def test_beside_a_plane_of_an_older_release_the_schema_is_not_changed(database_url: str) -> None:
    me = kernel.identify(os.getpid())
    assert me is not None
    living = {"pid": me.pid, "startTime": me.start_time, "bootId": kernel.boot_id()}
    await _older_plane(database_url, living, seen_at=0.0)
    with pytest.raises(OtherProtocol, match="p-old on there"):
        async with open_registry(database_url):
            pass


async def test_one_that_was_heard_lately_may_live_and_one_that_was_not_is_dead(database_url: str) -> None:
    elsewhere = {"pid": 1, "startTime": 1, "bootId": "another"}
    await _older_plane(database_url, elsewhere, seen_at=time.time())
    with pytest.raises(OtherProtocol, match="wait 15 seconds"):
        async with open_registry(database_url):
            pass


async def test_the_rows_of_an_older_release_are_in_the_place_of_their_host(database_url: str) -> None:
    await _older_plane(database_url, {"pid": 1, "startTime": 1, "bootId": "another"}, seen_at=0.0)
    async with open_registry(database_url) as registry:
        [plane] = await registry.planes.list()
        assert (plane.host, plane.place, plane.protocol) == ("there", "there", 1)
        await registry.planes.check_protocol()


async def test_a_plane_that_does_other_things_with_the_same_schema_is_not_joined(database_url: str) -> None:
    async with open_registry(database_url) as registry:
        process = {"pid": 1, "startTime": 1, "bootId": "another"}
        await registry.planes.add("p-new", host="there", place="there", peer_url=None, process=process)
        await registry.planes.check_protocol()
        async with registry.database.write() as connection:
            await connection.execute(text("update planes set protocol = protocol + 1"))
        with pytest.raises(OtherProtocol):
            await registry.planes.check_protocol()
        settings = PlaneSettings(database_url=database_url)
        with pytest.raises(CannotUseDatabase, match="another version of Belljar"):
            await prepare(settings, MasterKey(b"k" * 32))


async def test_a_plane_that_cannot_be_seen_has_its_hosts_name_to_itself(database_url: str) -> None:
    """As in two containers that share a name: each would take the other's boxes for its own, and end them."""
    hidden = {"pid": 1, "startTime": 1, "bootId": "another", "pidNamespace": "another"}
    settings = PlaneSettings(database_url=database_url, host_name="here")
    async with open_registry(database_url) as registry:
        await registry.planes.add("p-hidden", host="here", place="here", peer_url=None, process=hidden)
        with pytest.raises(CannotUseDatabase, match=r"p-hidden\) calls its host here too.*--host-name"):
            await prepare(settings, MasterKey(b"k" * 32))
        # One that comes at the same time has looked before there was a row: it gives way.
        late = Peers(registry, "here", "here", None)
        with pytest.raises(HostNameTaken):
            await late.join()
        assert [plane.id for plane in await registry.planes.list()] == ["p-hidden"]
        await Peers(registry, "elsewhere", "elsewhere", None).join()
        # Silent for long: it is gone.
        async with registry.database.write() as connection:
            await connection.execute(text("update planes set seen_at = seen_at - 20 where id = 'p-hidden'"))
        await prepare(settings, MasterKey(b"k" * 32))
        await late.join()
        # Among the processes here: control planes of one host may be many.
        await Peers(registry, "here", "here", None).join()


async def test_of_two_planes_of_one_name_that_join_at_once_the_first_stays(database_url: str) -> None:
    hidden = {"pid": 1, "startTime": 1, "bootId": "another", "pidNamespace": "another"}
    async with open_registry(database_url) as registry:
        first = Peers(registry, "here", "here", None)
        await first.join()
        await registry.planes.add("p-hidden", host="here", place="here", peer_url=None, process=hidden)
        await registry.planes.check_host("here", before=first.id)
        await first.refresh()
        assert first.id in {plane.id for plane in await registry.planes.list()}


async def test_the_time_that_an_event_says_finds_it(registry: Registry) -> None:
    """Shown rounded to a microsecond, which is after it, or before it."""
    second = 1_790_000_000.0
    for part in range(20):
        await registry.events.add("key.made", actor="ann", at=second + part * 1e-6 / 4)
    every = await registry.events.search(EventSearch(), limit=100)
    for event in every:
        said = datetime.fromtimestamp(event["at"], UTC).timestamp()
        found = await registry.events.search(EventSearch(since=said), limit=100)
        before = await registry.events.search(EventSearch(until=said), limit=100)
        assert event in found and event not in before and len(found) + len(before) == len(every)


async def test_the_audit_log_is_searched_alike_in_both_databases(registry: Registry) -> None:
    said = [
        ("key.made", "root", "ann", {"name": "Ünïcode 100% _x_", "keyId": "k1"}),
        ("session.running", "ann", "ann", {"note": 'said "yes" \\ <b>'}),
        ("session.stopped", "Bob", "ann", {"number": 4321}),
        ("sessions", "bob", "bob", {}),
    ]
    for number, (kind, actor, user, detail) in enumerate(said):
        await registry.events.add(kind, actor=actor, user_id=user, detail=detail, at=1000.0 + number)

    async def found(**wanted: Any) -> list[str]:
        search = EventSearch(**wanted)
        kinds = [str(event["kind"]) for event in await registry.events.search(search, limit=10)]
        assert await registry.events.count(search) == len(kinds)
        return kinds

    assert await found(kind="session.") == ["session.running", "session.stopped"]
    assert await found(kind="session") == []
    assert await found(actor="bob") == ["sessions"], "a name is looked for as it is"
    assert await found(text="BOB") == ["session.stopped", "sessions"], "text is not"
    for words in ("Ünïcode", "100% _X_", "K1"):
        assert await found(text=words) == ["key.made"], words
    assert await found(text='"yes" \\ <B>') == ["session.running"]
    assert await found(text="4321") == ["session.stopped"]
    for pattern in ("1%%0", "_____", "100%x"):
        assert await found(text=pattern) == [], "what is looked for is no pattern"
    assert await found(since=1001.0, until=1003.0) == ["session.running", "session.stopped"]
    assert await found(user_id="ann", text="session", actor="ann") == ["session.running"]
    newest = await registry.events.search(EventSearch(user_id="ann"), limit=2, newest=True)
    assert [event["kind"] for event in newest] == ["session.stopped", "session.running"]
    before = await registry.events.search(EventSearch(user_id="ann"), limit=2, before=newest[-1]["id"], newest=True)
    assert [event["kind"] for event in before] == ["key.made"]
