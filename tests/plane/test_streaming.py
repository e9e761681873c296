"""WebRTC through the gateway: signalling at `/s/{id}/…`, all peers by one port, each ending with what let it in."""

import os
import random
import signal
import socket
import struct
import time
from collections.abc import Callable, Iterator

import aioice.ice
import anyio
import httpx2 as httpx
import pytest
from aioice import stun
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from tests.box.live.rtc.client import SIGNALING, NekoClient, neko_at, on_loopback
from tests.box.live.rtc.test_live_peer import Watcher
from tests.box.live.video import streamers_below
from tests.plane.launched import LAUNCHERS, launched_plane
from tests.plane.plane import RunningPlane, box_process, running_plane

__all__ = ["on_loopback"]
pytestmark = pytest.mark.usefixtures("on_loopback")

RED = (255, 0, 0)


@pytest.fixture(scope="module", params=LAUNCHERS)
def plane(request: pytest.FixtureRequest) -> Iterator[RunningPlane]:
    with launched_plane(request, "--egress", "open") as plane:
        yield plane


async def test_a_sessions_screen_is_seen_used_and_lost_with_its_key(plane: RunningPlane) -> None:
    with plane.client() as admin:
        made = admin.post("/api/keys", json={"user": "eve"}).json()
    session = plane.create(made["key"], mode="browser")
    at = f"/s/{session['id']}"
    with plane.client(made["key"]) as api:
        assert api.get(f"{at}/v1/desktop/stream/status").json() == {"active": True}
        page = "data:text/html,<body style='background:red;margin:0;height:100vh'>"
        assert api.post(f"{at}/v1/browser/navigate", json={"url": page}).status_code == 200
        async with neko_at(f"{plane.url}{at}{SIGNALING}", session["token"]) as viewer:
            await viewer.watch()
            await viewer.sees(400, 400, RED)
            # Viewers of the live socket come by the same port.
            protocols = ["belljar.binary", f"belljar.bearer.{session['token']}"]
            live = f"{plane.url}{at}/v1/live".replace("http", "ws", 1)
            async with connect(live, max_size=None, proxy=None, subprotocols=protocols) as line:  # type: ignore[arg-type]
                watcher = Watcher(line)
                await watcher.connect(1, ["vp8"])
                assert viewer.peer is not None
                ports = [
                    one.remoteDescription.sdp.partition("m=video ")[2].split()[0] for one in (viewer.peer, watcher.peer)
                ]
                assert ports[0] == ports[1]
                await watcher.peer.close()
            viewer.move(321, 432)
            deadline = time.monotonic() + 15
            while api.get(f"{at}/v1/desktop/mouse/position").json()["x"] != 321:
                assert time.monotonic() < deadline, "the pointer never moved"
                # The peer is on this loop, too.
                await anyio.sleep(0.02)
            with plane.client() as admin:
                assert admin.delete(f"/api/keys/{made['id']}").is_success
            with anyio.fail_after(2):
                with pytest.raises(ConnectionClosed):
                    await viewer.wait("never")
                assert viewer.peer is not None
                await viewer.gone.wait()


def offered(viewer: NekoClient, name: str) -> str:
    """A line of what it was offered, without its name."""
    assert viewer.peer is not None
    return str(viewer.peer.remoteDescription.sdp.partition(f"a={name}:")[2].splitlines()[0])


def request(name: str, password: str) -> bytes:
    made = stun.Message(message_method=stun.Method.BINDING, message_class=stun.Class.REQUEST)
    made.attributes["USERNAME"] = f"{name}:abcd"
    made.attributes["PRIORITY"] = 1
    made.add_message_integrity(password.encode())
    return bytes(made)


async def until(is_true: Callable[[], bool], what: str) -> None:
    end = time.monotonic() + 20
    while not is_true():
        assert time.monotonic() < end, f"never happened: {what}"
        await anyio.sleep(0.02)


async def test_sessions_share_a_port_and_nothing_else(plane: RunningPlane) -> None:
    """Neither strangers nor one session's viewer reach another's box, whatever they send; the port stays up."""
    ann, bob = (plane.create(mode="desktop") for _ in range(2))
    at = {one["id"]: f"{plane.url}/s/{one['id']}" for one in (ann, bob)}
    chance = random.Random(17)
    with plane.client() as api:
        for one in at.values():
            assert api.post(f"{one}/v1/desktop/stream/start").status_code == 200
        made = api.post(f"/api/sessions/{bob['id']}/tokens", json={"role": "view"}).json()

        def pointer(session: dict[str, str]) -> int:
            return int(api.get(f"{at[session['id']]}/v1/desktop/mouse/position").json()["x"])

        async with (
            neko_at(at[ann["id"]] + SIGNALING, ann["token"]) as hers,
            neko_at(at[bob["id"]] + SIGNALING, made["token"]) as his,
        ):
            await hers.watch()
            await his.watch()
            port = int(offered(hers, "candidate").split()[5])
            assert port == int(offered(his, "candidate").split()[5])
            name, password = offered(hers, "ice-ufrag"), offered(hers, "ice-pwd")
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as stranger:
                stranger.connect(("127.0.0.1", port))
                stranger.setblocking(False)
                for _ in range(3000):
                    changed = bytearray(request(name, password))
                    changed[chance.randrange(20, len(changed) - 8)] ^= chance.randrange(1, 256)
                    odd = [
                        chance.randbytes(chance.randrange(1, 1400)),
                        struct.pack(">HHI12s", 1, 0, 0x2112A442, chance.randbytes(12)),
                        request(name, offered(his, "ice-pwd")),
                        request(name[:18] + chance.randbytes(8).hex(), password),
                        bytes(changed),
                    ]
                    stranger.send(chance.choice(odd))
                    with pytest.raises(BlockingIOError):
                        stranger.recv(2048)
                for _ in range(40):
                    with socket.create_connection(("127.0.0.1", port), timeout=5) as line:
                        line.sendall(chance.randbytes(chance.randrange(1, 3000)))
                # Whoever may only watch sends what they like.
                his.move(5, 5)
                hers.move(321, 123)
                await until(lambda: pointer(ann) == 321, "the pointer of the one that may")
                with pytest.raises(BlockingIOError):
                    stranger.recv(2048)
            assert pointer(bob) != 5
            # Neko's own client, which brings its token as a password.
            room = at[ann["id"]]
            login = httpx.post(f"{room}/api/login", json={"username": "ann", "password": ann["token"]})
            assert (login.status_code, login.json()["token"]) == (200, ann["token"])
            for wrong in ("", "no", bob["token"], made["token"]):
                assert httpx.post(f"{room}/api/login", json={"password": wrong}).status_code == 401
            who = httpx.get(f"{room}/api/whoami", headers={"Authorization": f"Bearer {ann['token']}"})
            assert who.json() == {key: value for key, value in login.json().items() if key != "token"}
            async with neko_at(f"{room}/api/ws", login.json()["token"]) as own:
                assert (await own.wait("system/init"))["sessions"]
                await own.watch()
            for path in ("/v1/desktop/stream/relay", "/v1/desktop/stream/%72elay"):
                with pytest.raises(InvalidStatus) as refused:
                    await connect(f"{at[ann['id']]}{path}?token={ann['token']}".replace("http", "ws", 1), proxy=None)
                assert refused.value.response.status_code == 403
            for pid in streamers_below(box_process(ann["sandboxId"])):
                os.kill(pid, signal.SIGKILL)
            await hers.wait("signal/close")
            await hers.take_offer()
            await hers.frame()


async def test_viewers_of_both_versions_of_ip_come_by_the_one_port(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket(socket.AF_INET6, socket.SOCK_DGRAM) as free:
        free.bind(("::1", 0))
        port = free.getsockname()[1]
    flags = ("--webrtc", "public", "--webrtc-address", "::1", "--webrtc-address", "127.0.0.1", "--webrtc-port")
    with running_plane("--egress", "open", *flags, str(port)) as plane:
        session = plane.create(plane.key, mode="browser")
        for host in ("::1", "127.0.0.1"):
            monkeypatch.setattr(aioice.ice, "get_host_addresses", lambda host=host, **_: [host])
            async with neko_at(f"{plane.url}/s/{session['id']}{SIGNALING}", session["token"]) as viewer:
                await viewer.watch()
                await viewer.frame()
                assert viewer.peer is not None
                (ice,) = {one.receiver.transport.transport for one in viewer.peer.getTransceivers()}
                pair = ice._connection._nominated[1]
                assert (pair.remote_addr[0], pair.remote_addr[1]) == (host, port)
