"""Pixels into pictures.  Plain functions for a worker thread: they take milliseconds and touch no display."""

import ctypes
import struct
import zlib
from io import BytesIO
from typing import TYPE_CHECKING, Any

from belljar.box.desktop.cursor import Cursor
from belljar.box.display.pixels import Frame
from belljar.wire.desktop import ImageFormat

if TYPE_CHECKING:
    from PIL.Image import Image

MEDIA_TYPES = {
    ImageFormat.PNG: "image/png",
    ImageFormat.JPEG: "image/jpeg",
    ImageFormat.WEBP: "image/webp",
}

# Between speed and size for screens: a step up costs twice the time and saves a fiftieth.
_DEFLATE_LEVEL = 2
_WEBP_EFFORT = 0


def give_memory_back() -> None:
    """Return to the system what pictures have used: glibc keeps some 12 MB of buffers for the next one."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)


def picture(frame: Frame, format: ImageFormat, quality: int, scale: float, cursor: Cursor | None) -> bytes:
    """`frame` encoded, with `cursor` drawn in where one is given, then scaled."""
    from PIL import Image

    size = (frame.area.width, frame.area.height)
    # Pillow takes any buffer and copies it; its type only names some.
    pixels: Any = frame.pixels
    image = Image.frombuffer("RGB", size, pixels, "raw", "BGRX", frame.stride, 1)
    if cursor is not None:
        _draw(image, cursor, frame)
    if scale != 1.0:
        smaller = (max(1, round(size[0] * scale)), max(1, round(size[1] * scale)))
        image = image.resize(smaller, Image.Resampling.BILINEAR, reducing_gap=1.0)
    if format is ImageFormat.PNG:
        return _png(image)
    file = BytesIO()
    if format is ImageFormat.JPEG:
        image.save(file, "JPEG", quality=quality)
    else:
        image.save(file, "WEBP", quality=quality, method=_WEBP_EFFORT)
    return file.getvalue()


def _draw(image: "Image", cursor: Cursor, frame: Frame) -> None:
    """Blend the pointer in; its pixels come premultiplied, which a mask would multiply a second time."""
    from PIL import Image, ImageChops

    size = (cursor.width, cursor.height)
    at = (cursor.x - frame.area.x, cursor.y - frame.area.y)
    shape = Image.frombuffer("RGBA", size, cursor.pixels, "raw", "BGRA", 0, 1)
    red, green, blue, alpha = shape.split()
    box = (*at, at[0] + size[0], at[1] + size[1])
    below = image.crop(box)
    below.paste((0, 0, 0), (0, 0), alpha)
    image.paste(ImageChops.add(below, Image.merge("RGB", (red, green, blue))), box)


def _png(image: "Image") -> bytes:
    """A PNG of 8-bit RGB, each byte as the difference to its left neighbour.

    Pillow weighs five filters for every row, which takes 20 of its 36 ms at 1280 x 720; on screens the left
    neighbour alone does as well.  ISA-L deflates five times as fast as zlib.  Together: 6 ms, at the same size.
    """
    from isal import isal_zlib

    width, height = image.size
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    data = isal_zlib.compress(_left_differences(image), _DEFLATE_LEVEL)
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", header) + _chunk(b"IDAT", data) + _chunk(b"IEND", b"")


def _left_differences(image: "Image") -> bytes:
    """Rows as PNG has them: the number of the filter, then the filtered bytes."""
    from PIL import Image, ImageChops

    width, height = image.size
    shifted = Image.new("RGB", image.size)
    if width > 1:
        shifted.paste(image.crop((0, 0, width - 1, height)), (1, 0))
    rows = ImageChops.subtract_modulo(image, shifted).tobytes()
    body = Image.frombuffer("L", (width * 3, height), rows, "raw", "L", 0, 1)
    numbered = Image.new("L", (width * 3 + 1, height), 1)
    numbered.paste(body, (1, 0))
    return numbered.tobytes()


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(data, zlib.crc32(kind)))
