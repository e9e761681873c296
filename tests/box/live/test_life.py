"""The socket from its beginning to its end: who is let in, what is shown when nothing runs, how it is told to go."""

import json
import time
from contextlib import suppress

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from tests.box.live.client import PATIENCE, LiveClient, token_for, watching
from tests.processes import eventually
from tests.servers import RunningBox, running_box


@pytest.mark.parametrize("path", ["/v1/live", "/ws"])
def test_without_a_good_token_the_handshake_is_refused(box: RunningBox, path: str) -> None:
    with pytest.raises(InvalidStatus) as refused, watching(box, token="wrong", path=path):
        pass
    assert refused.value.response.status_code == 401
    assert json.loads(refused.value.response.body or b"")["code"] == "token_invalid"


def test_when_it_is_full_the_next_is_refused() -> None:
    with running_box("--max-viewers", "2") as box:
        with watching(box) as one, watching(box) as two:
            one.event("ready"), two.event("ready")
            with pytest.raises(InvalidStatus) as refused, watching(box):
                pass
            assert refused.value.response.status_code == 429
            assert json.loads(refused.value.response.body or b"")["code"] == "too_many_viewers"
        with box.client() as api:
            eventually(lambda: api.get("/v1/live/glance").json()["viewers"] == 0, "the two have left")
        with watching(box) as again:
            again.event("ready")


def test_with_nothing_running_one_may_come_and_frames_begin_at_start() -> None:
    with running_box() as box, box.client() as api, watching(box) as viewer:
        assert viewer.event("ready")["mode"] == "none"
        assert viewer.refused("navigate", url="about:blank")["code"] == "browser_not_active"
        viewer.mouse("down", 1, 1, button="left")
        assert api.get("/health").json()["browserRunning"] is False
        assert api.post("/v1/browser/start", json={"headless": True}).status_code == 200
        assert viewer.event("ready")["mode"] == "browser"
        viewer.frame()
        assert api.post("/v1/browser/stop").status_code == 200
        assert viewer.event("ready")["mode"] == "none"
        assert api.post("/v1/browser/start", json={"headless": True}).status_code == 200
        assert viewer.event("ready")["mode"] == "browser"
        viewer.frame()


def test_a_stopping_box_says_so_to_its_viewers() -> None:
    with running_box() as box, watching(box) as viewer:
        viewer.event("ready")
        assert box.terminate() == 0
        ending = viewer.event("error")
        assert (ending["code"], ending["reason"]) == ("box_ending", "stopped")
        assert viewer.until_closed() == 1001


def test_an_idle_box_ends_and_says_why_although_somebody_watches() -> None:
    """The grace is 5 s and a tenth: the box waits for its control plane that long."""
    with running_box("--idle-timeout", "0.1") as box, watching(box) as viewer:
        viewer.send({"type": "ping", "t": 1})
        ending = viewer.event("error")
        assert (ending["code"], ending["reason"]) == ("box_ending", "idle")
        assert viewer.until_closed() == 1001


def test_a_connection_ends_with_its_token(box: RunningBox) -> None:
    with watching(box, token=token_for(box, "view", ttl=1)) as viewer:
        assert viewer.event("error")["code"] == "forbidden"
        assert viewer.until_closed() == 1008


def test_a_message_over_the_limit_ends_the_connection(box: RunningBox, live: LiveClient) -> None:
    live.send({"id": 1, "type": "cmd", "method": "evaluate", "params": {"expression": "1" * (1 << 20)}})
    assert live.until_closed() == 1009
    with watching(box) as again:
        again.event("ready")


def test_ready_tells_the_size_before_the_first_frame() -> None:
    with running_box() as box, box.client() as api:
        started = api.post("/v1/browser/start", json={"headless": True, "viewport": {"width": 640, "height": 480}})
        size = {name: started.json()["viewport"][name] for name in ("w", "h")}
        with watching(box) as viewer:
            first = viewer.read()
            assert (first["type"], first["name"]) == ("event", "ready")
            assert first["data"]["viewport"] == {**size, "dpr": 1}
            api.post("/v1/browser/stop").raise_for_status()
            assert "viewport" not in viewer.event("ready")
            api.post("/v1/desktop/start", json={"width": 500, "height": 400}).raise_for_status()
            assert viewer.event("ready")["viewport"] == {"w": 500, "h": 400, "dpr": 1}


def test_a_viewer_that_says_nothing_is_dropped_and_one_that_pings_is_not() -> None:
    with running_box("--live-idle-timeout", "4") as box, watching(box) as silent, watching(box) as talking:
        end = time.monotonic() + PATIENCE
        with pytest.raises(ConnectionClosed) as ended:
            while time.monotonic() < end:
                talking.send({"type": "ping", "t": 1})
                talking.wait(lambda message: message["type"] == "pong")
                with suppress(TimeoutError):
                    silent.read(0.2)
        assert ended.value.rcvd is not None and ended.value.rcvd.code == 1001
        talking.send({"type": "ping", "t": 2})
        talking.wait(lambda message: message == {"type": "pong", "t": 2})
