"""Frames of a Chromium that a page has taken over: they are no pictures, and the box goes on."""

import io
import struct
from base64 import b64encode

import pytest
from PIL import Image

from belljar.agent.mcp.looking import scaled
from belljar.box.live.stream import Frame
from belljar.box.live.stream.hub import Shrinker


def picture(kind: str, mode: str = "RGB") -> bytes:
    file = io.BytesIO()
    Image.new(mode, (1200, 800)).save(file, kind)
    return file.getvalue()


def huge() -> bytes:
    """A picture that says that it is 65,535 pixels wide and high."""
    jpeg = picture("JPEG")
    at = jpeg.index(b"\xff\xc0") + 5
    return jpeg[:at] + struct.pack(">HH", 65535, 65535) + jpeg[at + 4 :]


STRANGE = {
    "nothing": b"",
    "a few bytes": b"\xff\xd8\xff",
    "cut short": picture("JPEG")[:700],
    "huge": huge(),
    "another format": picture("PNG"),
    "a program": b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 10 10\n%%EndComments\nshowpage\n",
}


@pytest.mark.parametrize("data", STRANGE.values(), ids=STRANGE)
async def test_what_is_no_picture_stays_as_it_is(data: bytes) -> None:
    frame = Frame(10, 10, 1.0, 0.0, encoded=b64encode(data).decode())
    small = await Shrinker().small(frame)
    assert small is frame and small.data == data
    assert (await scaled(data)).content == data


@pytest.mark.parametrize("encoded", ["/9j/A", "=", "ü"])
async def test_what_is_no_base64_is_empty(encoded: str) -> None:
    frame = Frame(10, 10, 1.0, 0.0, encoded=encoded)
    assert (await Shrinker().small(frame)).data == b""


async def test_pictures_of_any_colours_are_made_smaller() -> None:
    for mode in ("RGB", "L", "CMYK"):
        small = await Shrinker().small(Frame(10, 10, 1.0, 0.0, raw=picture("JPEG", mode)))
        assert small.is_small and Image.open(io.BytesIO(small.data)).size == (640, 427)
