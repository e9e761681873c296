"""A page in plain forms: HTML, text, links, what selectors pick; and its way to the markdown converter."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

import anyio

from belljar.box.browser.acting.locate import ACTING, Query, Target, frame_of
from belljar.box.browser.cdp.replies import Part
from belljar.box.browser.page.frames import DocumentGone, Frame, bundle, library
from belljar.box.browser.page.page import Page
from belljar.box.browser.reading.markdown import Converted, Converter
from belljar.box.browser.reading.snapshot import Subject
from belljar.problems.browser import BrowserInvalidSelector

# Characters that are returned where the caller sets no limit of its own.
MOST_CHARS = 20_000_000
# Seconds in which a frame inside has to answer: one that is stuck must not cost the page.
FRAME_PATIENCE = 2.0
_CONTENT = library("content")


class _Cut(Part):
    text: str
    truncated: bool


class _Texts(Part):
    """Of all matches, or why there are none here."""

    texts: list[str] = []
    truncated: bool = False
    # The step that begins inside a frame.
    next: int | None = None
    invalid: str | None = None


class Serialized(Part):
    html: str
    is_cut: bool


@dataclass(frozen=True)
class Words:
    text: str
    is_truncated: bool


async def html(subject: Subject, most: int | None) -> Words:
    """The document's HTML as it is now, or what is inside an element."""
    return await _words(subject, "html", most)


async def text(subject: Subject, most: int | None) -> Words:
    """The text as it is rendered."""
    return await _words(subject, "text", most)


async def links(frame: Frame) -> list[dict[str, str]]:
    return await frame.use(_CONTENT, "links", kind=list[dict[str, str]], retry=True)


async def all_links(page: Page) -> list[dict[str, str]]:
    """Those of the main document, then those of its frames."""
    found = await links(page.main)
    for frame in page.frames.all()[1:]:
        with anyio.move_on_after(FRAME_PATIENCE):
            try:
                found.extend(await links(frame))
            except DocumentGone:
                continue
    return list({(link["href"], link["text"]): link for link in found}.values())


async def scrape(page: Page, frame: Frame, selectors: Mapping[str, str]) -> tuple[dict[str, list[str]], bool]:
    """For each name the text of all matches, and whether there were more than are returned."""
    queries = {name: Target(selector=selector).query() for name, selector in selectors.items()}
    data: dict[str, list[str]] = {}
    is_truncated = False
    for name, query in queries.items():
        found = await _texts(page, frame, query, selectors[name])
        data[name] = found.texts
        is_truncated |= found.truncated
    return data, is_truncated


async def _texts(page: Page, frame: Frame, query: Query, selector: str) -> _Texts:
    """The text of all matches in the frame that the selector leads to."""
    while True:
        found = await frame.use(ACTING, "texts", query.body(), kind=_Texts, retry=True)
        if found.invalid is not None:
            raise BrowserInvalidSelector(selector, found.invalid)
        if found.next is None:
            return found
        handle = await frame.use_handle(ACTING, "pick", query.body())
        child = None if handle is None else await frame_of(page, handle)
        if child is None:
            return _Texts()
        frame, query = child, query.rest(found.next)


async def canonical(frame: Frame) -> str | None:
    found = await frame.use(_CONTENT, "canonical", retry=True)
    return found if isinstance(found, str) else None


async def _words(subject: Subject, function: str, most: int | None) -> Words:
    limit = min(most or MOST_CHARS, MOST_CHARS)
    found = await subject.frame.use(_CONTENT, function, subject.root, limit, kind=_Cut, retry=subject.root is None)
    return Words(found.text, found.truncated)


# Characters of HTML that the converter is given, and seconds in which a document writes them: what is longer is cut.
MOST_HTML = 8_000_000
MOST_SECONDS = 5.0
MOST_FRAMES = 50
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
    found = await subject.frame.use(SERIALIZE, "page", *arguments, kind=Serialized, retry=subject.root is None)
    source = found.html
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
