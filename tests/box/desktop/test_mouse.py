"""The mouse, as the window under it felt it."""

from collections.abc import Iterator

import httpx2 as httpx
import pytest

from tests.box.desktop.conftest import Program, notepad

MOUSE = "/v1/desktop/mouse"


@pytest.fixture
def pad(desktop: httpx.Client) -> Iterator[Program]:
    with notepad(desktop, "--at", "400x300+100+100") as program:
        yield program


def test_a_move_arrives_and_tells_the_window_under_it(desktop: httpx.Client, pad: Program) -> None:
    answer = desktop.post(f"{MOUSE}/move", json={"x": 250, "y": 260})
    assert answer.json() == {"x": 250, "y": 260, "screen": 0, "window": pad.window_id}
    pad.saw(kind="move", x=250, y=260)
    assert desktop.get(f"{MOUSE}/position").json()["x"] == 250


def test_clicks_of_every_button_arrive(desktop: httpx.Client, pad: Program) -> None:
    for button, number in (("left", 1), ("middle", 2), ("right", 3)):
        desktop.post(f"{MOUSE}/click", json={"x": 200, "y": 210, "button": button})
        pad.saw(kind="release", button=number, x=200, y=210)
    presses = [line["button"] for line in pad.lines() if line["kind"] == "press"]
    assert presses == [1, 2, 3]


def test_a_double_click_is_two_clicks(desktop: httpx.Client, pad: Program) -> None:
    desktop.post(f"{MOUSE}/click", json={"x": 200, "y": 210, "clickCount": 2})
    pad.saw(times=2, kind="release", button=1)
    kinds = [line["kind"] for line in pad.lines() if line["kind"] in ("press", "release")]
    assert kinds == ["press", "release"] * 2


def test_a_drag_goes_through_the_points_between(desktop: httpx.Client, pad: Program) -> None:
    answer = desktop.post(f"{MOUSE}/drag", json={"startX": 150, "startY": 200, "endX": 350, "endY": 300})
    assert (answer.json()["x"], answer.json()["y"]) == (350, 300)
    pad.saw(kind="release", button=1, x=350, y=300)
    lines = [line for line in pad.lines() if line["kind"] in ("press", "move", "release")]
    begin = next(i for i, line in enumerate(lines) if line["kind"] == "press")
    assert (lines[begin]["x"], lines[begin]["y"]) == (150, 200)
    assert sum(line["kind"] == "move" for line in lines[begin:]) >= 3


def test_down_and_up_hold_the_button_in_between(desktop: httpx.Client, pad: Program) -> None:
    desktop.post(f"{MOUSE}/down", json={"x": 160, "y": 220})
    desktop.post(f"{MOUSE}/move", json={"x": 170, "y": 230})
    desktop.post(f"{MOUSE}/up", json={})
    pad.saw(kind="release", button=1, x=170, y=230)


def test_fractions_of_a_notch_add_up(desktop: httpx.Client, pad: Program) -> None:
    for _ in range(10):
        desktop.post(f"{MOUSE}/scroll", json={"x": 200, "y": 210, "deltaY": 0.1})
    desktop.post(f"{MOUSE}/scroll", json={"x": 200, "y": 210, "deltaX": -2, "deltaY": -1})
    pad.saw(times=2, kind="release", button=6)
    assert [line["button"] for line in pad.lines() if line["kind"] == "press"] == [5, 4, 6, 6]


def test_the_edge_is_the_last_pixel(desktop: httpx.Client) -> None:
    moved = desktop.post(f"{MOUSE}/move", json={"x": 800, "y": 600})
    assert (moved.status_code, moved.json()["x"], moved.json()["y"]) == (200, 799, 599)
    clicked = desktop.post(f"{MOUSE}/click", json={"x": 800, "y": 10})
    assert (clicked.status_code, clicked.json()["x"], clicked.json()["y"]) == (200, 799, 10)


def test_a_long_scroll_finishes(desktop: httpx.Client, pad: Program) -> None:
    assert desktop.post(f"{MOUSE}/scroll", json={"x": 200, "y": 210, "deltaY": 500}).status_code == 200
    desktop.post(f"{MOUSE}/click", json={"x": 200, "y": 210})
    pad.saw(kind="release", button=1)
    assert sum(line.get("button") == 5 and line["kind"] == "press" for line in pad.lines()) == 500


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("move", {"x": -1, "y": 5}),
        ("move", {"x": 801, "y": 5}),
        ("move", {"x": 5, "y": 601}),
        ("click", {"x": 40000, "y": 5}),
        ("click", {"x": 5, "y": 5, "clickCount": 0}),
        ("drag", {"startX": 5, "startY": 5, "endX": 900, "endY": 5}),
        ("scroll", {"x": 5, "y": 5}),
        ("scroll", {"x": 5, "y": 5, "deltaX": 0, "deltaY": 0}),
        ("down", {"x": 5}),
        ("up", {"x": 5, "y": -5}),
    ],
)
def test_what_cannot_be_done_is_said(desktop: httpx.Client, path: str, body: dict[str, int]) -> None:
    answer = desktop.post(f"{MOUSE}/{path}", json=body)
    assert answer.status_code == 400
    assert answer.json()["code"] == "desktop_invalid_action"


def test_an_unknown_button_is_refused(desktop: httpx.Client) -> None:
    assert desktop.post(f"{MOUSE}/click", json={"x": 5, "y": 5, "button": "x"}).status_code == 422
