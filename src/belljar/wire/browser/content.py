"""The contents of a page: HTML, markdown, text, links, what selectors pick."""

from enum import StrEnum

from pydantic import Field

from belljar.wire.base import Model
from belljar.wire.browser.common import OnFrame, OnTab
from belljar.wire.browser.navigation import WaitUntil

Chars = Field(None, ge=1, description="Characters at most.")


class ContentQuery(OnFrame):
    selector: str | None = Field(None, max_length=10_000, description="Only what is inside this element.")
    max_chars: int | None = Chars


class Content(Model):
    html: str
    url: str
    title: str
    truncated: bool | None = Field(None, description="True when `maxChars` cut it.")


class TextContent(Model):
    text: str
    url: str
    title: str
    truncated: bool | None = Field(None, description="True when `maxChars` cut it.")


class MarkdownMode(StrEnum):
    AUTO = "auto"  # the main content where the page has one, otherwise the page
    ARTICLE = "article"  # the main content
    PAGE = "page"  # everything but navigation and the like


class MarkdownQuery(OnTab):
    mode: MarkdownMode = Field(MarkdownMode.AUTO, description="The main content, the whole page, or what fits.")
    selector: str | None = Field(None, max_length=10_000, description="Only this element.")
    frames: bool = Field(False, description="Whether the contents of frames are taken in, whatever their origin.")
    max_chars: int | None = Chars


class Markdown(Model):
    markdown: str
    url: str
    title: str
    mode: MarkdownMode = Field(description="What was done: `article` or `page`.")
    truncated: bool | None = Field(None, description="True when `maxChars` cut it.")


class ScrapeRequest(OnFrame):
    selectors: dict[str, str] = Field(max_length=200, examples=[{"title": "h1", "price": ".price"}])
    url: str | None = Field(None, min_length=1, max_length=2_000_000, description="Go there first.")
    wait_until: WaitUntil = WaitUntil.LOAD


class Scraped(Model):
    """For each name the text of every element that its selector matches."""

    data: dict[str, list[str]]
    url: str
    title: str
    truncated: bool | None = Field(None, description="True when there was more than is returned.")


class Link(Model):
    href: str = Field(description="Absolute.")
    text: str


class Links(Model):
    """In document order, of all frames' or of one frame; the same address and text once."""

    links: list[Link]
    url: str
