"""Windows: listed as they are, and moved, sized, hidden and closed as asked."""

import os
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import httpx2 as httpx
import pytest

from tests.box.desktop.conftest import notepad, on_host, shared, until
from tests.servers import PATIENCE, RunningBox, running_box

WINDOWS = "/v1/desktop/windows"


def test_a_window_is_listed_as_it_is(desktop: httpx.Client) -> None:
    with notepad(desktop, "--title", "Straße 東京", "--at", "300x200+150+120") as pad:
        # The window manager gives it the focus a moment after it is shown.
        until(lambda: desktop.get(f"{WINDOWS}/focused").status_code == 200, "the focus")
        (window,) = desktop.get(WINDOWS).json()["windows"]
        assert window["id"] == pad.window_id
        assert window["title"] == "Straße 東京"
        assert (window["width"], window["height"]) == (300, 200)
        assert window["className"] == "Notepad"
        info = desktop.get(f"/v1/processes/{pad.process_id}").json()
        assert window["pid"] == info["pid"]
        assert window["isActive"] is True
        assert desktop.get(f"{WINDOWS}/focused").json() == window
        # The place is the client area's: a click there arrives, one pixel further out it does not.
        desktop.post("/v1/desktop/mouse/click", json={"x": window["x"], "y": window["y"]})
        pad.saw(kind="press", button=1, x=window["x"], y=window["y"])
        status = desktop.get("/v1/desktop/status").json()
        assert [one["id"] for one in status["windows"]] == [pad.window_id]


def test_the_focus_moves_and_the_order_with_it(desktop: httpx.Client) -> None:
    with notepad(desktop, "--title", "one") as one, notepad(desktop, "--title", "two") as two:
        for pad in (one, two, one):
            window = desktop.post(f"{WINDOWS}/{pad.window_id}/focus").json()
            assert window["isActive"] is True
            assert desktop.get(f"{WINDOWS}/focused").json()["id"] == pad.window_id
            assert desktop.get(WINDOWS).json()["windows"][-1]["id"] == pad.window_id


def test_move_and_resize(desktop: httpx.Client) -> None:
    with notepad(desktop) as pad:
        moved = desktop.post(f"{WINDOWS}/{pad.window_id}/move", json={"x": 30, "y": 40}).json()
        # The frame's corner goes there; its border and title bar lie between it and the client area.
        assert 30 <= moved["x"] <= 40
        assert 40 <= moved["y"] <= 70
        sized = desktop.post(f"{WINDOWS}/{pad.window_id}/resize", json={"width": 222, "height": 111}).json()
        assert (sized["width"], sized["height"]) == (222, 111)
        assert (sized["x"], sized["y"]) == (moved["x"], moved["y"])


def test_minimize_maximize_and_back(desktop: httpx.Client) -> None:
    with notepad(desktop) as pad:
        assert desktop.post(f"{WINDOWS}/{pad.window_id}/minimize").json()["isMinimized"] is True
        assert desktop.get(f"{WINDOWS}/focused").status_code == 404
        back = desktop.post(f"{WINDOWS}/{pad.window_id}/focus").json()
        assert (back["isMinimized"], back["isActive"]) == (False, True)
        large = desktop.post(f"{WINDOWS}/{pad.window_id}/maximize").json()
        assert large["isMaximized"] is True
        until(lambda: desktop.get(WINDOWS).json()["windows"][0]["width"] > 700, "the window to grow")


def test_close_asks_the_program(desktop: httpx.Client) -> None:
    with notepad(desktop) as pad:
        assert desktop.post(f"{WINDOWS}/{pad.window_id}/close").json() == {"id": pad.window_id, "closed": True}
        assert desktop.get(WINDOWS).json() == {"windows": []}
    with notepad(desktop, "--stubborn") as pad:
        assert desktop.post(f"{WINDOWS}/{pad.window_id}/close").json()["closed"] is False


@pytest.mark.parametrize("id", ["999999999", "0x1234", "nonsense", "-1", "99999999999999999999"])
def test_an_unknown_window_is_said(desktop: httpx.Client, id: str) -> None:
    for path, body in (
        ("focus", None),
        ("move", {"x": 1, "y": 1}),
        ("resize", {"width": 9, "height": 9}),
        ("close", None),
    ):
        answer = desktop.post(f"{WINDOWS}/{id}/{path}", json=body) if body else desktop.post(f"{WINDOWS}/{id}/{path}")
        assert (answer.status_code, answer.json()["code"]) == (404, "window_not_found")


def test_nothing_focused_is_said(desktop: httpx.Client) -> None:
    until(lambda: not desktop.get(WINDOWS).json()["windows"], "an empty desktop")
    answer = desktop.get(f"{WINDOWS}/focused")
    assert (answer.status_code, answer.json()["code"]) == (404, "no_focused_window")


def test_a_size_of_nothing_is_refused(desktop: httpx.Client) -> None:
    with notepad(desktop) as pad:
        answer = desktop.post(f"{WINDOWS}/{pad.window_id}/resize", json={"width": 0, "height": 5})
        assert (answer.status_code, answer.json()["code"]) == (400, "desktop_invalid_action")


@pytest.fixture
def unmanaged() -> Iterator[httpx.Client]:
    """A display of 800 x 600 that has no window manager: the browser's."""
    with running_box(*shared()) as box, box.client() as client:
        answer = client.post("/v1/browser/start", json={"width": 800, "height": 600})
        assert answer.status_code == 200, answer.text
        yield client


def test_it_works_without_a_window_manager(unmanaged: httpx.Client) -> None:
    desktop = unmanaged
    with notepad(desktop, "--at", "300x200+150+120") as pad:
        window = desktop.post(f"{WINDOWS}/{pad.window_id}/focus").json()
        assert (window["x"], window["y"], window["width"], window["height"]) == (150, 120, 300, 200)
        assert window["isActive"] is True
        desktop.post("/v1/desktop/keyboard/press", json={"key": "k"})
        pad.saw(kind="down", keysym=ord("k"))
        moved = desktop.post(f"{WINDOWS}/{pad.window_id}/move", json={"x": 30, "y": 40}).json()
        assert (moved["x"], moved["y"]) == (30, 40)
        assert desktop.post(f"{WINDOWS}/{pad.window_id}/minimize").json()["isMinimized"] is True
        assert desktop.post(f"{WINDOWS}/{pad.window_id}/focus").json()["isMinimized"] is False
        large = desktop.post(f"{WINDOWS}/{pad.window_id}/maximize").json()
        assert (large["width"], large["height"], large["isMaximized"]) == (800, 600, True)
        assert desktop.post(f"{WINDOWS}/{pad.window_id}/close").json()["closed"] is True


def test_the_answer_waits_for_the_window_manager(desktop: httpx.Client, desktop_box: RunningBox) -> None:
    """One that is held up for a while has done nothing yet: what it will do is the answer."""
    processes = desktop.get("/v1/desktop/status").json()["processes"]
    (pid,) = (on_host(desktop_box, one["pid"]) for one in processes if one["name"] == "openbox")
    with notepad(desktop) as pad, ThreadPoolExecutor(1) as pool:
        before = desktop.post(f"{WINDOWS}/{pad.window_id}/move", json={"x": 30, "y": 40}).json()
        os.kill(pid, signal.SIGSTOP)
        try:
            call = pool.submit(desktop.post, f"{WINDOWS}/{pad.window_id}/move", json={"x": 130, "y": 140})
            # Longer than a window manager that is merely busy was ever given.
            with pytest.raises(TimeoutError):
                call.result(timeout=1.5)
        finally:
            os.kill(pid, signal.SIGCONT)
        after = call.result(timeout=PATIENCE).json()
        assert (after["x"] - before["x"], after["y"] - before["y"]) == (100, 100)
