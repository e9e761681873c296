"""Tools that look behind the page: scripts, console, network, downloads, crawls."""

import json
import re
from typing import Any
from urllib.parse import quote

import anyio

from belljar.agent.mcp.arguments import Arguments, BadArgument
from belljar.agent.mcp.box_client import BoxClient
from belljar.agent.mcp.report import SCHEME, Answer, Link, counted, describe_action, describe_crawled, piece, quoted
from belljar.agent.untrusted import one_line
from belljar.wire.browser.acting import ActionResult
from belljar.wire.browser.reading import ConsoleMessage, NetworkRequest
from belljar.wire.browser.storage import DownloadInfo, DownloadState

RESULT_CHARS = 10_000
DOWNLOAD_SECONDS = 60.0
# A redirect's hops have their number behind a colon.
_ID = re.compile(r"[A-Za-z0-9._:-]{1,128}")


async def evaluate(client: BoxClient, given: Arguments) -> Answer:
    done = await client.browser.execute(given.text("expression"))
    if done.dialog:
        return describe_action("The script opened a dialog.", ActionResult(dialog=done.dialog))
    if done.result is None and done.type != "null":
        text = done.description or done.type
    else:
        text = json.dumps(done.result, ensure_ascii=False)
    value, rest = piece(text, 0, RESULT_CHARS, "Let the script return less, or a part.")
    if done.truncated:
        rest = "The value is over the server's limit and was left out: let the script return less."
    return Answer(rest, value, await client.url())


async def console(client: BoxClient, given: Arguments) -> Answer:
    level: Any = given.optional("level")
    found = await client.browser.console(
        level=level, pattern=given.optional("pattern"), limit=max(1, given.whole("limit", 50, most=1000))
    )
    lines = [f"{one.level} {one_line(one.text, 500)}{_where(one)}" for one in found.messages]
    return await _list(client, lines, "message")


async def network(client: BoxClient, given: Arguments) -> Answer:
    if given.has("id"):
        id = _checked_id(given.text("id"))
        if given.flag("details"):
            return await _details(client, id)
        media_type, content = await client.fetch(f"/v1/browser/network/{quote(id)}/body")
        text, rest = piece(
            content.decode("utf-8", "replace"), given.whole("offset"), RESULT_CHARS, "Read on with offset {}."
        )
        return Answer(f"{media_type} {len(content)} bytes. {rest}".strip(), text, await client.url())
    found = await client.browser.network(
        url_pattern=given.optional("pattern"), limit=max(1, given.whole("limit", 50, most=1000))
    )
    return await _list(client, [_request(one) for one in found.requests], "request")


async def _details(client: BoxClient, id: str) -> Answer:
    one = await client.browser.request_details(id)
    lines = [_request(one)]
    if one.timing is not None:
        taken = one.timing.model_dump(exclude_none=True)
        lines.append("timing (ms): " + ", ".join(f"{name} {took:g}" for name, took in taken.items()))
    if one.initiator is not None:
        innermost = [
            f"{frame.function_name or '(anonymous)'} {frame.url}:{frame.line}" for frame in one.initiator.stack[:3]
        ]
        where = [f"{one.initiator.url}:{one.initiator.line or ''}"] if one.initiator.url else []
        lines.append(one_line(" ".join(["begun by", one.initiator.type, *where, *innermost]), 600))
    for title, headers in (("request", one.request_headers), ("response", one.response_headers)):
        lines += [f"{title} headers:", *(one_line(f"{each.name}: {each.value}", 500) for each in headers)]
    text, rest = piece("\n".join(lines), 0, RESULT_CHARS, "Its headers are cut.")
    return Answer(rest, text, await client.url())


async def downloads(client: BoxClient, given: Arguments) -> Answer:
    if not given.has("id"):
        found = (await client.box.browser.downloads()).downloads
        lines = [f"{one.id} {one.state} {one.received_bytes} bytes {quoted(one.name)}" for one in found]
        return Answer(f"{counted(len(found), 'download')}.", "\n".join(lines), found[-1].url if found else "")
    one = await _complete(client, _checked_id(given.text("id")))
    if one.state is not DownloadState.COMPLETED:
        retry = "later" if one.state is DownloadState.IN_PROGRESS else "no"
        return Answer(f"download_{one.state} (retry: {retry}).", is_error=True)
    link = Link(f"{SCHEME}://download/{one.id}", "download", size=one.received_bytes)
    return Answer(
        "Complete; read it by its link.", f"{quoted(one.name)} from {one_line(one.url)}", one.url, links=[link]
    )


async def crawl(client: BoxClient, given: Arguments) -> Answer:
    each = max(100, given.whole("chars", 2000, most=20_000))
    url = given.text("url")
    found = await client.browser.crawl(
        url,
        max_pages=max(1, given.whole("pages", 10, most=100)),
        max_depth=given.whole("depth", 2, most=100),
        allowed_domains=given.texts("domains") if given.has("domains") else None,
    )
    said = f"{counted(len(found.pages), 'page')}{', there are more' if found.truncated else ''}."
    pages = "\n\n".join(describe_crawled(page, each) for page in found.pages)
    text, rest = piece(pages, 0, 30_000, "Ask for fewer pages or chars.")
    return Answer(f"{said} {rest}".strip(), text, url)


async def _complete(client: BoxClient, id: str) -> DownloadInfo:
    """The download once it is over, or as it is when the patience ends."""
    events = await client.events()
    one = await _download(client, id)
    with anyio.move_on_after(DOWNLOAD_SECONDS):
        while one.state is DownloadState.IN_PROGRESS:
            await events.next(DOWNLOAD_SECONDS)
            one = await _download(client, id)
    return one


async def _download(client: BoxClient, id: str) -> DownloadInfo:
    found = next((one for one in (await client.box.browser.downloads()).downloads if one.id == id), None)
    if found is None:
        raise BadArgument("No download has this id; call downloads without one.")
    return found


async def _list(client: BoxClient, lines: list[str], what: str) -> Answer:
    text, rest = piece("\n".join(lines), 0, RESULT_CHARS, "Use pattern or limit.")
    return Answer(f"{counted(len(lines), what)}. {rest}".strip(), text, await client.url() if lines else "")


def _where(one: ConsoleMessage) -> str:
    return f" ({one_line(one.url, 200)}:{one.line or ''})" if one.url else ""


def _request(one: NetworkRequest) -> str:
    outcome = one.error or ("pending" if one.pending else one.status)
    return f"{one.id} {one.method} {outcome} {one.type} {one.response_size}B {one_line(one.url, 300)}"


def _checked_id(id: str) -> str:
    if not _ID.fullmatch(id):
        raise BadArgument("id must be one that was listed.")
    return id
