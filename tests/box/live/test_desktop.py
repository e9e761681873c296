"""The same socket in desktop mode: the screen is seen, and driven through the X server."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest

from tests.box.live.client import Frame, LiveClient, watching
from tests.processes import eventually
from tests.servers import RunningBox, running_box


@pytest.fixture(scope="module")
def box() -> Iterator[RunningBox]:
    with running_box() as box, box.client() as client:
        started = client.post("/v1/desktop/start", json={"width": 800, "height": 600})
        assert started.status_code == 200, started.text
        yield box


@pytest.fixture
def api(box: RunningBox) -> Iterator[httpx.Client]:
    with box.client() as client:
        yield client


@pytest.fixture
def live(box: RunningBox) -> Iterator[LiveClient]:
    with watching(box) as client:
        yield client


def mouse_position(api: httpx.Client) -> tuple[int, int]:
    position: dict[str, Any] = api.get("/v1/desktop/mouse/position").json()
    return position["x"], position["y"]


def until_at(api: httpx.Client, x: int, y: int) -> None:
    eventually(lambda: mouse_position(api) == (x, y), f"the pointer at {x}, {y}")


def test_the_screen_is_seen_at_once_and_the_pages_commands_say_why_not(live: LiveClient) -> None:
    assert live.event("ready")["mode"] == "desktop"
    frame = live.frame()
    assert (frame.w, frame.h, frame.dpr) == (800, 600, 1)
    assert live.refused("navigate", url="about:blank")["code"] == "browser_not_active"


def test_the_mouse_moves_where_the_viewer_points(api: httpx.Client, live: LiveClient) -> None:
    live.frame()
    live.mouse("move", 100, 150, surface={"w": 400, "h": 300})
    until_at(api, 200, 300)
    # Bars at both sides of a surface that is too wide.
    live.mouse("move", 100 + 50, 50, surface={"w": 1000, "h": 600})
    until_at(api, 50, 50)


def test_who_comes_as_another_goes_points_at_what_it_was_sent(box: RunningBox, api: httpx.Client) -> None:
    """The source of pictures ends with its last viewer; the next may come while it does, and see the last one's."""
    for x in range(1, 21):
        with watching(box) as viewer:
            viewer.frame()
            viewer.mouse("move", 10 * x, 100)
            until_at(api, 10 * x, 100)


def test_what_changes_on_the_screen_is_seen_and_keys_reach_it(
    api: httpx.Client, live: LiveClient, tmp_path: Path
) -> None:
    before = live.frame()
    launched = api.post(
        "/v1/desktop/launch", json={"app": "xterm", "args": ["-geometry", "60x20+0+0", "-bg", "rgb:ff/00/00"]}
    )
    assert launched.status_code == 200, launched.text

    def is_red(frame: Frame) -> bool:
        return frame.timestamp > before.timestamp and frame.is_near(200, 250, (255, 0, 0))

    live.frame(is_red)
    live.mouse("move", 200, 200)
    live.mouse("down", 200, 200, button="left")
    live.mouse("up", 200, 200, button="left")
    typed = "printf '\\033[?5h'"
    for character in typed:
        live.key("keydown", character)
        live.key("keyup", character)
    live.key("keydown", "Enter", "Enter")
    live.key("keyup", "Enter", "Enter")
    # Reverse video: what was red is drawn in the colour of the text.
    live.frame(lambda frame: not frame.is_near(200, 250, (255, 0, 0)))


def test_control_holds_back_the_agents_hands(api: httpx.Client, live: LiveClient) -> None:
    live.call("control.take")
    refused = api.post("/v1/desktop/mouse/move", json={"x": 1, "y": 1})
    assert (refused.status_code, refused.json()["code"]) == (409, "control_held")
    assert api.get("/v1/desktop/screenshot").status_code == 200
    live.call("control.release")
    assert api.post("/v1/desktop/mouse/move", json={"x": 1, "y": 1}).status_code == 200
