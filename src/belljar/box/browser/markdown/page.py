"""A page on its way to the converter."""

import re

import anyio

from belljar.box.browser.frames import Frame
from belljar.box.browser.locate import frame_of
from belljar.box.browser.looking import Subject
from belljar.box.browser.markdown.converter import Converted, Converter
from belljar.box.browser.page import Page
from belljar.box.browser.script import DocumentGone, bundle

# Characters of HTML that the converter is given, and seconds in which a document writes them: what is longer is cut.
MOST_HTML = 8_000_000
MOST_SECONDS = 5.0
MOST_FRAMES = 50
FRAME_PATIENCE = 2.0
SERIALIZE = bundle("raw", "reach", "clips", "colours", "visible", "serialize")
_FRAME = re.compile(r"<!--frame (\d+)-->")


async def to_markdown(
    converter: Converter, page: Page, subject: Subject, mode: str, *, with_frames: bool = False
) -> Converted:
    """The rendered page as markdown.  An element that was asked for is taken whole."""
    source = await _html(page, subject, with_frames=with_frames, left=[MOST_FRAMES])
    return await converter.convert(source, subject.frame.url, "element" if subject.root is not None else mode)


async def _html(page: Page, subject: Subject, *, with_frames: bool, left: list[int]) -> str:
    """What the document shows.  Frames of its own origin are in it; others only `with_frames`."""
    arguments = (subject.root, MOST_HTML, MOST_SECONDS)
    found = await subject.frame.use(SERIALIZE, "page", *arguments, retry=subject.root is None)
    source: str = found["html"]
    if not with_frames:
        return source
    inner: dict[str, str] = {}
    for index in _FRAME.findall(source):
        left[0] -= 1
        with anyio.move_on_after(FRAME_PATIENCE):
            inner[index] = await _inner(page, subject.frame, int(index), left) if left[0] >= 0 else ""
    return _FRAME.sub(lambda frame: inner.get(frame[1], ""), source)


async def _inner(page: Page, parent: Frame, index: int, left: list[int]) -> str:
    """What a frame shows; nothing where it goes away meanwhile."""
    try:
        element = await parent.use_handle(SERIALIZE, "frame", index)
        if element is None:
            return ""
        frame = await frame_of(page, element)
        if frame is None:
            return ""
        inner = await _html(page, Subject(frame, None), with_frames=True, left=left)
    except DocumentGone:
        return ""
    # A document inside a document: the parser would end the outer one at the inner one's end.
    start, end = inner.find("<body"), inner.rfind("</body>")
    return f"<div{inner[start + 5 : end]}</div>" if start >= 0 and end > start else ""
