"""The display by WebRTC, in Neko's protocol: seen, used, and by nobody who may not."""

import os
import signal
import struct
import time
from collections.abc import Callable, Iterator
from typing import Any

import anyio
import httpx2 as httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from tests.box.live.client import token_for
from tests.box.live.rtc.client import SIGNALING, NekoClient, neko, on_loopback
from tests.box.live.video import streamers
from tests.box.record.recorded import Recorded
from tests.processes import eventually
from tests.servers import RunningBox, running_box

__all__ = ["on_loopback"]
pytestmark = pytest.mark.usefixtures("on_loopback")

RED = (255, 0, 0)
START = {"width": 800, "height": 600}


@pytest.fixture(scope="module")
def box() -> Iterator[RunningBox]:
    with running_box() as box, box.client() as client:
        assert client.post("/v1/desktop/start", json=START | {"webrtcPortRange": "59100-59190"}).status_code == 200
        yield box


@pytest.fixture
def api(box: RunningBox) -> Iterator[httpx.Client]:
    """Each test begins with a stream, nobody in control and no window."""
    with box.client() as client:
        assert client.post("/v1/desktop/stream/start").json() == {"active": True}
        client.post("/v1/control", json={"action": "release", "force": True}).raise_for_status()
        yield client
        for window in client.get("/v1/desktop/windows").json()["windows"]:
            client.post(f"/v1/desktop/windows/{window['id']}/close")


def show_red(api: httpx.Client) -> None:
    args = ["-geometry", "60x20+0+0", "-bg", "rgb:ff/00/00"]
    assert api.post("/v1/desktop/launch", json={"app": "xterm", "args": args}).status_code == 200


def pointer(api: httpx.Client) -> tuple[int, int]:
    at = api.get("/v1/desktop/mouse/position").json()
    return at["x"], at["y"]


async def until(is_true: Callable[[], bool], what: str) -> None:
    end = time.monotonic() + 15
    while not is_true():
        assert time.monotonic() < end, f"never happened: {what}"
        await anyio.sleep(0.02)


async def test_a_viewer_is_told_who_it_is_and_sees_the_screen(box: RunningBox, api: httpx.Client) -> None:
    async with neko(box) as viewer:
        first = await viewer.wait("system/init")
        assert first["screen_size"] == {"width": 800, "height": 600, "rate": 30}
        profile = first["sessions"][first["session_id"]]["profile"]
        assert (profile["can_watch"], profile["can_host"]) == (True, True)
        assert first["webrtc"]["videos"] and first["settings"]["heartbeat_interval"] == 10
        await viewer.watch()
        show_red(api)
        await viewer.sees(200, 250, RED)
        await viewer.wait("session/state", lambda said: said["is_watching"])
        viewer.put(struct.pack(">BHII", 7, 8, 1, 2))
        await until(lambda: bool(viewer.answers), "a pong")
        assert viewer.answers[0][:11] == struct.pack(">BHII", 3, 19, 1, 2)


async def test_h264_where_it_was_asked_for() -> None:
    with running_box() as box, box.client() as api:
        wanted = START | {"streamVideoCodec": "h264", "streamFrameRate": 15, "webrtcPortRange": "59100-59190"}
        assert api.post("/v1/desktop/start", json=wanted).status_code == 200
        assert api.post("/v1/desktop/stream/start").status_code == 200
        async with neko(box, path="/v1/desktop/stream/ws") as viewer:
            assert (await viewer.wait("system/init"))["screen_size"]["rate"] == 15
            await viewer.watch()
            assert viewer.peer is not None and "H264" in viewer.peer.remoteDescription.sdp
            show_red(api)
            await viewer.sees(200, 250, RED)


async def test_input_over_the_channel_reaches_the_display(box: RunningBox, api: httpx.Client) -> None:
    async with neko(box) as viewer:
        await viewer.watch()
        viewer.move(123, 45)
        await until(lambda: pointer(api) == (123, 45), "the pointer is there")
        # The far edge is the last pixel.
        viewer.move(800, 600)
        await until(lambda: pointer(api) == (799, 599), "the pointer is at the edge")
        show_red(api)
        await viewer.sees(200, 250, RED)
        viewer.move(200, 200)
        viewer.button(1, is_down=True)
        viewer.button(1, is_down=False)
        # Reverse video, typed with capitals and signs that need Shift; of the second version's keys, eleven bytes long.
        for character in "printf '\\033[?5h'; echo A!\n":
            keysym = 0xFF0D if character == "\n" else ord(character)
            if character == "p":
                viewer.put(struct.pack("<BHQ", 3, 8, keysym) + b"")
                viewer.put(struct.pack("<BHQ", 4, 8, keysym))
            else:
                viewer.key(keysym, is_down=True)
                viewer.key(keysym, is_down=False)
        white_on_red = (0, 0, 0)
        await viewer.sees(300, 250, white_on_red)


async def test_the_record_has_who_watched_and_what_they_did_and_nothing_they_typed(
    box: RunningBox, api: httpx.Client
) -> None:
    seen = Recorded(api)
    async with neko(box) as viewer:
        await viewer.watch()
        viewer.move(123, 45)
        viewer.button(1, is_down=True)
        viewer.button(1, is_down=False)
        for keysym in (ord("z"), 0xFF1B):
            viewer.key(keysym, is_down=True)
            viewer.key(keysym, is_down=False)
        await viewer.send("clipboard/set", {"text": "copied words"})
        # Elsewhere than on this loop, which the channel needs.
        found = await anyio.to_thread.run_sync(lambda: seen.until("input", lambda events: len(events) >= 8))
    by = {"kind": "viewer", "via": "live", "id": "operator"}
    assert all(event["actor"] == by for event in found)
    told = {(event["name"], str(event["data"].get("key"))) for event in found}
    assert told == {
        *[("mouse.move", "None"), ("mouse.down", "None"), ("mouse.up", "None"), ("clipboard", "None")],
        *[("key.down", "{'length': 1}"), ("key.up", "{'length': 1}"), ("key.down", "Escape"), ("key.up", "Escape")],
    }
    [down] = [event["data"] for event in found if event["name"] == "mouse.down"]
    assert (down["x"], down["y"], down["button"]) == (123, 45, "left")
    came, left = seen.until("viewer", lambda events: len(events) == 2)
    assert (came["name"], came["data"]["transport"], left["name"]) == ("came", "webrtc", "left")
    assert "copied words" not in str(seen.events())


async def test_a_flood_of_pings_is_not_all_answered(box: RunningBox, api: httpx.Client) -> None:
    token = token_for(box, "view")
    async with neko(box, token) as viewer:
        await viewer.watch()
        for number in range(300):
            viewer.put(struct.pack(">BHII", 7, 8, 0, number))
        # One more, after the others and until it is answered: what was not answered by then never is.
        last = struct.pack(">BHII", 3, 19, 1, 0)
        with anyio.fail_after(15):
            while not any(answer[:11] == last for answer in viewer.answers):
                viewer.put(struct.pack(">BHII", 7, 8, 1, 0))
                await anyio.sleep(0.2)
        assert sum(answer[3:7] == bytes(4) for answer in viewer.answers) < 200


async def test_who_may_only_watch_cannot_act_by_any_channel(box: RunningBox, api: httpx.Client) -> None:
    api.post("/v1/desktop/mouse/move", json={"x": 10, "y": 20})
    api.put("/v1/desktop/clipboard", json={"text": "before"})
    async with neko(box, token_for(box, "view")) as viewer:
        first = await viewer.wait("system/init")
        profile = first["sessions"][first["session_id"]]["profile"]
        assert (profile["can_host"], profile["can_access_clipboard"]) == (False, False)
        await viewer.watch()
        show_red(api)
        await viewer.sees(200, 250, RED)
        at = pointer(api)
        viewer.move(300, 300)
        viewer.button(1, is_down=True)
        viewer.key(ord("x"), is_down=True)
        for event, payload in (
            ("control/request", {}),
            ("control/move", {"x": 300, "y": 300}),
            ("control/buttonpress", {"code": 1, "x": 300, "y": 300}),
            ("control/keypress", {"keysym": 120}),
            ("clipboard/set", {"text": "after"}),
            ("screen/set", {"width": 640, "height": 480, "rate": 30}),
        ):
            await viewer.send(event, payload)
        # What was sent before it has been looked at when the answer comes.
        viewer.put(struct.pack(">BHII", 7, 8, 1, 2))
        await until(lambda: bool(viewer.answers), "a pong")
        await viewer.watch()
        assert pointer(api) == at
        assert api.get("/v1/control").json()["holder"] == {"kind": "none"}
        assert api.get("/v1/desktop/clipboard").json()["text"] != "after"
        assert api.get("/v1/desktop/display/info").json()["resolution"]["width"] == 800


async def test_input_is_held_back_while_somebody_else_has_control(box: RunningBox, api: httpx.Client) -> None:
    api.post("/v1/desktop/mouse/move", json={"x": 10, "y": 20})
    async with neko(box) as viewer:
        await viewer.watch()
        assert api.post("/v1/control", json={"action": "take"}).status_code == 200
        assert (await viewer.wait("control/host", lambda said: said["has_host"]))["host_id"] == "agent"
        viewer.move(300, 300)
        viewer.put(struct.pack(">BHII", 7, 8, 1, 2))
        await until(lambda: bool(viewer.answers), "a pong")
        assert pointer(api) == (10, 20)
        assert api.post("/v1/control", json={"action": "release"}).status_code == 200
        await viewer.wait("control/host", lambda said: said.get("host_id") != "agent")
        viewer.move(300, 300)
        await until(lambda: pointer(api) == (300, 300), "the pointer moves again")


async def test_nekos_own_client_takes_control_and_gives_it_back(box: RunningBox, api: httpx.Client) -> None:
    who = api.get("/api/whoami").json()
    assert who["profile"]["can_host"]
    login = httpx.post(f"{box.url}/api/login", json={"username": "ann", "password": box.token})
    assert (login.status_code, login.json()["token"]) == (200, box.token)
    assert httpx.post(f"{box.url}/api/login", json={"username": "ann", "password": "no"}).status_code == 401
    assert api.post("/api/logout").status_code == 204
    picture = api.get("/api/room/screen/cast.jpg")
    assert (picture.status_code, picture.headers["content-type"]) == (200, "image/jpeg")
    async with neko(box, path="/api/ws") as viewer:
        me = (await viewer.wait("system/init"))["session_id"]
        await viewer.send("control/request")
        assert (await viewer.wait("control/host", lambda said: said["has_host"]))["host_id"] == me
        refused = api.post("/v1/desktop/mouse/move", json={"x": 1, "y": 1})
        assert (refused.status_code, refused.json()["code"]) == (409, "control_held")
        await viewer.send("control/move", {"x": 77, "y": 88})
        await until(lambda: pointer(api) == (77, 88), "the pointer moves by message")
        await viewer.send("clipboard/set", {"text": "copied"})
        await until(lambda: api.get("/v1/desktop/clipboard").json()["text"] == "copied", "the clipboard")
        await viewer.send("control/release")
        assert not (await viewer.wait("control/host", lambda said: not said["has_host"]))["has_host"]


async def test_a_killed_streamer_costs_a_new_offer_and_no_more(box: RunningBox, api: httpx.Client) -> None:
    async with neko(box) as viewer:
        await viewer.watch()
        (pid,) = streamers(box)
        os.kill(pid, signal.SIGKILL)
        await viewer.wait("signal/close")
        await viewer.take_offer()
        show_red(api)
        await viewer.sees(200, 250, RED)


async def test_a_stream_that_is_stopped_disconnects_and_is_refused_until_started(
    box: RunningBox, api: httpx.Client
) -> None:
    async with neko(box) as viewer:
        await viewer.watch()
        assert api.post("/v1/desktop/stream/stop").json() == {"active": False}
        assert (await viewer.wait("system/disconnect"))["message"] == "the stream has ended"
        with pytest.raises(ConnectionClosed):
            await viewer.wait("never")
    assert api.get("/v1/desktop/stream/status").json() == {"active": False}
    with pytest.raises(InvalidStatus) as refused:
        async with neko(box):
            pass
    assert refused.value.response.status_code == 409


async def test_a_token_that_expires_ends_the_peer(box: RunningBox, api: httpx.Client) -> None:
    async with neko(box, token_for(box, "drive", ttl=4)) as viewer:
        await viewer.watch()
        assert "time has passed" in (await viewer.wait("system/disconnect"))["message"]
        assert viewer.peer is not None
        await until(lambda: viewer.peer is not None and viewer.peer.connectionState == "closed", "the peer ends")


async def test_nothing_is_left_when_viewers_come_and_go(box: RunningBox, api: httpx.Client) -> None:
    for _ in range(5):
        async with neko(box) as viewer:
            await viewer.watch()
    # Hung up without a word, before and after the offer.
    for _ in range(20):
        async with neko(box) as viewer:
            await viewer.send("signal/request", {})
    await until(lambda: api.get("/health").json()["viewers"] == 0, "the viewers have gone")
    eventually(lambda: not streamers(box), "the streamer ends")


@pytest.mark.parametrize("codec", ["vp9", "av1"])
def test_a_codec_that_is_not_made_is_refused(codec: str) -> None:
    with running_box() as box, box.client() as api:
        for path, codecs in (("/v1/desktop/start", codec), ("/v1/browser/start", codec)):
            refused = api.post(path, json={"streamVideoCodec": codecs})
            assert (refused.status_code, refused.json()["code"]) == (422, "validation_failed")


def test_there_is_no_stream_with_webrtc_off_or_without_a_display(box: RunningBox) -> None:
    with running_box("--webrtc", "off") as closed, closed.client() as api:
        assert api.post("/v1/desktop/start", json=START).status_code == 200
        refused = api.post("/v1/desktop/stream/start")
        assert (refused.status_code, refused.json()["code"]) == (409, "conflict")
        assert api.get("/v1/desktop/stream/status").json()["active"] is False
    with running_box("--webrtc", "public") as lost, lost.client() as api:
        assert api.post("/v1/desktop/start", json=START).status_code == 200
        assert "--webrtc-address" in api.post("/v1/desktop/stream/start").json()["detail"]
    with running_box() as idle, idle.client() as api:
        assert api.post("/v1/desktop/stream/start").status_code == 409


async def test_a_headful_browser_has_its_stream_and_a_headless_one_none() -> None:
    with running_box() as box, box.client() as api:
        assert api.post("/v1/browser/start", json={"headless": True}).status_code == 200
        assert api.get("/v1/desktop/stream/status").json() == {"active": False}
        assert api.post("/v1/browser/stop").status_code == 200
        wanted = {"width": 800, "height": 600, "webrtcPortRange": "59100-59190"}
        assert _streamer_in(api.post("/v1/browser/start", json=wanted)) == {"name": "streamer", "running": False}
        assert api.get("/v1/desktop/stream/status").json() == {"active": True}
        async with neko(box) as viewer:
            await viewer.watch()
            (pid,) = streamers(box)
            for status in ("/v1/browser/status", "/v1/desktop/status"):
                assert _streamer_in(api.get(status)) == {"name": "streamer", "running": True, "pid": pid}
            page = "data:text/html,<body style='background:red;margin:0;height:100vh'>"
            assert api.post("/v1/browser/navigate", json={"url": page}).status_code == 200
            await viewer.sees(400, 400, RED)
            # By the messages of Neko's client, which has no channel of its own for them; then asks for the stream anew.
            page = "data:text/html,<input id=a autofocus><input id=b>"
            assert api.post("/v1/browser/navigate", json={"url": page}).status_code == 200
            api.post("/v1/browser/click", json={"selector": "#a"}).raise_for_status()
            await viewer.send("control/paste", {"text": "pasted words"})
            await until(lambda: in_page(api, "a.value") == "pasted words", "a paste")
            await viewer.send("control/select_all")
            await viewer.send("control/cut")
            await until(lambda: in_page(api, "a.value") == "", "a cut")
            api.post("/v1/browser/click", json={"selector": "#b"}).raise_for_status()
            await viewer.send("control/paste")
            await until(lambda: in_page(api, "b.value") == "pasted words", "a paste of what was cut")
            await viewer.send("signal/restart")
            await viewer.take_offer()
            await viewer.frame()


def in_page(api: httpx.Client, expression: str) -> Any:
    return api.post("/v1/browser/execute", json={"expression": expression}).json()["result"]


def _streamer_in(status: httpx.Response) -> dict[str, Any]:
    (found,) = [one for one in status.json()["processes"] if one["name"] == "streamer"]
    return dict(found)


HOSTILE: list[Any] = [
    "",
    "null",
    "[]",
    "{}",
    "nonsense",
    '{"event": 5}',
    '{"event": "signal/answer"}',
    '{"event": "signal/answer", "payload": {"sdp": 7}}',
    '{"event": "signal/answer", "payload": {"sdp": "v=0"}}',
    '{"event": "signal/answer", "payload": {"sdp": "' + "a=x\\r\\n" * 4000 + '"}}',
    '{"event": "signal/answer", "payload": {"sdp": "' + "\\u2603" * 20_000 + '"}}',
    '{"event": "signal/candidate", "payload": {"candidate": "candidate:1 1 udp 1 10.0.0.1 9 typ host"}}',
    '{"event": "signal/candidate", "payload": {"candidate": ""}}',
    '{"event": "control/move", "payload": {"x": -1, "y": 1e300}}',
    '{"event": "control/move", "payload": {"x": true, "y": null}}',
    '{"event": "control/keypress", "payload": {"keysym": 99999999999}}',
    '{"event": "control/buttondown", "payload": {"code": 7}}',
    '{"event": "control/scroll", "payload": {"delta_x": 1e308, "delta_y": "x"}}',
    '{"event": "clipboard/set", "payload": {"text": 5}}',
    '{"event": "signal/request", "payload": {"video": "yes"}}',
    '{"event": "' + "x" * 10_000 + '"}',
    "[" * 5000,
    b"\x00\x01\x02",
]


@pytest.mark.timeout(120)
async def test_a_thousand_malformed_messages_leave_the_box_healthy(box: RunningBox, api: httpx.Client) -> None:
    async with neko(box) as viewer:
        await viewer.watch()
        for _ in range(200):
            viewer.put(os.urandom(int.from_bytes(os.urandom(1)) % 70))
        for number in range(1000):
            await viewer.socket.send(HOSTILE[number % len(HOSTILE)])
            # A second answer, or a new request, ends the peer.
            if viewer.is_open:
                viewer.put(os.urandom(number % 70))
    (pid,) = streamers(box)
    async with neko(box) as viewer:
        await viewer.watch()
        show_red(api)
        await viewer.sees(200, 250, RED)
    assert streamers(box) == [pid]


async def test_strangers_packets_get_no_answer_and_close_nothing(box: RunningBox, api: httpx.Client) -> None:
    async with neko(box) as viewer:
        await viewer.watch()
        assert viewer.peer is not None
        port = int(viewer.peer.remoteDescription.sdp.partition("m=video ")[2].split()[0])
        name = viewer.peer.remoteDescription.sdp.partition("a=ice-ufrag:")[2].split()[0]
        request = struct.pack(">HHI12s", 1, 0, 0x2112A442, os.urandom(12))
        username = f"{name}:abcd".encode()
        padded = username + b"\0" * (-len(username) % 4)
        named = struct.pack(">HHI12sHH", 1, 4 + len(padded), 0x2112A442, os.urandom(12), 6, len(username)) + padded
        async with await anyio.create_connected_udp_socket("127.0.0.1", port) as stranger:
            for data in (
                request,
                named,
                b"\0\1\0\4\x21\x12\xa4\x42",
                b"",
                os.urandom(200),
                b"\x16\xfe\xfd" + b"\0" * 50,
            ):
                await stranger.send(data)
            with anyio.move_on_after(1) as silence:
                await stranger.receive()
            assert silence.cancelled_caught
        show_red(api)
        await viewer.sees(200, 250, RED)


async def test_the_socket_is_as_open_as_it_must_be(box: RunningBox, api: httpx.Client) -> None:
    assert httpx.get(f"{box.url}{SIGNALING}").status_code == 401
    assert api.get(SIGNALING).status_code == 400
    with pytest.raises(InvalidStatus) as refused:
        async with neko(box, "no-token"):
            pass
    assert refused.value.response.status_code == 401
    async with neko(box) as viewer:
        assert isinstance(viewer, NekoClient)
        await viewer.watch()
        assert viewer.peer is not None
        # Only loopback is named, and only loopback is listened on.
        sdp = viewer.peer.remoteDescription.sdp
        assert {line.split()[4] for line in sdp.splitlines() if line.startswith("a=candidate:")} == {"127.0.0.1"}


@pytest.mark.timeout(120)
async def test_two_hundred_abandoned_connections_leave_nothing(box: RunningBox, api: httpx.Client) -> None:
    url = f"{box.url.replace('http', 'ws')}{SIGNALING}?access_token={box.token}"
    async with neko(box) as viewer:
        await viewer.watch()
        before = len(os.listdir(f"/proc/{box.process.pid}/fd"))
        for number in range(200):
            socket = await connect(url, proxy=None)
            if number % 2:
                await socket.send('{"event": "signal/request", "payload": {}}')
            # Without a word, as when a laptop is shut.
            socket.transport.abort()
        await until(lambda: api.get("/health").json()["viewers"] == 1, "only the viewer is left")
        show_red(api)
        await viewer.sees(200, 250, RED)
        descriptors = f"/proc/{box.process.pid}/fd"
        await until(lambda: len(os.listdir(descriptors)) <= before + 5, "descriptors are given back")
