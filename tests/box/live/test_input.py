"""Input through the socket, as the page under test saw it."""

from typing import Any

import pytest

from tests.box.live.client import LiveClient, watching
from tests.servers import RunningBox
from tests.site import Site

RED = (255, 0, 0)
Seen = dict[str, Any]


@pytest.fixture(autouse=True)
def events_page(live: LiveClient, site: Site) -> None:
    live.call("navigate", url=site.url("live/events.html"))
    live.frame(lambda frame: frame.is_near(600, 500, (0, 128, 0)))


def seen(live: LiveClient, kind: str, count: int = 1) -> list[Seen]:
    """The events of a type, once there are enough."""
    expression = f"seen.filter((e) => e.type === {kind!r})"
    found: list[Seen] = live.until_value(expression, lambda events: len(events) >= count)
    assert len(found) == count, found
    return found


def click(live: LiveClient, x: float, y: float, **more: Any) -> None:
    live.mouse("move", x, y, **more)
    live.mouse("down", x, y, button="left", **more)
    live.mouse("up", x, y, button="left", **more)


def page_size(live: LiveClient) -> tuple[float, float]:
    w, h = live.value("[innerWidth, innerHeight]")
    return w, h


@pytest.mark.parametrize("scale", [0.25, 1, 1.75])
def test_a_click_lands_where_the_viewer_saw_it(live: LiveClient, scale: float) -> None:
    w, h = page_size(live)
    click(live, 450 * scale, 250 * scale, surface={"w": w * scale, "h": h * scale})
    (down,) = seen(live, "mousedown")
    assert (down["x"], down["y"], down["button"], down["trusted"]) == (450, 250, 0, True)
    live.frame(lambda frame: frame.is_near(600, 500, RED))


def test_bars_beside_the_picture_are_taken_off(live: LiveClient) -> None:
    w, h = page_size(live)
    live.mouse("down", 10, 300, button="left", surface={"w": w + 400, "h": h})
    click(live, 450 + 200, 250, surface={"w": w + 400, "h": h})
    (down,) = seen(live, "mousedown")
    assert (down["x"], down["y"]) == (450, 250)


def test_without_a_surface_the_point_is_the_pages_own(live: LiveClient) -> None:
    click(live, 450, 250)
    (down,) = seen(live, "mousedown")
    assert (down["x"], down["y"]) == (450, 250)


def test_clicks_count_up_and_buttons_are_told_apart(live: LiveClient) -> None:
    for count in (1, 2, 3):
        live.mouse("down", 450, 250, button="left", clickCount=count)
        live.mouse("up", 450, 250, button="left", clickCount=count)
    live.mouse("down", 450, 250, button="middle", modifiers=8)
    live.mouse("up", 450, 250, button="middle", modifiers=8)
    downs = seen(live, "mousedown", 4)
    assert [down["detail"] for down in downs] == [1, 2, 3, 1]
    assert [down["button"] for down in downs] == [0, 0, 0, 1]
    assert [down["held"] for down in downs] == [0, 0, 0, 8]
    assert len(seen(live, "dblclick")) == 1


def test_a_drag_holds_the_button_while_it_moves(live: LiveClient) -> None:
    live.mouse("down", 450, 250, button="left")
    live.mouse("move", 500, 300, button="left")
    # Chromium makes one of two moves that come at once.
    seen(live, "mousemove")
    live.mouse("move", 550, 320)
    live.mouse("up", 550, 320, button="left")
    moves = seen(live, "mousemove", 2)
    assert [(move["x"], move["buttons"]) for move in moves] == [(500, 1), (550, 1)]
    (up,) = seen(live, "mouseup")
    assert (up["x"], up["y"], up["buttons"]) == (550, 320, 0)


@pytest.mark.parametrize(("mode", "delta", "expected"), [(0, 120, 120), (1, 3, 100)])
def test_the_wheel_scrolls_in_any_of_its_units(live: LiveClient, mode: int, delta: float, expected: float) -> None:
    live.mouse("wheel", 600, 400, deltaY=delta, deltaMode=mode)
    (wheel,) = seen(live, "wheel")
    assert wheel["dy"] == pytest.approx(expected, abs=1)
    live.until_value("scrollY", lambda y: y > 0)


def test_keys_arrive_as_a_keyboard_would_send_them(live: LiveClient) -> None:
    live.value("field.focus()")
    for key, code, modifiers in (("a", "KeyA", 0), ("B", "KeyB", 8), ("Enter", "Enter", 0), ("é", "Digit2", 0)):
        live.key("keydown", key, code, modifiers=modifiers)
        live.key("keyup", key, code, modifiers=modifiers)
    assert live.until_value("field.value", lambda text: text.endswith("é")) == "aB\né"
    downs = seen(live, "keydown", 4)
    assert [(down["key"], down["code"], down["held"]) for down in downs[:3]] == [
        ("a", "KeyA", 0),
        ("B", "KeyB", 8),
        ("Enter", "Enter", 0),
    ]
    assert [down["keyCode"] for down in downs[:3]] == [65, 66, 13]


def test_shortcuts_type_nothing_and_edit(live: LiveClient) -> None:
    live.value("field.value = 'old'; field.focus()")
    live.key("keydown", "Control", "ControlLeft", modifiers=2)
    live.key("keydown", "a", "KeyA", modifiers=2)
    live.key("keyup", "a", "KeyA", modifiers=2)
    live.key("keyup", "Control", "ControlLeft")
    live.key("keydown", "Backspace", "Backspace")
    live.key("keyup", "Backspace", "Backspace")
    live.until_value("field.value", lambda text: text == "")
    assert seen(live, "keydown", 3)[0]["location"] == 1


def test_a_held_key_repeats(live: LiveClient) -> None:
    live.value("field.focus()")
    live.key("keydown", "x", "KeyX")
    live.key("keydown", "x", "KeyX", repeat=True)
    live.key("keydown", "x", "KeyX", repeat=True)
    live.key("keyup", "x", "KeyX")
    live.until_value("field.value", lambda text: text == "xxx")
    assert [down["repeat"] for down in seen(live, "keydown", 3)] == [False, True, True]


@pytest.mark.parametrize("text", ["日本語です", "🙂👩‍👩‍👧", "שלום", "line one\nline two", "x" * 20_000])
def test_text_of_an_input_method_or_the_clipboard_arrives_whole(live: LiveClient, text: str) -> None:
    live.value("field.focus()")
    live.key("char", text=text)
    assert live.until_value("field.value", lambda value: len(value) > 0) == text


def test_what_a_viewer_held_down_is_let_go_when_it_leaves(box: RunningBox, live: LiveClient) -> None:
    with watching(box) as second:
        second.frame()
        second.mouse("down", 450, 250, button="left")
        second.key("keydown", "Shift", "ShiftLeft", modifiers=8)
        seen(live, "mousedown")
        seen(live, "keydown")
        # Gone without a word.
        second.socket.socket.close()
    (up,) = seen(live, "mouseup")
    assert (up["x"], up["y"]) == (450, 250)
    assert seen(live, "keyup")[0]["key"] == "Shift"


def test_who_loses_control_lets_go(box: RunningBox, live: LiveClient) -> None:
    with watching(box) as second:
        second.frame()
        second.call("control.take")
        second.mouse("down", 450, 250, button="left")
        seen_down = "seen.some((e) => e.type === 'mousedown')"
        second.until_value(seen_down, bool)
        live.call("control.take")
        seen(live, "mouseup")


def test_what_an_input_method_composes_is_seen_before_it_is_typed(live: LiveClient) -> None:
    click(live, 100, 60)
    live.until_value("document.activeElement.id", lambda id: id == "field")
    live.value("addEventListener('compositionend', (e) => seen.push({ type: 'composed', data: e.data }), true)")
    for text in ("n", "に", "にほ", "にほん"):
        live.key("compose", text=text)
    live.until_value("field.value", lambda text: text == "にほん")
    live.key("char", text="日本")
    live.until_value("field.value", lambda text: text == "日本")
    assert [e["data"] for e in seen(live, "composed")] == ["日本"]
    live.key("compose", text="ご😀")
    live.until_value("field.value", lambda text: text == "日本ご😀")
    live.key("compose", text="")
    live.until_value("field.value", lambda text: text == "日本")


def test_what_was_composed_goes_with_its_viewer(box: RunningBox, live: LiveClient) -> None:
    with watching(box) as other:
        other.frame()
        click(other, 100, 60)
        other.until_value("document.activeElement.id", lambda id: id == "field")
        other.key("compose", text="にほん")
        other.until_value("field.value", lambda text: text == "にほん")
    live.until_value("field.value", lambda text: text == "")
