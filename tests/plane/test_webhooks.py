"""Webhooks: what is told, signed how, how often, and where nothing is sent."""

import sqlite3
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, closing
from http.server import BaseHTTPRequestHandler
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest

from belljar.egress.policy.addresses import Address
from belljar.plane import webhooks
from belljar.plane.access.secrets import MasterKey
from belljar.plane.registry import Registry
from belljar.plane.webhooks import AddressRules, BadAddress, NotTaken, Secrets, read_address, read_networks
from belljar.problems import NotFound
from belljar.sdk import Belljar
from belljar.wire.webhooks import CreateWebhook, DeliveryState, WebhookKind
from tests.plane.plane import RunningPlane, running_plane, state_folder, until
from tests.plane.postgres import Postgres
from tests.plane.receiver import Received, Receiver, running_receiver, with_status

LOOPBACK = ("--webhook-network", "127.0.0.0/8")
QUICK = (*LOOPBACK, "--webhook-retries", "0.1,0.1,0.1")
LIFE = ["session.created", "session.running", "session.stopped"]


@pytest.fixture(scope="module")
def plane() -> Iterator[RunningPlane]:
    with running_plane(*QUICK) as running:
        yield running


@pytest.fixture
def receiver(plane: RunningPlane) -> Iterator[Receiver]:
    """Whatever webhooks a test made are gone after it."""
    with running_receiver() as running:
        try:
            yield running
        finally:
            with plane.client() as client:
                for webhook in client.get("/api/webhooks").json()["webhooks"]:
                    client.delete(f"/api/webhooks/{webhook['id']}")


def hook(plane: RunningPlane, receiver: Receiver, **more: Any) -> dict[str, Any]:
    with plane.client() as client:
        answer = client.post("/api/webhooks", json={"url": receiver.url, **more})
    assert answer.status_code == 201, answer.text
    made: dict[str, Any] = answer.json()
    return made


def deliveries(plane: RunningPlane, webhook: dict[str, Any], **query: Any) -> list[dict[str, Any]]:
    with plane.client() as client:
        found: list[dict[str, Any]] = client.get(f"/api/webhooks/{webhook['id']}/deliveries", params=query).json()[
            "deliveries"
        ]
    return found


def end(plane: RunningPlane, session: dict[str, Any]) -> None:
    with plane.client() as client:
        assert client.delete(f"/api/sessions/{session['id']}").json()["state"] == "stopped"


def test_a_sessions_life_is_told_signed_and_once(plane: RunningPlane, receiver: Receiver) -> None:
    webhook = hook(plane, receiver, name="ours")
    session = plane.create(tags={"team": "web"})
    end(plane, session)
    received = receiver.wait_for(3)
    assert sorted(receiver.kinds(session["id"])) == sorted(LIFE)
    assert all(one.is_signed_with(webhook["secret"]) for one in received)
    assert len({one.id for one in received}) == 3
    stopped = next(one.json for one in received if one.json["type"] == "session.stopped")
    assert stopped["data"]["reason"] == "released"
    assert stopped["data"]["tags"] == {"team": "web"}
    assert received[0].path == "/hook?key=s3cret"
    until(lambda: {one["state"] for one in deliveries(plane, webhook)} == {"delivered"})
    assert len(receiver.received) == 3


def test_neither_the_secret_nor_the_addresss_own_is_in_a_log_or_a_list(plane: RunningPlane, receiver: Receiver) -> None:
    receiver.answer = with_status(500)
    webhook = hook(plane, receiver)
    end(plane, plane.create())
    until(lambda: deliveries(plane, webhook, state="dead"), what="a dead letter")
    log = plane.log.read_text()
    assert "webhook.not_taken" in log
    assert webhook["secret"] not in log
    assert "s3cret" not in log
    with plane.client() as client:
        assert "whsec_" not in client.get("/api/webhooks").text
        assert "s3cret" not in client.get("/api/audit?limit=1000").text


def test_only_the_kinds_that_were_asked_for_are_told(plane: RunningPlane, receiver: Receiver) -> None:
    hook(plane, receiver, kinds=["session.stopped"])
    end(plane, plane.create())
    receiver.wait_for(1)
    assert receiver.kinds() == ["session.stopped"]


def test_what_is_not_taken_is_sent_again_with_the_same_id_until_it_is(plane: RunningPlane, receiver: Receiver) -> None:
    attempts: Counter[str] = Counter()

    def third_time(handler: BaseHTTPRequestHandler, one: Received) -> None:
        attempts[one.id] += 1
        with_status(200 if attempts[one.id] == 3 else 503)(handler, one)

    receiver.answer = third_time
    webhook = hook(plane, receiver, kinds=["session.running"])
    plane.create()
    delivered = until(lambda: deliveries(plane, webhook, state="delivered"))
    assert [(one["attempts"], one.get("error")) for one in delivered] == [(3, None)]
    assert list(attempts.values()) == [3]


def test_what_is_never_taken_is_given_up_and_can_be_sent_again(plane: RunningPlane, receiver: Receiver) -> None:
    receiver.answer = with_status(500)
    webhook = hook(plane, receiver, kinds=["session.running"])
    session = plane.create()
    (dead,) = until(lambda: deliveries(plane, webhook, state="dead"), what="a dead letter")
    assert (dead["attempts"], dead["status"], dead["error"], dead["sessionId"]) == (4, 500, "refused", session["id"])
    assert len(receiver.received) == 4
    receiver.answer = with_status(200)
    with plane.client() as client:
        again = client.post(f"/api/webhooks/{webhook['id']}/deliveries/{dead['id']}/redeliver")
        assert (again.status_code, again.json()["state"]) == (202, "pending")
    until(lambda: deliveries(plane, webhook, state="delivered"), what="the delivery")
    assert receiver.received[-1].id == dead["id"]
    assert deliveries(plane, webhook, state="dead") == []


def test_a_redirect_is_not_followed(plane: RunningPlane, receiver: Receiver) -> None:
    with running_receiver() as other:
        receiver.answer = with_status(307, Location=other.url)
        webhook = hook(plane, receiver, kinds=["webhook.test"])
        with plane.client() as client:
            assert client.post(f"/api/webhooks/{webhook['id']}/test").status_code == 202
        (dead,) = until(lambda: deliveries(plane, webhook, state="dead"))
        assert (dead["status"], dead["error"]) == (307, "a redirect, which is not followed")
        assert other.received == []


def test_a_receiver_that_is_gone_is_sent_nothing_more_until_its_secret_is_changed(
    plane: RunningPlane, receiver: Receiver
) -> None:
    receiver.answer = with_status(410)
    webhook = hook(plane, receiver, kinds=["webhook.test"])
    with plane.client() as client:
        test = f"/api/webhooks/{webhook['id']}/test"
        client.post(test)
        until(lambda: "disabledAt" in client.get("/api/webhooks").json()["webhooks"][0])
        assert client.post(test).status_code == 404
        receiver.answer = with_status(200)
        rotated = client.post(f"/api/webhooks/{webhook['id']}/rotate").json()
        assert rotated["secret"] != webhook["secret"]
        assert client.post(test).status_code == 202
    received = receiver.wait_for(2)[-1]
    assert received.is_signed_with(rotated["secret"])
    assert received.is_signed_with(webhook["secret"]), "for a day both sign"


def test_endless_and_slow_answers_hold_up_nobody(plane: RunningPlane, receiver: Receiver) -> None:
    over = threading.Event()
    sent = Counter[str]()

    def endless(handler: BaseHTTPRequestHandler, _: Received) -> None:
        handler.send_response(200)
        handler.end_headers()
        while not over.is_set():
            handler.wfile.write(b"x" * 65536)
            sent["bytes"] += 65536

    def silent(handler: BaseHTTPRequestHandler, _: Received) -> None:
        over.wait(60)

    with running_receiver() as slow, running_receiver() as good:
        receiver.answer, slow.answer = endless, silent
        hooks = [hook(plane, one, kinds=["webhook.test"]) for one in (receiver, slow, good)]
        with plane.client() as client:
            for _ in range(6):
                for one in hooks[:2]:
                    client.post(f"/api/webhooks/{one['id']}/test")
            client.post(f"/api/webhooks/{hooks[2]['id']}/test")
        try:
            until(lambda: len(deliveries(plane, hooks[2], state="delivered")) == 1)
            until(lambda: len(deliveries(plane, hooks[0], state="delivered")) == 6)
            assert len(slow.received) == 4, "to one that does not answer no more than four go at a time"
            assert {one["state"] for one in deliveries(plane, hooks[1])} == {"pending"}
        finally:
            over.set()
        # What a socket's buffers take, and no more.
        assert sent["bytes"] < 64 << 20


async def test_a_name_that_leads_elsewhere_at_the_next_lookup_is_judged_again() -> None:
    answers: list[tuple[str, ...]] = [("93.184.215.14",), ("127.0.0.1",), ("93.184.215.14", "10.0.0.1"), ()]

    async def rebinding(_: str) -> tuple[Address, ...]:
        return tuple(map(ip_address, answers.pop(0)))

    rules = AddressRules((), rebinding)
    target = read_address("https://hook.example/")
    assert await rules.check(target) == (ip_address("93.184.215.14"),)
    for why in ("loopback", "private", "no address"):
        with pytest.raises(BadAddress, match=why):
            await rules.check(target)


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("https://127.0.0.1/", "loopback"),
        ("https://localhost/", "loopback"),
        ("https://[::1]/", "loopback"),
        ("https://[::ffff:127.0.0.1]/", "loopback"),
        ("https://0x7f.1/", "loopback"),
        ("https://2130706433/", "loopback"),
        ("https://169.254.169.254/latest", "metadata"),
        ("https://10.1.2.3/", "private"),
        ("https://192.168.0.1:8443/", "private"),
        ("http://93.184.215.14/", "Without TLS"),
        ("ftp://hook.example/", "https://"),
        ("https://", "host"),
        ("https://ann:secret@hook.example/", "host"),
        ("https://hook.example/ hi", "spaces"),
        ("https://hook.example/\r\nX: y", "spaces"),
        ("https://hook.example/#top", "fragment"),
        ("https://hook.example:99999/", "port"),
        ("not an address", "https://"),
    ],
)
async def test_addresses_that_nothing_is_sent_to(url: str, why: str) -> None:
    with pytest.raises(BadAddress, match=why):
        await AddressRules(()).check(read_address(url))


async def test_a_network_that_the_operator_names_is_open_and_metadata_in_it_is_not() -> None:
    rules = AddressRules(read_networks(["127.0.0.0/8", "169.254.0.0/16"]))
    assert await rules.check(read_address("http://127.0.0.1:99/x")) == (ip_address("127.0.0.1"),)
    with pytest.raises(BadAddress, match="metadata"):
        await rules.check(read_address("http://169.254.169.254/"))
    with pytest.raises(BadAddress, match="private"):
        await rules.check(read_address("https://10.0.0.1/"))


async def test_whoever_answers_without_a_certificate_for_the_name_gets_no_body() -> None:
    with running_receiver() as receiver:
        target = read_address(receiver.url.replace("http:", "https:"))
        with pytest.raises(NotTaken, match="could not be used"):
            await webhooks.post(target, (ip_address("127.0.0.1"),), {}, b"{}")
        assert receiver.received == []


def test_only_an_admin_sees_or_changes_webhooks_and_private_addresses_are_refused(plane: RunningPlane) -> None:
    user = plane.new_key("ann")
    with plane.client(user) as client:
        for method, path in (
            ("GET", ""),
            ("POST", ""),
            ("DELETE", "/wh_1"),
            ("GET", "/wh_1/deliveries"),
            ("POST", "/wh_1/test"),
            ("POST", "/wh_1/rotate"),
            ("POST", "/wh_1/deliveries/msg_1/redeliver"),
        ):
            body = {"url": "https://hook.example/"} if (method, path) == ("POST", "") else None
            assert client.request(method, f"/api/webhooks{path}", json=body).status_code == 403, path
    with plane.client() as client:
        for url in ("https://10.0.0.1/", "https://ann:pass@127.0.0.1/", "http://8.8.8.8/", "x"):
            refused = client.post("/api/webhooks", json={"url": url})
            assert (refused.status_code, refused.json()["code"]) == (400, "invalid_request"), url
        assert client.post("/api/webhooks", json={"url": "https://a.b", "kinds": ["x"]}).status_code == 422
        for path in ("/wh_1/test", "/wh_1/rotate", "/wh_1/deliveries/m/redeliver"):
            assert client.post(f"/api/webhooks{path}").status_code == 404
        assert client.get("/api/webhooks/wh_1/deliveries").status_code == 404
        assert client.delete("/api/webhooks/wh_1").status_code == 404
        assert client.get("/api/webhooks").json()["webhooks"] == []


def test_the_python_client_has_webhooks(plane: RunningPlane, receiver: Receiver) -> None:
    with Belljar(plane.url, plane.key) as jar:
        made = jar.webhooks.create(receiver.url, kinds=["webhook.test"], name="py")
        assert [one.name for one in jar.webhooks.list().webhooks] == ["py"]
        sent = jar.webhooks.test(made.id)
        receiver.wait_for(1)
        until(lambda: jar.webhooks.deliveries(made.id, state="delivered").deliveries)
        assert jar.webhooks.redeliver(made.id, sent.id).state is DeliveryState.PENDING
        assert jar.webhooks.rotate(made.id).secret != made.secret
        assert jar.webhooks.delete(made.id).ok
        with pytest.raises(NotFound):
            jar.webhooks.delete(made.id)


def test_what_a_plane_had_not_sent_when_it_was_killed_the_next_sends() -> None:
    with state_folder() as state, running_receiver() as receiver:
        receiver.answer = with_status(503)
        with running_plane(*LOOPBACK, "--webhook-retries", "3600", state_dir=state) as first:
            webhook = hook(first, receiver, kinds=["session.created"])
            first.create()
            receiver.wait_for(1)
            until(lambda: deliveries(first, webhook)[0].get("status") == 503)
            receiver.answer = with_status(200)
            # As if its time had come: while nobody runs nothing is sent.
            first.kill()
        _make_due(state)
        with running_plane(*LOOPBACK, state_dir=state, key=first.key) as second:
            until(lambda: deliveries(second, webhook, state="delivered"))
            assert [one.id for one in receiver.received] == [receiver.received[0].id] * 2


def _make_due(state: Path) -> None:
    with closing(sqlite3.connect(state / "control.db")) as connection, connection:
        connection.execute("update webhook_deliveries set due_at = ?", (time.time(),))


def test_two_planes_of_one_database_deliver_each_once(postgres: Postgres) -> None:
    url = postgres.new_database()
    with ExitStack() as stack:
        state = stack.enter_context(state_folder())
        receiver = stack.enter_context(running_receiver())
        shared = ("--database-url", url, "--master-key-file", str(state / "master.key"), *QUICK)
        one = stack.enter_context(running_plane(*shared, state_dir=state))
        two = stack.enter_context(running_plane(*shared, state_dir=state, key=one.key))
        webhook = hook(one, receiver, kinds=["webhook.test"])
        with one.client() as first, two.client() as second:
            for number in range(60):
                client: httpx.Client = (first, second)[number % 2]
                assert client.post(f"/api/webhooks/{webhook['id']}/test").status_code == 202
        until(lambda: len(deliveries(two, webhook, state="delivered")) == 60)
        assert all(one.is_signed_with(webhook["secret"]) for one in receiver.received)
        assert Counter(Counter(one.id for one in receiver.received).values()) == {1: 60}


async def test_of_two_that_claim_one_gets_it_and_a_late_end_changes_nothing(registry: Registry) -> None:
    made = await registry.webhooks.add(CreateWebhook(url="https://hook.example/"), actor="test")
    assert await registry.webhooks.send_test(made.id) is not None
    assert await registry.webhooks.waiting() == [made.id]
    (mine,) = await registry.webhooks.claim(made.id, 4)
    assert await registry.webhooks.claim(made.id, 4) == []
    assert await registry.webhooks.waiting() == []
    # Whoever claimed it is gone; somebody else takes it over, and then the first one comes back.
    await registry.webhooks.finish(mine, DeliveryState.PENDING, due_at=0.0, status=None, error=None)
    (theirs,) = await registry.webhooks.claim(made.id, 4)
    await registry.webhooks.finish(mine, DeliveryState.DEAD, due_at=0.0, status=None, error="late")
    (now,) = await registry.webhooks.deliveries(made.id, state=None, after=None, limit=9)
    assert (now.state, now.attempts) == (DeliveryState.PENDING, theirs.attempts)


async def test_too_much_that_waits_is_given_up_oldest_first(
    registry: Registry, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("belljar.plane.registry.webhooks.MOST_WAITING", 3)
    made = await registry.webhooks.add(CreateWebhook(url="https://hook.example/"), actor="test")
    sent = [await registry.webhooks.send_test(made.id) for _ in range(5)]
    await registry.webhooks.forget(0.0)
    rows = await registry.webhooks.deliveries(made.id, state=DeliveryState.DEAD, after=None, limit=9)
    assert {row.id for row in rows} == {row.id for row in sent[:2] if row is not None}
    await registry.webhooks.forget(time.time() + 1)
    assert len(await registry.webhooks.deliveries(made.id, state=None, after=None, limit=9)) == 3


async def test_what_waits_goes_with_its_webhook(registry: Registry) -> None:
    made = await registry.webhooks.add(
        CreateWebhook(url="https://hook.example/", kinds=[WebhookKind.WEBHOOK_TEST]), actor="test"
    )
    await registry.webhooks.send_test(made.id)
    assert await registry.webhooks.remove(made.id, actor="test")
    assert await registry.webhooks.waiting() == []
    assert await registry.webhooks.send_test(made.id) is None


async def test_a_copy_of_the_database_signs_nothing(registry: Registry) -> None:
    made = await registry.webhooks.add(CreateWebhook(url="https://hook.example/"), actor="test")
    ours, theirs = Secrets(MasterKey(b"a" * 32)), Secrets(MasterKey(b"b" * 32))
    assert ours.sign(made, b"x", time.time()) != theirs.sign(made, b"x", time.time())
    assert ours.show(made).removeprefix("whsec_") not in repr(made)
