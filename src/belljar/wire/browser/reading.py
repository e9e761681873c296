"""Reading a page: contents, snapshots, pictures, console and network."""

from datetime import datetime
from enum import StrEnum

from pydantic import Field

from belljar.wire.base import Model
from belljar.wire.browser.common import OnFrame, OnTab, WaitUntil

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


class SnapshotQuery(OnFrame):
    selector: str | None = Field(None, max_length=10_000, description="Only this element and what is in it.")
    depth: int | None = Field(None, ge=1, le=200, description="Levels of the tree at most.")
    interactive_only: bool = Field(False, description="Only what can be acted on, without the structure around it.")
    max_chars: int | None = Field(None, ge=100, description="Characters at most; cut at a line.")
    urls: bool = Field(False, description="Whether links and pictures come with their absolute address.")
    since: int | None = Field(None, ge=0, description="A revision seen before: only what changed since is returned.")
    since_last: bool = Field(False, description="As `since`, for the tab's last snapshot with the same options.")


class ElementsQuery(OnTab):
    limit: int = Field(200, ge=1, le=1000, description="Elements at most.")


class InteractiveElement(Model):
    ref: str = Field(examples=["e12"])
    tag: str = Field(examples=["button"])
    role: str
    name: str


class Elements(Model):
    """What can be acted on, frame by frame in document order."""

    elements: list[InteractiveElement]
    url: str
    title: str
    tab_id: str
    truncated: bool | None = Field(None, description="True when there are more than `limit`.")


class SnapshotResult(Model):
    """Lines of `role "name" [ref] states = "value"`, indented by one space a level; a line in quotes is text."""

    snapshot: str
    url: str
    title: str
    tab_id: str
    revision: int = Field(description="Names what was seen; give it as `since` the next time.")
    unchanged: bool | None = Field(None, description="True when nothing changed since the revision given.")
    delta: bool | None = Field(
        None, description="True when only changes are returned: `+` new, `-` gone, `~` changed, `@` where."
    )
    truncated: bool | None = Field(None, description="True when `maxChars` cut it.")


class ImageFormat(StrEnum):
    PNG = "png"
    JPEG = "jpeg"
    WEBP = "webp"


class ScreenshotQuery(OnFrame):
    format: ImageFormat = ImageFormat.PNG
    quality: int | None = Field(None, ge=0, le=100, description="For jpeg and webp; 80 where absent.")
    full_page: bool = Field(False, description="The whole page, as far as it scrolls.")
    selector: str | None = Field(None, max_length=10_000, description="Only this element, scrolled to.")


class PaperFormat(StrEnum):
    A4 = "a4"
    LETTER = "letter"
    LEGAL = "legal"


class PdfQuery(OnTab):
    format: PaperFormat = PaperFormat.LETTER
    landscape: bool = False
    print_background: bool = False
    scale: float = Field(1.0, ge=0.1, le=2.0)


class ConsoleLevel(StrEnum):
    LOG = "log"
    WARN = "warn"
    ERROR = "error"
    INFO = "info"
    DEBUG = "debug"


class ConsoleQuery(Model):
    tab_id: str | None = Field(None, description="The tab; the active one where absent.")
    level: ConsoleLevel | None = None
    pattern: str | None = Field(None, max_length=1_000, description="Only texts with a match (RE2's syntax).")
    limit: int = Field(100, ge=1, le=1_000, description="The last so many.")
    since: int = Field(0, ge=0, description="Only what came after this cursor.")
    follow: bool = Field(False, description="Answer with an event stream.")


class ConsoleMessage(Model):
    level: ConsoleLevel = Field(description="Uncaught exceptions and unhandled rejections are `error`.")
    text: str
    url: str | None = None
    line: int | None = Field(None, description="1-based.")
    timestamp: datetime


class ConsoleMessages(Model):
    """Oldest first."""

    messages: list[ConsoleMessage]
    cursor: int = Field(description="Give it as `since` to get only what comes after this answer.")


class NetworkQuery(Model):
    tab_id: str | None = Field(None, description="The tab; the active one where absent.")
    url_pattern: str | None = Field(None, max_length=1_000, description="Only addresses with a match (RE2's syntax).")
    limit: int = Field(100, ge=1, le=1_000, description="The last so many.")
    since: int = Field(0, ge=0, description="Only what came or changed after this cursor.")
    follow: bool = Field(False, description="Answer with an event stream.")


class NetworkRequest(Model):
    id: str
    url: str
    method: str
    type: str = Field(examples=["document"], description="document, script, image, fetch, xhr, websocket, …")
    status: int = Field(description="0 while it runs and when it failed.")
    mime_type: str
    response_size: int = Field(description="Bytes on the wire, the response's headers among them.")
    decoded_size: int = Field(description="Bytes of the body after decompression.")
    duration: float = Field(description="Milliseconds; 0 while it runs.")
    timestamp: datetime
    error: str | None = Field(None, examples=["ERR_CONNECTION_REFUSED"], description="Why it failed.")
    pending: bool | None = Field(None, description="True while it runs.")
    from_cache: bool | None = Field(None, description="True when nothing was fetched.")


class NetworkHeader(Model):
    name: str
    value: str = Field(description="`[redacted]` for cookies, credentials and tokens; addresses without query values.")


class NetworkTiming(Model):
    """Milliseconds for each part of a request; absent where there was none, as on a connection used before."""

    blocked: float | None = Field(None, description="Until it could begin.")
    dns: float | None = None
    connect: float | None = Field(None, description="TLS among it.")
    tls: float | None = None
    send: float | None = None
    wait: float | None = Field(None, description="For the first byte.")
    receive: float | None = Field(None, description="Until the last byte.")


class NetworkStackFrame(Model):
    function_name: str
    url: str
    line: int
    column: int


class NetworkInitiator(Model):
    type: str = Field(examples=["parser"], description="parser, script, preload, preflight, other, …")
    url: str | None = Field(None, description="The document or script that it stands in.")
    line: int | None = None
    request_id: str | None = Field(None, description="Of a preflight: the request it is for.")
    stack: list[NetworkStackFrame] = Field(description="The scripts' calls that led to it, the innermost first; ten.")


class NetworkRequestDetails(NetworkRequest):
    """Redacted, as the record is: `url` has the names of its query, not the values."""

    status_text: str
    protocol: str = Field(examples=["http/1.1"], description="Empty while nothing came.")
    request_headers: list[NetworkHeader]
    response_headers: list[NetworkHeader]
    provisional: bool | None = Field(
        None, description="True when the request's headers are those asked for: Chromium did not say what was sent."
    )
    cut: bool | None = Field(None, description="True when headers were too long, or dropped for newer requests.")
    connection_reused: bool | None = None
    timing: NetworkTiming | None = Field(None, description="Absent while nothing came, and for what a cache gave.")
    initiator: NetworkInitiator | None = Field(None, description="What began it.")


class NetworkRequests(Model):
    """In the order they last changed."""

    requests: list[NetworkRequest]
    cursor: int = Field(description="Give it as `since` to get only what came or changed after this answer.")
