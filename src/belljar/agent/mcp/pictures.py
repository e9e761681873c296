"""Tools that take pictures: of the page, and of the desktop.  Scaled to what a model can use."""

import anyio

from belljar.agent.mcp.answers import Answer, Picture
from belljar.agent.mcp.api import Reply
from belljar.agent.mcp.arguments import Arguments
from belljar.agent.mcp.desk import Desk, selector
from belljar.agent.untrusted import one_line

# Models see no more than this in an image, and pay for what is beyond.
LONG_SIDE = 1568
QUALITY = 75


async def screenshot(desk: Desk, given: Arguments) -> Answer:
    reply = await desk.browser(
        "GET",
        "screenshot",
        query={
            "format": "jpeg",
            "quality": QUALITY,
            "selector": selector(given.any("target")),
            "fullPage": given.flag("full") or None,
        },
    )
    return Answer("Picture of the page.", pictures=[await scaled(reply)])


async def scaled(reply: Reply) -> Picture:
    """The picture of an answer, no larger than a model sees."""
    content, media_type = await anyio.to_thread.run_sync(_scaled, reply.content, reply.media_type)
    return Picture(one_line(media_type, 50), content)


def _scaled(content: bytes, media_type: str) -> tuple[bytes, str]:
    """The picture, made smaller where it is larger than a model sees.  The library is heavy: loaded when needed."""
    size = _jpeg_size(content)
    if size is not None and max(size) <= LONG_SIDE:
        return content, media_type
    import io

    from PIL import Image

    with Image.open(io.BytesIO(content)) as picture:
        if max(picture.size) <= LONG_SIDE:
            return content, media_type
        picture.thumbnail((LONG_SIDE, LONG_SIDE), reducing_gap=2.0)
        written = io.BytesIO()
        picture.convert("RGB").save(written, "JPEG", quality=QUALITY)
        return written.getvalue(), "image/jpeg"


def _jpeg_size(content: bytes) -> tuple[int, int] | None:
    """Width and height, read from the frame header; None for what is no JPEG that we can read."""
    place = 2
    while content[:2] == b"\xff\xd8" and place + 9 < len(content) and content[place] == 0xFF:
        kind, length = content[place + 1], int.from_bytes(content[place + 2 : place + 4])
        if 0xC0 <= kind <= 0xCF and kind not in (0xC4, 0xC8, 0xCC):
            height, width = (int.from_bytes(content[place + at : place + at + 2]) for at in (5, 7))
            return width, height
        place += 2 + length
    return None
