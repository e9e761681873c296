"""WebRTC through the gateway: signalling at `/s/{id}/…`, and a peer that ends with what let it in."""

import time
from collections.abc import Iterator

import anyio
import pytest
from websockets.exceptions import ConnectionClosed

from tests.box.live.rtc.client import SIGNALING, neko_at, on_loopback
from tests.plane.plane import RunningPlane, running_plane

__all__ = ["on_loopback"]
pytestmark = pytest.mark.usefixtures("on_loopback")

RED = (255, 0, 0)


@pytest.fixture(scope="module")
def plane() -> Iterator[RunningPlane]:
    with running_plane("--egress", "open") as plane:
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
            viewer.move(321, 432)
            deadline = time.monotonic() + 15
            while api.get(f"{at}/v1/desktop/mouse/position").json()["x"] != 321:
                assert time.monotonic() < deadline, "the pointer never moved"
                # The peer is on this loop, too.
                await anyio.sleep(0.02)
            with plane.client() as admin:
                assert admin.delete(f"/api/keys/{made['id']}").is_success
            with pytest.raises(ConnectionClosed):
                await viewer.wait("never")
            assert viewer.peer is not None
            with anyio.fail_after(5):
                await viewer.gone.wait()
