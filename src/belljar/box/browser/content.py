"""A page in plain forms: its HTML, its text, its links, and what selectors pick."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import anyio

from belljar.box.browser.frames import Frame
from belljar.box.browser.looking import Subject
from belljar.box.browser.page import Page
from belljar.box.browser.script import DocumentGone, JsError, library
from belljar.problems.browser import BrowserInvalidSelector

# Characters that are returned where the caller sets no limit of its own.
MOST_CHARS = 20_000_000
# Seconds in which a frame inside has to answer: one that is stuck must not cost the page.
FRAME_PATIENCE = 2.0
_CONTENT = library("content")


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
    found: list[dict[str, str]] = await frame.use(_CONTENT, "links", retry=True)
    return found


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


async def scrape(frame: Frame, selectors: Mapping[str, str]) -> tuple[dict[str, list[str]], bool]:
    """For each name the text of all matches, and whether there were more than are returned."""
    for selector in selectors.values():
        why = await frame.use(_CONTENT, "isSelector", selector, retry=True)
        if why is not None:
            raise BrowserInvalidSelector(selector, why)
    try:
        found: dict[str, Any] = await frame.use(_CONTENT, "scrape", dict(selectors), retry=True)
    except JsError as error:
        raise BrowserInvalidSelector("", error.message) from error
    return found["data"], found["truncated"]


async def canonical(frame: Frame) -> str | None:
    found: str | None = await frame.use(_CONTENT, "canonical", retry=True)
    return found


async def _words(subject: Subject, function: str, most: int | None) -> Words:
    limit = min(most or MOST_CHARS, MOST_CHARS)
    found = await subject.frame.use(_CONTENT, function, subject.root, limit, retry=subject.root is None)
    return Words(found["text"], found["truncated"])
