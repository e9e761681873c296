"""Tools that go somewhere or look: navigate, snapshot, find, read, wait, tabs, screenshot."""

import re
from collections.abc import Callable
from typing import Any

import anyio

from belljar.agent.mcp.arguments import Arguments, BadArgument, element, selector
from belljar.agent.mcp.box_client import BoxClient
from belljar.agent.mcp.report import (
    SNAPSHOT_CHARS,
    Answer,
    Picture,
    counted,
    describe_dialog,
    describe_snapshot,
    dialog_line,
    piece,
    place,
)
from belljar.agent.untrusted import one_line
from belljar.wire.browser.acting import ActionResult
from belljar.wire.browser.common import PageInfo, ReportWish
from belljar.wire.browser.lifecycle import TabInfo
from belljar.wire.browser.reading import SnapshotResult

READ_CHARS = 12_000
FOUND_LINES = 60
# Models see no more than this in an image, and pay for what is beyond.
LONG_SIDE = 1568
QUALITY = 75
# Nothing is waited for where the page has changed and planned nothing more.  What comes later than this rest is told
# with the next answer: each tells what changed since the last.
REPORT = ReportWish(still=40, eager=True, since_last=True)
# A snapshot that is not shown whole must not count as one that was: another depth makes it one of another kind.
UNTOLD_DEPTH = 200
_DIALOG = "A dialog is open: answer it with dialog."


async def navigate(client: BoxClient, given: Arguments) -> Answer:
    page = await _go(client, given)
    if page.dialog:
        return describe_dialog(_DIALOG, page, page.dialog)
    if page.download:
        return Answer("That was a download, see downloads; the page stayed.", place(page.url, page.title), page.url)
    status = f" HTTP {page.status}." if page.status not in (None, 0, 200) else ""
    did = "Opened." if page.moved else "The page stayed where it was."
    effects = ActionResult(popup=page.popup, report=page.report)
    return describe_snapshot(did + status, await _seen(client, page), effects=effects)


async def _go(client: BoxClient, given: Arguments) -> PageInfo:
    if given.has("url"):
        return await client.browser.navigate(_address(given.text("url")), report=REPORT)
    match given.one_of("go", ("back", "forward", "reload")):
        case "back":
            return await client.browser.back(report=REPORT)
        case "forward":
            return await client.browser.forward(report=REPORT)
        case _:
            return await client.browser.reload(report=REPORT)


async def _seen(client: BoxClient, page: PageInfo) -> SnapshotResult:
    """Where little changed the report says only that; whoever goes somewhere wants to see it."""
    report = page.report
    if report is None or not report.whole:
        return (await client.browser.snapshot()).model_copy(update={"title": page.title})
    return SnapshotResult(
        snapshot=report.snapshot, url=report.url, title=page.title, tab_id=page.tab_id, revision=report.revision
    )


async def snapshot(client: BoxClient, given: Arguments) -> Answer:
    taken = await client.browser.snapshot(
        since=given.whole("since") if given.has("since") else None,
        selector=selector(given.any("target")),
        interactive_only=given.flag("interactive"),
        urls=given.flag("urls"),
    )
    did = "Changes." if taken.delta else ""
    return describe_snapshot(did, taken, most=SNAPSHOT_CHARS, offset=given.whole("offset"))


async def find(client: BoxClient, given: Arguments) -> Answer:
    is_wanted = _matcher(given.text("text"))
    taken = await client.browser.snapshot(depth=UNTOLD_DEPTH)
    lines = _matches(taken.snapshot.split("\n"), is_wanted)
    if not lines:
        return Answer(f"Nothing on the page matches. Revision {taken.revision}.")
    more = f" The first {FOUND_LINES} lines." if len(lines) > FOUND_LINES else ""
    return Answer(f"Found. Revision {taken.revision}.{more}", "\n".join(lines[:FOUND_LINES]), taken.url)


async def read(client: BoxClient, given: Arguments) -> Answer:
    mode: Any = given.optional("mode") or "auto"
    page = await client.browser.markdown(selector=selector(given.any("target")), mode=mode)
    text, rest = piece(page.markdown, given.whole("offset"), READ_CHARS, "Read on with offset {}.")
    return Answer(rest, f"{place(page.url, page.title)}\n\n{text}", page.url)


async def wait(client: BoxClient, given: Arguments) -> Answer:
    wanted: dict[str, Any] = {name: given.text(name) for name in ("text", "url", "state") if given.has(name)}
    if given.has("target"):
        wanted |= element(given.any("target"))
    if not wanted:
        raise BadArgument("wait needs text, target, url or state.")
    waited = await client.browser.wait(**wanted, timeout=given.number("seconds", 10, least=0.05, most=600))
    after = await client.browser.snapshot(since_last=True)
    if not waited.found:
        answer = describe_snapshot("timeout (retry: yes): it did not come true.", after)
        return Answer(answer.said, answer.page, answer.url, is_error=True)
    return describe_snapshot("It is so.", after)


async def tabs(client: BoxClient, given: Arguments) -> Answer:
    do = given.one_of("do", ("list", "new", "switch", "close"), "list")
    if do == "new":
        page = await client.browser.new_page(_address(given.text("url")) if given.has("url") else None)
        return describe_snapshot(f"Opened tab {page.tab_id}.", await client.browser.snapshot())
    if do == "switch":
        tab = await client.browser.page(_tab(given)).activate()
        if tab.dialog:
            return describe_dialog(_DIALOG, tab, tab.dialog)
        return describe_snapshot(f"Tab {tab.id}.", await client.browser.snapshot())
    if do == "close":
        closed = await client.browser.page(_tab(given)).close()
        if closed.dialog:
            return Answer("The tab asks before it closes: answer with dialog.", dialog_line(closed.dialog))
    return _list_tabs((await client.browser.tabs()).tabs, "Closed." if do == "close" else "")


def _list_tabs(tabs: list[TabInfo], said: str) -> Answer:
    lines = [f"{'*' if tab.active else ' '} {tab.id} {place(tab.url, tab.title)}" for tab in tabs]
    url = next((tab.url for tab in tabs if tab.active), "")
    return Answer(f"{said} {counted(len(tabs), 'tab')}, * is active.".lstrip(), "\n".join(lines), url)


async def screenshot(client: BoxClient, given: Arguments) -> Answer:
    picture = await client.browser.screenshot(
        format="jpeg", quality=QUALITY, selector=selector(given.any("target")), full_page=given.flag("full")
    )
    return Answer("Picture of the page.", pictures=[await scaled(picture)])


def _tab(given: Arguments) -> str:
    id = given.text("tab")
    if not re.fullmatch(r"[A-Za-z0-9_-]{1,64}", id):
        raise BadArgument("tab must be an id that tabs lists.")
    return id


def _address(url: str) -> str:
    """What a person would type: `example.com` is an address too."""
    return url if re.match(r"[A-Za-z][A-Za-z0-9+.-]*:(?!\d+(/|$))", url) else f"https://{url}"


def _matcher(text: str) -> Callable[[str], bool]:
    """Words as they stand, or between slashes a pattern: RE2's, which takes linear time whatever it is."""
    if len(text) <= 2 or not (text.startswith("/") and text.endswith("/")):
        words = text.casefold()
        return lambda line: words in line.casefold()
    import re2

    options = re2.Options()
    options.log_errors = False
    options.case_sensitive = False
    try:
        pattern = re2.compile(text[1:-1], options)
    except re2.error:
        raise BadArgument("text is not a regular expression (RE2's syntax).") from None
    return lambda line: pattern.search(line) is not None


def _matches(lines: list[str], is_wanted: Callable[[str], bool]) -> list[str]:
    """Lines that match, each below the lines it stands in."""
    found: list[str] = []
    around: list[tuple[int, int, str]] = []
    told = -1
    for number, line in enumerate(lines):
        depth = len(line) - len(line.lstrip(" "))
        while around and around[-1][0] >= depth:
            around.pop()
        around.append((depth, number, line))
        if is_wanted(line):
            found += [_one_line_of(outer) for _, at, outer in around if at > told]
            told = number
    return found


def _one_line_of(line: str) -> str:
    """As long as a line of a snapshot may be here."""
    depth = len(line) - len(line.lstrip(" "))
    return " " * depth + one_line(line, 400)


async def scaled(jpeg: bytes) -> Picture:
    """A picture, no larger than a model sees."""
    return Picture("image/jpeg", await anyio.to_thread.run_sync(_scaled, jpeg))


def _scaled(content: bytes) -> bytes:
    """The picture, made smaller where it is larger than a model sees.  The library is heavy: loaded when needed."""
    size = _jpeg_size(content)
    if size is not None and max(size) <= LONG_SIDE:
        return content
    import io

    from PIL import Image

    try:
        # As nothing else: a page may have taken Chromium over, and other formats have other programs read them.
        with Image.open(io.BytesIO(content), formats=("JPEG",)) as picture:
            picture.thumbnail((LONG_SIDE, LONG_SIDE), reducing_gap=2.0)
            written = io.BytesIO()
            picture.convert("RGB").save(written, "JPEG", quality=QUALITY)
            return written.getvalue()
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return content


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
