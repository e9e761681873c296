"""The painter: a program of its own that turns pixels into pictures.  Imports nothing of ours.

Run as `python -I program.py`, with one end of a socket as descriptor 3.  Each message is a JSON object.  To it:

    {"width", "height", "format", "quality", "scale", "cursor": null | {"x", "y", "width", "height"}}

with the pixels' memory as a passed descriptor, and after it that of the pointer's where there is one; `x` and `y` are
where the pointer lies among the pixels.  From it: {"size"} with the picture in a passed descriptor, or {"error"}.
"""

import json
import mmap
import os
import socket
import struct
import zlib
from io import BytesIO
from typing import Any

from isal import isal_zlib
from PIL import Image, ImageChops

MESSAGE_BYTES = 65536
# Between speed and size for screens: a step up costs twice the time and saves a fiftieth.
_DEFLATE_LEVEL = 2
_WEBP_EFFORT = 0


def main() -> None:
    link = socket.socket(fileno=3)
    while True:
        data, descriptors, _, _ = socket.recv_fds(link, MESSAGE_BYTES, 2)
        if not data:
            return
        try:
            _answer(link, picture(json.loads(data), descriptors))
        except (BrokenPipeError, ConnectionResetError):
            # Nobody waits for it any more.
            return
        except (MemoryError, OSError, ValueError) as error:
            link.send(json.dumps({"error": str(error)[:500]}).encode())
        finally:
            for descriptor in descriptors:
                os.close(descriptor)


def _answer(link: socket.socket, encoded: bytes) -> None:
    descriptor = os.memfd_create("belljar-picture", os.MFD_CLOEXEC)
    try:
        with open(descriptor, "wb", closefd=False) as file:
            file.write(encoded)
        os.lseek(descriptor, 0, os.SEEK_SET)
        socket.send_fds(link, [json.dumps({"size": len(encoded)}).encode()], [descriptor])
    finally:
        os.close(descriptor)


def picture(asked: dict[str, Any], descriptors: list[int]) -> bytes:
    """The pixels encoded, with the pointer drawn in where there is one, then scaled."""
    size = (asked["width"], asked["height"])
    with mmap.mmap(descriptors[0], size[0] * size[1] * 4, prot=mmap.PROT_READ) as pixels:
        # Pillow takes any buffer and copies it; its type only names some.
        buffer: Any = pixels
        image = Image.frombuffer("RGB", size, buffer, "raw", "BGRX", size[0] * 4, 1)
    cursor = asked["cursor"]
    if cursor is not None:
        _draw(image, cursor, os.pread(descriptors[1], cursor["width"] * cursor["height"] * 4, 0))
    scale = asked["scale"]
    if scale != 1.0:
        smaller = (max(1, round(size[0] * scale)), max(1, round(size[1] * scale)))
        image = image.resize(smaller, Image.Resampling.BILINEAR, reducing_gap=1.0)
    if asked["format"] == "png":
        return _png(image)
    file = BytesIO()
    if asked["format"] == "jpeg":
        image.save(file, "JPEG", quality=asked["quality"])
    else:
        image.save(file, "WEBP", quality=asked["quality"], method=_WEBP_EFFORT)
    return file.getvalue()


def _draw(image: Image.Image, cursor: dict[str, int], pixels: bytes) -> None:
    """Blend the pointer in; its pixels come premultiplied, which a mask would multiply a second time."""
    size = (cursor["width"], cursor["height"])
    at = (cursor["x"], cursor["y"])
    shape = Image.frombuffer("RGBA", size, pixels, "raw", "BGRA", 0, 1)
    red, green, blue, alpha = shape.split()
    box = (*at, at[0] + size[0], at[1] + size[1])
    below = image.crop(box)
    below.paste((0, 0, 0), (0, 0), alpha)
    image.paste(ImageChops.add(below, Image.merge("RGB", (red, green, blue))), box)


def _png(image: Image.Image) -> bytes:
    """A PNG of 8-bit RGB, each byte as the difference to its left neighbour.

    Pillow weighs five filters for every row, which takes 20 of its 36 ms at 1280 x 720; on screens the left
    neighbour alone does as well.  ISA-L deflates five times as fast as zlib.  Together: 6 ms, at the same size.
    """
    width, height = image.size
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    data = isal_zlib.compress(_left_differences(image), _DEFLATE_LEVEL)
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", header) + _chunk(b"IDAT", data) + _chunk(b"IEND", b"")


def _left_differences(image: Image.Image) -> bytes:
    """Rows as PNG has them: the number of the filter, then the filtered bytes."""
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


if __name__ == "__main__":
    main()
