"""The desktop starts, says what it is, comes back when parts of it die, and stops."""

import os
import signal
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest
from PIL import Image

from belljar.box.desktop.desktop import MOVES
from belljar.wire.desktop import DesktopState
from tests.box.desktop.conftest import end, notepad, on_host, shared, until
from tests.processes import freeze
from tests.servers import RunningBox, running_box

DESKTOP = "/v1/desktop"


def test_every_state_has_its_moves_and_the_server_can_stop_in_each_that_is_entered() -> None:
    assert set(MOVES) == set(DesktopState)
    entered = set().union(*MOVES.values())
    assert entered == set(DesktopState) - {DesktopState.INSTALL_REQUIRED}
    assert all(DesktopState.STOPPING in MOVES[state] for state in entered - {DesktopState.STOPPING})


@pytest.fixture(scope="module")
def a_box() -> Iterator[RunningBox]:
    with running_box(*shared()) as box:
        yield box


@pytest.fixture
def http(a_box: RunningBox) -> Iterator[httpx.Client]:
    """A box whose desktop is stopped, before and after."""
    with a_box.client() as client:
        client.post(f"{DESKTOP}/stop")
        yield client
        client.post(f"{DESKTOP}/stop")


def process(http: httpx.Client, name: str) -> dict[str, Any]:
    (found,) = [one for one in http.get(f"{DESKTOP}/status").json()["processes"] if one["name"] == name]
    assert isinstance(found, dict)
    return found


def test_start_status_stop(http: httpx.Client) -> None:
    inactive = http.get(f"{DESKTOP}/status").json()
    assert inactive["state"] == "inactive"
    assert (inactive["missingDependencies"], inactive["processes"]) == ([], [])
    started = http.post(f"{DESKTOP}/start", json={"width": 641, "height": 480, "dpi": 120}).json()
    assert (started["state"], started["mode"]) == ("active", "desktop")
    assert started["resolution"] == {"width": 641, "height": 480, "dpi": 120}
    assert {one["name"] for one in started["processes"]} == {"Xvfb", "openbox", "dbus"}
    assert all(one["running"] for one in started["processes"])
    info = http.get(f"{DESKTOP}/display/info").json()
    assert (info["display"], info["resolution"]["width"], info["mode"]) == (started["display"], 641, "desktop")
    again = http.post(f"{DESKTOP}/start", json={"width": 5, "height": 0}).json()
    assert (again["resolution"], again["startedAt"]) == (started["resolution"], started["startedAt"])
    owned = http.get("/v1/processes", params={"owner": "desktop"}).json()["processes"]
    assert {one["command"] for one in owned if one["status"] == "running"} == {"Xvfb", "openbox", "dbus-daemon"}
    assert {one["restartPolicy"] for one in owned} == {"always"}
    assert "desktop active" in Path(started["runtimeLogPath"]).read_text()
    stopped = http.post(f"{DESKTOP}/stop").json()
    assert (stopped["state"], stopped["processes"]) == ("inactive", [])
    assert http.post(f"{DESKTOP}/stop").json()["state"] == "inactive"


def test_starts_at_once_all_succeed(http: httpx.Client) -> None:
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda width: http.post(f"{DESKTOP}/start", json={"width": width}), range(400, 404)))
    assert [answer.status_code for answer in answers] == [200] * 4
    assert len({answer.json()["startedAt"] for answer in answers}) == 1


@pytest.mark.parametrize("body", [{"width": 0}, {"height": 0}, {"dpi": 0}, {"displayNum": 0}, {"width": 99999}])
def test_a_start_out_of_range_is_said(http: httpx.Client, body: dict[str, int]) -> None:
    answer = http.post(f"{DESKTOP}/start", json=body)
    assert (answer.status_code, answer.json()["code"]) == (400, "desktop_invalid_action")


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("GET", "screenshot", None),
        ("GET", "mouse/position", None),
        ("GET", "windows", None),
        ("GET", "clipboard", None),
        ("GET", "display/info", None),
        ("POST", "mouse/move", {"x": 1, "y": 1}),
        ("POST", "keyboard/press", {"key": "a"}),
        ("POST", "launch", {"app": "xterm"}),
        ("POST", "open", {"target": "/"}),
        ("POST", "windows/1/focus", None),
        ("POST", "display/resize", {"width": 5, "height": 5}),
    ],
)
def test_without_a_desktop_every_call_says_so(http: httpx.Client, method: str, path: str, body: Any) -> None:
    answer = http.request(method, f"{DESKTOP}/{path}", json=body)
    assert (answer.status_code, answer.json()["code"]) == (409, "desktop_runtime_inactive")


def test_arguments_are_checked_before_the_state(http: httpx.Client) -> None:
    assert http.post(f"{DESKTOP}/mouse/move", json={"x": -1, "y": 1}).status_code == 400
    assert http.post(f"{DESKTOP}/keyboard/press", json={"key": "bogus"}).status_code == 400
    assert http.get(f"{DESKTOP}/screenshot", params={"quality": 0}).status_code == 400


@pytest.mark.parametrize("name", ["Xvfb", "openbox", "dbus"])
def test_what_is_killed_comes_back(http: httpx.Client, a_box: RunningBox, name: str) -> None:
    started = http.post(f"{DESKTOP}/start", json={"width": 400, "height": 300}).json()
    before = process(http, name)
    os.kill(on_host(a_box, before["pid"]), signal.SIGKILL)
    until(lambda: process(http, name).get("pid") not in (None, before["pid"]), f"{name} to come back")
    assert process(http, name)["processId"] == before["processId"]
    until(lambda: http.get(f"{DESKTOP}/mouse/position").status_code == 200, "the display")
    status = http.get(f"{DESKTOP}/status").json()
    assert (status["state"], status["display"]) == ("active", started["display"])
    # The window manager manages again: it gives a window its desktop.
    with notepad(http, "--at", "100x100+50+50") as pad:
        until(lambda: [one for one in _windows(http) if one.get("desktop") == 0], "the window manager")
        http.post(f"{DESKTOP}/windows/{pad.window_id}/focus")
        http.post(f"{DESKTOP}/keyboard/press", json={"key": "a"})
        pad.saw(kind="down", keysym=ord("a"))


def test_the_next_request_after_a_kill_works(http: httpx.Client, a_box: RunningBox) -> None:
    http.post(f"{DESKTOP}/start", json={"width": 400, "height": 300})
    end(on_host(a_box, process(http, "Xvfb")["pid"]))
    answer = http.get(f"{DESKTOP}/screenshot")
    assert answer.status_code == 200
    assert Image.open(BytesIO(answer.content)).size == (400, 300)


def test_a_request_under_way_when_the_display_dies_says_so(http: httpx.Client, a_box: RunningBox) -> None:
    http.post(f"{DESKTOP}/start", json={"width": 400, "height": 300})
    server = on_host(a_box, process(http, "Xvfb")["pid"])
    freeze(server)
    head = f"Host: localhost\r\nAuthorization: Bearer {a_box.token}\r\nConnection: close\r\n"
    with socket.create_connection(("127.0.0.1", a_box.port), timeout=30) as connection:
        connection.sendall(f"GET {DESKTOP}/mouse/position HTTP/1.1\r\n{head}\r\n".encode())
        # What was asked after it has been answered: it is under way.
        for _ in range(20):
            http.get("/v1/health").raise_for_status()
        os.kill(server, signal.SIGKILL)
        answer = connection.makefile("rb").read()
    assert answer.startswith(b"HTTP/1.1 503 ") and b"desktop_runtime_failed" in answer, answer
    assert http.get(f"{DESKTOP}/screenshot").status_code == 200


def test_a_program_launched_while_xvfb_comes_back_waits_for_the_window_manager(
    http: httpx.Client, a_box: RunningBox
) -> None:
    for _ in range(2):
        http.post(f"{DESKTOP}/start", json={"width": 400, "height": 300})
        # The first time before the window manager was ever there, the second after.
        os.kill(on_host(a_box, process(http, "Xvfb")["pid"]), signal.SIGKILL)
        until(lambda: http.get(f"{DESKTOP}/mouse/position").status_code == 200, "the display")
        with notepad(http) as pad:
            (window,) = http.get(f"{DESKTOP}/windows").json()["windows"]
            assert (window["id"], window["desktop"]) == (pad.window_id, 0)


def test_an_xvfb_that_was_stopped_for_good_is_a_failure_that_a_start_mends(http: httpx.Client) -> None:
    http.post(f"{DESKTOP}/start", json={"width": 400, "height": 300})
    http.post(f"/v1/processes/{process(http, 'Xvfb')['processId']}/stop")
    failed = until(lambda: (s := http.get(f"{DESKTOP}/status").json())["state"] == "failed" and s, "the failure")
    assert failed["lastError"]["code"] == "desktop_runtime_failed"
    until(lambda: not _running(http), "the end of what stood on it")
    refused = http.get(f"{DESKTOP}/mouse/position")
    assert (refused.status_code, refused.json()["code"]) == (503, "desktop_runtime_failed")
    assert http.post(f"{DESKTOP}/start", json={}).json()["state"] == "active"
    assert "lastError" not in http.get(f"{DESKTOP}/status").json()


def test_the_screen_takes_another_size_without_a_restart(http: httpx.Client, a_box: RunningBox) -> None:
    http.post(f"{DESKTOP}/start", json={"width": 800, "height": 600})
    pid = process(http, "Xvfb")["pid"]
    for width, height in ((640, 480), (333, 201), (800, 600)):
        info = http.post(f"{DESKTOP}/display/resize", json={"width": width, "height": height}).json()
        assert (info["resolution"]["width"], info["maxWidth"]) == (width, 800)
        picture = Image.open(BytesIO(http.get(f"{DESKTOP}/screenshot").content))
        assert picture.size == (width, height)
    assert process(http, "Xvfb")["pid"] == pid
    too_large = http.post(f"{DESKTOP}/display/resize", json={"width": 801, "height": 600})
    assert (too_large.status_code, too_large.json()["code"]) == (400, "desktop_invalid_action")
    assert http.post(f"{DESKTOP}/display/resize", json={"width": 0, "height": 600}).status_code == 400
    # What was chosen last holds after a restart of Xvfb too.
    http.post(f"{DESKTOP}/display/resize", json={"width": 640, "height": 480})
    os.kill(on_host(a_box, pid), signal.SIGKILL)
    until(lambda: process(http, "Xvfb").get("pid") not in (None, pid), "Xvfb to come back")
    until(lambda: http.get(f"{DESKTOP}/mouse/position").status_code == 200, "the display")
    assert Image.open(BytesIO(http.get(f"{DESKTOP}/screenshot").content)).size == (640, 480)


def test_launch_says_what_went_wrong(http: httpx.Client) -> None:
    http.post(f"{DESKTOP}/start", json={"width": 400, "height": 300})
    for app in ("no-such-program", "", "/nonexistent/program", "a\0b"):
        missing = http.post(f"{DESKTOP}/launch", json={"app": app})
        assert (missing.status_code, missing.json()["code"]) == (404, "app_not_found")
    for wait in (True, False):
        body = {"app": "sh", "args": ["-c", "echo no screen for me >&2; exit 3"], "wait": wait}
        dead = http.post(f"{DESKTOP}/launch", json=body)
        assert (dead.status_code, dead.json()["code"]) == (502, "app_exited")
        assert (dead.json()["exitCode"], dead.json()["output"]) == (3, "no screen for me")
    launched = http.post(f"{DESKTOP}/launch", json={"app": "xterm"}).json()
    assert http.get(f"/v1/processes/{launched['processId']}").json()["owner"] == "desktop"
    windowless = http.post(f"{DESKTOP}/launch", json={"app": "sleep", "args": ["30"], "wait": True}).json()
    assert "windowId" not in windowless
    http.post(f"/v1/processes/{windowless['processId']}/kill")


def test_open_says_what_went_wrong(http: httpx.Client) -> None:
    http.post(f"{DESKTOP}/start", json={"width": 400, "height": 300})
    for target in ("", " ", "/no/such/file", "file:///no/such/file", "--version"):
        answer = http.post(f"{DESKTOP}/open", json={"target": target})
        assert (answer.status_code, answer.json()["code"]) == (400, "desktop_invalid_action")


def test_there_is_no_stream_without_a_display(http: httpx.Client) -> None:
    status = http.get(f"{DESKTOP}/stream/status").json()
    assert status["active"] is False
    refused = http.post(f"{DESKTOP}/stream/start")
    assert (refused.status_code, refused.json()["code"]) == (409, "conflict")
    assert http.post(f"{DESKTOP}/stream/stop").json() == {"active": False}
    assert http.get(f"{DESKTOP}/stream/signaling").status_code == 400


def _running(http: httpx.Client) -> set[str]:
    """What the desktop itself runs, or is about to run again."""
    found = http.get("/v1/processes", params={"owner": "desktop"}).json()["processes"]
    return {one["command"] for one in found if one["status"] == "running"}


def _windows(http: httpx.Client) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = http.get(f"{DESKTOP}/windows").json().get("windows", [])
    return found


@pytest.mark.parametrize("name", ["openbox", "dbus"])
@pytest.mark.parametrize("how", ["kill", "stop"])
def test_what_a_desktop_needs_comes_back_when_it_is_ended_by_the_process_api(
    http: httpx.Client, how: str, name: str
) -> None:
    http.post(f"{DESKTOP}/start", json={"width": 400, "height": 300})
    before = process(http, name)
    assert http.post(f"/v1/processes/{before['processId']}/{how}").status_code == 200
    until(lambda: process(http, name).get("pid") not in (None, before["pid"]), f"{name} to come back")
    assert process(http, name)["processId"] == before["processId"]
    with notepad(http, "--at", "100x100+50+50"):
        until(lambda: [one for one in _windows(http) if one.get("desktop") == 0], "the window manager")
    assert http.post(f"{DESKTOP}/stop").json()["processes"] == []


JSON = {"Content-Type": "application/json"}
BODIES = ["[]", '"x"', "5", "true", "null"]


@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("path", ["start", "mouse/move", "mouse/down", "keyboard/type", "clipboard", "recording/start"])
def test_a_body_that_is_no_object_is_422(http: httpx.Client, path: str, body: str) -> None:
    answer = http.post(f"{DESKTOP}/{path}", content=body, headers=JSON)
    assert (answer.status_code, answer.json()["code"]) == (422, "validation_failed")


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("start", {"width": "800"}),
        ("start", {"width": 800.5}),
        ("start", {"dpi": True}),
        ("mouse/move", {"x": "1", "y": 1}),
        ("mouse/move", {"x": 1.0, "y": 1}),
        ("mouse/scroll", {"x": 1, "y": 1, "deltaY": "3"}),
        ("mouse/click", {"x": 1, "y": 1, "clickCount": "2"}),
        ("keyboard/type", {"text": "a", "delayMs": "5"}),
        ("keyboard/type", {"text": 5}),
        ("keyboard/press", {"key": "a", "modifiers": {"ctrl": "true"}}),
        ("windows/1/resize", {"width": "5", "height": 5}),
        ("recording/start", {"fps": "30"}),
        ("launch", {"app": "xterm", "wait": "yes"}),
        ("clipboard", {}),
        ("clipboard", {"text": None}),
        ("clipboard", {"text": 5}),
    ],
)
def test_what_is_of_another_type_is_not_taken_for_it(http: httpx.Client, path: str, body: Any) -> None:
    answer = http.post(f"{DESKTOP}/{path}", json=body)
    assert (answer.status_code, answer.json()["code"]) == (422, "validation_failed")
