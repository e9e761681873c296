"""The clipboard, read and written by programs on the display."""

import base64
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path

import httpx2 as httpx
import pytest
from PIL import Image

from tests.box.desktop.conftest import PYTHON, exchange, path_of, until

CLIPBOARD = "/v1/desktop/clipboard"


@pytest.fixture
def folder(desktop: httpx.Client) -> Iterator[Path]:
    with exchange(desktop) as (ours, _):
        yield ours


@contextmanager
def holder(desktop: httpx.Client, what: str, selection: str, target: str, file: Path) -> Iterator[str]:
    """A program that owns or reads a selection; see `holder.py`."""
    theirs = path_of(desktop, f"{file.parent.name}/{file.name}")
    args = [path_of(desktop, "holder.py"), what, selection, target, theirs]
    launched = desktop.post("/v1/desktop/launch", json={"app": PYTHON, "args": args})
    assert launched.status_code == 200, launched.text
    try:
        yield launched.json()["processId"]
    finally:
        desktop.post(f"/v1/processes/{launched.json()['processId']}/kill")


def get(desktop: httpx.Client, **params: str) -> dict[str, object]:
    answer = desktop.get(CLIPBOARD, params=params)
    assert answer.status_code == 200, answer.text
    body: dict[str, object] = answer.json()
    return body


def read_by_program(desktop: httpx.Client, folder: Path, selection: str, target: str) -> bytes:
    file = folder / "read"
    with holder(desktop, "read", selection, target, file):
        until(file.exists, "the program to read")
    data = file.read_bytes()
    file.unlink()
    return data


def test_text_is_there_for_programs(desktop: httpx.Client, folder: Path) -> None:
    text = "Grüße, 世界\nsecond line"
    assert desktop.post(CLIPBOARD, json={"text": text}).json() == {"ok": True}
    assert read_by_program(desktop, folder, "CLIPBOARD", "UTF8_STRING") == text.encode()
    body = get(desktop)
    assert (body["text"], body["selection"]) == (text, "clipboard")
    assert "UTF8_STRING" in body["formats"]  # type: ignore[operator]


def test_the_two_selections_are_two(desktop: httpx.Client) -> None:
    desktop.post(CLIPBOARD, json={"text": "one"})
    desktop.post(CLIPBOARD, json={"text": "two", "selection": "primary"})
    assert get(desktop)["text"] == "one"
    assert get(desktop, selection="primary")["text"] == "two"


def test_a_picture_goes_both_ways(desktop: httpx.Client, folder: Path) -> None:
    file = BytesIO()
    Image.effect_noise((300, 200), 90).save(file, "PNG")
    picture = file.getvalue()
    desktop.post(CLIPBOARD, json={"image": base64.b64encode(picture).decode()})
    assert read_by_program(desktop, folder, "CLIPBOARD", "image/png") == picture
    source = folder / "picture"
    source.write_bytes(picture[::-1])
    source.chmod(0o644)
    with holder(desktop, "own", "CLIPBOARD", "image/png", source):
        until(
            lambda: get(desktop, format="png").get("image") == base64.b64encode(picture[::-1]).decode(), "the picture"
        )
        assert get(desktop)["text"] == ""


def test_large_content_goes_out_in_pieces(desktop: httpx.Client, folder: Path) -> None:
    text = "0123456789" * 100_000
    desktop.post(CLIPBOARD, json={"text": text})
    assert read_by_program(desktop, folder, "CLIPBOARD", "UTF8_STRING") == text.encode()


def test_large_content_comes_in_in_pieces(desktop: httpx.Client, folder: Path) -> None:
    source = folder / "source"
    source.write_text("abcdefghij" * 100_000)
    with holder(desktop, "own", "CLIPBOARD", "UTF8_STRING", source):
        until(lambda: get(desktop)["text"] == source.read_text(), "the text")


@pytest.mark.parametrize("selection", ["CLIPBOARD", "PRIMARY"])
def test_content_outlives_its_program(desktop: httpx.Client, folder: Path, selection: str) -> None:
    source = folder / "source"
    source.write_text(f"from a program that will go ({selection})")
    with holder(desktop, "own", selection, "UTF8_STRING", source):
        until(lambda: get(desktop, selection=selection.lower())["text"] == source.read_text(), "the text")
    until(lambda: get(desktop, selection=selection.lower())["formats"] != ["TARGETS", "UTF8_STRING"], "us to take over")
    assert get(desktop, selection=selection.lower())["text"] == source.read_text()
    assert read_by_program(desktop, folder, selection, "UTF8_STRING") == source.read_bytes()


def test_an_unknown_selection_is_empty_to_read_and_refused_to_write(desktop: httpx.Client) -> None:
    assert get(desktop, selection="nonsense") == {"text": "", "selection": "nonsense", "formats": []}
    answer = desktop.post(CLIPBOARD, json={"text": "x", "selection": "nonsense"})
    assert (answer.status_code, answer.json()["code"]) == (400, "desktop_invalid_action")


@pytest.mark.parametrize("body", [{"image": "!!"}, {"image": base64.b64encode(b"no png").decode()}])
def test_what_cannot_be_put_there_is_said(desktop: httpx.Client, body: dict[str, str]) -> None:
    answer = desktop.post(CLIPBOARD, json=body)
    assert (answer.status_code, answer.json()["code"]) == (400, "desktop_invalid_action")
