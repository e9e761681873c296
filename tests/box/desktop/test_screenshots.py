"""Pictures have the pixels of the screen."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO

import httpx2 as httpx
import pytest
from PIL import Image

from tests.box.desktop.conftest import Program, notepad

SHOT = "/v1/desktop/screenshot"


@pytest.fixture(scope="module")
def painted(desktop_box: object) -> Iterator[Program]:
    """A window of a known colour at a known place."""
    with desktop_box.client() as client, notepad(client, "--at", "200x100+300+200", "--colour", "C86432") as pad:  # type: ignore[attr-defined]
        client.post("/v1/desktop/mouse/move", json={"x": 5, "y": 5})
        yield pad


def image(answer: httpx.Response) -> Image.Image:
    assert answer.status_code == 200, answer.text
    return Image.open(BytesIO(answer.content)).convert("RGB")


def place(desktop: httpx.Client) -> tuple[int, int, int, int]:
    (window,) = desktop.get("/v1/desktop/windows").json()["windows"]
    return window["x"], window["y"], window["width"], window["height"]


def test_a_png_has_the_very_pixels(desktop: httpx.Client, painted: Program) -> None:
    answer = desktop.get(SHOT)
    assert answer.headers["content-type"] == "image/png"
    assert answer.content.startswith(b"\x89PNG\r\n\x1a\n")
    picture = image(answer)
    x, y, width, height = place(desktop)
    assert picture.size == (800, 600)
    inside = picture.crop((x, y, x + width, y + height))
    assert inside.getcolors() == [(width * height, (0xC8, 0x64, 0x32))]
    assert picture.getpixel((x - 2, y + height // 2)) != (0xC8, 0x64, 0x32)


@pytest.mark.parametrize(("format", "magic"), [("jpeg", b"\xff\xd8\xff"), ("webp", b"RIFF")])
def test_other_formats_are_close(desktop: httpx.Client, painted: Program, format: str, magic: bytes) -> None:
    answer = desktop.get(SHOT, params={"format": format, "quality": 90})
    assert answer.headers["content-type"] == f"image/{format}"
    assert answer.content.startswith(magic)
    picture = image(answer)
    x, y, width, height = place(desktop)
    assert picture.size == (800, 600)
    pixel = picture.getpixel((x + width // 2, y + height // 2))
    assert isinstance(pixel, tuple)
    assert all(abs(a - b) < 12 for a, b in zip(pixel, (0xC8, 0x64, 0x32), strict=True))


def test_quality_makes_the_file_smaller(desktop: httpx.Client, painted: Program) -> None:
    sizes = [len(desktop.get(SHOT, params={"format": "jpeg", "quality": q}).content) for q in (10, 95)]
    assert sizes[0] < sizes[1]


@pytest.mark.parametrize(("scale", "size"), [(0.5, (400, 300)), (0.33, (264, 198)), (0.1, (80, 60))])
def test_scale(desktop: httpx.Client, painted: Program, scale: float, size: tuple[int, int]) -> None:
    picture = image(desktop.get(SHOT, params={"scale": scale}))
    assert picture.size == size
    x, y, width, height = place(desktop)
    middle = (int((x + width // 2) * scale), int((y + height // 2) * scale))
    assert picture.getpixel(middle) == (0xC8, 0x64, 0x32)


def test_a_region_is_cut_out_and_clipped(desktop: httpx.Client, painted: Program) -> None:
    x, y, _, _ = place(desktop)
    region = {"x": x, "y": y, "width": 20, "height": 10}
    assert image(desktop.get(f"{SHOT}/region", params=region)).getcolors() == [(200, (0xC8, 0x64, 0x32))]
    over = {"x": 790, "y": 580, "width": 100, "height": 50}
    assert image(desktop.get(f"{SHOT}/region", params=over)).size == (10, 20)
    assert image(desktop.get(f"{SHOT}/region", params=over | {"scale": 0.5})).size == (5, 10)


def test_the_cursor_is_drawn_where_it_is(desktop: httpx.Client, painted: Program) -> None:
    x, y, _, _ = place(desktop)
    at = {"x": x + 60, "y": y + 40}
    desktop.post("/v1/desktop/mouse/move", json=at)
    around = {"x": at["x"] - 20, "y": at["y"] - 20, "width": 60, "height": 60}
    without = image(desktop.get(f"{SHOT}/region", params=around))
    drawn = image(desktop.get(f"{SHOT}/region", params=around | {"showCursor": "true"}))
    assert without.getcolors() == [(3600, (0xC8, 0x64, 0x32))]
    changed = [
        (column, row)
        for row in range(60)
        for column in range(60)
        if drawn.getpixel((column, row)) != (0xC8, 0x64, 0x32)
    ]
    assert len(changed) > 20
    assert min(abs(column - 20) + abs(row - 20) for column, row in changed) <= 2
    desktop.post("/v1/desktop/mouse/move", json={"x": 5, "y": 5})


@pytest.mark.parametrize(
    ("path", "params", "code"),
    [
        ("", {"format": "jpg"}, "invalid_request"),
        ("", {"format": ""}, "invalid_request"),
        ("", {"quality": 0}, "desktop_invalid_action"),
        ("", {"quality": 101}, "desktop_invalid_action"),
        ("", {"quality": 256}, "invalid_request"),
        ("", {"scale": 0.09}, "desktop_invalid_action"),
        ("", {"scale": 1.1}, "desktop_invalid_action"),
        ("", {"scale": "nan"}, "desktop_invalid_action"),
        ("", {"showCursor": "maybe"}, "invalid_request"),
        ("/region", {"x": 0, "y": 0, "width": 5}, "invalid_request"),
        ("/region", {"x": -1, "y": 0, "width": 5, "height": 5}, "desktop_invalid_action"),
        ("/region", {"x": 0, "y": 0, "width": 0, "height": 5}, "desktop_invalid_action"),
        ("/region", {"x": 800, "y": 600, "width": 5, "height": 5}, "desktop_invalid_action"),
    ],
)
def test_what_cannot_be_taken_is_said(desktop: httpx.Client, path: str, params: dict[str, object], code: str) -> None:
    answer = desktop.get(SHOT + path, params=params)  # type: ignore[arg-type]
    assert (answer.status_code, answer.json()["code"]) == (400, code)


def test_many_at_once_all_get_theirs(desktop: httpx.Client, painted: Program) -> None:
    wishes = [{"format": "png"}] * 8 + [{"format": "jpeg"}] * 4
    with ThreadPoolExecutor(12) as pool:
        answers = list(pool.map(lambda wish: desktop.get(SHOT, params=wish), wishes))
    assert [image(answer).size for answer in answers] == [(800, 600)] * 12
    assert len({answer.content for answer in answers[:8]}) == 1
