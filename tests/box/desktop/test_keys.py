"""Key names, scroll fractions and drag paths: plain functions, tables of cases."""

import pytest

from belljar.box.desktop.input.keys import (
    UnknownKey,
    keycode_of_number,
    keysym_of_key,
    keysyms_of_text,
    parse_combination,
)
from belljar.box.desktop.input.mouse import _line, _whole


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("a", ["a"]),
        ("ctrl+shift+a", ["ctrl", "shift", "a"]),
        ("+", ["plus"]),
        ("ctrl++", ["ctrl", "plus"]),
        ("ctrl+plus", ["ctrl", "plus"]),
    ],
)
def test_combinations(text: str, parts: list[str]) -> None:
    assert parse_combination(text) == parts


@pytest.mark.parametrize("text", ["", " ", "\t", "ctrl+", "+a", "ctrl+ +a"])
def test_what_is_no_combination(text: str) -> None:
    with pytest.raises(UnknownKey):
        parse_combination(text)


@pytest.mark.parametrize(
    ("name", "keysym"),
    [
        ("Return", 0xFF0D),
        ("enter", 0xFF0D),
        ("ENTER", 0xFF0D),
        ("ArrowUp", 0xFF52),
        ("Meta", 0xFFEB),
        ("super", 0xFFEB),
        ("Super_R", 0xFFEC),
        ("F12", 0xFFC9),
        ("f12", 0xFFC9),
        ("Numpad5", 0xFFB5),
        ("Digit7", 0x37),
        ("KeyQ", 0x71),
        ("€", 0x010020AC),
        ("U4E2D", 0x01004E2D),
        ("XF86AudioPlay", 0x1008FF14),
        ("5", 0x35),
        ("tab", 0xFF09),
    ],
)
def test_keys(name: str, keysym: int) -> None:
    assert keysym_of_key(name) == keysym


@pytest.mark.parametrize("name", ["bogus", "a b", " a ", "F99", "KeyÄÖ", "\0", "\ud800"])
def test_what_is_no_key(name: str) -> None:
    with pytest.raises(UnknownKey):
        keysym_of_key(name)


def test_text_becomes_keys() -> None:
    assert list(keysyms_of_text("aÄ\r\n\t中")) == [0x61, 0xC4, 0xFF0D, 0xFF09, 0x01004E2D]


@pytest.mark.parametrize(
    ("name", "code"), [("38", 38), ("7", None), ("5", None), ("256", None), ("a", None), ("٣٨", None)]
)
def test_keycodes(name: str, code: int | None) -> None:
    assert keycode_of_number(name) == code


def test_fractions_add_up_and_a_turn_back_starts_afresh() -> None:
    rest, turned = 0.0, 0
    for _ in range(25):
        notches, rest = _whole(rest, 0.1)
        turned += notches
    assert turned == 2
    assert _whole(0.9, -0.5) == (0, -0.5)
    assert _whole(0.0, -3)[0] == -3


def test_a_drag_ends_where_it_should() -> None:
    assert list(_line((0, 0), (0, 0))) == [(0, 0)]
    points = list(_line((0, 0), (100, 50)))
    assert points[-1] == (100, 50)
    assert len(points) >= 7
