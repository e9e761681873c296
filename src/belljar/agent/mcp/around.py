"""Tools around the page: scripts, console, network, downloads, crawls."""

import json
import re
from urllib.parse import quote

import anyio

from belljar.agent.mcp.answers import SCHEME, Answer, Link, piece
from belljar.agent.mcp.api import Json
from belljar.agent.mcp.arguments import Arguments
from belljar.agent.mcp.desk import BadArgument, Desk
from belljar.agent.mcp.told import counted, place, quoted, told
from belljar.agent.untrusted import one_line

RESULT_CHARS = 10_000
DOWNLOAD_SECONDS = 60.0
_ID = re.compile(r"[A-Za-z0-9._-]{1,128}")


async def evaluate(desk: Desk, given: Arguments) -> Answer:
    done = await desk.post("execute", {"expression": given.text("expression")})
    if done.get("dialog"):
        return told("The script opened a dialog.", done)
    value = done.get("result")
    if value is None and done.get("type") not in ("null", None):
        text = str(done.get("description") or done["type"])
    else:
        text = json.dumps(value, ensure_ascii=False)
    shown, rest = piece(text, 0, RESULT_CHARS, "Let the script return less, or a part.")
    if done.get("truncated"):
        rest = "The value is over the server's limit and was left out: let the script return less."
    return Answer(rest, shown, await _url(desk))


async def console(desk: Desk, given: Arguments) -> Answer:
    found = await desk.get(
        "console",
        level=given.optional("level"),
        pattern=given.optional("pattern"),
        limit=max(1, given.whole("limit", 50, most=1000)),
    )
    lines = [f"{one['level']} {one_line(one['text'], 500)}{_where(one)}" for one in found["messages"]]
    return await _list(desk, lines, "message")


async def network(desk: Desk, given: Arguments) -> Answer:
    if given.has("id"):
        id = _checked_id(given.text("id"))
        reply = await desk.browser("GET", f"network/{quote(id)}/body")
        text, rest = piece(
            reply.content.decode("utf-8", "replace"), given.whole("offset"), RESULT_CHARS, "Read on with offset {}."
        )
        return Answer(f"{reply.media_type} {len(reply.content)} bytes. {rest}".strip(), text, await _url(desk))
    found = await desk.get(
        "network", urlPattern=given.optional("pattern"), limit=max(1, given.whole("limit", 50, most=1000))
    )
    return await _list(desk, [_request(one) for one in found["requests"]], "request")


async def downloads(desk: Desk, given: Arguments) -> Answer:
    if not given.has("id"):
        found = (await desk.call("GET", "/v1/browser/downloads")).json()["downloads"]
        lines = [f"{one['id']} {one['state']} {one['receivedBytes']} bytes {quoted(one['name'])}" for one in found]
        return Answer(f"{counted(len(found), 'download')}.", "\n".join(lines), found[-1]["url"] if found else "")
    one = await _complete(desk, _checked_id(given.text("id")))
    if one["state"] != "completed":
        return Answer(
            f"download_{one['state']} (retry: {'later' if one['state'] == 'in_progress' else 'no'}).", is_error=True
        )
    link = Link(f"{SCHEME}://download/{one['id']}", "download", size=one["receivedBytes"])
    return Answer(
        "Complete; read it by its link.", f"{quoted(one['name'])} from {one_line(one['url'])}", one["url"], links=[link]
    )


async def crawl(desk: Desk, given: Arguments) -> Answer:
    each = max(100, given.whole("chars", 2000, most=20_000))
    body: Json = {
        "url": given.text("url"),
        "maxPages": max(1, given.whole("pages", 10, most=100)),
        "maxDepth": given.whole("depth", 2, most=100),
    }
    if given.has("domains"):
        body["allowedDomains"] = given.texts("domains")
    found = await desk.post("crawl", body)
    pages = found["pages"]
    said = f"{counted(len(pages), 'page')}{', there are more' if found['truncated'] else ''}."
    text, rest = piece("\n\n".join(_page(page, each) for page in pages), 0, 30_000, "Ask for fewer pages or chars.")
    return Answer(f"{said} {rest}".strip(), text, body["url"])


def _page(page: Json, most: int) -> str:
    content, rest = piece(page["content"], 0, most, "Open it and read.")
    failed = f" {page['error']}" if page.get("error") else ""
    return f"# {place(page)} {page['status']}{failed}\n{content}{rest and chr(10) + rest}"


async def _complete(desk: Desk, id: str) -> Json:
    """The download once it is over, or as it is when the patience ends."""
    one: Json = {}
    events = await desk.events()
    with anyio.move_on_after(DOWNLOAD_SECONDS):
        while True:
            found = (await desk.call("GET", "/v1/browser/downloads")).json()["downloads"]
            one = next((each for each in found if each["id"] == id), {})
            if not one:
                raise BadArgument("No download has this id; call downloads without one.")
            if one["state"] != "in_progress":
                break
            await events.next(DOWNLOAD_SECONDS)
    return one


async def _list(desk: Desk, lines: list[str], what: str) -> Answer:
    text, rest = piece("\n".join(lines), 0, RESULT_CHARS, "Use pattern or limit.")
    return Answer(f"{counted(len(lines), what)}. {rest}".strip(), text, await _url(desk) if lines else "")


async def _url(desk: Desk) -> str:
    return str((await desk.call("GET", "/v1/browser/status")).json().get("url", ""))


def _where(one: Json) -> str:
    return f" ({one_line(one['url'], 200)}:{one.get('line', '')})" if one.get("url") else ""


def _request(one: Json) -> str:
    outcome = one.get("error") or ("pending" if one.get("pending") else one["status"])
    return f"{one['id']} {one['method']} {outcome} {one['type']} {one['responseSize']}B {one_line(one['url'], 300)}"


def _checked_id(id: str) -> str:
    if not _ID.fullmatch(id):
        raise BadArgument("id must be one that was listed.")
    return id
