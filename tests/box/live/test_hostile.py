"""Malformed and hostile messages, floods and abrupt ends leave the box healthy."""

import json
import os
import random
import socket
import time
from contextlib import ExitStack, closing

import httpx2 as httpx
from websockets.exceptions import ConnectionClosed

from tests.box.live.client import PATIENCE, LiveClient, watching
from tests.processes import eventually
from tests.servers import RunningBox, running_box
from tests.site import Site

SEED = 20261115


def nested(levels: int) -> str:
    return "[" * levels + "]" * levels


def hostile(random: random.Random) -> list[str | bytes]:
    """A thousand messages, none of which means anything."""
    plain: list[object] = [None, True, 0, -1, 1e308, "", "x" * 1000, [], {}, [[]], {"type": None}]
    values: list[object] = [
        *plain,
        {"type": "input"},
        {"type": "input", "device": "mouse"},
        {"type": "input", "device": "mouse", "action": "explode", "x": 1, "y": 1},
        {"type": "input", "device": "mouse", "action": "down", "x": "1e999", "y": []},
        {"type": "input", "device": "mouse", "action": "down", "x": 1e300, "y": -1e300},
        {"type": "input", "device": "mouse", "action": "down", "x": 1, "y": 1, "surface": {"w": 0, "h": -1}},
        {"type": "input", "device": "mouse", "action": "wheel", "x": 1, "y": 1, "deltaMode": 99},
        {"type": "input", "device": "key", "action": "keydown", "key": "a" * 1000},
        {"type": "input", "device": "key", "action": "char", "text": 7},
        {"type": "input", "device": "key", "action": "keydown", "modifiers": -1},
        {"type": "cmd"},
        {"type": "cmd", "id": {}, "method": "navigate"},
        {"type": "cmd", "id": 1, "method": ["navigate"]},
        {"type": "cmd", "id": 1, "method": "navigate", "params": "x"},
        {"type": "cmd", "id": 2**200, "method": "navigate"},
        {"type": "ping", "t": {"a": 1}},
        {"type": "ping", "t": "x" * 10_000},
        {"type": "ack", "timestamp": "soon"},
        {"type": "frame"},
        {"type": "result", "id": 1},
        {"type": "__proto__"},
    ]
    texts: list[str | bytes] = [json.dumps(value) for value in values]
    texts += ["{", "nonsense", '{"type":', "\x00", "NaN", "[NaN]", '{"type":"ping","t":NaN}', nested(100_000)]
    texts += ['{"id":1,"type":"cmd","method":"evaluate","params":{"expression":' + nested(500) + "}}"]
    texts += ['{"type":"ping","type":"cmd"}', "\ud7ff", '{"a":"\\ud800"}', b"", b"\xff\xfe", b"\x01" * 1000]
    return texts + [damaged(random) for _ in range(1000 - len(texts))]


def damaged(random: random.Random) -> str:
    """A good message with a piece cut out, put twice or made of other characters, so that it is good no more."""
    good = [
        {"type": "input", "device": "mouse", "action": "down", "x": 450, "y": 250, "button": "left", "clickCount": 1},
        {"type": "input", "device": "key", "action": "char", "text": "typed"},
        {"id": 7, "type": "cmd", "method": "navigate", "params": {"url": "about:blank"}},
        {"id": 8, "type": "cmd", "method": "evaluate", "params": {"expression": "document.title = 'changed'"}},
    ]
    while True:
        text = json.dumps(random.choice(good))
        begin, end = sorted(random.choices(range(len(text)), k=2))
        piece = "".join(chr(random.choice((0, 9, 34, 92, 123, 125, 0x2028, 0xFFFF))) for _ in range(end - begin))
        text = text[:begin] + random.choice(["", text[begin:end] * 2, piece]) + text[end:]
        try:
            json.loads(text)
        except ValueError:
            return text


def test_a_thousand_hostile_messages_change_nothing(
    box: RunningBox, live: LiveClient, api: httpx.Client, site: Site
) -> None:
    live.call("navigate", url=site.url("live/events.html"))
    live.frame()
    messages = hostile(random.Random(SEED))
    assert len(messages) == 1000
    before, descriptors = resident(box), len(os.listdir(f"/proc/{box.process.pid}/fd"))
    for message in messages:
        live.socket.send(message)
    assert live.value("[document.title, seen.length, field.value].join()") == "Events,0,"
    error = live.event("error")
    assert error["code"] in ("message_refused", "rate_limited")
    assert api.get("/health").json()["browserRunning"] is True
    assert resident(box) - before < 10_000_000
    assert len(os.listdir(f"/proc/{box.process.pid}/fd")) <= descriptors + 2


def resident(box: RunningBox) -> int:
    with open(f"/proc/{box.process.pid}/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def test_hostile_commands_are_answered_one_by_one(live: LiveClient) -> None:
    for params, status in (
        ({"url": "x" * 100_000}, 400),
        ({"url": None}, 422),
        ({"url": {"a": 1}}, 422),
        ({"tabId": "../../etc"}, 422),
        ({"timeoutMs": "x"}, 422),
    ):
        assert live.refused("navigate", **params)["status"] == status, params
    for id in ("../start", "%2e%2e/stop", "x/activate", "\n", "é"):
        assert live.refused("tabs.close", id=id)["code"] in ("tab_not_found", "invalid_request")
    assert live.value("1") == 1


def test_floods_and_abrupt_ends_leave_the_box_healthy(box: RunningBox, api: httpx.Client) -> None:
    pid = box.process.pid
    with watching(box) as steady:
        steady.event("ready")
        before = len(os.listdir(f"/proc/{pid}/fd"))
        for _ in range(6):
            # Those whose end has not been noticed yet take up room.
            eventually(lambda: api.get("/health").json()["viewers"] <= 32 - 25, "room for 25 more viewers")
            with ExitStack() as stack:
                viewers = [stack.enter_context(watching(box)) for _ in range(25)]
                for viewer in viewers:
                    viewer.socket.send("{}")
                    # As a cable that is pulled out: reset, no close frame.
                    viewer.socket.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\0\0\0\0\0\0\0")
                    viewer.socket.socket.close()
        for _ in range(200):
            with closing(socket.create_connection(("127.0.0.1", box.port), timeout=5)) as raw:
                raw.sendall(b"GET /v1/live HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n")
        assert steady.value("2 + 2") == 4
        end = time.monotonic() + PATIENCE
        while api.get("/health").json()["viewers"] > 1 or len(os.listdir(f"/proc/{pid}/fd")) > before + 3:
            assert time.monotonic() < end, "viewers or descriptors are left"


def test_who_floods_input_is_held_to_the_rate_and_harms_nobody(box: RunningBox, live: LiveClient) -> None:
    with watching(box) as flood:
        flood.event("ready")
        try:
            for number in range(10_000):
                flood.mouse("move", number % 500, 10)
        except ConnectionClosed:
            pass
        assert live.value("3 * 3") == 9
        assert flood.event("error")["code"] == "rate_limited"


def test_a_viewer_that_takes_nothing_is_dropped(site: Site) -> None:
    with running_box("--egress", "open", "--live-idle-timeout", "1") as box, box.client() as api:
        api.post("/v1/browser/start", json={"headless": True}).raise_for_status()
        api.post("/v1/browser/navigate", json={"url": site.url("live/moving.html")}).raise_for_status()
        before = len(os.listdir(f"/proc/{box.process.pid}/fd"))
        with closing(socket.socket()) as raw:
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            raw.connect(("127.0.0.1", box.port))
            raw.sendall(
                b"GET /v1/live HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
                + f"Authorization: Bearer {box.token}\r\n\r\n".encode()
            )
            end = time.monotonic() + PATIENCE
            while api.get("/health").json()["viewers"] == 0:
                assert time.monotonic() < end
            while api.get("/health").json()["viewers"] == 1:
                assert time.monotonic() < end + 30
            # Its connection is gone too, not only its place: the one that asks is the only one left.
            while len(os.listdir(f"/proc/{box.process.pid}/fd")) > before + 1:
                assert time.monotonic() < end + 60
