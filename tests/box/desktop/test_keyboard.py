"""Keys and text, as the program that has the focus received them."""

import json
import shlex
import time
from collections.abc import Iterator
from pathlib import Path

import httpx2 as httpx
import pytest

from tests.box.desktop.conftest import Program, exchange, notepad, until

KEYBOARD = "/v1/desktop/keyboard"
SHIFT, CONTROL, ALT, SUPER = 1, 4, 8, 64


@pytest.fixture
def pad(desktop: httpx.Client) -> Iterator[Program]:
    with notepad(desktop) as program:
        desktop.post(f"/v1/desktop/windows/{program.window_id}/focus")
        desktop.post("/v1/desktop/mouse/click", json={"x": 200, "y": 200})
        yield program


def ids_of_windows(desktop: httpx.Client) -> set[str]:
    return {one["id"] for one in desktop.get("/v1/desktop/windows").json()["windows"]}


@pytest.fixture
def written(desktop: httpx.Client) -> Iterator[Path]:
    """A terminal that writes what is typed into a file."""
    with exchange(desktop) as (ours, theirs):
        file = ours / "typed"
        script = f"stty -echo; umask 0; cat > {shlex.quote(theirs)}/typed"
        before = ids_of_windows(desktop)
        body = {"app": "xterm", "args": ["-u8", "-e", "sh", "-c", script]}
        launched = desktop.post("/v1/desktop/launch", json=body).json()
        (window,) = until(lambda: ids_of_windows(desktop) - before, "the terminal's window")
        until(lambda: desktop.post(f"/v1/desktop/windows/{window}/focus").is_success, "its focus")
        until(file.exists, "the terminal's program")
        yield file
        desktop.post(f"/v1/processes/{launched['processId']}/kill")
        until(lambda: window not in ids_of_windows(desktop), "its end")


@pytest.mark.parametrize(
    ("key", "keysym", "state"),
    [
        ("Enter", 0xFF0D, 0),
        ("Return", 0xFF0D, 0),
        ("Esc", 0xFF1B, 0),
        ("ArrowLeft", 0xFF51, 0),
        ("Left", 0xFF51, 0),
        ("Backspace", 0xFF08, 0),
        ("PageUp", 0xFF55, 0),
        ("a", 0x61, 0),
        ("A", 0x41, SHIFT),
        ("!", 0x21, SHIFT),
        ("+", 0x2B, SHIFT),
        ("space", 0x20, 0),
        ("F5", 0xFFC2, 0),
        ("KeyB", 0x62, 0),
        ("38", 0x61, 0),
        ("eacute", 0xE9, 0),
        ("é", 0xE9, 0),
        ("ctrl+a", 0x61, CONTROL),
        ("cmd+a", 0x61, SUPER),
        ("Control+Alt+b", 0x62, CONTROL | ALT),
        ("ctrl++", 0x2B, CONTROL | SHIFT),
    ],
)
def test_a_key_arrives(desktop: httpx.Client, pad: Program, key: str, keysym: int, state: int) -> None:
    assert desktop.post(f"{KEYBOARD}/press", json={"key": key}).json() == {"ok": True}
    pad.saw(kind="down", keysym=keysym, state=state)
    pad.saw(kind="up", keysym=keysym, state=state)


def test_the_modifiers_object_is_the_same_as_the_string(desktop: httpx.Client, pad: Program) -> None:
    body = {"key": "a", "modifiers": {"ctrl": True, "shift": True, "alt": False, "cmd": None, "hyper": True}}
    desktop.post(f"{KEYBOARD}/press", json=body)
    pad.saw(kind="down", keysym=0x41, state=CONTROL | SHIFT)


def test_modifiers_are_let_go(desktop: httpx.Client, pad: Program) -> None:
    desktop.post(f"{KEYBOARD}/press", json={"key": "ctrl+shift+alt+x"})
    desktop.post(f"{KEYBOARD}/press", json={"key": "z"})
    pad.saw(kind="down", keysym=0x7A, state=0)


def test_down_holds_until_up(desktop: httpx.Client, pad: Program) -> None:
    desktop.post(f"{KEYBOARD}/down", json={"key": "shift"})
    desktop.post(f"{KEYBOARD}/press", json={"key": "q"})
    desktop.post(f"{KEYBOARD}/up", json={"key": "shift"})
    desktop.post(f"{KEYBOARD}/press", json={"key": "w"})
    pad.saw(kind="down", keysym=0x51, state=SHIFT)
    pad.saw(kind="down", keysym=0x77, state=0)


@pytest.mark.parametrize("key", ["bogus", "", " ", "a b", "ctrl+", "ctrl+bogus", "\0"])
def test_an_unknown_key_is_said(desktop: httpx.Client, key: str) -> None:
    for path in ("press", "down", "up"):
        answer = desktop.post(f"{KEYBOARD}/{path}", json={"key": key})
        assert answer.status_code == 400
        assert answer.json()["code"] == "desktop_invalid_action"


def until_written(written: Path, text: str) -> None:
    until(lambda: written.read_text().count("\n") == text.count("\n"), "all lines")
    assert written.read_text() == text


@pytest.mark.parametrize(("text", "status"), [("", 400), ("a\0b", 400), ("\ud800", 400)])
def test_text_that_no_key_types_is_said(desktop: httpx.Client, text: str, status: int) -> None:
    answer = desktop.post(
        f"{KEYBOARD}/type",
        content=json.dumps({"text": text}),
        headers={"Content-Type": "application/json"},
    )
    assert answer.status_code == status


def test_any_text_is_typed_as_it_is(desktop: httpx.Client, written: Path) -> None:
    text = "Hello, World! ~`@#$%^&*()_+{}|:\"<>?[]\\;',./ é€ß中文😀 абвгд ΑΒΓ ünïcödé\nsecond\tline\n"
    assert desktop.post(f"{KEYBOARD}/type", json={"text": text, "delayMs": 0}).json() == {"ok": True}
    until_written(written, text)


def test_more_characters_than_there_are_keys(desktop: httpx.Client, written: Path) -> None:
    text = "".join(chr(0x4E00 + number) for number in range(300)) + "\n"
    desktop.post(f"{KEYBOARD}/type", json={"text": text, "delayMs": 0})
    until_written(written, text)


def test_long_text_finishes(desktop: httpx.Client, written: Path) -> None:
    text = ("The quick brown fox. " * 40 + "\n") * 5
    desktop.post(f"{KEYBOARD}/type", json={"text": text, "delayMs": 0})
    until_written(written, text)


def test_a_delay_is_kept(desktop: httpx.Client, written: Path) -> None:
    began = time.monotonic()
    desktop.post(f"{KEYBOARD}/type", json={"text": "abcdefghij\n", "delayMs": 20})
    assert time.monotonic() - began >= 0.2
    until(lambda: written.read_text() == "abcdefghij\n", "the text")


def test_text_is_typed_right_with_caps_lock_on(desktop: httpx.Client, written: Path) -> None:
    desktop.post(f"{KEYBOARD}/press", json={"key": "CapsLock"})
    desktop.post(f"{KEYBOARD}/type", json={"text": "aBc 1!é\n", "delayMs": 0})
    desktop.post(f"{KEYBOARD}/press", json={"key": "CapsLock"})
    until(lambda: written.read_text() == "aBc 1!é\n", "the text")
